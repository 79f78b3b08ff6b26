/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

#define GST_TYPE_ARC_ENCODE_BIN (gst_arc_encode_bin_get_type ())
G_DECLARE_FINAL_TYPE (GstArcEncodeBin, gst_arc_encode_bin, GST, ARC_ENCODE_BIN, GstBin)
GST_ELEMENT_REGISTER_DECLARE (arcencodebin);

G_END_DECLS
