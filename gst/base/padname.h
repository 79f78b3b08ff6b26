/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* The name of a new request pad, `format` (such as "src_%u") with a number: that of `wanted` if it
 * is such a name, else the next one that no pad of the element has. `next` is a counter of the
 * element, which only this function uses. A name asked for does not move it, so the highest number
 * there is does not use up the others. g_free(). Call it without a lock of the element. */
gchar *pad_name_choose (GstElement * element, const gchar * format, const gchar * wanted,
    guint * next);

G_END_DECLS
