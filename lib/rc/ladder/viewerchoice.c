/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Problem: a target moves each tenth of a second, and a switch needs a keyframe, which all viewers
 * of the new rung pay for. A viewer above its network's rate has frames that queue up; one below
 * it only has a coarser picture.
 *
 * Rule. Down: the media beyond the target would queue in the sender for
 *
 *   B = integral of (R - T) / T dt,  at least 0                                          [eq. 1]
 *
 * with R the rung and T the target. At B > MOST_BACKLOG the viewer gets the highest rung that the
 * target carries. So a fall by half is answered after that time, and a waver is not.
 *
 * Up: the regret of rungs.c for one viewer, integral of q (R') - q (R) dt with R' the highest rung
 * that the safe target carries, exceeds UP_COST. The safe target falls with the target and rises
 * with a lag, since a target that has just risen often falls again.
 *
 * Below the lowest rung: its frames that no other needs (nal_ref_idc 0, a higher temporal layer)
 * can be left out at any frame, and come back at any. So the lowest rung without them is one more
 * rung, which needs no keyframe, no encoder, and nothing of the other viewers.
 *
 * Below that too: a network that is sent nothing tells nothing, and T would stay where it is. So
 * the viewer gets the lowest rung for TRY, out of which its sender grows or drops, and again after
 * a pause that doubles while T does not come to carry it. */

#include <rc/ladder/viewerchoice.h>

#include <math.h>

/* Half of what a sender's queue holds at a latency of 66 ms, so that no frame is dropped. */
#define MOST_BACKLOG_S 0.1
/* In quality times seconds. The quality hardly depends on either; a longer lag costs more than the
 * switches that it spares (docs/results/ladder.md). */
#define UP_COST_S 0.02
#define SAFE_RISE_S 0.5
/* Longer than one report keeps media flowing (5 s), and until T has risen from a user's least. */
#define TRY (6 * RC_SECOND)
#define FIRST_PAUSE (2 * RC_SECOND)
#define LONGEST_PAUSE (32 * RC_SECOND)
#define LONGEST_STEP RC_SECOND

void
rc_viewerchoice_init (RcViewerChoice *self)
{
  *self = (RcViewerChoice) { .rung = RC_RUNGS_NONE, .try_at = RC_TIME_NONE, .at = RC_TIME_NONE };
}

void
rc_viewerchoice_on_target (RcViewerChoice *self, double bps)
{
  if (self->told_bps == 0 || bps < self->safe_bps)
    self->safe_bps = bps;
  self->told_bps = bps;
}

typedef struct
{
  int rung;
  bool thin;
} Offer;

static Offer
best_below (const RcRungs *rungs, double bps)
{
  Offer best = { rc_rungs_below (rungs, bps), false };
  int lowest = rc_rungs_lowest (rungs);

  if (best.rung == RC_RUNGS_NONE && lowest != RC_RUNGS_NONE && rungs->base_bps[lowest] > 0
      && rungs->base_bps[lowest] <= bps)
    best = (Offer) { lowest, true };
  return best;
}

static double
offer_bps (const RcRungs *rungs, Offer offer)
{
  if (offer.rung == RC_RUNGS_NONE)
    return 0;
  return offer.thin && rungs->base_bps[offer.rung] > 0 ? rungs->base_bps[offer.rung]
      : rungs->bps[offer.rung];
}

static void
let_time_pass (RcViewerChoice *self, const RcRungs *rungs, double has_bps, double could_bps,
    RcTime now)
{
  RcTime span = self->at == RC_TIME_NONE || now < self->at ? 0 : now - self->at;
  double s = rc_time_to_s (span < LONGEST_STEP ? span : LONGEST_STEP);
  double pixels = rungs->params.pixels_per_s;
  double gain = rc_placement_quality (could_bps, pixels) - rc_placement_quality (has_bps, pixels);

  self->at = now;
  self->safe_bps += (self->told_bps - self->safe_bps) * -expm1 (-s / SAFE_RISE_S);
  self->backlog_s = fmax (0, self->backlog_s + s * (has_bps - self->told_bps) / self->told_bps);
  self->regret_s = gain > 0 ? self->regret_s + gain * s : 0;
}

static void
begin_anew (RcViewerChoice *self)
{
  self->regret_s = 0;
  self->backlog_s = 0;
}

/* What changes nothing but `thin` is granted at once. */
static int
wish_for (RcViewerChoice *self, Offer offer)
{
  self->thin_wish = offer.thin;
  if (offer.rung == self->rung && offer.thin != self->thin) {
    self->thin = offer.thin;
    begin_anew (self);
  }
  return offer.rung;
}

static bool
is_trying (RcViewerChoice *self, Offer could, RcTime now)
{
  if (could.rung != RC_RUNGS_NONE) {
    self->try_at = RC_TIME_NONE;
    self->try_pause = 0;
  } else if (self->try_at == RC_TIME_NONE || now >= self->try_at + TRY) {
    self->try_pause = self->try_pause == 0 ? FIRST_PAUSE
        : self->try_pause < LONGEST_PAUSE ? 2 * self->try_pause : LONGEST_PAUSE;
    self->try_at = now + self->try_pause;
  }
  return self->try_at != RC_TIME_NONE && now >= self->try_at;
}

int
rc_viewerchoice_wish (RcViewerChoice *self, const RcRungs *rungs, RcTime now)
{
  double has_bps = offer_bps (rungs, (Offer) { self->rung, self->thin });
  Offer could;

  if (self->told_bps == 0)
    return has_bps > 0 ? self->rung : rc_rungs_lowest (rungs);
  could = best_below (rungs, self->safe_bps);
  if (is_trying (self, could, now)) {
    self->thin_wish = false;
    return rc_rungs_lowest (rungs);
  }
  let_time_pass (self, rungs, has_bps, offer_bps (rungs, could), now);
  if (has_bps > 0 && self->backlog_s > MOST_BACKLOG_S)
    return wish_for (self, best_below (rungs, self->told_bps));
  if (has_bps > 0 && self->regret_s <= UP_COST_S)
    return self->rung;
  return wish_for (self, could);
}

void
rc_viewerchoice_take (RcViewerChoice *self, int rung)
{
  self->rung = rung;
  self->thin = rung != RC_RUNGS_NONE && self->thin_wish;
  begin_anew (self);
}
