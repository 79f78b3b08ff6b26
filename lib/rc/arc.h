/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* ARC, Adaptive Rate Control: reports in, sending rate out. See arc.c for the model. */
#pragma once

#include <rc/delivery.h>
#include <rc/param.h>
#include <rc/routewatch.h>
#include <rc/silence.h>
#include <rc/types.h>
#include <rc/winmin.h>

/* Every tunable, by profile. The names are those of `controller-params`; the table with units, ranges and reasons is in arc_params.c.
 * 0 in a switch or gain takes that extension away, down to the paper. */
typedef struct
{
  /* the paper */
  double k;                     /* 1/s; eq. 1 */
  double alpha;                 /* s a packet; eq. 3 */
  double packet;                /* bytes: the packet that alpha and qthresh count in */
  double qthresh;               /* packets of own backlog */
  double outstanding;           /* 1: eq. 1's integral is what is in flight; 0: its propagation part r mRTT */
  double timeout;               /* SRTTs without a report */
  double report;                /* SRTTs between reports */
  /* live: what the paper leaves open */
  double report_min, report_max;        /* s; bounds of the report interval */
  double timeout_min;           /* s; a timeout is never shorter (and never under 4 report intervals) */
  double timeout_halve;         /* 1: each further timeout halves w; 0: once, as the paper */
  double startup;               /* SRTTs (at least 100 ms each) that w takes to double until the first sign; 0: none */
  double tq_min, tq_max;        /* s; qthresh as a delay stays within */
  double qthresh_scale;         /* exponent: how qthresh in packets shrinks with the rate; see threshold() */
  double drain;                 /* on backlog w = drain B (mRTT + 1/k); 0: hold, as the paper */
  double rest;                  /* s after a reduction without growth or another one for the same shallow queue */
  double add;                   /* bit/s a second, growth of the rate without a sign; 0: eq. 3 */
  double add_rtt;               /* s; growth is slower by the root of what the RTT is over it; 0: not */
  double add_double, add_max;   /* s for add to double without a sign; at most add_max times, ... */
  double add_ratio;             /* ... or this share of the rate each second, if that is more */
  double approach;              /* growth begins anew at this share of the last B that was too much; 0: never */
  double recover;               /* growth is at least so many times `add` up to what was usual before a reduction; 0: not */
  double used;                  /* w grows only while at least this share of the allowed rate is sent; 0: always */
  double used_start;            /* the same while starting up: encoders lag behind a rate that doubles */
  double loss_high;             /* loss ratio above which loss alone is a sign; 0: each loss is, as the paper */
  double compete;               /* s; queue that is deep for half of so long is not ours: compete as the paper does; 0: never */
  double compete_tq;            /* s; so deep is standing, even if four thresholds are more; 0: four thresholds */
  double compete_cut;           /* window after a loss while competing, as a share of eq. 2 */
  double compete_probe;         /* s without a loss after which to try whether the queue is ours after all, while competing; 0: never */
  double route;                 /* 1: a delay that does not fall though we drain is a longer route; 0: a queue */
  double base_window;           /* s: mRTT is the minimum of so long; 0: for ever */
  double owd;                   /* 1: Tq is the smaller of RTT's and forward one-way delay's; 0: RTT's */
  double delivery;              /* s: B for backlog and cuts is measured over at least this; 0: the report's filtered B */
  double stop;                  /* s of silence after which media stops; 0: never */
} RcArcParams;

typedef struct
{
  RcArcParams params;
  RcLimits limits;
  RcSilence silence;

  /* the window and what it makes */
  double w_bits;                /* w */
  double q_bits;                /* q = B Tq */
  double outstanding_bits;
  double unreported_bits;       /* sent since the last report */
  RcTime paid_at;               /* when that was enough to pay for the next */
  double rate_bps;              /* r, eq. 1, within the limits */
  RcTime updated_at;            /* t0 of eq. 3 */

  /* measured */
  double b_bps;                 /* B as the report filters it */
  RcDelivery delivery;          /* B over the last `delivery` seconds */
  RcTime srtt, tq, last_tq;     /* of the last report and the one before */
  RcTime jumped_tq;             /* the first over the threshold */
  RcWinMin base_rtt, base_owd;
  RcRouteWatch route;
  unsigned routes;              /* longer ones that were noticed */
  double lost_pkts, loss_pkts, loss_ratio;      /* leaky: lost, all, and their ratio */
  RcTime loss_at;

  /* what is sent of what is allowed: leaky integrals */
  double sent_bits, allowed_bits;
  RcTime used_at;

  /* mode */
  bool starting, competing;
  unsigned signs;               /* congested reports running */
  unsigned timeouts;            /* since the last report */
  RcTime forgiving_until;       /* losses before are the outage's */
  double growth_gain;           /* 1..add_max */
  double usual_bps;             /* B over some seconds */
  double known_bps;             /* B at or before the last reduction, until the rate is back there; 0: none */
  double deep_ratio;            /* leaky share of the time with a queue that is not ours */
  RcTime cut_at;                /* last reduction */
  RcTime probing_since, probed_tq;   /* whose queue it is */
  double probed_w_bits;
} RcArc;

typedef struct RcLaw RcLaw;
extern const RcLaw rc_arc_law;
extern const RcParam rc_arc_params[];

/* One report's Tq threshold, s: for tests and statistics. */
double rc_arc_threshold_s (const RcArc *self);
RcArcParams rc_arc_params_paper (void);
RcArcParams rc_arc_params_live (void);
