/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* How packets leave, by what the path is known to bear
 * ====================================================
 *
 * In a nutshell: the law says how much leaves in a second. Within a frame packets may leave faster,
 * so that the frame arrives sooner, as long as the path carries them without a queue; and several
 * may leave together, where no queue can tell.
 *
 * Gain g. Problem: at the rate r a frame takes its whole interval to leave, even on a link of ten
 * times as much. Rule: frames leave at g r. Reports say how long packets wait behind those of their
 * own frame:
 *
 *   s   = mean OWD - least OWD of a second, smoothed over 0.2 s            [spread_s]
 *   s_1 = s while g = 1: jitter and timers                                 [own_spread_s]
 *   w   = 2 (s - s_1)    the last packet of a frame waits twice as long as the mean one
 *
 *   g' >= 0   doubles each DOUBLE_S while w < W and packets left one behind the other
 *   g := LOWER g, once an SRTT, where w > 2 W
 *   g <= 32   a frame of 30 a second then leaves within a slot; 8, where that is a large burst
 *   g  = 1    where the law looks for the capacity, behind a queue, and on L4S paths
 *   g  = 1    for HOLD, if more is lost at g > 1 than at 1, by more than chance
 *
 *   OWD is the one-way delay. W is so little that frames are no sign of a queue or of jitter to the
 *   law (queueing.c). HOLD doubles each time: a policer drops what comes faster than its
 *   bucket bears, and says so by nothing else.
 *
 * So g r settles at what the path carries and a little more. A packet that waits behind its own
 * frame is not later than one that had waited in the sender; the queue is empty again before the
 * next frame, since all frames together are r.
 *
 * Slots. Problem: a packet that is paced by itself is a wake-up of the sender, and one of the
 * receiver; at 100 Mbit/s they cost more than all else. A queue that holds 1 ms cannot tell single
 * packets from bursts of 1 ms, and nearly all do: that of a radio holds 10 ms and more. Rule:
 * what is due within a slot of 1 ms leaves at its end. Single packets leave
 *   - at a rate that the user fixed (law `fixed`): there RMC is as exact as its paper has it,
 *   - before the first report, since nothing is known,
 *   - on an L4S path, which marks what waits for 1 ms,
 *   - for 10 s after a loss: the queue may be shorter than a slot.
 *
 * Inputs: reports, what left, what the law allows. Output: g, the slot, and why.
 * Rejected: g > 1 while the law looks for the capacity. At a fixed 1.5 and 2 times the rate the
 * queue's 95th percentile doubles, ten flows no longer share fairly, and each flow takes the
 * capacity of the whole link for its own; the greatest OWD of a report for w, which jitter of 5 ms
 * hides. */
#include <rc/pace/paceplan.h>

#include <assert.h>
#include <math.h>

/* A frame of 30 a second leaves within a slot, in a burst of at most so much; else within 4 ms. */
#define GAIN_MOST 32.0
#define BURST_BYTES 64000
#define GAIN_OF_LARGE 8.0
#define DOUBLE_S 0.4
#define LOWER 0.85
#define PLAIN 1.1               /* what happens at less is none of the gain */
#define FOLLOWERS 2             /* fewer tell nothing of the gain */
#define LEAST_SPAN RC_SECOND
#define SPREAD_TAU_S 0.2
#define WAIT_S 0.0012            /* W; twice so much is less than RC_QUEUEING_PACED_S */
#define WAIT_SPREAD 0.25        /* of jitter more: it varies */
#define QUEUE_S 0.005           /* timers and frame edges alone */
#define LEARN_SPAN (600 * RC_MSEC)      /* until s_1 is known */
#define LOSS_MEMORY_PKTS 4000
#define DEVIATIONS 3             /* each report is a test */
#define CHANCE_PKTS 2           /* where nothing was lost before */
#define HOLD_LEAST (10 * RC_SECOND)
#define HOLD_MOST (160 * RC_SECOND)
#define SLOT RC_MSEC
#define LOSS_SPAN (10 * RC_SECOND)

void
rc_paceplan_init (RcPacePlan *self, RcTime now)
{
  *self = (RcPacePlan) { .gain = 1, .told_at = now, .plain_since = now,
    .lowered_at = RC_TIME_NONE, .lost_at = RC_TIME_NONE, .held_until = now };
  rc_winmin_init (&self->least, LEAST_SPAN);
}

void
rc_paceplan_forget_clock (RcPacePlan *self)
{
  rc_winmin_init (&self->least, LEAST_SPAN);
}

void
rc_paceplan_on_sent (RcPacePlan *self, bool backlogged)
{
  self->followers += backlogged;
}

static double
most_gain (uint64_t rate_bps)
{
  return rc_clampd (BURST_BYTES * 8 / rc_time_to_s (SLOT) / (double) rate_bps, GAIN_OF_LARGE,
      GAIN_MOST);
}

static void
set_gain (RcPacePlan *self, double gain, RcTime now)
{
  self->gain = fmax (gain, 1);
  if (self->gain > 1)
    self->plain_since = RC_TIME_NONE;
  else if (self->plain_since == RC_TIME_NONE)
    self->plain_since = now;
}

void
rc_paceplan_stop (RcPacePlan *self, RcTime now)
{
  set_gain (self, 1, now);
  if (self->cause != RC_PACE_UNKNOWN)
    self->cause = RC_PACE_RATE;
}

/* --- losses --- */

static void
count (RcPaceLoss *loss, const RcPaceFacts *facts)
{
  if (loss->told > LOSS_MEMORY_PKTS) {
    loss->told /= 2;
    loss->lost /= 2;
  }
  loss->told += (double) facts->received_pkts + facts->lost_pkts;
  loss->lost += facts->lost_pkts;
}

static void
watch_loss (RcPacePlan *self, const RcPaceFacts *facts, RcTime now)
{
  double expected;

  if (facts->lost_pkts > 0)
    self->lost_at = now;
  count (self->gain > PLAIN ? &self->gain_loss : &self->plain_loss, facts);
  expected = self->plain_loss.lost / fmax (self->plain_loss.told, 1) * self->gain_loss.told;
  if (self->gain_loss.lost <= expected + DEVIATIONS * sqrt (expected) + CHANCE_PKTS)
    return;
  self->gain_loss = (RcPaceLoss) { 0 };
  self->hold = self->hold == 0 ? HOLD_LEAST : rc_sooner (2 * self->hold, HOLD_MOST);
  self->held_until = now + self->hold;
}

/* --- w --- */

static void
measure_spread (RcPacePlan *self, const RcPaceFacts *facts, RcTime now)
{
  double keep = exp (-rc_time_to_s (now - self->told_at) / SPREAD_TAU_S);
  int64_t least = facts->least_remote;

  rc_winmin_add (&self->least, facts->least_remote, now);
  rc_winmin_get (&self->least, &least);
  self->spread_s = keep * self->spread_s
      + (1 - keep) * rc_time_to_s (facts->mean_remote - least);
  if (self->gain == 1 || self->spread_s < self->own_spread_s)
    self->own_spread_s = self->spread_s;
}

static void
adapt (RcPacePlan *self, const RcPaceFacts *facts, RcTime now)
{
  double wait_s = 2 * (self->spread_s - self->own_spread_s);
  double most_s = WAIT_S + WAIT_SPREAD * self->own_spread_s;
  bool learns = self->plain_since != RC_TIME_NONE && now - self->plain_since < LEARN_SPAN;

  if (wait_s > 2 * most_s) {
    if (self->lowered_at == RC_TIME_NONE || now - self->lowered_at > facts->srtt) {
      set_gain (self, LOWER * self->gain, now);
      self->lowered_at = now;
    }
    self->cause = RC_PACE_QUEUE;
  } else if (wait_s <= most_s && self->followers >= FOLLOWERS && !learns) {
    set_gain (self, fmin (most_gain (facts->rate_bps),
            self->gain * exp2 (fmin (rc_time_to_s (now - self->told_at) / DOUBLE_S, 1))), now);
    self->cause = RC_PACE_FREE;
  }
}

static bool
is_free (const RcPacePlan *self, const RcPaceFacts *facts)
{
  return facts->bound && facts->queueing_delay != RC_TIME_NONE
      && rc_time_to_s (facts->queueing_delay) <= QUEUE_S + self->own_spread_s;
}

void
rc_paceplan_on_report (RcPacePlan *self, const RcPaceFacts *facts, RcTime now)
{
  bool lost;

  watch_loss (self, facts, now);
  if (facts->has_delays)
    measure_spread (self, facts, now);
  if (facts->l4s)
    self->cause = RC_PACE_L4S;
  else if (!is_free (self, facts))
    self->cause = RC_PACE_RATE;
  else if (now < self->held_until)
    self->cause = RC_PACE_LOSS;
  else if (facts->has_delays)
    adapt (self, facts, now);
  if (self->cause < RC_PACE_QUEUE)
    set_gain (self, 1, now);
  lost = self->lost_at != RC_TIME_NONE && now - self->lost_at < LOSS_SPAN;
  self->slot = facts->exact || facts->l4s || lost ? 0 : SLOT;
  self->followers = 0;
  self->told_at = now;
}

const char *
rc_pace_cause_name (RcPaceCause cause)
{
  static const char *const names[] = {
    "unknown", "rate", "l4s", "loss", "queue", "free"
  };

  static_assert (sizeof names / sizeof names[0] == RC_PACE_N, "each cause has a name");
  return (unsigned) cause < RC_PACE_N ? names[cause] : "unknown";
}
