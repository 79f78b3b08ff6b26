/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The stock payloader or depayloader of a format. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* The one of the highest rank that takes these caps, of an elementary stream, and makes packets of
 * these (rtp, NULL: any: AAC has two), with parameter sets in the stream, before each keyframe, and
 * no packet that waits for the next frame: rtph264pay and rtph265pay do neither by default. NULL:
 * there is none. */
GstElement *payloader_new (const GstCaps * caps, const GstCaps * rtp);
/* The same for caps of RTP. */
GstElement *depayloader_new (const GstCaps * caps);

G_END_DECLS
