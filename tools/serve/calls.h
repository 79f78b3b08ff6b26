/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Who watches and who publishes: each call has a path of its own that nobody guesses, under which
 * it is ended. */
#pragma once

#include "livestream.h"
#include "rtcpeer.h"

#include <libsoup/soup.h>

G_BEGIN_DECLS

typedef struct _Calls Calls;

Calls *calls_new (const PeerSettings * settings, guint most);
void calls_free (Calls * self);
/* By WHEP and by WHIP. The body of message is an offer; it gets the answer, now or later. */
void calls_watch (Calls * self, LiveStream * stream, SoupServerMessage * message);
void calls_publish (Calls * self, LiveStream * stream, SoupServerMessage * message);
/* FALSE: there is no such call. */
gboolean calls_end (Calls * self, const gchar * path);
void calls_end_of_stream (Calls * self, LiveStream * stream);
/* Publishes the stream at a server of WHIP, again and again. token: NULL: none. */
void calls_send (Calls * self, LiveStream * stream, const gchar * url, const gchar * token);
void calls_print (Calls * self);

G_END_DECLS
