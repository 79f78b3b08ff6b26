/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#pragma once

#include <gst/base/gstbasesink.h>
#include <gst/gst.h>

G_BEGIN_DECLS

#define GST_TYPE_RMC_SINK (gst_rmc_sink_get_type ())
G_DECLARE_FINAL_TYPE (GstRmcSink, gst_rmc_sink, GST, RMC_SINK, GstBaseSink)
GST_ELEMENT_REGISTER_DECLARE (rmcsink);

G_END_DECLS
