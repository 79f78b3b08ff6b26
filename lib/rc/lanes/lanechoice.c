/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Rejected: weights or a round robin by rate. Delays differ by path, and a frame is as late as
 * its last packet. The differences of the one-way delays are exact, since one receiver reports
 * all lanes. */

#include <rc/lanes/lanechoice.h>

RcTime
rc_lanechoice_arrival (const RcLaneView *view, uint32_t network_bytes)
{
  return rc_time_of_bytes (view->bound_bytes + network_bytes, view->rate_bps) + view->delay;
}

/* Lower is better, in this order: not lost there before, in time, cost. */
typedef struct
{
  unsigned rank;
  double cost;
} Score;

static Score
score (const RcLaneView *view, const RcLaneWish *wish, unsigned lane)
{
  RcTime arrival = rc_lanechoice_arrival (view, wish->network_bytes);
  bool late = wish->left != RC_TIME_NONE && arrival > wish->left;
  unsigned rank = (wish->avoid >> lane & 1) + (late ? 2 : 0);

  return (Score) { rank, (double) arrival
      + (late ? 0 : view->loss_ratio * (double) wish->loss_price) };
}

static bool
is_better (Score a, Score b)
{
  return a.rank < b.rank || (a.rank == b.rank && a.cost < b.cost);
}

static int
find_best (const RcLaneView *views, unsigned n, const RcLaneWish *wish, int except, Score *best)
{
  int found = RC_LANE_NONE;

  for (unsigned i = 0; i < n; i++) {
    Score s;

    if (!views[i].usable || (int) i == except)
      continue;
    s = score (&views[i], wish, i);
    if (found == RC_LANE_NONE || is_better (s, *best)) {
      found = (int) i;
      *best = s;
    }
  }
  return found;
}

/* A copy that comes too late is of no use to anybody. */
RcLaneChoice
rc_lanechoice_make (const RcLaneView *views, unsigned n, const RcLaneWish *wish)
{
  RcLaneChoice choice = { RC_LANE_NONE, RC_LANE_NONE };
  Score best = { 0, 0 };

  choice.first = find_best (views, n, wish, RC_LANE_NONE, &best);
  if (!wish->twice || choice.first == RC_LANE_NONE)
    return choice;
  choice.second = find_best (views, n, wish, choice.first, &best);
  if (choice.second != RC_LANE_NONE && best.rank >= 2)
    choice.second = RC_LANE_NONE;
  return choice;
}
