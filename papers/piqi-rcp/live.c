/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "live.h"

#include "flows.h"

#include <string.h>
#include <sys/resource.h>

#define FIRST_HOST_PORT 26000
#define SAMPLE_US 5000
#define ROW_US 200000
#define QUEUE_BINS 4096         /* of one packet; the last for all above */

typedef struct
{
  const LiveSetup *setup;
  GstElement *relay;
  GstElement *senders[LIVE_MAX_FLOWS], *receivers[LIVE_MAX_FLOWS];
  guint64 lost_pkts;            /* of senders that have left */
  gint64 began, row_at;         /* us; of the last row */
  guint64 row_bytes[LIVE_MAX_FLOWS];    /* sent until then */
} Live;

/* --- flows --- */

static gboolean
join (Live * self, guint i)
{
  const LiveSetup *setup = self->setup;

  self->senders[i] = flows_sender ((setup->send_port ? setup->send_port : LIVE_FIRST_PORT) + i,
      setup->law, setup->capacity_bps, setup->sender);
  return self->senders[i] != NULL;
}

static void
leave (Live * self, guint i)
{
  self->lost_pkts += flows_sink_stat (self->senders[i], "packets-lost");
  flows_stop (&self->senders[i]);
}

static guint64
lost_pkts (const Live * self)
{
  guint64 lost = self->lost_pkts;

  for (guint i = 0; i < self->setup->n; i++)
    if (self->senders[i])
      lost += flows_sink_stat (self->senders[i], "packets-lost");
  return lost;
}

static gboolean
start (Live * self)
{
  const LiveSetup *setup = self->setup;

  /* ARC pays no attention to stamps. */
  self->relay = flows_launch ("rcprelay address=127.0.0.1 port=%u "
      "n-ports=%u host=127.0.0.1 host-port=%u capacity=%" G_GUINT64_FORMAT " algorithm=%s %s",
      LIVE_FIRST_PORT, setup->n, FIRST_HOST_PORT, setup->capacity_bps,
      g_str_equal (setup->law, "arc") ? "piqi-rcp" : setup->law, setup->relay);
  if (!self->relay)
    return FALSE;
  for (guint i = 0; i < setup->n; i++) {
    self->receivers[i] = flows_receiver (FIRST_HOST_PORT + i);
    if (!self->receivers[i])
      return FALSE;
  }
  return TRUE;
}

/* --- rows --- */

static void
write_row (Live * self, gint64 now)
{
  FILE *csv = self->setup->csv;

  fprintf (csv, "%.2f,%" G_GUINT64_FORMAT, (gdouble) (now - self->began) / G_USEC_PER_SEC,
      flows_stat (self->relay, "queue-packets"));
  for (guint i = 0; i < self->setup->n; i++) {
    guint64 bytes = self->senders[i] ? flows_sink_stat (self->senders[i], "bytes-sent") : 0;

    fprintf (csv, ",%.0f", bytes > self->row_bytes[i]
        ? (bytes - self->row_bytes[i]) * 8e6 / (now - self->row_at) : 0.0);
    self->row_bytes[i] = bytes;
  }
  fputc ('\n', csv);
  self->row_at = now;
}

static void
sample (Live * self)
{
  gint64 now = g_get_monotonic_time ();

  if (self->setup->csv && now - self->row_at >= ROW_US)
    write_row (self, now);
  g_usleep (SAMPLE_US);
}

static void
pass (Live * self, GstClockTime time)
{
  gint64 end = g_get_monotonic_time () + (gint64) time / 1000;

  while (g_get_monotonic_time () < end)
    sample (self);
}

/* --- figures --- */

typedef struct
{
  guint bins[QUEUE_BINS], n, most;
  gdouble sum;
} Queue;

static void
note_queue (Queue * self, guint pkts)
{
  self->bins[MIN (pkts, QUEUE_BINS - 1)]++;
  self->n++;
  self->sum += pkts;
  self->most = MAX (self->most, pkts);
}

static guint
quantile (const Queue * self, gdouble part)
{
  guint i = 0, n = self->bins[0];

  while (n < part * self->n && i < QUEUE_BINS - 1)
    n += self->bins[++i];
  return i;
}

static LiveFigures
measure (Live * self, guint n)
{
  Queue *queue = g_new0 (Queue, 1);
  guint64 sent[LIVE_MAX_FLOWS], out = flows_stat (self->relay, "bytes-out");
  LiveFigures f = {.dropped_pkts = flows_stat (self->relay, "packets-dropped"),
      .lost_pkts = lost_pkts (self) };
  gint64 began = g_get_monotonic_time (), ended = began + self->setup->steady / 1000;
  gdouble sum = 0, squares = 0, span;

  for (guint i = 0; i < n; i++)
    sent[i] = flows_sink_stat (self->senders[i], "bytes-sent");
  while (g_get_monotonic_time () < ended) {
    note_queue (queue, (guint) flows_stat (self->relay, "queue-packets"));
    sample (self);
  }
  span = (g_get_monotonic_time () - began) / 1e6;
  f.least_bps = G_MAXDOUBLE;
  for (guint i = 0; i < n; i++) {
    gdouble bps = (flows_sink_stat (self->senders[i], "bytes-sent") - sent[i]) * 8 / span;

    sum += bps;
    squares += bps * bps;
    f.least_bps = MIN (f.least_bps, bps);
    f.most_bps = MAX (f.most_bps, bps);
  }
  f.jain_ratio = sum * sum / (n * squares);
  f.utilisation_ratio = (flows_stat (self->relay,
          "bytes-out") - out) * 8 / span / self->setup->capacity_bps;
  f.dropped_pkts = flows_stat (self->relay, "packets-dropped") - f.dropped_pkts;
  f.lost_pkts = lost_pkts (self) - f.lost_pkts;
  f.queue_p50_pkts = quantile (queue, 0.5);
  f.queue_p99_pkts = quantile (queue, 0.99);
  f.queue_pkts = queue->most;
  f.mean_queue_pkts = queue->sum / MAX (queue->n, 1);
  g_free (queue);
  return f;
}

static gdouble
cpu_s (void)
{
  struct rusage u;

  getrusage (RUSAGE_SELF, &u);
  return u.ru_utime.tv_sec + u.ru_stime.tv_sec + (u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

static gboolean
play (Live * self, LiveResult * result)
{
  const LiveSetup *setup = self->setup;

  for (guint i = 0; i < setup->n; i++) {
    if (!join (self, i))
      return FALSE;
    pass (self, setup->spacing);
  }
  pass (self, setup->settle);
  result->all = measure (self, setup->n);
  for (guint i = 1; i < setup->n; i++) {
    leave (self, i);
    pass (self, setup->spacing);
  }
  pass (self, setup->settle);
  result->one = measure (self, 1);
  result->most_queue_pkts = (guint) flows_stat (self->relay, "max-queue-packets");
  result->dropped_pkts = flows_stat (self->relay, "packets-dropped");
  result->stamped_pkts = flows_stat (self->relay, "packets-stamped");
  result->feedback_pkts = flows_stat (self->relay, "feedback-packets");
  result->lost_pkts = lost_pkts (self);
  return TRUE;
}

gboolean
live_run (const LiveSetup * setup, LiveResult * result)
{
  Live live = {.setup = setup,.began = g_get_monotonic_time () };
  gdouble cpu = cpu_s ();
  gboolean ok;

  memset (result, 0, sizeof *result);
  ok = start (&live) && play (&live, result);
  result->cpu_ratio = (cpu_s () - cpu) / ((g_get_monotonic_time () - live.began) / 1e6);
  for (guint i = 0; i < setup->n; i++) {
    flows_stop (&live.senders[i]);
    flows_stop (&live.receivers[i]);
  }
  flows_stop (&live.relay);
  return ok;
}
