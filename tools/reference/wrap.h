/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Lines of Markdown, as people write them: at most 100 columns. */
#pragma once

#include <glib.h>

/* Of paragraphs and lists; a list's item goes on below its text. Headings, tables and what is one
 * word, as a long code span may be, stay. To be freed. */
gchar *wrap (const gchar * text);
