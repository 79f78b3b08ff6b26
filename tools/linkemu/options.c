/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "options.h"

#include <gio/gio.h>
#include <string.h>

#include "units.h"

#define MAX_OVERHEAD_BYTES 1000
#define MAX_S 1e8
#define MAX_MS 1e8
#define CODEL_TARGET (5 * RC_MSEC)      /* RFC 8289 */
#define CODEL_INTERVAL (100 * RC_MSEC)
#define DEFAULT_INTERVAL (100 * RC_MSEC)        /* of the log */

/* As GOption delivers them; one way only. */
typedef struct
{
  gchar *rate, *trace, *delay, *loss, *queue, *delay_trace, *burst_loss, *jitter, *stall, *police;
  gchar *log, *packets;
  gdouble loss_ratio;
  RcTime delay_time;
} RawLink;

typedef struct
{
  RawLink forward, reverse;
  gchar *listen, *to, *blackout, *aqm, *duration, *interval, *mark;
  gchar **hops, **paths;
  RcTime mark_time;
  gint64 seed;
  gint overhead_bytes;
  gboolean start_on_traffic, tun, codel_ecn;
} Raw;

static void
add_link_entries (GOptionGroup *group, RawLink *f, RawLink *r)
{
  const GOptionEntry entries[] = {
    {"rate", 0, 0, G_OPTION_ARG_STRING, &f->rate, "Forward capacity in bit/s, 0: no limit (0)",
        "BPS[k|M|G]"},
    {"trace", 0, 0, G_OPTION_ARG_STRING, &f->trace,
        "Capacity over time: 0:3M,20:1M or a file; mm:FILE: opportunities of 1504 bytes",
        "TRACE"},
    {"delay", 0, 0, G_OPTION_ARG_STRING, &f->delay, "One-way delay, both ways (0)", "MS"},
    {"delay-trace", 0, 0, G_OPTION_ARG_STRING, &f->delay_trace,
        "Over time, both ways: 0:25,30:60 or a file", "TRACE"},
    {"queue", 0, 0, G_OPTION_ARG_STRING, &f->queue, "Drop-tail limit (" UNITS_DEFAULT_QUEUE ")",
        "300ms|60000B|20p|none"},
    {"loss", 0, 0, G_OPTION_ARG_STRING, &f->loss, "Random loss, 0..1 (0)", "RATIO"},
    {"burst-loss", 0, 0, G_OPTION_ARG_STRING, &f->burst_loss,
        "Loss in bursts: mean ratio and length", "RATIO:PKTS"},
    {"jitter", 0, 0, G_OPTION_ARG_STRING, &f->jitter,
        "Half-normal by its standard deviation, or exponential by its mean; in order (0)",
        "MS|exp:MS[,reorder]"},
    {"stall", 0, 0, G_OPTION_ARG_STRING, &f->stall,
        "The link stops for LENGTH ms; mean distance from begin to begin", "LENGTH:DISTANCE"},
    {"police", 0, 0, G_OPTION_ARG_STRING, &f->police,
        "A token bucket before the queue: what finds no token is dropped", "BPS:BYTES"},
    {"reverse-rate", 0, 0, G_OPTION_ARG_STRING, &r->rate, "As --rate, on the way back (0)",
        "BPS[k|M|G]"},
    {"reverse-trace", 0, 0, G_OPTION_ARG_STRING, &r->trace, "As --trace", "TRACE"},
    {"reverse-delay", 0, 0, G_OPTION_ARG_STRING, &r->delay,
        "As --delay (the same as the way out)", "MS"},
    {"reverse-queue", 0, 0, G_OPTION_ARG_STRING, &r->queue, "As --queue (" UNITS_DEFAULT_QUEUE ")",
        "QUEUE"},
    {"reverse-loss", 0, 0, G_OPTION_ARG_STRING, &r->loss, "As --loss (0)", "RATIO"},
    {"reverse-burst-loss", 0, 0, G_OPTION_ARG_STRING, &r->burst_loss, "As --burst-loss",
        "RATIO:PKTS"},
    {"reverse-jitter", 0, 0, G_OPTION_ARG_STRING, &r->jitter, "As --jitter (0)", "JITTER"},
    {"reverse-stall", 0, 0, G_OPTION_ARG_STRING, &r->stall, "As --stall", "STALL"},
    {"log", 0, 0, G_OPTION_ARG_FILENAME, &f->log, "CSV, one row an interval", "FILE|-"},
    {"packets", 0, 0, G_OPTION_ARG_FILENAME, &f->packets, "CSV, one row a forward packet and link",
        "FILE|-"},
    {"reverse-log", 0, 0, G_OPTION_ARG_FILENAME, &r->log, "As --log, of the way back", "FILE|-"},
    {"reverse-packets", 0, 0, G_OPTION_ARG_FILENAME, &r->packets, "As --packets, of the way back",
        "FILE|-"},
    {NULL}
  };

  g_option_group_add_entries (group, entries);
}

static GOptionContext *
context_new (Raw *raw)
{
  const GOptionEntry entries[] = {
    {"listen", 0, 0, G_OPTION_ARG_STRING, &raw->listen, "Where the sender sends to (port 0: any)",
        "[ADDR:]PORT"},
    {"to", 0, 0, G_OPTION_ARG_STRING, &raw->to, "Where the receiver is", "HOST:PORT"},
    {"tun", 0, 0, G_OPTION_ARG_NONE, &raw->tun,
        "Instead: all IP between two network namespaces", NULL},
    {"aqm", 0, 0, G_OPTION_ARG_STRING, &raw->aqm,
        "On all links: CoDel, 5 ms in 100 ms (RFC 8289), PIE (RFC 8033) or DualPI2 (RFC 9332)",
        "codel|pie|dualpi2"},
    {"ecn", 0, 0, G_OPTION_ARG_NONE, &raw->codel_ecn,
        "CoDel marks ECN-capable packets, drops the rest", NULL},
    {"mark", 0, 0, G_OPTION_ARG_STRING, &raw->mark,
        "Marks ECN-capable packets that waited longer", "MS"},
    {"hop", 0, 0, G_OPTION_ARG_STRING_ARRAY, &raw->hops, "One more link behind the forward one",
        "RATE[,QUEUE[,MS]]"},
    {"path", 0, 0, G_OPTION_ARG_STRING_ARRAY, &raw->paths, "More delay, fewer links for path K",
        "K:MS[:FIRST-LAST]"},
    {"seed", 0, 0, G_OPTION_ARG_INT64, &raw->seed, "Of loss and jitter (1)", "N"},
    {"overhead", 0, 0, G_OPTION_ARG_INT, &raw->overhead_bytes,
        "Added to each datagram (28: IPv4 + UDP; --tun: 0)", "BYTES"},
    {"blackout", 0, 0, G_OPTION_ARG_STRING, &raw->blackout, "When all is dropped, both ways",
        "START:LENGTH[,..]"},
    {"duration", 0, 0, G_OPTION_ARG_STRING, &raw->duration, "Exit after this time", "S"},
    {"start-on-traffic", 0, 0, G_OPTION_ARG_NONE, &raw->start_on_traffic,
        "Time 0 is the first packet", NULL},
    {"interval", 0, 0, G_OPTION_ARG_STRING, &raw->interval, "Of the log (100)", "MS"},
    {NULL}
  };
  GOptionContext *context = g_option_context_new (NULL);
  GOptionGroup *group = g_option_group_new ("linkemu", NULL, NULL, NULL, NULL);

  g_option_context_set_summary (context, "Relays UDP datagrams, or IP packets between two "
      "network namespaces, through an emulated link.");
  add_link_entries (group, &raw->forward, &raw->reverse);
  g_option_group_add_entries (group, entries);
  g_option_context_set_main_group (context, group);
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
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
      "%s: not within %g and %g", option, min, max);
  return FALSE;
}

static gboolean
read_ms (const gchar *option, const gchar *text, RcTime *time, GError **error)
{
  return !text || units_parse_ms (text, time)
      || refuse (error, option, "not a time in milliseconds (25 or 25ms)");
}

static gboolean
read_numbers_of_link (RawLink *raw, const gchar *const names[2], GError **error)
{
  if (raw->loss && !units_parse_ratio (raw->loss, &raw->loss_ratio))
    return refuse (error, names[1], "not a ratio (1 % is 0.01)");
  return read_ms (names[0], raw->delay, &raw->delay_time, error)
      && check_range (names[1], raw->loss_ratio, 0, 1, error);
}

static gboolean
read_numbers (Options *self, Raw *raw, GError **error)
{
  static const gchar *const forward[] = { "--delay", "--loss" };
  static const gchar *const reverse[] = { "--reverse-delay", "--reverse-loss" };

  if (raw->duration && !units_parse_seconds (raw->duration, &self->duration))
    return refuse (error, "--duration", "not a time in seconds (12 or 12s)");
  return read_numbers_of_link (&raw->forward, forward, error)
      && read_numbers_of_link (&raw->reverse, reverse, error)
      && read_ms ("--interval", raw->interval, &self->interval, error)
      && check_range ("--interval", 1e3 * rc_time_to_s (self->interval), 1, MAX_MS, error)
      && read_ms ("--mark", raw->mark, &raw->mark_time, error)
      && (!raw->duration || check_range ("--duration", rc_time_to_s (self->duration), 1e-3, MAX_S,
          error)) && check_range ("--overhead", raw->overhead_bytes, 0, MAX_OVERHEAD_BYTES, error);
}

static gboolean
read_link (LinkParams *self, const RawLink *raw, GError **error)
{
  self->delay = raw->delay_time;
  self->loss_ratio = raw->loss_ratio;
  if (raw->rate && !units_parse_rate (raw->rate, &self->rate_bps))
    return refuse (error, raw->rate, "not a rate (bit/s; 500k, 3M, 1G)");
  if (!units_parse_queue (raw->queue ? raw->queue : UNITS_DEFAULT_QUEUE, self))
    return refuse (error, raw->queue, "not a limit (300ms, 60000B, 20p, none)");
  if (raw->burst_loss && !units_parse_burst_loss (raw->burst_loss, self))
    return refuse (error, raw->burst_loss,
        "not a burst loss (RATIO:PKTS, as 0.02:5, ratio below PKTS / (PKTS + 1))");
  if (raw->police && !units_parse_police (raw->police, self))
    return refuse (error, raw->police, "not a policer (BPS:BYTES, as 2M:15000)");
  if (raw->jitter && !units_parse_jitter (raw->jitter, self))
    return refuse (error, raw->jitter, "not a jitter (5, exp:10, exp:10,reorder; ms)");
  if (raw->stall && !units_parse_stall (raw->stall, self))
    return refuse (error, raw->stall, "not a stall (LENGTH:DISTANCE in ms, as 30:200)");
  return TRUE;
}

static gboolean
read_schedule (Schedule *self, LinkParams *link, const RawLink *raw, const gchar *blackout,
    GError **error)
{
  if (raw->trace && !schedule_parse_trace (self, raw->trace, error))
    return FALSE;
  if (raw->delay_trace && !schedule_parse_delays (self, raw->delay_trace, error))
    return FALSE;
  if (self->opportunities->len > 0 && (raw->rate || raw->stall))
    return refuse (error, raw->trace, "opportunities leave no room for a rate or for stalls");
  link->opportunities = (const RcTime *) self->opportunities->data;
  link->n_opportunities = self->opportunities->len;
  return !blackout || schedule_parse_blackouts (self, blackout, error);
}

static gboolean
read_aqm (LinkAqmParams *self, const Raw *raw, GError **error)
{
  const gboolean codel = g_strcmp0 (raw->aqm, "codel") == 0;
  const gboolean pie = g_strcmp0 (raw->aqm, "pie") == 0;
  const gboolean dualpi2 = g_strcmp0 (raw->aqm, "dualpi2") == 0;

  if (raw->aqm && !codel && !pie && !dualpi2)
    return refuse (error, raw->aqm, "not an AQM (codel, pie, dualpi2)");
  if (raw->codel_ecn && !codel)
    return refuse (error, "--ecn", "needs --aqm codel (or is it --mark?)");
  if (codel)
    self->codel = (LinkCodelParams) {
      CODEL_TARGET, CODEL_INTERVAL, raw->codel_ecn
    };
  if (pie)
    self->pie = LINK_PIE_RFC8033;
  if (dualpi2)
    self->dualpi2 = LINK_DUALPI2_RFC9332;
  self->mark_delay = raw->mark_time;
  return TRUE;
}

static gboolean
read_topology (Options *self, const Raw *raw, GError **error)
{
  Topology *topology = &self->topology;
  gboolean ok = TRUE;

  if (!raw->tun && raw->paths)
    return refuse (error, "--path", "needs --tun");
  if (!read_aqm (&topology->hops[0].aqm, raw, error))
    return FALSE;
  topology->reverse.aqm = topology->hops[0].aqm;
  for (gchar **hop = raw->hops; ok && hop && *hop; hop++)
    ok = topology_add_hop (topology, *hop, &topology->hops[0], error);
  for (gchar **path = raw->paths; ok && path && *path; path++)
    ok = topology_set_path (topology, *path, error);
  return ok;
}

static gboolean
read_links (Options *self, const Raw *raw, GError **error)
{
  LinkParams *forward = &self->topology.hops[0], *reverse = &self->topology.reverse;

  return read_link (forward, &raw->forward, error) && read_link (reverse, &raw->reverse, error)
      && read_schedule (&self->schedule, forward, &raw->forward, raw->blackout, error)
      && read_schedule (&self->reverse_schedule, reverse, &raw->reverse, raw->blackout, error)
      && read_topology (self, raw, error);
}

static gboolean
read_endpoints (Options *self, const Raw *raw, GError **error)
{
  if (raw->tun)
    return (!raw->listen && !raw->to) || refuse (error, "--tun", "has no --listen and --to");
  if (!raw->listen)
    return refuse (error, "--listen", "missing; see --help");
  if (!raw->to)
    return refuse (error, "--to", "missing; see --help");
  return endpoint_parse (&self->to, raw->to, AF_UNSPEC, error)
      && endpoint_parse (&self->listen, raw->listen,
      strchr (raw->listen, ':') ? AF_UNSPEC : self->to.addr.ss_family, error);
}

/* What is not told is told by something else. */
static void
read_defaults (Raw *raw)
{
  if (!raw->reverse.delay) {
    raw->reverse.delay = g_strdup (raw->forward.delay);
    raw->reverse.delay_trace = g_strdup (raw->forward.delay_trace);
  }
  if (raw->overhead_bytes == -1)
    raw->overhead_bytes = raw->tun ? 0 : RC_OVERHEAD_IPV4_BYTES;
}

static gboolean
read_raw (Options *self, Raw *raw, GError **error)
{
  read_defaults (raw);
  self->tun = raw->tun;
  self->seed = (guint64) raw->seed;
  self->overhead_bytes = (guint) raw->overhead_bytes;
  self->interval = DEFAULT_INTERVAL;
  self->start_on_traffic = raw->start_on_traffic;
  self->log = g_strdup (raw->forward.log);
  self->packets = g_strdup (raw->forward.packets);
  self->reverse_log = g_strdup (raw->reverse.log);
  self->reverse_packets = g_strdup (raw->reverse.packets);
  return read_numbers (self, raw, error) && read_endpoints (self, raw, error)
      && read_links (self, raw, error);
}

static void
raw_link_clear (RawLink *raw)
{
  gchar *strings[] = {
    raw->rate, raw->trace, raw->delay, raw->loss, raw->queue, raw->delay_trace, raw->burst_loss,
    raw->jitter, raw->stall, raw->police, raw->log, raw->packets,
  };

  for (guint i = 0; i < G_N_ELEMENTS (strings); i++)
    g_free (strings[i]);
}

static void
raw_clear (Raw *raw)
{
  raw_link_clear (&raw->forward);
  raw_link_clear (&raw->reverse);
  g_free (raw->listen);
  g_free (raw->to);
  g_free (raw->blackout);
  g_free (raw->aqm);
  g_free (raw->duration);
  g_free (raw->interval);
  g_free (raw->mark);
  g_strfreev (raw->hops);
  g_strfreev (raw->paths);
}

gboolean
options_parse (Options *self, int *argc, char ***argv, GError **error)
{
  Raw raw = { .seed = 1, .overhead_bytes = -1 };
  GOptionContext *context = context_new (&raw);
  gboolean ok = g_option_context_parse (context, argc, argv, error);

  *self = (Options) { .duration = RC_TIME_NONE };
  topology_init (&self->topology);
  schedule_init (&self->schedule);
  schedule_init (&self->reverse_schedule);
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
  gchar *strings[] = { self->log, self->packets, self->reverse_log, self->reverse_packets };

  schedule_clear (&self->schedule);
  schedule_clear (&self->reverse_schedule);
  for (guint i = 0; i < G_N_ELEMENTS (strings); i++)
    g_free (strings[i]);
}
