/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A report to a monitor about one element at one moment: GST_ARC_MONITOR_SNAPSHOT (<gst/arc/arc.h>
 * lists the fields). Only what is named here leaves the process: no property but `stats` and the
 * address, so that no key can. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* gst_structure_free() */
GstStructure *snapshot_new (GstElement * element);

G_END_DECLS
