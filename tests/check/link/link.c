/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <link/link.h>

#include "claim.h"

#define MBPS UINT64_C (1000000)
#define N_PKTS 2000

static LinkPacket packets[N_PKTS];
static Link link;

static LinkPacket *
packet_of (guint i, guint32 size_bytes)
{
  packets[i].size_bytes = size_bytes;
  return &packets[i];
}

/* Takes what is due, then runs the link in virtual time until it is empty and checks that
 * next_at() is exact. Returns how many packets came out. */
static guint
drain (RcTime now)
{
  LinkPacket *packet;
  RcTime last = now;
  guint n = 0;

  while (link_deliver (&link, now))
    n++;
  while ((now = link_next_at (&link, now)) != RC_TIME_NONE) {
    fail_unless (now >= last);
    fail_unless (now == last || link_deliver (&link, now - 1) == NULL);
    while ((packet = link_deliver (&link, now))) {
      fail_unless_equals_int64 (packet->deliver_at, now);
      n++;
    }
    last = now;
  }
  return n;
}

CLAIM (test_service_times_are_exact)
{
  LinkParams params = { .rate_bps = 7 * MBPS + 1, .delay = 20 * RC_MSEC };
  guint64 bits = 0;

  link_init (&link, &params, 1);
  for (guint i = 0; i < N_PKTS; i++)
    fail_unless_equals_int (link_arrive (&link, packet_of (i, 41 + i % 1400), 5), LINK_TAKEN);
  fail_unless_equals_int (drain (5), N_PKTS);
  for (guint i = 0; i < N_PKTS; i++) {
    fail_unless_equals_int64 (packets[i].started_at,
        5 + (bits * RC_SECOND + params.rate_bps - 1) / params.rate_bps);
    bits += packets[i].size_bytes * 8;
    fail_unless_equals_int64 (packets[i].deliver_at,
        5 + params.delay + (bits * RC_SECOND + params.rate_bps - 1) / params.rate_bps);
  }
}

CLAIM (test_asking_often_changes_no_time)
{
  LinkParams params = { .rate_bps = 999983, .delay = RC_MSEC, .jitter_sd = 2 * RC_MSEC };
  RcTime rare[100];

  for (guint round = 0; round < 2; round++) {
    link_init (&link, &params, 1);
    for (guint i = 0; i < 100; i++)
      link_arrive (&link, packet_of (i, 100 + i), i * RC_MSEC);
    for (RcTime t = 99 * RC_MSEC; round == 1 && t < RC_SECOND; t += 777)
      link_queue_delay (&link, t);
    drain (99 * RC_MSEC);
    for (guint i = 0; i < 100; i++) {
      if (round == 0)
        rare[i] = packets[i].deliver_at;
      fail_unless_equals_int64 (packets[i].deliver_at, rare[i]);
    }
  }
}

CLAIM (test_idle_link_serves_from_arrival_without_credit)
{
  LinkParams params = { .rate_bps = 1 * MBPS };

  link_init (&link, &params, 1);
  link_arrive (&link, packet_of (0, 1250), 0);
  link_arrive (&link, packet_of (1, 1250), 25 * RC_MSEC);
  fail_unless_equals_int (drain (25 * RC_MSEC), 2);
  fail_unless_equals_int64 (packets[0].deliver_at, 10 * RC_MSEC);
  fail_unless_equals_int64 (packets[1].started_at, 25 * RC_MSEC);
  fail_unless_equals_int64 (packets[1].deliver_at, 35 * RC_MSEC);
}

CLAIM (test_infinite_rate_only_delays)
{
  LinkParams params = { .rate_bps = 0, .delay = 30 * RC_MSEC, .queue_pkts = 1 };

  link_init (&link, &params, 1);
  for (guint i = 0; i < 50; i++)
    fail_unless_equals_int (link_arrive (&link, packet_of (i, 60000), 7), LINK_TAKEN);
  fail_unless_equals_int64 (link_queue_delay (&link, 7), 0);
  fail_unless_equals_int64 (link_next_at (&link, 7), 7 + 30 * RC_MSEC);
  fail_unless_equals_int (drain (7), 50);
  fail_unless_equals_int64 (link_next_at (&link, RC_SECOND), RC_TIME_NONE);
}

CLAIM (test_rate_change_acts_on_the_packet_in_service)
{
  LinkParams params = { .rate_bps = 1 * MBPS };

  link_init (&link, &params, 1);
  for (guint i = 0; i < 3; i++)
    link_arrive (&link, packet_of (i, 1250), 0);
  /* 4 of 10 ms served at 1 Mbit/s, then 3 ms at 2 Mbit/s are 6 ms of the old rate: done at 7 ms. */
  params.rate_bps = 2 * MBPS;
  link_set_params (&link, &params, 4 * RC_MSEC);
  fail_unless_equals_int64 (link_next_at (&link, 4 * RC_MSEC), 7 * RC_MSEC);
  fail_unless_equals_int64 (link_queue_delay (&link, 4 * RC_MSEC), 13 * RC_MSEC);
  /* The second, in service since 7 ms: 1 of 5 ms done, the rest at a tenth of the rate. */
  params.rate_bps = MBPS / 5;
  link_set_params (&link, &params, 8 * RC_MSEC);
  fail_unless_equals_int64 (link_deliver (&link, 8 * RC_MSEC)->deliver_at, 7 * RC_MSEC);
  fail_unless_equals_int64 (link_next_at (&link, 8 * RC_MSEC), 48 * RC_MSEC);
  /* No limit any more: all at once. */
  params.rate_bps = 0;
  link_set_params (&link, &params, 10 * RC_MSEC);
  fail_unless_equals_int (drain (10 * RC_MSEC), 2);
  fail_unless_equals_int64 (packets[1].deliver_at, 10 * RC_MSEC);
  fail_unless_equals_int64 (packets[2].started_at, 10 * RC_MSEC);
}

/* How many of 200 packets at once the link takes. */
static guint
taken_of_200 (const LinkParams *params)
{
  guint n = 0;

  link_init (&link, params, 1);
  for (guint i = 0; i < 200; i++)
    n += link_arrive (&link, packet_of (i, 1250), 0) == LINK_TAKEN;
  fail_unless_equals_uint64 (link.tail_dropped_pkts, 200 - n);
  fail_unless_equals_int (drain (0), n);
  return n;
}

CLAIM (test_drop_tail_holds_each_limit)
{
  /* 10 ms a packet. One that waits exactly 300 ms is the 31st. */
  fail_unless_equals_int (taken_of_200 (&(LinkParams) { .rate_bps = MBPS,
              .queue_time = 300 * RC_MSEC }), 31);
  fail_unless_equals_int (taken_of_200 (&(LinkParams) { .rate_bps = MBPS, .queue_time = 1 }), 1);
  fail_unless_equals_int (taken_of_200 (&(LinkParams) { .rate_bps = MBPS, .queue_bytes = 12500 }),
      11);
  fail_unless_equals_int (taken_of_200 (&(LinkParams) { .rate_bps = MBPS, .queue_bytes = 12499 }),
      10);
  fail_unless_equals_int (taken_of_200 (&(LinkParams) { .rate_bps = MBPS, .queue_bytes = 1 }), 1);
  fail_unless_equals_int (taken_of_200 (&(LinkParams) { .rate_bps = MBPS, .queue_pkts = 20 }), 21);
  fail_unless_equals_int (taken_of_200 (&(LinkParams) { .rate_bps = MBPS, .queue_pkts = 20,
              .queue_bytes = 5000 }), 5);
  fail_unless_equals_int (taken_of_200 (&(LinkParams) { .rate_bps = MBPS }), 200);
}

CLAIM (test_queue_time_is_at_the_present_rate)
{
  LinkParams params = { .rate_bps = 3 * MBPS, .queue_time = 100 * RC_MSEC };

  link_init (&link, &params, 1);
  for (guint i = 0; i < 31; i++)
    fail_unless_equals_int (link_arrive (&link, packet_of (i, 1250), 0), LINK_TAKEN);
  params.rate_bps = 1 * MBPS;
  link_set_params (&link, &params, 0);
  fail_unless_equals_int64 (link_queue_delay (&link, 0), 310 * RC_MSEC);
  fail_unless_equals_int (link_arrive (&link, packet_of (31, 1250), 209 * RC_MSEC),
      LINK_DROPPED_TAIL);
  fail_unless_equals_int (link_arrive (&link, packet_of (31, 1250), 210 * RC_MSEC), LINK_TAKEN);
  fail_unless_equals_int (drain (0), 32);
}

CLAIM (test_absurd_sizes_are_dropped_not_overflowed)
{
  LinkParams params = { .rate_bps = 1 };

  link_init (&link, &params, 1);
  fail_unless_equals_int (link_arrive (&link, packet_of (0, G_MAXUINT32), 0), LINK_DROPPED_TAIL);
  fail_unless_equals_int (link_arrive (&link, packet_of (1, 1U << 30), 0), LINK_TAKEN);
  fail_unless_equals_int (link_arrive (&link, packet_of (2, 1U << 30), 0), LINK_TAKEN);
  fail_unless_equals_int (link_arrive (&link, packet_of (3, 1), 0), LINK_DROPPED_TAIL);
  fail_unless_equals_uint64 (link_queue_delay (&link, 0),
      (G_GUINT64_CONSTANT (1) << 34) * RC_SECOND);
}

/* lost[i]: arrival i was lost; returns how many were. */
static guint
losses (const LinkParams *params, guint64 seed, gboolean *lost, guint n)
{
  guint n_lost = 0;

  link_init (&link, params, seed);
  for (guint i = 0; i < n; i++) {
    lost[i] = link_arrive (&link, packet_of (0, 1000), i) == LINK_DROPPED_RANDOM;
    n_lost += lost[i];
    link_deliver (&link, i);
  }
  fail_unless_equals_uint64 (link.random_lost_pkts, n_lost);
  return n_lost;
}

CLAIM (test_loss_has_its_ratio_and_repeats_by_seed)
{
  static gboolean a[100000], b[100000];
  LinkParams params = { .loss_ratio = 0.05 };

  fail_unless (ABS ((gint) losses (&params, 42, a, 100000) - 5000) < 210);      /* 3 sigma */
  losses (&params, 42, b, 100000);
  fail_unless (memcmp (a, b, sizeof a) == 0);
  losses (&params, 43, b, 100000);
  fail_if (memcmp (a, b, sizeof a) == 0);
  params.loss_ratio = 0;
  fail_unless_equals_int (losses (&params, 42, b, 1000), 0);
  params.loss_ratio = 1;
  fail_unless_equals_int (losses (&params, 42, b, 1000), 1000);
  params.loss_ratio = 0.2;
  losses (&params, 42, b, 100000);
  for (guint i = 0; i < 100000; i++)
    fail_unless (b[i] || !a[i], "a higher ratio must lose the same ones and more");
}

CLAIM (test_losses_are_independent)
{
  static gboolean a[100000];
  LinkParams params = { .loss_ratio = 0.5 };
  guint pairs = 0;

  losses (&params, 7, a, 100000);
  for (guint i = 1; i < 100000; i++)
    pairs += a[i] && a[i - 1];
  fail_unless (ABS ((gint) pairs - 25000) < 600);
}

CLAIM (test_jitter_does_not_change_the_losses)
{
  gboolean a[500], b[500];
  LinkParams params = { .loss_ratio = 0.3, .rate_bps = 100 * MBPS };

  for (guint round = 0; round < 2; round++) {
    params.jitter_sd = round * 5 * RC_MSEC;
    link_init (&link, &params, 9);
    for (guint i = 0; i < 500; i++)
      (round ? b : a)[i] = link_arrive (&link, packet_of (i, 100), i * RC_MSEC)
          == LINK_DROPPED_RANDOM;
    drain (500 * RC_MSEC);
  }
  fail_unless (memcmp (a, b, sizeof a) == 0);
}

CLAIM (test_jitter_is_bounded_and_half_normal)
{
  LinkParams params = { .delay = 50 * RC_MSEC, .jitter_sd = 5 * RC_MSEC };
  RcTime extra, worst = 0;
  double sum = 0;

  link_init (&link, &params, 3);
  for (guint i = 0; i < N_PKTS; i++)    /* far apart: order costs nothing */
    link_arrive (&link, packet_of (i, 100), i * 100 * RC_MSEC);
  fail_unless_equals_int (drain (0), N_PKTS);
  for (guint i = 0; i < N_PKTS; i++) {
    extra = packets[i].deliver_at - packets[i].arrived_at - params.delay;
    fail_unless (extra >= 0 && extra <= 15 * RC_MSEC);
    worst = MAX (worst, extra);
    sum += extra;
  }
  fail_unless (worst > 13 * RC_MSEC);
  /* E|N| = sd sqrt (2/pi) = 3.989 ms; three sigma of the mean of 2000: 0.2 ms. */
  fail_unless (ABS (sum / N_PKTS - 3.989e6) < 0.2e6, "mean jitter is %f ns", sum / N_PKTS);
}

CLAIM (test_jitter_keeps_order_and_its_bound_on_a_busy_link)
{
  LinkParams params = { .rate_bps = 10 * MBPS, .jitter_sd = 5 * RC_MSEC };
  LinkPacket *packet;
  RcTime now, served_at, lowest = RC_SECOND;
  guint n = 0;

  link_init (&link, &params, 4);
  for (guint i = 0; i < N_PKTS; i++)
    link_arrive (&link, packet_of (i, 1250), 0);
  while ((now = link_next_at (&link, 0)) != RC_TIME_NONE) {
    if (!(packet = link_deliver (&link, now)))
      continue;
    fail_unless (packet == &packets[n]);
    served_at = packet->started_at + RC_MSEC;
    fail_unless (packet->deliver_at >= served_at && packet->deliver_at <= served_at + 15 * RC_MSEC);
    if (n++ > N_PKTS / 2)
      lowest = MIN (lowest, packet->deliver_at - served_at);
  }
  fail_unless_equals_int (n, N_PKTS);
  fail_unless (lowest < 3 * RC_MSEC, "jitter must not stick to its largest value");
}

CLAIM (test_queue_delay_foretells_the_wait)
{
  LinkParams params = { .rate_bps = 1234567, .queue_time = 200 * RC_MSEC };
  RcTime foretold[N_PKTS], now = 0;
  guint64 random = 5;
  guint n = 0;

  link_init (&link, &params, 1);
  while (n < N_PKTS) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    now += (random >> 33) % (9 * RC_MSEC);
    foretold[n] = link_queue_delay (&link, now);
    n += link_arrive (&link, packet_of (n, 50 + (random >> 50) % 1400), now) == LINK_TAKEN;
  }
  fail_unless (link.tail_dropped_pkts > 0);
  drain (now);
  for (guint i = 0; i < n; i++)
    fail_unless_equals_int64 (packets[i].started_at - packets[i].arrived_at, foretold[i]);
}

/* Packets held by the link, for the random walk. */
typedef struct
{
  Link link;
  LinkParams params;
  LinkPacket pool[512];
  gboolean inside[512];
  GRand *rand;
  RcTime now, last_deliver_at;
  guint64 n_dropped, n_out, n_in, bytes_in, bytes_out;
} Walk;

static void
walk_arrive (Walk *self)
{
  guint i = g_rand_int_range (self->rand, 0, 512);

  if (self->inside[i])
    return;
  self->pool[i].size_bytes = g_rand_int_range (self->rand, 1, 2000);
  self->pool[i].ecn = g_rand_int_range (self->rand, LINK_ECN_NOT_ECT, LINK_ECN_CE + 1);
  self->n_in++;
  if (link_arrive (&self->link, &self->pool[i], self->now) != LINK_TAKEN) {
    self->n_dropped++;
    return;
  }
  self->inside[i] = TRUE;
  self->bytes_in += self->pool[i].size_bytes;
}

static void
walk_deliver (Walk *self)
{
  LinkPacket *packet;

  while ((packet = link_deliver (&self->link, self->now))) {
    gsize i = packet - self->pool;

    fail_unless (i < 512 && self->inside[i], "a packet that was not inside came out");
    fail_unless (packet->started_at >= packet->arrived_at);
    fail_unless (packet->deliver_at >= packet->started_at);
    fail_unless (packet->deliver_at >= self->last_deliver_at && packet->deliver_at <= self->now);
    self->last_deliver_at = packet->deliver_at;
    self->inside[i] = FALSE;
    self->n_out++;
    self->bytes_out += packet->size_bytes;
  }
}

static void
walk_take_dropped (Walk *self)
{
  LinkPacket *packet;

  while ((packet = link_take_dropped (&self->link))) {
    gsize i = packet - self->pool;

    fail_unless (i < 512 && self->inside[i] && packet->aqm_dropped);
    fail_unless (packet->started_at >= packet->arrived_at);
    self->inside[i] = FALSE;
    self->n_dropped++;
    self->bytes_out += packet->size_bytes;
  }
}

/* No AQM, CoDel or DualPI2; a rate, with stalls or without, or one of two lists of
 * opportunities. */
static void
walk_choose_service (Walk *self)
{
  static const RcTime dense[] = { RC_MSEC, RC_MSEC, 2 * RC_MSEC };
  static const RcTime sparse[] = { 0, 0, 30 * RC_MSEC };

  if (g_rand_boolean (self->rand))
    self->params.aqm.codel = (LinkCodelParams) { 5 * RC_MSEC, 100 * RC_MSEC, true };
  else if (g_rand_boolean (self->rand))
    self->params.aqm.dualpi2 = LINK_DUALPI2_RFC9332;
  if (g_rand_int_range (self->rand, 0, 3) == 0) {
    self->params.opportunities = g_rand_boolean (self->rand) ? dense : sparse;
    self->params.n_opportunities = 3;
  } else if (self->params.rate_bps >= MBPS && g_rand_boolean (self->rand)) {
    self->params.stall_length = 20 * RC_MSEC;
    self->params.stall_mean = 50 * RC_MSEC;
  }
}

static void
walk_change (Walk *self)
{
  static const guint64 rates[] = { 0, 1, 9600, MBPS, 10 * MBPS, 1000 * MBPS,
      G_GUINT64_CONSTANT (1000000000000) };

  self->params = (LinkParams) {
    .rate_bps = rates[g_rand_int_range (self->rand, 0, G_N_ELEMENTS (rates))],
    .delay = g_rand_int_range (self->rand, 0, 50) * RC_MSEC,
    .queue_time = g_rand_int_range (self->rand, 0, 2) * 100 * RC_MSEC,
    .queue_bytes = g_rand_int_range (self->rand, 0, 2) * 60000,
    .queue_pkts = g_rand_int_range (self->rand, 0, 2) * 30,
    .loss_ratio = g_rand_int_range (self->rand, 0, 2) * 0.1,
    .jitter_sd = g_rand_int_range (self->rand, 0, 2) * 5 * RC_MSEC,
    .jitter_mean = g_rand_int_range (self->rand, 0, 2) * 5 * RC_MSEC,
    .overtakes = g_rand_int_range (self->rand, 0, 2),
  };
  walk_choose_service (self);
  link_set_params (&self->link, &self->params, self->now);
}

CLAIM (test_no_packet_is_lost_or_doubled_in_a_random_walk)
{
  Walk *walk = g_new0 (Walk, 1);
  const LinkQueues *queues = &walk->link.queues;

  walk->rand = g_rand_new_with_seed (11);
  link_init (&walk->link, &walk->params, 11);
  for (guint i = 0; i < 100000; i++) {
    walk->now += g_rand_int_range (walk->rand, 0, 2 * RC_MSEC);
    if (g_rand_int_range (walk->rand, 0, 100) == 0)
      walk_change (walk);
    else if (g_rand_int_range (walk->rand, 0, 3) == 0)
      walk_deliver (walk);
    else
      walk_arrive (walk);
    fail_unless (link_queue_delay (&walk->link, walk->now) >= 0);
    walk_take_dropped (walk);
    fail_unless_equals_uint64 (walk->n_in,
        walk->n_dropped + walk->n_out + link_queues_pkts (queues) + walk->link.line.pkts);
    fail_unless_equals_uint64 (walk->bytes_in,
        walk->bytes_out + link_queues_bytes (queues) + walk->link.line.bytes);
  }
  fail_unless (walk->n_out > 10000 && walk->link.random_lost_pkts > 0
      && walk->link.tail_dropped_pkts > 0);
  fail_unless (queues->aqm_dropped_pkts > 100 && queues->marked_pkts > 100);
  fail_unless_equals_uint64 (walk->n_dropped,
      walk->link.random_lost_pkts + walk->link.tail_dropped_pkts + queues->aqm_dropped_pkts);
  fail_unless_equals_uint64 (walk->n_out, walk->link.delivered_pkts);
  fail_unless_equals_uint64 (walk->n_in, walk->link.arrived_pkts);
  walk->params = (LinkParams) { .rate_bps = 0 };
  link_set_params (&walk->link, &walk->params, walk->now);
  walk->now += RC_SECOND;
  walk_deliver (walk);
  fail_unless_equals_uint64 (walk->n_in, walk->n_dropped + walk->n_out);
  fail_unless_equals_int64 (link_next_at (&walk->link, walk->now), RC_TIME_NONE);
  g_rand_free (walk->rand);
  g_free (walk);
}

/* 1000 packets of 1000 bytes, each ms: 8 Mbit/s. */
CLAIM (test_a_policer_lets_its_rate_and_its_depth_through_without_delay)
{
  LinkParams params = { .rate_bps = 1000 * MBPS, .police_bps = 2 * MBPS, .police_bytes = 10000 };
  guint n = 0;

  link_init (&link, &params, 1);
  for (guint i = 0; i < 1000; i++) {
    RcTime now = i * RC_MSEC;

    if (link_arrive (&link, packet_of (i, 1000), now) == LINK_TAKEN) {
      fail_unless (packets[i].started_at == now);
      n++;
    }
    link_deliver (&link, now);
  }
  fail_unless (n >= 250 + 9 && n <= 250 + 10, "%u", n);
  fail_unless_equals_uint64 (link.tail_dropped_pkts, 1000 - n);
}
