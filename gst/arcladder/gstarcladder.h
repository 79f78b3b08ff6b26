/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

#define GST_TYPE_ARC_LADDER (gst_arc_ladder_get_type ())
G_DECLARE_FINAL_TYPE (GstArcLadder, gst_arc_ladder, GST, ARC_LADDER, GstBin)
GST_ELEMENT_REGISTER_DECLARE (arcladder);

G_END_DECLS
