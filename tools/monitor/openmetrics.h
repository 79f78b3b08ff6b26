/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* All streams as OpenMetrics text (version 1.0.0), which Prometheus reads. */
#pragma once

#include "streamtable.h"

#define OPEN_METRICS_TYPE "application/openmetrics-text; version=1.0.0; charset=utf-8"

/* g_free() */
gchar *open_metrics_text (StreamTable * streams);
