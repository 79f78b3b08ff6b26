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

typedef struct
{
  PeerSettings peer;
  gint max_viewers;
  gchar *whip, *whip_token;     /* where calls_publish () publishes; whip_token: NULL: none */
} CallSettings;

Calls *calls_new (const CallSettings * settings);
void calls_free (Calls * self);
/* By WHEP, or by WHIP. The body of message is an offer; it gets the answer, now or later. */
void calls_take (Calls * self, LiveStream * stream, gboolean publishes,
    SoupServerMessage * message);
/* FALSE: there is no such call. */
gboolean calls_end (Calls * self, const gchar * path);
/* LiveStreamStopped */
void calls_end_of_stream (LiveStream * stream, gpointer calls);
/* Publishes the stream at a server of WHIP, again and again; once. */
void calls_publish (Calls * self, LiveStream * stream);
/* GSourceFunc */
gboolean calls_print (gpointer calls);
/* type: NULL: plain text. */
void answer (SoupServerMessage * message, guint status, const gchar * type, const gchar * text);

G_END_DECLS
