/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The frames that go into the encoders of a stream, as text. */
#pragma once

#include <gst/gst.h>

/* snapshot: GST_ARC_MONITOR_SNAPSHOT. Such as "640x360@30", one for each encoder; g_free() */
gchar *frames_text (const GstStructure * snapshot);
