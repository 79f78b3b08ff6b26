/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Problem: a viewer can switch to a rung only at a keyframe, and each keyframe is paid by all who
 * watch the rung: it takes the bits of several frames.
 *
 * Rule. As the rungs' moves (rungs.c), by the ski rental: the keyframe is asked for when those who
 * wait have lost as much as it costs the members,
 *
 *   integral of sum (q' - q) dt >= KEY_COST M                                            [eq. 1]
 *
 * over the viewers that wait, with M the weight of the members. A keyframe that comes for another
 * reason serves them all before. A viewer whose network carries less than its rung, or that has
 * none, cannot wait for many members: for it the keyframe is asked for after MOST_URGENT_WAIT at
 * the latest. Keyframes of this law are INTERVAL apart. */

#include <rc/ladder/keygroup.h>

/* A keyframe of x264 is as large as some five frames: at a VBV of one frame, the picture is coarser
 * for about that long, which is less than half of this. The rest is calm: at half of it there are a
 * sixth more keyframes for 0.0004 more quality (docs/results/ladder.md). */
#define KEY_COST_S 0.01
#define MOST_URGENT_WAIT (500 * RC_MSEC)
/* As that of rc_keyrequest. */
#define INTERVAL (200 * RC_MSEC)
#define LONGEST_STEP RC_SECOND

void
rc_keygroup_init (RcKeyGroup *self)
{
  *self = (RcKeyGroup) { .urgent_since = RC_TIME_NONE, .asked_at = RC_TIME_NONE,
      .at = RC_TIME_NONE };
}

void
rc_keygroup_count (RcKeyGroup *self, double loss_per_s, bool urgent)
{
  self->loss_per_s += loss_per_s;
  self->urgent = self->urgent || urgent;
}

static void
let_time_pass (RcKeyGroup *self, RcTime now)
{
  RcTime span = self->at == RC_TIME_NONE ? 0 : now - self->at;

  if (self->loss_per_s > 0)
    self->loss_s += self->loss_per_s * rc_time_to_s (span < LONGEST_STEP ? span : LONGEST_STEP);
  else
    self->loss_s = 0;
  if (!self->urgent)
    self->urgent_since = RC_TIME_NONE;
  else if (self->urgent_since == RC_TIME_NONE)
    self->urgent_since = now;
  self->at = now;
}

bool
rc_keygroup_due (RcKeyGroup *self, double members, RcTime now)
{
  bool waits = self->loss_per_s > 0 || self->urgent, due;

  let_time_pass (self, now);
  due = waits && (self->loss_s >= KEY_COST_S * members
      || (self->urgent && now - self->urgent_since >= MOST_URGENT_WAIT))
      && (self->asked_at == RC_TIME_NONE || now - self->asked_at >= INTERVAL);
  self->loss_per_s = 0;
  self->urgent = false;
  if (due)
    self->asked_at = now;
  return due;
}

void
rc_keygroup_on_keyframe (RcKeyGroup *self)
{
  self->loss_s = 0;
  self->urgent_since = RC_TIME_NONE;
}
