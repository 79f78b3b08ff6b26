/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <math.h>
#include <rc/loss/lossevents.h>
#include <rc/loss/losstimes.h>
#include <rc/loss/tcpequation.h>

#include "claim.h"

#define GAP (10 * RC_MSEC)      /* from packet to packet */

/* Packets from..to arrive, GAP apart, but for those in `lost`; ends with 0. */
static void
arrive (RcLossTimes * times, guint32 from, guint32 to, const guint32 * lost)
{
  for (guint32 seq = from; seq <= to; seq++) {
    if (*lost == seq)
      lost++;
    else
      rc_losstimes_on_arrival (times, seq, seq * GAP);
  }
}

/* Reference values: s / (R * sqrt (2p/3) + 12 R * sqrt (3p/8) * p * (1 + 32 p^2)) in another
 * language's doubles. */
CLAIM (test_equation_gives_the_values_of_rfc_5348_3_1)
{
  static const struct { double s, rtt, p, bps; } rows[] = {
    {12000, 0.1, 0.01, 1347986.8124},
    {12000, 0.1, 0.0001, 14683723.1017},
    {9600, 0.05, 0.05, 707689.9801},
    {12000, 0.25, 0.1, 84964.8997},
    {12000, 0.1, 1, 493.1859},
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    double bps = rc_tcp_equation_bps (rows[i].s, rows[i].rtt, rows[i].p);

    fail_unless (fabs (bps / rows[i].bps - 1) < 1e-6, "%u: %.4f", i, bps);
  }
}

/* [RFC 5348 6.3.1]: "within 5 %" would do */
CLAIM (test_equation_is_inverted)
{
  for (double p = 1e-6; p < 1; p *= 3) {
    double bps = rc_tcp_equation_bps (12000, 0.08, p);

    fail_unless (fabs (rc_tcp_equation_loss (12000, 0.08, bps) / p - 1) < 1e-5, "%g", p);
  }
  fail_unless (rc_tcp_equation_loss (12000, 0.08, 1) == 1);
  fail_unless (rc_tcp_equation_loss (12000, 0.08, 1e15) <= 1.1e-8);
}

/* [RFC 5348 5.2] */
CLAIM (test_losses_within_a_round_trip_are_one_event)
{
  static const guint32 lost[] = { 100, 104, 109, 111, 0 };
  RcLossEvents events;
  RcLossTimes times;

  rc_lossevents_init (&events);
  rc_losstimes_init (&times);
  arrive (&times, 1, 115, lost);
  fail_unless (rc_lossevents_on_loss (&events, 100, 10 * GAP, 50, rc_losstimes_get (&times, 100,
              115 * GAP)));
  fail_if (rc_lossevents_on_loss (&events, 104, 10 * GAP, 50, rc_losstimes_get (&times, 104,
              115 * GAP)));
  fail_if (rc_lossevents_on_loss (&events, 109, 10 * GAP, 50, rc_losstimes_get (&times, 109,
              115 * GAP)));
  fail_unless (rc_lossevents_on_loss (&events, 111, 10 * GAP, 50, rc_losstimes_get (&times, 111,
              115 * GAP)),
      "more than a round trip after 100");
  fail_unless_equals_int (events.n_closed, 2);
  fail_unless (events.closed_pkts[0] == 11 && events.closed_pkts[1] == 50);
}

/* [RFC 5348 5.2]: T_loss by the packets around the hole. Detected late or not, 100 and 150 are
 * 500 ms apart. */
CLAIM (test_a_loss_happened_between_its_neighbours)
{
  static const guint32 lost[] = { 100, 150, 0 };
  RcLossEvents events;
  RcLossTimes times;
  RcTime lost_at;

  rc_lossevents_init (&events);
  rc_losstimes_init (&times);
  arrive (&times, 60, 160, lost);
  rc_lossevents_on_loss (&events, 100, GAP, 50, rc_losstimes_get (&times, 100, 3600 * RC_SECOND));
  fail_unless_equals_int64 (events.began_at, 100 * GAP);
  lost_at = rc_losstimes_get (&times, 150, 3600 * RC_SECOND);
  fail_if (rc_lossevents_on_loss (&events, 150, 50 * GAP, 50, lost_at));
  fail_unless (rc_lossevents_on_loss (&events, 150, 50 * GAP - 1, 50, lost_at));
}

/* [RFC 5348 5.4]: closed intervals 50, 60 .. 120, the newest 120; alike enough that none is
 * discounted */
CLAIM (test_ratio_is_one_over_the_weighted_mean_of_eight_intervals)
{
  static const double w[] = { 1, 1, 1, 1, 0.8, 0.6, 0.4, 0.2 };
  double sum = 0;
  RcLossEvents events;
  guint32 seq = 0;

  rc_lossevents_init (&events);
  rc_lossevents_on_loss (&events, seq, 0, 45, 0);       /* must fall out of the window */
  for (guint i = 1; i <= 8; i++) {
    seq += 40 + 10 * i;
    rc_lossevents_on_loss (&events, seq, GAP, 0, seq * RC_SECOND);
    sum += w[8 - i] * (40 + 10 * i);
  }
  fail_unless (fabs (rc_lossevents_ratio (&events, seq) - 6 / sum) < 1e-12);
  /* The interval since the last event counts once it raises the mean, and only then. */
  fail_unless (fabs (rc_lossevents_ratio (&events, seq + 60) - 6 / sum) < 1e-12);
  sum = w[0] * 151;
  for (guint i = 1; i < 8; i++)
    sum += w[i] * (40 + 10 * (9 - i));
  fail_unless (fabs (rc_lossevents_ratio (&events, seq + 150) - 6 / sum) < 1e-12);
}

/* [RFC 5348 5.5]: I_1 .. I_4 = 100. I_0 = 400 makes DF = 1/2: (400 + 3 * 50) / (1 + 3 / 2) =
 * 220; I_0 = 2000 the least, 1/4: (2000 + 3 * 25) / (1 + 3 / 4) = 1185.7. After the next event
 * the halved weights stay: I_1 = 400, I_2 .. I_5 = 100 at 1/2. */
CLAIM (test_long_time_without_a_loss_discounts_what_was_before)
{
  RcLossEvents events;
  guint32 seq = 0;

  rc_lossevents_init (&events);
  rc_lossevents_on_loss (&events, seq, 0, 100, 0);
  for (guint i = 0; i < 3; i++) {
    seq += 100;
    rc_lossevents_on_loss (&events, seq, GAP, 0, seq * RC_SECOND);
  }
  fail_unless (fabs (rc_lossevents_ratio (&events, seq + 199) - 4 / 500.0) < 1e-12, "not yet");
  fail_unless (fabs (rc_lossevents_ratio (&events, seq + 399) - 1 / 220.0) < 1e-12);
  fail_unless (fabs (rc_lossevents_ratio (&events, seq + 1999) - 1.75 / 2075) < 1e-12);
  seq += 400;
  rc_lossevents_on_loss (&events, seq, GAP, 0, seq * RC_SECOND);
  fail_unless (fabs (rc_lossevents_ratio (&events,
              seq) - (1 + 1.5 + 0.4) / (400 + 150 + 40)) < 1e-12);
}

CLAIM (test_before_the_first_event_there_is_no_ratio)
{
  RcLossEvents events;

  rc_lossevents_init (&events);
  fail_unless (rc_lossevents_ratio (&events, 1000000) == 0);
  rc_lossevents_on_loss (&events, 2, 0, 0.01, GAP);
  fail_unless (rc_lossevents_ratio (&events, 2) == 1, "never above 1");
}

CLAIM (test_numbers_that_wrap_are_counted_on)
{
  RcLossEvents events;

  rc_lossevents_init (&events);
  rc_lossevents_on_loss (&events, UINT32_MAX - 9, 0, 100, 0);
  fail_unless (rc_lossevents_on_loss (&events, 10, GAP, 0, RC_SECOND));
  fail_unless (events.closed_pkts[0] == 20);
}
