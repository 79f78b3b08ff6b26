/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* rcp-live-figures JOINS|RELAYS|CROWD|MICE CAPACITY[,SECOND] LAW RELAY-PROPERTIES
 * SENDER-PROPERTIES SEND-PORT FLOWS SECONDS [AFTER]: the paper's Linux experiments, with rmcsinks,
 * rcprelay and arcsrcs on loopback. Flow i sends to SEND-PORT + i, where something delays it and
 * passes it on to the relay (0: to the relay itself). With a SECOND capacity all flows but the
 * first one go through a second relay behind the first.
 *
 *   joins  the flows come one by one, SECONDS apart, and stay AFTER (SECONDS) after the last one
 *   relays one flow; after SECONDS all others come at once; all stay AFTER
 *   crowd  one flow; after SECONDS all others come at once; after twice SECONDS they go at once
 *   mice   one flow; after SECONDS others come, 0.2 s apart in the mean (Poisson), with 100 packets
 *          in the mean (Pareto, 1.4), for thrice SECONDS. They are prepared before, too
 *
 * One row each 20 ms, from a thread of its own, since it takes a while to start and to stop flows:
 * s, packets in the queue, bytes into and out of the relay, packets dropped, bytes of each flow;
 * with a second relay, packets in its queue and dropped there. */
#include "flows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_FLOWS 64
#define RELAY_PORT 25000
#define HOST_PORT 26000         /* + 1: of the second relay, if there is one */
#define SECOND_HOST_PORT 28000
#define ROW_US 20000
#define MICE_APART_S 0.2
#define MOUSE_MEAN_PKTS 100
#define MOUSE_SHAPE 1.4
#define BUFFER_PKTS 16          /* of 1200 bytes in one buffer of the source */
#define SEED 1

typedef struct
{
  guint64 capacity_bps, second_bps;     /* second_bps 0: there is no second relay */
  const gchar *law, *relay_properties, *sender_properties;
  guint send_port, n;
  gint64 unit_us, after_us;

  GstElement *relay, *second, *receivers[MAX_FLOWS];
  gint64 began;
  GThread *sampler;
  gint ends;                    /* atomic: the sampler shall end */
  GMutex lock;                  /* of senders */
  GstElement *senders[MAX_FLOWS];       /* NULL before it joins and after it leaves */
} Stage;

/* --- rows --- */

static void
write_row (Stage * self)
{
  GstStructure *stats;
  guint64 in = 0, out = 0, dropped = 0;
  gint64 now = g_get_monotonic_time ();
  guint queue = 0;

  g_object_get (self->relay, "stats", &stats, NULL);
  gst_structure_get (stats, "bytes-in", G_TYPE_UINT64, &in, "bytes-out", G_TYPE_UINT64, &out,
      "packets-dropped", G_TYPE_UINT64, &dropped, "queue-packets", G_TYPE_UINT, &queue, NULL);
  gst_structure_free (stats);
  g_print ("%.4f,%u,%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT,
      (now - self->began) / 1e6, queue, in, out, dropped);
  g_mutex_lock (&self->lock);
  for (guint i = 0; i < self->n; i++)
    g_print (",%" G_GUINT64_FORMAT,
        self->senders[i] ? flows_sink_stat (self->senders[i], "bytes-sent") : 0);
  g_mutex_unlock (&self->lock);
  if (self->second)
    g_print (",%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT,
        flows_stat (self->second, "queue-packets"), flows_stat (self->second, "packets-dropped"));
  g_print ("\n");
}

static gpointer
sample (gpointer data)
{
  Stage *self = data;
  gint64 row_at = self->began;

  while (!g_atomic_int_get (&self->ends)) {
    gint64 wait = row_at - g_get_monotonic_time ();

    if (wait > 0)
      g_usleep ((gulong) wait);
    write_row (self);
    row_at = g_get_monotonic_time () + ROW_US;
  }
  return NULL;
}

/* --- flows --- */

static GstElement *
prepare (const Stage * self, guint i, guint buffers)
{
  return flows_prepare ("audiotestsrc wave=silence samplesperbuffer=4800 num-buffers=%d "
      "! audio/x-raw,format=S16BE,rate=48000,channels=2 ! rtpL16pay mtu=1200 ! rmcsink name=sink "
      "sync=false async=false host=127.0.0.1 port=%u congestion-control=%s max-bitrate=%"
      G_GUINT64_FORMAT " min-bitrate=100000 start-bitrate=500000 %s",
      buffers > 0 ? (gint) buffers : -1, (self->send_port ? self->send_port : RELAY_PORT) + i,
      self->law, self->capacity_bps, self->sender_properties);
}

/* It is in the rows only once it plays: the state change keeps its statistics waiting. */
static gboolean
enter (Stage * self, guint i, GstElement * sender)
{
  if (!flows_play (&sender))
    return FALSE;
  g_mutex_lock (&self->lock);
  self->senders[i] = sender;
  g_mutex_unlock (&self->lock);
  return TRUE;
}

static gboolean
join (Stage * self, guint i, guint buffers)
{
  return enter (self, i, prepare (self, i, buffers));
}

static void
leave (Stage * self, guint i)
{
  GstElement *sender;

  g_mutex_lock (&self->lock);
  sender = g_steal_pointer (&self->senders[i]);
  g_mutex_unlock (&self->lock);
  flows_stop (&sender);
}

static void
pass_until (const Stage * self, gint64 end_us)
{
  gint64 wait = end_us - (g_get_monotonic_time () - self->began);

  if (wait > 0)
    g_usleep ((gulong) wait);
}

/* --- what the flows do --- */

static gboolean
play_joins (Stage * self)
{
  for (guint i = 0; i < self->n; i++) {
    pass_until (self, i * self->unit_us);
    if (!join (self, i, 0))
      return FALSE;
  }
  pass_until (self, (self->n - 1) * self->unit_us + self->after_us);
  return TRUE;
}

/* What takes long is done before: they come at once. */
static gboolean
join_at_once (Stage * self)
{
  GstElement *crowd[MAX_FLOWS] = { NULL };
  gboolean ok = join (self, 0, 0);

  for (guint i = 1; i < self->n; i++)
    crowd[i] = prepare (self, i, 0);
  pass_until (self, self->unit_us);
  for (guint i = 1; i < self->n; i++)
    ok &= enter (self, i, crowd[i]);
  return ok;
}

static gboolean
play_relays (Stage * self)
{
  gboolean ok = join_at_once (self);

  pass_until (self, self->unit_us + self->after_us);
  return ok;
}

static gboolean
play_crowd (Stage * self)
{
  gboolean ok = join_at_once (self);

  pass_until (self, 2 * self->unit_us);
  for (guint i = 1; i < self->n; i++)
    leave (self, i);
  pass_until (self, 3 * self->unit_us);
  return ok;
}

static gboolean
play_mice (Stage * self)
{
  GRand *random = g_rand_new_with_seed (SEED);
  gint64 at_us[MAX_FLOWS], next_us = self->unit_us;
  GstElement *mice[MAX_FLOWS] = { NULL };
  gboolean ok = join (self, 0, 0);

  for (guint i = 1; i < self->n; i++) {
    gdouble least = MOUSE_MEAN_PKTS * (MOUSE_SHAPE - 1) / MOUSE_SHAPE;
    gdouble pkts = least / pow (1 - g_rand_double (random), 1 / MOUSE_SHAPE);

    mice[i] = prepare (self, i, (guint) (pkts / BUFFER_PKTS) + 1);
    at_us[i] = next_us;
    next_us += (gint64) (-log (1 - g_rand_double (random)) * MICE_APART_S * G_USEC_PER_SEC);
  }
  for (guint i = 1; i < self->n; i++) {
    if (ok && at_us[i] < 4 * self->unit_us) {
      pass_until (self, at_us[i]);
      ok = enter (self, i, g_steal_pointer (&mice[i]));
    }
    flows_stop (&mice[i]);
  }
  pass_until (self, 4 * self->unit_us);
  g_rand_free (random);
  return ok;
}

/* --- the stage --- */

static GstElement *
relay_open (const Stage * self, guint port, guint n, guint host_port, guint64 capacity_bps)
{
  return flows_launch ("rcprelay address=127.0.0.1 port=%u n-ports=%u host=127.0.0.1 host-port=%u "
      "capacity=%" G_GUINT64_FORMAT " algorithm=%s %s", port, n, host_port, capacity_bps,
      self->law, self->relay_properties);
}

static gboolean
stage_open (Stage * self)
{
  gboolean ok;

  self->relay = relay_open (self, RELAY_PORT, self->n, HOST_PORT, self->capacity_bps);
  if (self->second_bps > 0)
    self->second = relay_open (self, HOST_PORT + 1, self->n - 1, SECOND_HOST_PORT + 1,
        self->second_bps);
  ok = self->relay && (self->second || self->second_bps == 0);
  for (guint i = 0; ok && i < self->n; i++)
    ok = (self->receivers[i] = flows_receiver ((i > 0
                && self->second ? SECOND_HOST_PORT : HOST_PORT) + i)) != NULL;
  self->began = g_get_monotonic_time ();
  g_mutex_init (&self->lock);
  if (ok)
    self->sampler = g_thread_new ("sampler", sample, self);
  return ok;
}

static void
stage_close (Stage * self)
{
  g_atomic_int_set (&self->ends, TRUE);
  g_clear_pointer (&self->sampler, g_thread_join);
  for (guint i = 0; i < self->n; i++) {
    leave (self, i);
    flows_stop (&self->receivers[i]);
  }
  flows_stop (&self->relay);
  flows_stop (&self->second);
  g_mutex_clear (&self->lock);
}

int
main (int argc, char **argv)
{
  Stage stage = { 0 };
  gchar *rest;
  gboolean ok;

  gst_init (&argc, &argv);
  if (argc != 9 && argc != 10) {
    g_printerr ("usage: rcp-live-figures joins|relays|crowd|mice CAPACITY[,SECOND] LAW "
        "RELAY-PROPERTIES SENDER-PROPERTIES SEND-PORT FLOWS SECONDS [AFTER]\n");
    return 2;
  }
  stage.capacity_bps = g_ascii_strtoull (argv[2], &rest, 10);
  if (*rest == ',')
    stage.second_bps = g_ascii_strtoull (rest + 1, NULL, 10);
  stage.law = argv[3];
  stage.relay_properties = argv[4];
  stage.sender_properties = argv[5];
  stage.send_port = (guint) atoi (argv[6]);
  stage.n = (guint) CLAMP (atoi (argv[7]), 1, MAX_FLOWS);
  stage.unit_us = atoi (argv[8]) * G_USEC_PER_SEC;
  stage.after_us = argc > 9 ? atoi (argv[9]) * G_USEC_PER_SEC : stage.unit_us;
  ok = stage_open (&stage);
  if (ok && g_str_equal (argv[1], "joins"))
    ok = play_joins (&stage);
  else if (ok && g_str_equal (argv[1], "relays"))
    ok = play_relays (&stage);
  else if (ok && g_str_equal (argv[1], "crowd"))
    ok = play_crowd (&stage);
  else if (ok)
    ok = play_mice (&stage);
  stage_close (&stage);
  return ok ? 0 : 1;
}
