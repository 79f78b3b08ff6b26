/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Bytes that nobody can guess, of the system. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Up to 256. */
void random_bytes (guint8 * bytes, gsize size);

G_END_DECLS
