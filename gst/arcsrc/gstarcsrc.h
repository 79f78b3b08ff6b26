/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

#define GST_TYPE_ARC_SRC (gst_arc_src_get_type ())
G_DECLARE_FINAL_TYPE (GstArcSrc, gst_arc_src, GST, ARC_SRC, GstBin)
GST_ELEMENT_REGISTER_DECLARE (arcsrc);

G_END_DECLS
