/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The TCP sources of the closed loop behave as TCP is known to: they are what our law is
 * measured against. */

#include "claim.h"
#include "loop.h"
#include "tcp.h"

#define fail_unless_within(x, least, most) \
  G_STMT_START { \
    double x_ = (x); \
    fail_unless (x_ >= (least) && x_ <= (most), "%s is %.4g, not %g to %g", #x, x_, \
        (double) (least), (double) (most)); \
  } G_STMT_END

static void
tcp_loop (LoopConfig * config, guint64 rate_bps, RcTime queue, guint n_flows, LoopFlowKind kind)
{
  *config = (LoopConfig) {.seed = 1,.n_flows = n_flows,.length = 60 * RC_SECOND };
  config->links[0] = (LinkParams) {.rate_bps = rate_bps,.queue_time = queue };
  for (guint i = 0; i < n_flows; i++)
    config->flows[i] = (LoopFlowConfig) {.kind = kind,.path = 1,.rtt = 50 * RC_MSEC };
}

static const LoopFlowKind kinds[] = {
  LOOP_TCP_RENO, LOOP_TCP_CUBIC, LOOP_TCP_SCALABLE, LOOP_TCP_BBR
};

CLAIMS (test_a_lone_flow_fills_the_link, 3)
{
  static const guint64 rates_bps[] = { 2000000, 10000000, 100000000 };

  for (guint i = 0; i < G_N_ELEMENTS (rates_bps); i++) {
    LoopConfig config;
    Loop *loop;

    tcp_loop (&config, rates_bps[i], 300 * RC_MSEC, 1, kinds[__i__]);
    loop = loop_run (&config);
    fail_unless_within (loop_served_bps (loop, -1, 10, 60) / rates_bps[i], 0.9, 1.001);
    if (rates_bps[i] <= 10000000)       /* above, Reno needs minutes to fill the queue */
      fail_unless_within (loop_queue_ms (loop, 1, 10, 60), 250, 301);
    loop_free (loop);
  }
}

CLAIMS (test_two_flows_share, 2)
{
  LoopConfig config;
  Loop *loop;

  tcp_loop (&config, 10000000, 300 * RC_MSEC, 2, kinds[__i__]);
  config.flows[1].start_at = 5 * RC_SECOND;
  config.length = 200 * RC_SECOND;
  loop = loop_run (&config);
  fail_unless_within (loop_served_bps (loop, -1, 100, 200) / 10e6, 0.9, 1.001);
  fail_unless_within (loop_served_bps (loop, 1, 100, 200) / 5e6, 0.7, 1.3);
  loop_free (loop);
}

CLAIM (test_reno_is_unfair_to_long_paths)
{
  LoopConfig config;
  Loop *loop;
  double ratio;

  tcp_loop (&config, 10000000, 50 * RC_MSEC, 2, LOOP_TCP_RENO);
  config.flows[0].rtt = 20 * RC_MSEC;
  config.flows[1].rtt = 160 * RC_MSEC;
  config.length = 200 * RC_SECOND;
  loop = loop_run (&config);
  ratio = loop_served_bps (loop, 0, 50, 200) / loop_served_bps (loop, 1, 50, 200);
  fail_unless_within (ratio, 2, 30);
  loop_free (loop);
}

/* Marks beyond 5 ms of queue keep a scalable flow near there; Reno falls below and rises above. */
CLAIM (test_a_scalable_flow_holds_the_marking_threshold)
{
  LoopConfig config;
  Loop *loop;

  tcp_loop (&config, 20000000, 300 * RC_MSEC, 1, LOOP_TCP_SCALABLE);
  config.links[0].aqm.mark_delay = 5 * RC_MSEC;
  config.flows[0].ecn = true;
  loop = loop_run (&config);
  fail_unless_within (loop_served_bps (loop, -1, 10, 60) / 20e6, 0.9, 1.001);
  fail_unless_within (loop_queue_ms (loop, 0.95, 10, 60), 2, 15);
  fail_unless_equals_int (loop_drops (loop, 10, 60), 0);
  loop_free (loop);
}

/* DualPI2 (RFC 9332): the scalable flow waits a millisecond, CUBIC some 15, and neither starves. */
CLAIM (test_scalable_and_cubic_share_a_dual_queue)
{
  LoopConfig config;
  Loop *loop;

  tcp_loop (&config, 40000000, RC_SECOND, 2, LOOP_TCP_SCALABLE);
  config.links[0].aqm.dualpi2 = LINK_DUALPI2_RFC9332;
  config.flows[0].ecn = true;
  config.flows[1].kind = LOOP_TCP_CUBIC;
  config.flows[0].rtt = config.flows[1].rtt = 20 * RC_MSEC;
  loop = loop_run (&config);
  fail_unless_within (loop_served_bps (loop, -1, 20, 60) / 40e6, 0.9, 1.001);
  fail_unless_within (loop_served_bps (loop, 0, 20, 60) / 20e6, 0.5, 1.5);
  fail_unless_within (loop_flow_queue_ms (loop, 0, 0.95, 20, 60), 0, 4);
  fail_unless_within (loop_flow_queue_ms (loop, 1, 0.5, 20, 60), 5, 30);
  loop_free (loop);
}

/* PIE (RFC 8033) holds CUBIC near its target of 15 ms where the queue would take a second. */
CLAIM (test_cubic_waits_for_the_target_of_pie)
{
  LoopConfig config;
  Loop *loop;

  tcp_loop (&config, 10000000, RC_SECOND, 1, LOOP_TCP_CUBIC);
  config.links[0].aqm.pie = LINK_PIE_RFC8033;
  loop = loop_run (&config);
  fail_unless_within (loop_served_bps (loop, -1, 10, 60) / 10e6, 0.9, 1.001);
  fail_unless_within (loop_queue_ms (loop, -1, 10, 60), 7, 20);
  fail_unless_within (loop_queue_ms (loop, 0.95, 10, 60), 15, 45);
  loop_free (loop);
}

/* Where a TCP that waits for loss would fill the queue: only its start does, and then each eighth
 * round trip has a quarter of one in the queue for a round trip. */
CLAIMS (test_bbr_fills_the_link_and_not_the_queue, 3)
{
  static const guint64 rates_bps[] = { 2000000, 10000000, 100000000 };
  LoopConfig config;
  Loop *loop;

  tcp_loop (&config, rates_bps[__i__], 300 * RC_MSEC, 1, LOOP_TCP_BBR);
  loop = loop_run (&config);
  fail_unless_within (loop_served_bps (loop, -1, 10, 60) / rates_bps[__i__], 0.95, 1.001);
  fail_unless_within (loop_queue_ms (loop, 1, 0, 5), 50, 200);
  fail_unless_within (loop_queue_ms (loop, 0.5, 10, 60), 0, 1);
  fail_unless_within (loop_queue_ms (loop, 1, 10, 60), 8, 20);
  fail_unless_equals_int (loop_drops (loop, 10, 60), 0);
  loop_free (loop);
}

/* Two of them have a window of two round trips each: one of these waits in the queue. Each ten
 * seconds they look for the least round-trip time, with four segments in flight. */
CLAIM (test_two_bbr_share_and_queue_a_round_trip)
{
  LoopConfig config;
  Loop *loop;

  tcp_loop (&config, 10000000, 300 * RC_MSEC, 2, LOOP_TCP_BBR);
  config.flows[1].start_at = 5 * RC_SECOND;
  config.length = 120 * RC_SECOND;
  loop = loop_run (&config);
  fail_unless_within (loop_served_bps (loop, -1, 30, 120) / 10e6, 0.95, 1.001);
  fail_unless_within (loop_served_bps (loop, 1, 30, 120) / 5e6, 0.8, 1.2);
  fail_unless_within (loop_queue_ms (loop, 0.5, 30, 120), 35, 65);
  for (guint s = 30; s < 110; s++)
    fail_unless_within (loop_queue_ms (loop, 0, s, s + 10.5), 0, 10);
  fail_unless (loop_queue_ms (loop, 0.2, 30, 120) > 20);
  loop_free (loop);
}

/* Its share is known to fall with the queue: it takes most of a shallow one's link, and CUBIC has
 * more in a deep one. */
CLAIM (test_bbr_beside_cubic_depends_on_the_queue)
{
  static const struct
  {
    guint queue_ms;
    double least, most;         /* of fair */
  } rows[] = { {25, 1.6, 1.95}, {50, 1.5, 1.9}, {500, 0.4, 0.95} };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    LoopConfig config;
    Loop *loop;

    tcp_loop (&config, 10000000, rows[i].queue_ms * RC_MSEC, 2, LOOP_TCP_BBR);
    config.flows[1].kind = LOOP_TCP_CUBIC;
    config.flows[1].start_at = 5 * RC_SECOND;
    config.length = 120 * RC_SECOND;
    loop = loop_run (&config);
    fail_unless_within (loop_served_bps (loop, 0, 30, 120) / 5e6, rows[i].least, rows[i].most);
    loop_free (loop);
  }
}

CLAIMS (test_a_short_flow_sends_its_bytes_and_ends, 4)
{
  LoopConfig config;
  Loop *loop;

  tcp_loop (&config, 2000000, 100 * RC_MSEC, 1, kinds[__i__]);
  config.flows[0].tcp_bytes = 1000000;
  loop = loop_run (&config);
  fail_unless_within (loop_served_bps (loop, -1, 0, 60) * 60 / 8, 1.03e6, 1.2e6);
  fail_unless_within (loop_served_bps (loop, -1, 10, 60), 0, 0);
  loop_free (loop);
}

/* --- the sender alone --- */

/* Sends what it may, and acknowledges all but the first `lost` of it 50 ms later. Returns the
 * time then. */
static RcTime
round_trip (Tcp * tcp, guint lost, RcTime now)
{
  guint64 first = tcp->next;

  while (tcp_may_send (tcp))
    tcp_on_sent (tcp, now);
  now += 50 * RC_MSEC;
  for (guint64 i = first + lost; i < tcp->next; i++)
    tcp_on_ack (tcp, i, FALSE, now);
  return now;
}

/* However many of one round trip are lost: Reno has half of the window then, CUBIC 0.7. */
CLAIMS (test_a_round_with_losses_cuts_once, 3)
{
  static const double beta[] = { 0.5, 0.7, 0.5 };
  Tcp *tcp = g_new (Tcp, 1);
  RcTime now = 0;
  double before;

  for (guint lost = 1; lost < 10; lost += 4) {
    tcp_init (tcp, (TcpLaw) __i__, 0);
    for (guint i = 0; i < 4; i++)
      now = round_trip (tcp, 0, now);
    before = tcp->cwnd;
    fail_unless_within (before, 160, 160);
    now = round_trip (tcp, lost, now);
    fail_unless_within (tcp->cwnd / before, beta[__i__], beta[__i__] + 0.02);
    now = round_trip (tcp, 0, now);
    fail_unless_within (tcp->cwnd / before, beta[__i__], beta[__i__] + 0.05);
  }
  g_free (tcp);
}

/* Losses, at whatever rate, are no reason for BBR to send slower: after a round trip with less in
 * flight all is as it was. */
CLAIM (test_bbr_sends_on_at_its_rate_after_losses)
{
  Tcp *tcp = g_new (Tcp, 1);
  RcTime now = 0;
  double rate_ps, cwnd;

  tcp_init (tcp, TCP_BBR, 0);
  for (guint i = 0; i < 4; i++)
    now = round_trip (tcp, 0, now);
  rate_ps = tcp->bbr.rate_ps;
  cwnd = tcp->cwnd;
  now = round_trip (tcp, 40, now);
  fail_unless (tcp->cwnd < cwnd);
  now = round_trip (tcp, 0, now);
  now = round_trip (tcp, 0, now);
  fail_unless (tcp->cwnd >= cwnd);
  fail_unless (tcp->bbr.rate_ps >= rate_ps);
  g_free (tcp);
}

CLAIM (test_silence_leaves_one_segment_and_waits_ever_longer)
{
  Tcp *tcp = g_new (Tcp, 1);
  RcTime now = 0, wait = 0;

  tcp_init (tcp, TCP_RENO, 0);
  now = round_trip (tcp, 0, now);
  for (guint i = 0; i < 4; i++) {
    while (tcp_may_send (tcp))
      tcp_on_sent (tcp, now);
    fail_unless (tcp->timeout_at - now > wait);
    wait = tcp->timeout_at - now;
    now = tcp->timeout_at;
    tcp_on_timeout (tcp, now);
    fail_unless (tcp_may_send (tcp));
    tcp_on_sent (tcp, now);
    fail_if (tcp_may_send (tcp));
  }
  g_free (tcp);
}
