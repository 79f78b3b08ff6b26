/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <math.h>
#include <lossevents.h>
#include <rc/receiver/receiver.h>
#include <tcpequation.h>

#include "claim.h"

static void
expect (double value, double expected, double tolerance)
{
  fail_unless (fabs (value / expected - 1) < tolerance, "%g, not %g", value, expected);
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
    expect (tcp_equation_bps (rows[i].s, rows[i].rtt, rows[i].p), rows[i].bps, 1e-6);
    /* [RFC 5348 6.3.1]: "within 5 %" would do */
    expect (tcp_equation_loss (rows[i].s, rows[i].rtt, rows[i].bps), rows[i].p, 1e-5);
  }
}

/* --- events --- */

/* [RFC 5348 5.4]: closed intervals 50, 60 .. 120, the newest 120; alike enough that none is
 * discounted */
CLAIM (test_ratio_is_one_over_the_weighted_mean_of_eight_intervals)
{
  static const double w[] = { 1, 1, 1, 1, 0.8, 0.6, 0.4, 0.2 };
  double sum = 0;
  TfrcEvents events = { {0} };
  guint32 seq = 0;

  tfrc_events_on_loss (&events, seq, 0, 45, 0); /* must fall out of the window */
  for (guint i = 1; i <= 8; i++) {
    seq += 40 + 10 * i;
    tfrc_events_on_loss (&events, seq, RC_MSEC, 0, seq * RC_SECOND);
    sum += w[8 - i] * (40 + 10 * i);
  }
  expect (tfrc_events_ratio (&events, seq), 6 / sum, 1e-12);
  /* The interval since the last event counts once it raises the mean, and only then. */
  expect (tfrc_events_ratio (&events, seq + 60), 6 / sum, 1e-12);
  sum = w[0] * 151;
  for (guint i = 1; i < 8; i++)
    sum += w[i] * (40 + 10 * (9 - i));
  expect (tfrc_events_ratio (&events, seq + 150), 6 / sum, 1e-12);
}

/* [RFC 5348 5.5]: I_1 .. I_4 = 100. I_0 = 400 makes DF = 1/2: (400 + 3 * 50) / (1 + 3 / 2) =
 * 220; I_0 = 2000 the least, 1/4: (2000 + 3 * 25) / (1 + 3 / 4) = 1185.7. After the next event
 * the halved weights stay: I_1 = 400, I_2 .. I_5 = 100 at 1/2. */
CLAIM (test_long_time_without_a_loss_discounts_what_was_before)
{
  TfrcEvents events = { {0} };
  guint32 seq = UINT32_MAX - 150;       /* wraps */

  tfrc_events_on_loss (&events, seq, 0, 100, 0);
  for (guint i = 0; i < 3; i++) {
    seq += 100;
    tfrc_events_on_loss (&events, seq, RC_MSEC, 0, (i + 1) * RC_SECOND);
  }
  expect (tfrc_events_ratio (&events, seq + 199), 4 / 500.0, 1e-12);
  expect (tfrc_events_ratio (&events, seq + 399), 1 / 220.0, 1e-12);
  expect (tfrc_events_ratio (&events, seq + 1999), 1.75 / 2075, 1e-12);
  seq += 400;
  tfrc_events_on_loss (&events, seq, RC_MSEC, 0, 5 * RC_SECOND);
  expect (tfrc_events_ratio (&events, seq), (1 + 1.5 + 0.4) / (400 + 150 + 40), 1e-12);
}

CLAIM (test_before_the_first_event_there_is_no_ratio)
{
  TfrcEvents events = { {0} };

  fail_unless (tfrc_events_ratio (&events, 1000000) == 0);
  tfrc_events_on_loss (&events, 2, 0, 0.01, RC_MSEC);
  fail_unless (tfrc_events_ratio (&events, 2) == 1, "never above 1");
}

/* --- beside a receiver --- */

static RcReceiver receiver;
static TfrcLosses losses;
static RcTime now;
static guint16 next_seq;

static void
reset (void)
{
  now = RC_SECOND;
  next_seq = 65000;
  rc_receiver_init (&receiver, 1, RC_BWFILTER_TAU);
  tfrc_losses_init (&losses);
}

BEFORE_EACH
{
  reset ();
}

/* A packet each `gap`, for `span`. */
static void
stream (RcTime gap, RcTime span)
{
  for (RcTime end = now + span; now < end;) {
    RcLossHist before = receiver.stats.loss;

    now += gap;
    tfrc_losses_on_packet (&losses, &before, &receiver.stats.loss,
        rc_receiver_on_packet (&receiver, next_seq++, 1000, FALSE, now), now);
  }
}

/* As the sender hears of it. */
static double
ratio (void)
{
  guint8 bytes[RC_WIRE_MAX_BYTES + TFRC_BLOCK_BYTES];
  RcReport report;
  gsize n;

  rc_receiver_report (&receiver, now, &report);
  n = rc_wire_encode_report (&report, bytes, RC_WIRE_MAX_BYTES);
  return tfrc_losses_read (bytes, n + tfrc_losses_put (&losses, report.highest_seq, bytes + n));
}

/* [RFC 5348 6.3.1]: 1000 bytes each 10 ms are 800 kbit/s; at 100 ms the equation gives that for p =
 * 0.01217. The largest X_recv so far counts, not the last: 5 ms apart make 20 in 100 ms, and
 * python3 -c "p=.003523; print (1 / ((2*p/3)**.5 + 12*(3*p/8)**.5*p*(1+32*p*p)))" is 20. */
CLAIM (test_first_loss_event_starts_from_the_receive_rate)
{
  static const struct { guint before_ms, most_ms; double p; } rows[] = {
    {10, 10, 0.01217}, {20, 5, 0.003523},
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    reset ();
    tfrc_losses_set_srtt (&losses, 100 * RC_MSEC, now);
    stream (rows[i].before_ms * RC_MSEC, RC_SECOND);
    stream (rows[i].most_ms * RC_MSEC, RC_SECOND);
    stream (rows[i].before_ms * RC_MSEC, RC_SECOND);
    fail_unless (ratio () == 0);
    next_seq++;
    stream (rows[i].before_ms * RC_MSEC, 80 * RC_MSEC);
    expect (ratio (), rows[i].p, 0.05);
  }
}

/* The RTT that losses before the first info assume is replaced by the true one: 1 packet each ms,
 * 20 a round trip of 20 ms. */
CLAIM (test_first_loss_event_takes_the_rtt_once_it_is_told)
{
  stream (RC_MSEC, 300 * RC_MSEC);
  next_seq++;
  stream (RC_MSEC, 10 * RC_MSEC);
  tfrc_losses_set_srtt (&losses, 20 * RC_MSEC, now);
  expect (ratio (), 0.003523, 0.05);
}

/* [RFC 5348 5.2]: two within a round trip are one, and T_loss is between the neighbours of the
 * hole, however late it is found: 500 ms apart, at a round trip just below and above that. */
CLAIM (test_losses_within_a_round_trip_are_one_event)
{
  static const struct { guint rtt_ms; double p; } rows[] = { {50, 1 / 50.0}, {490, 1 / 50.0},
    {510, 1 / 100.0}
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    reset ();
    tfrc_losses_set_srtt (&losses, rows[i].rtt_ms * RC_MSEC, now);
    for (guint k = 0; k < 40; k++) {
      stream (10 * RC_MSEC, 480 * RC_MSEC);
      next_seq += 2;
      now += 20 * RC_MSEC;
    }
    stream (10 * RC_MSEC, 40 * RC_MSEC);
    expect (ratio (), rows[i].p, 0.03);
  }
}

CLAIM (test_restarted_sender_does_not_lengthen_the_loss_interval)
{
  double before;

  tfrc_losses_set_srtt (&losses, 50 * RC_MSEC, now);
  for (guint i = 0; i < 20; i++) {
    stream (10 * RC_MSEC, 490 * RC_MSEC);
    next_seq++;
  }
  stream (10 * RC_MSEC, 40 * RC_MSEC);
  before = ratio ();
  next_seq += 20000;
  stream (10 * RC_MSEC, 40 * RC_MSEC);
  fail_unless (ratio () == before);
}
