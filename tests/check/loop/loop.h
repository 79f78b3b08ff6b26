/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A closed loop in virtual time: senders (rc/sender/sender.h, as rmcsink has it) -> links -> receivers -> reports back, over links too if the case says
 * so. The same lib objects that ship; nothing here reads a clock. Measures at the links, as the demo does. */
#pragma once

#include <link/link.h>
#include <rc/feedback/receiver.h>
#include <rc/sender/sender.h>

#define LOOP_MAX_FLOWS 32
#define LOOP_MAX_LINKS 3
#define LOOP_MAX_STEPS 1024
#define LOOP_MAX_PARAMS 16
#define LOOP_RTP_BYTES 1172     /* 1200 on the wire */
#define LOOP_MEDIA_BYTES 1160   /* of them */
#define LOOP_LEAST_MEDIA_BYTES 20
#define LOOP_REPORT_BYTES 100   /* on the wire */
#define LOOP_INFO_BYTES 52      /* on the wire */

typedef enum
{
  LOOP_GREEDY,                  /* always has a packet */
  LOOP_VIDEO,                   /* 30 frames a second of the target +- noise, RFC 8593's statistical model in short */
} LoopSourceKind;

typedef struct
{
  LoopSourceKind kind;
  uint64_t least_bps, most_bps; /* what the encoder can make; most 0: no limit */
  RcTime mute_from, mute_to;    /* black picture: only `mute_bps` */
  uint64_t mute_bps;
  RcTime lag;                   /* time constant with which the encoder follows its target; 0: 100 ms */
  RcTime keyframe_interval;     /* 0: none; else a frame each interval is keyframe_ratio times as large as the others */
  double keyframe_ratio;
} LoopSource;

typedef struct
{
  const char *law;              /* NULL: arc */
  RcProfile profile;
  const char *param[LOOP_MAX_PARAMS];   /* overrides: name, value pairs */
  double value[LOOP_MAX_PARAMS];
  RcLimits limits;
  LoopSource source;
  unsigned path, back;          /* links that media and reports cross, in ascending order: bit i is link i; 0: none */
  bool ecn;                     /* rmcsink's: after a trial packets may be marked */
  RcTime rtt;                   /* without the links' own delay */
  RcTime start_at, stop_at;     /* stop 0: never */
  bool lists_packets;           /* the receiver lists single packets instead of summing them up */
  double report_loss_ratio;
  RcTime deaf_from, deaf_to;    /* the receiver is dead; a new one (other instance) comes after */
  double skew_ratio;            /* receiver's clock runs so much too fast */
  RcTime reverse_queue_from, reverse_queue_to, reverse_queue;   /* extra delay on the way back */
} LoopFlowConfig;

/* From `at` on a link has this rate and delay. */
typedef struct
{
  RcTime at;
  uint64_t rate_bps;
  RcTime delay;
  unsigned link;
} LoopStep;

typedef struct
{
  LinkParams links[LOOP_MAX_LINKS];
  LoopStep steps[LOOP_MAX_STEPS];       /* in order of time; ends with rate 0 */
  LoopFlowConfig flows[LOOP_MAX_FLOWS];
  unsigned n_flows;
  RcTime length;
  uint64_t seed;
} LoopConfig;

typedef struct Loop Loop;

/* Runs the whole of it. Free with loop_free. */
Loop *loop_run (const LoopConfig *config);
void loop_free (Loop *self);

/* Over [from, to) seconds. Capacity is the first link's; flow -1, delay, drops and Jain mean the flows over it. */
double loop_served_bps (const Loop *self, int flow, double from_s, double to_s);
double loop_capacity_bps (const Loop *self, double from_s, double to_s);
/* q-quantile of the queueing delay, summed over their links, of the packets sent in it, in ms; q < 0: the mean; 1: the largest. */
double loop_queue_ms (const Loop *self, double q, double from_s, double to_s);
unsigned loop_drops (const Loop *self, double from_s, double to_s);
/* Mean target of a flow's law, and its extremes. */
double loop_rate_bps (const Loop *self, int flow, double from_s, double to_s);
double loop_rate_max_bps (const Loop *self, int flow, double from_s, double to_s);
unsigned loop_packets_sent (const Loop *self, int flow, double from_s, double to_s);
/* When the flow's served rate over 0.5 s first reached bps at or after from_s, or -1. */
double loop_reached_at_s (const Loop *self, int flow, double bps, double from_s);
double loop_jain (const Loop *self, double from_s, double to_s);
/* Writes time_s,capacity_bps,queue_ms,rate_bps_0,served_bps_0,... each 0.1 s. */
void loop_write_csv (const Loop *self, const char *path);
