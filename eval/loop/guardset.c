/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <math.h>
#include <stdio.h>

#include "caseparts.h"
#include "sets.h"

#define LENGTH_S 60
#define FROM_S 5                /* the start is a set of its own */
#define RTT_MS 50
#define QUEUE (300 * RC_MSEC)
#define EVENT_S 20
#define EARLY_EACH (8 * RC_SECOND)
#define EARLY_SPAN (500 * RC_USEC)      /* one packet of 20 Mbit/s */

typedef struct
{
  const char *name;
  double mbps, rtt_ms;
  RcTime queue;
  double loss_ratio, burst_loss_ratio, reports_lost_ratio;
  RcTime longer_route;          /* one way, from EVENT_S to 40 s */
  RcTime route_each;            /* the same, but back and forth each such time */
  double deaf_s;                /* no receiver for so long from EVENT_S on */
  double cut_s;                 /* nothing comes through, either way, for so long from EVENT_S on */
  RcTime early;                 /* one packet each EARLY_EACH comes so much before the others */
  double gap_s;                 /* the link serves nothing for so long from EVENT_S on */
  double late_reports_s;        /* reports wait for half a second, for so long */
  double black_s;               /* the camera shows black until then */
} Guard;

static const Guard guards[] = {
  { "5 % random loss", 3, RTT_MS, QUEUE, .loss_ratio = 0.05 },
  { "20 % random loss", 3, RTT_MS, QUEUE, .loss_ratio = 0.2 },
  { "5 % loss in bursts of 5", 3, RTT_MS, QUEUE, .burst_loss_ratio = 0.05 },
  { "a queue of 8 ms", 3, RTT_MS, 8 * RC_MSEC },
  { "a queue of 8 ms, 5 % random loss", 3, RTT_MS, 8 * RC_MSEC, .loss_ratio = 0.05 },
  { "30 % of the reports lost, RTT 150 ms", 3, 150, QUEUE, .reports_lost_ratio = 0.3 },
  { "70 % of the reports lost", 3, RTT_MS, QUEUE, .reports_lost_ratio = 0.7 },
  { "one way 50 ms longer for 20 s", 3, RTT_MS, QUEUE, .longer_route = 50 * RC_MSEC },
  { "one way 200 ms longer for 20 s", 3, RTT_MS, QUEUE, .longer_route = 200 * RC_MSEC },
  { "one way 20 ms longer each other 5 s", 3, RTT_MS, QUEUE, .longer_route = 20 * RC_MSEC,
    .route_each = 5 * RC_SECOND },
  { "one way 90 ms longer each other 5 s", 3, 30, QUEUE, .longer_route = 90 * RC_MSEC,
    .route_each = 5 * RC_SECOND },
  { "one packet 4 ms early each 8 s", 20, RTT_MS, QUEUE, .early = 4 * RC_MSEC },
  { "RTT 5 ms", 3, 5, QUEUE },
  { "RTT 300 ms", 3, 300, QUEUE },
  { "0.15 Mbit/s", 0.15, RTT_MS, RC_SECOND },
  { "800 Mbit/s", 800, RTT_MS, QUEUE },
  { "no receiver for 1 s", 3, RTT_MS, QUEUE, .deaf_s = 1 },
  { "no receiver for 4 s", 3, RTT_MS, QUEUE, .deaf_s = 4 },
  { "no receiver for 15 s", 3, RTT_MS, QUEUE, .deaf_s = 15 },
  { "interface down for 0.5 s", 3, RTT_MS, QUEUE, .cut_s = 0.5 },
  { "interface down for 1 s", 3, RTT_MS, QUEUE, .cut_s = 1 },
  { "interface down for 2 s", 3, RTT_MS, QUEUE, .cut_s = 2 },
  { "interface down for 2 s, RTT 1 ms", 4, 1, QUEUE, .cut_s = 2 },
  { "interface down for 2 s, 20 Mbit/s", 20, RTT_MS, QUEUE, .cut_s = 2 },
  { "interface down for 4 s", 3, RTT_MS, QUEUE, .cut_s = 4 },
  { "interface down for 15 s", 3, RTT_MS, QUEUE, .cut_s = 15 },
  { "link stands still for 1 s", 3, RTT_MS, RC_SECOND, .gap_s = 1 },
  { "link stands still for 4 s", 3, RTT_MS, RC_SECOND, .gap_s = 4 },
  { "reports wait for 0.5 s, for 3 s", 3, RTT_MS, QUEUE, .late_reports_s = 3 },
  { "black picture for 20 s, then a scene", 3, RTT_MS, QUEUE, .black_s = EVENT_S },
  { "black picture for 20 s, link 0.3 Mbit/s", 0.3, RTT_MS, RC_SECOND, .black_s = EVENT_S },
};

static void
add_steps (LoopConfig *config, const Guard *guard)
{
  uint64_t bps = config->links[0].rate_bps;
  RcTime each = guard->route_each ? guard->route_each : 20 * RC_SECOND;
  unsigned n = 0;

  if (guard->gap_s > 0) {
    config->steps[n++] = (LoopStep) { EVENT_S * RC_SECOND, 1, 0 };
    config->steps[n++] = (LoopStep) { rc_time_from_s (EVENT_S + guard->gap_s), bps, 0 };
  }
  for (RcTime at = 0; guard->early && at < LENGTH_S * RC_SECOND; at += EARLY_EACH) {
    config->steps[n++] = (LoopStep) { at ? at : 1, bps, 0 };
    config->steps[n++] = (LoopStep) { at + EARLY_SPAN, bps, guard->early };
  }
  if (guard->longer_route)
    for (RcTime at = EVENT_S * RC_SECOND; at < LENGTH_S * RC_SECOND; at += each, n++)
      config->steps[n] = (LoopStep) { at, bps, n % 2 ? 0 : guard->longer_route };
}

static void
fill_guard (unsigned index, SetCase *self)
{
  const Guard *guard = &guards[index];
  LoopConfig *config = &self->config;
  LoopFlowConfig *flow;

  snprintf (self->name, sizeof self->name, "%s", guard->name);
  case_link (config, (uint64_t) (guard->mbps * 1e6), guard->queue, LENGTH_S);
  config->links[0].loss_ratio = guard->loss_ratio;
  config->links[0].burst_loss_ratio = guard->burst_loss_ratio;
  config->links[0].burst_loss_pkts = 5;
  config->links[0].overtakes = guard->early > 0;
  flow = case_media (config, guard->rtt_ms);
  flow->limits.min_bps = 50000;
  flow->report_loss_ratio = guard->reports_lost_ratio;
  add_steps (config, guard);
  if (guard->deaf_s + guard->cut_s > 0) {
    flow->deaf_from = EVENT_S * RC_SECOND;
    flow->deaf_to = rc_time_from_s (EVENT_S + guard->deaf_s + guard->cut_s);
    flow->deaf_is_cut = guard->cut_s > 0;
  }
  if (guard->late_reports_s > 0) {
    flow->reverse_queue_from = EVENT_S * RC_SECOND;
    flow->reverse_queue_to = rc_time_from_s (EVENT_S + guard->late_reports_s);
    flow->reverse_queue = 500 * RC_MSEC;
  }
  if (guard->black_s > 0) {
    flow->source.mute_to = rc_time_from_s (guard->black_s);
    flow->source.mute_bps = 8000;
  }
}

/* The moment from which the flow could have its whole rate again. */
static double
event_end_s (const LoopConfig *config)
{
  const LoopFlowConfig *flow = &config->flows[0];
  RcTime end = flow->deaf_to;

  if (config->steps[0].rate_bps == 1)
    end = config->steps[1].at;
  else if (config->steps[0].at >= FROM_S * RC_SECOND)
    end = config->steps[0].at;
  if (flow->reverse_queue_to > end)
    end = flow->reverse_queue_from;
  if (flow->source.mute_to > end)
    end = flow->source.mute_to;
  return rc_time_to_s (end);
}

static void
measure_guard (const Loop *loop, const LoopConfig *config, double *values)
{
  double end_s = event_end_s (config);
  double from_s = fmax (end_s, FROM_S);
  double capacity_bps = (double) config->links[0].rate_bps;

  values[0] = loop_served_bps (loop, 0, from_s, LENGTH_S) / capacity_bps;
  values[1] = loop_queue_ms (loop, 0.95, from_s, LENGTH_S);
  values[2] = NAN;
  if (end_s > 0) {
    values[2] = loop_reached_at_s (loop, 0, 0.8 * capacity_bps, end_s) - end_s;
    if (values[2] < 0)
      values[2] = LENGTH_S - end_s;
  }
}

const LoopSet loop_set_guards = {
  "guards", "one flow, from 5 s or from what happens at 20 s on; back_s: until 80 % of capacity "
      "after it",
  CASE_N (guards),
  { { "use", 3, SET_MEAN | SET_LEAST }, { "p95_ms", 1, SET_MEAN | SET_MOST },
    { "back_s", 1, SET_MEAN | SET_MOST } },
  fill_guard, measure_guard,
};
