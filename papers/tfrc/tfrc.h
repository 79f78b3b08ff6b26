/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* TFRC, TCP Friendly Rate Control: loss event rate and receive rate in, sending rate out. See
 * tfrc.c for the model. */
#pragma once

#include <rc/law/controller.h>
#include <rc/path/delivery.h>

#define TFRC_RECV_SET 8      /* two RTTs of reports, with some at losses in between */

/* Every tunable; names, units and ranges are in the table in tfrc.c. */
typedef struct
{
  double rtt_gain;              /* q [RFC 5348 4.3]: weight of the old R */
  double self_clocking; /* C: most that X is of X_recv, 1 for an RTT after a loss; 0: RFC 5348 */
  double oscillation; /* 1: the rate is lower while the RTT is above its mean [RFC 5348 4.5] */
  double report;                /* RTTs between reports */
  double report_min, report_max;        /* s */
  double timeout_min;           /* s; the no-feedback timer is never shorter */
} TfrcParams;

typedef struct
{
  TfrcParams params;  /* first: RcLaw.params point into it */
  const double *told;           /* p, by the receiver */
  RcLimits limits;
  const RcPath *path;
  RcDelivery delivery;
  uint64_t received_bytes;      /* in all */

  double x_bps;                 /* X */
  RcCause cause;                /* of X */
  double x_calc_bps;            /* the equation's; 0: no loss yet */
  double x_recv_bps;            /* X_recv */
  double rtt_s;                 /* R; 0: unknown */
  double rtt_root;              /* R_sqmean, root of s */
  double instant_gain;          /* R_sqmean / sqrt (R_sample), or 1 */
  double p;                     /* loss event ratio */
  double packet_bits;           /* s: mean of what was sent */
  struct
  {
    double bps;
    RcTime at;
  } recv_set[TFRC_RECV_SET]; /* X_recv_set */
  unsigned n_recv_set;
  RcTime doubled_at;            /* tld; RC_TIME_NONE: never */
  RcTime lost_at;               /* last report of a loss or mark; RC_TIME_NONE: none */

  /* since the last report */
  double sent_bits, allowed_bits;
  RcTime used_at;
  RcTime timer_at;              /* no-feedback timer; RC_TIME_NONE: nothing was sent yet */
} Tfrc;

extern const RcLaw tfrc_law;

/* Between init and start: where the law finds the loss event ratio that the receiver told last.
 * Reports of lib have none. */
void tfrc_listen (RcController *controller, const double *ratio);
