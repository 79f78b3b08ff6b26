/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

#define GST_TYPE_ARC_AV_SINK (gst_arc_av_sink_get_type ())
G_DECLARE_FINAL_TYPE (GstArcAvSink, gst_arc_av_sink, GST, ARC_AV_SINK, GstBin)

GST_ELEMENT_REGISTER_DECLARE (arcavsink);

G_END_DECLS
