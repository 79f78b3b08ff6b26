/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Rate control for encoders that have a quality setting but no bitrate (jpegenc): the quality is
 * adjusted after each frame so that the output follows the bitrate. It never exceeds the quality
 * that was set when control began. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* property: an integer, larger is better, that may be set from the encoder's own thread between
 * two frames. */
void encoder_quality_set_bps (GstElement * encoder, const gchar * property, guint64 bps);
/* 0: not steered. */
guint64 encoder_quality_get_bps (GstElement * encoder);

G_END_DECLS
