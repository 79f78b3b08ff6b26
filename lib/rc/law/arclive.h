/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* ARC for live video on real networks: eq. 1 and 2 of the paper, extended by a start-up phase,
 * rate-based growth, active draining of the queue, a distinction between delay noise and queueing,
 * and a mode that competes with loss-based flows. The model is in arclive.c. */
#pragma once

#include <rc/law/law.h>

/* The values of the law's fact `state`. */
typedef enum
{
  RC_ARCLIVE_START,             /* the rate doubles until the first sign of congestion */
  RC_ARCLIVE_AVOID,             /* the queue is kept empty */
  RC_ARCLIVE_COMPETE,           /* the queue is another flow's, and we take part */
  RC_ARCLIVE_YIELD,             /* a trial of less than a second: is the queue another's? */
  /* Whenever UTC passes a multiple of 15 s, each gst-arc flow reduces its rate to test whether the
   * queue drains. */
  RC_ARCLIVE_DRAIN,
  RC_ARCLIVE_OUTAGE,            /* two report timeouts in a row */
  RC_ARCLIVE_N_STATES,          /* no state; arclive.c names each state, in this order */
} RcArcLiveState;

extern const RcLaw rc_arclive_law;

/* Room for its state, for a law that runs it beside a source of knowledge of its own. */
typedef union
{
  unsigned char bytes[3680];
  RcTime aligned_for_time;
  double aligned_for_double;
} RcArcLive;

/* A queue up to `tolerated_s` is no congestion, and the rate grows by at least `pushed_bps_s` each
 * second at first. 0, 0: as by itself. */
void rc_arclive_guide (RcArcLive *arc, double tolerated_s, double pushed_bps_s);
double rc_arclive_rate_bps (const RcArcLive *arc);
