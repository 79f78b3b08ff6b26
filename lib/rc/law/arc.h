/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* ARC, Adaptive Rate Control, exactly as published. The model is in arc.c; what real networks
 * need beyond it is arclive.h. */
#pragma once

#include <rc/law/law.h>

/* The names are those of `controller-params`; units and ranges are in the table in arc.c. */
typedef struct
{
  double k;                     /* 1/s; eq. 1 */
  double alpha;                 /* s a packet; eq. 3 */
  double packet;                /* bytes: the packet that alpha and qthresh count in */
  double qthresh;               /* packets of own backlog */
  double outstanding; /* 1: eq. 1's integral is what is in flight; 0: its propagation part r mRTT */
  double timeout;               /* SRTTs without a report */
  double report;                /* SRTTs between reports */
  double report_min, report_max;        /* s; bounds of the report interval */
} RcArcParams;

typedef struct
{
  RcArcParams params;           /* first: RcLaw.params point into it */
  RcLimits limits;
  const RcPath *path;
  unsigned timeouts;            /* of its own: `timeout` SRTTs each */
  double base_rtt_s;            /* mRTT when w was set */
  double w_bits;                /* w */
  double q_bits;                /* q = B Tq */
  double outstanding_bits;      /* the integral of eq. 1, if it is what is in flight */
  double rate_bps;              /* r, within the limits */
  RcCause cause;                /* of w */
  RcTime updated_at;            /* t0 of eq. 3 */
  RcTime reduced_at;            /* last eq. 2; RC_TIME_NONE: never */
} RcArc;

extern const RcLaw rc_arc_law;
