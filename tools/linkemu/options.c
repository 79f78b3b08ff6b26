/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "options.h"

#include <gio/gio.h>
#include <string.h>

#include "units.h"

#define DEFAULT_QUEUE "300ms"   /* RFC 8867 */
#define MAX_OVERHEAD_BYTES 1000
#define MAX_MS 1e8

/* As GOption delivers them. */
typedef struct
{
  gchar *listen, *to, *rate, *trace, *queue, *reverse_rate, *reverse_queue, *blackout, *log, *packets;
  gdouble delay_ms, loss, jitter_ms, reverse_delay_ms, reverse_loss, reverse_jitter_ms, duration_s, interval_ms;
  gint64 seed;
  gint overhead_bytes;
  gboolean start_on_traffic;
} Raw;

static GOptionContext *
context_new (Raw *raw)
{
  const GOptionEntry entries[] = {
    {"listen", 0, 0, G_OPTION_ARG_STRING, &raw->listen, "Where the sender sends to (port 0: any)", "[ADDR:]PORT"},
    {"to", 0, 0, G_OPTION_ARG_STRING, &raw->to, "Where the receiver is", "HOST:PORT"},
    {"rate", 0, 0, G_OPTION_ARG_STRING, &raw->rate, "Forward capacity in bit/s, 0: no limit (0)", "BPS[k|M|G]"},
    {"trace", 0, 0, G_OPTION_ARG_STRING, &raw->trace, "Capacity over time: 0:3M,20:1M or a file", "TRACE"},
    {"delay", 0, 0, G_OPTION_ARG_DOUBLE, &raw->delay_ms, "One-way delay, both ways (0)", "MS"},
    {"queue", 0, 0, G_OPTION_ARG_STRING, &raw->queue, "Drop-tail limit (" DEFAULT_QUEUE ")", "300ms|60000B|20p|none"},
    {"loss", 0, 0, G_OPTION_ARG_DOUBLE, &raw->loss, "Random loss, 0..1 (0)", "RATIO"},
    {"jitter", 0, 0, G_OPTION_ARG_DOUBLE, &raw->jitter_ms, "Standard deviation of the jitter (0)", "MS"},
    {"seed", 0, 0, G_OPTION_ARG_INT64, &raw->seed, "Of loss and jitter (1)", "N"},
    {"overhead", 0, 0, G_OPTION_ARG_INT, &raw->overhead_bytes, "Added to each datagram (28: IPv4 + UDP)", "BYTES"},
    {"reverse-rate", 0, 0, G_OPTION_ARG_STRING, &raw->reverse_rate, "As --rate, on the way back (0)", "BPS[k|M|G]"},
    {"reverse-queue", 0, 0, G_OPTION_ARG_STRING, &raw->reverse_queue, "As --queue (" DEFAULT_QUEUE ")", "QUEUE"},
    {"reverse-loss", 0, 0, G_OPTION_ARG_DOUBLE, &raw->reverse_loss, "As --loss (0)", "RATIO"},
    {"reverse-jitter", 0, 0, G_OPTION_ARG_DOUBLE, &raw->reverse_jitter_ms, "As --jitter (0)", "MS"},
    {"reverse-delay", 0, 0, G_OPTION_ARG_DOUBLE, &raw->reverse_delay_ms, "As --delay (the same as --delay)", "MS"},
    {"blackout", 0, 0, G_OPTION_ARG_STRING, &raw->blackout, "When all is dropped, both ways", "START:LENGTH[,..]"},
    {"duration", 0, 0, G_OPTION_ARG_DOUBLE, &raw->duration_s, "Exit after this time", "S"},
    {"start-on-traffic", 0, 0, G_OPTION_ARG_NONE, &raw->start_on_traffic, "Time 0 is the first forward datagram", NULL},
    {"log", 0, 0, G_OPTION_ARG_FILENAME, &raw->log, "CSV, one row an interval", "FILE|-"},
    {"interval", 0, 0, G_OPTION_ARG_DOUBLE, &raw->interval_ms, "Of the log (100)", "MS"},
    {"packets", 0, 0, G_OPTION_ARG_FILENAME, &raw->packets, "CSV, one row a forward packet", "FILE|-"},
    {NULL}
  };
  GOptionContext *context = g_option_context_new (NULL);

  g_option_context_set_summary (context, "Relays UDP datagrams through an emulated link, in both directions.");
  g_option_context_add_main_entries (context, entries, NULL);
  return context;
}

static gboolean
refuse (GError **error, const gchar *option, const gchar *why)
{
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "%s: %s", option, why);
  return FALSE;
}

/* NaN fails too. */
static gboolean
check_range (const gchar *option, gdouble value, gdouble min, gdouble max, GError **error)
{
  if (value >= min && value <= max)
    return TRUE;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "%s: not within %g and %g", option, min, max);
  return FALSE;
}

static gboolean
check_ranges (const Raw *raw, GError **error)
{
  return check_range ("--delay", raw->delay_ms, 0, MAX_MS, error)
      && check_range ("--reverse-delay", raw->reverse_delay_ms, 0, MAX_MS, error)
      && check_range ("--loss", raw->loss, 0, 1, error)
      && check_range ("--reverse-loss", raw->reverse_loss, 0, 1, error)
      && check_range ("--jitter", raw->jitter_ms, 0, MAX_MS, error)
      && check_range ("--reverse-jitter", raw->reverse_jitter_ms, 0, MAX_MS, error)
      && check_range ("--overhead", raw->overhead_bytes, 0, MAX_OVERHEAD_BYTES, error)
      && check_range ("--interval", raw->interval_ms, 1, MAX_MS, error)
      && (raw->duration_s == -1 || check_range ("--duration", raw->duration_s, 0.001, 1e8, error));
}

static RcTime
from_ms (gdouble ms)
{
  return rc_time_from_s (ms * 1e-3);
}

static gboolean
read_links (Options *self, const Raw *raw, GError **error)
{
  self->forward = (LinkParams) {
    .delay = from_ms (raw->delay_ms), .loss_ratio = raw->loss, .jitter_sd = from_ms (raw->jitter_ms),
  };
  self->reverse = (LinkParams) {
    .delay = from_ms (raw->reverse_delay_ms), .loss_ratio = raw->reverse_loss,
    .jitter_sd = from_ms (raw->reverse_jitter_ms),
  };
  if (raw->rate && !units_parse_rate (raw->rate, &self->forward.rate_bps))
    return refuse (error, "--rate", "not a rate (bit/s; 500k, 3M, 1G)");
  if (raw->reverse_rate && !units_parse_rate (raw->reverse_rate, &self->reverse.rate_bps))
    return refuse (error, "--reverse-rate", "not a rate (bit/s; 500k, 3M, 1G)");
  if (!units_parse_queue (raw->queue ? raw->queue : DEFAULT_QUEUE, &self->forward))
    return refuse (error, "--queue", "not a limit (300ms, 60000B, 20p, none)");
  if (!units_parse_queue (raw->reverse_queue ? raw->reverse_queue : DEFAULT_QUEUE, &self->reverse))
    return refuse (error, "--reverse-queue", "not a limit (300ms, 60000B, 20p, none)");
  return TRUE;
}

static gboolean
read_schedule (Options *self, const Raw *raw, GError **error)
{
  LinkParams *forward = &self->forward;

  if (raw->trace && !schedule_parse_trace (&self->schedule, raw->trace, error))
    return FALSE;
  /* The rate of such a trace jumps each millisecond; a limit in time means the mean rate then. */
  if (self->schedule.mean_rate_bps > 0 && forward->queue_time > 0) {
    forward->queue_bytes = (guint64) (rc_time_to_s (forward->queue_time) * self->schedule.mean_rate_bps / 8) + 1;
    forward->queue_time = 0;
  }
  return !raw->blackout || schedule_parse_blackouts (&self->schedule, raw->blackout, error);
}

static gboolean
read_endpoints (Options *self, const Raw *raw, GError **error)
{
  if (!raw->listen)
    return refuse (error, "--listen", "missing; see --help");
  if (!raw->to)
    return refuse (error, "--to", "missing; see --help");
  return endpoint_parse (&self->to, raw->to, AF_UNSPEC, error)
      && endpoint_parse (&self->listen, raw->listen,
      strchr (raw->listen, ':') ? AF_UNSPEC : self->to.addr.ss_family, error);
}

static gboolean
read_raw (Options *self, Raw *raw, GError **error)
{
  if (raw->reverse_delay_ms == -1)
    raw->reverse_delay_ms = raw->delay_ms;
  self->seed = (guint64) raw->seed;
  self->overhead_bytes = (guint) raw->overhead_bytes;
  self->interval = from_ms (raw->interval_ms);
  self->duration = raw->duration_s == -1 ? RC_TIME_NONE : rc_time_from_s (raw->duration_s);
  self->start_on_traffic = raw->start_on_traffic;
  self->log = g_strdup (raw->log);
  self->packets = g_strdup (raw->packets);
  return check_ranges (raw, error) && read_endpoints (self, raw, error) && read_links (self, raw, error)
      && read_schedule (self, raw, error);
}

static void
raw_clear (Raw *raw)
{
  gchar *strings[] = { raw->listen, raw->to, raw->rate, raw->trace, raw->queue, raw->reverse_rate, raw->reverse_queue,
    raw->blackout, raw->log, raw->packets
  };

  for (guint i = 0; i < G_N_ELEMENTS (strings); i++)
    g_free (strings[i]);
}

gboolean
options_parse (Options *self, int *argc, char ***argv, GError **error)
{
  Raw raw = { .seed = 1, .overhead_bytes = RC_OVERHEAD_IPV4_BYTES, .interval_ms = 100, .duration_s = -1,
    .reverse_delay_ms = -1
  };
  GOptionContext *context = context_new (&raw);
  gboolean ok = g_option_context_parse (context, argc, argv, error);

  *self = (Options) { .duration = RC_TIME_NONE };
  schedule_init (&self->schedule);
  g_option_context_free (context);
  if (ok && *argc > 1)
    ok = refuse (error, (*argv)[1], "unexpected argument");
  ok = ok && read_raw (self, &raw, error);
  raw_clear (&raw);
  return ok;
}

void
options_clear (Options *self)
{
  schedule_clear (&self->schedule);
  g_free (self->log);
  g_free (self->packets);
}
