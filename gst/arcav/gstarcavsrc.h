/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

#define GST_TYPE_ARC_AV_SRC (gst_arc_av_src_get_type ())
G_DECLARE_FINAL_TYPE (GstArcAvSrc, gst_arc_av_src, GST, ARC_AV_SRC, GstBin)

GST_ELEMENT_REGISTER_DECLARE (arcavsrc);

G_END_DECLS
