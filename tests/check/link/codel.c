/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* CoDel [RFC 8289] alone and in the link, and marks. */

#include <link/link.h>
#include <math.h>

#include "claim.h"

#define N_PKTS 20000
#define PACKET_BYTES 1250       /* 10 ms at 1 Mbit/s */

static const LinkCodelParams rfc8289 = { .target = 5 * RC_MSEC, .interval = 100 * RC_MSEC };

static LinkPacket packets[N_PKTS];

typedef struct
{
  guint sent, delivered, dropped, marked;
  RcTime dropped_at[N_PKTS];
  RcTime last_wait_max;         /* of what was delivered in the last quarter */
} Outcome;

static void
collect (Outcome *self, Link *link, RcTime now, RcTime late)
{
  LinkPacket *packet;

  while ((packet = link_deliver (link, now))) {
    self->delivered++;
    self->marked += (packet->ecn == LINK_ECN_CE);
    if (now > late)
      self->last_wait_max = MAX (self->last_wait_max, packet->started_at - packet->arrived_at);
  }
  while ((packet = link_take_dropped (link)))
    self->dropped_at[self->dropped++] = packet->started_at;
}

/* A packet every `spacing` through 1 Mbit/s; every ect_every-th may be marked (0: none). */
static Outcome *
run (const LinkCodelParams *codel, RcTime mark_delay, RcTime spacing, guint n, guint ect_every)
{
  LinkParams params = { .rate_bps = 1000000, .aqm = { .codel = *codel, .mark_delay = mark_delay } };
  Outcome *self = g_new0 (Outcome, 1);
  Link link;

  link_init (&link, &params, 1);
  for (guint i = 0; i < n; i++) {
    packets[i] = (LinkPacket) { .size_bytes = PACKET_BYTES,
        .ecn = ect_every > 0 && i % ect_every == 0 ? LINK_ECN_ECT0 : 0 };
    self->sent += link_arrive (&link, &packets[i], i * spacing) == LINK_TAKEN;
    collect (self, &link, i * spacing, n * 3 / 4 * spacing);
  }
  fail_unless_equals_int (self->sent, n);
  collect (self, &link, 1000000 * RC_SECOND, G_MAXINT64);
  fail_unless_equals_int (self->delivered + self->dropped, n);
  fail_unless_equals_uint64 (link.queues.aqm_dropped_pkts, self->dropped);
  fail_unless_equals_uint64 (link.queues.marked_pkts, self->marked);
  return self;
}

CLAIM (test_a_link_with_room_drops_nothing)
{
  Outcome *outcome = run (&rfc8289, 0, 10 * RC_MSEC, N_PKTS, 0);

  fail_unless_equals_int (outcome->dropped, 0);
  g_free (outcome);
}

CLAIM (test_a_burst_shorter_than_the_interval_passes)
{
  Outcome *outcome = run (&rfc8289, 0, 0, 10, 0);

  fail_unless_equals_int (outcome->dropped, 0);
  g_free (outcome);
}

CLAIM (test_drops_come_by_the_inverse_square_root)
{
  Outcome *outcome = run (&rfc8289, 0, 5 * RC_MSEC, 1000, 0);
  RcTime due;

  /* At 30 ms the fourth packet, of 15 ms, is the first with more than an MTU behind it. */
  due = 130 * RC_MSEC;
  fail_unless_equals_int64 (outcome->dropped_at[0], due);
  for (guint i = 1; i < 20; i++) {
    due += (RcTime) (100 * RC_MSEC / sqrt (i));
    fail_unless (outcome->dropped_at[i] >= due && outcome->dropped_at[i] < due + 10 * RC_MSEC,
        "drop %u at %" G_GINT64_FORMAT ", due %" G_GINT64_FORMAT, i, outcome->dropped_at[i], due);
  }
  g_free (outcome);
}

CLAIM (test_the_queue_is_held_however_long_the_overload)
{
  Outcome *outcome = run (&rfc8289, 0, 8 * RC_MSEC, N_PKTS, 0);

  /* A quarter too much for 160 s: without CoDel the wait would end at 40 s. */
  fail_unless (outcome->last_wait_max < 100 * RC_MSEC,
      "%" G_GINT64_FORMAT " ns", outcome->last_wait_max);
  fail_unless (ABS ((gint) outcome->dropped - N_PKTS / 5) < N_PKTS / 50, "%u", outcome->dropped);
  g_free (outcome);
}

CLAIM (test_with_ecn_only_what_cannot_be_marked_is_dropped)
{
  LinkCodelParams codel = rfc8289;
  Outcome *outcome;

  codel.marks = true;
  outcome = run (&codel, 0, 9500 * RC_USEC, 2000, 1);
  fail_unless (outcome->dropped == 0 && outcome->marked > 50,
      "%u, %u", outcome->dropped, outcome->marked);
  g_free (outcome);
  outcome = run (&codel, 0, 9300 * RC_USEC, 2000, 3);
  fail_unless (outcome->dropped > 10 && outcome->marked > 10,
      "%u, %u", outcome->dropped, outcome->marked);
  for (guint i = 0; i < 2000; i++)
    fail_if ((packets[i].ecn == LINK_ECN_CE) && i % 3 > 0);
  g_free (outcome);
  outcome = run (&rfc8289, 0, 9500 * RC_USEC, 2000, 1);
  fail_unless (outcome->dropped > 10 && outcome->marked == 0);
  g_free (outcome);
}

/* Lets a packet pass each ms from `from` to `to`; returns when the last drop was and counts
 * them. */
static RcTime
feed (LinkCodel *codel, RcTime wait, RcTime from, RcTime to, guint *n)
{
  RcTime at = RC_TIME_NONE;

  *n = 0;
  for (RcTime t = from; t < to; t += RC_MSEC)
    while (link_codel_on_head (codel, &rfc8289, wait, 10 * LINK_CODEL_MTU_BYTES, false, t)
        == LINK_AQM_DROP) {
      ++*n;
      at = t;
    }
  return at;
}

CLAIM (test_a_new_spell_soon_after_resumes_the_rate_of_the_old)
{
  LinkCodel codel;
  RcTime first_at, second_at;
  guint n, spell;

  link_codel_init (&codel);
  feed (&codel, 20 * RC_MSEC, 0, 700 * RC_MSEC, &spell);
  fail_unless (spell >= 9);
  feed (&codel, RC_MSEC, 700 * RC_MSEC, 800 * RC_MSEC, &n);
  fail_unless_equals_int (n, 0);
  first_at = feed (&codel, 20 * RC_MSEC, 800 * RC_MSEC, 901 * RC_MSEC, &n);
  fail_unless (n == 1 && first_at == 900 * RC_MSEC);
  second_at = feed (&codel, 20 * RC_MSEC, 901 * RC_MSEC, first_at + 36 * RC_MSEC, &n);
  fail_unless (n == 1 && second_at - first_at >= (RcTime) (100 * RC_MSEC / sqrt (spell - 1)),
      "%u drops", n);
  /* Long after, it begins with one drop an interval. */
  feed (&codel, 20 * RC_MSEC, first_at + 36 * RC_MSEC, 1500 * RC_MSEC, &n);
  fail_unless (n > 5);
  feed (&codel, RC_MSEC, 1500 * RC_MSEC, 4 * RC_SECOND, &n);
  first_at = feed (&codel, 20 * RC_MSEC, 4 * RC_SECOND, 4199 * RC_MSEC, &n);
  fail_unless (n == 1 && first_at == 4100 * RC_MSEC);
}

CLAIM (test_a_single_packet_behind_is_never_too_much)
{
  LinkCodel codel;

  link_codel_init (&codel);
  for (RcTime t = 0; t < RC_SECOND; t += RC_MSEC)
    fail_unless_equals_int (link_codel_on_head (&codel, &rfc8289, RC_SECOND, LINK_CODEL_MTU_BYTES,
            false, t), LINK_AQM_PASS);
}

CLAIM (test_marks_tell_who_waited_longer_than_the_threshold)
{
  static const LinkCodelParams off = { .target = 0 };
  Outcome *outcome = run (&off, 30 * RC_MSEC, 5 * RC_MSEC, 20, 1);

  /* Packet i waits 5 i ms. */
  fail_unless_equals_int (outcome->dropped, 0);
  for (guint i = 0; i < 20; i++)
    fail_unless_equals_int ((packets[i].ecn == LINK_ECN_CE), i * 5 > 30);
  g_free (outcome);
  outcome = run (&off, 30 * RC_MSEC, 5 * RC_MSEC, 20, 0);
  fail_unless_equals_int (outcome->marked, 0);
  g_free (outcome);
}

CLAIM (test_a_mark_outlives_the_next_link)
{
  LinkParams params = { .rate_bps = 1000000, .aqm = { .mark_delay = RC_MSEC } };
  LinkPacket packet = { .size_bytes = 100, .ecn = LINK_ECN_CE };
  Link link;

  link_init (&link, &params, 1);
  link_arrive (&link, &packet, 0);
  fail_unless (link_deliver (&link, RC_SECOND) == &packet && packet.ecn == LINK_ECN_CE);
  fail_unless_equals_uint64 (link.queues.marked_pkts, 0);
}
