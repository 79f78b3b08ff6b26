/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/sched/ramp_share.h>

#define HALVINGS 50             /* of the level: 15 digits */

static double
at_level (const RcRampClaim *claim, double level, bool floors_fit)
{
  return floors_fit ? rc_clampd (claim->weight * level, claim->floor_bps, claim->want_bps) :
      rc_clampd (claim->weight * level, 0, claim->floor_bps);
}

static double
sum_at_level (const RcRampClaim *claims, double level, bool floors_fit)
{
  double sum = 0;

  for (; claims; claims = claims->next)
    sum += at_level (claims, level, floors_fit);
  return sum;
}

double
rc_ramp_share (RcRampClaim *claims, double budget_bps)
{
  double floors = 0, wants = 0, lo = 0, hi = 0;
  RcRampClaim *c;

  for (c = claims; c; c = c->next) {
    floors += c->floor_bps;
    wants += c->want_bps;
    hi = hi > c->want_bps / c->weight ? hi : c->want_bps / c->weight;
  }
  if (wants > budget_bps) {
    for (int i = 0; i < HALVINGS; i++) {
      double level = (lo + hi) / 2;

      if (sum_at_level (claims, level, floors <= budget_bps) > budget_bps)
        hi = level;
      else
        lo = level;
    }
  }
  for (c = claims; c; c = c->next)
    c->got_bps = wants <= budget_bps ? c->want_bps : at_level (c, lo, floors <= budget_bps);
  return wants <= budget_bps ? budget_bps - wants : 0;
}
