/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/sender/sender.h>

#include <rc/sender/laneparts.h>
#include <limits.h>
#include <string.h>

/* The i-th lane, or NULL. */
static RcLane *
lane_at (const RcSender *self, unsigned i)
{
  return self->lanes.places[i].lane;
}

/* The receiver takes the media, or the law needs no answer. */
static bool
is_living (const RcLane *lane)
{
  return !lane->gate.stopped
      && (lane->ledgers.stats.accepted > 0 || lane->controller.law->open_loop);
}

/* Those of the user, with the receiver's bound. */
static RcLimits
limits_now (const RcSender *self)
{
  RcLimits limits = self->limits;

  if (self->bound_bps > 0 && self->bound_bps < limits.max_bps) {
    limits.max_bps = self->bound_bps > limits.min_bps ? self->bound_bps : limits.min_bps;
    limits.max_cause = RC_CAUSE_RECEIVER;
  }
  if (limits.start_bps > limits.max_bps)
    limits.start_bps = limits.max_bps;
  return limits;
}

void
rc_sender_init (RcSender *self, const RcSenderConfig *config, RcTime now)
{
  memset (self, 0, sizeof *self);
  self->gate = &self->sum;
  self->limits = config->limits;
  self->overhead_bytes = config->overhead_bytes;
  self->guest = config->guest;
  self->bound_until = RC_TIME_NONE;
  rc_lanes_init (&self->lanes, config->mode, config->latency);
  rc_gate_init (&self->sum, &config->pacing, config->limits.start_bps, now);
  rc_srclock_init (&self->srs);
  rc_mediatarget_init (&self->target);
  rc_mediatarget_set_most (&self->target, config->limits.max_bps);
}

/* None is less than its part of the least, and all together start as one. What has a rate of its
 * own has it by each lane. */
static RcLimits
limits_of_lane (const RcSender *self, const RcLaw *law)
{
  RcLimits limits = limits_now (self);
  unsigned n = rc_lanes_count (&self->lanes);

  if (self->one)
    return limits;
  limits.min_bps = limits.min_bps > RC_LANES_MAX ? limits.min_bps / RC_LANES_MAX : 1;
  if (!law->open_loop)
    limits.start_bps = limits.start_bps > n ? limits.start_bps / n : 1;
  return limits;
}

/* --- several lanes --- */

/* Within the limits of now: they are the user's, and hold for all lanes together. What has a rate
 * of its own has it once, by however many lanes. */
static void
follow_lanes (RcSender *self, RcTime now)
{
  const RcLane *lead = self->lanes.lead;
  RcLimits limits = limits_now (self);
  RcLanesSum sum;

  if (self->one)
    return;
  rc_lanes_sum (&self->lanes, &sum);
  if (lead && rc_lane_law (lead)->law->open_loop && sum.rate_bps > lead->gate.rate_bps)
    sum.rate_bps = lead->gate.rate_bps;
  if (sum.rate_bps > limits.max_bps)
    sum.rate_bps = limits.max_bps;
  if (sum.rate_bps < limits.min_bps)
    sum.rate_bps = limits.min_bps;
  self->waiting_bytes = sum.waiting_bytes;
  self->overloaded = sum.overloaded;
  self->sum.infos.heard = rc_sender_is_heard (self);
  rc_gate_set (&self->sum, sum.rate_bps, sum.stopped, now);
  rc_rmc_set_slot (&self->sum.rmc, lead ? lead->gate.rmc.slot : 0, false);
}

/* Another lane came or went, or the limits are others. */
static void
share_limits (RcSender *self, bool anew, RcTime now)
{
  for (unsigned i = 0; i < self->lanes.n_places; i++) {
    RcLane *lane = lane_at (self, i);
    RcLimits limits;

    if (!lane)
      continue;
    limits = limits_of_lane (self, rc_lane_law (lane)->law);
    rc_lane_set_limits (lane, &limits, now);
    if (anew && !rc_lane_is_heard (lane) && !lane->gate.stopped)
      rc_lane_begin (lane, now);
  }
}

RcLane *
rc_sender_add_lane (RcSender *self, unsigned index, RcLaneMemory *memory,
    const RcSenderConfig *config, RcTime now)
{
  RcLane *lane = (RcLane *) memory;
  RcLimits limits;

  rc_lanes_add (&self->lanes, index, lane);
  if (config->mode == RC_LANES_ONE) {
    self->one = lane;
    self->gate = &lane->gate;
  }
  limits = limits_of_lane (self, config->controller->law);
  rc_lane_init (lane, config, &limits, &self->srs, now);
  rc_lane_set_format (lane, &self->announced, now);
  if (!self->one)
    share_limits (self, true, now);
  follow_lanes (self, now);
  return lane;
}

void
rc_sender_remove_lane (RcSender *self, unsigned index, RcTime now)
{
  rc_lanes_remove (&self->lanes, index);
  follow_lanes (self, now);
}

RcTime
rc_sender_look (RcSender *self, RcTime now)
{
  RcTime next_at = rc_lanes_look (&self->lanes, now);

  follow_lanes (self, now);
  return next_at;
}

RcLanes *
rc_sender_lanes (RcSender *self)
{
  return &self->lanes;
}

RcLane *
rc_sender_lead (const RcSender *self)
{
  return self->lanes.lead;
}

/* --- settings --- */

static void
apply_limits (RcSender *self, RcTime now)
{
  rc_mediatarget_set_most (&self->target, limits_now (self).max_bps);
  share_limits (self, false, now);
  follow_lanes (self, now);
}

void
rc_sender_set_limits (RcSender *self, const RcLimits *limits, RcTime now)
{
  self->limits = *limits;
  apply_limits (self, now);
}

void
rc_sender_start_at (RcSender *self, uint64_t bps, RcTime now)
{
  for (unsigned i = 0; i < self->lanes.n_places; i++)
    if (lane_at (self, i))
      rc_lane_start_at (lane_at (self, i), bps / rc_lanes_count (&self->lanes), now);
}

void
rc_sender_set_format (RcSender *self, const RcAnnouncement *announced, RcTime now)
{
  self->announced = *announced;
  for (unsigned i = 0; i < self->lanes.n_places; i++)
    if (lane_at (self, i))
      rc_lane_set_format (lane_at (self, i), announced, now);
}

void
rc_sender_set_bound (RcSender *self, uint64_t bps, RcTime now)
{
  self->bound_until = RC_TIME_NONE;
  if (bps == self->bound_bps)
    return;
  self->bound_bps = bps;
  apply_limits (self, now);
}

void
rc_sender_on_bound (RcSender *self, uint64_t bps, RcTime now)
{
  rc_sender_set_bound (self, bps, now);
  self->bound_until = now + RC_BOUND_SPAN;
}

/* --- media --- */

void
rc_sender_on_made (RcSender *self, uint32_t media_bytes, RcTime now)
{
  rc_ratemeter_add (&self->made, media_bytes, now);
  rc_mediatarget_on_made (&self->target, media_bytes, now);
}

void
rc_sender_on_dropped (RcSender *self, uint64_t network_bytes)
{
  for (unsigned i = 0; i < self->lanes.n_places; i++)
    if (lane_at (self, i))
      rc_lane_on_dropped (lane_at (self, i), network_bytes);
}

static void
end_bound (RcSender *self, RcTime now)
{
  if (self->bound_until == RC_TIME_NONE || now < self->bound_until)
    return;
  self->bound_until = RC_TIME_NONE;
  self->bound_bps = 0;
  apply_limits (self, now);
}

RcGate *
rc_sender_gate (RcSender *self)
{
  return self->gate;
}

RcTime
rc_sender_due_at (RcSender *self, uint32_t network_bytes, RcTime now)
{
  end_bound (self, now);
  if (self->one && rc_lane_is_due (self->one, now))
    rc_lane_on_timer (self->one, now);
  return rc_gate_due_at (self->gate, network_bytes, now);
}

RcTime
rc_sender_urgent_at (RcSender *self, uint32_t network_bytes, RcTime now)
{
  return self->gate->stopped ? rc_sender_due_at (self, network_bytes, now)
      : rc_rmc_urgent_at (&self->gate->rmc, network_bytes, now);
}

bool
rc_sender_wants_probe (const RcSender *self, RcTime now)
{
  RcTime at = rc_sender_media_probe_at (self);

  return self->gate->stopped && at != RC_TIME_NONE && now >= at;
}

void
rc_sender_on_sent (RcSender *self, const RcSenderPacket *packet, bool backlogged, RcTime now)
{
  rc_srclock_on_media (&self->srs);
  rc_mediatarget_on_sent (&self->target, packet->rtp_bytes + self->overhead_bytes,
      packet->media_bytes);
  if (self->one && rc_lane_on_sent (self->one, packet, backlogged, now))
    self->retarget = true;
}

void
rc_sender_on_control_sent (RcSender *self, uint32_t network_bytes, RcTime now)
{
  rc_mediatarget_on_rtcp (&self->target, network_bytes, now);
  if (self->one)
    rc_lane_on_control_sent (self->one, network_bytes, now);
  else
    rc_rmc_on_sent (&self->sum.rmc, network_bytes, now);
}

/* --- what follows --- */

bool
rc_sender_end (RcSender *self, RcTime now)
{
  return rc_srclock_end (&self->srs, now);
}

/* A guest's media may wait for seconds until the path is open (ICE, DTLS). That queue is no
 * congestion: it must not lower the target with which the call begins. */
static void
plan_target (RcSender *self, uint64_t queue_bytes, RcTime now, RcSenderPlan *plan)
{
  bool opening = self->guest && self->one && self->one->ledgers.stats.accepted == 0;
  uint32_t bps;

  rc_mediatarget_on_queue (&self->target, opening ? 0 : queue_bytes + self->waiting_bytes, now);
  plan->tell_target = self->retarget && self->target_bps > 0;
  self->retarget = false;
  rc_mediatarget_set_fallen (&self->target,
      self->one ? self->one->decision.fell : self->overloaded);
  if (rc_mediatarget_take (&self->target, self->gate->rate_bps, now, &bps)) {
    self->target_bps = bps;
    plan->tell_target = true;
  }
  plan->target_bps = self->target_bps;
}

/* By the lane that has the fewest timeouts. */
static void
update_voice (RcSender *self, RcTime now)
{
  unsigned timeouts = UINT_MAX, of_lane;
  bool living = false;

  for (unsigned i = 0; i < self->lanes.n_places; i++) {
    const RcLane *lane = lane_at (self, i);

    if (!lane || !is_living (lane))
      continue;
    living = true;
    of_lane = lane->controller.law->open_loop ? 0 : lane->controller.path.timeouts;
    timeouts = of_lane < timeouts ? of_lane : timeouts;
  }
  rc_voice_update (&self->voice, living, timeouts, now);
}

void
rc_sender_plan (RcSender *self, uint64_t queue_bytes, RcTime now, RcSenderPlan *plan)
{
  update_voice (self, now);
  end_bound (self, now);
  plan->tell_time = rc_srclock_take (&self->srs, self->gate->rate_bps, now);
  plan->next_at = rc_sooner (self->bound_until, rc_srclock_due_at (&self->srs));
  plan_target (self, queue_bytes, now, plan);
}

bool
rc_sender_take_misfit (RcSender *self, RcTime now, uint32_t *made_bps, uint32_t *told_bps)
{
  return rc_mediatarget_take_misfit (&self->target, now, made_bps, told_bps);
}

/* --- what holds now --- */

uint64_t
rc_sender_rate_bps (const RcSender *self)
{
  return self->gate->rate_bps;
}

RcCause
rc_sender_cause (const RcSender *self)
{
  RcLimits limits = limits_now (self);
  uint64_t bps = self->gate->rate_bps;
  RcCause cause = self->lanes.lead ? rc_lane_cause (self->lanes.lead) : RC_CAUSE_START;

  if (!self->one && (bps >= limits.max_bps || bps <= limits.min_bps) && !self->gate->stopped)
    cause = rc_limits_cause (&limits, RC_CAUSE_USER, bps);
  return cause;
}

RcPaceCause
rc_sender_pace_cause (const RcSender *self)
{
  return self->one ? self->one->pace.cause : RC_PACE_RATE;
}

RcCause
rc_sender_target_cause (const RcSender *self)
{
  RcCause cause = rc_sender_cause (self);

  if (!self->gate->stopped && cause != RC_CAUSE_FALL
      && rc_mediatarget_drains (&self->target, self->gate->rate_bps))
    cause = RC_CAUSE_DRAIN;
  return cause;
}

uint32_t
rc_sender_target_bps (const RcSender *self)
{
  return self->target_bps;
}

uint32_t
rc_sender_steady_bps (RcSender *self, RcTime now)
{
  return rc_mediatarget_get_steady_bps (&self->target, self->gate->rate_bps, now);
}

bool
rc_sender_is_stopped (const RcSender *self)
{
  return self->gate->stopped;
}

bool
rc_sender_is_living (const RcSender *self)
{
  for (unsigned i = 0; i < self->lanes.n_places; i++)
    if (lane_at (self, i) && is_living (lane_at (self, i)))
      return true;
  return false;
}

bool
rc_sender_counts (const RcSender *self)
{
  return self->voice.state == RC_VOICE_COUNTS;
}

bool
rc_sender_is_heard (const RcSender *self)
{
  for (unsigned i = 0; i < self->lanes.n_places; i++)
    if (lane_at (self, i) && rc_lane_is_heard (lane_at (self, i)))
      return true;
  return false;
}

/* Of the lanes that carry. */
static RcTime
longest (const RcSender *self, RcTime (*time) (const RcLane *lane))
{
  RcTime found = RC_TIME_NONE;

  for (unsigned i = 0; i < self->lanes.n_places; i++)
    if (self->lanes.places[i].carries && time (lane_at (self, i)) > found)
      found = time (lane_at (self, i));
  return found;
}

RcTime
rc_sender_srtt (const RcSender *self)
{
  return longest (self, rc_lane_srtt);
}

RcTime
rc_sender_queueing_delay (const RcSender *self)
{
  return longest (self, rc_lane_queueing_delay);
}

bool
rc_sender_is_guest (const RcSender *self)
{
  return self->guest;
}

bool
rc_sender_wants_stamps (const RcSender *self)
{
  return self->lanes.lead && rc_lane_law (self->lanes.lead)->law->wants_stamps;
}

RcTime
rc_sender_loop_time (const RcSender *self)
{
  RcTime srtt = rc_sender_srtt (self);

  return srtt == RC_TIME_NONE ? RC_TIME_NONE : srtt + self->lanes.lead->decision.report_interval;
}

RcTime
rc_sender_media_probe_at (const RcSender *self)
{
  return rc_infoclock_media_probe_at (&self->gate->infos);
}

void
rc_sender_get_stats (RcSender *self, RcTime now, RcSenderStats *stats)
{
  rc_lanes_get_stats (&self->lanes, now, stats);
  stats->made_bps = rc_ratemeter_get_bps (&self->made, now);
  stats->bound_bps = self->bound_bps;
}
