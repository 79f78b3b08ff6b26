/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What every element with a session lets the user set: the defaults, and what bounds mean that
 * contradict each other. How a law is set: lawsettings.h. */
#pragma once

#include <gst/gst.h>
#include <rc/law/law.h>

G_BEGIN_DECLS

/* bit/s on the network */
#define DEFAULT_MIN_BITRATE 100000
#define DEFAULT_START_BITRATE 500000
#define DEFAULT_MAX_BITRATE 50000000
#define LEAST_BITRATE 8000      /* a packet of 1000 bytes a second */
#define DEFAULT_MAX_QUEUE_TIME (400 * GST_MSECOND)
#define DEFAULT_MAX_DELAY (400 * GST_MSECOND)
#define LEAST_MAX_DELAY (50 * GST_MSECOND)     /* a queue of less is no competitor's */
#define MOST_MAX_DELAY (60 * GST_SECOND)

/* The maximum holds against the minimum, and both against the start. Returns a sentence about a
 * minimum that gave way (g_free), or NULL. */
gchar *session_settings_settle_limits (RcLimits * limits);

/* Posts the sentence, if there is one, and frees it. */
void session_settings_warn (GstElement * element, gchar * sentence);

G_END_DECLS
