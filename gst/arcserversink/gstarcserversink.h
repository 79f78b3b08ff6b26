/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

#define GST_TYPE_ARC_SERVER_SINK (gst_arc_server_sink_get_type ())
G_DECLARE_FINAL_TYPE (GstArcServerSink, gst_arc_server_sink, GST, ARC_SERVER_SINK, GstBin)
GST_ELEMENT_REGISTER_DECLARE (arcserversink);

G_END_DECLS
