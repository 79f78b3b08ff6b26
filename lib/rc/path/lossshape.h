/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* How packets get lost: which share of them, and how many in a row. The model is in lossshape.c. */
#pragma once

#include <rc/base/types.h>

/* Leaky sums over the reports of the last packets. */
typedef struct
{
  double pkts, lost_pkts;
  double square;                /* of what was lost beyond the mean, by report */
  double square_of_single;      /* its expectation if each loss were independent of the others */
} RcLossShape;

void rc_lossshape_init (RcLossShape *self);
/* One report: so many came since the one before, and so many did not. */
void rc_lossshape_on_report (RcLossShape *self, uint32_t received_pkts, uint32_t lost_pkts);
/* 0..1; 0 until enough packets were reported. */
double rc_lossshape_ratio (const RcLossShape *self);
/* Mean length of a run of losses; 1: each is independent. */
double rc_lossshape_burst_pkts (const RcLossShape *self);
