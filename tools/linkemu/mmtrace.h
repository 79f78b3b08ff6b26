/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A trace of mahimahi: a text file with one time in milliseconds a line, in ascending order, each
 * an opportunity to deliver 1504 bytes. Several may be of one time. It repeats at its last one. */
#pragma once

#include <gio/gio.h>
#include <link/link.h>

G_BEGIN_DECLS

/* Appends the times to `opportunities` (RcTime). FALSE and *error, which tells the line, if the
 * file cannot be read or is no such trace. */
gboolean mm_trace_read (GArray * opportunities, const gchar * file, GError ** error);

G_END_DECLS
