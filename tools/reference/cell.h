/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What may be in a cell of a table in Markdown: no bar ends it. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* To be freed. */
gchar *cell_text (const gchar * text);

G_END_DECLS
