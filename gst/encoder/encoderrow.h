/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What is known of an encoder: a row of encodertable.c, or one that a user added. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

typedef enum
{
  ENCODER_FOLLOWS,              /* takes each change while it runs */
  ENCODER_REOPENS,              /* takes it by beginning anew, with a keyframe */
  ENCODER_QUALITY,              /* has no bitrate: its quality is steered (encoderquality.h) */
  ENCODER_FIXED,                /* reads the property only when it starts */
  ENCODER_CONSTANT,             /* has no property for what it makes */
} EncoderHow;

typedef struct
{
  const gchar *glob; /* of the factory name: hardware plugins insert the device into it */
  const gchar *property;        /* of ENCODER_CONSTANT: NULL */
  guint bps_per_unit;
  EncoderHow how;
  const gchar *keyframe;        /* action signal that makes one, where GstForceKeyUnit does not */
  gboolean camera;              /* a source that encodes */
  gboolean by_caps;             /* divides its bitrate by the frame rate of its caps, whatever the
                                 * times of frames say (encoderframes.h) */
} EncoderRow;

G_END_DECLS
