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
 *   r  = x - B d / T,  T = mRTT + 1/k   [ARC eq. 1], its integral read as r mRTT  decide_rate ()
 *   x := min (x, 0.97 B)                [ARC eq. 2], on congestion                cut ()
 *        and again for a reaction time while d > 2 theta: B lags behind a fall
 *   x' = growth                         [ARC eq. 3], in rate and accelerating     grow_avoid ()
 *   x' >= 0.3 (sigma - 0.1) x           on a link whose capacity varies    varied_growth_bps_s ()
 *   x := x (1 - alpha / 2)              [RFC 8257 eq. 2], on marks of an L4S queue  end_round ()
 *   alpha := alpha + (s - alpha) / 16   [RFC 8257 eq. 1], both once an SRTT       end_round ()
 *   x' >= 1500 bytes / SRTT^2           as the flows beside ours grow there   scalable_growth ()
 *   congestion: d > theta               [ARC 3.1.2], theta falls with the rate    threshold_s ()
 *   timeout: no report for 2, 6, 14 ... SRTT, each at least 100 ms   [ARC 3.1.4]      path.h
 *   k  = 2 /s
 *   Y  = integral of (1 - r / B0)+      how long we gave way; 1 at the floor  watch_giving_way ()
 *
 *   B    used bandwidth (delivery.h, idletime.h) d, mRTT     queueing delay, base RTT (queueing.h)
 *   K    [known_bps] the capacity as seen last   g           [growth_gain] gain of growth
 *   B0   [had_bps] B when the queue came         Y           [given_way_s], fades over 5 s
 *   peak [peak_s] the highest d lately, fades over 5 s
 *   D    [max_delay] the queueing delay that is joined only after another trial, 0.4 s
 *   sigma  how much the logarithm of B differs from cut to cut, in a second (volatility.h)
 *   s    share of packets with a mark            alpha       s smoothed
 *
 *   START ---- 1 ---> AVOID ---- 2 ---> YIELD ---- 3 ---> COMPETE -- 9 --> DRAIN
 *     ^                 ^                 |  ^             | |  ^            |  |
 *     |                 +------- 4 -------+  +----- 5 -----+ |  +---- 10 ----+  |
 *     |                 +------------------ 6 ---------------+                  |
 *     |                 +------------------------- 11 --------------------------+
 *     +---- 8 ---- OUTAGE <---- 7, from any state
 *
 *   1  the first report that shows congestion
 *   2  Y > 2 peak + 1 s, or + 0.25 s while a short queue that overflows grows
 *   3  the trial says that others share the queue; unless it is short, two in a row, and between
 *      them AVOID drains
 *   4  the queue is gone, or the trial says that it is our own; if it came from COMPETE, twice
 *   5  d has grown past D, or beyond it has doubled; in YIELD that begins another trial
 *   6  d < theta for 0.5 s, if the queue was longer than 1.5 mRTT
 *   7  two timeouts in a row
 *   8  a report; to AVOID if the reports alone were late
 *   9  UTC passes a multiple of 15 s; of 60 s it begins another trial instead
 *   10 after an SRTT d does not fall
 *   11 d < theta for 1 s
 *
 * START    x doubles each 2.5 SRTT, where an SRTT counts for at least 100 ms. The paper starts by
 *          eq. 3 alone, which is 19 kbit/s more each second. Where x is at the user's limit and
 *          grows no more, losses without a queue are tried as in AVOID.
 * AVOID    Problem: the paper holds w at a backlog of 10 packets, which is a standing queue of 120
 *          ms at 1 Mbit/s. Rule: x is cut at the second report in which d > theta and d does not
 *          fall. A queue that falls by itself was a burst of another flow. Whether
 *          losses without a queue are the radio's or a policer's is found by a trial of a lower
 *          rate (trial.h); of the radio's up to 40 % change nothing, not even beside the short
 *          queues of repairs. A mark is congestion as well, unless it is one of an L4S queue.
 * VARIES   Problem: eq. 3 adds a rate that suits several flows on a wire. On a mobile link the
 *          capacity doubles within a second, and what came free is used long after. Rule: the cuts
 *          show how much the capacity varies. A link that varied will vary: x grows by a share of
 *          itself in proportion. On a wire, cuts find the same B, and nothing changes.
 * FALL     Problem: B is a mean over 100 ms, so after a fall of the capacity x comes down in five
 *          reports, and each frame meanwhile is of the old rate. Rule: from the first sign on the
 *          link is busy, so B over the time since then is the capacity. If x falls below 0.7 of
 *          itself, what waits in the network and in the sender was made for the old rate: for half
 *          a second it goes first. All this only without noise, which lets single B be far off.
 * JUMP     Problem: a stall and a longer route add their delay at once, and B over the gap looks
 *          like a fall. Rule: a delay that jumps is no sign, growth begins anew, and r falls by
 *          eq. 1 alone. Whether the delay follows shows which it is (delayjump.h). After any gap B
 *          is measured anew, and for 100 ms nothing is a sign.
 * L4S      Problem: an L4S queue marks packets while it is nearly empty, and the share of marks
 *          measures the excess. Eq. 2 at each mark would leave our share to flows that
 *          answer to the share. Rule: marks of ECT(1) at d <= 3 ms lower x by half of alpha, and x
 *          grows by a packet each SRTT. A sign of congestion without such marks ends that growth.
 * COMPETE  Problem: a loss-based flow keeps the queue full, whatever we leave to it. If we have
 *          given way for so long that a queue of our own would have drained twice (Y > 2 peak),
 *          another flow keeps the queue. Rule: r follows the window of a CUBIC flow (cubic.h),
 *          which needs to know neither the capacity nor how many flows there are.
 *          x is at most 2 B.
 * YIELD    Problem: a queue that stays while we give way may be another's, or the capacity falls,
 *          or our own flows keep it together. Rule: the rate is halved and raised again within a
 *          second, and only if what is delivered falls and rises with it do we compete
 *          (trial.h). Until the answer comes x is at most B, and above D half of it.
 *          Trials of our own flows collide: the low half of one meets the high halves of the
 *          others. So the first verdict of others only takes Y back to 2 peak; AVOID drains
 *          meanwhile, and a queue of our own is gone before the next trial.
 *          A queue shorter than 1.5 mRTT is empty whenever TCP backs off, and B0 began anew each
 *          time. If packets are lost in it although Y > 2 peak, B0 is the most that we had.
 * DRAIN    Problem: ten flows of ours in COMPETE sustain a full queue although no other flow
 *          competes. To each the other nine are competitors, and a trial by one of them does not
 *          show. Rule: all flows lower their rates when UTC passes a multiple of 15 s, and stay
 *          there as long as the queue falls. If it is gone, nothing but ourselves had kept it.
 * D        Problem: a trial can be wrong by chance, and COMPETE may then fill a queue of any depth.
 *          Rule: beyond D each doubling of the queue needs a trial of its own. All flows of ours
 *          see the same queue grow, so that their trials overlap and find it theirs. x never
 *          returns to more than twice the B that the trial began with.
 * OUTAGE   x is at most B after the first timeout, and halves with each further one, because
 *          nothing else is known. Each comes after twice the time. The first SRTT of reports after
 *          it reflects the outage, and is left out (path.c). So are losses until four packets have
 *          come that left after it: a receiver counts a loss when three more have come. Then x is
 *          half of what it was before, at most the rate of a start. If the reports alone were late,
 *          be it by one timeout, x is what it was.
 *
 * Inputs: reports (RcFeedback), bytes sent, time. Output: RcDecision.
 * Source: L. A. Grieco, S. Mascolo, L. De Cicco, ARC; for L4S RFC 8257, 9331, 9332. See
 * docs/papers.md. eval/loop/ablate measures the effect of each constant.
 * Limits: of ten flows of ours on one link whose capacity falls to a tenth within 6 s some take
 * each other for others, and stay so; within 2 s, and of four, none. In a short queue of BBR, or
 * one that PIE manages, ours has a tenth to a fifth of its share. Four flows behind one policer
 * lose 13 to 35 % of their packets in one start of twenty, and 3 to 11 % in the others. r is within
 * the user's limits. Nothing here is NaN or infinite, whatever the feedback contains.
 *
 * Rejected:
 *   all that is in flight as r's integral (profile `paper`): it counts the queue twice, and
 *     oscillates once k is raised
 *   theta as a number of packets (60 ms at 300 kbit/s), or as a fixed time (flows do not
 *     converge)
 *   FALL: a drain in 0.1 s, better in virtual time, but a real encoder spoils its frames at
 *     the rate of that moment; one sign instead of two, which stalls and noise punish
 *   YIELD: trials that begin together, in slots of UTC of 1 s, which mend ten flows and not the
 *     falls; a second trial right after the first, the same; a drain instead of it, which a fall
 *     fails and a loss of TCP's passes; none while the queue falls; a bound halved in the slots,
 *     which makes all trials false
 *   Y of B instead of B0, which mends all falls of own flows and gives .02 beside TCP: at the
 *     floor r is B; a bound of Y that is lower in deep queues: trials during falls
 *   one Y, of the most that we had or of a B0 that outlasts an empty queue, in place of two: short
 *     queues of TCP give .84 or .63 of a fair share, not .74, but ten own flows on a link that
 *     falls have delays of 7 s
 *   g that doubles sooner on fast links (power .25): .01 more of drives, but Jain .90 of 30 own
 *     flows
 *   COMPETE: half of the capacity as the aim, right beside one flow only; eq. 3, a third of
 *     the share beside CUBIC; a trial past each peak or after each loss, a tenth of the share
 *   START: to fall to 0.75 B at a tenth of losses and ask there whether B is a policer's rate. The
 *     first 10 s lost 11 %, not 15, but with 20 % lost in bursts the worst of 20 seeds used .27 of
 *     the link, not .67
 *   D: to go on competing unless a loss was seen. CUBIC behind 1 s of queue loses a packet
 *     each 10 s, and never one of ours
 *   L4S: a state of its own. A queue without such marks ends the growth, and nothing else
 *     changes */
#include <rc/law/arc.h>
#include <rc/feedback/feedback.h>
#include <rc/law/arclive.h>
#include <rc/law/cubic.h>
#include <rc/law/trial.h>
#include <rc/path/delayjump.h>
#include <rc/path/delivery.h>
#include <rc/path/idletime.h>
#include <rc/path/queueing.h>
#include <rc/path/use.h>
#include <rc/path/volatility.h>

#include <assert.h>
#include <math.h>
#include <string.h>

/* Names, units, ranges and reasons are in the table at the end. */
typedef struct
{
  double k, startup, threshold, noise, growth, used, compete, max_delay;
} Params;

typedef struct
{
  Params params;                /* first: RcLaw.params point into it */
  RcLimits limits;
  const RcPath *path;
  RcQueueing queueing;
  RcDelivery delivery;
  RcIdleTime idle;
  RcUse use;
  RcDelayJump jump;
  RcVolatility volatility;      /* of the capacity, as the cuts show it */
  RcCubic cubic;
  double tolerated_s, pushed_bps_s;     /* what a law around this one knows: rc_arclive_guide() */

  RcArcLiveState state;
  double x_bps;                 /* x: the rate without the drain */
  double rate_bps;              /* r, eq. 1, within the limits */
  RcCause cause;                /* of x */
  RcTime updated_at;            /* of the last report */
  RcTime cut_at;                /* last reduction; RC_TIME_NONE: none yet */
  unsigned signs;               /* consecutive reports that show a queue which does not fall */
  RcTime fell_at;               /* the capacity did; RC_TIME_NONE: what waited then is gone */
  double known_bps; /* K: the capacity as seen last, until the rate is back there; 0: not known */
  double growth_gain;           /* g */
  RcTime used_at;               /* START: when the rate was used last */
  unsigned timeouts;            /* of the path, that x has fallen for */
  double before_outage_bps;     /* x when the first of them struck */
  unsigned routes;              /* longer ones that were noticed */
  /* the marks of an L4S queue */
  double alpha;                 /* smoothed share of marks; < 0: there is no such queue */
  double round_pkts, round_marked_pkts; /* reported since round_at */
  RcTime round_at;
  /* whose queue it is */
  double given_way_s, peak_s;   /* Y; the highest d meanwhile */
  double had_bps;               /* B0: B when the queue came; 0: there is none */
  bool overflows;               /* others keep a short queue full: B0 and Y are these two */
  double most_bps, kept_s;      /* the most that we had, and how long we gave way from there */
  RcTime had_from, had_until;   /* the queue came; B0 is settled, RC_TIME_NONE: not yet */
  double shared_bps;            /* YIELD: the rate to return to */
  RcTrial trial;                /* of losses in AVOID, of a queue in YIELD and DRAIN */
  bool competed;                /* YIELD came from COMPETE */
  unsigned contrary_trials;     /* in a row, of a verdict against what was believed */
  double joined_s;              /* d at the last trial beyond max_delay, or the least since then */
  int64_t drain_slot;           /* of the last drain, or of the first COMPETE */
  RcTime calm_since;
} Live;

static_assert (sizeof (Live) <= sizeof (RcArcLive), "it has room for the state");

/* --- measures, x and r --- */

#define PACKET_BITS (1200 * 8.0)        /* usual payload of video over RTP */
/* 1: packets, so that flows converge; 0: time, so that slow links are quick. */
#define THRESHOLD_POWER 0.5

/* B */
static double
bandwidth_bps (const Live *self)
{
  return self->delivery.bps > 0 ? self->delivery.bps : self->path->bandwidth_bps;
}

/* mRTT; of a false report it would be below 0. */
static double
base_rtt_s (const Live *self)
{
  RcTime base = rc_queueing_base_rtt (&self->queueing);

  return fmax (0, rc_time_to_s (base == RC_TIME_NONE ? RC_PATH_INITIAL_RTT : base));
}

/* theta, at a bandwidth */
static double
threshold_at_s (const Live *self, double bps)
{
  double clean = self->params.threshold * pow (1e6 / fmax (bps, 1e3), THRESHOLD_POWER);

  return fmax (fmax (clean, RC_QUEUEING_PACED_S), self->tolerated_s)
      + self->params.noise * self->queueing.noise_s;
}

/* and at B */
static double
threshold_s (const Live *self)
{
  return threshold_at_s (self, bandwidth_bps (self));
}

static void
set_x (Live *self, double bps, RcCause cause)
{
  self->cause = cause;
  self->x_bps = rc_clampd (bps, (double) self->limits.min_bps, (double) self->limits.max_bps);
}

#define FALL_DRAIN_S 0.2        /* 1/k while what waits is of the rate before a fall */

/* [ARC eq. 1]. Beside others their queue is not ours to drain. */
static void
decide_rate (Live *self)
{
  double drain_bps = 0;
  double drain_s = self->fell_at == RC_TIME_NONE ? 1 / self->params.k : FALL_DRAIN_S;

  if (self->state == RC_ARCLIVE_START || self->state == RC_ARCLIVE_AVOID)
    drain_bps = bandwidth_bps (self) * self->queueing.delay_s
        / (base_rtt_s (self) + drain_s);
  self->rate_bps = self->x_bps - drain_bps;
  if (rc_delayjump_holds (&self->jump))
    self->rate_bps = fmin (self->rate_bps,
        rc_delayjump_rate_bps (&self->jump, threshold_s (self)));
  self->rate_bps = rc_clampd (self->rate_bps, (double) self->limits.min_bps,
      (double) self->limits.max_bps);
}

static void
enter (Live *self, RcArcLiveState state, RcTime now)
{
  self->state = state;
  rc_trial_abort (&self->trial);
  self->signs = 0;
  self->fell_at = RC_TIME_NONE;
  self->calm_since = RC_TIME_NONE;
  self->used_at = now;
}

/* The effect of a reduction must be seen before the next one. */
static bool
may_cut (const Live *self, RcTime now)
{
  return self->cut_at == RC_TIME_NONE
      || rc_time_to_s (now - self->cut_at) > rc_path_reaction_s (self->path);
}

/* --- the marks of an L4S queue --- */

/* An L4S queue marks every packet from 1.2 ms on [RFC 9332 A.2]. CoDel marks none below 5 ms. */
#define SCALABLE_DELAY_S 0.003
#define ALPHA_GAIN (1 / 16.0)   /* [RFC 8257 4.2] */
#define SEGMENT_BITS (1500 * 8.0)       /* of the flows beside ours */

/* Shorter paths answer as if they were so long, else they starve the others [RFC 9331 4.3]. */
static double
round_s (const Live *self)
{
  return fmax (rc_path_srtt_s (self->path), rc_time_to_s (RC_PATH_REPORT_MIN));
}

static bool
are_scalable (const Live *self, const RcFeedback *feedback)
{
  return feedback->ce_pkts > 0 && feedback->left_as_ect1
      && fmax (self->queueing.delay_s, self->queueing.before_s) <= SCALABLE_DELAY_S;
}

static void
begin_round (Live *self, RcTime now)
{
  self->round_pkts = self->round_marked_pkts = 0;
  self->round_at = now;
}

/* [RFC 8257 eq. 1, 2] with x for the window. The first round initialises alpha. */
static void
end_round (Live *self, RcTime now)
{
  double share = self->round_marked_pkts / fmax (self->round_pkts, 1);

  self->alpha = self->alpha < 0 ? share : self->alpha + ALPHA_GAIN * (share - self->alpha);
  if (self->round_marked_pkts > 0) {
    set_x (self, self->x_bps * (1 - self->alpha / 2), RC_CAUSE_MARK);
    self->growth_gain = 1;
    self->known_bps = 0;
  }
  begin_round (self, now);
}

/* Returns true if the report contains CE marks that come from an L4S queue. */
static bool
answer_marks (Live *self, const RcFeedback *feedback, RcTime now)
{
  bool scalable = are_scalable (self, feedback);

  if (!may_cut (self, now)) {
    begin_round (self, now);
  } else if (scalable || self->alpha >= 0) {
    self->round_pkts += feedback->received_pkts;
    self->round_marked_pkts += feedback->ce_pkts;
    if (rc_time_to_s (now - self->round_at) >= round_s (self))
      end_round (self, now);
  }
  return scalable;
}

static void
forget_marks (Live *self)
{
  self->alpha = -1;
}

/* Growth that holds a share beside flows that answer in the same way; 0: no L4S queue. */
static double
scalable_growth (const Live *self)
{
  return self->alpha < 0 ? 0 : SEGMENT_BITS / (round_s (self) * round_s (self));
}

/* --- START and AVOID --- */

/* Times B, which is known a round trip late, in which slow start doubles [RFC 5681 3.1]. */
#define SLOW_START_MOST 2
#define RANDOM_LOSS 0.4         /* a higher ratio is congestion, even without a queue */
#define RANDOM_LOSS_MOST 0.3
#define SHORT_THRESHOLDS 2      /* a longer queue is not of one burst */
#define USED_START 0.4          /* a slow encoder follows a doubling late */
/* Then x was never seen to be carried. Of several paths the first would get all packets by it. */
#define UNUSED_SPAN (2 * RC_SECOND)
#define FALL_RATIO 0.7          /* cuts of a link with a constant capacity leave .9 and more */
#define DRAIN 0.97              /* eq. 2 leaves 3 % for the rest of the queue */
#define GROWTH_POWER 0.25       /* growth by the rate */
#define STEADY_SIGMA 0.1        /* noise of B, and what the shares of other flows change */
#define VARIED_GROWTH 0.3       /* at .6 the worst p95 of 500 drives is 1.3 s, not 0.34 */
#define DOUBLE_REACTIONS 2.5    /* so long g takes to double */
#define DOUBLE_POWER (-0.125)
#define GROWTH_MOST 1.0         /* of x, each second */
#define BUSY_GAIN 1.1           /* what leaves a queue is capacity: K, if it is news */

/* Delays scatter by timers and frame edges alone. */
static bool
is_quiet (const Live *self)
{
  return self->queueing.noise_s <= 0;
}

/* [ARC eq. 2]. B lacks what the radio lost: all that is lost while the queue is short, and what a
 * trial found to be the radio's. */
static void
lower_to_b (Live *self, RcCause cause, RcTime now)
{
  double b = bandwidth_bps (self), before_bps = self->x_bps, ratio = self->path->loss_ratio;

  if (self->queueing.delay_s <= SHORT_THRESHOLDS * threshold_s (self)
      || rc_trial_knows (&self->trial, ratio))
    b /= 1 - fmin (ratio, RANDOM_LOSS_MOST);
  set_x (self, fmin (self->x_bps, DRAIN * b), cause);
  self->known_bps = b;
  if (self->x_bps < FALL_RATIO * before_bps && self->fell_at == RC_TIME_NONE && is_quiet (self))
    self->fell_at = now;
  if (self->fell_at != RC_TIME_NONE)
    self->cause = RC_CAUSE_FALL;
}

/* While its effect is not seen yet, B is still what left a full queue: after a fall it comes down
 * to the capacity as its span fills, and x with it. */
static void
cut (Live *self, RcCause cause, RcTime now)
{
  if (may_cut (self, now)) {
    lower_to_b (self, cause, now);
    rc_volatility_add (&self->volatility, self->known_bps, now);
    self->growth_gain = fmax (1, self->growth_gain / 2);
    self->cut_at = now;
  } else if (self->queueing.delay_s > SHORT_THRESHOLDS * threshold_s (self)
      && DRAIN * bandwidth_bps (self) < self->x_bps) {
    lower_to_b (self, cause, now);
    rc_volatility_correct (&self->volatility, self->known_bps);
  }
}

/* A source that does not use its rate must not make it grow without bound. */
static void
grow_start (Live *self, double dt_s, RcTime now)
{
  double sent_bps = self->use.sent_bits / RC_PATH_MEAN_S;

  if (rc_use_reaches (&self->use, USED_START)) {
    self->used_at = now;
    set_x (self, self->x_bps
        * exp2 (dt_s / (self->params.startup * rc_path_reaction_s (self->path))), RC_CAUSE_START);
  } else if (now - self->used_at > UNUSED_SPAN) {
    set_x (self,
        fmin (self->x_bps, fmax ((double) self->limits.start_bps, sent_bps / self->params.used)),
        RC_CAUSE_APPLICATION);
  }
}

/* On a link that varies, the capacity of a second ago is old news: x grows in proportion to how
 * much it may have risen since. */
static double
varied_growth_bps_s (const Live *self)
{
  double sigma = rc_volatility_sigma (&self->volatility);

  return VARIED_GROWTH * fmax (0, sigma - STEADY_SIGMA) * self->x_bps;
}

/* What is too much shows a reaction time later: longer paths grow slower, by the root. */
static double
first_growth_bps_s (const Live *self)
{
  double slower = sqrt (RC_PATH_REACTION_MIN_S / rc_path_reaction_s (self->path));
  double steady = self->params.growth * pow (self->x_bps / 1e6, GROWTH_POWER) * slower;

  return fmax (fmax (steady, varied_growth_bps_s (self)), self->pushed_bps_s);
}

/* [ARC eq. 3] in rate. Up to K the way is known, and takes 1/k; beyond it growth begins anew. */
static void
grow_avoid (Live *self, double dt_s)
{
  double wait_s = rc_path_srtt_s (self->path) + RC_PATH_REACTION_MIN_S + self->queueing.window_s;
  double double_s = DOUBLE_REACTIONS * wait_s * pow (self->x_bps / 1e6, DOUBLE_POWER);
  double slope, recovery;
  bool marks_take;

  if (!rc_use_reaches (&self->use, self->params.used)) {
    self->cause = RC_CAUSE_APPLICATION;
    return;
  }
  if (self->known_bps > 0 && self->rate_bps >= self->known_bps) {
    self->growth_gain = 1;
    self->known_bps = 0;
  }
  slope = fmin (first_growth_bps_s (self) * self->growth_gain, GROWTH_MOST * self->x_bps);
  if (slope < GROWTH_MOST * self->x_bps
      && !rc_trial_is_near (&self->trial, self->x_bps, self->path->loss_ratio))
    self->growth_gain *= exp2 (dt_s / double_s);
  slope = fmax (slope, scalable_growth (self));
  recovery = (self->known_bps - self->x_bps) * self->params.k;
  marks_take = self->alpha / 2 * self->x_bps / round_s (self) > slope;
  set_x (self, self->x_bps + fmax (slope, recovery) * dt_s, recovery > slope
      ? RC_CAUSE_KNOWN_CAPACITY : marks_take ? RC_CAUSE_MARK : RC_CAUSE_GROWTH);
}

/* A queue that lasts for more than 1/k is not ours alone. */
static void
watch_fall (Live *self, RcTime now)
{
  if (self->fell_at != RC_TIME_NONE && (self->queueing.delay_s < threshold_s (self)
          || rc_time_to_s (now - self->fell_at) > 1 / self->params.k))
    self->fell_at = RC_TIME_NONE;
}

static bool
congested (Live *self, const RcFeedback *feedback, bool scalable_marks, RcTime now)
{
  double d = self->queueing.delay_s, threshold = threshold_s (self),
      loss_ratio = self->path->loss_ratio;
  bool new_losses = feedback->lost_pkts > 0 && !rc_trial_knows (&self->trial, loss_ratio);

  if (d <= threshold || self->queueing.gap)
    self->signs = 0;
  else if (self->queueing.rises && !rc_delayjump_holds (&self->jump))
    self->signs++;
  if (rc_time_to_s (now - self->delivery.since) < RC_PATH_REACTION_MIN_S)
    return false;
  return self->signs >= (self->state == RC_ARCLIVE_START ? 1 : 2)
      || (feedback->ce_pkts > 0 && (!scalable_marks || self->state == RC_ARCLIVE_START))
      || (new_losses && d > threshold / 2)
      || (feedback->lost_pkts > 0 && loss_ratio > RANDOM_LOSS);
}

/* The strongest of what congested() saw. */
static RcCause
cut_cause (const Live *self, const RcFeedback *feedback)
{
  if (self->signs > 0)
    return RC_CAUSE_QUEUE;
  return feedback->ce_pkts > 0 ? RC_CAUSE_MARK : RC_CAUSE_LOSS;
}

/* true: it says what x is. */
static bool
follow_trial (Live *self, RcTime now)
{
  double bps = rc_trial_rate_bps (&self->trial, now);

  if (bps > 0)
    set_x (self, bps, bps > self->trial.low_bps ? RC_CAUSE_TRIAL_HIGH : RC_CAUSE_TRIAL_LOW);
  return bps > 0;
}

/* Losses without a queue. true: a trial is on, and says what x is. */
static bool
try_losses (Live *self, const RcFeedback *feedback, RcTime now)
{
  RcTrial *trial = &self->trial;
  bool queue = self->queueing.delay_s > threshold_s (self) / 2;
  RcTime utc = self->path->epoch + now;

  if (rc_trial_rate_bps (trial, utc) <= 0) {
    if ((self->state == RC_ARCLIVE_START && self->x_bps < (double) self->limits.max_bps) || queue
        || feedback->lost_pkts == 0 || !rc_use_reaches (&self->use, self->params.used)
        || !rc_trial_is_due (trial, self->path->loss_ratio, self->x_bps / PACKET_BITS, utc))
      return false;
    rc_trial_begin_losses (trial, self->x_bps, utc);
  } else if (rc_trial_add_losses (trial, feedback->lost_pkts, feedback->received_pkts,
          feedback->received_bytes * 8.0, 2 * rc_path_reaction_s (self->path), utc)
      == RC_TRIAL_OURS) {
    self->known_bps = DRAIN * trial->passed_bps;
    self->growth_gain = 1;
    set_x (self, fmin (self->x_bps, self->known_bps), RC_CAUSE_LOSS);
    enter (self, RC_ARCLIVE_AVOID, now);
    return true;
  }
  if (follow_trial (self, utc))
    return true;
  set_x (self, trial->before_bps, RC_CAUSE_TRIAL_HIGH);
  return false;
}

/* START and AVOID differ in how they grow, and in how many signs they wait for. */
static void
react_avoid (Live *self, const RcFeedback *feedback, double dt_s, RcTime now)
{
  double b = bandwidth_bps (self);
  bool scalable_marks = answer_marks (self, feedback, now);
  bool is_congested = congested (self, feedback, scalable_marks, now),
      queue = self->queueing.delay_s > threshold_s (self);

  watch_fall (self, now);
  if (self->queueing.delay_s > threshold_s (self) / 2
      && b > fmax (BUSY_GAIN * self->x_bps, self->known_bps)
      && !rc_trial_rests (&self->trial, self->path->epoch + now))
    self->known_bps = b;
  if (is_congested) {
    rc_trial_abort (&self->trial);
    cut (self, cut_cause (self, feedback), now);
    if (!scalable_marks)
      forget_marks (self);
    if (self->state == RC_ARCLIVE_START) {
      self->most_bps = SLOW_START_MOST * b;     /* a start ends long before a fair share */
      enter (self, RC_ARCLIVE_AVOID, now);
    }
  } else if (!try_losses (self, feedback, now) && !queue) {
    if (self->state == RC_ARCLIVE_START)
      grow_start (self, dt_s, now);
    else if (self->known_bps > self->x_bps
        || !rc_trial_rests (&self->trial, self->path->epoch + now))
      grow_avoid (self, dt_s);
  }
}

/* --- whose queue: COMPETE and YIELD --- */

#define GIVE_WAY_PEAKS 2        /* a queue of our own would be gone after one */
/* So much more is worth a trial. At .75 ten flows on 3 Mbit/s with clocks 5 s apart, or on a link
 * that falls, take each other for others; at 1.25 ours has less beside TCP. */
#define SUSPECT_S 1.0
#define OVERFLOWS_S 0.25       /* at 0 5 % of random loss takes .05 of the rate */
/* TCP that backs off leaves a shorter queue empty: its window falls to half, or to .7. */
#define SHORT_RTTS 1.5
#define EARLY 0.7               /* of the way to the peak, where TCP backs off */
/* Power: how much of B0 a trial of a short queue leaves. With all of it 1 % of random loss leaves
 * .947 of a link, and the set `floor` has 8.2 s of quiet (the claims ask for .95 and 8). */
#define DOUBT 0.75
/* Times the W_max of before. At 1 we get .46 of the fair share beside a CUBIC flow that was first,
 * at 1.25 .56; at 2 the rate varies 1.4 times as much as Reno's, at 1.25 1.25 times. */
#define SLOW_START_PAST 1.25
#define TRIALS 2                /* a competitor's own loss can spoil one */
/* Beside TCP each one costs, and what is left of an own queue waits for the next. */
#define DRAIN_EACH (15 * RC_SECOND)
#define TRIAL_SLOTS 4           /* of so many drains one is a trial instead */

static bool
is_short (const Live *self)
{
  return self->peak_s < SHORT_RTTS * base_rtt_s (self);
}

/* theta at what we had, from which on the queue is one that we give way to. */
static double
had_threshold_s (const Live *self)
{
  return threshold_at_s (self, fmax (bandwidth_bps (self), self->overflows ? self->most_bps
          : self->had_bps));
}

/* A short queue that overflows although we gave way for longer than it lasts. Losses without a
 * queue are the radio's. */
static void
watch_overflow (Live *self, bool lost)
{
  double d = self->queueing.delay_s;
  double threshold = threshold_at_s (self, fmax (bandwidth_bps (self), self->most_bps));

  if (!is_short (self) || (lost && d < threshold / 2))
    self->overflows = false;
  if (lost && d < threshold / 2)
    self->kept_s = 0;
  else if (lost && d >= threshold && is_short (self)
      && self->kept_s > GIVE_WAY_PEAKS * self->peak_s)
    self->overflows = true;
}

/* B0: B when the queue came. It may still fall until a reaction time after the first cut. Later B
 * only shows what we sent. */
static void
watch_share (Live *self, RcTime now)
{
  double b = bandwidth_bps (self), d = self->queueing.delay_s;

  if (d < threshold_at_s (self, fmax (b, self->had_bps))) {
    self->had_bps = 0;
    return;
  }
  if (self->had_bps <= 0) {
    self->had_bps = b;
    self->had_from = now;
    self->had_until = RC_TIME_NONE;
  }
  if (self->had_until == RC_TIME_NONE && self->cut_at >= self->had_from)
    self->had_until = now + rc_time_from_s (rc_path_reaction_s (self->path));
  if (self->had_until == RC_TIME_NONE || now < self->had_until)
    self->had_bps = fmin (self->had_bps, b);
}

/* At the floor of the user another flow has all the rest, or the link carries no more. Nothing is
 * left to give, and it counts as if all were given. Else a flow that comes to a full queue would
 * never notice, since it gives way from the floor to the floor. */
static double
share_given (const Live *self)
{
  double floor_bps = fmax ((double) self->limits.min_bps, RC_TRIAL_LEAST_BPS);

  if (DRAIN * self->had_bps <= floor_bps)
    return 1;
  return fmax (0, 1 - self->rate_bps / self->had_bps);
}

/* What is left of a sum over what was lately. */
static double
keep_lately (double dt_s)
{
  return exp (-dt_s / rc_time_to_s (RC_QUEUEING_RECENT_SPAN));
}

/* The peak, and the most that we had. */
static void
watch_most (Live *self, double dt_s)
{
  double b = fmin (bandwidth_bps (self), self->rate_bps);

  self->peak_s = fmax (self->queueing.delay_s, self->peak_s * keep_lately (dt_s));
  if (self->state != RC_ARCLIVE_YIELD)
    self->most_bps = fmax (self->most_bps, b);
}

/* Y */
static void
watch_giving_way (Live *self, bool lost, double dt_s, RcTime now)
{
  double keep = keep_lately (dt_s);

  watch_most (self, dt_s);
  watch_overflow (self, lost);
  watch_share (self, now);
  self->given_way_s *= keep;
  self->kept_s *= keep;
  if (self->had_bps > 0 && !rc_delayjump_holds (&self->jump))
    self->given_way_s += share_given (self) * dt_s;
  if (self->queueing.delay_s >= threshold_at_s (self, fmax (bandwidth_bps (self),
              self->most_bps)) && !rc_delayjump_holds (&self->jump))
    self->kept_s += fmax (0, 1 - self->rate_bps / fmax (self->most_bps, 1)) * dt_s;
}

static bool
gave_way_for (const Live *self, double more_s)
{
  double y = self->overflows ? fmax (self->kept_s, self->given_way_s) : self->given_way_s;

  return self->params.compete > 0 && self->queueing.delay_s >= had_threshold_s (self)
      && y > GIVE_WAY_PEAKS * self->peak_s + more_s;
}

/* A short queue grows. At its peak TCP would empty it whatever a trial does. */
static bool
is_early (const Live *self)
{
  double threshold = had_threshold_s (self), over = self->queueing.delay_s - threshold;

  return self->queueing.rises && over >= 0 && over < EARLY * (self->peak_s - threshold);
}

/* All flows that share the clock begin their drains at once. */
static int64_t
drain_slot (const Live *self, RcTime now)
{
  return (self->path->epoch + now) / DRAIN_EACH;
}

static void
compete (Live *self, double bps, RcTime now)
{
  enter (self, RC_ARCLIVE_COMPETE, now);
  if (!self->competed)
    self->drain_slot = drain_slot (self, now);
  self->competed = true;
  self->contrary_trials = 0;
  set_x (self, bps, RC_CAUSE_COMPETING);
}

/* shared_bps: the rate beside others, if there are any. */
static void
yield (Live *self, double shared_bps, RcTime now)
{
  enter (self, RC_ARCLIVE_YIELD, now);
  self->shared_bps = shared_bps;
  rc_trial_begin_queue (&self->trial, bandwidth_bps (self), (double) self->limits.min_bps,
      now);
  follow_trial (self, now);
}

static void
drain (Live *self, RcTime now)
{
  enter (self, RC_ARCLIVE_DRAIN, now);
  self->shared_bps = self->x_bps;
  rc_trial_begin_drain (&self->trial, bandwidth_bps (self), self->queueing.delay_s, now);
  follow_trial (self, now);
}

/* A drain, or a trial: behind a route that got longer, which is not seen here, d is never below
 * theta, and no drain would end. */
static void
test_competition (Live *self, RcTime now)
{
  int64_t slot = drain_slot (self, now);

  if (slot % TRIAL_SLOTS == 0 && !is_short (self))
    yield (self, self->x_bps, now);
  else
    drain (self, now);
  self->drain_slot = slot;
}

static void
leave_competition (Live *self, RcTime now)
{
  enter (self, RC_ARCLIVE_AVOID, now);
  self->competed = false;
  self->kept_s = 0;
  self->contrary_trials = 0;
  self->known_bps = bandwidth_bps (self);
  self->growth_gain = 1;
}

/* The queue has grown past max_delay, or beyond it has doubled since the last trial. All flows of
 * ours see it at once. */
static bool
passes_level (Live *self)
{
  double d = self->queueing.delay_s;

  self->joined_s = fmax (self->params.max_delay / 2, fmin (self->joined_s, d));
  if (d < 2 * self->joined_s)
    return false;
  self->joined_s = d;
  return true;
}

/* TCP may leave the queue empty for a round trip, and takes longer to fill one that we emptied. */
static bool
is_calm_for (Live *self, double span_s, RcTime now)
{
  if (self->queueing.delay_s >= threshold_s (self))
    self->calm_since = RC_TIME_NONE;
  else if (self->calm_since == RC_TIME_NONE)
    self->calm_since = now;
  return self->calm_since != RC_TIME_NONE && rc_time_to_s (now - self->calm_since) >= span_s;
}

/* The window of CUBIC as a rate. Slow start ends past the W_max of before [RFC 5681 3.1]. */
static void
grow_compete (Live *self, double srtt_s, double dt_s, RcTime now)
{
  double pkts_bps = PACKET_BITS / srtt_s;
  double bps = self->cubic.grows ? rc_cubic_window (&self->cubic, srtt_s, now) * pkts_bps
      : self->x_bps * exp2 (dt_s / srtt_s);

  set_x (self, fmin (bps, fmax (self->x_bps, SLOW_START_MOST * bandwidth_bps (self))),
      RC_CAUSE_COMPETING);
  if (!self->cubic.grows && self->cubic.w_max_pkts > 0
      && self->x_bps >= SLOW_START_PAST * self->cubic.w_max_pkts * pkts_bps)
    rc_cubic_resume (&self->cubic, self->x_bps / pkts_bps, now);
}

static void
follow_cubic (Live *self, bool lost, double dt_s, RcTime now)
{
  double srtt_s = round_s (self);
  double b = bandwidth_bps (self);

  if (lost && may_cut (self, now)) {
    /* Little: B SRTT are in flight. */
    rc_cubic_on_congestion (&self->cubic, b * srtt_s / PACKET_BITS, now);
    set_x (self, RC_CUBIC_BETA * b, RC_CAUSE_LOSS);
    self->cut_at = now;
  } else if (rc_use_reaches (&self->use, self->params.used)) {
    grow_compete (self, srtt_s, dt_s, now);
  }
}

static void
react_compete (Live *self, const RcFeedback *feedback, double dt_s, RcTime now)
{
  bool rises = passes_level (self);

  watch_most (self, dt_s);
  watch_overflow (self, feedback->lost_pkts > 0);
  if (!self->overflows && is_calm_for (self, 1 / self->params.k, now)) {
    leave_competition (self, now);
    return;
  }
  follow_cubic (self, feedback->lost_pkts + feedback->ce_pkts > 0, dt_s, now);
  if (rises)
    yield (self, self->x_bps, now);
  else if (drain_slot (self, now) != self->drain_slot
      && (!is_short (self) || is_early (self)))
    test_competition (self, now);
}

static void
resume_competition (Live *self, double before_bps, RcTime now)
{
  compete (self, fmin (self->shared_bps, SLOW_START_MOST * before_bps), now);
  if (self->cubic.grows)
    rc_cubic_resume (&self->cubic,
        self->x_bps * rc_path_srtt_s (self->path) / PACKET_BITS, now);
}

/* The answer of the trial is on its way. */
static void
await_answer (Live *self)
{
  double b = fmin (bandwidth_bps (self), self->trial.before_bps);

  if (self->queueing.delay_s > self->params.max_delay)
    b *= RC_TRIAL_LOW_SHARE;
  set_x (self, fmin (self->x_bps, b), RC_CAUSE_DRAIN);
}

static bool
is_queued (const Live *self)
{
  return self->queueing.delay_s >= fmin (had_threshold_s (self),
      threshold_at_s (self, self->trial.before_bps));
}

/* In YIELD: a report's packet with the least delay. */
static void
on_trial_packet (Live *self, const RcDelays *delays)
{
  if (self->state == RC_ARCLIVE_YIELD)
    rc_trial_add_packet (&self->trial, delays->least_sent_at,
        delays->least_sent_at + delays->least_remote, delays->least_bytes, is_queued (self));
}

/* The trial did not say SHARED. In a short queue it may have met TCP that backs off: part of B0
 * stays. */
static void
leave_own_queue (Live *self, RcTime now)
{
  double b = bandwidth_bps (self);

  self->given_way_s = 0;
  self->most_bps = b * pow (fmax (self->most_bps / fmax (b, 1), 1), DOUBT);
  self->had_bps = 0;
  leave_competition (self, now);
}

/* The first trial that says SHARED. Flows of ours whose trials collide take each other for others:
 * they drain the queue together before the next one, and others do not. */
static void
doubt_competition (Live *self, RcTime now)
{
  unsigned trials = self->contrary_trials;

  leave_competition (self, now);
  self->contrary_trials = trials;
  self->given_way_s = GIVE_WAY_PEAKS * self->peak_s;
}

static void
react_yield (Live *self, bool lost, double dt_s, RcTime now)
{
  if (passes_level (self) && self->competed) {
    yield (self, self->shared_bps, now);
    return;
  }
  watch_giving_way (self, lost, dt_s, now);
  switch (rc_trial_queue_verdict (&self->trial, is_queued (self))) {
    case RC_TRIAL_SHARED:
      if (self->competed || self->overflows || ++self->contrary_trials >= TRIALS)
        resume_competition (self, self->trial.before_bps, now);
      else
        doubt_competition (self, now);
      break;
    case RC_TRIAL_EMPTY:
      if (self->overflows && now - self->trial.halves[0].begun_at < self->path->srtt)
        leave_competition (self, now);  /* not by the trial: it says nothing */
      else
        leave_own_queue (self, now);
      break;
    case RC_TRIAL_OURS:
      if (self->competed && ++self->contrary_trials < TRIALS)
        yield (self, self->shared_bps, now);
      else
        leave_own_queue (self, now);
      break;
    default:
      if (!follow_trial (self, now))
        await_answer (self);
  }
}

static void
react_drain (Live *self, bool lost, double dt_s, RcTime now)
{
  double d = self->queueing.delay_s;

  watch_giving_way (self, lost, dt_s, now);
  if (is_calm_for (self, 2 / self->params.k, now)) {
    self->given_way_s = 0;
    leave_competition (self, now);
  } else if (rc_trial_add_delay (&self->trial, d, d >= threshold_s (self),
          rc_path_srtt_s (self->path), now) == RC_TRIAL_SHARED) {
    resume_competition (self, self->trial.before_bps, now);
  }
}

/* In AVOID: do we give way to a flow that does not? */
static void
watch_for_others (Live *self, bool lost, double dt_s, RcTime now)
{
  watch_giving_way (self, lost, dt_s, now);
  if (!gave_way_for (self, self->overflows && is_early (self) ? OVERFLOWS_S
          : SUSPECT_S))
    return;
  rc_cubic_start_slowly (&self->cubic);
  yield (self, fmax (self->rate_bps, self->overflows ? self->most_bps : self->had_bps), now);
}

/* --- stalls and longer routes --- */

/* Beside others, and with losses, a delay that stays is a full queue. */
static void
watch_jump (Live *self, const RcFeedback *feedback, RcTime now)
{
  double d = self->queueing.delay_s, threshold = threshold_s (self);
  bool avoids = self->state == RC_ARCLIVE_START || self->state == RC_ARCLIVE_AVOID;

  if (d < threshold || feedback->lost_pkts > 0 || !avoids)
    self->jump.pending = false;
  if (!self->jump.pending || feedback->rtt == RC_TIME_NONE
      || !rc_delayjump_is_route (&self->jump, d, threshold, self->rate_bps, feedback->rtt, now))
    return;
  rc_queueing_take_route (&self->queueing, now);
  self->given_way_s = self->peak_s = 0;
  self->routes++;
}

/* --- timeouts --- */

/* [ARC 3.1.4] eq. 2 once; each further one halves, since nothing is known any more. */
static void
on_timeout (Live *self, RcTime now)
{
  if (self->timeouts++ == 0)
    self->before_outage_bps = self->x_bps;
  if (self->timeouts < RC_PATH_OUTAGE_TIMEOUTS) {
    if (bandwidth_bps (self) > 0)
      set_x (self, fmin (self->x_bps, bandwidth_bps (self)), RC_CAUSE_TIMEOUT);
    return;
  }
  enter (self, RC_ARCLIVE_OUTAGE, now);
  self->competed = false;
  set_x (self, self->x_bps / 2, RC_CAUSE_TIMEOUT);
}

/* Reports are back. */
static void
end_timeouts (Live *self, RcTime now)
{
  self->timeouts = 0;
  if (self->path->reports_late) {
    set_x (self, self->before_outage_bps, RC_CAUSE_TIMEOUT);
    if (self->state == RC_ARCLIVE_OUTAGE)
      enter (self, RC_ARCLIVE_AVOID, now);
  }
  if (self->state != RC_ARCLIVE_OUTAGE && !self->path->resumed)
    return;
  enter (self, RC_ARCLIVE_START, now);
  rc_delivery_restart (&self->delivery, now);
  self->updated_at = now;
  if (self->path->resumed)
    set_x (self, (double) self->limits.start_bps, RC_CAUSE_START);
  else
    set_x (self, fmax (self->x_bps,
            fmin ((double) self->limits.start_bps, self->before_outage_bps / 2)),
        RC_CAUSE_TIMEOUT);
}

/* --- inputs --- */

#define REPORT_SRTTS 0.25       /* a quarter of the reaction time is waiting for reports */

static RcTime
report_interval (const Live *self)
{
  bool known = self->path->srtt != RC_TIME_NONE;
  double s = known ? REPORT_SRTTS * rc_path_srtt_s (self->path) : rc_time_to_s (RC_PATH_REPORT_MIN);

  return rc_time_from_s (rc_clampd (s, rc_time_to_s (RC_PATH_REPORT_MIN),
          rc_time_to_s (RC_QUEUEING_SHORT_SPAN)));
}

/* Of r: a limit of the user that binds r or x, the drain of eq. 1, or what set x. */
static RcCause
rate_cause (const Live *self)
{
  bool drains = self->rate_bps < DRAIN * self->x_bps && self->cause != RC_CAUSE_FALL;

  return drains ? rc_law_cause (&self->limits, self->rate_bps, RC_CAUSE_DRAIN)
      : rc_law_cause (&self->limits, self->x_bps, self->cause);
}

static RcDecision
decide (const Live *self)
{
  return (RcDecision) {
    .rate_bps = (uint64_t) (self->rate_bps + 0.5),
    .cause = rate_cause (self),
    .next_at = rc_path_timeout_at (self->path),
    .report_interval = report_interval (self),
    .fell = self->fell_at != RC_TIME_NONE,
  };
}

static RcDecision
on_timer (void *law, RcTime now)
{
  Live *self = law;

  rc_use_update (&self->use, self->rate_bps, 0, now);
  if (self->path->timeouts > self->timeouts) {
    on_timeout (self, now);
    decide_rate (self);
  }
  return decide (self);
}

static RcDecision
on_sent (void *law, const RcSent *sent, RcTime now)
{
  Live *self = law;

  rc_use_update (&self->use, self->rate_bps, rc_sent_used_bits (sent), now);
  /* At the law's rate those before have left one by one. */
  rc_idletime_on_sent (&self->idle, (sent->ahead ? rc_sent_bytes (sent) : sent->size_bytes) * 8.0,
      fmax (self->rate_bps, 1), self->queueing.delay_s, sent->ahead, now);
  return decide (self);
}

#define FRESH_PACKETS 8         /* fewer are a coarse measure */

/* From the first sign on the link is busy: reports come each 20 ms. */
static RcTime
delivery_span (const Live *self)
{
  RcTime most = rc_time_from_s (RC_PATH_REACTION_MIN_S), busy = self->signs * RC_PATH_REPORT_MIN;
  RcTime least = rc_time_from_s (FRESH_PACKETS * PACKET_BITS / fmax (bandwidth_bps (self), 1e3));

  if (busy == 0 || !is_quiet (self))
    return most;
  return rc_sooner (busy < least ? least : busy, most);
}

static void
measure (Live *self, const RcFeedback *feedback, RcTime now)
{
  const RcDelays *delays = &feedback->delays;
  bool hold_base = self->state == RC_ARCLIVE_COMPETE || self->state == RC_ARCLIVE_YIELD
      || self->state == RC_ARCLIVE_DRAIN;

  if (feedback->restarted) {
    rc_queueing_forget_clock (&self->queueing);
    rc_delivery_restart (&self->delivery, now);
  }
  if (delays->pkts == 0 || feedback->rtt == RC_TIME_NONE)
    return;
  rc_queueing_add (&self->queueing, feedback,
      PACKET_BITS / fmax (bandwidth_bps (self), 1e3), hold_base, now);
  if (!hold_base && rc_delayjump_is_one (delays,
          self->queueing.delay_s - self->queueing.before_s, threshold_s (self))) {
    rc_delayjump_begin (&self->jump, self->queueing.delay_s, bandwidth_bps (self), now);
    self->growth_gain = 1;
    rc_delivery_restart (&self->delivery, now);
  } else if (self->queueing.gap) {
    rc_delivery_restart (&self->delivery, now);
  }
  /* The packet that jitter delayed least, on a clock that stands still while the path is idle. */
  rc_delivery_add (&self->delivery, delays->least_sent_at + delays->least_remote
      - rc_idletime_before (&self->idle, delays->least_sent_at), delays->least_bytes,
      delivery_span (self));
  on_trial_packet (self, delays);
}

static RcDecision
on_feedback (void *law, const RcFeedback *feedback, RcTime now)
{
  Live *self = law;
  bool lost = feedback->lost_pkts > 0;
  double dt_s;

  rc_use_update (&self->use, self->rate_bps, 0, now);
  end_timeouts (self, now);
  measure (self, feedback, now);
  dt_s = rc_time_to_s (now - self->updated_at);
  self->updated_at = now;
  watch_jump (self, feedback, now);
  switch (self->state) {
    case RC_ARCLIVE_COMPETE:
      react_compete (self, feedback, dt_s, now);
      break;
    case RC_ARCLIVE_YIELD:
      react_yield (self, lost, dt_s, now);
      break;
    case RC_ARCLIVE_DRAIN:
      react_drain (self, lost, dt_s, now);
      break;
    case RC_ARCLIVE_START:
    case RC_ARCLIVE_AVOID:
      react_avoid (self, feedback, dt_s, now);
      if (self->state == RC_ARCLIVE_AVOID)
        watch_for_others (self, lost, dt_s, now);
      break;
    case RC_ARCLIVE_OUTAGE:     /* end_timeouts () has left it */
    case RC_ARCLIVE_N_STATES:
      break;
  }
  decide_rate (self);
  return decide (self);
}

/* --- the law --- */

#define PARAM(field, unit, low, high, value, doc) \
    { #field, unit, doc, low, high, value, value, offsetof (Live, params.field) }

static const RcParam tunables[] = {
  /* 1/k = 0.5 s. At 0.25 s a fall leaves less of a queue (p95 28 ms, not 42), but flows of
   * different round trips share worse (RFC 8867 5.5: Jain .95, not .98). */
  PARAM (k, "1/s", 0.01, 100, 2, "gain from backlog to rate [ARC eq. 1]"),
  /* The encoder and B follow within one doubling, the first queue is 70 ms, not 120. */
  PARAM (startup, "SRTT", 0.1, 100, 2.5,
      "doubling time of the rate during start-up, in round-trip times (SRTT) of at least 100 ms"),
  /* The least that frame bursts and timers do not trip. */
  PARAM (threshold, "s", 0.001, 10, 0.016, "queueing delay that is congestion, at 1 Mbit/s"),
  /* The 99th percentile of d on idle links with jitter is 1.3 to 1.8 n. */
  PARAM (noise, "ratio", 0, 100, 1.8, "so many times the delay noise is added to the threshold"),
  /* From 1 back to 3 Mbit/s in 3 s. */
  PARAM (growth, "bit/s/s", 1, 1e9, 60e3, "growth of the rate after a reduction, at 1 Mbit/s"),
  PARAM (used, "ratio", 0, 1, 0.75,
      "share of the allowed rate that must be used for the rate to grow"),
  PARAM (compete, "0|1", 0, 1, 1,
      "1: compete with loss-based flows such as TCP; 0: always yield to them"),
  /* What a conversation bears one way (ITU-T G.114). */
  PARAM (max_delay, "s", 0.05, 60, 0.4, "queueing delay that is joined only after another trial"),
  {NULL}
};

static void
start (void *law, const RcPath *path, const RcLimits *limits, RcTime now)
{
  Live *self = law;
  Params params = self->params;

  memset (self, 0, sizeof *self);
  self->params = params;
  self->path = path;
  self->limits = *limits;
  rc_trial_init (&self->trial);
  self->cut_at = RC_TIME_NONE;
  self->updated_at = now;
  self->growth_gain = 1;
  self->round_at = now;
  forget_marks (self);
  rc_queueing_init (&self->queueing);
  rc_delivery_restart (&self->delivery, now);
  rc_use_init (&self->use, now);
  enter (self, RC_ARCLIVE_START, now);
  set_x (self, (double) limits->start_bps, RC_CAUSE_START);
  decide_rate (self);
}

static void
set_limits (void *law, const RcLimits *limits, RcTime now)
{
  Live *self = law;

  rc_use_update (&self->use, self->rate_bps, 0, now);
  self->limits = *limits;
  set_x (self, self->x_bps, self->cause);
  decide_rate (self);
}

/* In the order of the enum, without gaps. */
static const char *const state_names[] = {
  "start", "avoid", "compete", "yield", "drain", "outage"
};

static_assert (sizeof state_names / sizeof state_names[0] == RC_ARCLIVE_N_STATES,
    "each state has a name");

static const RcFact facts[] = {
  {"state", "", "arc: start, avoid, compete, yield, drain or outage", state_names},
  {"drain-free-rate", "bit/s", "arc: x, the rate without what drains the queue"},
  {"bandwidth", "bit/s", "B, used bandwidth"},
  {"backlog", "bits", "q, our estimated backlog in the queue"},
  {"delay-noise", "s", "arc: n, how much delays scatter"},
  {"threshold", "s", "arc: queueing delay that is congestion"},
  {"base-rtt", "s", "least round trip of late"},
  {"loss-ratio", "ratio", "share of the packets that is lost"},
  {"mark-share", "ratio", "arc: smoothed share of marked packets; below 0: no queue marks"},
  {"volatility", "", "arc: sigma, variation of the logarithm of the capacity in a second"},
  {"known-capacity", "bit/s",
      "arc: K, capacity as seen last, until the rate is back there; 0: unknown"},
  {"route-changes", "", "arc: longer routes that were found"},
  {"timeouts", "", "number of report timeouts"},
  {NULL}
};

static void
measure_facts (const void *law, double *values)
{
  const Live *self = law;
  double b = bandwidth_bps (self);

  RC_LAW_TELL (values, facts, self->state, self->x_bps, b, b * self->queueing.delay_s,
      self->queueing.noise_s, threshold_s (self), base_rtt_s (self), self->path->loss_ratio,
      self->alpha, rc_volatility_sigma (&self->volatility), self->known_bps,
      self->routes, self->timeouts);
}

static RcTime
queueing_delay (const void *law)
{
  return rc_time_from_s (((const Live *) law)->queueing.delay_s);
}

const RcLaw rc_arclive_law = {
  .name = "arc", .doc = "ARC: rate from estimated bandwidth and backlog", .paper = &rc_arc_law,
  .state_bytes = sizeof (Live), .params = tunables, .start = start, .set_limits = set_limits,
  .on_sent = on_sent, .on_feedback = on_feedback, .on_timer = on_timer, .facts = facts,
  .measure = measure_facts,
  .queueing_delay = queueing_delay, .scalable = true, .forgiving = true
};

void
rc_arclive_guide (RcArcLive *arc, double tolerated_s, double pushed_bps_s)
{
  Live *self = (Live *) arc;

  self->tolerated_s = tolerated_s;
  self->pushed_bps_s = pushed_bps_s;
}

double
rc_arclive_rate_bps (const RcArcLive *arc)
{
  return ((const Live *) arc)->rate_bps;
}
