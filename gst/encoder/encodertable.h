/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What differs from encoder to encoder: the name and unit of the bitrate property, and how a
 * change of it is taken. Everything here is stateless; see encodertable.c for the table. */
#pragma once

#include "encoder/encoderrow.h"

#include <gst/gst.h>

G_BEGIN_DECLS

/* Is it an encoder of media (and not, say, a DTLS encoder)? */
gboolean encoder_row_is_encoder (GstElement * element);
gboolean encoder_row_is_video (GstElement * element);

/* NULL: not in the table, or this version of it lacks the property. */
const EncoderRow *encoder_row_lookup (GstElement * element);

/* Smallest and largest bitrate, bit/s, that the property can express; the smallest is never 0
 * ("automatic"). */
void encoder_row_get_range (const EncoderRow * row, GstElement * element, guint64 * min_bps,
    guint64 * max_bps);
/* The present bitrate, bit/s; 0: automatic or unknown. */
guint64 encoder_row_get_bps (const EncoderRow * row, GstElement * element);
/* bps must be within the range; rounded down to the unit. May block on the encoder's lock. */
void encoder_row_set_bps (const EncoderRow * row, GstElement * element, guint64 bps);

G_END_DECLS
