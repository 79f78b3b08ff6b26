/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* One instance of the encoder that the user described, as a child of a bin, between two pads of
 * our own: what goes into `feed` comes out of the sink pad `caught`. Who owns the bin sets the
 * functions of the pads; their element private is the instance. */
#pragma once

#include "encoder/encodertable.h"

G_BEGIN_DECLS

typedef struct
{
  GstBin *bin;                  /* outlives it */
  GstElement *child;            /* what the description makes: an encoder, or a bin with one */
  GstElement *encoder;
  const EncoderRow *row;
  GstPad *feed, *caught;
  guint64 bps;                  /* that it was made for; 0: what the description says */
  /* Of the bin's lock. */
  gboolean drained;             /* its last frame has come, or never will */
  gboolean passing;             /* a frame or an event of it is on its way downstream */
  gint64 silent_since_us;       /* the last such has got there, or it was let go; monotonic clock */
} EncoderInstance;

/* In the state of the bin. NULL: *error says why. */
EncoderInstance *encoder_instance_new (GstBin * bin, const gchar * description, guint64 bps,
    GError ** error);
/* Its pads work from now on. */
void encoder_instance_start (EncoderInstance * self);
/* Removes it from the bin. Not on its own streaming threads. */
void encoder_instance_free (EncoderInstance * self);

G_END_DECLS
