/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "cases.h"

#include <math.h>
#include <string.h>

#define KBPS UINT64_C (1000)
#define MBPS UINT64_C (1000000)
#define S RC_SECOND
#define MS RC_MSEC

/* RFC 8867 4.3: video of 150 kbit/s and up and audio of 20; we count them as one source of at
 * most 1.52 Mbit/s. */
#define RFC8867_FLOW \
  .limits = { 150 * KBPS, 150 * KBPS, 50 * MBPS }, \
  .source = { .least_bps = 150 * KBPS, .most_bps = 1520 * KBPS }
#define VIDEO_1520 .source.most_bps = 1520 * KBPS

#define STEPS_3_1_3 3 * MBPS, 50, 65, { { 20 * S, 1 * MBPS }, { 40 * S, 3 * MBPS } }
#define STEPS_5_1(rtt_ms) 1 * MBPS, rtt_ms, 100, \
  { { 40 * S, 2500 * KBPS }, { 60 * S, 600 * KBPS }, { 80 * S, 1 * MBPS } }
/* Longer phases: the law is slow. */
#define STEPS_PLAIN 3 * MBPS, 50, 300, { { 100 * S, 1 * MBPS }, { 200 * S, 3 * MBPS } }
#define STEPS_5_3 2 * MBPS, 100, 100, \
  { { 20 * S, 1 * MBPS }, { 35 * S, 800 * KBPS, .link = 1 }, { 40 * S, 500 * KBPS }, \
    { 60 * S, 2 * MBPS }, { 70 * S, 2 * MBPS, .link = 1 } }

/* The audio as a flow of its own that nobody controls, beside 1.5 Mbit/s of video. */
static void
add_audio (LoopConfig *config)
{
  config->flows[0].source.most_bps = 1500 * KBPS;
  config->flows[1] = (LoopFlowConfig) {
    .law = "fixed",
    .limits = { 100 * KBPS, 100 * KBPS, 100 * KBPS },
    .source = { .kind = LOOP_VIDEO, .least_bps = 20 * KBPS, .most_bps = 20 * KBPS },
    .path = 1,
    .rtt = 100 * MS,
  };
  config->n_flows = 2;
}

/* Flow 0 there over link 0, flow 1 back over link 1. */
static void
there_and_back (LoopConfig *config)
{
  config->links[1] = config->links[0];
  config->flows[1].path = 2;
  config->flows[1].back = 1;
}

/* The same, and the reports of each share the other's link. */
static void
share_both_ways (LoopConfig *config)
{
  there_and_back (config);
  config->flows[0].back = 2;
}

static void
spread_rtts (LoopConfig *config)
{
  static const RcTime rtts[] = { 20 * MS, 50 * MS, 100 * MS, 200 * MS, 300 * MS };

  for (unsigned i = 0; i < config->n_flows; i++)
    config->flows[i].rtt = rtts[i];
}

static void
pause_second (LoopConfig *config)
{
  config->flows[1].source.mute_from = 40 * S;
  config->flows[1].source.mute_to = 60 * S;
}

static void
three_links (LoopConfig *config)
{
  config->links[1] = config->links[2] = config->links[0];
  config->links[1].rate_bps = 8 * MBPS;
  config->links[2].rate_bps = 1500 * KBPS;
  config->flows[0].rtt = 200 * MS;
  config->flows[0].path = 1 | 2 | 4;
  config->flows[2].path = 4;
}

/* Approximately normal, variance 1. */
static double
normal (uint64_t *state)
{
  double sum = -6;

  for (unsigned i = 0; i < 12; i++) {
    *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
    sum += (double) (*state >> 11) * 0x1p-53;
  }
  return sum;
}

/* A cell's scheduler and fading, synthetic: the logarithm of the capacity wanders about that
 * of 2 Mbit/s, sd 0.5, correlated over 2 s, 0.4 to 8 Mbit/s, new each 100 ms. The seed makes the
 * trace. */
static void
wander (LoopConfig *config)
{
  const double keep = exp (-0.1 / 2), sd = 0.5;
  uint64_t state = config->seed * 2862933555777941757ULL;
  double x = 0;

  for (unsigned i = 0; i < 999; i++) {
    x = keep * x + sd * sqrt (1 - keep * keep) * normal (&state);
    config->steps[i] = (LoopStep) { (i + 1) * 100 * MS,
        (uint64_t) rc_clampd (2e6 * exp (x), 0.4e6, 8e6) };
  }
}

const LoopCase loop_cases[] = {
  { "3-1-3", "3 -> 1 -> 3 Mbit/s at 20 and 40 s, RTT 50 ms, video", STEPS_3_1_3 },
  { "3-1-3-greedy", "the same, a source without end", STEPS_3_1_3, .greedy = true },
  { "40-10-40", "40 -> 10 -> 40 Mbit/s at 20 and 40 s, RTT 50 ms, video", 40 * MBPS, 50, 65,
    { { 20 * S, 10 * MBPS }, { 40 * S, 40 * MBPS } } },
  { "5.1", "RFC 8867 5.1, one way 50 ms", STEPS_5_1 (100), .flow = { RFC8867_FLOW } },
  { "5.1-100", "RFC 8867 5.1, one way 100 ms", STEPS_5_1 (200), .flow = { RFC8867_FLOW } },
  { "5.1-audio", "RFC 8867 5.1, the audio a flow of its own", STEPS_5_1 (100),
    .flow = { RFC8867_FLOW }, .more = add_audio },
  /* RFC 8867 6.2. Marks what waited longer than RFC 9332 lets classic traffic wait. */
  { "5.1-ecn", "RFC 8867 6.2: 5.1 with ECN, marks above 15 ms", STEPS_5_1 (100),
    .link.aqm.mark_delay = 15 * MS, .flow = { RFC8867_FLOW, .ecn = true } },
  { "5.2", "RFC 8867 5.2: two flows, 4 -> 2 -> 3.5 -> 1 -> 2 Mbit/s", 4 * MBPS, 100, 125,
    { { 25 * S, 2 * MBPS }, { 50 * S, 3500 * KBPS }, { 75 * S, 1 * MBPS }, { 100 * S, 2 * MBPS } },
    .flow = { RFC8867_FLOW }, .n_flows = 2 },
  { "5.3", "RFC 8867 5.3: reports beside media on 2 -> 0.8 -> 2 Mbit/s back", STEPS_5_3,
    .flow = { RFC8867_FLOW }, .n_flows = 2, .more = share_both_ways },
  { "5.3-clean", "the same, reports on a way of their own", STEPS_5_3,
    .flow = { RFC8867_FLOW }, .n_flows = 2, .more = there_and_back },
  { "5.4", "RFC 8867 5.4: three flows, 3.5 Mbit/s", 3500 * KBPS, 100, 120,
    .flow = { VIDEO_1520 }, .n_flows = 3, .start_each = 20 * S },
  { "5.5", "RFC 8867 5.5: five flows, RTT 20..300 ms, 4 Mbit/s", 4 * MBPS, 20, 300,
    .flow = { VIDEO_1520 }, .n_flows = 5, .start_each = 10 * S, .more = spread_rtts },
  /* The steps change nothing: they part the report's spans. */
  { "5.8", "RFC 8867 5.8: three flows, 3.5 Mbit/s, the second pauses from 40 to 60 s",
    3500 * KBPS, 100, 120, { { 40 * S, 3500 * KBPS }, { 60 * S, 3500 * KBPS } },
    .flow = { RFC8867_FLOW }, .n_flows = 3, .more = pause_second },
  { "6.3", "RFC 8867 6.3: links of 2, 8, 1.5 Mbit/s; flow 1 over all, 2 over the first, 3 "
      "over the last", 2 * MBPS, 80, 300,
    .flow = { RFC8867_FLOW }, .n_flows = 3, .more = three_links },
  { "two", "two flows, 2 Mbit/s, the second 20 s later", 2 * MBPS, 50, 120,
    .n_flows = 2, .start_each = 20 * S },
  { "loss-1", "2 Mbit/s, 1 % random loss", 2 * MBPS, 100, 60, .link.loss_ratio = 0.01 },
  { "loss-2", "2 Mbit/s, 2 % random loss", 2 * MBPS, 100, 60, .link.loss_ratio = 0.02 },
  { "loss-5", "2 Mbit/s, 5 % random loss", 2 * MBPS, 100, 60, .link.loss_ratio = 0.05 },
  { "loss-10", "2 Mbit/s, 10 % random loss", 2 * MBPS, 100, 60, .link.loss_ratio = 0.10 },
  { "loss-bursts", "2 Mbit/s, 2 % loss in bursts of 5 on average", 2 * MBPS, 100, 60,
    .link = { .burst_loss_ratio = 0.02, .burst_loss_pkts = 5 } },
  { "route", "2 Mbit/s, one way 100 ms longer from 20 to 40 s", 2 * MBPS, 50, 60,
    { { 20 * S, 2 * MBPS, 100 * MS }, { 40 * S, 2 * MBPS, 0 } } },
  { "cellular", "capacity of a cell: 2 Mbit/s, sd of its logarithm 0.5", 2 * MBPS, 100, 100,
    .link.queue_time = 1 * S, .more = wander },
  { "jitter-5", "2 Mbit/s, jitter sd 5 ms", 2 * MBPS, 100, 60, .link.jitter_sd = 5 * MS },
  { "jitter-10", "2 Mbit/s, jitter sd 10 ms", 2 * MBPS, 100, 60, .link.jitter_sd = 10 * MS },
  { "reports-lost-30", "3 -> 1 -> 3 Mbit/s, 30 % of the reports lost", STEPS_3_1_3,
    .flow.report_loss_ratio = 0.3 },
  { "black", "picture black from 10 to 40 s", 3 * MBPS, 50, 60,
    .flow.source = { .mute_from = 10 * S, .mute_to = 40 * S, .mute_bps = 8 * KBPS } },
  { "black-start", "picture black from the start to 40 s", 3 * MBPS, 50, 60,
    .flow.source = { .mute_to = 40 * S, .mute_bps = 8 * KBPS } },
  { "dies", "receiver dead from 10 to 30 s", 3 * MBPS, 50, 60,
    .flow = { .deaf_from = 10 * S, .deaf_to = 30 * S } },
  { "outage-3s", "receiver dead from 10 to 13 s", 3 * MBPS, 50, 60,
    .flow = { .deaf_from = 10 * S, .deaf_to = 13 * S } },
  { "reverse-load", "reports up to 150 ms late from 20 s on", 2 * MBPS, 100, 60,
    .flow = { .reverse_queue_from = 20 * S, .reverse_queue_to = 60 * S,
      .reverse_queue = 150 * MS } },
  { "skew-up", "receiver's clock 200 ppm fast", 2 * MBPS, 100, 60, .flow.skew_ratio = 200e-6 },
  { "skew-down", "receiver's clock 200 ppm slow", 2 * MBPS, 100, 60, .flow.skew_ratio = -200e-6 },
  { "20m", "20 Mbit/s, RTT 50 ms", 20 * MBPS, 50, 40 },
  { "300k", "300 kbit/s, RTT 50 ms", 300 * KBPS, 50, 60,
    .flow.limits = { 50 * KBPS, 150 * KBPS, 50 * MBPS } },
  { "start-high", "start bitrate 5 Mbit/s on 1 Mbit/s", 1 * MBPS, 50, 40,
    .flow.limits = { 100 * KBPS, 5 * MBPS, 50 * MBPS } },
  { "paper-1m", "paper profile, greedy, 1 Mbit/s, RTT 100 ms", 1 * MBPS, 100, 300, .greedy = true,
    .flow = { .profile = RC_PROFILE_PAPER, .limits = { 10 * KBPS, 100 * KBPS, 50 * MBPS } } },
  /* A receiver that is not ours, with reports as often as stock ones send them at best and by
   * default. */
  { "plain-1s", "3 -> 1 -> 3 Mbit/s at 100 and 200 s, receiver reports each second", STEPS_PLAIN,
    .flow = { .law = "slow", .plain_interval = 1 * S } },
  { "plain-5s", "the same, receiver reports each 5 s", STEPS_PLAIN,
    .flow = { .law = "slow", .plain_interval = 5 * S } },
  { NULL }
};

static LoopFlowConfig
flow_of (const LoopCase *self)
{
  LoopFlowConfig flow = self->flow;

  if (flow.limits.max_bps == 0)
    flow.limits = (RcLimits) { 100 * KBPS, 500 * KBPS, 50 * MBPS };
  flow.source.kind = self->greedy ? LOOP_GREEDY : LOOP_VIDEO;
  flow.path = 1;
  flow.rtt = rc_time_from_s (self->rtt_ms / 1e3);
  return flow;
}

static void
fill (const LoopCase *self, LoopConfig *config)
{
  config->links[0] = self->link;
  config->links[0].rate_bps = self->rate_bps;
  if (self->link.queue_time == 0)
    config->links[0].queue_time = 300 * MS;
  config->length = rc_time_from_s (self->seconds);
  memcpy (config->steps, self->steps, sizeof self->steps);
  config->n_flows = self->n_flows ? self->n_flows : 1;
  for (unsigned i = 0; i < config->n_flows; i++) {
    config->flows[i] = flow_of (self);
    config->flows[i].start_at = i * self->start_each;
  }
  if (self->more)
    self->more (config);
}

bool
loop_case_config (const char *name, uint64_t seed, LoopConfig *config)
{
  for (const LoopCase *c = loop_cases; c->name; c++)
    if (strcmp (c->name, name) == 0) {
      memset (config, 0, sizeof *config);
      config->seed = seed;
      fill (c, config);
      return true;
    }
  return false;
}
