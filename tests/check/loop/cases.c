/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "cases.h"

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

static void
steps_3_1_3 (LoopConfig *config)
{
  one (config, 3 * MBPS, 50, 65);
  config->steps[0] = (LoopStep) { 20 * RC_SECOND, 1 * MBPS };
  config->steps[1] = (LoopStep) { 40 * RC_SECOND, 3 * MBPS };
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
  config->flows[0].source.least_bps = 150 * KBPS;
  config->flows[0].source.most_bps = 1520 * KBPS;
  config->flows[0].limits = (RcLimits) { 150 * KBPS, 150 * KBPS, 50 * MBPS };
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
loss_10 (LoopConfig *config)
{
  loss_2 (config);
  config->links[0].loss_ratio = 0.10;
}

static void
jitter_5 (LoopConfig *config)
{
  one (config, 2 * MBPS, 100, 60);
  config->links[0].jitter_sd = 5 * RC_MSEC;
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

const LoopCase loop_cases[] = {
  {"3-1-3", "3 -> 1 -> 3 Mbit/s at 20 and 40 s, RTT 50 ms, video", steps_3_1_3},
  {"3-1-3-greedy", "the same, a source without end", greedy_3_1_3},
  {"5.1", "RFC 8867 5.1, one way 50 ms", rfc8867_5_1},
  {"5.1-100", "RFC 8867 5.1, one way 100 ms", rfc8867_5_1_200ms},
  {"5.4", "RFC 8867 5.4: three flows, 3.5 Mbit/s", rfc8867_5_4},
  {"5.5", "RFC 8867 5.5: five flows, RTT 20..300 ms, 4 Mbit/s", rfc8867_5_5},
  {"two", "two flows, 2 Mbit/s, the second 20 s later", two_flows},
  {"loss-2", "2 Mbit/s, 2 % random loss", loss_2},
  {"loss-10", "2 Mbit/s, 10 % random loss", loss_10},
  {"jitter-5", "2 Mbit/s, jitter sd 5 ms", jitter_5},
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
  {NULL}
};

bool
loop_case_config (const char *name, LoopConfig *config)
{
  for (const LoopCase *c = loop_cases; c->name; c++)
    if (strcmp (c->name, name) == 0) {
      memset (config, 0, sizeof *config);
      config->seed = 1;
      c->fill (config);
      return true;
    }
  return false;
}
