/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "live.h"

#include <string.h>
#include <sys/resource.h>

#define FIRST_PORT 25000
#define FIRST_HOST_PORT 26000
#define SAMPLE_US 5000

typedef struct
{
  const LiveSetup *setup;
  GstElement *relay;
  GstElement *senders[LIVE_MAX_FLOWS], *receivers[LIVE_MAX_FLOWS];
  guint64 lost_pkts;            /* of senders that have left */
} Live;

static guint64
stat_of (GstElement * element, const gchar * name)
{
  GstStructure *stats;
  guint64 value = 0;
  guint small;

  g_object_get (element, "stats", &stats, NULL);
  if (!gst_structure_get_uint64 (stats, name, &value) && gst_structure_get_uint (stats, name, &small))
    value = small;
  gst_structure_free (stats);
  return value;
}

static guint64
sink_stat (GstElement * pipeline, const gchar * name)
{
  GstElement *sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  guint64 value = stat_of (sink, name);

  gst_object_unref (sink);
  return value;
}

static GstElement *
launch (const gchar * format, ...)
{
  GError *error = NULL;
  GstElement *element;
  gchar *line;
  va_list args;

  va_start (args, format);
  line = g_strdup_vprintf (format, args);
  va_end (args);
  element = gst_parse_launch (line, &error);
  if (error)
    g_printerr ("%s: %s\n", line, error->message);
  g_clear_error (&error);
  g_free (line);
  if (element && gst_element_set_state (element, GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE) {
    gst_element_set_state (element, GST_STATE_NULL);
    gst_clear_object (&element);
  }
  return element;
}

static void
stop (GstElement ** element)
{
  if (*element)
    gst_element_set_state (*element, GST_STATE_NULL);
  gst_clear_object (element);
}

/* --- flows --- */

static gboolean
join (Live * self, guint i)
{
  const LiveSetup *setup = self->setup;

  self->senders[i] = launch ("audiotestsrc wave=silence samplesperbuffer=4800 ! "
      "audio/x-raw,format=S16BE,rate=48000,channels=2 ! rtpL16pay mtu=1200 ! rmcsink name=sink sync=false async=false "
      "host=127.0.0.1 port=%u congestion-control=%s max-bitrate=%" G_GUINT64_FORMAT " min-bitrate=100000 "
      "start-bitrate=500000 %s", FIRST_PORT + i, setup->law, setup->capacity_bps, setup->sender);
  return self->senders[i] != NULL;
}

static void
leave (Live * self, guint i)
{
  self->lost_pkts += sink_stat (self->senders[i], "packets-lost");
  stop (&self->senders[i]);
}

static guint64
lost_pkts (const Live * self)
{
  guint64 lost = self->lost_pkts;

  for (guint i = 0; i < self->setup->n; i++)
    if (self->senders[i])
      lost += sink_stat (self->senders[i], "packets-lost");
  return lost;
}

static gboolean
start (Live * self)
{
  const LiveSetup *setup = self->setup;

  self->relay = launch ("rcprelay address=127.0.0.1 port=%u n-ports=%u host=127.0.0.1 host-port=%u "
      "capacity=%" G_GUINT64_FORMAT " algorithm=%s %s", FIRST_PORT, setup->n, FIRST_HOST_PORT, setup->capacity_bps,
      setup->law, setup->relay);
  if (!self->relay)
    return FALSE;
  for (guint i = 0; i < setup->n; i++) {
    self->receivers[i] = launch ("arcsrc address=127.0.0.1 port=%u caps=application/x-rtp ! fakesink sync=false",
        FIRST_HOST_PORT + i);
    if (!self->receivers[i])
      return FALSE;
  }
  return TRUE;
}

/* --- figures --- */

static LiveFigures
measure (Live * self, guint n)
{
  guint64 sent[LIVE_MAX_FLOWS], out = stat_of (self->relay, "bytes-out");
  LiveFigures f = {.dropped_pkts = stat_of (self->relay, "packets-dropped"),.lost_pkts = lost_pkts (self) };
  gint64 began = g_get_monotonic_time (), ended = began + self->setup->steady / 1000;
  gdouble sum = 0, squares = 0, span;

  for (guint i = 0; i < n; i++)
    sent[i] = sink_stat (self->senders[i], "bytes-sent");
  while (g_get_monotonic_time () < ended) {
    f.queue_pkts = MAX (f.queue_pkts, (guint) stat_of (self->relay, "queue-packets"));
    g_usleep (SAMPLE_US);
  }
  span = (g_get_monotonic_time () - began) / 1e6;
  f.least_bps = G_MAXDOUBLE;
  for (guint i = 0; i < n; i++) {
    gdouble bps = (sink_stat (self->senders[i], "bytes-sent") - sent[i]) * 8 / span;

    sum += bps;
    squares += bps * bps;
    f.least_bps = MIN (f.least_bps, bps);
    f.most_bps = MAX (f.most_bps, bps);
  }
  f.jain_ratio = sum * sum / (n * squares);
  f.utilisation_ratio = (stat_of (self->relay, "bytes-out") - out) * 8 / span / self->setup->capacity_bps;
  f.dropped_pkts = stat_of (self->relay, "packets-dropped") - f.dropped_pkts;
  f.lost_pkts = lost_pkts (self) - f.lost_pkts;
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
    g_usleep (setup->spacing / 1000);
  }
  g_usleep (setup->settle / 1000);
  result->all = measure (self, setup->n);
  for (guint i = 1; i < setup->n; i++) {
    leave (self, i);
    g_usleep (setup->spacing / 1000);
  }
  g_usleep (setup->settle / 1000);
  result->one = measure (self, 1);
  result->most_queue_pkts = (guint) stat_of (self->relay, "max-queue-packets");
  result->dropped_pkts = stat_of (self->relay, "packets-dropped");
  result->stamped_pkts = stat_of (self->relay, "packets-stamped");
  result->feedback_pkts = stat_of (self->relay, "feedback-packets");
  result->lost_pkts = lost_pkts (self);
  return TRUE;
}

gboolean
live_run (const LiveSetup * setup, LiveResult * result)
{
  Live live = {.setup = setup };
  gint64 began = g_get_monotonic_time ();
  gdouble cpu = cpu_s ();
  gboolean ok;

  memset (result, 0, sizeof *result);
  ok = start (&live) && play (&live, result);
  result->cpu_ratio = (cpu_s () - cpu) / ((g_get_monotonic_time () - began) / 1e6);
  for (guint i = 0; i < setup->n; i++) {
    stop (&live.senders[i]);
    stop (&live.receivers[i]);
  }
  stop (&live.relay);
  return ok;
}
