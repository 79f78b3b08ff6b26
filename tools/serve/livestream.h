/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A source by its name: its picture encoded a few times by an arcladder, its sound once; and an
 * arcserversink for callers of arc://, if there is a port for them. It begins anew where its source
 * fails. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

typedef struct _LiveStream LiveStream;

/* In the main thread: those who have taps must leave them. */
typedef void (*LiveStreamStopped) (LiveStream * self, gpointer data);

/* To be read only. */
struct _LiveStream
{
  gchar *name;
  /* Its picture and sound are what somebody sends to intervideosink and interaudiosink, on the
   * channel of its name. */
  gboolean is_published;
  GstElement *camera;           /* NULL: it has failed, and is to begin again */
  GString *line;
  LiveStreamStopped stopped;
  gpointer data;
  guint retrying;
};

enum { PICTURE, SOUND, TRACKS };

/* source: "test", a URI (rtsp, file, http, arc), "whip" (who publishes to it), or a launch line.
 * arc_port: 0: none. NULL with *error: the source makes no pipeline. */
LiveStream *live_stream_new (const gchar * name, const gchar * source, guint renditions,
    guint max_bps, guint arc_port, LiveStreamStopped stopped, gpointer data, GError ** error);
void live_stream_free (LiveStream * self);
/* Proxysinks with an encoding for a viewer behind each; taps[SOUND]: NULL: there is none.
 * Not without a camera. */
void live_stream_tap (LiveStream * self, GstElement ** taps);
void live_stream_untap (LiveStream * self, GstElement ** taps);

G_END_DECLS
