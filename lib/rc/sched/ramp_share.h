/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Divides a budget among claims: each is met in full if all fit [RAMP 3.2.1]; if not, weighted
 * max-min: what is above the floors is levelled at weight x level. Small claims so are met in
 * full. */
#pragma once

#include <rc/base/types.h>

typedef struct RcRampClaim RcRampClaim;
struct RcRampClaim
{
  RcRampClaim *next;
  double floor_bps, want_bps;   /* 0 <= floor <= want */
  double weight;                /* > 0 */
  double got_bps;
};

/* Fills got_bps of the list; returns what is left of the budget. Floors that do not fit together
 * are wants themselves. */
double rc_ramp_share (RcRampClaim *claims, double budget_bps);
