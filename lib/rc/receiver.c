/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The ARC receiver.
 *
 * In a nutshell: packets go through the loss history and are counted; a report takes a bandwidth sample
 *   B(k) = D(k) / T(k)                           [ARC 3.1.3]  D bytes since the last sample, T seconds ago
 * filters it (bwfilter.h) and copies the counters. due_at() says when:
 *   after the wanted interval, in [MIN_INTERVAL, MAX_INTERVAL], or STRETCHED_INTERVAL while too little media came
 *   at a loss, or the answer to a sender that probes: at once, MIN_INTERVAL / 4 after the report before
 *   at each packet of the first round trip             [ARC 3.1.3]
 *
 * Inputs: packets (RTP bytes), what the sender told, time. Outputs: due time, RcReport.
 * Source: [ARC 3.1.3]; RFC 3550 6.2 for the share of the feedback.
 * Where we differ from the paper and why:
 *   - the first round trip ends after MAX_INTERVAL at the latest: a sender that never tells its SRTT must not cost one
 *     report a packet for ever;
 *   - a sample takes at least MIN_INTERVAL, and reports in between repeat the last one: two packets back to back would
 *     measure the line, not the path;
 *   - after a pause the filter begins anew: the pause says nothing about the path. */
#include <rc/receiver.h>

#include <string.h>

static bool
media_paused (const RcReceiver *self, RcTime now)
{
  return !self->loss.primed || now - self->last_arrived_at > RC_RECEIVER_MAX_INTERVAL;
}

static bool
in_first_round_trip (const RcReceiver *self, RcTime now)
{
  return self->loss.primed && !self->has_srtt && now - self->started_at < RC_RECEIVER_MAX_INTERVAL;
}

static RcTime
clamp_interval (RcTime interval)
{
  if (interval < RC_RECEIVER_MIN_INTERVAL)
    return RC_RECEIVER_MIN_INTERVAL;
  return interval > RC_RECEIVER_MAX_INTERVAL ? RC_RECEIVER_MAX_INTERVAL : interval;
}

/* What came since the last report must pay for the next one; a trickle is still reported each STRETCHED_INTERVAL. */
static RcTime
report_interval (const RcReceiver *self)
{
  RcTime interval = self->wanted_interval == RC_TIME_NONE ? RC_RECEIVER_DEFAULT_INTERVAL : self->wanted_interval;
  bool paid = self->received_bytes - self->reported_bytes >= RC_RECEIVER_PAYING_BYTES;

  if (!paid && interval < RC_RECEIVER_STRETCHED_INTERVAL)
    interval = RC_RECEIVER_STRETCHED_INTERVAL;
  return clamp_interval (interval);
}

/* The next sample covers what comes after now. */
static void
restart_sampling (RcReceiver *self, RcTime now)
{
  self->sampled_at = now;
  self->sampled_bytes = self->received_bytes;
  self->bandwidth.primed = false;
}

static void
sample_bandwidth (RcReceiver *self, RcTime now)
{
  if (now - self->sampled_at < RC_RECEIVER_MIN_INTERVAL)
    return;
  rc_bwfilter_sample (&self->bandwidth, self->received_bytes - self->sampled_bytes, now - self->sampled_at);
  self->sampled_at = now;
  self->sampled_bytes = self->received_bytes;
}

static uint64_t
to_bps (double bps)
{
  return (uint64_t) (rc_clampd (bps, 0, (double) RC_WIRE_MAX_BPS) + 0.5);
}

void
rc_receiver_init (RcReceiver *self, uint32_t ssrc, RcTime tau)
{
  memset (self, 0, sizeof *self);
  self->ssrc = ssrc;
  self->wanted_interval = RC_TIME_NONE;
  self->reported_at = RC_TIME_NONE;
  rc_losshist_init (&self->loss);
  rc_bwfilter_init (&self->bandwidth, tau);
}

RcLossVerdict
rc_receiver_on_packet (RcReceiver *self, uint16_t seq, uint32_t size_bytes, bool ecn_ce, RcTime now)
{
  bool first = !self->loss.primed, resumed = media_paused (self, now);
  uint32_t new_losses;
  RcLossVerdict verdict = rc_losshist_on_packet (&self->loss, seq, &new_losses);

  if (verdict == RC_LOSSHIST_STRAY || verdict == RC_LOSSHIST_DUPLICATE)
    return verdict;
  self->received_bytes += size_bytes;
  self->ce_pkts += ecn_ce;
  self->last_arrived_at = now;
  if (verdict != RC_LOSSHIST_LATE)
    self->highest_arrived_at = now;
  if (first)
    self->started_at = now;
  if (resumed)
    restart_sampling (self, now);
  if (new_losses > 0 || resumed || in_first_round_trip (self, now))
    self->report_now = true;
  return verdict;
}

void
rc_receiver_on_info (RcReceiver *self, const RcSenderInfo *info, RcTime now)
{
  self->has_srtt = info->srtt_us > 0;
  self->wanted_interval = (RcTime) info->report_interval_us * RC_USEC;
  if (media_paused (self, now))
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
  if (!self->loss.primed)
    return RC_TIME_NONE;
  if (set_back)
    return now;
  if (self->reported_at - self->last_arrived_at >= RC_RECEIVER_MAX_INTERVAL)
    return RC_TIME_NONE;
  return self->reported_at + report_interval (self);
}

void
rc_receiver_report (RcReceiver *self, RcTime now, RcReport *report)
{
  RcTime hold = now > self->highest_arrived_at ? now - self->highest_arrived_at : 0;

  memset (report, 0, sizeof *report);
  report->ssrc = self->ssrc;
  report->number = ++self->number;
  report->explicit_rate_bps = self->explicit_rate_bps;
  self->report_now = false;
  self->reported_at = now;
  self->reported_bytes = self->received_bytes;
  if (!self->loss.primed)
    return;

  sample_bandwidth (self, now);
  report->highest_seq = self->loss.highest_seq;
  report->arrival_us_remote = (uint64_t) (self->highest_arrived_at / RC_USEC);
  report->hold_us = hold / RC_USEC < UINT32_MAX ? (uint32_t) (hold / RC_USEC) : UINT32_MAX;
  report->bandwidth_bps = to_bps (self->bandwidth.filtered_bps);
  report->bandwidth_raw_bps = to_bps (self->bandwidth.raw_bps);
  report->received_pkts = self->loss.received_pkts;
  report->lost_pkts = self->loss.lost_pkts;
  report->ce_pkts = self->ce_pkts;
  report->received_bytes = self->received_bytes;
}
