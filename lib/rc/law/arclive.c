/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Live ARC: the paper's law for live video on real networks
 * =========================================================
 *
 * In a nutshell: when a queue builds, the rate x is reset to what the path delivers (eq. 2). While
 * a queue is left, the rate r is lower than x by an amount in proportion to the queue (eq. 1), so
 * that the queue drains. Without a queue x grows, and it grows faster the longer no queue was seen.
 *
 * Model, in the paper's symbols; x = w / T is the paper's window w as a rate:
 *
 *   r  = x - B d / T,  T = mRTT + 1/k   [ARC eq. 1], its integral read as r mRTT   arclive_rate.c
 *   x := min (x, 0.97 B)                [ARC eq. 2], on congestion                 arclive_avoid.c
 *   x' = growth                         [ARC eq. 3], in rate and accelerating      arclive_avoid.c
 *   x := x (1 - alpha / 2)              [RFC 8257 eq. 2], on marks of an L4S queue  arclive_marks.c
 *   alpha := alpha + (s - alpha) / 16   [RFC 8257 eq. 1], both once an SRTT        arclive_marks.c
 *   x' >= 1500 bytes / SRTT^2           as the flows beside ours grow there        arclive_marks.c
 *   congestion: d > theta               [ARC 3.1.2], theta falls with the rate     arclive_rate.c
 *   timeout: no report for 2 SRTT       [ARC 3.1.4]                                timeout_at ()
 *   Y  = integral of (1 - r / B0)+      how long we gave way; 1 at the floor     arclive_compete.c
 *
 *   B    used bandwidth (delivery.h, idletime.h) d, mRTT     queueing delay, base RTT (queueing.h)
 *   K    [known_bps] the capacity as seen last   g           [growth_gain] gain of growth
 *   B0   [had_bps] B when the queue came         Y           [given_way_s], fades over 5 s
 *   peak [peak_s] the highest d lately, fades over 5 s
 *   D    [max_delay] the queueing delay that is joined only after another trial
 *   s    share of packets with a mark            alpha       s smoothed
 *
 *   START ---- 1 ---> AVOID ---- 2 ---> YIELD ---- 3 ---> COMPETE
 *     ^                 ^                 |  ^              |  |
 *     |                 +------- 4 -------+  +----- 5 ------+  |
 *     |                 +------------------ 6 -----------------+
 *     +---- 8 ---- OUTAGE <---- 7, from any state
 *
 *   1  the first report that shows congestion
 *   2  Y > 2 peak + 0.25 s, and the queue is deep: twice theta and 40 ms; or Y > 2 peak + 1 s
 *   3  the trial says that others share the queue
 *   4  the queue is gone, or the trial says that it is our own; if it came from COMPETE, twice
 *   5  d is past a peak (it fell to 0.7 of it) 2 s after the last trial; 12 s after it; or d has
 *      grown past D, 2 D, 4 D ...
 *   6  d < theta for 0.5 s
 *   7  two timeouts in a row
 *   8  a report
 *
 * START    x doubles each 2.5 SRTT. The paper starts by eq. 3 alone, which is 19 kbit/s more each
 *          second.
 * AVOID    Problem: the paper holds w at a backlog of 10 packets, which is a standing queue of 120
 *          ms at 1 Mbit/s. Rule: x is cut at the second report in which d > theta and d does not
 *          fall. A queue that falls by itself was a burst of another flow. A loss without a queue
 *          counts as radio loss. A mark is congestion as well, unless it is one of an L4S queue.
 * L4S      Problem: an L4S queue marks packets while it is nearly empty, and the share of marks
 *          tells how much is too much. Eq. 2 at each mark would leave our share to flows that
 *          answer to the share. Rule: marks of ECT(1) at d <= 3 ms lower x by half of alpha, and x
 *          grows by a packet each SRTT. A sign of congestion without such marks ends that growth.
 * COMPETE  Problem: a loss-based flow keeps the queue full, whatever we leave to it. If we have
 *          given way for so long that a queue of our own would have drained twice (Y > 2 peak),
 *          another flow keeps the queue. Rule: r follows the window of a CUBIC flow (cubic.h),
 *          which needs to know neither the capacity nor how many flows there are.
 * YIELD    Problem: a queue that stays while we give way may be another's, or the capacity falls,
 *          or our own flows keep it together. Rule: the rate is halved and raised again within a
 *          second, and only if what is delivered falls and rises with it do we compete
 *          (queuetrial.h). Until the answer comes x is at most B, and above D half of it.
 * D        Problem: a trial can be wrong by chance, and COMPETE may then fill a queue of any depth.
 *          Rule: beyond D each doubling of the queue needs a trial of its own. All flows of ours
 *          see the same queue grow, so that their trials overlap and find it theirs. x never
 *          returns to more than twice the B that the trial began with.
 * OUTAGE   x halves with each timeout, because nothing else is known. The first SRTT of reports
 *          after it tells of the outage, and is left out. So are losses until four packets have
 *          come that left after it: a receiver counts a loss when three more have come. Then x
 *          is half of what it was before, at most the rate of a start.
 *
 * Inputs: reports (RcFeedback), bytes sent, time. Output: RcDecision.
 * Source: L. A. Grieco, S. Mascolo, L. De Cicco, ARC; for L4S RFC 8257, 9331, 9332. See
 * docs/papers.md. eval/loop/ablate tells what each constant is worth.
 * Limits: several flows of ours on one link whose capacity falls may take each other for others
 * while their trials do not overlap. r is within the user's limits. Nothing here is NaN or
 * infinite, whatever feedback tells. */
#include <rc/law/arclive.h>

#include "arclive_avoid.h"
#include "arclive_compete.h"
#include "arclive_marks.h"
#include "arclive_rate.h"
#include "arclive_route.h"

#include <math.h>
#include <string.h>

#define REPORT_SRTTS 0.25       /* a quarter of the reaction time is waiting for reports */
#define REPORT_MIN_S 0.020
#define REPORT_MAX_S 0.050
#define TIMEOUT_SRTTS 2         /* [ARC 3.1.4] */
#define TIMEOUT_MIN_S 0.200     /* a few frames: reports are sent as packets come */
#define TIMEOUT_REPORTS 4       /* with 30 % of the reports lost, four in a row are one in 120 */
#define OUTAGE_TIMEOUTS 2
/* What an outage took shows in the first reports after it, but its last losses only when three more
 * packets have come: at the least rate that takes longer than this span. */
#define FORGIVE_SPAN (250 * RC_MSEC)
#define FORGIVE_PKTS 4
/* B over several frames: a step of capacity is known after 0.1 s. */
#define DELIVERY_SPAN (100 * RC_MSEC)

/* --- timeouts --- */

static RcTime
report_interval (const RcArcLive *self)
{
  bool known = self->path.srtt != RC_TIME_NONE;
  double s = known ? REPORT_SRTTS * rc_path_srtt_s (&self->path) : REPORT_MIN_S;

  return rc_time_from_s (rc_clampd (s, REPORT_MIN_S, REPORT_MAX_S));
}

/* [ARC 3.1.4], but never shorter than a few reports take. */
static RcTime
timeout_at (const RcArcLive *self)
{
  double reports_s = TIMEOUT_REPORTS * rc_time_to_s (report_interval (self));
  double span_s = fmax (TIMEOUT_SRTTS * rc_path_srtt_s (&self->path),
      fmax (reports_s, TIMEOUT_MIN_S));

  if (self->silence.stopped)
    return RC_TIME_NONE;
  return rc_reportwatch_next_at (&self->watch, self->silence.since, span_s);
}

/* [ARC 3.1.4] eq. 2 once; each further one halves, since nothing is known any more. */
static void
on_timeout (RcArcLive *self, RcTime now)
{
  if (self->watch.timeouts++ == 0)
    self->before_outage_bps = self->x_bps;
  if (self->watch.timeouts < OUTAGE_TIMEOUTS) {
    if (rc_arclive_bandwidth_bps (self) > 0)
      rc_arclive_set_x (self, fmin (self->x_bps, rc_arclive_bandwidth_bps (self)));
    return;
  }
  rc_arclive_enter (self, RC_ARCLIVE_OUTAGE, now);
  rc_arclive_set_x (self, self->x_bps / 2);
}

/* Reports are back. What the first of them tell is of the outage: see leave_out_outage (). */
static void
end_timeouts (RcArcLive *self, bool was_stopped, RcTime now)
{
  self->watch.timeouts = 0;
  if (self->state != RC_ARCLIVE_OUTAGE && !was_stopped)
    return;
  rc_arclive_enter (self, RC_ARCLIVE_START, now);
  rc_delivery_restart (&self->delivery);
  self->updated_at = now;
  self->outage_ended_at = now;
  self->after_outage_pkts = 0;
  self->forgiving_until = now + (self->path.srtt > FORGIVE_SPAN ? self->path.srtt : FORGIVE_SPAN);
  if (was_stopped)
    rc_arclive_set_x (self, (double) self->limits.start_bps);
  else
    rc_arclive_set_x (self, fmax (self->x_bps,
            fmin ((double) self->limits.start_bps, self->before_outage_bps / 2)));
}

/* --- inputs --- */

static RcDecision
decide (RcArcLive *self, RcTime now)
{
  RcTime silent_at = rc_silence_next_at (&self->silence), late_at = timeout_at (self);
  RcDecision decision = {
    .rate_bps = (uint64_t) (self->rate_bps + 0.5),
    .stopped = rc_silence_update (&self->silence, now),
    .next_at = rc_sooner (silent_at, late_at),
    .srtt = self->path.srtt,
    .report_interval = report_interval (self),
    .queueing_delay = rc_time_from_s (self->queueing.delay_s),
  };

  if (decision.stopped)
    decision.next_at = RC_TIME_NONE;
  return decision;
}

RcDecision
rc_arclive_on_timer (void *law, RcTime now)
{
  RcArcLive *self = law;
  RcTime at = timeout_at (self);

  rc_use_update (&self->use, self->rate_bps, 0, now);
  if (at != RC_TIME_NONE && now >= at) {
    on_timeout (self, now);
    rc_arclive_decide_rate (self);
  }
  return decide (self, now);
}

RcDecision
rc_arclive_on_sent (void *law, const RcSent *sent, RcTime now)
{
  RcArcLive *self = law;

  rc_use_update (&self->use, self->rate_bps, sent->size_bytes * 8.0, now);
  rc_idletime_on_sent (&self->idle, sent->size_bytes * 8.0, fmax (self->rate_bps, 1),
      self->queueing.delay_s, now);
  rc_silence_on_sent (&self->silence, now);
  rc_reportwatch_on_sent (&self->watch, sent->size_bytes, now);
  return decide (self, now);
}

static void
measure (RcArcLive *self, const RcFeedback *feedback, RcTime now)
{
  const RcDelays *delays = &feedback->delays;
  bool hold_base = self->state == RC_ARCLIVE_COMPETE || self->state == RC_ARCLIVE_YIELD;

  rc_path_on_feedback (&self->path, feedback, now);
  if (feedback->restarted) {
    rc_queueing_forget_clock (&self->queueing);
    rc_delivery_restart (&self->delivery);
  }
  if (delays->pkts == 0 || feedback->rtt == RC_TIME_NONE)
    return;
  rc_queueing_add (&self->queueing, feedback,
      RC_ARCLIVE_PACKET_BITS / fmax (rc_arclive_bandwidth_bps (self), 1e3), hold_base, now);
  if (self->queueing.jumped)
    rc_delivery_restart (&self->delivery);
  /* The packet that jitter delayed least, on a clock that stands still while the path is idle. */
  rc_delivery_add (&self->delivery, delays->least_sent_at + delays->least_remote
      - rc_idletime_before (&self->idle, delays->least_sent_at), delays->least_bytes,
      DELIVERY_SPAN);
  rc_arclive_on_trial_packet (self, delays);
}

/* The first reports after an outage count all that was lost in it, and have the packets that waited
 * until its end. Neither is congestion, and a wait of seconds is no RTT. */
static void
leave_out_outage (RcArcLive *self, RcFeedback *seen, RcTime now)
{
  if (self->outage_ended_at == RC_TIME_NONE)
    return;
  if (now < self->forgiving_until || self->after_outage_pkts < FORGIVE_PKTS)
    seen->lost_pkts = 0;
  if (seen->sent_at != RC_TIME_NONE && seen->sent_at > self->outage_ended_at)
    self->after_outage_pkts += seen->received_pkts;
  if (now < self->forgiving_until) {
    seen->delays.pkts = 0;
    seen->rtt = RC_TIME_NONE;
  }
}

RcDecision
rc_arclive_on_feedback (void *law, const RcFeedback *told, RcTime now)
{
  RcArcLive *self = law;
  RcFeedback seen = *told;
  bool was_stopped = rc_silence_on_feedback (&self->silence, now);
  double dt_s;

  rc_use_update (&self->use, self->rate_bps, 0, now);
  rc_reportwatch_on_feedback (&self->watch, &seen);
  end_timeouts (self, was_stopped, now);
  leave_out_outage (self, &seen, now);
  measure (self, &seen, now);
  dt_s = rc_time_to_s (now - self->updated_at);
  self->updated_at = now;
  rc_arclive_watch_route (self, &seen, now);
  switch (self->state) {
    case RC_ARCLIVE_COMPETE:
      rc_arclive_react_compete (self, &seen, dt_s, now);
      break;
    case RC_ARCLIVE_YIELD:
      rc_arclive_react_yield (self, dt_s, now);
      break;
    default:
      rc_arclive_react_avoid (self, &seen, dt_s, now);
      if (self->state == RC_ARCLIVE_AVOID)
        rc_arclive_watch_giving_way (self, dt_s, now);
  }
  rc_arclive_decide_rate (self);
  return decide (self, now);
}
