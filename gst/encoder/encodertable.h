/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What differs from encoder to encoder: the name and unit of the bitrate property, and how a
 * change of it is taken. A row is one of the table in encodertable.c, or one that a user added:
 * those are of the process, and stay. Else everything here is stateless. */
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

/* Is it an encoder of media (and not, say, a DTLS encoder)? */
gboolean encoder_row_is_encoder (GstElement * element);
gboolean encoder_row_is_video (GstElement * element);

/* NULL: not in the table, or this version of it lacks the property. */
const EncoderRow *encoder_row_lookup (GstElement * element);

/* The property encoder-map: "FACTORY,PROPERTY,UNIT[,restarts]" with UNIT bit or kbit, several
 * separated by semicolons; the latest row of a factory counts. Returns NULL, or a new sentence that
 * says what is wrong (g_free), and then nothing was added. */
gchar *encoder_map_add (const gchar * text);

/* Smallest and largest bitrate, bit/s, that the property can express; the smallest is never 0
 * ("automatic"). */
void encoder_row_get_range (const EncoderRow * row, GstElement * element, guint64 * min_bps,
    guint64 * max_bps);
/* The present bitrate, bit/s; 0: automatic or unknown. */
guint64 encoder_row_get_bps (const EncoderRow * row, GstElement * element);
/* bps must be within the range; rounded down to the unit. May block on the encoder's lock. */
void encoder_row_set_bps (const EncoderRow * row, GstElement * element, guint64 bps);

G_END_DECLS
