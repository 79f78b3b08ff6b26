/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Numbers with units, as the command line writes them. All refuse NaN, signs and trailing text. */
#pragma once

#include <glib.h>
#include <link/link.h>

G_BEGIN_DECLS

#define UNITS_DEFAULT_QUEUE "300ms"     /* RFC 8867 */

/* "2500000", "2500k", "2.5M", "1G": bit/s, at most 10^12. */
gboolean units_parse_rate (const gchar * text, guint64 * rate_bps);
/* Seconds, with a fraction: "12.5" or "12.5s". */
gboolean units_parse_seconds (const gchar * text, RcTime * time);
/* Milliseconds, with a fraction: "25" or "25ms". */
gboolean units_parse_ms (const gchar * text, RcTime * time);
/* Any number from 0 on. */
gboolean units_parse_ratio (const gchar * text, gdouble * ratio);
/* "300ms", "60000B", "20p" or "none": sets the three limits of *params. */
gboolean units_parse_queue (const gchar * text, LinkParams * params);
/* "0.02:5": mean ratio (below 5 / 6) and mean length in packets (from 1): sets the burst loss of
 * *params. */
gboolean units_parse_burst_loss (const gchar * text, LinkParams * params);
/* "2M:15000": rate, and depth of the bucket in bytes, both above 0. */
gboolean units_parse_police (const gchar * text, LinkParams * params);
/* "5", "5ms", "exp:10", "exp:10,reorder": ms of sd or, if exponential, of mean; packets may
 * overtake. */
gboolean units_parse_jitter (const gchar * text, LinkParams * params);
/* "30:200": length and mean distance from begin to begin, which is larger, in ms. */
gboolean units_parse_stall (const gchar * text, LinkParams * params);

G_END_DECLS
