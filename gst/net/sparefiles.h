/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Files that strangers cause to be opened leave some for the rest of the process: an eighth of its
 * limit and a few more. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Of a file that was just opened. FALSE: it is one of those, and should be closed. */
gboolean spare_files_left (int fd);
/* How many more may be opened now. */
guint spare_files_most (void);

G_END_DECLS
