/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#pragma once

#include <gst/gst.h>

/* What the elements' own descriptions say about a field of that structure; NULL: nothing, as
 * where the plugin is not installed. For the main thread. */
const gchar *field_help (const gchar * structure, const gchar * field);
