/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Service by opportunities, alone and in the link. */

#include <link/link.h>

#include "claim.h"

#define N_PKTS 3000

/* Two at once, a gap, one at the end; the round is 10 ms. */
static const RcTime list[] = { RC_MSEC, 4 * RC_MSEC, 4 * RC_MSEC, 10 * RC_MSEC };

static LinkPacket packets[N_PKTS];

static LinkParams params;
static Link link;

BEFORE_EACH
{
  params = (LinkParams) { .opportunities = list, .n_opportunities = G_N_ELEMENTS (list) };
  link_init (&link, &params, 1);
}

/* All at once at `now`, then until the link is empty. */
static void
send_all (const guint *sizes, guint n, RcTime now)
{
  guint out = 0;

  for (guint i = 0; i < n; i++) {
    packets[i] = (LinkPacket) { .size_bytes = sizes[i] };
    fail_unless_equals_int (link_arrive (&link, &packets[i], now), LINK_TAKEN);
  }
  while ((now = link_next_at (&link, now)) != RC_TIME_NONE)
    while (link_deliver (&link, now))
      out++;
  fail_unless_equals_int (out, n);
}

CLAIM (test_a_full_packet_takes_an_opportunity_and_the_list_repeats)
{
  static const guint sizes[] = { 1504, 1504, 1504, 1504, 1504, 1504 };
  static const RcTime ms[] = { 1, 4, 4, 10, 11, 14 };

  send_all (sizes, G_N_ELEMENTS (sizes), 0);
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    fail_unless_equals_int64 (packets[i].started_at, ms[i] * RC_MSEC);
    fail_unless_equals_int64 (packets[i].deliver_at, ms[i] * RC_MSEC);
  }
}

CLAIM (test_small_packets_share_and_a_large_one_needs_the_next)
{
  /* The fourth takes the 300 bytes that the first three leave, and 900 of the next opportunity. */
  static const guint sizes[] = { 400, 404, 400, 1200, 604, 3008 };
  static const RcTime started_ms[] = { 1, 1, 1, 1, 4, 4 }, done_ms[] = { 1, 1, 1, 4, 4, 10 };

  send_all (sizes, G_N_ELEMENTS (sizes), 0);
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    fail_unless_equals_int64 (packets[i].started_at, started_ms[i] * RC_MSEC);
    fail_unless_equals_int64 (packets[i].deliver_at, done_ms[i] * RC_MSEC);
  }
}

CLAIM (test_what_an_opportunity_leaves_is_lost)
{
  static const guint small = 100, large = 1504;

  send_all (&small, 1, 0);
  fail_unless_equals_int64 (packets[0].deliver_at, RC_MSEC);
  /* Arrives with an opportunity that is gone by then; 1404 bytes of the first one do not help. */
  send_all (&large, 1, 4 * RC_MSEC);
  fail_unless_equals_int64 (packets[0].started_at, 10 * RC_MSEC);
  fail_unless_equals_int64 (packets[0].deliver_at, 10 * RC_MSEC);
  send_all (&small, 1, 123456 * RC_MSEC);
  fail_unless_equals_int64 (packets[0].deliver_at, 123460 * RC_MSEC);
}

CLAIM (test_queue_delay_foretells_the_opportunity)
{
  RcTime foretold[N_PKTS], started_at[N_PKTS], now;
  guint64 random;

  for (RcTime often = 0; often < RC_MSEC; often += 333 * RC_USEC) {
    link_init (&link, &params, 1);
    random = 5;
    now = 0;
    for (guint i = 0; i < N_PKTS; i++) {
      RcTime next;

      random = random * 6364136223846793005u + 1442695040888963407u;
      next = now + (random >> 33) % (5 * RC_MSEC);
      while (often > 0 && (now += often) < next)
        link_queue_delay (&link, now);
      now = next;
      packets[i] = (LinkPacket) { .size_bytes = 50 + (random >> 50) % 1700 };
      foretold[i] = link_queue_delay (&link, now);
      fail_unless_equals_int (link_arrive (&link, &packets[i], now), LINK_TAKEN);
    }
    while (link_deliver (&link, now + 100 * RC_SECOND));
    for (guint i = 0; i < N_PKTS; i++) {
      fail_unless_equals_int64 (packets[i].started_at - packets[i].arrived_at, foretold[i]);
      fail_unless (often == 0 || packets[i].started_at == started_at[i]);
      started_at[i] = packets[i].started_at;
    }
  }
}

CLAIM (test_capacity_counts_opportunities_used_or_not)
{
  static const RcTime from_zero[] = { 0, 0, 5 * RC_MSEC };

  fail_unless (link_capacity_bits (&link, 3 * RC_MSEC) == 1504 * 8);
  fail_unless (link_capacity_bits (&link, 4 * RC_MSEC) == 3 * 1504 * 8);
  fail_unless (link_capacity_bits (&link, 10 * RC_SECOND) == 4000 * 1504 * 8);
  params = (LinkParams) { .opportunities = from_zero, .n_opportunities = 3 };
  link_set_params (&link, &params, 10 * RC_SECOND);
  fail_unless (link_capacity_bits (&link, 20 * RC_SECOND) - 4000 * 1504 * 8 == 6000 * 1504 * 8);
}

CLAIM (test_a_limit_in_time_is_at_the_mean_rate)
{
  guint n = 0;

  /* 400 opportunities a second: 100 ms are 40 packets behind the one that is first in line. */
  params.queue_time = 100 * RC_MSEC;
  link_init (&link, &params, 1);
  for (guint i = 0; i < 100; i++) {
    packets[i] = (LinkPacket) { .size_bytes = 1504 };
    n += link_arrive (&link, &packets[i], 0) == LINK_TAKEN;
  }
  fail_unless_equals_int (n, 41);
}

CLAIM (test_a_change_of_delay_keeps_the_place_in_the_list)
{
  static const guint sizes[] = { 3008, 1504 };

  for (guint i = 0; i < 2; i++) {
    packets[i] = (LinkPacket) { .size_bytes = sizes[i] };
    link_arrive (&link, &packets[i], 0);
  }
  params.delay = 50 * RC_MSEC;
  link_set_params (&link, &params, 2 * RC_MSEC);        /* half of the first one is served */
  while (link_deliver (&link, RC_SECOND));
  fail_unless_equals_int64 (packets[0].deliver_at, 54 * RC_MSEC);
  fail_unless_equals_int64 (packets[1].deliver_at, 54 * RC_MSEC);
  /* From a list to a rate: the queue stays. */
  link_init (&link, &params, 1);
  packets[0] = (LinkPacket) { .size_bytes = 1250 };
  link_arrive (&link, &packets[0], 0);
  params = (LinkParams) { .rate_bps = 1000000 };
  link_set_params (&link, &params, RC_MSEC / 2);
  fail_unless_equals_int64 (link_next_at (&link, RC_MSEC), RC_MSEC / 2 + 10 * RC_MSEC);
}
