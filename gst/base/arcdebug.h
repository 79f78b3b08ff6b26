/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The category `arc` of what several elements share. Include it in a file that logs. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

#define GST_CAT_DEFAULT (arc_debug_category ())

/* Made when it is first asked for, which the macros do only if something is logged at all. */
GstDebugCategory *arc_debug_category (void);

G_END_DECLS
