/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* rcp-gigabit JOINS|CROWD|MICE CAPACITY LAW RTT FLOWS SECONDS: the paper's Linux experiments at
 * 1 Gbit/s. The router is rcprelay's. Senders and sink are light, since 80 000 packets a second
 * through rmcsinks and arcsrcs need more than a machine of two cores has: packets of 1500 bytes
 * leave in trains (UDP_SEGMENT), x follows R by eq. 2 or 19, and the sink reports R each 10 ms.
 * Reports wait for RTT ms before the sender hears them, in place of a delay of the path. The law
 * piqi-rcp-rtt is PIQI-RCP with one step of eq. 19 each RTT instead of each T.
 *
 * Joins, crowd, mice and the rows are those of rcp-live-figures; the last line is the CPU time of
 * the relay's thread as a share of a core. */
#include "flows.h"
#include "relayload.h"
#include "rtp/ratestamp.h"
#include "rcprelay/relay.h"

#include <rc/law/rcp_source.h>

#include <errno.h>
#include <math.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define MAX_FLOWS 64
#define RELAY_PORT 25200
#define HOST_PORT 26200
#define TICK_US 100
#define LISTEN_US 1000
#define REPORT_US 10000         /* T */
#define ROW_US 20000
#define PACKET_BYTES 1500       /* with the headers of IPv4 */
#define MAX_CREDIT_US 2000      /* what a sender that woke late makes up for */
#define START_BPS 500e3
#define TAU1 0.01
#define TAU2 0.1
#define PACING_PRIORITY 10
#define MAX_QUEUE (2 * RC_SECOND)
#define MICE_APART_S 0.2
#define MOUSE_MEAN_PKTS 100
#define MOUSE_SHAPE 1.4
#define SEED 1
#define MAX_HEARD 16            /* reports that wait: RTT / T and some */

typedef struct
{
  gint64 due_us;
  gdouble bps;
} Report;

typedef struct
{
  int fd;
  gint64 start_us, stop_us;     /* since the beginning */
  gdouble left_pkts;
  gdouble x_bps, explicit_bps;  /* x; R as heard last, 0: never */
  gdouble credit_bytes;
  guint64 sent_bytes;           /* atomic by its size: the sampler reads it */
  Report reports[MAX_HEARD];
  guint first, n_reports;
} Flow;

typedef struct
{
  gboolean piqi;
  gint64 rtt_us, step_us, began_us, end_us;     /* step: of eq. 19 */
  Flow flows[MAX_FLOWS];
  guint n;
  guint8 *train;
  Relay *relay;
  gint ends;                    /* atomic: the threads shall end */
} Stage;

static gint64
elapsed_us (const Stage * self)
{
  return g_get_monotonic_time () - self->began_us;
}

/* The thread runs as soon as it wakes, where that is permitted. */
static void
hurry (void)
{
  struct sched_param param = {.sched_priority = PACING_PRIORITY };

  pthread_setschedparam (pthread_self (), SCHED_RR, &param);
}

/* --- senders --- */

static void
hear (const Stage * self, Flow * flow, gdouble bps)
{
  gdouble before = flow->explicit_bps > 0 ? flow->explicit_bps : bps;

  flow->explicit_bps = bps;
  flow->x_bps = self->piqi ? rc_piqircp_source (flow->x_bps, bps, before, 0, TAU1, TAU2) : bps;
}

static void
listen_to_reports (const Stage * self, Flow * flow, gint64 now_us)
{
  guint32 kbps;

  while (flow->n_reports < MAX_HEARD
      && recv (flow->fd, &kbps, sizeof kbps, MSG_DONTWAIT) == sizeof kbps)
    flow->reports[(flow->first + flow->n_reports++) % MAX_HEARD] =
        (Report) { now_us + self->rtt_us, g_ntohl (kbps) * 1e3 };
}

static void
send_train (const Stage * self, Flow * flow)
{
  gdouble pkts = floor (MIN (flow->credit_bytes / PACKET_BYTES, flow->left_pkts));
  gsize n = (gsize) MIN (pkts, RELAY_LOAD_MAX_TRAIN);

  if (n == 0 || send (flow->fd, self->train, n * RELAY_LOAD_PACKET_BYTES, 0) < 0)
    return;
  flow->credit_bytes -= (gdouble) n * PACKET_BYTES;
  flow->left_pkts -= (gdouble) n;
  flow->sent_bytes += n * PACKET_BYTES;
}

static void
advance (const Stage * self, Flow * flow, gint64 now_us, gint64 span_us)
{
  gdouble most;

  while (flow->n_reports > 0 && flow->reports[flow->first].due_us <= now_us) {
    hear (self, flow, flow->reports[flow->first].bps);
    flow->first = (flow->first + 1) % MAX_HEARD;
    flow->n_reports--;
  }
  if (self->piqi && flow->explicit_bps > 0)
    flow->x_bps = rc_piqircp_source (flow->x_bps, flow->explicit_bps, flow->explicit_bps,
        (gdouble) span_us / (gdouble) self->step_us, TAU1, 0);
  most = MAX (flow->x_bps / 8e6 * MAX_CREDIT_US, PACKET_BYTES);
  flow->credit_bytes = MIN (flow->credit_bytes + flow->x_bps / 8e6 * (gdouble) span_us, most);
  send_train (self, flow);
}

static gpointer
send_flows (gpointer data)
{
  Stage *self = data;
  gint64 before_us = elapsed_us (self), listened_us = 0;

  hurry ();
  while (!g_atomic_int_get (&self->ends)) {
    gint64 now_us = elapsed_us (self);
    gboolean listens = now_us - listened_us >= LISTEN_US;

    for (guint i = 0; i < self->n; i++) {
      Flow *flow = &self->flows[i];

      if (now_us < flow->start_us || now_us >= flow->stop_us || flow->left_pkts < 1)
        continue;
      if (listens)
        listen_to_reports (self, flow, now_us);
      advance (self, flow, now_us, now_us - MAX (before_us, flow->start_us));
    }
    if (listens)
      listened_us = now_us;
    before_us = now_us;
    g_usleep (TICK_US);
  }
  return NULL;
}

/* --- the sink --- */

typedef struct
{
  struct sockaddr_in from;
  guint32 kbps;                 /* 0: nothing came since the last report */
} Source;

static Source *
source_of (Source * sources, guint * n, const struct sockaddr_in *from)
{
  guint i = 0;

  while (i < *n && sources[i].from.sin_port != from->sin_port)
    i++;
  if (i == MAX_FLOWS)
    return NULL;
  if (i == *n)
    sources[(*n)++] = (Source) {.from = *from };
  return &sources[i];
}

static void
report_all (int fd, Source * sources, guint n)
{
  for (guint i = 0; i < n; i++) {
    guint32 kbps = g_htonl (sources[i].kbps);

    if (sources[i].kbps > 0)
      sendto (fd, &kbps, sizeof kbps, 0, (struct sockaddr *) &sources[i].from,
          sizeof sources[i].from);
    sources[i].kbps = 0;
  }
}

/* Of a train the first packet's head is enough. */
static gpointer
drain (gpointer data)
{
  Stage *self = data;
  Source sources[MAX_FLOWS];
  guint8 head[64];
  int fd = relay_load_socket (HOST_PORT, TRUE, TRUE);
  gint64 reported_us = 0;
  guint n = 0;

  hurry ();
  while (!g_atomic_int_get (&self->ends)) {
    struct sockaddr_in from;
    socklen_t length = sizeof from;
    guint8 *stamp;

    while (recvfrom (fd, head, sizeof head, MSG_DONTWAIT | MSG_TRUNC, (struct sockaddr *) &from,
            &length) >= (gssize) sizeof head) {
      Source *source = source_of (sources, &n, &from);

      stamp = head + RELAY_LOAD_STAMP_AT;
      if (source && rate_stamp_bps (stamp) > 0)
        source->kbps = (guint32) (rate_stamp_bps (stamp) / 1000);
      length = sizeof from;
    }
    if (elapsed_us (self) - reported_us >= REPORT_US) {
      report_all (fd, sources, n);
      reported_us = elapsed_us (self);
    }
    g_usleep (TICK_US);
  }
  close (fd);
  return NULL;
}

/* --- what the flows do --- */

static void
plan_joins (Stage * self, gint64 unit_us)
{
  for (guint i = 0; i < self->n; i++)
    self->flows[i].start_us = i * unit_us;
  self->end_us = self->n * unit_us;
}

static void
plan_crowd (Stage * self, gint64 unit_us)
{
  for (guint i = 1; i < self->n; i++) {
    self->flows[i].start_us = unit_us;
    self->flows[i].stop_us = 2 * unit_us;
  }
  self->end_us = 3 * unit_us;
}

static void
plan_mice (Stage * self, gint64 unit_us)
{
  GRand *random = g_rand_new_with_seed (SEED);
  gint64 at_us = unit_us;

  for (guint i = 1; i < self->n; i++) {
    gdouble least = MOUSE_MEAN_PKTS * (MOUSE_SHAPE - 1) / MOUSE_SHAPE;

    self->flows[i].start_us = at_us;
    self->flows[i].left_pkts = ceil (least / pow (1 - g_rand_double (random), 1 / MOUSE_SHAPE));
    at_us += (gint64) (-log (1 - g_rand_double (random)) * MICE_APART_S * G_USEC_PER_SEC);
  }
  self->end_us = 4 * unit_us;
  g_rand_free (random);
}

/* --- the stage --- */

static Relay *
relay_open (const Stage * self, guint64 capacity_bps)
{
  RelayConfig config = {.address = "127.0.0.1",.port = RELAY_PORT,.n_ports = 1,
      .host = "127.0.0.1",.host_port = HOST_PORT,.capacity_bps = capacity_bps,
      .router = RC_ROUTER_PARAMS_DEFAULT,.max_queue_time = MAX_QUEUE,
      .stamp_id = RATE_STAMP_ID,.max_flows = MAX_FLOWS };
  GError *error = NULL;
  Relay *relay;

  if (!self->piqi) {
    config.router.law = RC_ROUTER_RCP;
    config.router.gamma_ratio = 1;
  }
  relay = relay_new (&config, &error);
  if (!relay)
    g_error ("%s", error->message);
  relay_set_priority (relay, PACING_PRIORITY);
  return relay;
}

static void
write_row (const Stage * self)
{
  RelayStats stats;

  relay_get_stats (self->relay, &stats);
  g_print ("%.4f,%u,%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT,
      (gdouble) elapsed_us (self) / 1e6, stats.queue_packets, stats.bytes_in, stats.bytes_out,
      stats.packets_dropped + stats.packets_overflow);
  for (guint i = 0; i < self->n; i++)
    g_print (",%" G_GUINT64_FORMAT, self->flows[i].sent_bytes);
  g_print ("\n");
}

static void
play (Stage * self)
{
  gdouble cpu_s = flows_pacing_cpu_s ();
  GThread *sink, *sender;

  self->began_us = g_get_monotonic_time ();
  sink = g_thread_new ("sink", drain, self);
  sender = g_thread_new ("sender", send_flows, self);
  while (elapsed_us (self) < self->end_us) {
    write_row (self);
    g_usleep (ROW_US);
  }
  g_atomic_int_set (&self->ends, TRUE);
  g_thread_join (sender);
  g_thread_join (sink);
  g_print ("# relay: %.1f %% of a core\n",
      (flows_pacing_cpu_s () - cpu_s) * 1e8 / (gdouble) elapsed_us (self));
}

int
main (int argc, char **argv)
{
  Stage stage = { 0 };
  gint64 unit_us;

  gst_init (&argc, &argv);
  if (argc != 7) {
    g_printerr ("usage: rcp-gigabit joins|crowd|mice CAPACITY rcp|piqi-rcp|piqi-rcp-rtt RTT "
        "FLOWS SECONDS\n");
    return 2;
  }
  stage.piqi = g_str_has_prefix (argv[3], "piqi-rcp");
  stage.rtt_us = atoi (argv[4]) * 1000;
  stage.step_us = g_str_has_suffix (argv[3], "-rtt") ? stage.rtt_us : REPORT_US;
  stage.n = (guint) CLAMP (atoi (argv[5]), 1, MAX_FLOWS);
  unit_us = atoi (argv[6]) * G_USEC_PER_SEC;
  stage.relay = relay_open (&stage, g_ascii_strtoull (argv[2], NULL, 10));
  stage.train = relay_load_train ((stage.rtt_us + REPORT_US) * RC_USEC);
  for (guint i = 0; i < stage.n; i++)
    stage.flows[i] = (Flow) {.fd = relay_load_socket (RELAY_PORT, FALSE, TRUE),
        .stop_us = G_MAXINT64,.left_pkts = HUGE_VAL,.x_bps = START_BPS,
        .credit_bytes = PACKET_BYTES };
  if (g_str_equal (argv[1], "joins"))
    plan_joins (&stage, unit_us);
  else if (g_str_equal (argv[1], "crowd"))
    plan_crowd (&stage, unit_us);
  else
    plan_mice (&stage, unit_us);
  play (&stage);
  relay_free (stage.relay);
  for (guint i = 0; i < stage.n; i++)
    close (stage.flows[i].fd);
  g_free (stage.train);
  return 0;
}
