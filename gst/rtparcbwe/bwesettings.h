/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The defaults of the settings, which are rmcsink's. */
#pragma once

#define DEFAULT_MIN_BITRATE 100000
#define DEFAULT_START_BITRATE 500000
#define DEFAULT_MAX_BITRATE 50000000
#define DEFAULT_LAW 0           /* the first of rc_laws */
#define DEFAULT_MAX_QUEUE_TIME (400 * GST_MSECOND)
