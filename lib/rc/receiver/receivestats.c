/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/receiver/receivestats.h>

#include <string.h>

#define UNTOLD_RTT (100 * RC_MSEC)      /* usual on the Internet */

void
rc_receivestats_init (RcReceiveStats *self, RcTime tau)
{
  memset (self, 0, sizeof *self);
  rc_losshist_init (&self->loss);
  self->srtt = self->congested_at = RC_TIME_NONE;
  rc_bwfilter_init (&self->bandwidth, tau);
  rc_arrivaltimes_init (&self->times);
}

bool
rc_receivestats_paused (const RcReceiveStats *self, RcTime now)
{
  return !self->loss.primed || now - self->last_arrived_at > RC_BWFILTER_PAUSE;
}

static uint64_t
to_bps (double bps)
{
  return (uint64_t) (rc_clampd (bps, 0, (double) RC_WIRE_MAX_BPS) + 0.5);
}

/* Losses and marks within one round trip are one congestion [RFC 5348 5.2]. true: it begins one. */
static bool
begins_congestion (RcReceiveStats *self, RcTime now)
{
  RcTime rtt = self->srtt == RC_TIME_NONE ? UNTOLD_RTT : self->srtt;

  if (self->congested_at != RC_TIME_NONE && now <= self->congested_at + rtt)
    return false;
  self->congested_at = now;
  return true;
}

/* --- inputs --- */

static void
note_time (RcReceiveStats *self, uint16_t seq, RcLossVerdict verdict, RcTime now)
{
  uint32_t highest = self->loss.highest_seq;

  if (verdict == RC_LOSSHIST_RESTARTED)
    rc_arrivaltimes_init (&self->times);
  rc_arrivaltimes_note (&self->times, highest - (uint16_t) (highest - seq), now);
}

RcArrived
rc_receivestats_on_packet (RcReceiveStats *self, uint16_t seq, uint32_t size_bytes, bool ecn_ce,
    RcTime now)
{
  bool first = !self->loss.primed;
  RcArrived arrived = { .resumed = rc_receivestats_paused (self, now) };
  uint32_t new_losses;

  if (arrived.resumed)
    rc_losshist_on_pause (&self->loss);
  arrived.verdict = rc_losshist_on_packet (&self->loss, seq, &new_losses);
  self->counted = arrived.verdict != RC_LOSSHIST_STRAY && arrived.verdict != RC_LOSSHIST_DUPLICATE;
  if (!self->counted)
    return (RcArrived) { .verdict = arrived.verdict };
  self->received_bytes += size_bytes;
  self->ce_pkts += ecn_ce;
  self->last_arrived_at = now;
  if (arrived.verdict != RC_LOSSHIST_LATE)
    self->highest_arrived_at = now;
  if (first)
    self->started_at = now;
  note_time (self, seq, arrived.verdict, now);
  arrived.lost = new_losses > 0;
  arrived.marked = (arrived.lost || ecn_ce) && begins_congestion (self, now) && ecn_ce;
  if (arrived.resumed)
    rc_bwfilter_restart (&self->bandwidth, self->received_bytes, now);
  return arrived;
}

void
rc_receivestats_on_ecn (RcReceiveStats *self, RcEcnBits bits)
{
  self->ecn_read = true;
  self->ecn_pkts += bits != RC_ECN_BITS_NOT_ECT && self->counted;
  self->ect1_pkts += bits == RC_ECN_BITS_ECT_1 && self->counted;
}

void
rc_receivestats_on_stamp (RcReceiveStats *self, uint64_t bps)
{
  self->explicit_rate_bps = bps < RC_WIRE_MAX_BPS ? bps : RC_WIRE_MAX_BPS;
}

void
rc_receivestats_sum_up (RcReceiveStats *self, RcTime now, RcReport *report)
{
  RcTime hold = now > self->highest_arrived_at ? now - self->highest_arrived_at : 0, told_at;

  report->explicit_rate_bps = self->explicit_rate_bps;
  if (!self->loss.primed)
    return;
  rc_bwfilter_follow (&self->bandwidth, self->received_bytes, now);
  report->highest_seq = self->loss.highest_seq;
  report->arrival_us_remote = (uint64_t) (self->highest_arrived_at / RC_USEC);
  report->hold_us = hold / RC_USEC < UINT32_MAX ? (uint32_t) (hold / RC_USEC) : UINT32_MAX;
  report->bandwidth_bps = to_bps (self->bandwidth.filtered_bps);
  report->received_pkts = self->loss.received_pkts;
  report->lost_pkts = self->loss.lost_pkts;
  report->ce_pkts = self->ce_pkts;
  report->ecn_read = self->ecn_read;
  report->ecn_pkts = self->ecn_pkts;
  report->ect1_pkts = self->ect1_pkts;
  report->received_bytes = self->received_bytes;
  told_at = (RcTime) (report->arrival_us_remote + report->hold_us) * RC_USEC;
  rc_arrivaltimes_tell (&self->times, told_at, &report->arrivals);
  if (report->arrivals.n == 1 && report->arrivals.first == (uint16_t) report->highest_seq)
    report->arrivals.n = 0;     /* the report itself covers that one */
}
