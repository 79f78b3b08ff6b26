/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The streams as server-sent events (text/event-stream) for pages: all of them in each event. A
 * page that has not taken its last event gets none meanwhile, so nothing piles up for it, and loses
 * its connection in the end. */
#pragma once

#include "streamtable.h"
#include "visitors.h"

#include <libsoup/soup.h>

typedef struct _EventStream EventStream;

/* thumbnails: their folder, which must outlive it; may be NULL. */
EventStream *event_stream_new (StreamTable * streams, Visitors * visitors,
    const gchar * thumbnails);
void event_stream_free (EventStream * self);
/* Answers a request, for as long as the page stays. */
void event_stream_serve (EventStream * self, SoupServerMessage * message);
