/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The stamp of ratestamp.h for GStreamer's own elements: with it payloaders, depayloaders and
 * rtpbin know the extension by its URI. */
#pragma once

#include <gst/rtp/rtp.h>

G_BEGIN_DECLS

#define GST_TYPE_RATE_STAMP_EXTENSION (gst_rate_stamp_extension_get_type ())
G_DECLARE_FINAL_TYPE (GstRateStampExtension, gst_rate_stamp_extension, GST, RATE_STAMP_EXTENSION,
    GstRTPHeaderExtension) GST_ELEMENT_REGISTER_DECLARE (rtphdrextratestamp);

G_END_DECLS
