/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "units.h"

#include <math.h>
#include <string.h>

#define MAX_RATE_BPS 1e12
#define MAX_SECONDS 1e8
#define MAX_MS 1e8
#define MAX_BURST_PKTS 1e6

static gboolean
parse_number (const gchar *text, gdouble max, gdouble *number, const gchar **suffix)
{
  gchar *end;

  if (!g_ascii_isdigit (text[0]) && text[0] != '.')
    return FALSE;
  *number = g_ascii_strtod (text, &end);
  *suffix = end;
  /* strtod knows hexadecimal too. */
  return strspn (text, "0123456789.eE+-") >= (gsize) (end - text) && end != text && *number <= max;
}

/* The unit may be left out. */
static void
skip_unit (const gchar **suffix, const gchar *unit)
{
  if (g_str_has_prefix (*suffix, unit))
    *suffix += strlen (unit);
}

static gboolean
parse_ms (const gchar *text, gdouble *ms, const gchar **suffix)
{
  if (!parse_number (text, MAX_MS, ms, suffix))
    return FALSE;
  skip_unit (suffix, "ms");
  return TRUE;
}

gboolean
units_parse_rate (const gchar *text, guint64 *rate_bps)
{
  gdouble number, factor = 1;
  const gchar *suffix;

  if (!parse_number (text, MAX_RATE_BPS, &number, &suffix))
    return FALSE;
  if (*suffix == 'k')
    factor = 1e3;
  else if (*suffix == 'M')
    factor = 1e6;
  else if (*suffix == 'G')
    factor = 1e9;
  if (factor > 1)
    suffix++;
  if (*suffix || number * factor > MAX_RATE_BPS)
    return FALSE;
  *rate_bps = (guint64) (number * factor + 0.5);
  return TRUE;
}

gboolean
units_parse_seconds (const gchar *text, RcTime *time)
{
  gdouble number;
  const gchar *suffix;

  if (!parse_number (text, MAX_SECONDS, &number, &suffix))
    return FALSE;
  skip_unit (&suffix, "s");
  *time = rc_time_from_s (number);
  return *suffix == '\0';
}

gboolean
units_parse_ms (const gchar *text, RcTime *time)
{
  gdouble number;
  const gchar *suffix;

  if (!parse_ms (text, &number, &suffix) || *suffix)
    return FALSE;
  *time = rc_time_from_s (number * 1e-3);
  return TRUE;
}

gboolean
units_parse_ratio (const gchar *text, gdouble *ratio)
{
  const gchar *suffix;

  return parse_number (text, G_MAXDOUBLE, ratio, &suffix) && *suffix == '\0';
}

gboolean
units_parse_queue (const gchar *text, LinkParams *params)
{
  gdouble number;
  const gchar *suffix;

  params->queue_time = 0;
  params->queue_bytes = 0;
  params->queue_pkts = 0;
  if (g_str_equal (text, "none"))
    return TRUE;
  /* 0 would mean "no limit" to the link: refused, since a reader takes it for "no queue". */
  if (!parse_number (text, LINK_MAX_QUEUE_BYTES, &number, &suffix) || number <= 0)
    return FALSE;
  if (g_str_equal (suffix, "ms"))
    params->queue_time = MAX (rc_time_from_s (number * 1e-3), 1);
  else if (g_str_equal (suffix, "B"))
    params->queue_bytes = (guint64) ceil (number);
  else if (g_str_equal (suffix, "p"))
    params->queue_pkts = (guint32) ceil (number);
  else
    return FALSE;
  return TRUE;
}

gboolean
units_parse_burst_loss (const gchar *text, LinkParams *params)
{
  const gchar *suffix;

  return parse_number (text, 1, &params->burst_loss_ratio, &suffix) && *suffix == ':'
      && parse_number (suffix + 1, MAX_BURST_PKTS, &params->burst_loss_pkts, &suffix)
      && *suffix == '\0' && params->burst_loss_pkts >= 1
      && params->burst_loss_ratio < params->burst_loss_pkts / (params->burst_loss_pkts + 1);
}

gboolean
units_parse_police (const gchar *text, LinkParams *params)
{
  gchar **parts = g_strsplit (text, ":", 2);
  const gchar *suffix;
  gdouble bytes = 0;
  gboolean good = parts[0] && parts[1] && units_parse_rate (parts[0], &params->police_bps)
      && parse_number (parts[1], LINK_MAX_QUEUE_BYTES, &bytes, &suffix) && *suffix == '\0';

  g_strfreev (parts);
  params->police_bytes = (guint64) ceil (bytes);
  return good && params->police_bps > 0 && params->police_bytes > 0;
}

gboolean
units_parse_jitter (const gchar *text, LinkParams *params)
{
  const gboolean exponential = g_str_has_prefix (text, "exp:");
  const gchar *suffix;
  gdouble ms;

  if (!parse_ms (text + (exponential ? strlen ("exp:") : 0), &ms, &suffix)
      || (*suffix && !g_str_equal (suffix, ",reorder")))
    return FALSE;
  *(exponential ? &params->jitter_mean : &params->jitter_sd) = rc_time_from_s (ms * 1e-3);
  params->overtakes = *suffix != '\0';
  return TRUE;
}

gboolean
units_parse_stall (const gchar *text, LinkParams *params)
{
  const gchar *suffix;
  gdouble length_ms, mean_ms;

  if (!parse_ms (text, &length_ms, &suffix) || *suffix != ':'
      || !parse_ms (suffix + 1, &mean_ms, &suffix) || *suffix)
    return FALSE;
  params->stall_length = rc_time_from_s (length_ms * 1e-3);
  params->stall_mean = rc_time_from_s (mean_ms * 1e-3);
  return params->stall_length > 0 && params->stall_mean > params->stall_length;
}
