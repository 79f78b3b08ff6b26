/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The state and the parameters of live ARC, which its files share. The model is in arclive.c. */
#pragma once

#include <rc/law/cubic.h>
#include <rc/law/law.h>
#include <rc/law/queuetrial.h>
#include <rc/path/delivery.h>
#include <rc/path/idletime.h>
#include <rc/path/path.h>
#include <rc/path/queueing.h>
#include <rc/path/reportwatch.h>
#include <rc/path/routewatch.h>
#include <rc/path/silence.h>
#include <rc/path/use.h>

/* Every tunable. The names are those of `controller-params`; ranges and reasons are in
 * arclive_law.c. */
typedef struct
{
  double k;                     /* 1/s; eq. 1 */
  double startup; /* SRTTs (at least 100 ms each) in which the rate doubles at the start */
  double threshold;             /* s at 1 Mbit/s: queueing delay that is congestion */
  double noise;                 /* times the delay noise that the threshold is higher */
  double growth; /* bit/s a second at 1 Mbit/s: growth while no report shows congestion */
  double used; /* share of the allowed rate that must be used for the rate to grow */
  double compete;               /* 1: take part beside loss-based flows; 0: always give way */
  double max_delay;             /* s: queueing delay beyond which each doubling is tried anew */
  double stop; /* s of silence of the receiver after which no media leaves; 0: never */
} RcArcLiveParams;

typedef enum
{
  RC_ARCLIVE_START,             /* the rate doubles until the first sign of congestion */
  RC_ARCLIVE_AVOID,             /* the queue is kept empty */
  RC_ARCLIVE_COMPETE, /* the queue is another's, who leaves us nothing unless we take part */
  RC_ARCLIVE_YIELD,             /* a trial of less than a second: is the queue another's? */
  RC_ARCLIVE_OUTAGE,            /* reports are missing */
} RcArcLiveState;

typedef struct
{
  RcArcLiveParams params;       /* first: RcLaw.params point into it */
  RcLimits limits;
  RcPath path;
  RcQueueing queueing;
  RcDelivery delivery;
  RcIdleTime idle;
  RcUse use;
  RcReportWatch watch;
  RcSilence silence;
  RcRouteWatch route;
  RcCubic cubic;
  double tolerated_s, pushed_bps_s;     /* what a law around this one knows: rc_arclive_guide() */

  RcArcLiveState state;
  double x_bps;                 /* x: the rate without the drain */
  double rate_bps;              /* r, eq. 1, within the limits */
  RcTime updated_at;            /* of the last report */
  RcTime cut_at;                /* last reduction; RC_TIME_NONE: none yet */
  unsigned signs;               /* consecutive reports that show a queue which does not fall */
  double known_bps; /* K: the capacity as seen last, until the rate is back there; 0: not known */
  double growth_gain;           /* g */
  RcTime used_at;               /* START: when the rate was used last */
  /* An outage has ended: delays until then are its, and so are losses until some packets came that
   * left later. RC_TIME_NONE: none has. */
  RcTime outage_ended_at, forgiving_until;
  uint32_t after_outage_pkts;   /* those that came */
  double before_outage_bps;     /* x when the first time-out struck */
  double jumped_s; /* d when it jumped over the threshold in one report; < 0: it climbed */
  unsigned routes;              /* longer ones that were noticed */
  /* the marks of an L4S queue */
  double alpha;                 /* smoothed share of marks; < 0: there is no such queue */
  double round_pkts, round_marked_pkts; /* told since round_at */
  RcTime round_at;
  /* whose queue it is */
  double given_way_s, peak_s;   /* Y; the highest d meanwhile */
  double had_bps;               /* B0: B when the queue came; 0: there is none */
  RcTime had_from, had_until;   /* the queue came; B0 is settled, RC_TIME_NONE: not yet */
  double shared_bps;            /* YIELD: the rate to return to */
  RcQueueTrial trial;           /* YIELD */
  bool competed;                /* YIELD came from COMPETE */
  unsigned failed_trials;       /* since COMPETE: they said that the queue is our own */
  unsigned level;               /* times max_delay has doubled below d, one more; 0: d is less */
  double top_s;                 /* COMPETE: the highest d */
  RcTime tried_at;              /* COMPETE began */
  RcTime calm_since;
} RcArcLive;
