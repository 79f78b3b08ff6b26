/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* PIE [RFC 8033] alone and in the link. */

#include <link/link.h>

#include "claim.h"

#define MBPS G_GUINT64_CONSTANT (1000000)
#define N_PKTS 40000
#define PACKET_BYTES 1250       /* 1 ms at 10 Mbit/s */
#define UPDATE LINK_PIE_T_UPDATE

static const LinkPieParams *const rfc8033 = &LINK_PIE_RFC8033;

static LinkPacket packets[N_PKTS];

/* [RFC 8033 4.2, A.1]: alpha = 0.125 Hz, beta = 1.25 Hz; a step of 1 / 2048 while p is 0, 1 / 512
 * below 0.00001 and of 1 / 32 below 0.001. */
CLAIM (test_the_probability_integrates_the_wait_over_the_target)
{
  LinkPie pie;
  gdouble p;

  link_pie_init (&pie);
  link_pie_update (&pie, rfc8033, 5 * RC_MSEC, 2 * UPDATE);
  p = (0.125 * (0.010 - 0.015) + 1.25 * (0.010 - 0)) / 2048;
  p += (0.125 * (0.025 - 0.015) + 1.25 * (0.025 - 0.010)) / 512;
  fail_unless (ABS (pie.p - p) < 1e-12, "%g, not %g", pie.p, p);
  pie.p = 0.0005;
  link_pie_update (&pie, rfc8033, 5 * RC_MSEC, 3 * UPDATE);
  p = 0.0005 + (0.125 * (0.040 - 0.015) + 1.25 * (0.040 - 0.025)) / 32;
  fail_unless (ABS (pie.p - p) < 1e-12, "%g, not %g", pie.p, p);
  link_pie_update (&pie, rfc8033, 5 * RC_MSEC, 3 * UPDATE + 14 * RC_MSEC);
  fail_unless (ABS (pie.p - p) < 1e-12, "no update is due");
}

CLAIM (test_a_large_probability_grows_by_small_steps_and_decays)
{
  LinkPie pie = {.p = 0.3,.updated_at = 10 * UPDATE,.qdelay_old = 10 * UPDATE };

  link_pie_update (&pie, rfc8033, 0, 20 * UPDATE);
  fail_unless (ABS (pie.p - 0.5) < 1e-9, "%g, not ten steps of 0.02 more", pie.p);
  pie.qdelay_old = 0;
  link_pie_update (&pie, rfc8033, RC_TIME_NONE, 21 * UPDATE);
  fail_unless (ABS (pie.p - (0.5 - 0.125 * 0.015) * 0.98) < 1e-9);
  link_pie_update (&pie, rfc8033, RC_TIME_NONE, 1000000 * RC_SECOND);
  fail_unless (pie.p == 0 && pie.burst_left == LINK_PIE_MAX_BURST);
}

CLAIM (test_one_late_update_is_as_good_as_many_in_time)
{
  LinkPie late, timely;

  link_pie_init (&late);
  link_pie_init (&timely);
  for (RcTime now = 0; now <= RC_SECOND; now += RC_MSEC)
    link_pie_update (&timely, rfc8033, 500 * RC_MSEC, now);
  link_pie_update (&late, rfc8033, 500 * RC_MSEC, RC_SECOND);
  fail_unless (late.p > 0 && late.p == timely.p);
  fail_unless (late.burst_left == timely.burst_left && late.updated_at == timely.updated_at);
}

/* [RFC 8033 5.4]: no two drops closer than 0.85 / p packets, none further apart than 8.5 / p. */
CLAIM (test_drops_are_neither_together_nor_far_apart)
{
  LinkPie pie = {.p = 0.05,.qdelay_old = 20 * RC_MSEC };
  guint since = 0, drops = 0;

  for (guint i = 0; i < 100000; i++) {
    since++;
    if (!link_pie_drops (&pie, rfc8033, 10000))
      continue;
    fail_unless (drops == 0 || (since >= 17 && since <= 170), "%u packets apart", since);
    since = 0;
    drops++;
  }
  fail_unless (drops > 2000 && drops < 5000, "%u", drops);
}

CLAIM (test_it_drops_nothing_in_a_burst_or_a_short_queue)
{
  LinkPie burst = {.p = 1,.qdelay_old = 20 * RC_MSEC,.burst_left = 1 };
  LinkPie shallow = {.p = 0.15,.qdelay_old = 5 * RC_MSEC };
  LinkPie deep = {.p = 1,.qdelay_old = 20 * RC_MSEC };

  fail_if (link_pie_drops (&burst, rfc8033, 100000));
  for (guint i = 0; i < 1000; i++)
    fail_if (link_pie_drops (&shallow, rfc8033, 100000) || link_pie_drops (&deep, rfc8033, 3000));
  fail_unless (link_pie_drops (&deep, rfc8033, 100000));
}

/* 12 Mbit/s in 10 for 40 s: after the burst so much is dropped that the wait is near the target. */
CLAIM (test_an_overloaded_link_waits_for_the_target)
{
  LinkParams params = {.rate_bps = 10 * MBPS,.queue_time = RC_SECOND };
  Link link;
  LinkPacket *out;
  RcTime wait = 0;
  guint refused = 0, n = 0;

  params.aqm.pie = LINK_PIE_RFC8033;
  link_init (&link, &params, 1);
  for (guint i = 0; i < N_PKTS; i++) {
    const RcTime now = i * RC_SECOND / 1200;

    packets[i] = (LinkPacket) {.size_bytes = PACKET_BYTES };
    refused += link_arrive (&link, &packets[i], now) == LINK_DROPPED_AQM;
    while ((out = link_deliver (&link, now)))
      if (now > 10 * RC_SECOND) {
        wait += out->started_at - out->arrived_at;
        n++;
      }
  }
  fail_unless (refused > N_PKTS / 8 && refused < N_PKTS / 5, "%u", refused);
  fail_unless_equals_int (link.queues.aqm_dropped_pkts, refused);
  wait /= n;
  fail_unless (wait > 12 * RC_MSEC && wait < 18 * RC_MSEC, "%g s", rc_time_to_s (wait));
}
