/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Flows, a scheduler (RAMP or first come, first served) and one link, in virtual time. For
 * figures and tests. */
#pragma once

#include <rc/sched/ramp.h>

#define WORLD_FLOWS 8
#define WORLD_PACKETS 65536     /* in the queues together; more are dropped where they come */

/* A source: frames of so many bytes, in packets, at once; the rate may change by steps. */
typedef struct
{
  RcRampFlowParams params;
  double rate_bps;
  RcTime frame_interval;        /* 0: single packets, evenly spaced */
  double vbr_ratio;             /* sd of a frame's size over its mean */
  unsigned key_every;           /* frames; 0: none */
  double key_gain;              /* size of a keyframe over the others' */
  uint32_t packet_bytes;
  RcTime starts_at, ends_at;
} WorldSource;

typedef struct
{
  RcTime arrived_at;
  uint32_t bytes;
  unsigned flow;
} WorldPacket;

typedef struct
{
  WorldPacket *packets;         /* ring of WORLD_PACKETS */
  unsigned head, count;
} WorldQueue;

typedef struct
{
  WorldSource source;
  RcRampFlow flow;
  WorldQueue queue;             /* of RAMP; FCFS uses that of the first flow for all */
  RcTime frame_at;
  unsigned frames;
  uint64_t random;
  double owed_bytes;
  uint64_t arrived_bytes, sent_bytes, dropped_bytes;
  RcTime delay_max;             /* in the scheduler, since the last reset by the caller */
  double delay_sum_s;
  uint64_t delay_pkts;
} WorldFlow;

typedef struct
{
  RcRamp ramp;
  bool fcfs;
  unsigned queue_limit_pkts;    /* of FCFS, or of each flow's queue; 0: none */
  WorldFlow flows[WORLD_FLOWS];
  unsigned n_flows;
  uint64_t link_bps;
  RcTime now, link_free_at;
} World;

/* memory: of WORLD_FLOWS x WORLD_PACKETS packets, the caller's. */
void world_init (World *self, WorldPacket *memory, const RcRampParams *params, uint64_t link_bps);
WorldFlow *world_add (World *self, const WorldSource *source);
/* Goes on to `until`. */
void world_run (World *self, RcTime until);
void world_reset_delays (World *self);
