/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The law for receivers that report each half to seven seconds, as RTP's receiver reports come. The
 * model is in slow.c. */
#pragma once

#include <rc/base/winmin.h>
#include <rc/law/law.h>

/* Every tunable; names, units and ranges are in the table in slow.c. */
typedef struct
{
  double threshold;             /* s of queueing delay that count as congestion */
  double start;                 /* growth until the first congestion, a second */
  double growth;                /* growth far from the last congestion, a second */
  double near;                  /* growth near it, a second */
  double step;                  /* most growth at one report */
  double hold_loss, cut_loss;   /* loss ratios above which the rate stays, and falls */
} RcSlowParams;

typedef struct
{
  RcSlowParams params;          /* first: RcLaw.params point into it */
  RcLimits limits;
  const RcPath *path;
  double rate_bps;              /* r */
  RcCause cause;                /* of it */
  double arrived_bps;           /* B, between the last two reports */
  double loss_ratio;            /* f, the same */
  double interval_s;            /* T, smoothed; 0: unknown */
  double ceiling_bps;           /* c; 0: no congestion yet */
  unsigned beyond;              /* reports in a row at which r grew beyond c */
  RcWinMin base_rtt;
  RcTime queueing_delay;        /* q; RC_TIME_NONE: unknown */
  RcTime cut_delay;             /* q when the rate began to fall */
  unsigned cuts;                /* one after the other, for a queue that stays */
  bool fell;                    /* at the last report: the next one may contain earlier losses */
  RcTime reported_at;           /* last report with news; RC_TIME_NONE: none */
  RcTime halve_at;              /* if no report comes by then; RC_TIME_NONE: nothing was sent */
} RcSlow;

extern const RcLaw rc_slow_law;
