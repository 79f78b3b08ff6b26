/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Problem: the best placement changes with each target that changes. Following it at once would set
 * all encoders ten times a second, and viewers would switch between rungs that moved under them,
 * at the price of a keyframe each. Never following it is the fixed ladder.
 *
 * Rule. Let V be what the present rungs are worth to the viewers, V* what the best would be (eq. 1
 * of placement.c), and W the sum of weights. The regret
 *
 *   G = integral of (V* - V) / W dt                                                      [eq. 1]
 *
 * is the quality that a viewer lost by not moving. The rungs move when G exceeds what a move costs,
 *
 *   C + D s                                                                              [eq. 2]
 *
 * with s the share of viewers whose rung will have another number, D what a switch costs a
 * viewer, and C what the move costs besides: less where the viewers are no more than the rungs
 * (OWN_COST_S), since there each has an encoder to itself, which follows its target as that of a
 * sender does, and none of the others pays for it. This is the rule of the ski rental: without
 * knowledge of the future the loss is at most twice that of the best sequence of moves. A small
 * gain is taken late and rarely, and when many viewers fall below their rung at once, V falls so
 * far that the rungs move with the next count.
 *
 * A new rung gets the number whose viewers it shares most, so that few switch (matching).
 *
 * Rejected: thresholds on the gain, which never take a small gain that lasts; numbers in the
 * order of bitrates, or matched by what viewers carry: where a viewer fell a little below its
 * rung, two rungs changed places and all their viewers switched. */

#include <rc/ladder/rungs.h>

#include <math.h>

/* C and D, in quality times seconds. At half of C encoders are set a third more often, for 0.0005
 * more quality (docs/results/ladder.md). */
#define MOVE_COST_S 0.005
#define SWITCH_COST_S 0.01
/* 2.3 Mbit/s instead of 2.8 cost that in a tenth of a second, and C in 1.2 s. With C a viewer alone
 * stayed where a full queue had put it, then went by steps of a quarter, which filled the queue
 * again: it used 87 to 92 % of its link, and 94 to 96 % so (docs/browser.md). */
#define OWN_COST_S 0.0003
/* A pause of the counting is no regret. */
#define LONGEST_STEP RC_SECOND
#define CLASSES_AN_OCTAVE 32
#define LEAST_BPS 16e3

void
rc_rungs_init (RcRungs *self, const RcRungsParams *params)
{
  *self = (RcRungs) { .params = *params, .at = RC_TIME_NONE };
}

void
rc_rungs_set_params (RcRungs *self, const RcRungsParams *params)
{
  self->params = *params;
  self->regret_s = INFINITY;
}

void
rc_rungs_count (RcRungs *self, double bps, double weight, int rung)
{
  double least = fmin (bps, self->params.max_bps);
  double place = CLASSES_AN_OCTAVE * log2 (least / LEAST_BPS);
  unsigned i = (unsigned) rc_clampd (place, 0, RC_RUNGS_CLASSES - 1);

  if (self->class_weight[i] == 0 || least < self->least_bps[i])
    self->least_bps[i] = least;
  self->class_weight[i] += weight;
  if (rung != RC_RUNGS_NONE)
    self->watching[i][rung] += weight;
  self->weight += weight;
}

void
rc_rungs_bar (RcRungs *self, unsigned number)
{
  self->barred[number] = true;
  self->bps[number] = 0;
  self->regret_s = INFINITY;
}

static unsigned
count_usable (const RcRungs *self)
{
  unsigned n = 0;

  for (unsigned i = 0; i < self->params.n_rungs; i++)
    n += !self->barred[i];
  return n;
}

/* The classes that a rung can serve, those who watch moved to the front in the same order; forgets
 * the count. */
static unsigned
take_points (RcRungs *self)
{
  unsigned n = 0;

  for (unsigned i = 0; i < RC_RUNGS_CLASSES; i++) {
    if (self->class_weight[i] > 0 && self->least_bps[i] >= self->params.min_bps) {
      self->points[n] = (RcPlacementPoint) { self->least_bps[i], self->class_weight[i] };
      for (unsigned k = 0; k < RC_PLACEMENT_MOST_RUNGS; k++)
        self->watching[n][k] = self->watching[i][k];
      n++;
    }
    self->class_weight[i] = 0;
  }
  return n;
}

/* The bitrates in use, ascending, and their numbers. */
static unsigned
sort_rungs (const RcRungs *self, double *bps, unsigned *numbers)
{
  unsigned n = 0;

  for (unsigned i = 0; i < RC_PLACEMENT_MOST_RUNGS; i++) {
    unsigned at = n;

    if (self->bps[i] <= 0)
      continue;
    for (; at > 0 && bps[at - 1] > self->bps[i]; at--) {
      bps[at] = bps[at - 1];
      numbers[at] = numbers[at - 1];
    }
    bps[at] = self->bps[i];
    numbers[at] = i;
    n++;
  }
  return n;
}

/* shared[new][number]: the weight of the viewers of both. By what they watch and not by what they
 * carry: one whose network fell a little below its rung still has that rung. */
static void
share_viewers (const RcRungs *self, unsigned n, const double *bps, unsigned n_new,
    double shared[][RC_PLACEMENT_MOST_RUNGS])
{
  for (unsigned i = 0, k = 0; i < n; i++) {
    while (k < n_new && bps[k] <= self->points[i].bps)
      k++;
    for (unsigned number = 0; k > 0 && number < RC_PLACEMENT_MOST_RUNGS; number++)
      shared[k - 1][number] += self->watching[i][number];
  }
}

static void
forget_watching (RcRungs *self)
{
  for (unsigned i = 0; i < RC_RUNGS_CLASSES; i++)
    for (unsigned k = 0; k < RC_PLACEMENT_MOST_RUNGS; k++)
      self->watching[i][k] = 0;
}

/* Gives each new rung a number, the most shared first. Returns the weight that keeps its number. */
static double
match (const RcRungs *self, unsigned n, const double *bps, unsigned n_new, double *by_number)
{
  double shared[RC_PLACEMENT_MOST_RUNGS][RC_PLACEMENT_MOST_RUNGS] = { { 0 } };
  bool done[RC_PLACEMENT_MOST_RUNGS] = { false };
  double kept = 0;

  share_viewers (self, n, bps, n_new, shared);
  for (unsigned round = 0; round < n_new; round++) {
    double most = -1;
    unsigned k = 0, number = 0;

    for (unsigned i = 0; i < n_new; i++)
      for (unsigned j = 0; j < self->params.n_rungs && !done[i]; j++)
        if (by_number[j] == 0 && !self->barred[j] && shared[i][j] > most) {
          most = shared[i][j];
          k = i;
          number = j;
        }
    by_number[number] = bps[k];
    done[k] = true;
    kept += most;
  }
  return kept;
}

static void
accrue (RcRungs *self, double gain, RcTime now)
{
  RcTime span = self->at == RC_TIME_NONE ? 0 : now - self->at;

  if (span > LONGEST_STEP)
    span = LONGEST_STEP;
  self->regret_s += gain * rc_time_to_s (span);
  self->at = now;
}

bool
rc_rungs_move (RcRungs *self, RcTime now)
{
  double best[RC_PLACEMENT_MOST_RUNGS], by_number[RC_PLACEMENT_MOST_RUNGS] = { 0 };
  double present[RC_PLACEMENT_MOST_RUNGS];
  double weight = self->weight, pixels = self->params.pixels_per_s;
  unsigned numbers[RC_PLACEMENT_MOST_RUNGS], n = take_points (self), n_best, n_present;
  double move_cost_s = weight <= count_usable (self) ? OWN_COST_S : MOVE_COST_S;
  double value = 0, kept;

  self->weight = 0;
  if (n == 0 || count_usable (self) == 0) {
    self->at = now;
    forget_watching (self);
    return false;
  }
  n_best = rc_placement_choose (self->points, n, pixels, self->cells, count_usable (self),
      best);
  n_present = sort_rungs (self, present, numbers);
  if (n_present > 0)
    value = rc_placement_value (self->points, n, pixels, present, n_present);
  accrue (self, (rc_placement_value (self->points, n, pixels, best, n_best) - value) / weight, now);
  kept = match (self, n, best, n_best, by_number);
  forget_watching (self);
  if (n_present > 0
      && self->regret_s < move_cost_s + SWITCH_COST_S * (weight - kept) / weight)
    return false;
  for (unsigned i = 0; i < RC_PLACEMENT_MOST_RUNGS; i++)
    self->bps[i] = by_number[i];
  self->regret_s = 0;
  self->moves++;
  return true;
}

int
rc_rungs_below (const RcRungs *self, double bps)
{
  int found = RC_RUNGS_NONE;

  for (int i = 0; i < RC_PLACEMENT_MOST_RUNGS; i++)
    if (self->bps[i] > 0 && self->bps[i] <= bps
        && (found == RC_RUNGS_NONE || self->bps[i] > self->bps[found]))
      found = i;
  return found;
}

int
rc_rungs_lowest (const RcRungs *self)
{
  int found = RC_RUNGS_NONE;

  for (int i = 0; i < RC_PLACEMENT_MOST_RUNGS; i++)
    if (self->bps[i] > 0 && (found == RC_RUNGS_NONE || self->bps[i] < self->bps[found]))
      found = i;
  return found;
}
