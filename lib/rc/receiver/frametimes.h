/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* How much later than the fastest frame the frames of a stream are whole: what a jitter buffer has
 * to wait for. The model is in frametimes.c. */
#pragma once

#include <rc/base/recent.h>
#include <rc/base/winmin.h>

/* Repairs of a frame may come while this many later ones do: half a second of video. */
#define RC_FRAMETIMES_OPEN 16

typedef struct
{
  int64_t timestamp;            /* since the first frame, in units of the RTP clock */
  RcTime came_at;               /* its last packet */
} RcOpenFrame;

typedef struct
{
  RcOpenFrame open[RC_FRAMETIMES_OPEN]; /* as they began; a ring */
  uint32_t begun;               /* of all */
  uint32_t clock_rate_hz;
  uint32_t newest_rtp;          /* timestamp of the newest one, as it came */
  int64_t newest;
  RcWinMin fastest;
  RcWinMin earliest;            /* packet of late: its arrival less its timestamp */
  RcRecent delays;
  RcTime trend_at;              /* when the trend was looked at, and the earliest packet then */
  int64_t trend_from;
  double last_trend, slowness;  /* s/s; at the last look; by which timestamps run slow, 0: not */
  RcTime slow_from;
} RcFrameTimes;

void rc_frametimes_init (RcFrameTimes *self);
/* A packet of media or its repair; clock_rate_hz 0: unknown, nothing is measured. */
void rc_frametimes_on_packet (RcFrameTimes *self, uint32_t timestamp, uint32_t clock_rate_hz,
    RcTime arrived_at);
/* The time of a timestamp near the newest one since the first frame; 0 before any. */
RcTime rc_frametimes_media (const RcFrameTimes *self, uint32_t timestamp);
/* When a packet of that timestamp would have come without any delay, as the packets of the last
 * seconds show it; a jitter buffer counts its latency from there. RC_TIME_NONE: not known. */
RcTime rc_frametimes_due_at (const RcFrameTimes *self, uint32_t timestamp);
/* Of the last RC_RECENT_SIZE frames; RC_TIME_NONE: there were none. */
RcTime rc_frametimes_delay (const RcFrameTimes *self, double q);
