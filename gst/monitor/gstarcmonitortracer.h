/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The tracer `arcmonitor`: GST_TRACERS=arcmonitor lets gst-arc-monitor watch any process. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

#define GST_TYPE_ARC_MONITOR_TRACER (gst_arc_monitor_tracer_get_type ())
G_DECLARE_FINAL_TYPE (GstArcMonitorTracer, gst_arc_monitor_tracer, GST, ARC_MONITOR_TRACER,
    GstTracer)

gboolean gst_arc_monitor_tracer_register (GstPlugin * plugin);

G_END_DECLS
