/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

#define GST_TYPE_ARC_SCALE (gst_arc_scale_get_type ())
G_DECLARE_FINAL_TYPE (GstArcScale, gst_arc_scale, GST, ARC_SCALE, GstBin)
GST_ELEMENT_REGISTER_DECLARE (arcscale);

G_END_DECLS
