/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The ARC receiver: when to report.
 *
 * In a nutshell: packets go through the receive statistics (receivestats.h). due_at() says when
 * their summary is sent:
 *   after the wanted interval, in [MIN_INTERVAL, MAX_INTERVAL], or STRETCHED_INTERVAL while too
 *   little
 *     media came
 *   at a loss, or the answer to a sender that probes: at once, MIN_INTERVAL / 4 after the report
 *     before
 *   at each packet of the first round trip             [ARC 3.1.3]
 *
 * Inputs: packets (RTP bytes), the sender's infos, time. Outputs: due time, RcReport.
 * Source: [ARC 3.1.3]; RFC 3550 6.2 for the share of the feedback.
 * Where we differ from the paper and why: the first round trip ends after MAX_INTERVAL at the
 * latest. A sender that never announces its SRTT must not cost one report a packet for ever. */
#include <rc/receiver/receiver.h>

#include <string.h>

static bool
in_first_round_trip (const RcReceiver *self, RcTime now)
{
  return self->stats.loss.primed && self->stats.srtt == RC_TIME_NONE
      && now - self->stats.started_at < RC_RECEIVER_MAX_INTERVAL;
}

static RcTime
clamp_interval (RcTime interval)
{
  if (interval < RC_RECEIVER_MIN_INTERVAL)
    return RC_RECEIVER_MIN_INTERVAL;
  return interval > RC_RECEIVER_MAX_INTERVAL ? RC_RECEIVER_MAX_INTERVAL : interval;
}

/* What came since the last report must pay for the next one; a trickle is still reported each
 * STRETCHED_INTERVAL. */
static RcTime
report_interval (const RcReceiver *self)
{
  RcTime interval = self->wanted_interval
      == RC_TIME_NONE ? RC_RECEIVER_DEFAULT_INTERVAL : self->wanted_interval;
  bool paid = self->stats.received_bytes - self->reported_bytes >= RC_RECEIVER_PAYING_BYTES;

  if (!paid && interval < RC_RECEIVER_STRETCHED_INTERVAL)
    interval = RC_RECEIVER_STRETCHED_INTERVAL;
  return clamp_interval (interval);
}

void
rc_receiver_init (RcReceiver *self, uint32_t ssrc, RcTime tau)
{
  memset (self, 0, sizeof *self);
  self->ssrc = ssrc;
  self->wanted_interval = self->reported_at = RC_TIME_NONE;
  rc_receivestats_init (&self->stats, tau);
}

RcLossVerdict
rc_receiver_on_packet (RcReceiver *self, uint16_t seq, uint32_t size_bytes, bool ecn_ce, RcTime now)
{
  RcArrived arrived = rc_receivestats_on_packet (&self->stats, seq, size_bytes, ecn_ce, now);

  if (self->stats.counted
      && (arrived.lost || arrived.marked || arrived.resumed || in_first_round_trip (self, now)))
    self->report_now = true;
  return arrived.verdict;
}

void
rc_receiver_on_ecn (RcReceiver *self, RcEcnBits bits)
{
  rc_receivestats_on_ecn (&self->stats, bits);
}

void
rc_receiver_on_stamp (RcReceiver *self, uint64_t bps)
{
  rc_receivestats_on_stamp (&self->stats, bps);
}

void
rc_receiver_on_info (RcReceiver *self, const RcSenderInfo *info, RcTime now)
{
  self->stats.srtt = info->srtt_us > 0 ? (RcTime) info->srtt_us * RC_USEC : RC_TIME_NONE;
  self->wanted_interval = (RcTime) info->report_interval_us * RC_USEC;
  if (rc_receivestats_paused (&self->stats, now))
    self->report_now = true;
}

RcTime
rc_receiver_due_at (const RcReceiver *self, RcTime now)
{
  bool set_back = self->reported_at > now;      /* the caller's clock */

  if (self->report_now) {
    if (self->reported_at == RC_TIME_NONE || set_back || in_first_round_trip (self, now))
      return now;
    return self->reported_at + RC_RECEIVER_MIN_INTERVAL / 4;
  }
  if (!self->stats.loss.primed)
    return RC_TIME_NONE;
  if (set_back)
    return now;
  if (self->reported_at - self->stats.last_arrived_at >= RC_RECEIVER_MAX_INTERVAL)
    return RC_TIME_NONE;
  return self->reported_at + report_interval (self);
}

void
rc_receiver_report (RcReceiver *self, RcTime now, RcReport *report)
{
  memset (report, 0, sizeof *report);
  report->ssrc = self->ssrc;
  report->number = ++self->number;
  self->report_now = false;
  self->reported_at = now;
  self->reported_bytes = self->stats.received_bytes;
  rc_receivestats_sum_up (&self->stats, now, report);
}
