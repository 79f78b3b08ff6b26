/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* One flow of ours over two paths. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "caseparts.h"
#include "drives.h"
#include "opportunitylist.h"
#include "sets.h"

#define FROM_S 5
#define LENGTH_S 60
#define EVENT_S 20
#define QUEUE (300 * RC_MSEC)
#define BELOW_BPS 1e6           /* a picture that is worth the name */

/* Appends the flow: over links 0 and 1, or all over one. */
static LoopFlowConfig *
add_lanes (LoopConfig *config, unsigned n, const double rtt_ms[2], const unsigned path[2])
{
  LoopFlowConfig *flow = case_media (config, rtt_ms[0]);

  flow->kind = LOOP_LANES;
  flow->mode = RC_LANES_SUM;
  flow->path = path[0];
  if (n > 1) {
    LoopFlowConfig *second = case_media (config, rtt_ms[1]);

    second->kind = LOOP_LANE;
    second->path = path[1];
  }
  return flow;
}

/* --- single cases --- */

typedef struct
{
  const char *name;
  double mbps[2], rtt_ms[2];
  unsigned n_lanes, path[2];
  RcLanesMode mode;
  double cut_s;                 /* the second path is dead for so long from EVENT_S on */
  double loss_ratio[2];
  unsigned others;              /* flows of ours beside it, on the first link */
  double max_mbps;              /* of the encoder; 0: no limit */
  double later_mbps;            /* of the second link from EVENT_S on; 0: as before */
} LanesCase;

#define TWO 2, { 1, 2 }
static const LanesCase cases[] = {
  { "2 + 1 Mbit/s, RTT 50 ms", { 2, 1 }, { 50, 50 }, TWO },
  { "one path of 3 Mbit/s, RTT 50 ms", { 3, 0 }, { 50, 0 }, 1, { 1 } },
  { "2 + 2 Mbit/s, RTT 20 and 80 ms", { 2, 2 }, { 20, 80 }, TWO },
  { "one path of 2 Mbit/s, RTT 80 ms", { 2, 0 }, { 80, 0 }, 1, { 1 } },
  { "2 + 2 Mbit/s, RTT 40 and 400 ms", { 2, 2 }, { 40, 400 }, TWO },
  { "8 + 1 Mbit/s, RTT 50 and 60 ms", { 8, 1 }, { 50, 60 }, TWO },
  { "8 Mbit/s + 100 kbit/s, 8 + 8 from 20 s on", { 8, 0.1 }, { 50, 50 }, TWO, .later_mbps = 8 },
  { "2 + 2 Mbit/s, encoder of 1", { 2, 2 }, { 50, 50 }, TWO, .max_mbps = 1 },
  { "2 + 2 Mbit/s, one dead for 1 s", { 2, 2 }, { 50, 50 }, TWO, .cut_s = 1 },
  { "2 + 2 Mbit/s, one dead for 15 s", { 2, 2 }, { 50, 50 }, TWO, .cut_s = 15 },
  { "2 + 2 Mbit/s, duplicate, one dead for 15 s", { 2, 2 }, { 50, 50 }, TWO, RC_LANES_DUPLICATE,
    .cut_s = 15 },
  { "2 + 2 Mbit/s, backup", { 2, 2 }, { 50, 50 }, TWO, RC_LANES_BACKUP },
  { "both over 3 Mbit/s", { 3, 0 }, { 50, 50 }, 2, { 1, 1 } },
  { "both over 3 Mbit/s, beside one flow", { 3, 0 }, { 50, 50 }, 2, { 1, 1 }, .others = 1 },
  { "both over 6 Mbit/s, beside three flows", { 6, 0 }, { 50, 50 }, 2, { 1, 1 }, .others = 3 },
  { "2 + 2 Mbit/s, beside one flow on the first", { 2, 2 }, { 50, 50 }, TWO, .others = 1 },
};

static void
fill_lanes (unsigned index, SetCase *self)
{
  const LanesCase *c = &cases[index];
  LoopFlowConfig *flow;

  snprintf (self->name, sizeof self->name, "%s", c->name);
  self->config.length = LENGTH_S * RC_SECOND;
  for (unsigned i = 0; i < 2; i++) {
    self->config.links[i].rate_bps = (uint64_t) (c->mbps[i] * 1e6);
    self->config.links[i].queue_time = QUEUE;
    self->config.links[i].loss_ratio = c->loss_ratio[i];
  }
  flow = add_lanes (&self->config, c->n_lanes, c->rtt_ms, c->path);
  if (c->mode != RC_LANES_ONE)
    flow->mode = c->mode;
  flow->source.most_bps = (uint64_t) (c->max_mbps * 1e6);
  if (c->cut_s > 0) {
    flow[1].deaf_from = EVENT_S * RC_SECOND;
    flow[1].deaf_to = rc_time_from_s (EVENT_S + c->cut_s);
  }
  if (c->later_mbps > 0)
    self->config.steps[0] = (LoopStep) { EVENT_S * RC_SECOND, (uint64_t) (c->later_mbps * 1e6),
      .link = 1 };
  for (unsigned i = 0; i < c->others; i++)
    case_media (&self->config, c->rtt_ms[0]);
}

/* Of the sum of the capacities; beside others of the fair share of each link. */
static double
fair_bps (const Loop *loop, const LoopConfig *config, double to_s)
{
  unsigned others = 0, lanes = 0;

  for (unsigned i = 0; i < config->n_flows; i++) {
    others += config->flows[i].kind == LOOP_MEDIA;
    lanes |= config->flows[i].kind == LOOP_MEDIA ? 0 : config->flows[i].path;
  }
  return loop_sum_capacity_bps (loop, FROM_S, to_s) - loop_capacity_bps (loop, FROM_S, to_s)
      + (lanes & 1 ? loop_capacity_bps (loop, FROM_S, to_s) / (others + 1) : 0);
}

static void
measure_lanes (const Loop *loop, const LoopConfig *config, double *values)
{
  double to_s = rc_time_to_s (config->length);

  values[0] = loop_good_bps (loop, 0, FROM_S, to_s) / fair_bps (loop, config, to_s);
  values[1] = loop_frame_ms (loop, 0.95, FROM_S, to_s - 1);
  values[2] = loop_frame_ms (loop, 1, FROM_S, to_s - 1);
  values[3] = loop_frames_whole (loop, FROM_S, to_s - 1);
  values[4] = loop_freeze_s (loop, FROM_S, to_s - 1);
  values[5] = loop_good_below_s (loop, 0, BELOW_BPS, FROM_S, to_s) / (to_s - FROM_S);
}

#define LANES_COLUMNS \
  { "use", 3, SET_MEAN | SET_LEAST }, \
    { "p95_ms", 0, SET_MEAN | SET_MOST }, { "worst_ms", 0, SET_MEAN }, \
    { "whole", 4, SET_MEAN | SET_LEAST }, { "freeze_s", 2, SET_MEAN | SET_MOST }, \
    { "below", 4, SET_MEAN }

const LoopSet loop_set_lanes = {
  "lanes", "one flow over two paths, from 5 to 60 s; use: what came, of the sum of the capacities, "
      "or of the fair shares of them; ms: from the encoder until the frame is whole; below: share "
      "of the time with less than 1 Mbit/s",
  CASE_N (cases), { LANES_COLUMNS }, fill_lanes, measure_lanes,
};

/* --- drives --- */

#define DRIVE_LENGTH (120 * RC_SECOND)
#define N_PAIRS (N_DRIVES / 2)
#define LEAST_BPS 20000
#define RTT_MS 60
#define LONG_S 2

static void
fill_drives (unsigned index, SetCase *self, unsigned which)
{
  static const double rtt_ms[2] = { RTT_MS, RTT_MS };
  static const unsigned path[2] = { 1, 2 };
  OpportunityList lists[2] = { { 0 }, { 0 } };
  const char *name = strrchr (drive_path (2 * index), '#') + 1;

  for (unsigned i = 0; i < 2; i++)
    if (!opportunitylist_read (&lists[i], drive_path (2 * index + i))) {
      fprintf (stderr, "%s is no trace\n", drive_path (2 * index + i));
      exit (1);
    }
  snprintf (self->name, sizeof self->name, "%.*s", (int) strcspn (name, "."), name);
  self->config.length = rc_sooner (rc_sooner (lists[0].length, lists[1].length), DRIVE_LENGTH);
  if (which == 1) {
    OpportunityList first = lists[0];

    lists[0] = lists[1];
    lists[1] = first;
  }
  self->opportunities = lists[0].at;
  self->second_opportunities = lists[1].at;
  for (unsigned i = 0; i < (which == 2 ? 2 : 1); i++) {
    self->config.links[i].opportunities = lists[i].at;
    self->config.links[i].n_opportunities = lists[i].n;
  }
  add_lanes (&self->config, which == 2 ? 2 : 1, rtt_ms, path)->limits.min_bps = LEAST_BPS;
}

static void
measure_drive (const Loop *loop, const LoopConfig *config, double *values)
{
  double to_s = rc_time_to_s (config->length);

  measure_lanes (loop, config, values);
  values[6] = loop_good_below_s (loop, 0, BELOW_BPS, FROM_S, to_s) >= LONG_S;
}

static void
fill_both (unsigned index, SetCase *self)
{
  fill_drives (index, self, 2);
}

static void
fill_first (unsigned index, SetCase *self)
{
  fill_drives (index, self, 0);
}

static void
fill_second (unsigned index, SetCase *self)
{
  fill_drives (index, self, 1);
}

#define DRIVE_COLUMNS { LANES_COLUMNS, { "long", 3, SET_MEAN } }
#define DRIVE_TEXT ", RTT 60 ms, from 5 s on; long: 1 if 2 s or more were below 1 Mbit/s"

const LoopSet loop_set_drives_both = {
  "drives-both", "one flow over the uplinks of both operators" DRIVE_TEXT,
  N_PAIRS, DRIVE_COLUMNS, fill_both, measure_drive, .only_by_name = true,
};

/* Each sixth. */
static void
fill_quick (unsigned index, SetCase *self)
{
  fill_drives (6 * index, self, 2);
}

const LoopSet loop_set_drives_both_quick = {
  "drives-both-quick", "twenty of them" DRIVE_TEXT,
  N_PAIRS / 6, DRIVE_COLUMNS, fill_quick, measure_drive,
  .only_by_name = true,
};

const LoopSet loop_set_drives_att = {
  "drives-att", "one flow over that of AT&T alone" DRIVE_TEXT,
  N_PAIRS, DRIVE_COLUMNS, fill_first, measure_drive, .only_by_name = true,
};

const LoopSet loop_set_drives_verizon = {
  "drives-verizon", "one flow over that of Verizon alone" DRIVE_TEXT,
  N_PAIRS, DRIVE_COLUMNS, fill_second, measure_drive, .only_by_name = true,
};
