/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* When one rung's encoder is asked for a keyframe, so that those who wait can switch to it. The
 * rule is in keygroup.c. */
#pragma once

#include <rc/base/types.h>

typedef struct
{
  double loss_per_s;            /* of those counted since the last question */
  bool urgent;                  /* one of them cannot stay where it is */
  double loss_s;                /* since somebody waits */
  RcTime urgent_since;          /* RC_TIME_NONE: none is */
  RcTime asked_at, at;          /* RC_TIME_NONE: never */
} RcKeyGroup;

void rc_keygroup_init (RcKeyGroup *self);
/* All who wait are counted anew before each rc_keygroup_due (): what a viewer loses by waiting, as
 * weight times quality; urgent: it has nothing that it can be sent meanwhile. */
void rc_keygroup_count (RcKeyGroup *self, double loss_per_s, bool urgent);
/* true: ask now. members: the weight of those who watch the rung. now never runs backwards. */
bool rc_keygroup_due (RcKeyGroup *self, double members, RcTime now);
/* A keyframe came: all who waited have switched. */
void rc_keygroup_on_keyframe (RcKeyGroup *self);
