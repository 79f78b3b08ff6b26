/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* ARC for live video on real networks: eq. 1 and eq. 2 of the paper with a start-up, growth in
 * rate, a queue that is emptied, and a mode beside loss-based flows. The model is in arclive.c. */
#pragma once

#include <rc/law/law.h>
#include <rc/path/path.h>
#include <rc/path/reportwatch.h>
#include <rc/path/routewatch.h>
#include <rc/path/silence.h>
#include <rc/path/use.h>

/* Every tunable. The names are those of `controller-params`; units, ranges and reasons are in
 * arclive_params.c. 0 in a switch or gain takes that mechanism away. */
typedef struct
{
  /* the paper */
  double k;                     /* 1/s; eq. 1 */
  double packet;                /* bytes: the packet that alpha and qthresh count in */
  double qthresh;               /* packets of own backlog */
  double timeout;               /* SRTTs without a report */
  double report;                /* SRTTs between reports */
  /* live: what the paper leaves open */
  double report_min, report_max;        /* s; bounds of the report interval */
  double timeout_min;           /* s; a timeout is never shorter (and never under 4 report intervals) */
  double timeout_halve;         /* 1: each further timeout halves w; 0: once, as the paper */
  double startup;               /* SRTTs (at least 100 ms each) in which w doubles, until the
                                 * first report that shows congestion; 0: no start-up */
  double tq_min, tq_max;        /* s; qthresh as a delay stays within */
  double qthresh_scale;         /* exponent: how qthresh in packets shrinks with the rate; see threshold() */
  double drain;                 /* on backlog w = drain B (mRTT + 1/k); 0: hold, as the paper */
  double rest;                  /* s after a reduction without growth or another one for the same shallow queue */
  double add;                   /* bit/s a second: growth while no report shows congestion */
  double add_rtt;               /* s; on a longer RTT growth is divided by the root of
                                 * RTT / add_rtt; 0: never */
  double add_double, add_max;   /* s in which growth doubles without congestion; at most add_max
                                 * times `add`, ... */
  double add_ratio;             /* ... or this share of the rate each second, if that is more */
  double approach;              /* share of the B of the last reduction at which growth starts
                                 * again from `add`; 0: never */
  double recover;               /* minimum growth, as a multiple of `add`, until the rate regains
                                 * its mean from before the reduction; 0: none */
  double used;                  /* w grows only while at least this share of the allowed rate is sent; 0: always */
  double used_start;            /* the same while starting up: encoders lag behind a rate that doubles */
  double loss_high;             /* loss ratio above which loss alone is a sign; 0: each loss is, as the paper */
  double compete;               /* s; a queue that was deep for half of this time is not ours:
                                 * compete as the paper does; 0: never */
  double compete_tq;            /* s; a queue of this delay is deep, even if four thresholds are
                                 * more; 0: four thresholds */
  double compete_cut;           /* window after a loss while competing, as a share of eq. 2 */
  double compete_probe;         /* s; while competing, time without a loss after which to test
                                 * whether the queue is our own; 0: never */
  double route;                 /* 1: a delay that does not fall though we drain is a longer route; 0: a queue */
  double base_window;           /* s: mRTT is the minimum of so long; 0: for ever */
  double owd;                   /* 1: Tq is the smaller of RTT's and forward one-way delay's; 0: RTT's */
  double delivery;              /* s: B for backlog and cuts is measured over at least this; 0: the report's filtered B */
  double stop;                  /* s of silence after which media stops; 0: never */
} RcArcLiveParams;

typedef struct
{
  RcArcLiveParams params;       /* first: RcLaw.params point into it */
  RcLimits limits;
  RcPath path;
  RcUse use;
  RcReportWatch watch;
  RcSilence silence;

  /* what a law around this one knows better; see rc_arclive_guide() */
  double tolerated_s, pushed_bps_s;

  /* the window and what it makes */
  double w_bits;                /* w */
  double q_bits;                /* q = B Tq */
  double rate_bps;              /* r, eq. 1, within the limits */
  RcTime updated_at;            /* t0 of eq. 3 */

  /* a longer route */
  RcTime jumped_tq;             /* the first over the threshold */
  RcRouteWatch route;
  unsigned routes;              /* longer ones that were noticed */

  /* mode */
  bool starting, competing;
  unsigned signs;               /* consecutive reports that show congestion */
  RcTime forgiving_until;       /* earlier losses are taken for an outage's */
  double growth_gain;           /* 1..add_max */
  double usual_bps;             /* mean of B over some seconds */
  double known_bps;             /* B at or before the last reduction, until the rate is back there; 0: none */
  double deep_ratio;            /* leaky share of the time with a queue that is not ours */
  RcTime cut_at;                /* last reduction */
  RcTime probing_since, probed_tq;   /* whose queue it is */
  double probed_w_bits;
} RcArcLive;

extern const RcLaw rc_arclive_law;
extern const RcParam rc_arclive_param_table[];
RcArcLiveParams rc_arclive_params (void);

/* For a law that runs this one beside an own source of knowledge. A queue up to `tolerated_s` is no
 * congestion, and the rate grows by at least `pushed_bps_s` each second at first. 0, 0: as by
 * itself. */
void rc_arclive_guide (RcArcLive *self, double tolerated_s, double pushed_bps_s);
/* The same as through rc_arclive_law. */
void rc_arclive_start (RcArcLive *self, const RcLimits *limits, RcTime now);
void rc_arclive_set_limits (RcArcLive *self, const RcLimits *limits, RcTime now);
RcDecision rc_arclive_on_sent (RcArcLive *self, const RcSent *sent, RcTime now);
RcDecision rc_arclive_on_feedback (RcArcLive *self, const RcFeedback *feedback, RcTime now);
RcDecision rc_arclive_on_timer (RcArcLive *self, RcTime now);
bool rc_arclive_stat (const RcArcLive *self, unsigned index, const char **name, double *value);
