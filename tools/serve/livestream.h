/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A source by its name, encoded a few times by an arcladder; and an arcserversink for callers of
 * arc://, if there is a port for them. It begins anew where its source fails. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

typedef struct _LiveStream LiveStream;

/* In the main thread: those who have a tap must leave it. */
typedef void (*LiveStreamStopped) (LiveStream * self, gpointer data);

/* source: "test", a URI (rtsp, file, http, arc), "whip" (who publishes to it), or a launch line.
 * arc_port: 0: none. NULL with *error: the source makes no pipeline. */
LiveStream *live_stream_new (const gchar * name, const gchar * source, guint renditions,
    guint max_bps, guint arc_port, LiveStreamStopped stopped, gpointer data, GError ** error);
void live_stream_free (LiveStream * self);
const gchar *live_stream_name (const LiveStream * self);
/* For peer_new_receiver (); NULL: nobody can publish. */
const gchar *live_stream_channel (const LiveStream * self);
/* A proxysink with a viewer's encoding behind it. */
GstElement *live_stream_tap (LiveStream * self);
void live_stream_untap (LiveStream * self, GstElement * tap);

G_END_DECLS
