/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Stalls alone and in the link. */

#include <link/link.h>

#include "claim.h"

#define MBPS UINT64_C (1000000)
#define N_PKTS 2000

static const struct
{
  RcTime length, mean;
} rows[] = {
  {30 * RC_MSEC, 200 * RC_MSEC}, {60 * RC_MSEC, 500 * RC_MSEC}, {100 * RC_MSEC, 1000 * RC_MSEC},
};

static LinkPacket packets[N_PKTS];

CLAIM (test_stalls_have_their_length_and_mean_distance)
{
  const RcTime end = 10000 * RC_SECOND;
  LinkStalls stalls;

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    const gdouble gap_mean = rows[i].mean - rows[i].length, wanted = (gdouble) end / rows[i].mean;
    RcTime last_end = 0;
    guint n = 0, longer = 0;

    link_stalls_init (&stalls, rows[i].mean, rows[i].length, 5, 0);
    fail_unless (ABS ((gdouble) link_stalls_served (&stalls, 0, end) / end
            - (1 - (gdouble) rows[i].length / rows[i].mean)) < 0.005);
    for (; stalls.begin_at < end; n++) {
      fail_unless_equals_int64 (stalls.end_at - stalls.begin_at, rows[i].length);
      longer += stalls.begin_at - last_end > gap_mean;
      last_end = stalls.end_at;
      link_stalls_forget (&stalls, last_end);
    }
    fail_unless (ABS (n - wanted) < 0.04 * wanted, "%u of %f", n, wanted);
    /* Exponential gaps: exp (-1) of them are longer than the mean. */
    fail_unless (ABS ((gdouble) longer / n - 0.3679) < 0.015, "%f", (gdouble) longer / n);
  }
}

CLAIM (test_work_ends_when_enough_time_outside_of_stalls_has_passed)
{
  const RcTime step = 100 * RC_USEC;
  LinkStalls stalls;

  link_stalls_init (&stalls, 50 * RC_MSEC, 20 * RC_MSEC, 9, 0);
  for (RcTime from = 0; from < RC_SECOND; from += 7 * RC_MSEC)
    for (RcTime work = 33 * RC_MSEC; work < 200 * RC_MSEC; work += 33 * RC_MSEC) {
      RcTime outside = 0, end = link_stalls_finish_at (&stalls, from, work);

      fail_unless_equals_int64 (link_stalls_served (&stalls, from, end), work);
      fail_unless_equals_int64 (link_stalls_served (&stalls, from, end - 1), work - 1);
      for (RcTime at = from; at < end; at += step)
        outside += link_stalls_ready_at (&stalls, at) == at ? step : 0;
      fail_unless (ABS (outside - work) < 20 * step);
    }
}

CLAIM (test_a_packet_in_service_is_served_on_behind_the_stall)
{
  LinkParams params = { .rate_bps = MBPS, .stall_length = 30 * RC_MSEC,
      .stall_mean = 200 * RC_MSEC };
  LinkPacket packet = { .size_bytes = 1250 }, next = { .size_bytes = 1250 };
  RcTime stall_at;
  Link link;

  link_init (&link, &params, 1);
  stall_at = link.stalls.begin_at;
  /* 4 of its 10 ms before the stall, 6 ms behind it. */
  link_arrive (&link, &packet, stall_at - 4 * RC_MSEC);
  link_arrive (&link, &next, stall_at + RC_MSEC);
  fail_unless_equals_int64 (link_queue_delay (&link, stall_at), 30 * RC_MSEC + 16 * RC_MSEC);
  while (link_deliver (&link, stall_at + 60 * RC_MSEC));
  fail_unless_equals_int64 (packet.started_at, stall_at - 4 * RC_MSEC);
  fail_unless_equals_int64 (packet.deliver_at, stall_at + 36 * RC_MSEC);
  fail_unless_equals_int64 (next.started_at, stall_at + 36 * RC_MSEC);
  fail_unless_equals_int64 (next.deliver_at, stall_at + 46 * RC_MSEC);
}

CLAIM (test_what_arrives_in_a_stall_waits_also_on_an_idle_link)
{
  LinkParams params = { .rate_bps = MBPS, .stall_length = 30 * RC_MSEC,
      .stall_mean = 200 * RC_MSEC };
  LinkPacket packet = { .size_bytes = 1250 };
  RcTime stall_at;
  Link link;

  link_init (&link, &params, 1);
  stall_at = link.stalls.begin_at;
  fail_unless_equals_int64 (link_queue_delay (&link, stall_at + 10 * RC_MSEC), 20 * RC_MSEC);
  link_arrive (&link, &packet, stall_at + 10 * RC_MSEC);
  fail_unless_equals_int64 (packet.started_at, RC_TIME_NONE);
  /* The AQM wants to be asked when service begins; then it takes 10 ms. */
  fail_unless_equals_int64 (link_next_at (&link, stall_at + 10 * RC_MSEC), stall_at + 30 * RC_MSEC);
  fail_unless_equals_int64 (link_next_at (&link, stall_at + 30 * RC_MSEC), stall_at + 40 * RC_MSEC);
  fail_unless (link_deliver (&link, stall_at + 40 * RC_MSEC) == &packet);
  fail_unless_equals_int64 (packet.started_at, stall_at + 30 * RC_MSEC);
}

/* Packets at random distances through a link with stalls; `often`: it is asked all the time. */
static void
pass_all (const LinkParams *params, RcTime *foretold, RcTime often)
{
  RcTime now = 0, next;
  guint64 random = 5;
  Link link;

  link_init (&link, params, 2);
  for (guint i = 0; i < N_PKTS; i++) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    next = now + (random >> 33) % (9 * RC_MSEC);
    while (often > 0 && (now += often) < next) {
      link_queue_delay (&link, now);
      link_capacity_bits (&link, now);
    }
    now = next;
    packets[i] = (LinkPacket) { .size_bytes = 50 + (random >> 50) % 900 };
    foretold[i] = link_queue_delay (&link, now);
    fail_unless_equals_int (link_arrive (&link, &packets[i], now), LINK_TAKEN);
  }
  while (link_deliver (&link, now + 1000 * RC_SECOND));
}

CLAIM (test_queue_delay_foretells_the_wait_with_the_stalls)
{
  LinkParams params = { .rate_bps = 1234567, .stall_length = 20 * RC_MSEC,
      .stall_mean = 90 * RC_MSEC };
  RcTime foretold[N_PKTS], started_at[N_PKTS], longest = 0;

  pass_all (&params, foretold, 0);
  for (guint i = 0; i < N_PKTS; i++) {
    started_at[i] = packets[i].started_at;
    fail_unless_equals_int64 (started_at[i] - packets[i].arrived_at, foretold[i]);
    longest = MAX (longest, foretold[i]);
  }
  fail_unless (longest > 20 * RC_MSEC);
  pass_all (&params, foretold, 777 * RC_USEC);
  for (guint i = 0; i < N_PKTS; i++)
    fail_unless_equals_int64 (packets[i].started_at, started_at[i]);
}

CLAIM (test_a_limit_in_time_does_not_foresee_stalls_and_one_in_bytes_counts_bytes)
{
  LinkParams params = { .rate_bps = MBPS, .stall_length = RC_SECOND, .stall_mean = 3 * RC_SECOND };
  RcTime stall_at;
  Link link;

  for (guint bytes = 0; bytes < 2; bytes++) {
    guint n = 0;

    params.queue_time = bytes ? 0 : 300 * RC_MSEC;
    params.queue_bytes = bytes ? 37500 : 0;
    link_init (&link, &params, 3);
    stall_at = link.stalls.begin_at;
    for (guint i = 0; i < 100; i++) {
      packets[i] = (LinkPacket) { .size_bytes = 1250 };
      n += link_arrive (&link, &packets[i], stall_at + i * RC_MSEC) == LINK_TAKEN;
    }
    /* As without a stall: 30 packets of 10 ms wait behind the one at the head. */
    fail_unless_equals_int (n, 31);
  }
}

CLAIM (test_capacity_is_what_the_stalls_and_the_rates_leave)
{
  LinkParams params = { .rate_bps = 8 * MBPS, .stall_length = 30 * RC_MSEC,
      .stall_mean = 200 * RC_MSEC };
  Link rare, often;
  gdouble bits = 0, share;

  link_init (&rare, &params, 4);
  link_init (&often, &params, 4);
  for (RcTime now = 0; now <= 1000 * RC_SECOND; now += 10 * RC_MSEC)
    bits = link_capacity_bits (&often, now);
  fail_unless (ABS (link_capacity_bits (&rare, 1000 * RC_SECOND) - bits) < 1);
  share = bits / (1000.0 * params.rate_bps);
  fail_unless (ABS (share - 0.85) < 0.01, "%f", share);
  params.rate_bps = 2 * MBPS;
  params.stall_length = 0;
  link_set_params (&rare, &params, 1000 * RC_SECOND);
  fail_unless (ABS (link_capacity_bits (&rare, 1010 * RC_SECOND) - bits - 20e6) < 1);
}

CLAIM (test_stalls_change_no_loss)
{
  LinkParams params = { .rate_bps = 100 * MBPS, .loss_ratio = 0.3 };
  gboolean lost[2][N_PKTS];
  Link link;

  for (guint round = 0; round < 2; round++) {
    params.stall_length = round * 30 * RC_MSEC;
    params.stall_mean = 200 * RC_MSEC;
    link_init (&link, &params, 9);
    for (guint i = 0; i < N_PKTS; i++) {
      packets[i] = (LinkPacket) { .size_bytes = 100 };
      lost[round][i] = link_arrive (&link, &packets[i], i * RC_MSEC) == LINK_DROPPED_RANDOM;
    }
  }
  fail_unless (memcmp (lost[0], lost[1], sizeof lost[0]) == 0);
}
