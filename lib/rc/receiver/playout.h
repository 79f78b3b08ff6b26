/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The latency of a jitter buffer that follows the path: grown before frames come late, shrunk
 * slowly. The model is in playout.c. */
#pragma once

#include <rc/base/winmin.h>

typedef struct
{
  RcTime least, most;           /* of the latency */
  RcTime window;                /* so long a late frame is remembered */
  RcTime margin;                /* between the latest frame remembered and its time */
  RcTime guard;                 /* a frame that comes nearer to its time makes the latency grow */
  double lead;                  /* frames for which growing delays are extrapolated */
  RcTime step, interval;        /* it shrinks by so much, so often */
} RcPlayoutParams;

/* docs/results/playout.md has what each of them is worth. */
#define RC_PLAYOUT_LEAST (20 * RC_MSEC)
#define RC_PLAYOUT_MOST (500 * RC_MSEC)
#define RC_PLAYOUT_PARAMS_DEFAULT \
  { .least = RC_PLAYOUT_LEAST, .most = RC_PLAYOUT_MOST, .window = 2 * RC_SECOND, \
    .margin = 15 * RC_MSEC, .guard = 5 * RC_MSEC, .lead = 1, \
    .step = 10 * RC_MSEC, .interval = 200 * RC_MSEC }

#define RC_PLAYOUT_BEFORE 8     /* frames */

typedef struct
{
  RcPlayoutParams params;
  RcTime latency;
  RcWinMin latest, fastest;     /* of the transits; latest: negative */
  RcTime base;                  /* of the jitter buffer */
  RcTime spare;                 /* what the pipeline behind has for processing */
  RcTime media, transit;        /* the newest frame, its latest packet */
  RcTime before[RC_PLAYOUT_BEFORE];     /* of the frames before it; a ring */
  RcTime late_media;            /* the last frame that was late */
  RcTime shrink_at;             /* not before */
  RcTime repair, repair_until;  /* what it needs, and until when that counts */
  bool begun, has_base;
  uint64_t frames, late_frames;
} RcPlayout;

void rc_playout_init (RcPlayout *self, const RcPlayoutParams *params, RcTime latency);
/* media: the time of the packet's frame by the sender's RTP clock. repair: it had been lost, and
 * shows no queue. */
void rc_playout_on_packet (RcPlayout *self, RcTime media, RcTime came_at, bool repair);
/* The jitter buffer shows the frame of `media` at media + base + latency. */
void rc_playout_on_base (RcPlayout *self, RcTime base);
/* A packet was lost. */
void rc_playout_on_lost (RcPlayout *self, RcTime now);
/* What repair needs now. */
void rc_playout_set_repair (RcPlayout *self, RcTime needed);
/* A frame may leave the jitter buffer so much later than at base + latency, since the pipeline
 * behind has that time for processing. Before it is known: 0. */
void rc_playout_set_spare (RcPlayout *self, RcTime spare);
/* What it should be now. */
RcTime rc_playout_latency (RcPlayout *self, RcTime now);
