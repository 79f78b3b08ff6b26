/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

#define GST_TYPE_ARC_SELECT (gst_arc_select_get_type ())
G_DECLARE_FINAL_TYPE (GstArcSelect, gst_arc_select, GST, ARC_SELECT, GstElement)
GST_ELEMENT_REGISTER_DECLARE (arcselect);

G_END_DECLS
