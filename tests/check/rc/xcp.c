/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* XCP of papers/piqi-rcp, a peer of the paper: what its own paper says of it must hold here. */

#include <math.h>
#include <xcp.h>

#include "claim.h"

#define CAPACITY_BPS 20000000
#define PACKET 1000
#define STEP RC_MSEC
#define MOST_FLOWS 5
#define MOST_DELAY 400          /* steps */

typedef struct
{
  guint rtt_steps;
  double cwnd_bytes, owed_bytes;
  double coming[MOST_DELAY];    /* feedback, by when it comes */
} Flow;

typedef struct
{
  XcpRouter router;
  Flow flows[MOST_FLOWS];
  guint n, now;
  RcTime update_at;
  double queue_bytes, served_bytes, most_queue_bytes;
} Net;

/* What one flow sends in a step comes back a round trip later, and the queue's time after. */
static void
send (Net * net, Flow * flow)
{
  double queue_s = net->queue_bytes * 8 / CAPACITY_BPS;
  guint rtt = MIN (flow->rtt_steps + (guint) (queue_s * 1000), MOST_DELAY - 1);

  flow->owed_bytes += flow->cwnd_bytes / rtt;
  for (; flow->owed_bytes >= PACKET; flow->owed_bytes -= PACKET) {
    XcpHeader header = { flow->cwnd_bytes, rtt / 1e3, HUGE_VAL };

    xcp_router_on_arrival (&net->router, PACKET, &header, (guint64) net->queue_bytes);
    xcp_router_stamp (&net->router, PACKET, &header);
    net->queue_bytes += PACKET;
    flow->coming[(net->now + rtt) % MOST_DELAY] += header.feedback_bytes;
  }
}

static void
run (Net * net, guint seconds)
{
  for (guint end = net->now + seconds * 1000; net->now < end; net->now++) {
    RcTime now = net->now * STEP;
    double served = MIN (net->queue_bytes, CAPACITY_BPS / 8e3);

    if (now >= net->update_at)
      net->update_at = xcp_router_update (&net->router, now);
    net->queue_bytes -= served;
    net->served_bytes += served;
    for (guint i = 0; i < net->n; i++) {
      Flow *flow = &net->flows[i];
      double *feedback = &flow->coming[net->now % MOST_DELAY];

      flow->cwnd_bytes = xcp_source_window (flow->cwnd_bytes, *feedback, PACKET);
      *feedback = 0;
      send (net, flow);
    }
    net->most_queue_bytes = MAX (net->most_queue_bytes, net->queue_bytes);
  }
}

static void
add (Net * net, guint rtt_ms)
{
  net->flows[net->n++] = (Flow) {.rtt_steps = rtt_ms,.cwnd_bytes = 2 * PACKET };
}

static Net *
net_new (void)
{
  Net *net = g_new0 (Net, 1);

  xcp_router_init (&net->router, CAPACITY_BPS, 0);
  return net;
}

static double
rate_bps (const Flow * flow)
{
  return flow->cwnd_bytes * 8e3 / flow->rtt_steps;
}

CLAIM (test_flows_of_different_round_trips_share_the_link_evenly_and_whole)
{
  Net *net = net_new ();

  for (guint i = 0; i < MOST_FLOWS; i++) {
    add (net, 40 + 40 * i);
    run (net, 10);
  }
  run (net, 30);
  net->served_bytes = net->most_queue_bytes = 0;
  run (net, 10);
  fail_unless (net->served_bytes * 8 / 10 > 0.97 * CAPACITY_BPS, "%f", net->served_bytes);
  for (guint i = 0; i < MOST_FLOWS; i++)
    fail_unless (fabs (rate_bps (&net->flows[i]) * MOST_FLOWS / CAPACITY_BPS - 1) < 0.05, "%u: %f",
        i, rate_bps (&net->flows[i]));
  fail_unless (net->most_queue_bytes < 20 * PACKET, "%f", net->most_queue_bytes);
  g_free (net);
}

CLAIM (test_one_flow_takes_a_free_link_within_ten_round_trips)
{
  Net *net = net_new ();

  add (net, 100);
  run (net, 1);
  net->served_bytes = 0;
  run (net, 1);
  fail_unless (net->served_bytes * 8 > 0.9 * CAPACITY_BPS, "%f", net->served_bytes);
  g_free (net);
}

CLAIM (test_standing_queue_is_taken_back)
{
  Net *net = net_new ();

  add (net, 80);
  run (net, 10);
  net->queue_bytes = 200 * PACKET;
  run (net, 3);
  fail_unless (net->queue_bytes < 10 * PACKET, "%f", net->queue_bytes);
  g_free (net);
}
