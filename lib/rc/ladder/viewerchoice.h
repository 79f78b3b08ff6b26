/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Which rung one viewer gets, by the target of its network. The rule is in viewerchoice.c.
 *
 * The lowest rung without the frames that no other needs is one more rung, without an encoder
 * and without keyframes. Rejected: keyframes alone, each as large as ten frames, which others
 * pay for. */
#pragma once

#include <rc/ladder/rungs.h>

typedef struct
{
  double told_bps;              /* the target; 0: none yet */
  double safe_bps;              /* that it kept for a while */
  int rung;                     /* what it gets; RC_RUNGS_NONE: nothing */
  bool thin;                    /* of it only the frames that others need */
  bool thin_wish;               /* the same, of the rung that it should have */
  double regret_s;              /* quality times seconds, lost since it could have more */
  double backlog_s;             /* of media beyond the target, estimated */
  RcTime try_at, try_pause;     /* below the lowest rung: the next trial; RC_TIME_NONE, 0: none */
  RcTime at;                    /* RC_TIME_NONE: not yet */
} RcViewerChoice;

void rc_viewerchoice_init (RcViewerChoice *self);
/* Its target, of media, above 0. */
void rc_viewerchoice_on_target (RcViewerChoice *self, double bps);
/* Time passes; call it at least ten times a second. The rung that it should have, which is the
 * present one where nothing is to change but `thin`. now never runs backwards. */
int rc_viewerchoice_wish (RcViewerChoice *self, const RcRungs *rungs, RcTime now);
/* The wish is granted. */
void rc_viewerchoice_take (RcViewerChoice *self, int rung);
