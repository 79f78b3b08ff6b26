/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Loss events
 * ===========
 *
 * In a nutshell: losses within one round trip of the first of them are one loss event, because TCP
 * halves its window once for all of them. A loss interval is the number of packets from the start
 * of one event to the start of the next. The loss event rate p is one over the weighted mean of the
 * loss intervals.
 *
 * Model, in the RFC's symbols (code names in brackets):
 *
 *   [RFC 5348 5.2]   T_loss = T_before + (T_after - T_before) (S_loss - S_before)
 *                             / (S_after - S_before)                               lost_at ()
 *   [RFC 5348 5.2]   new event: T_loss > T_old + R
 *   [RFC 5348 5.3]   I_k = first lost of event k+1 - first lost of event k         [closed_pkts]
 *                    I_0 = packets since the last event
 *   [RFC 5348 5.4]   w   = 1, 1, 1, 1, 0.8, 0.6, 0.4, 0.2
 *   [RFC 5348 5.4]   I_mean = max (sum_0..n-1 I_i w_i / sum w, sum_1..n I_i w_i-1 / sum w)
 *                    p = 1 / I_mean                                    tfrc_events_ratio ()
 *
 * Where we differ, and why:
 *   - RcLossHist decides what is lost: a packet after which three later ones came, as 5.1 asks.
 *     A packet that is found again later does not undo its event. */
#include "lossevents.h"

#include "tcpequation.h"

#include <rc/base/bytes.h>
#include <rc/feedback/wire.h>

#include <math.h>
#include <string.h>

#define DISCOUNT_LEAST 0.25     /* THRESHOLD [RFC 5348 5.5] */
/* Of loss events, until SRTT is known: usual on the Internet. */
#define UNTOLD_RTT (100 * RC_MSEC)
#define BLOCK_TYPE 128          /* not one of wire.h, so lib skips it */

static const double weights[TFRC_INTERVALS] = { 1, 1, 1, 1, 0.8, 0.6, 0.4, 0.2 };

static double
open_interval (const TfrcEvents *self, uint32_t highest_seq)
{
  return (double) (uint32_t) (highest_seq - self->first_seq + 1);
}

/* DF: a long time without a loss makes what was before it count less. [RFC 5348 5.5] */
static double
discount (const TfrcEvents *self, double open_pkts)
{
  double total = 0, weight = 0;

  for (unsigned i = 0; i < self->n_closed; i++) {
    total += weights[i] * self->closed_pkts[i];
    weight += weights[i];
  }
  return rc_clampd (2 * total / weight / open_pkts, DISCOUNT_LEAST, 1);
}

static void
close_interval (TfrcEvents *self, double pkts)
{
  double gain = self->n_closed > 0 ? discount (self, pkts) : 1;

  if (self->n_closed < TFRC_INTERVALS)
    self->n_closed++;
  for (unsigned i = self->n_closed - 1; i > 0; i--) {
    self->closed_pkts[i] = self->closed_pkts[i - 1];
    self->discount_gain[i] = self->discount_gain[i - 1] * gain;
  }
  self->closed_pkts[0] = pkts;
  self->discount_gain[0] = 1;
}

bool
tfrc_events_on_loss (TfrcEvents *self, uint32_t seq, RcTime rtt, double first_pkts, RcTime at)
{
  if (self->any && at <= self->began_at + rtt)
    return false;
  close_interval (self,
      self->any ? (double) (seq - self->first_seq) : first_pkts > 1 ? first_pkts : 1);
  self->any = true;
  self->first_seq = seq;
  self->began_at = at;
  return true;
}

double
tfrc_events_ratio (const TfrcEvents *self, uint32_t highest_seq)
{
  double open, closed = 0, open_weight = weights[0], closed_weight = 0, gain, mean;

  if (!self->any)
    return 0;
  open = weights[0] * open_interval (self, highest_seq);
  gain = discount (self, open_interval (self, highest_seq));
  for (unsigned i = 0; i < self->n_closed; i++) {
    double w = weights[i] * self->discount_gain[i];

    closed += w * self->closed_pkts[i];
    closed_weight += w;
    if (i + 1 < self->n_closed) {
      w = weights[i + 1] * self->discount_gain[i] * gain;
      open += w * self->closed_pkts[i];
      open_weight += w;
    }
  }
  mean = fmax (open / open_weight, closed / closed_weight);
  return mean > 1 ? 1 / mean : 1;
}

/* --- when a packet was lost --- */

/* The nearest remembered packet from `seq` on, in steps of +1 or -1. RC_TIME_NONE: forgotten. */
static RcTime
nearest_arrival (const TfrcLosses *self, uint32_t seq, int step, unsigned *distance)
{
  for (*distance = 1; *distance < TFRC_ARRIVALS; ++*distance) {
    seq += (uint32_t) step;
    if (self->arrivals[seq % TFRC_ARRIVALS].seq == seq)
      return self->arrivals[seq % TFRC_ARRIVALS].at;
  }
  return RC_TIME_NONE;
}

static RcTime
lost_at (const TfrcLosses *self, uint32_t seq, RcTime now)
{
  unsigned back, on;
  RcTime before = nearest_arrival (self, seq, -1, &back),
      after = nearest_arrival (self, seq, 1, &on);

  if (before == RC_TIME_NONE || after == RC_TIME_NONE)
    return now;
  return before + (after - before) * back / (back + on);
}

/* --- the first interval --- */

static RcTime
event_rtt (const TfrcLosses *self)
{
  return self->srtt == RC_TIME_NONE ? UNTOLD_RTT : self->srtt;
}

/* The interval before the first loss is the one at which the equation gives the largest X_recv
 * so far [RFC 5348 6.3.1]. In packets a second, so that sizes cancel. A loss within the first
 * round trip leaves only what came in it. */
static double
first_interval_pkts (const TfrcLosses *self, RcTime now)
{
  RcTime rtt = event_rtt (self),
      span = now - self->counted_from > rtt ? now - self->counted_from : rtt;
  double pps = self->most_pps > 0 ? self->most_pps : (self->counted_pkts + 1) / rc_time_to_s (span);

  return 1 / tcp_equation_loss (1, rc_time_to_s (rtt), pps);
}

/* Over one round trip after the other: less would take a burst for the rate. */
static void
count_rate (TfrcLosses *self, RcTime now)
{
  RcTime span = now - self->counted_from;

  if (self->counted_from == RC_TIME_NONE) {
    self->counted_from = now;
    return;
  }
  self->counted_pkts++;
  if (self->events.any || (span >= 0 && span < event_rtt (self)))
    return;
  if (span > 0 && self->counted_pkts / rc_time_to_s (span) > self->most_pps)
    self->most_pps = self->counted_pkts / rc_time_to_s (span);
  self->counted_from = now;
  self->counted_pkts = 0;
}

/* --- packets in, a ratio out --- */

void
tfrc_losses_init (TfrcLosses *self)
{
  *self = (TfrcLosses) { .srtt = RC_TIME_NONE, .counted_from = RC_TIME_NONE };
  for (unsigned i = 0; i < TFRC_ARRIVALS; i++)
    self->arrivals[i].at = RC_TIME_NONE;
}

/* What left the window unseen is older than any event that could still begin. */
static void
count_losses (TfrcLosses *self, const RcLossHist *history, uint32_t seq, RcTime now)
{
  uint32_t oldest = history->highest_seq - RC_LOSSHIST_WINDOW + 1;

  if ((int32_t) (oldest - seq) > 0)
    seq = oldest;
  for (; (int32_t) (history->judged_seq - seq) >= 0; seq++)
    if (!rc_losshist_seen (history, seq))
      tfrc_events_on_loss (&self->events, seq, event_rtt (self),
          self->events.any ? 0 : first_interval_pkts (self, now), lost_at (self, seq, now));
}

void
tfrc_losses_on_packet (TfrcLosses *self, const RcLossHist *before, const RcLossHist *after,
    RcLossVerdict verdict, RcTime now)
{
  if (verdict == RC_LOSSHIST_STRAY || verdict == RC_LOSSHIST_DUPLICATE)
    return;
  count_rate (self, now);
  if (verdict != RC_LOSSHIST_LATE)
    self->arrivals[after->highest_seq % TFRC_ARRIVALS] = (TfrcArrival) { after->highest_seq, now };
  if (verdict == RC_LOSSHIST_RESTARTED)
    /* The jump is no part of a loss interval. */
    self->events.first_seq += after->highest_seq - (before->highest_seq + 1);
  else if (before->primed)
    count_losses (self, after, before->judged_seq + 1, now);
}

void
tfrc_losses_set_srtt (TfrcLosses *self, RcTime srtt, RcTime now)
{
  bool known = self->srtt != RC_TIME_NONE;

  self->srtt = srtt;
  if (!known && self->events.n_closed == 1)
    /* It was made with an RTT out of the air, whose square it goes with. */
    self->events.closed_pkts[0] = first_interval_pkts (self, now);
}

size_t
tfrc_losses_put (const TfrcLosses *self, uint32_t highest_seq, uint8_t *at)
{
  double ratio = tfrc_events_ratio (&self->events, highest_seq);

  if (ratio == 0)
    return 0;
  rc_put32 (at, (uint32_t) BLOCK_TYPE << 24 | 1 << 16);
  rc_put32 (at + 4, (uint32_t) fmin (ceil (ratio * 0x1p32), UINT32_MAX));
  return TFRC_BLOCK_BYTES;
}

double
tfrc_losses_read (const uint8_t *report, size_t n)
{
  for (size_t at = RC_WIRE_REPORT_BYTES; at + TFRC_BLOCK_BYTES <= n; at += 4 + 4u * report[at + 1])
    if (report[at] == BLOCK_TYPE)
      return rc_get32 (report + at + 4) * 0x1p-32;
  return 0;
}
