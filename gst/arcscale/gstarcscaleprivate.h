/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#pragma once

#include "gstarcscale.h"
#include "encoder/encoderorders.h"
#include "encodertap.h"

#include <gst/video/video.h>
#include <rc/scale/scale.h>

G_BEGIN_DECLS

#define GST_ARC_SCALE_CAST(object) ((GstArcScale *) (object))

struct _GstArcScale
{
  GstBin parent;
  GstElement *videorate, *videoscale, *filter;  /* of the bin; NULL: not installed */
  GstPad *sinkpad, *srcpad;     /* ghost pads, of the element */
  EncoderTap *tap;
  GstCaps *scalable;            /* what may come in */

  /* Of the streaming thread alone. */
  GstSegment segment;
  GstClockTime running;         /* of the last frame */
  RcTime now;                   /* counted up from it, so that it never runs backwards */
  guint skipped;                /* frames since the last that passed */
  GstClockTime hidden_pts;      /* of the frame that is in videorate */
  GThread *setting;             /* atomic: this thread sets caps now */

  /* Under the object lock. */
  RcScale law;
  RcCause target_cause;         /* as the event said */
  RcLadderInput limits;         /* min_height and prefer are properties */
  GstVideoInfo input;           /* GST_VIDEO_FORMAT_UNKNOWN: no caps yet */
  gboolean limits_changed;      /* begin again with the next frame */
  guint rung;                   /* that the filter has */
  gboolean refused;             /* what follows keeps the size: of the last choice */
  gboolean warned;              /* of it */
  guint64 steps, refusals, frames_dropped;
};

/* scaleproperties.c */
void gst_arc_scale_install_properties (GObjectClass * object_class);
void gst_arc_scale_init_settings (GstArcScale * self);

GST_DEBUG_CATEGORY_EXTERN (gst_arc_scale_debug);

/* scalesteps.c; the streaming thread calls. */
/* New caps come in. */
void gst_arc_scale_set_input (GstArcScale * self, GstCaps * caps);
/* Before the frame of this running time. */
void gst_arc_scale_step (GstArcScale * self, GstClockTime running);
/* The object lock is held. */
const gchar *gst_arc_scale_reason (GstArcScale * self);
void gst_arc_scale_describe_stats (GstElementClass * klass);

G_END_DECLS
