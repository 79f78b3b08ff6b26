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
#include <rc/tcpequation.h>

#include <math.h>
#include <string.h>

#define UNTOLD_RTT (100 * RC_MSEC)      /* of loss events, until the sender tells its SRTT: usual on the Internet */

static bool
media_paused (const RcReceiver *self, RcTime now)
{
  return !self->loss.primed || now - self->last_arrived_at > RC_RECEIVER_MAX_INTERVAL;
}

static bool
in_first_round_trip (const RcReceiver *self, RcTime now)
{
  return self->loss.primed && self->srtt == RC_TIME_NONE && now - self->started_at < RC_RECEIVER_MAX_INTERVAL;
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

static uint32_t
to_q32 (double ratio)
{
  return (uint32_t) rc_clampd (ceil (ratio * 0x1p32), 0, UINT32_MAX);
}

/* --- loss events --- */

static RcTime
event_rtt (const RcReceiver *self)
{
  return self->srtt == RC_TIME_NONE ? UNTOLD_RTT : self->srtt;
}

/* The interval before the first loss is the one at which the equation gives the largest X_recv so far [RFC 5348 6.3.1]. In packets a second,
 * so that sizes cancel. A loss within the first round trip leaves only what came in it. */
static double
first_interval_pkts (const RcReceiver *self, RcTime now)
{
  RcTime rtt = event_rtt (self), span = now - self->counted_from > rtt ? now - self->counted_from : rtt;
  double pps = self->most_pps > 0 ? self->most_pps : (self->counted_pkts + 1) / rc_time_to_s (span);

  return 1 / rc_tcp_equation_loss (1, rc_time_to_s (rtt), pps);
}

/* Over one round trip after the other: less would take a burst for the rate. */
static void
count_rate (RcReceiver *self, RcTime now)
{
  RcTime span = now - self->counted_from;

  self->counted_pkts++;
  if (self->events.any || (span >= 0 && span < event_rtt (self)))
    return;
  if (span > 0 && self->counted_pkts / rc_time_to_s (span) > self->most_pps)
    self->most_pps = self->counted_pkts / rc_time_to_s (span);
  self->counted_from = now;
  self->counted_pkts = 0;
}

/* true: it began an event. */
static bool
count_loss (RcReceiver *self, uint32_t seq, RcTime now)
{
  double first_pkts = self->events.any ? 0 : first_interval_pkts (self, now);

  return rc_lossevents_on_loss (&self->events, seq, event_rtt (self), first_pkts, now);
}

/* Those that were judged by this packet. What left the window unseen is older than any event that could still begin. */
static void
count_losses (RcReceiver *self, uint32_t judged_seq, RcTime now)
{
  uint32_t oldest = self->loss.highest_seq - RC_LOSSHIST_WINDOW + 1, seq = judged_seq + 1;

  if ((int32_t) (oldest - seq) > 0)
    seq = oldest;
  for (; (int32_t) (self->loss.judged_seq - seq) >= 0; seq++)
    if (!rc_losshist_seen (&self->loss, seq))
      count_loss (self, seq, now);
}

void
rc_receiver_init (RcReceiver *self, uint32_t ssrc, RcTime tau)
{
  memset (self, 0, sizeof *self);
  self->ssrc = ssrc;
  self->wanted_interval = self->srtt = RC_TIME_NONE;
  self->reported_at = RC_TIME_NONE;
  rc_losshist_init (&self->loss);
  rc_lossevents_init (&self->events);
  rc_bwfilter_init (&self->bandwidth, tau);
}

RcLossVerdict
rc_receiver_on_packet (RcReceiver *self, uint16_t seq, uint32_t size_bytes, bool ecn_ce, RcTime now)
{
  bool first = !self->loss.primed, resumed = media_paused (self, now);
  uint32_t new_losses, judged_seq = self->loss.judged_seq, highest_seq = self->loss.highest_seq;
  RcLossVerdict verdict = rc_losshist_on_packet (&self->loss, seq, &new_losses);

  self->counted = verdict != RC_LOSSHIST_STRAY && verdict != RC_LOSSHIST_DUPLICATE;
  if (!self->counted)
    return verdict;
  self->received_bytes += size_bytes;
  self->ce_pkts += ecn_ce;
  self->last_arrived_at = now;
  if (verdict != RC_LOSSHIST_LATE)
    self->highest_arrived_at = now;
  if (first)
    self->started_at = self->counted_from = now;
  else
    count_rate (self, now);
  if (verdict == RC_LOSSHIST_NEW || verdict == RC_LOSSHIST_RESTARTED)
    rc_lossevents_on_arrival (&self->events, self->loss.highest_seq, now);
  if (verdict == RC_LOSSHIST_RESTARTED)
    /* The jump is no part of a loss interval. */
    self->events.first_seq += self->loss.highest_seq - (highest_seq + 1);
  else if (new_losses > 0)
    count_losses (self, judged_seq, now);
  if (ecn_ce && count_loss (self, self->loss.highest_seq, now))
    self->report_now = true;
  if (resumed)
    restart_sampling (self, now);
  if (new_losses > 0 || resumed || in_first_round_trip (self, now))
    self->report_now = true;
  return verdict;
}

void
rc_receiver_on_ecn (RcReceiver *self, bool capable)
{
  self->ecn_read = true;
  self->ecn_pkts += capable && self->counted;
}

void
rc_receiver_on_stamp (RcReceiver *self, uint64_t bps)
{
  self->explicit_rate_bps = bps < RC_WIRE_MAX_BPS ? bps : RC_WIRE_MAX_BPS;
}

void
rc_receiver_on_info (RcReceiver *self, const RcSenderInfo *info, RcTime now)
{
  bool told = self->srtt != RC_TIME_NONE;

  self->srtt = info->srtt_us > 0 ? (RcTime) info->srtt_us * RC_USEC : RC_TIME_NONE;
  self->wanted_interval = (RcTime) info->report_interval_us * RC_USEC;
  if (!told && self->events.n_closed == 1)
    /* It was made with an RTT out of the air, whose square it goes with. */
    self->events.closed_pkts[0] = first_interval_pkts (self, now);
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
  report->ecn_read = self->ecn_read;
  report->ecn_pkts = self->ecn_pkts;
  report->received_bytes = self->received_bytes;
  report->loss_event_q32 = to_q32 (rc_lossevents_ratio (&self->events, self->loss.highest_seq));
}
