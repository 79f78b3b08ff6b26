/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* How many keyframes one of many viewers may have made for all.
 *
 * Problem: a keyframe takes 0.2 to 0.3 s of the bitrate from the frames of all who share the
 * encoder, and a viewer that asks all the time had two made a second: half of all bits.
 *
 * Rule: BURST at once, as a viewer needs them that joins over a bad network, and then one each
 * INTERVAL, which costs the others an eighth. What is asked for beyond that is not made for this
 * viewer; it gets the keyframes that others ask for. */
#pragma once

#include <rc/base/types.h>

#define RC_KEYBUDGET_BURST 5
#define RC_KEYBUDGET_INTERVAL (2 * RC_SECOND)

typedef struct
{
  RcTime full_at;               /* when it has all BURST again; 0: it does */
} RcKeyBudget;

/* One is asked for. false: it is beyond the budget. */
bool rc_keybudget_take (RcKeyBudget *self, RcTime now);
