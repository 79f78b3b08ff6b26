/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Used bandwidth B, from a counter of what was received.
 *
 *   B(k) = D(k) / T(k)                          [ARC 3.1.3]  D bytes received in the last T seconds
 *   low-pass 1/(1 + s tau), bilinear:
 *   F(k) = ((2 tau - T) F(k-1) + T (B(k) + B(k-1))) / (2 tau + T)
 *
 * The paper gives no tau [ARC 3.1.3]; the default is RC_BWFILTER_TAU. Where 2 tau < T (a long
 * gap between samples) the bilinear form would ring, so the old state is then forgotten: F(k) =
 * B(k). The first sample sets the state.
 *
 * Where we differ from the paper and why: a sample takes at least RC_BWFILTER_MIN_SAMPLE, because
 * two packets back to back would measure the line and not the path. */
#pragma once

#include <rc/base/types.h>

/* A few reports: smooths the frame rate, follows a step within half a second. */
#define RC_BWFILTER_TAU (200 * RC_MSEC)
#define RC_BWFILTER_MIN_SAMPLE (20 * RC_MSEC)
/* So long without a packet is a pause, after which the filter begins anew. */
#define RC_BWFILTER_PAUSE RC_SECOND

typedef struct
{
  RcTime tau;
  double filtered_bps, raw_bps; /* F(k), B(k) */
  bool primed;
  uint64_t sampled_bytes;       /* of the counter, already in a sample */
  RcTime sampled_at;
} RcBwFilter;

void rc_bwfilter_init (RcBwFilter *self, RcTime tau);
/* `bytes` arrived in the `interval` (> 0) since the sample before. */
void rc_bwfilter_sample (RcBwFilter *self, uint64_t bytes, RcTime interval);
/* The next sample covers what comes from now on: a pause says nothing about the path. */
void rc_bwfilter_restart (RcBwFilter *self, uint64_t received_bytes, RcTime now);
/* Takes a sample, if one is due. */
void rc_bwfilter_follow (RcBwFilter *self, uint64_t received_bytes, RcTime now);
