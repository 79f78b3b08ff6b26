/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Secrets are found in core dumps, and in memory that was freed, unless they are overwritten. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

void wipe (gpointer bytes, gsize size);
/* NULL: there is nothing to do. */
void wipe_and_free (gchar * text);

G_END_DECLS
