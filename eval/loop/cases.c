/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "cases.h"

#include <math.h>
#include <string.h>

#define KBPS UINT64_C (1000)
#define MBPS UINT64_C (1000000)

static LoopFlowConfig
flow (double rtt_ms, LoopSourceKind kind, uint64_t most_bps)
{
  return (LoopFlowConfig) {
    .limits = {100 * KBPS, 500 * KBPS, 50 * MBPS},
    .source = {.kind = kind,.most_bps = most_bps},
    .path = 1,
    .rtt = rc_time_from_s (rtt_ms / 1e3),
  };
}

static void
link_of (LoopConfig *config, uint64_t rate_bps, double seconds)
{
  config->links[0].rate_bps = rate_bps;
  config->links[0].queue_time = 300 * RC_MSEC;
  config->length = rc_time_from_s (seconds);
}

static void
one (LoopConfig *config, uint64_t rate_bps, double rtt_ms, double seconds)
{
  link_of (config, rate_bps, seconds);
  config->flows[0] = flow (rtt_ms, LOOP_VIDEO, 0);
  config->n_flows = 1;
}

/* RFC 8867 4.3: video of 150 kbit/s and up and audio of 20; we count them as one source of at
 * most 1.52 Mbit/s. */
static LoopFlowConfig
rfc8867_flow (double rtt_ms)
{
  LoopFlowConfig config = flow (rtt_ms, LOOP_VIDEO, 1520 * KBPS);

  config.source.least_bps = 150 * KBPS;
  config.limits = (RcLimits) { 150 * KBPS, 150 * KBPS, 50 * MBPS };
  return config;
}

static void
steps_3_1_3 (LoopConfig *config)
{
  one (config, 3 * MBPS, 50, 65);
  config->steps[0] = (LoopStep) { 20 * RC_SECOND, 1 * MBPS };
  config->steps[1] = (LoopStep) { 40 * RC_SECOND, 3 * MBPS };
}

static void
steps_40_10_40 (LoopConfig *config)
{
  one (config, 40 * MBPS, 50, 65);
  config->steps[0] = (LoopStep) { 20 * RC_SECOND, 10 * MBPS };
  config->steps[1] = (LoopStep) { 40 * RC_SECOND, 40 * MBPS };
}

static void
greedy_3_1_3 (LoopConfig *config)
{
  steps_3_1_3 (config);
  config->flows[0].source.kind = LOOP_GREEDY;
}

static void
rfc8867_5_1 (LoopConfig *config)
{
  one (config, 1 * MBPS, 100, 100);
  config->flows[0] = rfc8867_flow (100);
  config->steps[0] = (LoopStep) { 40 * RC_SECOND, 2500 * KBPS };
  config->steps[1] = (LoopStep) { 60 * RC_SECOND, 600 * KBPS };
  config->steps[2] = (LoopStep) { 80 * RC_SECOND, 1 * MBPS };
}

static void
rfc8867_5_1_200ms (LoopConfig *config)
{
  rfc8867_5_1 (config);
  config->flows[0].rtt = 200 * RC_MSEC;
}

/* The audio as a flow of its own that nobody controls, beside 1.5 Mbit/s of video. */
static void
rfc8867_5_1_audio (LoopConfig *config)
{
  rfc8867_5_1 (config);
  config->flows[0].source.most_bps = 1500 * KBPS;
  config->flows[1] = flow (100, LOOP_VIDEO, 20 * KBPS);
  config->flows[1].source.least_bps = 20 * KBPS;
  config->flows[1].law = "fixed";
  config->flows[1].limits = (RcLimits) { 100 * KBPS, 100 * KBPS, 100 * KBPS };
  config->n_flows = 2;
}

/* RFC 8867 6.2. Marks what waited longer than RFC 9332 lets classic traffic wait. */
static void
rfc8867_5_1_ecn (LoopConfig *config)
{
  rfc8867_5_1 (config);
  config->flows[0].ecn = true;
  config->links[0].aqm.mark_delay = 15 * RC_MSEC;
}

static void
rfc8867_5_2 (LoopConfig *config)
{
  link_of (config, 4 * MBPS, 125);
  config->flows[0] = config->flows[1] = rfc8867_flow (100);
  config->n_flows = 2;
  config->steps[0] = (LoopStep) { 25 * RC_SECOND, 2 * MBPS };
  config->steps[1] = (LoopStep) { 50 * RC_SECOND, 3500 * KBPS };
  config->steps[2] = (LoopStep) { 75 * RC_SECOND, 1 * MBPS };
  config->steps[3] = (LoopStep) { 100 * RC_SECOND, 2 * MBPS };
}

/* Flow 0 there over link 0, flow 1 back over link 1; the reports of each share the other's link. */
static void
rfc8867_5_3 (LoopConfig *config)
{
  link_of (config, 2 * MBPS, 100);
  config->links[1] = config->links[0];
  config->flows[0] = config->flows[1] = rfc8867_flow (100);
  config->flows[0].back = config->flows[1].path = 2;
  config->flows[1].back = 1;
  config->n_flows = 2;
  config->steps[0] = (LoopStep) { 20 * RC_SECOND, 1 * MBPS };
  config->steps[1] = (LoopStep) { 35 * RC_SECOND, 800 * KBPS,.link = 1 };
  config->steps[2] = (LoopStep) { 40 * RC_SECOND, 500 * KBPS };
  config->steps[3] = (LoopStep) { 60 * RC_SECOND, 2 * MBPS };
  config->steps[4] = (LoopStep) { 70 * RC_SECOND, 2 * MBPS,.link = 1 };
}

static void
rfc8867_5_3_clean (LoopConfig *config)
{
  rfc8867_5_3 (config);
  config->flows[0].back = 0;
}

static void
rfc8867_5_4 (LoopConfig *config)
{
  link_of (config, 3500 * KBPS, 120);
  for (unsigned i = 0; i < 3; i++) {
    config->flows[i] = flow (100, LOOP_VIDEO, 1520 * KBPS);
    config->flows[i].start_at = i * 20 * RC_SECOND;
  }
  config->n_flows = 3;
}

static void
rfc8867_5_5 (LoopConfig *config)
{
  static const double rtt_ms[] = { 20, 50, 100, 200, 300 };

  link_of (config, 4 * MBPS, 300);
  for (unsigned i = 0; i < 5; i++) {
    config->flows[i] = flow (rtt_ms[i], LOOP_VIDEO, 1520 * KBPS);
    config->flows[i].start_at = i * 10 * RC_SECOND;
  }
  config->n_flows = 5;
}

/* The steps change nothing: they part the report's spans. */
static void
rfc8867_5_8 (LoopConfig *config)
{
  link_of (config, 3500 * KBPS, 120);
  for (unsigned i = 0; i < 3; i++)
    config->flows[i] = rfc8867_flow (100);
  config->n_flows = 3;
  config->flows[1].source.mute_from = 40 * RC_SECOND;
  config->flows[1].source.mute_to = 60 * RC_SECOND;
  config->steps[0] = (LoopStep) { 40 * RC_SECOND, 3500 * KBPS };
  config->steps[1] = (LoopStep) { 60 * RC_SECOND, 3500 * KBPS };
}

static void
rfc8867_6_3 (LoopConfig *config)
{
  static const double rtt_ms[] = { 200, 80, 80 };
  static const unsigned path[] = { 1 | 2 | 4, 1, 4 };

  link_of (config, 2 * MBPS, 300);
  config->links[1] = config->links[2] = config->links[0];
  config->links[1].rate_bps = 8 * MBPS;
  config->links[2].rate_bps = 1500 * KBPS;
  for (unsigned i = 0; i < 3; i++) {
    config->flows[i] = rfc8867_flow (rtt_ms[i]);
    config->flows[i].path = path[i];
  }
  config->n_flows = 3;
}

static void
two_flows (LoopConfig *config)
{
  link_of (config, 2 * MBPS, 120);
  for (unsigned i = 0; i < 2; i++)
    config->flows[i] = flow (50, LOOP_VIDEO, 0);
  config->flows[1].start_at = 20 * RC_SECOND;
  config->n_flows = 2;
}

static void
loss_2 (LoopConfig *config)
{
  one (config, 2 * MBPS, 100, 60);
  config->links[0].loss_ratio = 0.02;
}

static void
loss_1 (LoopConfig *config)
{
  loss_2 (config);
  config->links[0].loss_ratio = 0.01;
}

static void
loss_5 (LoopConfig *config)
{
  loss_2 (config);
  config->links[0].loss_ratio = 0.05;
}

static void
loss_10 (LoopConfig *config)
{
  loss_2 (config);
  config->links[0].loss_ratio = 0.10;
}

static void
loss_bursts (LoopConfig *config)
{
  one (config, 2 * MBPS, 100, 60);
  config->links[0].burst_loss_ratio = 0.02;
  config->links[0].burst_loss_pkts = 5;
}

static void
route_change (LoopConfig *config)
{
  one (config, 2 * MBPS, 50, 60);
  config->steps[0] = (LoopStep) { 20 * RC_SECOND, 2 * MBPS, 100 * RC_MSEC };
  config->steps[1] = (LoopStep) { 40 * RC_SECOND, 2 * MBPS, 0 };
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
 * of 2 Mbit/s, sd 0.5, correlated over 2 s, 0.4 to 8 Mbit/s, new each 100 ms; before a queue
 * of 1 s. The seed makes the trace. */
static void
cellular (LoopConfig *config)
{
  const double keep = exp (-0.1 / 2), sd = 0.5;
  uint64_t state = config->seed * 2862933555777941757ULL;
  double x = 0;

  one (config, 2 * MBPS, 100, 100);
  config->links[0].queue_time = RC_SECOND;
  for (unsigned i = 0; i < 999; i++) {
    x = keep * x + sd * sqrt (1 - keep * keep) * normal (&state);
    config->steps[i] = (LoopStep) { (i + 1) * 100 * RC_MSEC,
        (uint64_t) rc_clampd (2e6 * exp (x), 0.4e6, 8e6) };
  }
}

static void
jitter_5 (LoopConfig *config)
{
  one (config, 2 * MBPS, 100, 60);
  config->links[0].jitter_sd = 5 * RC_MSEC;
}

static void
jitter_10 (LoopConfig *config)
{
  jitter_5 (config);
  config->links[0].jitter_sd = 10 * RC_MSEC;
}

static void
reports_lost_30 (LoopConfig *config)
{
  steps_3_1_3 (config);
  config->flows[0].report_loss_ratio = 0.3;
}

static void
black_picture (LoopConfig *config)
{
  one (config, 3 * MBPS, 50, 60);
  config->flows[0].source.mute_from = 10 * RC_SECOND;
  config->flows[0].source.mute_to = 40 * RC_SECOND;
  config->flows[0].source.mute_bps = 8 * KBPS;
}

static void
black_from_start (LoopConfig *config)
{
  black_picture (config);
  config->flows[0].source.mute_from = 0;
}

static void
receiver_dies (LoopConfig *config)
{
  one (config, 3 * MBPS, 50, 60);
  config->flows[0].deaf_from = 10 * RC_SECOND;
  config->flows[0].deaf_to = 30 * RC_SECOND;
}

static void
outage_3s (LoopConfig *config)
{
  receiver_dies (config);
  config->flows[0].deaf_to = 13 * RC_SECOND;
}

static void
reverse_load (LoopConfig *config)
{
  one (config, 2 * MBPS, 100, 60);
  config->flows[0].reverse_queue_from = 20 * RC_SECOND;
  config->flows[0].reverse_queue_to = 60 * RC_SECOND;
  config->flows[0].reverse_queue = 150 * RC_MSEC;
}

static void
skew_up (LoopConfig *config)
{
  one (config, 2 * MBPS, 100, 60);
  config->flows[0].skew_ratio = 200e-6;
}

static void
skew_down (LoopConfig *config)
{
  skew_up (config);
  config->flows[0].skew_ratio = -200e-6;
}

static void
link_20m (LoopConfig *config)
{
  one (config, 20 * MBPS, 50, 40);
}

static void
link_300k (LoopConfig *config)
{
  one (config, 300 * KBPS, 50, 60);
  config->flows[0].limits.min_bps = 50 * KBPS;
  config->flows[0].limits.start_bps = 150 * KBPS;
}

static void
start_too_high (LoopConfig *config)
{
  one (config, 1 * MBPS, 50, 40);
  config->flows[0].limits.start_bps = 5 * MBPS;
}

static void
paper_1m (LoopConfig *config)
{
  one (config, 1 * MBPS, 100, 300);
  config->flows[0].source.kind = LOOP_GREEDY;
  config->flows[0].profile = RC_PROFILE_PAPER;
  config->flows[0].limits = (RcLimits) { 10 * KBPS, 100 * KBPS, 50 * MBPS };
}

static void
tfrc (LoopConfig *config)
{
  one (config, 1 * MBPS, 100, 120);
  config->links[0].queue_time = 250 * RC_MSEC;
  config->flows[0].source.kind = LOOP_GREEDY;
  config->flows[0].law = "tfrc";
}

static void
tfrc_loss_5 (LoopConfig *config)
{
  tfrc (config);
  config->links[0].rate_bps = 10 * MBPS;
  config->links[0].loss_ratio = 0.05;
}

/* A receiver that is not ours, with reports as often as stock ones send them at best and by
 * default. Longer phases: the law is slow. */
static void
plain (LoopConfig *config, RcTime interval)
{
  one (config, 3 * MBPS, 50, 300);
  config->steps[0] = (LoopStep) { 100 * RC_SECOND, 1 * MBPS };
  config->steps[1] = (LoopStep) { 200 * RC_SECOND, 3 * MBPS };
  config->flows[0].law = "slow";
  config->flows[0].plain_interval = interval;
}

static void
plain_1s (LoopConfig *config)
{
  plain (config, RC_SECOND);
}

static void
plain_5s (LoopConfig *config)
{
  plain (config, 5 * RC_SECOND);
}

const LoopCase loop_cases[] = {
  {"3-1-3", "3 -> 1 -> 3 Mbit/s at 20 and 40 s, RTT 50 ms, video", steps_3_1_3},
  {"3-1-3-greedy", "the same, a source without end", greedy_3_1_3},
  {"40-10-40", "40 -> 10 -> 40 Mbit/s at 20 and 40 s, RTT 50 ms, video", steps_40_10_40},
  {"5.1", "RFC 8867 5.1, one way 50 ms", rfc8867_5_1},
  {"5.1-100", "RFC 8867 5.1, one way 100 ms", rfc8867_5_1_200ms},
  {"5.1-audio", "RFC 8867 5.1, the audio a flow of its own", rfc8867_5_1_audio},
  {"5.1-ecn", "RFC 8867 6.2: 5.1 with ECN, marks above 15 ms", rfc8867_5_1_ecn},
  {"5.2", "RFC 8867 5.2: two flows, 4 -> 2 -> 3.5 -> 1 -> 2 Mbit/s", rfc8867_5_2},
  {"5.3", "RFC 8867 5.3: reports beside media on 2 -> 0.8 -> 2 Mbit/s back", rfc8867_5_3},
  {"5.3-clean", "the same, reports on a way of their own", rfc8867_5_3_clean},
  {"5.4", "RFC 8867 5.4: three flows, 3.5 Mbit/s", rfc8867_5_4},
  {"5.5", "RFC 8867 5.5: five flows, RTT 20..300 ms, 4 Mbit/s", rfc8867_5_5},
  {"5.8", "RFC 8867 5.8: three flows, 3.5 Mbit/s, the second pauses from 40 to 60 s", rfc8867_5_8},
  {"6.3", "RFC 8867 6.3: links of 2, 8, 1.5 Mbit/s; flow 1 over all, 2 over the first, 3 "
      "over the last", rfc8867_6_3},
  {"two", "two flows, 2 Mbit/s, the second 20 s later", two_flows},
  {"loss-1", "2 Mbit/s, 1 % random loss", loss_1},
  {"loss-2", "2 Mbit/s, 2 % random loss", loss_2},
  {"loss-5", "2 Mbit/s, 5 % random loss", loss_5},
  {"loss-10", "2 Mbit/s, 10 % random loss", loss_10},
  {"loss-bursts", "2 Mbit/s, 2 % loss in bursts of 5 on average", loss_bursts},
  {"route", "2 Mbit/s, one way 100 ms longer from 20 to 40 s", route_change},
  {"cellular", "capacity of a cell: 2 Mbit/s, sd of its logarithm 0.5", cellular},
  {"jitter-5", "2 Mbit/s, jitter sd 5 ms", jitter_5},
  {"jitter-10", "2 Mbit/s, jitter sd 10 ms", jitter_10},
  {"reports-lost-30", "3 -> 1 -> 3 Mbit/s, 30 % of the reports lost", reports_lost_30},
  {"black", "picture black from 10 to 40 s", black_picture},
  {"black-start", "picture black from the start to 40 s", black_from_start},
  {"dies", "receiver dead from 10 to 30 s", receiver_dies},
  {"outage-3s", "receiver dead from 10 to 13 s", outage_3s},
  {"reverse-load", "reports up to 150 ms late from 20 s on", reverse_load},
  {"skew-up", "receiver's clock 200 ppm fast", skew_up},
  {"skew-down", "receiver's clock 200 ppm slow", skew_down},
  {"20m", "20 Mbit/s, RTT 50 ms", link_20m},
  {"300k", "300 kbit/s, RTT 50 ms", link_300k},
  {"start-high", "start bitrate 5 Mbit/s on 1 Mbit/s", start_too_high},
  {"paper-1m", "paper profile, greedy, 1 Mbit/s, RTT 100 ms", paper_1m},
  {"tfrc", "TFRC, greedy, 1 Mbit/s, RTT 100 ms, queue 250 ms", tfrc},
  {"tfrc-loss-5", "TFRC, greedy, 10 Mbit/s, RTT 100 ms, 5 % random loss", tfrc_loss_5},
  {"plain-1s", "3 -> 1 -> 3 Mbit/s at 100 and 200 s, receiver reports each second", plain_1s},
  {"plain-5s", "the same, receiver reports each 5 s", plain_5s},
  {NULL}
};

bool
loop_case_config (const char *name, uint64_t seed, LoopConfig *config)
{
  for (const LoopCase *c = loop_cases; c->name; c++)
    if (strcmp (c->name, name) == 0) {
      memset (config, 0, sizeof *config);
      config->seed = seed;
      c->fill (config);
      return true;
    }
  return false;
}
