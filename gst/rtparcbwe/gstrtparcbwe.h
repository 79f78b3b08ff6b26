/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

#define GST_TYPE_RTP_ARC_BWE (gst_rtp_arc_bwe_get_type ())
G_DECLARE_FINAL_TYPE (GstRtpArcBwe, gst_rtp_arc_bwe, GST, RTP_ARC_BWE, GstElement)
GST_ELEMENT_REGISTER_DECLARE (rtparcbwe);
/* asrtpgccbwe.c */
gboolean gst_rtp_arc_bwe_register_as_rtpgccbwe (GstPlugin * plugin);

G_END_DECLS
