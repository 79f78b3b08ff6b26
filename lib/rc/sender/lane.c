/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/sender/lane.h>

#include <rc/feedback/feedback.h>
#include <rc/law/slow.h>
#include <rc/sender/laneparts.h>
#include <string.h>

_Static_assert (sizeof (RcLane) <= sizeof (RcLaneMemory), "RC_LANE_BYTES");

static RcController *
law (RcLane *self)
{
  return self->is_slow ? &self->slow : &self->controller;
}

const RcController *
rc_lane_law (const RcLane *self)
{
  return self->is_slow ? &self->slow : &self->controller;
}

/* The law does not look for the capacity: the user or the source wants no more. */
static bool
is_bound (const RcLane *self)
{
  return self->decision.cause == RC_CAUSE_APPLICATION
      || (self->decision.cause == RC_CAUSE_USER
      && self->decision.rate_bps > self->limits.min_bps);
}

/* The law has spoken. */
static void
decide (RcLane *self, RcDecision decision, RcTime now)
{
  bool stopped = rc_controller_is_stopped (law (self)) || self->farewell.left;

  self->decision = decision;
  if (!is_bound (self)) {
    rc_paceplan_stop (&self->pace, now);
    self->gate.gain = 1;
    rc_rmc_set_slot (&self->gate.rmc, self->pace.slot, false);
  }
  if (rc_gate_set (&self->gate, decision.rate_bps, stopped, now))
    rc_ecn_init (&self->ecn, self->ecn.scalable);       /* perhaps the path drops marked packets */
  rc_infoclock_on_change (&self->gate.infos, rc_lane_srtt (self), decision.report_interval, now);
}

/* The same as before, as it is after most packets. */
static void
decide_again (RcLane *self, RcDecision decision, RcTime now)
{
  const RcDecision *before = &self->decision;

  if (decision.rate_bps == before->rate_bps && decision.cause == before->cause
      && decision.report_interval == before->report_interval && decision.fell == before->fell
      && rc_controller_is_stopped (law (self)) == self->gate.stopped && !self->farewell.left)
    self->decision = decision;
  else
    decide (self, decision, now);
}

void
rc_lane_init (RcLane *self, const RcSenderConfig *config, const RcLimits *limits, RcSrClock *srs,
    RcTime now)
{
  memset (self, 0, sizeof *self);
  self->controller = *config->controller;
  self->controller.epoch = config->epoch;
  self->limits = *limits;
  self->overhead_bytes = config->overhead_bytes;
  self->ecn_wanted = config->ecn;
  self->guest = config->guest;
  self->alone = config->mode == RC_LANES_ONE;
  self->srs = config->guest ? NULL : srs;
  self->delay_remote = self->unanswered_since = self->paid_at = RC_TIME_NONE;
  rc_ecn_init (&self->ecn, config->controller->law->scalable);
  rc_ledgers_init (&self->ledgers, config->overhead_bytes);
  rc_controller_init (&self->slow, &rc_slow_law, RC_PROFILE_LIVE);
  self->slow.stop_s = config->controller->stop_s;
  rc_farewell_init (&self->farewell);
  rc_lossshape_init (&self->loss);
  rc_paceplan_init (&self->pace, now);
  self->decision = rc_controller_start (&self->controller, limits, now);
  rc_gate_init (&self->gate, &config->pacing, self->decision.rate_bps, now);
}

void
rc_lane_set_limits (RcLane *self, const RcLimits *limits, RcTime now)
{
  self->limits = *limits;
  decide (self, rc_controller_set_limits (law (self), limits, now), now);
}

/* A law begins anew at this rate, within the limits. */
static void
begin_law (RcLane *self, uint64_t bps, RcTime now)
{
  RcLimits limits = self->limits;

  if (bps > limits.max_bps)
    bps = limits.max_bps;
  limits.start_bps = bps > limits.min_bps ? bps : limits.min_bps;
  decide (self, rc_controller_start (law (self), &limits, now), now);
}

void
rc_lane_begin (RcLane *self, RcTime now)
{
  begin_law (self, self->limits.start_bps, now);
}

void
rc_lane_start_at (RcLane *self, uint64_t bps, RcTime now)
{
  if (bps > self->limits.max_bps)
    bps = self->limits.max_bps;
  if (!self->gate.stopped && !self->is_slow && !self->controller.law->open_loop
      && rc_lane_n_feedback (self) == 0 && bps > self->decision.rate_bps)
    begin_law (self, bps, now);
}

void
rc_lane_restart (RcLane *self, RcTime now)
{
  rc_ecn_init (&self->ecn, self->ecn.scalable);
  begin_law (self, self->decision.rate_bps < self->limits.start_bps ? self->decision.rate_bps
      : self->limits.start_bps, now);
  rc_infoclock_probe_soon (&self->gate.infos, now);
}

void
rc_lane_probe_soon (RcLane *self, RcTime now)
{
  rc_infoclock_probe_soon (&self->gate.infos, now);
}

void
rc_lane_set_format (RcLane *self, const RcAnnouncement *announced, RcTime now)
{
  const RcAnnouncement *before = &self->announced;
  bool same = rc_media_format_equal (&before->format, &announced->format)
      && before->n_bytes == announced->n_bytes
      && (before->n_bytes == 0 || memcmp (before->fields, announced->fields, before->n_bytes) == 0);

  self->announced = *announced;
  if (same)
    return;
  self->parts_sent = 0;
  rc_infoclock_want (&self->gate.infos, now);
}

void
rc_lane_on_timer (RcLane *self, RcTime now)
{
  if (rc_farewell_take (&self->farewell, now)) {
    rc_ledgers_forget (&self->ledgers, self->farewell.instance);
    if (self->srs)
      rc_srclock_end (self->srs, now);
    decide (self, self->decision, now);
  }
  if (self->decision.next_at != RC_TIME_NONE && now >= self->decision.next_at)
    decide (self, rc_controller_on_timer (law (self), now), now);
}

/* --- media --- */

RcGate *
rc_lane_gate (RcLane *self)
{
  return &self->gate;
}

RcTime
rc_lane_due_at (RcLane *self, uint32_t network_bytes, RcTime now)
{
  if (rc_lane_is_due (self, now))
    rc_lane_on_timer (self, now);
  return rc_gate_due_at (&self->gate, network_bytes, now);
}

static RcNumberSpace
transport_space (void)
{
  return (RcNumberSpace) { RC_NUMBERS_TRANSPORT, 0 };
}

/* A receiver counts RTP: with headers, small packets would have paid before it thinks so. */
static void
note_unanswered (RcLane *self, uint32_t rtp_bytes, RcTime now)
{
  if (self->unanswered_since == RC_TIME_NONE)
    self->unanswered_since = now;
  self->unanswered_bytes += rtp_bytes;
  if (self->paid_at == RC_TIME_NONE
      && self->unanswered_bytes >= law (self)->path.policy.paying_bytes)
    self->paid_at = now;
}

/* What left more than a round trip ago would have been named, or is lost. */
static void
note_answer (RcLane *self, const RcFeedback *feedback, RcTime now)
{
  RcTime srtt = rc_lane_srtt (self), since = feedback->sent_at;

  if (since != RC_TIME_NONE && srtt != RC_TIME_NONE && since < now - srtt)
    since = now - srtt;
  self->unanswered_since = feedback->outstanding_bytes > 0 ? since : RC_TIME_NONE;
  self->unanswered_bytes = 0;
  self->paid_at = RC_TIME_NONE;
  if (feedback->delays.pkts > 0)
    self->delay_remote = feedback->delays.mean_remote;
}

/* The law decides once for what leaves together. */
static void
tell_sent (RcLane *self, uint32_t network_bytes, bool backlogged, RcTime now)
{
  RcSent sent = { network_bytes, backlogged, self->gate.gain > 1, self->untold_bytes,
    self->untold_pkts, self->untold_dropped_bytes };

  rc_ratemeter_add (&self->sent, rc_sent_bytes (&sent), now);
  self->untold_bytes = self->untold_pkts = 0;
  self->untold_dropped_bytes = 0;
  if (!self->guest || self->ledgers.stats.accepted > 0)
    decide_again (self, rc_controller_on_sent (law (self), &sent, now), now);
}

void
rc_lane_on_dropped (RcLane *self, uint64_t network_bytes)
{
  self->untold_dropped_bytes += network_bytes;
}

bool
rc_lane_on_sent (RcLane *self, const RcSenderPacket *packet, bool backlogged, RcTime now)
{
  uint32_t network_bytes = packet->rtp_bytes + self->overhead_bytes;
  bool first = false;

  note_unanswered (self, packet->rtp_bytes, now);
  if (packet->has_transport_number)
    rc_ledgers_on_sent (&self->ledgers, transport_space (), packet->transport_number,
        packet->rtp_bytes, now);
  if (packet->again)
    rc_ledgers_on_again (&self->ledgers, packet->ssrc, packet->seq);
  else
    first = rc_ledgers_on_sent (&self->ledgers, rc_numbers_of_ssrc (packet->ssrc), packet->seq,
        packet->rtp_bytes, now);
  if (first)
    rc_infoclock_want (&self->gate.infos, now);
  rc_infoclock_on_media (&self->gate.infos, now);
  rc_paceplan_on_sent (&self->pace, backlogged);
  if (!packet->again)           /* marks of retransmissions are not counted */
    rc_ecn_on_sent (&self->ecn, 1, now);
  self->stats.packets++;
  self->stats.bytes += network_bytes;
  if (packet->more) {
    self->untold_bytes += network_bytes;
    self->untold_pkts++;
  } else {
    tell_sent (self, network_bytes, backlogged, now);
  }
  return first;
}

void
rc_lane_on_left (RcLane *self, uint32_t ssrc, uint16_t seq, RcTime left_at)
{
  rc_ledgers_on_left (&self->ledgers, rc_numbers_of_ssrc (ssrc), seq, left_at);
}

void
rc_lane_on_control_sent (RcLane *self, uint32_t network_bytes, RcTime now)
{
  rc_rmc_on_sent (&self->gate.rmc, network_bytes, now);
  rc_ratemeter_add (&self->sent, network_bytes, now);
}

void
rc_lane_on_sr_sent (RcLane *self, uint32_t ssrc, uint32_t ntp, RcTime now)
{
  rc_ledgers_on_sr (&self->ledgers, ssrc, ntp, now);
}

RcEcnBits
rc_lane_ecn_bits (const RcLane *self)
{
  return self->ecn_wanted ? rc_ecn_bits (&self->ecn) : RC_ECN_BITS_NOT_ECT;
}

/* --- feedback --- */

void
rc_lane_on_notice (RcLane *self, const RcNotice *notice, RcTime now)
{
  rc_infoclock_on_report (&self->gate.infos, now);
  if (notice->cookie != self->cookie)
    self->parts_sent = 0;
  self->cookie = notice->cookie;
  self->refusal = notice->refusal
      <= RC_REFUSAL_PAYLOAD_TYPE ? (RcRefusal) notice->refusal : RC_REFUSAL_TAKEN;
  rc_infoclock_want (&self->gate.infos, now);
}

/* The other law goes on at the rate of now. After a stop it begins as a session does.
 *
 * Problem: in the 2 s after which receiver reports count, the law took the silence of its feedback
 * for congestion, and fell to its least rate. A receiver report shows that only the feedback has
 * ended. Rule: the slow law begins with at least half of the rate at the last feedback. */
static void
change_law (RcLane *self, bool slow, RcTime now)
{
  uint64_t bps = self->decision.rate_bps;

  if (self->is_slow == slow)
    return;
  self->is_slow = slow;
  self->slow_since = now;
  if (self->gate.stopped && self->limits.start_bps < bps)
    bps = self->limits.start_bps;
  else if (!self->gate.stopped && slow && self->fed_bps / 2 > bps)
    bps = self->fed_bps / 2;
  begin_law (self, bps, now);
}

static bool
may_be_slow (const RcLane *self)
{
  return !self->controller.law->open_loop && !self->controller.law->reduce;
}

/* How packets leave, after the law has spoken. Of several lanes that have room the next packet
 * leaves by the one that is due: one that ran ahead would take all of them, and the others would
 * learn nothing of their paths. */
static void
plan_pacing (RcLane *self, const RcFeedback *feedback, RcTime now)
{
  const RcDelays *delays = &feedback->delays;
  RcPaceFacts facts = { .exact = self->controller.law->open_loop || !self->alone,
    .l4s = self->ecn_wanted && rc_ecn_finds_l4s (&self->ecn),
    .rate_bps = self->gate.rate_bps,
    .received_pkts = feedback->received_pkts, .lost_pkts = feedback->lost_pkts,
    .bound = is_bound (self) && self->alone, .queueing_delay = rc_lane_queueing_delay (self),
    .has_delays = delays->pkts > 0,
    .least_remote = delays->least_remote, .mean_remote = delays->mean_remote,
    .srtt = rc_lane_srtt (self) };

  if (feedback->restarted)
    rc_paceplan_forget_clock (&self->pace);
  rc_paceplan_on_report (&self->pace, &facts, now);
  rc_rmc_set_gentle (&self->gate.rmc, facts.l4s);
  rc_rmc_set_slot (&self->gate.rmc, self->pace.slot, self->pace.gain > 1);
  rc_gate_set_gain (&self->gate, self->pace.gain, now);
}

/* Another format reports on the packets with another clock and other counters. */
static void
take_feedback (RcLane *self, RcFormat format, RcFeedback *feedback, RcTime now)
{
  if (rc_formatchoice_take (&self->formats, format, now))
    feedback->restarted = true;
  if (self->ecn_wanted)
    rc_ecn_on_feedback (&self->ecn, feedback, now);
  else
    feedback->ce_pkts = 0;
  rc_lossshape_on_report (&self->loss, feedback->received_pkts, feedback->lost_pkts);
  self->refusal = RC_REFUSAL_NONE;
  rc_farewell_init (&self->farewell);
  note_answer (self, feedback, now);
  if (feedback->bandwidth_bps > 0)
    self->stats.bandwidth_bps = feedback->bandwidth_bps;
  decide (self, rc_controller_on_feedback (law (self), feedback, now), now);
  plan_pacing (self, feedback, now);
  if (!self->is_slow)
    self->fed_bps = self->decision.rate_bps;
}

bool
rc_lane_on_reports (RcLane *self, const RcReport *reports, unsigned n, uint32_t instance,
    RcTime now)
{
  RcFeedback feedback;

  rc_infoclock_on_report (&self->gate.infos, now);
  if (!rc_ledgers_digest (&self->ledgers, reports, n, instance, now, &feedback))
    return false;
  change_law (self, false, now);
  take_feedback (self, RC_FORMAT_ARC, &feedback, now);
  return true;
}

void
rc_lane_on_told (RcLane *self, uint16_t transport_number, uint32_t rtp_bytes, RcTime sent_at)
{
  rc_ledgers_on_sent (&self->ledgers, transport_space (), transport_number, rtp_bytes, sent_at);
}

void
rc_lane_on_false_arrival (RcLane *self)
{
  self->ledgers.stats.false_arrivals++;
}

bool
rc_lane_on_arrivals (RcLane *self, const RcArrivals *messages, unsigned n, RcTime now)
{
  RcFeedback feedback;

  if (n == 0 || !rc_formatchoice_admits (&self->formats, messages[0].format, now)
      || !rc_ledgers_digest_arrivals (&self->ledgers, messages, n, now, &feedback))
    return false;
  change_law (self, false, now);
  take_feedback (self, messages[0].format, &feedback, now);
  return true;
}

bool
rc_lane_on_blocks (RcLane *self, const RcReportBlock *blocks, unsigned n, RcTime now)
{
  RcFeedback feedback;

  if (!rc_formatchoice_admits (&self->formats, RC_FORMAT_RR, now)
      || !rc_ledgers_digest_blocks (&self->ledgers, blocks, n, now, &feedback))
    return false;
  self->stats.receiver_reports++;
  if (self->srs)
    rc_srclock_on_report (self->srs, now);
  if (may_be_slow (self) && (feedback.received_pkts > 0 || feedback.restarted))
    change_law (self, true, now);
  take_feedback (self, RC_FORMAT_RR, &feedback, now);
  return true;
}

void
rc_lane_on_bye (RcLane *self, uint32_t instance)
{
  if (rc_ledgers_heard (&self->ledgers, instance))
    rc_farewell_on_bye (&self->farewell, instance, &self->formats);
}

/* --- what follows --- */

/* A receiver holds the media back until it has all parts: they go at once, and again, in case that
 * one is lost. Then what joins later needs them. */
#define PART_ROUNDS 3

static bool
announces_first (const RcLane *self)
{
  return self->parts_sent < PART_ROUNDS * rc_format_part_count (self->announced.n_bytes);
}

/* The format goes with a part of its fields. */
static void
announce_format (RcLane *self, RcSenderInfo *info, RcTime now)
{
  unsigned count = rc_format_part_count (self->announced.n_bytes);

  if (count > 0 && !announces_first (self) && now - self->part_at < RC_INFO_INTERVAL)
    return;
  info->format = self->announced.format;
  if (count == 0)
    return;
  rc_format_part_of (&info->part, self->announced.fields, self->announced.n_bytes,
      (uint8_t) (self->parts_sent % count));
  self->parts_sent++;
  self->part_at = now;
}

void
rc_lane_plan (RcLane *self, RcTime now, RcLanePlan *plan)
{
  RcInfoClock *infos = &self->gate.infos;
  RcTime due_at;

  if (rc_lane_is_due (self, now))
    rc_lane_on_timer (self, now);
  due_at = rc_infoclock_due_at (infos, self->gate.stopped);
  plan->n_infos = 0;
  if (due_at != RC_TIME_NONE && due_at <= now) {
    plan->n_infos = rc_ledgers_fill_infos (&self->ledgers, rc_lane_srtt (self),
        self->decision.report_interval, plan->infos);
    plan->infos[0].cookie = self->cookie;
    if (plan->n_infos > 0)
      announce_format (self, &plan->infos[0], now);
    rc_infoclock_on_sent (infos, rc_lane_srtt (self), self->decision.report_interval,
        self->gate.stopped, now);
    if (plan->n_infos > 0 && announces_first (self))
      rc_infoclock_want (infos, now);
    due_at = rc_infoclock_due_at (infos, self->gate.stopped);
  }
  plan->next_at = rc_sooner (rc_sooner (due_at, self->decision.next_at), self->farewell.due_at);
}

unsigned
rc_lane_take_farewell (RcLane *self, RcSenderInfo infos[RC_LEDGERS_MAX])
{
  unsigned n;

  if (self->cookie == 0 || self->farewell_pkts == self->stats.packets)
    return 0;
  n = rc_ledgers_fill_infos (&self->ledgers, rc_lane_srtt (self),
      self->decision.report_interval, infos);
  if (n == 0)
    return 0;
  self->farewell_pkts = self->stats.packets;
  infos[0].cookie = self->cookie;
  return n;
}

/* --- memory of the ledgers --- */

uint32_t
rc_lane_wants_entries (RcLane *self, const RcSenderPacket *packet, RcNumberSpace *space,
    RcTime now)
{
  uint32_t wanted;

  *space = rc_numbers_of_ssrc (packet->ssrc);
  wanted = rc_ledgers_wants (&self->ledgers, *space, now);
  if (wanted > 0 || !packet->has_transport_number)
    return wanted;
  return rc_lane_wants_told_entries (self, space, now);
}

uint32_t
rc_lane_wants_told_entries (RcLane *self, RcNumberSpace *space, RcTime now)
{
  *space = transport_space ();
  return rc_ledgers_wants (&self->ledgers, *space, now);
}

RcLedgerEntry *
rc_lane_give_entries (RcLane *self, RcNumberSpace space, RcLedgerEntry *entries,
    uint32_t capacity, RcTime now)
{
  return rc_ledgers_give (&self->ledgers, space, entries, capacity, now);
}

RcLedgerEntry *
rc_lane_take_back_entries (RcLane *self)
{
  return rc_ledgers_take_back (&self->ledgers);
}

/* --- what holds now --- */

uint64_t
rc_lane_rate_bps (const RcLane *self)
{
  return self->gate.rate_bps;
}

/* A receiver that left answers no more. */
RcCause
rc_lane_cause (const RcLane *self)
{
  return self->farewell.left ? RC_CAUSE_TIMEOUT
      : rc_limits_cause (&self->limits, self->decision.cause, self->decision.rate_bps);
}

bool
rc_lane_is_stopped (const RcLane *self)
{
  return self->gate.stopped;
}

bool
rc_lane_is_heard (const RcLane *self)
{
  return self->gate.infos.heard || self->formats.format != RC_FORMAT_NONE;
}

/* Problem: an arcsrc whose first reports got lost falls back to receiver reports, and one of those
 * may come just before our infos bring its own report back. Rule: a receiver is plain when nothing
 * else has come for as long as another format is waited for. */
bool
rc_lane_is_plain (const RcLane *self, RcTime now)
{
  return self->is_slow && now - self->slow_since >= RC_FORMAT_PATIENCE;
}

RcTime
rc_lane_srtt (const RcLane *self)
{
  return rc_lane_law (self)->path.srtt;
}

RcTime
rc_lane_queueing_delay (const RcLane *self)
{
  return rc_controller_queueing_delay (rc_lane_law (self));
}

RcTime
rc_lane_delay_remote (const RcLane *self)
{
  return self->delay_remote;
}

RcTime
rc_lane_answer_due_at (const RcLane *self)
{
  const RcPath *path = &rc_lane_law (self)->path;
  RcTime paid_at = self->paid_at;

  if (self->unanswered_since == RC_TIME_NONE)
    return RC_TIME_NONE;
  if (paid_at == RC_TIME_NONE)
    paid_at = self->unanswered_since + path->policy.longest_interval;
  return paid_at + (path->srtt == RC_TIME_NONE ? RC_PATH_INITIAL_RTT : path->srtt)
      + self->decision.report_interval;
}

double
rc_lane_loss_ratio (const RcLane *self)
{
  return rc_lane_law (self)->path.loss_ratio;
}

const RcLossShape *
rc_lane_loss (const RcLane *self)
{
  return &self->loss;
}

RcRefusal
rc_lane_refusal (const RcLane *self)
{
  return self->refusal;
}

const char *
rc_lane_ecn_name (const RcLane *self)
{
  return self->ecn_wanted ? rc_ecn_state_name (&self->ecn) : "off";
}

bool
rc_lane_has_ssrc (const RcLane *self, uint32_t ssrc)
{
  return rc_ledgers_have (&self->ledgers, ssrc);
}

uint64_t
rc_lane_n_feedback (const RcLane *self)
{
  return self->ledgers.stats.accepted + self->stats.receiver_reports;
}

void
rc_lane_get_stats (RcLane *self, RcTime now, RcSenderStats *stats)
{
  *stats = self->stats;
  stats->sent_bps = rc_ratemeter_get_bps (&self->sent, now);
  stats->reports = self->ledgers.stats;
  stats->format = self->formats.format;
  stats->ignored = self->formats.ignored;
}
