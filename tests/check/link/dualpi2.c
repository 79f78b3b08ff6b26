/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* DualPI2 [RFC 9332] alone and in the link. */

#include <link/link.h>

#include "claim.h"

#define MBPS UINT64_C (1000000)
#define N_PKTS 60000
#define PACKET_BYTES 1250       /* 1 ms at 10 Mbit/s */
#define UPDATE (15 * RC_MSEC)   /* Tupdate = min (target, RTT_max / 3) */

static const LinkDualpi2Params *const rfc9332 = &LINK_DUALPI2_RFC9332;

static LinkPacket packets[N_PKTS];

CLAIM (test_ect1_and_ce_are_scalable_the_rest_is_classic)
{
  fail_unless (link_dualpi2_is_l (LINK_ECN_ECT1) && link_dualpi2_is_l (LINK_ECN_CE));
  fail_if (link_dualpi2_is_l (LINK_ECN_ECT0) || link_dualpi2_is_l (LINK_ECN_NOT_ECT));
}

/* [RFC 9332 A.1, dualpi2_update] with alpha = 0.15 Hz and beta = 3 Hz. */
CLAIM (test_the_base_probability_integrates_the_wait_over_the_target)
{
  LinkDualpi2 aqm;
  gdouble p = 0;

  link_dualpi2_init (&aqm);
  /* The first packet came at 5 ms and waits on: 10, 25, 40 ms at the updates. */
  for (guint i = 1; i <= 3; i++) {
    gdouble curq = i * 0.015 - 0.005, prevq = i > 1 ? curq - 0.015 : 0;

    p += 0.15 * (curq - 0.015) + 3 * (curq - prevq);
    link_dualpi2_update (&aqm, rfc9332, 5 * RC_MSEC, i * UPDATE);
    fail_unless (ABS (aqm.p - p) < 1e-9, "update %u: %f, not %f", i, aqm.p, p);
  }
  link_dualpi2_update (&aqm, rfc9332, 5 * RC_MSEC, 3 * UPDATE + 14 * RC_MSEC);
  fail_unless (ABS (aqm.p - p) < 1e-9, "no update is due");
  /* Empty from then on: it falls by the proportional part, then by the integral one, to 0. */
  link_dualpi2_update (&aqm, rfc9332, RC_TIME_NONE, 4 * UPDATE);
  fail_unless (ABS (aqm.p - MAX (0, p + 0.15 * -0.015 + 3 * -0.04)) < 1e-9);
  link_dualpi2_update (&aqm, rfc9332, RC_TIME_NONE, 1000000 * RC_SECOND);
  fail_unless (aqm.p == 0);
  link_dualpi2_update (&aqm, rfc9332, 1000000 * RC_SECOND, 1000000 * RC_SECOND + UPDATE);
  fail_unless (aqm.p > 0, "after a long rest it updates as before");
}

CLAIM (test_one_late_update_is_as_good_as_many_in_time)
{
  LinkDualpi2 late, timely;

  link_dualpi2_init (&late);
  link_dualpi2_init (&timely);
  for (RcTime now = 0; now <= 300 * RC_MSEC; now += RC_MSEC)
    link_dualpi2_update (&timely, rfc9332, 50 * RC_MSEC, now);
  link_dualpi2_update (&late, rfc9332, 50 * RC_MSEC, 300 * RC_MSEC);
  fail_unless (late.p > 0 && late.p == timely.p);
}

/* Share of 10,000 packets that are marked; dropped ones count as 1000. */
static gdouble
share_of_l (gdouble p, RcTime wait, guint behind)
{
  LinkDualpi2 aqm = { .p = p };
  gdouble share = 0;

  for (guint i = 0; i < 10000; i++) {
    LinkAqmVerdict verdict = link_dualpi2_on_l (&aqm, rfc9332, wait, behind);

    share += verdict == LINK_AQM_MARK ? 1e-4 : verdict == LINK_AQM_DROP ? 0.1 : 0;
  }
  return share;
}

static gdouble
share_of_c (gdouble p, LinkEcn ecn, LinkAqmVerdict wanted)
{
  LinkDualpi2 aqm = { .p = p };
  gdouble share = 0;

  for (guint i = 0; i < 10000; i++)
    share += link_dualpi2_on_c (&aqm, ecn) == wanted ? 1e-4 : 0;
  return share;
}

/* [RFC 9332 A.1, laqm]: minTh 0.8 ms, range 0.4 ms. */
CLAIM (test_the_native_ramp_marks_around_a_millisecond)
{
  fail_unless (share_of_l (0, 800 * RC_USEC, 5) == 0);
  fail_unless (ABS (share_of_l (0, 900 * RC_USEC, 5) - 0.25) < 0.001);
  fail_unless (ABS (share_of_l (0, RC_MSEC, 5) - 0.5) < 0.001);
  fail_unless (ABS (share_of_l (0, 1200 * RC_USEC, 5) - 1) < 0.001);
  fail_unless (share_of_l (0, 100 * RC_MSEC, 0) == 0, "Th_len: one packet is no queue");
}

/* [RFC 9332 eq. 1]: p_C = (p_CL / k)^2; [A.1]: p_C = p'^2, p_CL = 2 p', p_L = max (p'_L, p_CL). */
CLAIM (test_classic_signals_are_the_square_of_half_the_scalable_ones)
{
  static const gdouble ps[] = { 0.02, 0.1, 0.2, 0.45 };

  for (guint i = 0; i < G_N_ELEMENTS (ps); i++) {
    const gdouble p = ps[i], coupled = 2 * p;

    fail_unless (ABS (share_of_l (p, 0, 5) - coupled) < 0.001);
    fail_unless (ABS (share_of_l (p, RC_MSEC, 5) - MAX (coupled, 0.5)) < 0.001);
    fail_unless (ABS (share_of_c (p, LINK_ECN_NOT_ECT, LINK_AQM_DROP) - p * p) < 0.001);
    fail_unless (ABS (share_of_c (p, LINK_ECN_ECT0, LINK_AQM_MARK) - p * p) < 0.001);
  }
}

/* [RFC 9332 A.2]: p_Lmax = 1, p_Cmax = 1 / 4. */
CLAIM (test_overload_drops_from_both_queues_what_could_be_marked_too)
{
  fail_unless (ABS (share_of_c (0.6, LINK_ECN_ECT0, LINK_AQM_DROP) - 0.36) < 0.001);
  fail_unless (share_of_c (0.6, LINK_ECN_ECT0, LINK_AQM_MARK) == 0);
  /* 36 % dropped, the rest marked. */
  fail_unless (ABS (share_of_l (0.6, 0, 5) - (360 + 0.64)) < 2);
}

CLAIM (test_a_busy_l_leaves_a_tenth_to_c_and_an_idle_one_everything)
{
  LinkPacket l = { .size_bytes = 1500 }, c = { .size_bytes = 500 };
  LinkDualpi2 aqm;
  gdouble bytes[2] = { 0, 0 };

  link_dualpi2_init (&aqm);
  fail_if (link_dualpi2_serves_l (&aqm, NULL, &c));
  fail_unless (link_dualpi2_serves_l (&aqm, &l, NULL));
  for (guint i = 0; i < 10000; i++) {
    gboolean is_l = link_dualpi2_serves_l (&aqm, &l, &c);

    bytes[is_l] += is_l ? l.size_bytes : c.size_bytes;
  }
  fail_unless (ABS (bytes[0] / (bytes[0] + bytes[1]) - 0.1) < 0.001);
}

/* What a share of a link's packets met. */
typedef struct
{
  guint sent, delivered, marked, dropped;
  RcTime wait_max;
} Met;

static void
note (Met *self, const LinkPacket *packet, RcTime late)
{
  self->delivered++;
  self->marked += packet->ecn == LINK_ECN_CE;
  if (packet->arrived_at > late)
    self->wait_max = MAX (self->wait_max, packet->started_at - packet->arrived_at);
}

/* 30 s through 10 Mbit/s: packets of C at `c_spacing`, of L at `l_spacing` (0: none). */
static void
run (LinkEcn c_ecn, RcTime c_spacing, RcTime l_spacing, Met *c, Met *l)
{
  const RcTime end = 30 * RC_SECOND, late = 20 * RC_SECOND;
  LinkParams params = { .rate_bps = 10 * MBPS, .aqm.dualpi2 = LINK_DUALPI2_RFC9332 };
  RcTime c_at = 0, l_at = l_spacing > 0 ? 0 : G_MAXINT64, now;
  LinkPacket *packet;
  Link link;
  guint n = 0;

  *c = *l = (Met) { 0 };
  link_init (&link, &params, 1);
  while ((now = MIN (c_at, l_at)) < end) {
    gboolean is_l = l_at < c_at;
    LinkPacket *next = &packets[n++];

    *next = (LinkPacket) { .size_bytes = PACKET_BYTES, .ecn = is_l ? LINK_ECN_ECT1 : c_ecn };
    fail_unless (n < N_PKTS && link_arrive (&link, next, now) == LINK_TAKEN);
    (is_l ? l : c)->sent++;
    *(is_l ? &l_at : &c_at) += is_l ? l_spacing : c_spacing;
    while ((packet = link_deliver (&link, now)))
      note (link_dualpi2_is_l (packet->ecn) && c_ecn != LINK_ECN_ECT0 ? l : c, packet, late);
    while ((packet = link_take_dropped (&link)))
      (packet->ecn == c_ecn ? c : l)->dropped++;
  }
}

CLAIM (test_too_much_classic_traffic_is_dropped_down_to_the_target)
{
  Met c, l;

  /* A tenth too much, which does not respond. */
  run (LINK_ECN_NOT_ECT, 909 * RC_USEC, 0, &c, &l);
  fail_unless (ABS ((gdouble) c.dropped / c.sent - 0.09) < 0.02, "%u of %u", c.dropped, c.sent);
  fail_unless (c.wait_max < 60 * RC_MSEC, "%" G_GINT64_FORMAT, c.wait_max);
  fail_unless_equals_int (c.marked, 0);
}

CLAIM (test_scalable_packets_do_not_wait_behind_classic_ones)
{
  Met c, l;

  /* C has 90 % of the link and L has 15 %: C waits, L hardly. */
  run (LINK_ECN_NOT_ECT, 1111 * RC_USEC, 6666 * RC_USEC, &c, &l);
  fail_unless (c.wait_max > 8 * RC_MSEC);
  fail_unless (l.wait_max <= 2 * RC_MSEC, "%" G_GINT64_FORMAT, l.wait_max);
  fail_unless (l.dropped == 0 && c.dropped > 0);
  /* Of L, 2 p' are marked where p'^2 of C are dropped. */
  fail_unless (l.marked > 0.3 * l.delivered, "%u of %u", l.marked, l.delivered);
}

CLAIM (test_no_packet_is_lost_or_doubled_with_two_queues)
{
  LinkParams params = { .rate_bps = 10 * MBPS, .queue_pkts = 60 };
  guint64 random = 3, out = 0, refused = 0;
  Link link;

  params.aqm.dualpi2 = LINK_DUALPI2_RFC9332;
  link_init (&link, &params, 1);
  for (guint i = 0; i < N_PKTS; i++) {
    RcTime now = i * 600 * RC_USEC;

    random = random * 6364136223846793005u + 1442695040888963407u;
    packets[i] = (LinkPacket) { .size_bytes = 100 + (random >> 40) % 1400, .ecn = random >> 62 };
    if (i == N_PKTS / 2) {      /* its queue L is served also when it is switched off */
      params.aqm.dualpi2.target = 0;
      link_set_params (&link, &params, now);
    }
    refused += link_arrive (&link, &packets[i], now) != LINK_TAKEN;
    while (link_deliver (&link, now))
      out++;
    while (link_take_dropped (&link))
      out++;
    fail_unless_equals_uint64 (i + 1, refused + out + link_queues_pkts (&link.queues));
  }
  fail_unless (link.queues.aqm_dropped_pkts > 0 && link.queues.marked_pkts > 0);
}
