/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Exponential jitter, and packets that overtake. */

#include <link/link.h>

#include "claim.h"

#define MBPS UINT64_C (1000000)
#define N_PKTS 20000

static LinkPacket packets[N_PKTS];

/* Sends all packets at equal distances through a link and collects those that come out, in the
 * order in which they do, each at its time: the link says when. */
static guint
pass (Link *link, RcTime spacing, LinkPacket **out)
{
  LinkPacket *packet;
  RcTime now, at;
  guint n = 0;

  for (guint i = 0; i < N_PKTS; i++) {
    packets[i] = (LinkPacket) { .size_bytes = 1250 };
    while ((at = link_next_at (link, i * spacing)) != RC_TIME_NONE && at <= i * spacing)
      if ((packet = link_deliver (link, at))) {
        fail_unless_equals_int64 (packet->deliver_at, at);
        out[n++] = packet;
      }
    fail_unless_equals_int (link_arrive (link, &packets[i], i * spacing), LINK_TAKEN);
  }
  for (now = N_PKTS * spacing; (at = link_next_at (link, now)) != RC_TIME_NONE; now = MAX (now, at))
    while ((packet = link_deliver (link, at)))
      out[n++] = packet;
  return n;
}

CLAIM (test_jitter_with_a_mean_is_exponential)
{
  LinkParams params = { .delay = 50 * RC_MSEC, .jitter_mean = 10 * RC_MSEC };
  gdouble sum = 0, squares = 0, over = 0;
  Link link;

  link_init (&link, &params, 3);
  for (guint i = 0; i < N_PKTS; i++) {  /* far apart: order costs nothing */
    packets[i] = (LinkPacket) { .size_bytes = 100 };
    link_arrive (&link, &packets[i], i * RC_SECOND);
  }
  while (link_deliver (&link, N_PKTS * RC_SECOND));
  for (guint i = 0; i < N_PKTS; i++) {
    gdouble extra_ms = (packets[i].deliver_at - packets[i].arrived_at - params.delay) * 1e-6;

    fail_unless (extra_ms >= 0);
    sum += extra_ms;
    squares += extra_ms * extra_ms;
    over += extra_ms > 30;
  }
  /* Mean m, second moment 2 m^2, share above 3 m: exp (-3) = 4.98 %. Three sigma of 20,000. */
  fail_unless (ABS (sum / N_PKTS - 10) < 0.22, "mean %f ms", sum / N_PKTS);
  fail_unless (ABS (squares / N_PKTS - 200) < 10, "second moment %f", squares / N_PKTS);
  fail_unless (ABS (over / N_PKTS - 0.0498) < 0.005, "%f", over / N_PKTS);
}

CLAIM (test_exponential_jitter_keeps_the_order_unless_told_otherwise)
{
  LinkParams params = { .rate_bps = 10 * MBPS, .delay = 25 * RC_MSEC, .jitter_mean = 10 * RC_MSEC };
  LinkPacket **out = g_new0 (LinkPacket *, N_PKTS);
  guint swapped = 0;
  Link link;

  link_init (&link, &params, 1);
  fail_unless_equals_int (pass (&link, 1100 * RC_USEC, out), N_PKTS);
  for (guint i = 0; i < N_PKTS; i++)
    fail_unless (out[i] == &packets[i]);
  params.overtakes = true;
  link_init (&link, &params, 1);
  fail_unless_equals_int (pass (&link, 1100 * RC_USEC, out), N_PKTS);
  for (guint i = 1; i < N_PKTS; i++) {
    fail_unless (out[i]->deliver_at >= out[i - 1]->deliver_at);
    swapped += out[i] < out[i - 1];
  }
  fail_unless (swapped > N_PKTS / 4, "%u", swapped);
  g_free (out);
}

/* The order that is kept delays packets; those that overtake have each their own jitter, in both
 * cases of the same draws. */
CLAIM (test_order_is_the_running_maximum_of_the_same_jitter)
{
  LinkParams params = { .rate_bps = 10 * MBPS, .jitter_sd = 5 * RC_MSEC, .overtakes = true };
  LinkPacket **out = g_new0 (LinkPacket *, N_PKTS);
  RcTime *own = g_new0 (RcTime, N_PKTS), latest = 0;
  Link link;

  link_init (&link, &params, 7);
  pass (&link, RC_MSEC, out);
  for (guint i = 0; i < N_PKTS; i++) {
    own[i] = packets[i].deliver_at;
    fail_unless (own[i] <= (i + 1) * RC_MSEC + 15 * RC_MSEC, "sooner than 3 sd");
  }
  params.overtakes = false;
  link_init (&link, &params, 7);
  pass (&link, RC_MSEC, out);
  for (guint i = 0; i < N_PKTS; i++) {
    latest = MAX (latest, own[i]);
    fail_unless_equals_int64 (packets[i].deliver_at, latest);
  }
  g_free (own);
  g_free (out);
}

CLAIM (test_a_shorter_route_overtakes_where_packets_may)
{
  LinkParams params = { .rate_bps = MBPS, .delay = 100 * RC_MSEC, .overtakes = true };
  LinkPacket old = { .size_bytes = 1250 }, new = { .size_bytes = 1250 };
  Link link;

  link_init (&link, &params, 1);
  link_arrive (&link, &old, 0);
  fail_unless (link_deliver (&link, 10 * RC_MSEC) == NULL);
  params.delay = 20 * RC_MSEC;
  link_set_params (&link, &params, 10 * RC_MSEC);
  link_arrive (&link, &new, 10 * RC_MSEC);
  /* The new one is still in service. */
  fail_unless_equals_int64 (link_next_at (&link, 10 * RC_MSEC), 40 * RC_MSEC);
  fail_unless (link_deliver (&link, 40 * RC_MSEC) == &new);
  fail_unless (link_deliver (&link, 109 * RC_MSEC) == NULL);
  fail_unless (link_deliver (&link, 110 * RC_MSEC) == &old);
}
