/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A picture of a stream, which its application leaves in a folder: PROCESS-ELEMENT.jpg. There is
 * none where the name is not a plain one, or the file is old, long, a link or no JPEG. */
#pragma once

#include "streamtable.h"

/* When it was written, in µs since 1970; 0: there is none. folder may be NULL. */
gint64 thumbnail_written_at (const gchar * folder, const Stream * stream);
/* NULL: there is none. */
GBytes *thumbnail_read (const gchar * folder, const Stream * stream);
