/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Keys of an element's metadata beside GStreamer's own: gst-inspect-1.0 prints every key. */
#pragma once

#define DESCRIPTION_STATISTICS "Statistics"
#define DESCRIPTION_MESSAGES "Messages"
#define DESCRIPTION_EVENTS "Events"

/* gst-inspect-1.0 prints values from column 28 on. */
#define DESCRIPTION_LINE "\n                           "
