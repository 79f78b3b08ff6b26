/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* By which lane a packet leaves. A lane is one of several paths to the same receiver.
 *
 *   arrival = (bound + size) / rate + delay
 *   cost    = arrival + loss ratio * price of a loss
 *
 * The packet goes where the cost is least, among the lanes on which it comes before its deadline;
 * if it does on none, where it arrives first. A lane on which the packet was lost already comes
 * last. Pure: the numbers are all that counts. */
#pragma once

#include <rc/base/types.h>

#define RC_LANES_MAX 4
#define RC_LANE_NONE (-1)

typedef struct
{
  bool usable;                  /* the receiver takes media by it, and answers */
  uint64_t rate_bps;            /* > 0 if it is usable */
  uint64_t bound_bytes;         /* of packets that wait for it, with headers */
  RcTime delay;                 /* one way, of what leaves now */
  double loss_ratio;
} RcLaneView;

typedef struct
{
  uint32_t network_bytes;
  RcTime left;                  /* time until it must have arrived; RC_TIME_NONE: no deadline */
  RcTime loss_price;            /* how much later a viewer sees what depends on it if it is lost */
  unsigned avoid;               /* bit i: it was lost on lane i */
  bool twice;                   /* by two lanes, if another one is in time */
} RcLaneWish;

typedef struct
{
  int first, second;            /* RC_LANE_NONE: by none; by one only */
} RcLaneChoice;

RcTime rc_lanechoice_arrival (const RcLaneView *view, uint32_t network_bytes);
RcLaneChoice rc_lanechoice_make (const RcLaneView *views, unsigned n, const RcLaneWish *wish);
