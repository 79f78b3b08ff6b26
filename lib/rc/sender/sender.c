/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/sender/sender.h>

#include <rc/law/slow.h>
#include <string.h>

static RcController *
law (RcSender *self)
{
  return self->is_slow ? &self->slow : &self->controller;
}

static const RcController *
own_law (const RcSender *self)
{
  return self->is_slow ? &self->slow : &self->controller;
}

/* What of the lanes is one's and no sum, else its own. */
static const RcSender *
lead (const RcSender *self)
{
  return self->carried && self->carriage.lead ? self->carriage.lead : self;
}

const RcController *
rc_sender_law (const RcSender *self)
{
  return own_law (lead (self));
}

/* Those of the user, with the receiver's bound. */
static RcLimits
limits_now (const RcSender *self)
{
  RcLimits limits = self->limits;

  if (self->bound_bps > 0 && self->bound_bps < limits.max_bps)
    limits.max_bps = self->bound_bps > limits.min_bps ? self->bound_bps : limits.min_bps;
  if (limits.start_bps > limits.max_bps)
    limits.start_bps = limits.max_bps;
  return limits;
}

/* The law has spoken. */
static void
decide (RcSender *self, RcDecision decision, RcTime now)
{
  bool was_stopped = self->stopped;

  self->stopped = self->carried ? self->carriage.stopped
      : rc_controller_is_stopped (law (self)) || self->farewell.left;
  self->decision = decision;
  rc_rmc_set_rate (&self->rmc, decision.rate_bps, now);
  if (self->stopped != was_stopped) {
    /* Perhaps the path drops marked packets. */
    rc_ecn_init (&self->ecn, self->ecn.scalable);
    if (!self->stopped)
      rc_rmc_reset (&self->rmc, now);
    rc_infoclock_on_stopped (&self->infos, now);
  }
  rc_infoclock_on_change (&self->infos, rc_sender_srtt (self), decision.report_interval, now);
}

void
rc_sender_init (RcSender *self, const RcSenderConfig *config, RcTime now)
{
  memset (self, 0, sizeof *self);
  self->controller = *config->controller;
  self->controller.epoch = config->epoch;
  self->limits = config->limits;
  self->overhead_bytes = config->overhead_bytes;
  self->ecn_wanted = config->ecn;
  self->guest = config->guest;
  self->delay_remote = self->unanswered_since = self->paid_at = RC_TIME_NONE;
  rc_ecn_init (&self->ecn, config->controller->law->scalable);
  rc_ledgers_init (&self->ledgers, config->overhead_bytes);
  rc_infoclock_init (&self->infos);
  rc_srclock_init (&self->srs);
  rc_controller_init (&self->slow, &rc_slow_law, RC_PROFILE_LIVE);
  self->slow.stop_s = config->controller->stop_s;
  rc_farewell_init (&self->farewell);
  self->bound_until = RC_TIME_NONE;
  rc_mediatarget_init (&self->target);
  rc_lossshape_init (&self->loss);
  rc_mediatarget_set_most (&self->target, config->limits.max_bps);
  self->decision = rc_controller_start (&self->controller, &config->limits, now);
  rc_rmc_init (&self->rmc, &config->pacing, self->decision.rate_bps, now);
}

/* With the limits of now: they are the user's, and hold for all lanes together. What has a rate of
 * its own has it once, by however many lanes. */
static RcDecision
carried_decision (RcSender *self, const RcLimits *limits, RcTime now)
{
  RcDecision decision = rc_controller_on_timer (law (self), now);
  double bps = (double) (self->carriage.open_loop && self->carriage.rate_bps > decision.rate_bps
      ? decision.rate_bps : self->carriage.rate_bps);

  decision.rate_bps = (uint64_t) rc_clampd (bps, (double) limits->min_bps,
      (double) limits->max_bps);
  return decision;
}

static void
apply_limits (RcSender *self, RcTime now)
{
  RcLimits limits = limits_now (self);
  RcDecision decision = rc_controller_set_limits (law (self), &limits, now);

  rc_mediatarget_set_most (&self->target, limits.max_bps);
  decide (self, self->carried ? carried_decision (self, &limits, now) : decision, now);
}

void
rc_sender_set_carriage (RcSender *self, const RcCarriage *carriage, RcTime now)
{
  RcLimits limits = limits_now (self);

  self->carried = true;
  self->carriage = *carriage;
  if (carriage->reported_at > self->srs.heard_at)
    rc_srclock_on_report (&self->srs, carriage->reported_at);
  decide (self, carried_decision (self, &limits, now), now);
}

void
rc_sender_end_carriage (RcSender *self)
{
  self->carriage.lead = NULL;
}

void
rc_sender_set_limits (RcSender *self, const RcLimits *limits, RcTime now)
{
  self->limits = *limits;
  apply_limits (self, now);
}

/* A law begins anew, at most at this rate. */
static void
begin_law (RcSender *self, uint64_t most_bps, RcTime now)
{
  RcLimits limits = limits_now (self);

  if (most_bps < limits.start_bps)
    limits.start_bps = most_bps > limits.min_bps ? most_bps : limits.min_bps;
  decide (self, rc_controller_start (law (self), &limits, now), now);
}

void
rc_sender_start_at (RcSender *self, uint64_t bps, RcTime now)
{
  RcLimits limits = limits_now (self);

  if (bps > limits.max_bps)
    bps = limits.max_bps;
  if (self->carried || self->stopped || self->is_slow || rc_sender_law (self)->law->open_loop
      || rc_sender_n_feedback (self) > 0 || bps <= self->decision.rate_bps)
    return;
  limits.start_bps = bps;
  decide (self, rc_controller_start (law (self), &limits, now), now);
}

void
rc_sender_restart (RcSender *self, RcTime now)
{
  rc_ecn_init (&self->ecn, self->ecn.scalable);
  begin_law (self, self->decision.rate_bps, now);
  rc_infoclock_probe_soon (&self->infos, now);
}

void
rc_sender_probe_soon (RcSender *self, RcTime now)
{
  rc_infoclock_probe_soon (&self->infos, now);
}

void
rc_sender_set_format (RcSender *self, const RcAnnouncement *announced, RcTime now)
{
  const RcAnnouncement *before = &self->announced;
  bool same = memcmp (&before->format, &announced->format, sizeof before->format) == 0
      && before->n_bytes == announced->n_bytes
      && (before->n_bytes == 0 || memcmp (before->fields, announced->fields, before->n_bytes) == 0);

  self->announced = *announced;
  if (same)
    return;
  self->parts_sent = 0;
  rc_infoclock_want (&self->infos, now);
}

void
rc_sender_reset_pacing (RcSender *self, RcTime now)
{
  rc_rmc_reset (&self->rmc, now);
}

/* --- media --- */

void
rc_sender_on_made (RcSender *self, uint32_t media_bytes, RcTime now)
{
  rc_ratemeter_add (&self->made, media_bytes, now);
  rc_mediatarget_on_made (&self->target, media_bytes, now);
}

static void
run_timer (RcSender *self, RcTime now)
{
  if (self->bound_until != RC_TIME_NONE && now >= self->bound_until) {
    self->bound_until = RC_TIME_NONE;
    self->bound_bps = 0;
    apply_limits (self, now);
  }
  if (rc_farewell_take (&self->farewell, now)) {
    rc_ledgers_forget (&self->ledgers, self->farewell.instance);
    rc_srclock_end (&self->srs, now);
    decide (self, self->decision, now);
  }
  if (self->decision.next_at != RC_TIME_NONE && now >= self->decision.next_at)
    decide (self, rc_controller_on_timer (law (self), now), now);
}

RcTime
rc_sender_due_at (RcSender *self, uint32_t network_bytes, RcTime now)
{
  run_timer (self, now);
  if (self->stopped)
    return rc_infoclock_media_probe_at (&self->infos);
  return rc_rmc_due_at (&self->rmc, network_bytes, now);
}

RcTime
rc_sender_urgent_at (RcSender *self, uint32_t network_bytes, RcTime now)
{
  return self->stopped ? rc_sender_due_at (self, network_bytes, now)
      : rc_rmc_urgent_at (&self->rmc, network_bytes, now);
}

void
rc_sender_lend (RcSender *self, uint32_t network_bytes, RcTime now)
{
  rc_rmc_lend (&self->rmc, network_bytes, now);
}

bool
rc_sender_wants_probe (const RcSender *self, RcTime now)
{
  RcTime at = rc_infoclock_media_probe_at (&self->infos);

  return self->stopped && at != RC_TIME_NONE && now >= at;
}

bool
rc_sender_is_behind (const RcSender *self)
{
  return rc_rmc_is_behind (&self->rmc);
}

void
rc_sender_reserve (RcSender *self, uint32_t network_bytes, RcTime now)
{
  rc_rmc_on_sent (&self->rmc, network_bytes, now);
  if (self->stopped)
    rc_infoclock_on_media_probe (&self->infos, network_bytes, now);
}

void
rc_sender_release (RcSender *self, uint32_t network_bytes)
{
  rc_rmc_on_unsent (&self->rmc, network_bytes);
}

void
rc_sender_on_idle (RcSender *self, RcTime now)
{
  rc_rmc_set_idle (&self->rmc, now);
}

void
rc_sender_on_blocked (RcSender *self, uint32_t network_bytes, RcTime since, RcTime now)
{
  rc_rmc_on_blocked (&self->rmc, network_bytes, since, now);
}

static RcNumberSpace
transport_space (void)
{
  return (RcNumberSpace) { RC_NUMBERS_TRANSPORT, 0 };
}

/* A receiver counts RTP: with headers, small packets would have paid before it thinks so. */
static void
note_unanswered (RcSender *self, uint32_t rtp_bytes, RcTime now)
{
  if (self->unanswered_since == RC_TIME_NONE)
    self->unanswered_since = now;
  self->unanswered_bytes += rtp_bytes;
  if (self->paid_at == RC_TIME_NONE
      && self->unanswered_bytes >= law (self)->path.watch.policy.paying_bytes)
    self->paid_at = now;
}

/* What left more than a round trip ago would have been named, or is lost. */
static void
note_answer (RcSender *self, const RcFeedback *feedback, RcTime now)
{
  RcTime srtt = rc_sender_srtt (self), since = feedback->sent_at;

  if (since != RC_TIME_NONE && srtt != RC_TIME_NONE && since < now - srtt)
    since = now - srtt;
  self->unanswered_since = feedback->outstanding_bytes > 0 ? since : RC_TIME_NONE;
  self->unanswered_bytes = 0;
  self->paid_at = RC_TIME_NONE;
  if (feedback->delays.pkts > 0)
    self->delay_remote = feedback->delays.mean_remote;
}

void
rc_sender_on_sent (RcSender *self, const RcSenderPacket *packet, bool backlogged, RcTime now)
{
  uint32_t network_bytes = packet->rtp_bytes + self->overhead_bytes;
  RcSent sent = { network_bytes, backlogged };

  note_unanswered (self, packet->rtp_bytes, now);
  if (packet->has_transport_number)
    rc_ledgers_on_sent (&self->ledgers, transport_space (), packet->transport_number,
        packet->rtp_bytes, now);
  if (self->carried) {
    /* the lane that it leaves by has it in its ledger */
  } else if (packet->again) {
    rc_ledgers_on_again (&self->ledgers, packet->ssrc, packet->seq);
  } else if (rc_ledgers_on_sent (&self->ledgers, rc_numbers_of_ssrc (packet->ssrc), packet->seq,
          packet->rtp_bytes, now)) {
    rc_infoclock_want (&self->infos, now);
    self->retarget = true;
  }
  rc_infoclock_on_media (&self->infos, now);
  rc_srclock_on_media (&self->srs);
  rc_mediatarget_on_sent (&self->target, network_bytes, packet->media_bytes);
  rc_ratemeter_add (&self->sent, network_bytes, now);
  if (!packet->again)           /* marks of retransmissions are not counted */
    rc_ecn_on_sent (&self->ecn, 1, now);
  self->stats.packets++;
  self->stats.bytes += network_bytes;
  if (self->carried || (self->guest && self->ledgers.stats.accepted == 0))
    return;
  decide (self, rc_controller_on_sent (law (self), &sent, now), now);
}

void
rc_sender_on_left (RcSender *self, uint32_t ssrc, uint16_t seq, RcTime left_at)
{
  rc_ledgers_on_left (&self->ledgers, rc_numbers_of_ssrc (ssrc), seq, left_at);
}

void
rc_sender_on_control_sent (RcSender *self, uint32_t network_bytes, RcTime now)
{
  rc_rmc_on_sent (&self->rmc, network_bytes, now);
  rc_mediatarget_on_rtcp (&self->target, network_bytes, now);
  rc_ratemeter_add (&self->sent, network_bytes, now);
}

void
rc_sender_on_sr_sent (RcSender *self, uint32_t ssrc, uint32_t ntp, RcTime now)
{
  rc_ledgers_on_sr (&self->ledgers, ssrc, ntp, now);
}

RcEcnBits
rc_sender_ecn_bits (const RcSender *self)
{
  return self->ecn_wanted ? rc_ecn_bits (&self->ecn) : RC_ECN_BITS_NOT_ECT;
}

bool
rc_sender_wants_stamps (const RcSender *self)
{
  return own_law (self)->law->wants_stamps;
}

RcTime
rc_sender_loop_time (const RcSender *self)
{
  RcTime srtt = rc_sender_srtt (self);

  return srtt == RC_TIME_NONE ? RC_TIME_NONE : srtt + self->decision.report_interval;
}

/* --- feedback --- */

void
rc_sender_on_notice (RcSender *self, const RcNotice *notice, RcTime now)
{
  if (self->carried)
    return;
  rc_infoclock_on_report (&self->infos, now);
  if (notice->cookie != self->cookie)
    self->parts_sent = 0;
  self->cookie = notice->cookie;
  self->refusal = notice->refusal
      <= RC_REFUSAL_PAYLOAD_TYPE ? (RcRefusal) notice->refusal : RC_REFUSAL_TAKEN;
  rc_infoclock_want (&self->infos, now);
}

/* The other law goes on at the rate of now. After a stop it begins as a session does.
 *
 * Problem: in the 2 s after which receiver reports count, the law took the silence of its feedback
 * for congestion, and fell to its least rate. A receiver report shows that only the feedback has
 * ended. Rule: the slow law begins with at least half of the rate at the last feedback. */
static void
change_law (RcSender *self, bool slow, RcTime now)
{
  RcLimits user = self->limits;
  uint64_t bps = self->decision.rate_bps;

  if (self->is_slow == slow)
    return;
  self->is_slow = slow;
  self->slow_since = now;
  if (slow && !self->stopped && self->fed_bps / 2 > bps)
    bps = self->fed_bps / 2;
  if (!self->stopped)
    self->limits.start_bps = bps;
  begin_law (self, bps, now);
  self->limits = user;
}

static bool
may_be_slow (const RcSender *self)
{
  return !self->controller.law->open_loop && !self->controller.law->reduce;
}

/* Another format reports on the packets with another clock and other counters. */
static void
take_feedback (RcSender *self, RcFormat format, RcFeedback *feedback, RcTime now)
{
  if (rc_formatchoice_take (&self->formats, format, now))
    feedback->restarted = true;
  if (self->ecn_wanted)
    rc_ecn_on_feedback (&self->ecn, feedback, now);
  else
    feedback->ce_pkts = 0;
  rc_rmc_set_gentle (&self->rmc, self->ecn_wanted && rc_ecn_finds_l4s (&self->ecn));
  rc_lossshape_on_report (&self->loss, feedback->received_pkts, feedback->lost_pkts);
  self->refusal = RC_REFUSAL_NONE;
  rc_farewell_init (&self->farewell);
  note_answer (self, feedback, now);
  if (feedback->bandwidth_bps > 0)
    self->stats.bandwidth_bps = feedback->bandwidth_bps;
  decide (self, rc_controller_on_feedback (law (self), feedback, now), now);
  if (!self->is_slow)
    self->fed_bps = self->decision.rate_bps;
}

/* What carries this sender has its feedback. */
bool
rc_sender_on_reports (RcSender *self, const RcReport *reports, unsigned n, uint32_t instance,
    RcTime now)
{
  RcFeedback feedback;

  if (self->carried)
    return false;
  rc_infoclock_on_report (&self->infos, now);
  if (!rc_ledgers_digest (&self->ledgers, reports, n, instance, now, &feedback))
    return false;
  change_law (self, false, now);
  take_feedback (self, RC_FORMAT_ARC, &feedback, now);
  return true;
}

void
rc_sender_on_told (RcSender *self, uint16_t transport_number, uint32_t rtp_bytes, RcTime sent_at)
{
  rc_ledgers_on_sent (&self->ledgers, transport_space (), transport_number, rtp_bytes, sent_at);
}

void
rc_sender_on_false_arrival (RcSender *self)
{
  self->ledgers.stats.false_arrivals++;
}

bool
rc_sender_on_arrivals (RcSender *self, const RcArrivals *messages, unsigned n, RcTime now)
{
  RcFeedback feedback;

  if (n == 0 || self->carried || !rc_formatchoice_admits (&self->formats, messages[0].format, now)
      || !rc_ledgers_digest_arrivals (&self->ledgers, messages, n, now, &feedback))
    return false;
  change_law (self, false, now);
  take_feedback (self, messages[0].format, &feedback, now);
  return true;
}

bool
rc_sender_on_blocks (RcSender *self, const RcReportBlock *blocks, unsigned n, RcTime now)
{
  RcFeedback feedback;

  if (self->carried || !rc_formatchoice_admits (&self->formats, RC_FORMAT_RR, now)
      || !rc_ledgers_digest_blocks (&self->ledgers, blocks, n, now, &feedback))
    return false;
  self->stats.receiver_reports++;
  if (!self->guest)
    rc_srclock_on_report (&self->srs, now);
  if (may_be_slow (self) && (feedback.received_pkts > 0 || feedback.restarted))
    change_law (self, true, now);
  take_feedback (self, RC_FORMAT_RR, &feedback, now);
  return true;
}

void
rc_sender_on_bye (RcSender *self, uint32_t instance)
{
  if (rc_ledgers_heard (&self->ledgers, instance))
    rc_farewell_on_bye (&self->farewell, instance, &self->formats);
}

bool
rc_sender_end (RcSender *self, RcTime now)
{
  return rc_srclock_end (&self->srs, now);
}

void
rc_sender_on_bound (RcSender *self, uint64_t bps, RcTime now)
{
  if (bps != self->bound_bps) {
    self->bound_bps = bps;
    apply_limits (self, now);
  }
  self->bound_until = now + RC_BOUND_SPAN;
}

/* --- what follows --- */

/* A receiver holds the media back until it has all parts: they go at once, and again, in case that
 * one is lost. Then what joins later needs them. */
#define PART_ROUNDS 3

static bool
announces_first (const RcSender *self)
{
  return self->parts_sent < PART_ROUNDS * rc_format_part_count (self->announced.n_bytes);
}

/* The format goes with a part of its fields. */
static void
announce_format (RcSender *self, RcSenderInfo *info, RcTime now)
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

static RcTime
plan_infos (RcSender *self, RcTime now, RcSenderPlan *plan)
{
  RcTime due_at = rc_infoclock_due_at (&self->infos, self->stopped);

  plan->n_infos = 0;
  if (due_at == RC_TIME_NONE || due_at > now)
    return due_at;
  plan->n_infos = rc_ledgers_fill_infos (&self->ledgers, rc_sender_srtt (self),
      self->decision.report_interval, plan->infos);
  plan->infos[0].cookie = self->cookie;
  if (plan->n_infos > 0)
    announce_format (self, &plan->infos[0], now);
  rc_infoclock_on_sent (&self->infos, rc_sender_srtt (self), self->decision.report_interval,
      self->stopped, now);
  if (plan->n_infos > 0 && announces_first (self))
    rc_infoclock_want (&self->infos, now);
  return rc_infoclock_due_at (&self->infos, self->stopped);
}

/* A guest's media may wait for seconds until the path is open (ICE, DTLS). That queue is no
 * congestion: it must not lower the target with which the call begins. */
static void
plan_target (RcSender *self, uint64_t queue_bytes, RcTime now, RcSenderPlan *plan)
{
  bool opening = self->guest && self->ledgers.stats.accepted == 0;
  uint32_t bps;

  rc_mediatarget_on_queue (&self->target, opening ? 0 : queue_bytes, now);
  plan->tell_target = self->retarget && self->target_bps > 0;
  self->retarget = false;
  rc_mediatarget_set_fallen (&self->target,
      self->carried ? self->carriage.overloaded : self->decision.fell);
  if (rc_mediatarget_take (&self->target, self->decision.rate_bps, now, &bps)) {
    self->target_bps = bps;
    plan->tell_target = true;
  }
  plan->target_bps = self->target_bps;
}

void
rc_sender_plan (RcSender *self, uint64_t queue_bytes, RcTime now, RcSenderPlan *plan)
{
  run_timer (self, now);
  plan->next_at = rc_sooner (plan_infos (self, now, plan), self->decision.next_at);
  plan->next_at = rc_sooner (plan->next_at, self->bound_until);
  plan->next_at = rc_sooner (plan->next_at, self->farewell.due_at);
  plan->tell_time = rc_srclock_take (&self->srs, self->decision.rate_bps, now);
  plan->next_at = rc_sooner (plan->next_at, rc_srclock_due_at (&self->srs));
  plan_target (self, queue_bytes + self->carriage.waiting_bytes, now, plan);
}

bool
rc_sender_take_misfit (RcSender *self, RcTime now, uint32_t *made_bps, uint32_t *told_bps)
{
  return rc_mediatarget_take_misfit (&self->target, now, made_bps, told_bps);
}

unsigned
rc_sender_take_farewell (RcSender *self, RcSenderInfo infos[RC_LEDGERS_MAX])
{
  unsigned n;

  if (self->cookie == 0 || self->farewell_pkts == self->stats.packets)
    return 0;
  n = rc_ledgers_fill_infos (&self->ledgers, rc_sender_srtt (self),
      self->decision.report_interval, infos);
  if (n == 0)
    return 0;
  self->farewell_pkts = self->stats.packets;
  infos[0].cookie = self->cookie;
  return n;
}

/* --- memory of the ledgers --- */

uint32_t
rc_sender_wants_entries (RcSender *self, const RcSenderPacket *packet, RcNumberSpace *space,
    RcTime now)
{
  uint32_t wanted;

  *space = rc_numbers_of_ssrc (packet->ssrc);
  if (self->carried)
    return 0;
  wanted = rc_ledgers_wants (&self->ledgers, *space, now);
  if (wanted > 0 || !packet->has_transport_number)
    return wanted;
  return rc_sender_wants_told_entries (self, space, now);
}

uint32_t
rc_sender_wants_told_entries (RcSender *self, RcNumberSpace *space, RcTime now)
{
  *space = transport_space ();
  return rc_ledgers_wants (&self->ledgers, *space, now);
}

RcLedgerEntry *
rc_sender_give_entries (RcSender *self, RcNumberSpace space, RcLedgerEntry *entries,
    uint32_t capacity, RcTime now)
{
  return rc_ledgers_give (&self->ledgers, space, entries, capacity, now);
}

RcLedgerEntry *
rc_sender_take_back_entries (RcSender *self)
{
  return rc_ledgers_take_back (&self->ledgers);
}

/* --- what holds now --- */

uint64_t
rc_sender_rate_bps (const RcSender *self)
{
  return self->decision.rate_bps;
}

uint32_t
rc_sender_steady_bps (RcSender *self, RcTime now)
{
  return rc_mediatarget_get_steady_bps (&self->target, self->decision.rate_bps, now);
}

uint32_t
rc_sender_target_bps (const RcSender *self)
{
  return self->target_bps;
}

bool
rc_sender_is_stopped (const RcSender *self)
{
  return self->stopped;
}

uint64_t
rc_sender_bound_bps (const RcSender *self)
{
  return self->bound_bps;
}

bool
rc_sender_is_living (const RcSender *self)
{
  if (self->carried)
    return self->carriage.living;
  return !self->stopped && (self->ledgers.stats.accepted > 0
      || self->controller.law->open_loop);
}

bool
rc_sender_is_heard (const RcSender *self)
{
  return self->carriage.heard || self->infos.heard || self->formats.format != RC_FORMAT_NONE;
}

/* Problem: an arcsrc whose first reports got lost falls back to receiver reports, and one of those
 * may come just before our infos bring its own report back. Rule: a receiver is plain when nothing
 * else has come for as long as another format is waited for. */
bool
rc_sender_is_plain (const RcSender *self, RcTime now)
{
  self = lead (self);
  return self->is_slow && now - self->slow_since >= RC_FORMAT_PATIENCE;
}

bool
rc_sender_is_guest (const RcSender *self)
{
  return self->guest;
}

RcTime
rc_sender_srtt (const RcSender *self)
{
  return self->carried ? self->carriage.srtt : own_law (self)->path.srtt;
}

RcTime
rc_sender_queueing_delay (const RcSender *self)
{
  if (self->carried)
    return self->carriage.queueing_delay;
  return rc_controller_queueing_delay (own_law (self));
}

RcTime
rc_sender_delay_remote (const RcSender *self)
{
  return self->delay_remote;
}

RcTime
rc_sender_answer_due_at (const RcSender *self)
{
  const RcReportWatch *watch = &rc_sender_law (self)->path.watch;
  RcTime way = rc_time_from_s (rc_path_srtt_s (&rc_sender_law (self)->path));

  if (self->unanswered_since == RC_TIME_NONE)
    return RC_TIME_NONE;
  if (self->paid_at == RC_TIME_NONE)
    way += self->unanswered_since + watch->policy.longest_interval;
  else
    way += self->paid_at;
  return way + self->decision.report_interval;
}

double
rc_sender_loss_ratio (const RcSender *self)
{
  return rc_sender_law (self)->path.loss_ratio;
}

const RcLossShape *
rc_sender_loss (const RcSender *self)
{
  return &lead (self)->loss;
}

RcRefusal
rc_sender_refusal (const RcSender *self)
{
  return lead (self)->refusal;
}

const char *
rc_sender_ecn_name (const RcSender *self)
{
  self = lead (self);
  return self->ecn_wanted ? rc_ecn_state_name (&self->ecn) : "off";
}

RcTime
rc_sender_media_probe_at (const RcSender *self)
{
  return rc_infoclock_media_probe_at (&self->infos);
}

bool
rc_sender_has_ssrc (const RcSender *self, uint32_t ssrc)
{
  return rc_ledgers_have (&lead (self)->ledgers, ssrc);
}

uint64_t
rc_sender_sent_pkts (const RcSender *self)
{
  return self->stats.packets;
}

uint64_t
rc_sender_n_feedback (const RcSender *self)
{
  if (self->carried)
    return self->carriage.stats.reports.accepted + self->carriage.stats.receiver_reports;
  return self->ledgers.stats.accepted + self->stats.receiver_reports;
}

void
rc_sender_get_stats (RcSender *self, RcTime now, RcSenderStats *stats)
{
  if (self->carried) {
    *stats = self->carriage.stats;
  } else {
    *stats = self->stats;
    stats->sent_bps = rc_ratemeter_get_bps (&self->sent, now);
    stats->reports = self->ledgers.stats;
    stats->format = self->formats.format;
    stats->ignored = self->formats.ignored;
  }
  stats->made_bps = rc_ratemeter_get_bps (&self->made, now);
  stats->bound_bps = self->bound_bps;
}
