/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* One instance of the encoder that the user described, as a child of a bin, between two pads of
 * our own: what goes into `feed` comes out of the sink pad `caught`. The bin's element sets the
 * functions of the pads; their element private is the instance, which they keep: a query of another
 * thread may be in one of them when the instance is taken out of the bin. */
#pragma once

#include "encoder/encodertable.h"

G_BEGIN_DECLS

typedef struct
{
  gatomicrefcount refs;         /* the bin's and one of each pad */
  GstBin *bin;                  /* outlives it */
  GstElement *child;            /* a bin with what the description makes */
  GstElement *encoder;
  const EncoderRow *row;
  GstPad *feed, *caught;
  guint64 bps;                  /* that it was made for; 0: what the description says */
  /* Of the bin's lock. */
  gboolean has_caps;            /* it has said what its frames are */
  gboolean drained;             /* its last frame has come, or never will */
  gboolean passing;             /* a frame or an event of it is on its way downstream */
  gint64 silent_since_us;       /* the last such has got there, or it was let go; monotonic clock */
} EncoderInstance;

/* In the state of the bin. NULL: *error says why. */
EncoderInstance *encoder_instance_new (GstBin * bin, const gchar * description, guint64 bps,
    GError ** error);
/* Its pads work from now on. FALSE: the child does not get to the state of the bin. */
gboolean encoder_instance_start (EncoderInstance * self);
/* What a fresh instance could take by the pad `feed` of one. */
GstCaps *encoder_instance_possible_caps (GstPad * feed);
/* Removes it from the bin, and gives the bin's reference up. Not on its own streaming threads. */
void encoder_instance_free (EncoderInstance * self);

G_END_DECLS
