/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Flows that the user bounds at 3 Mbit/s, on links that carry more, and beside others. */
#include <math.h>
#include <stdio.h>

#include "caseparts.h"
#include "sets.h"

#define LENGTH_S 60
#define FROM_S 10
#define FALL_S 30
#define MOST_MBPS 3
#define FRAME_BITS (MOST_MBPS * 1e6 / 30)
#define LARGE 1.3               /* the 95th percentile of a frame by its share */
#define TINY_PKTS 10

typedef struct
{
  const char *name;
  double mbps;
  unsigned rtt_ms, ours, tcp, jitter_ms, queue_ms, queue_pkts, police_bytes;
  double loss_ratio, falls_to_mbps;     /* after 30 s */
} Free;

static const Free cases[] = {
  { "3.3 Mbit/s, RTT 50 ms", 3.3, 50, 1 },
  { "4.5 Mbit/s, RTT 20 ms", 4.5, 20, 1 },
  { "4.5 Mbit/s, RTT 50 ms", 4.5, 50, 1 },
  { "4.5 Mbit/s, RTT 150 ms", 4.5, 150, 1 },
  { "6 Mbit/s, RTT 50 ms", 6, 50, 1 },
  { "10 Mbit/s, RTT 50 ms", 10, 50, 1 },
  { "100 Mbit/s, RTT 150 ms", 100, 150, 1 },
  { "6 Mbit/s, jitter 5 ms", 6, 50, 1, .jitter_ms = 5 },
  { "10 Mbit/s, jitter 15 ms", 10, 50, 1, .jitter_ms = 15 },
  { "10 Mbit/s, 1 % lost", 10, 50, 1, .loss_ratio = 0.01 },
  { "10 Mbit/s, 5 % lost", 10, 50, 1, .loss_ratio = 0.05 },
  { "policer of 3.6 Mbit/s, bucket of 6 kB", 100, 50, 1, .police_bytes = 6000 },
  { "policer of 3.6 Mbit/s, bucket of 15 kB", 100, 50, 1, .police_bytes = 15000 },
  { "policer of 3.6 Mbit/s, bucket of 150 kB", 100, 50, 1, .police_bytes = 150000 },
  { "6 Mbit/s, buffer of 10 packets", 6, 50, 1, .queue_pkts = TINY_PKTS },
  { "10 Mbit/s, beside CUBIC", 10, 50, 1, 1 },
  { "10 Mbit/s, queue 25 ms, beside CUBIC", 10, 50, 1, 1, .queue_ms = 25 },
  { "13 Mbit/s, four flows", 13, 50, 4 },
  { "10 Mbit/s, four flows", 10, 50, 4 },
  { "40 Mbit/s, ten flows", 40, 50, 10 },
  { "6 to 2 Mbit/s", 6, 50, 1, .falls_to_mbps = 2 },
};

static void
fill_free (unsigned index, SetCase *self)
{
  const Free *free = &cases[index];
  LoopConfig *config = &self->config;
  LinkParams *link = &config->links[0];

  snprintf (self->name, sizeof self->name, "%s", free->name);
  case_link (config, (uint64_t) (free->mbps * 1e6),
      free->queue_pkts ? 0 : (free->queue_ms ? free->queue_ms : 300) * RC_MSEC, LENGTH_S);
  if (free->falls_to_mbps > 0)
    case_step (config, FALL_S, (uint64_t) (free->falls_to_mbps * 1e6));
  link->queue_pkts = free->queue_pkts;
  link->jitter_mean = free->jitter_ms * RC_MSEC;
  link->loss_ratio = free->loss_ratio;
  link->police_bps = free->police_bytes ? 3600000 : 0;
  link->police_bytes = free->police_bytes;
  for (unsigned i = 0; i < free->ours; i++) {
    LoopFlowConfig *flow = case_media (config, free->rtt_ms);

    flow->limits.max_bps = MOST_MBPS * CASE_MBPS;
    flow->start_at = rc_time_from_s (case_random (config, i));
  }
  for (unsigned i = 0; i < free->tcp; i++)
    case_tcp (config, LOOP_TCP_CUBIC, free->rtt_ms)->start_at = 2 * RC_SECOND;
}

/* late: than a large frame that leaves at once. */
static void
measure_free (const Loop *loop, const LoopConfig *config, double *values)
{
  double p95_ms = loop_frame_ms (loop, 0.95, FROM_S, LENGTH_S);
  double tcp_bps = case_served_bps (loop, config, true, FROM_S, LENGTH_S);
  double sent = 0;

  for (unsigned i = 0; i < config->n_flows; i++)
    sent += loop_packets_sent (loop, (int) i, FROM_S, LENGTH_S);
  values[0] = loop_frame_ms (loop, 0.5, FROM_S, LENGTH_S);
  values[1] = p95_ms;
  values[2] = p95_ms - rc_time_to_s (config->flows[0].rtt) * 500
      - LARGE * FRAME_BITS / (double) config->links[0].rate_bps * 1e3;
  values[3] = loop_queue_ms (loop, 0.95, FROM_S, LENGTH_S);
  values[4] = 100.0 * loop_drops (loop, FROM_S, LENGTH_S) / sent;
  values[5] = config->n_flows > 1 && tcp_bps == 0 ? loop_jain (loop, FROM_S, LENGTH_S) : NAN;
  values[6] = tcp_bps > 0 ? tcp_bps / 1e6 : NAN;
}

const LoopSet loop_set_free = {
  "free", "flows of at most 3 Mbit/s where that is not all, from 10 to 60 s; frames from encoder "
      "to receiver; late: than a large frame that leaves at once, alone on the link",
  CASE_N (cases),
  { { "p50_ms", 1, SET_MEAN }, { "p95_ms", 1, SET_MEAN },
    { "late_ms", 1, SET_MEAN | SET_MOST }, { "queue_ms", 1, SET_MEAN | SET_MOST },
    { "drops_percent", 2, SET_MEAN | SET_MOST }, { "jain", 3, SET_MEAN | SET_LEAST },
    { "tcp_mbps", 2, SET_MEAN } },
  fill_free, measure_free,
};
