/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Who watches and who publishes: each call has a path of its own that nobody guesses, under which
 * it is ended. And one call by us, to a server of WHIP. */
#pragma once

#include "livestream.h"
#include "rtcpeer.h"

#include <libsoup/soup.h>

G_BEGIN_DECLS

#define MOST_BODY 65536         /* of an offer, and of an answer */

typedef struct _Calls Calls;

Calls *calls_new (const PeerSettings * settings, guint most);
void calls_free (Calls * self);
/* By WHEP, or by WHIP. The body of message is an offer; it gets the answer, now or later. */
void calls_take (Calls * self, LiveStream * stream, gboolean publishes,
    SoupServerMessage * message);
/* FALSE: there is no such call. */
gboolean calls_end (Calls * self, const gchar * path);
void calls_end_of_stream (Calls * self, LiveStream * stream);
/* Publishes the stream at a server of WHIP, again and again; once. token: NULL: none. */
void calls_send (Calls * self, LiveStream * stream, const gchar * url, const gchar * token);
void calls_print (Calls * self);
/* type: NULL: plain text. */
void answer (SoupServerMessage * message, guint status, const gchar * type, const gchar * text);

G_END_DECLS
