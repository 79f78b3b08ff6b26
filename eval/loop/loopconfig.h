/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What a closed loop is made of: links, flows, and what happens to them. */
#pragma once

#include <link/link.h>
#include <rc/sender/lanes.h>
#include <rc/law/law.h>
#include <rc/router/rcprouter.h>

#define LOOP_MAX_FLOWS 32
#define LOOP_MAX_LINKS 3
#define LOOP_MAX_STEPS 1024
#define LOOP_MAX_PARAMS 16
#define LOOP_FIRST_SSRC 1000    /* of the flows of ours, in their order */
#define LOOP_RTP_BYTES 1172     /* 1200 on the wire */
#define LOOP_MEDIA_BYTES 1160   /* of them */
#define LOOP_LEAST_MEDIA_BYTES 20
#define LOOP_REPORT_BYTES 92    /* on the wire, without its list of arrivals */
#define LOOP_INFO_BYTES 52      /* on the wire */
#define LOOP_SR_BYTES 84        /* on the wire: a sender report with the name of its source */
#define LOOP_RR_BYTES 88        /* the same of a receiver report with one block */

typedef enum
{
  LOOP_GREEDY,                  /* always has a packet */
  LOOP_VIDEO,                   /* frames of the target with noise: encoder.h */
  LOOP_FOOTAGE,                 /* what x264enc makes of a film: no more than each scene needs */
} LoopSourceKind;

typedef struct
{
  LoopSourceKind kind;
  uint64_t least_bps, most_bps; /* what the encoder can make; most 0: no limit */
  RcTime mute_from, mute_to;    /* black picture: only `mute_bps` */
  uint64_t mute_bps;
  RcTime lag;                   /* time constant of following the target; 0: 100 ms */
  RcTime keyframe_interval;     /* 0: no key frames */
  double keyframe_ratio;        /* size of a key frame by that of the others */
} LoopSource;

/* In which format a receiver of ours reports. */
typedef enum
{
  LOOP_NATIVE,
  LOOP_RFC8888,
  LOOP_TWCC,
} LoopFormat;

typedef enum
{
  LOOP_MEDIA,                   /* ours: RcSender, an encoder, RcReceiver */
  LOOP_TCP_RENO,
  LOOP_TCP_CUBIC,
  LOOP_TCP_BBR,
  LOOP_TCP_SCALABLE,            /* responds to the share of marks, as DCTCP does */
  LOOP_LANES,                   /* ours over several paths: this one, and those that follow */
  LOOP_LANE,                    /* a further path of the flow before: path, rtt, deafness count */
} LoopFlowKind;

typedef struct
{
  LoopFlowKind kind;
  uint64_t tcp_bytes;           /* that a TCP flow has to send; 0: without end */
  const char *law;              /* of media, as all until path; NULL: arc */
  RcProfile profile;
  const char *param[LOOP_MAX_PARAMS];   /* overrides: name, value pairs */
  double value[LOOP_MAX_PARAMS];
  RcLimits limits;
  LoopSource source;
  unsigned path, back;          /* links there and back, in ascending order: bit i is link i */
  bool ecn;                     /* rmcsink's: after a trial packets may be marked */
  RcTime rtt;                   /* without the links' own delay */
  RcTime start_at, stop_at;     /* stop 0: never */
  RcTime clock_ahead;           /* of media: the sender's UTC is so far before the others' */
  LoopFormat format;            /* of the receiver's feedback */
  RcTime plain_interval;        /* of the receiver reports of one that is not ours; 0: it is ours */
  double report_loss_ratio;
  RcTime deaf_from, deaf_to;    /* the receiver is dead; a new one (other instance) comes after */
  RcLanesMode mode;             /* of lanes */
  bool deaf_is_cut;             /* it lives, but nothing comes to it or from it: the same goes on */
  RcTime pause_mean, pause_length;      /* each of both hosts stands still: length 0: never */
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
  bool is_there;
  uint64_t capacity_bps;        /* 0: it learns it */
  RcLimits limits;              /* of what it learns */
  RcRouterParams router;
  RcTime max_queue_time;
} LoopRelay;

typedef struct
{
  LinkParams links[LOOP_MAX_LINKS];
  LoopStep steps[LOOP_MAX_STEPS];       /* in order of time; ends with rate 0 */
  LoopFlowConfig flows[LOOP_MAX_FLOWS];
  unsigned n_flows;
  LoopRelay relay;              /* before the first link */
  RcTime length;
  uint64_t seed;
  bool notes_arrivals;          /* of media: loop_arrivals() */
  const char *trace_folder, *trace_name;        /* of event traces: looptrace.h; NULL: none */
} LoopConfig;
