/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What is worth telling of a message, as text. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* element: that posts it, for itself or for one inside of it. Fields `time`, `kind`, `text` and, of
 * one inside, `from` (GST_ARC_MONITOR_MESSAGE in <gst/arc/arc.h>). NULL: not worth it.
 * gst_structure_free() */
GstStructure *message_record (GstElement * element, GstMessage * message);

G_END_DECLS
