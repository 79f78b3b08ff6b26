/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Loss without a queue: the radio's, a policer's, and that of buffers of ten packets. */
#include <math.h>
#include <stdio.h>

#include "caseparts.h"
#include "sets.h"

#define FROM_S 10               /* before that it starts */
#define LENGTH_S 60
#define RTT_MS 50
#define QUEUE (300 * RC_MSEC)
#define BURST_PKTS 5
#define TINY_PKTS 10
#define POLICED_BPS 2000000
#define POLICED_BYTES 15000     /* 60 ms */

typedef struct
{
  const char *name;
  double mbps, loss_ratio, burst_loss_ratio;
  unsigned ours, tcp;           /* flows */
  bool policed, tiny, video;    /* video: its source makes at most 1.5 Mbit/s */
} Lossy;

static const Lossy cases[] = {
  { "5 % at random", 3, .loss_ratio = 0.05, .ours = 1 },
  { "10 % at random", 3, .loss_ratio = 0.1, .ours = 1 },
  { "20 % at random", 3, .loss_ratio = 0.2, .ours = 1 },
  { "30 % at random", 3, .loss_ratio = 0.3, .ours = 1 },
  { "5 % in bursts of 5", 3, .burst_loss_ratio = 0.05, .ours = 1 },
  { "10 % in bursts of 5", 3, .burst_loss_ratio = 0.1, .ours = 1 },
  { "20 % in bursts of 5", 3, .burst_loss_ratio = 0.2, .ours = 1 },
  { "10 % in bursts of 5, source of 1.5 Mbit/s", 3, .burst_loss_ratio = 0.1, .ours = 1,
    .video = true },
  { "policer of 2 Mbit/s", 100, .policed = true, .ours = 1 },
  { "policer of 2 Mbit/s, two flows", 100, .policed = true, .ours = 2 },
  { "policer of 2 Mbit/s, four flows", 100, .policed = true, .ours = 4 },
  { "policer of 2 Mbit/s, 5 % at random", 100, .policed = true, .loss_ratio = 0.05, .ours = 1 },
  { "policer of 2 Mbit/s, beside CUBIC", 100, .policed = true, .ours = 1, .tcp = 1 },
  { "buffer of 10 packets", 3, .tiny = true, .ours = 1 },
  { "buffer of 10 packets, two flows", 3, .tiny = true, .ours = 2 },
  { "buffer of 10 packets, beside CUBIC", 3, .tiny = true, .ours = 1, .tcp = 1 },
  { "buffer of 10 packets, 10 Mbit/s, beside CUBIC", 10, .tiny = true, .ours = 1, .tcp = 1 },
  { "5 % at random, beside CUBIC", 3, .loss_ratio = 0.05, .ours = 1, .tcp = 1 },
};

static void
fill_loss (unsigned index, SetCase *self)
{
  const Lossy *lossy = &cases[index];
  LoopConfig *config = &self->config;
  LinkParams *link = &config->links[0];

  snprintf (self->name, sizeof self->name, "%s", lossy->name);
  case_link (config, (uint64_t) (lossy->mbps * 1e6), lossy->tiny ? 0 : QUEUE, LENGTH_S);
  link->loss_ratio = lossy->loss_ratio;
  link->burst_loss_ratio = lossy->burst_loss_ratio;
  link->burst_loss_pkts = BURST_PKTS;
  link->queue_pkts = lossy->tiny ? TINY_PKTS : 0;
  link->police_bps = lossy->policed ? POLICED_BPS : 0;
  link->police_bytes = POLICED_BYTES;
  for (unsigned i = 0; i < lossy->ours; i++)
    case_media (config, RTT_MS)->source.most_bps = lossy->video ? 1500000 : 0;
  for (unsigned i = 0; i < lossy->tcp; i++)
    case_tcp (config, LOOP_TCP_CUBIC, RTT_MS)->start_at = RC_SECOND;
}

static double
percent_lost (const Loop *loop, const LoopConfig *config, int from_s, int until_s)
{
  unsigned sent = 0;

  for (unsigned i = 0; i < config->n_flows; i++)
    sent += loop_packets_sent (loop, (int) i, from_s, until_s);
  return sent > 0 ? 100.0 * loop_drops (loop, from_s, until_s) / sent : NAN;
}

static void
measure_loss (const Loop *loop, const LoopConfig *config, double *values)
{
  const LinkParams *link = &config->links[0];
  double capacity_bps = (double) (link->police_bps ? link->police_bps : link->rate_bps);
  double ours_bps = case_served_bps (loop, config, false, FROM_S, LENGTH_S);
  double tcp_bps = case_served_bps (loop, config, true, FROM_S, LENGTH_S);
  values[0] = ours_bps / capacity_bps;
  values[1] = tcp_bps > 0 ? tcp_bps / capacity_bps : NAN;
  values[2] = percent_lost (loop, config, FROM_S, LENGTH_S);
  values[3] = loop_queue_ms (loop, 0.95, FROM_S, LENGTH_S);
  values[4] = percent_lost (loop, config, 0, FROM_S);
}

const LoopSet loop_set_loss = {
  "loss", "loss without a queue, from 10 to 60 s; ours, tcp: share of the capacity, or of the "
      "policed rate; drops: of all that was sent, and of that until 10 s",
  CASE_N (cases),
  { { "ours", 3, SET_MEAN | SET_LEAST }, { "tcp", 3, 0 }, { "drops_percent", 1, SET_MEAN },
    { "p95_ms", 1, SET_MEAN | SET_MOST }, { "drops_10s", 1, SET_MEAN } },
  fill_loss, measure_loss,
};

/* --- policers --- */

static const struct
{
  const char *name;
  uint64_t bytes;
} buckets[] = {
  { "15 kB", 15000 }, { "150 kB", 150000 }, { "1 MB", 1000000 }, { "4 MB", 4000000 },
};

static const unsigned policed_mbps[] = { 3, 100 };

static void
fill_policer (unsigned index, SetCase *self)
{
  unsigned mbps = CASE_PICK (policed_mbps, &index);
  LinkParams *link = &self->config.links[0];

  snprintf (self->name, sizeof self->name, "bucket of %-6s, link %3u Mbit/s", buckets[index].name,
      mbps);
  case_link (&self->config, mbps * CASE_MBPS, QUEUE, LENGTH_S);
  link->police_bps = POLICED_BPS;
  link->police_bytes = buckets[index].bytes;
  case_media (&self->config, RTT_MS)->start_at = rc_time_from_s (case_random (&self->config, 0));
}

static void
measure_policer (const Loop *loop, const LoopConfig *config, double *values)
{
  values[0] = loop_served_bps (loop, 0, FROM_S, LENGTH_S) / POLICED_BPS;
  values[1] = percent_lost (loop, config, 0, LENGTH_S);
  values[2] = percent_lost (loop, config, 0, FROM_S);
  values[3] = 0;
  for (int s = 0; s + 2 <= LENGTH_S; s += 2)
    values[3] = fmax (values[3], percent_lost (loop, config, s, s + 2));
  values[4] = loop_queue_ms (loop, 0.95, 0, LENGTH_S);
}

const LoopSet loop_set_policers = {
  "policers", "one flow, RTT 50 ms, queue 300 ms, a policer of 2 Mbit/s by its bucket; ours: of "
      "that, from 10 s on; drops: of what was sent in 60 s, until 10 s, and in the worst 2 s",
  CASE_N (buckets) * CASE_N (policed_mbps),
  { { "ours", 3, SET_MEAN | SET_LEAST }, { "drops_percent", 1, SET_MEAN | SET_MOST },
    { "drops_10s", 1, SET_MEAN | SET_MOST }, { "drops_2s", 1, SET_MEAN | SET_MOST },
    { "p95_ms", 0, SET_MEAN | SET_MOST } },
  fill_policer, measure_policer,
};
