/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#pragma once

#include "gstarcencodebin.h"
#include "encoderinstance.h"

G_BEGIN_DECLS

#define GST_ARC_ENCODE_BIN_CAST(object) ((GstArcEncodeBin *) (object))

struct _GstArcEncodeBin
{
  GstBin parent;
  GstPad *sinkpad, *srcpad;     /* of the element */

  /* Of the streaming thread, or while none runs. */
  GstEvent *caps;               /* the last that came in, or NULL */
  GstClockTime began_pts;       /* of the present instance's first frame, or GST_CLOCK_TIME_NONE */
  GThread *drain;               /* ends when `former` is free; NULL: nothing to join */

  GMutex lock;                  /* of all below; not held across calls out */
  GCond changed;
  EncoderInstance *current;     /* frames go into it; replaced on the streaming thread */
  EncoderInstance *former;      /* being drained; NULL: none */
  gboolean flushing;            /* nothing waits, and what the former still has is dropped */
  gboolean stopping;            /* flushing until the next start */
  guint64 frames_in, frames_out, takeovers, cut_off;

  /* Properties, of the object lock. */
  gchar *description;
  guint64 wanted_bps;           /* 0: as the description says */
};

GST_DEBUG_CATEGORY_EXTERN (gst_arc_encode_bin_debug);

/* takeover.c */
/* The first instance, before the state PAUSED. FALSE: an error was posted. */
gboolean gst_arc_encode_bin_begin (GstArcEncodeBin * self);
/* Before the state READY: waits for nothing any more, whatever flushes end. */
void gst_arc_encode_bin_stop (GstArcEncodeBin * self);
/* After the state PAUSED. */
void gst_arc_encode_bin_end (GstArcEncodeBin * self);
/* Stops all waiting, and drops what a former instance still has. */
void gst_arc_encode_bin_set_flushing (GstArcEncodeBin * self, gboolean flushing);
/* Before a frame: a fresh instance, if the wanted bitrate differs by enough. On the streaming
 * thread, as the next. FALSE: an error was posted. */
gboolean gst_arc_encode_bin_take_over (GstArcEncodeBin * self, GstClockTime pts);
/* New caps: a fresh instance, if the present one had others. */
gboolean gst_arc_encode_bin_take_caps (GstArcEncodeBin * self, GstEvent * caps);
/* The pad of the present instance that frames go into, or that its frames come out of; a new
 * reference. */
GstPad *gst_arc_encode_bin_feed (GstArcEncodeBin * self);
GstPad *gst_arc_encode_bin_caught (GstArcEncodeBin * self);

G_END_DECLS
