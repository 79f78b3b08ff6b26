/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

#define GST_TYPE_RAMP_SCHEDULER (gst_ramp_scheduler_get_type ())
G_DECLARE_FINAL_TYPE (GstRampScheduler, gst_ramp_scheduler, GST, RAMP_SCHEDULER, GstElement)
GST_ELEMENT_REGISTER_DECLARE (rampscheduler);

G_END_DECLS
