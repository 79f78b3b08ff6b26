/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Flows of ours, one but in own-falls, on links that serve as a trace says. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "caseparts.h"
#include "cellmodel.h"
#include "drives.h"
#include "opportunitylist.h"
#include "sets.h"

#define MOST_OPPORTUNITIES 1000000      /* 60 s at 200 Mbit/s */
#define MOST_FILES 32
#define FROM_S 5
#define LENGTH_S 60

static const unsigned rtt_ms[] = { 50, 100 };

/* The queue has no limit: what waits is the sender's doing. */
static void
one_flow (SetCase *self, unsigned rtt, OpportunityList list)
{
  self->opportunities = list.at;
  self->config.links[0].opportunities = list.at;
  self->config.links[0].n_opportunities = list.n;
  self->config.length = LENGTH_S * RC_SECOND;
  case_media (&self->config, rtt);
}

/* p95: of packets that were not on their way in an outage. */
static void
measure_trace (const Loop *loop, const LoopConfig *config, double *values)
{
  double to_s = rc_time_to_s (config->length);

  values[0] = case_carried (loop, FROM_S, to_s);
  values[1] = loop_queue_ms (loop, 0.50, FROM_S, to_s);
  values[2] = loop_queue_outside_outages_ms (loop, 0.95, FROM_S, to_s);
  values[3] = loop_queue_ms (loop, 0.95, FROM_S, to_s);
  values[4] = loop_capacity_bps (loop, FROM_S, to_s) / 1e6;
}

#define TRACE_COLUMNS \
  { { "use", 3, SET_MEAN | SET_LEAST }, { "p50_ms", 0, SET_MEAN }, \
    { "p95_ms", 0, SET_MEAN | SET_MOST }, { "p95_all", 0, SET_MEAN }, { "mbps", 2, 0 } }

/* --- made --- */

#define N_MODELS 4

static void
fill_made (const CellModel *model, unsigned rtt, SetCase *self)
{
  OpportunityList list = { malloc (MOST_OPPORTUNITIES * sizeof *list.at) };

  snprintf (self->name, sizeof self->name, "%s, RTT %3u ms", model->name, rtt);
  list.n = cell_model_make (model, self->config.seed, LENGTH_S, list.at, MOST_OPPORTUNITIES);
  one_flow (self, rtt, list);
}

static void
fill_cellular (unsigned index, SetCase *self)
{
  unsigned rtt = CASE_PICK (rtt_ms, &index);

  fill_made (&cell_models[index], rtt, self);
}

const LoopSet loop_set_cellular = {
  "cellular", "one flow, made traces of cellular links, from 5 to 60 s; "
      "p95: of packets outside outages",
  N_MODELS * CASE_N (rtt_ms), TRACE_COLUMNS, fill_cellular, measure_trace,
};

#define N_WIFI_MODELS 3

static void
fill_wifi (unsigned index, SetCase *self)
{
  unsigned rtt = CASE_PICK (rtt_ms, &index);

  fill_made (&wifi_models[index], rtt, self);
}

const LoopSet loop_set_wifi = {
  "wifi", "the same, made traces of Wi-Fi with others in the channel",
  N_WIFI_MODELS * CASE_N (rtt_ms), TRACE_COLUMNS, fill_wifi, measure_trace,
};

/* --- recorded --- */

static const char *files[MOST_FILES];

/* The lab's queue of a recorded trace (eval/lab/groups.py). */
#define FILE_QUEUE RC_SECOND

static const LoopSourceKind kinds[] = { LOOP_VIDEO, LOOP_FOOTAGE };
#define CASES_OF_FILE (CASE_N (rtt_ms) * CASE_N (kinds))

/* Returns for how long it was recorded. */
static RcTime
fill_file (SetCase *self, const char *path, unsigned rtt)
{
  size_t length = strlen (path);
  OpportunityList list = { 0 };

  if (!opportunitylist_read (&list, path)) {
    fprintf (stderr, "%s is no trace\n", path);
    exit (1);
  }
  while (length > 0 && !strchr ("/#", path[length - 1]))
    length--;
  snprintf (self->name, sizeof self->name, "%.40s, RTT %3u ms", path + length, rtt);
  one_flow (self, rtt, list);
  return list.length;
}

static void
fill_traces (unsigned index, SetCase *self)
{
  unsigned rtt = CASE_PICK (rtt_ms, &index);
  LoopSourceKind kind = CASE_PICK (kinds, &index);

  fill_file (self, files[index], rtt);
  self->config.links[0].queue_time = FILE_QUEUE;
  self->config.flows[0].source.kind = kind;
  if (kind == LOOP_FOOTAGE)
    strcat (self->name, ", footage");
}

LoopSet loop_set_traces = {
  "traces", "the same, recorded traces, a queue of 1 s; footage: of an encoder whose picture takes "
      "5 to 24 Mbit/s", 0, TRACE_COLUMNS, fill_traces, measure_trace,
};

bool
traceset_add (const char *path)
{
  OpportunityList list = { 0 };
  unsigned n_files = loop_set_traces.n_cases / CASES_OF_FILE;
  bool good = n_files < MOST_FILES && opportunitylist_read (&list, path);

  free (list.at);
  if (good) {
    files[n_files] = path;
    loop_set_traces.n_cases += CASES_OF_FILE;
  }
  return good;
}

/* --- falls --- */

#define FALL_AT_S 10

static const struct
{
  double from_mbps, to_mbps;
} ends[] = { { 15, 1.5 }, { 8, 0.8 }, { 40, 4 } };

static const double within_s[] = { 2, 4, 6, 8, 12 };

static const struct
{
  RcTime time;                  /* at the mean rate of the run; 0: no limit */
  const char *name;
} queues[] = { { 0, "no limit" }, { 2 * RC_SECOND, "2 s" }, { 300 * RC_MSEC, "300 ms" } };

/* By the same factor in each second of the fall. */
static double
falling_bps (double at_s, double from_mbps, double to_mbps, double fall_s)
{
  double fallen = fmin (fmax ((at_s - FALL_AT_S) / fall_s, 0), 1);

  return 1e6 * from_mbps * pow (to_mbps / from_mbps, fallen);
}

/* Returns the first flow. */
static LoopFlowConfig *
fall (SetCase *self, double from_mbps, double to_mbps, double fall_s, RcTime queue, unsigned rtt)
{
  OpportunityList list = { 0 };

  for (unsigned ms = 0; ms < LENGTH_S * 1000; ms++)
    opportunitylist_add_ms (&list, falling_bps (ms / 1e3, from_mbps, to_mbps, fall_s));
  one_flow (self, rtt, list);
  self->config.links[0].queue_time = queue;
  return &self->config.flows[0];
}

static void
fill_fall (unsigned index, SetCase *self)
{
  unsigned queue = case_axis (&index, CASE_N (queues)), rtt = CASE_PICK (rtt_ms, &index);
  double fall_s = CASE_PICK (within_s, &index);
  double from_mbps = ends[index].from_mbps, to_mbps = ends[index].to_mbps;

  snprintf (self->name, sizeof self->name, "%2.0f to %.1f in %2.0f s, RTT %3u, queue %s",
      from_mbps, to_mbps, fall_s, rtt, queues[queue].name);
  fall (self, from_mbps, to_mbps, fall_s, queues[queue].time, rtt);
}

static double
packets_sent (const Loop *loop, const LoopConfig *config, double from_s, double to_s)
{
  double sum = 0;

  for (unsigned i = 0; i < config->n_flows; i++)
    sum += loop_packets_sent (loop, (int) i, from_s, to_s);
  return sum;
}

static void
measure_fall (const Loop *loop, const LoopConfig *config, double *values)
{
  double to_s = rc_time_to_s (config->length);

  values[0] = case_carried (loop, FROM_S, to_s);
  values[1] = loop_queue_ms (loop, 0.95, FROM_S, to_s);
  values[2] = loop_queue_ms (loop, 1, FROM_S, to_s);
  values[3] = loop_above_s (loop, CASE_MAX_DELAY_MS, FROM_S, to_s, &values[4]);
  values[5] = (double) loop_drops (loop, FROM_S, to_s) / packets_sent (loop, config, FROM_S, to_s);
}

#define FALL_COLUMNS \
  { { "use", 3, SET_MEAN | SET_LEAST }, { "p95_ms", 0, SET_MEAN | SET_MOST }, \
    { "worst_ms", 0, SET_MEAN | SET_MOST }, { "above_s", 1, SET_MEAN | SET_MOST }, \
    { "longest_s", 1, SET_MEAN | SET_MOST }, { "lost", 3, SET_MEAN | SET_MOST } }

const LoopSet loop_set_falls = {
  "falls", "one flow, the capacity falls by ten from 10 s on (Mbit/s, RTT in ms), from 5 to 60 s; "
      "above_s, longest_s: delay above 400 ms",
  CASE_N (ends) * CASE_N (within_s) * CASE_N (rtt_ms) * CASE_N (queues), FALL_COLUMNS,
  fill_fall, measure_fall,
};

/* --- falls of several flows --- */

#define STARTS_WITHIN_S 2

static const double own_within_s[] = { 2, 6 };
static const unsigned own_queues[] = { 0, 2 };  /* of queues[] */

static const struct
{
  unsigned n;
  double clocks_s;
} owns[] = {
  { 1, 0 }, { 2, 0 }, { 2, 0.5 }, { 2, 5 }, { 4, 0 }, { 4, 0.5 }, { 4, 5 }, { 10, 0 }, { 10, 0.5 },
  { 10, 5 },
};

static void
fill_own_fall (unsigned index, SetCase *self)
{
  unsigned queue = CASE_PICK (own_queues, &index);
  double fall_s = CASE_PICK (own_within_s, &index);
  LoopFlowConfig *flow;

  snprintf (self->name, sizeof self->name, "%2u flows, in %.0f s, queue %-8s, clocks %3g s apart",
      owns[index].n, fall_s, queues[queue].name, owns[index].clocks_s);
  flow = fall (self, ends[0].from_mbps, ends[0].to_mbps, fall_s, queues[queue].time, rtt_ms[0]);
  while (self->config.n_flows < owns[index].n)
    self->config.flows[self->config.n_flows++] = *flow;
  case_scatter (&self->config, STARTS_WITHIN_S, owns[index].clocks_s);
}

const LoopSet loop_set_own_falls = {
  "own-falls", "flows of ours alone, 15 to 1.5 Mbit/s from 10 s on, RTT 50 ms, from 5 to 60 s; "
      "above_s, longest_s: delay above 400 ms",
  CASE_N (owns) * CASE_N (own_within_s) * CASE_N (own_queues), FALL_COLUMNS,
  fill_own_fall, measure_fall,
};

/* --- drives --- */

#define DRIVE_LENGTH (120 * RC_SECOND)  /* at most: some were recorded for less */
#define BAD_P95_MS 500
/* Some carry less than the default of 100 kbit/s for many seconds. A queue that grows because the
 * sender may not send less is not the law's. */
#define LEAST_BPS 20000

static void
fill_path (SetCase *self, const char *path, unsigned rtt)
{
  self->config.length = rc_sooner (fill_file (self, path, rtt), DRIVE_LENGTH);
  self->config.flows[0].limits.min_bps = LEAST_BPS;
}

static void
fill_drive (unsigned index, SetCase *self)
{
  unsigned rtt = CASE_PICK (rtt_ms, &index);

  fill_path (self, drive_path (index), rtt);
}

static void
measure_drive (const Loop *loop, const LoopConfig *config, double *values)
{
  double to_s = rc_time_to_s (config->length);

  measure_trace (loop, config, values);
  values[4] = values[2] > BAD_P95_MS;
  values[5] = loop_above_s (loop, CASE_MAX_DELAY_MS, FROM_S, to_s, &values[6]);
}

#define DRIVE_COLUMNS \
  { { "use", 3, SET_MEAN | SET_LEAST }, { "p50_ms", 0, SET_MEAN }, \
    { "p95_ms", 0, SET_MEAN | SET_MOST }, { "p95_all", 0, SET_MEAN | SET_MOST }, \
    { "bad", 3, SET_MEAN }, { "above_s", 1, SET_MEAN | SET_MOST }, \
    { "longest_s", 1, SET_MEAN | SET_MOST } }

const LoopSet loop_set_drives = {
  "drives", "one flow, recorded uplinks of cars, from 5 s on; p95: of packets outside outages; "
      "bad: 1 if that is above 500 ms; above_s, longest_s: delay above 400 ms",
  N_DRIVES * CASE_N (rtt_ms), DRIVE_COLUMNS, fill_drive, measure_drive, .only_by_name = true,
};

/* The fifteen worst of them before the law knew a bound on delay, then others. */
static const struct
{
  const char *name;
  unsigned rtt_ms;
} quick[] = {
  { "1_run_80.verizon", 100 }, { "2_run_9.att", 100 }, { "3_run_48.verizon", 100 },
  { "4_run_5_2.att", 50 }, { "2_run_9.att", 50 }, { "4_run_19.att", 100 }, { "4_run_24.att", 50 },
  { "3_run_48.att", 50 }, { "4_run_76.att", 50 }, { "3_run_60.verizon", 100 },
  { "3_run_39.att", 100 }, { "2_run_0_2.verizon", 100 }, { "1_run_79.att", 100 },
  { "3_run_43.att", 100 }, { "2_run_0_2.att", 100 }, { "1_run_14.verizon", 100 },
  { "1_run_31.verizon", 50 }, { "1_run_59.att", 100 }, { "2_run_26.att", 50 },
  { "2_run_42_2.verizon", 100 }, { "2_run_62.verizon", 50 }, { "2_run_80.att", 100 },
  { "3_run_15.verizon", 50 }, { "3_run_31.att", 100 }, { "3_run_60.att", 50 },
  { "3_run_77.att", 100 }, { "4_run_20.verizon", 50 }, { "4_run_39.verizon", 100 },
  { "4_run_54.verizon", 50 }, { "4_run_74.verizon", 100 },
};

static void
fill_quick (unsigned index, SetCase *self)
{
  fill_path (self, drive_named (quick[index].name), quick[index].rtt_ms);
}

const LoopSet loop_set_drives_quick = {
  "drives-quick", "thirty of them, the fifteen that were worst first", CASE_N (quick),
  DRIVE_COLUMNS, fill_quick, measure_drive,
};

static void
fill_footage (unsigned index, SetCase *self)
{
  fill_quick (index, self);
  self->config.flows[0].source.kind = LOOP_FOOTAGE;
}

const LoopSet loop_set_footage = {
  "footage", "the same thirty, of an encoder whose film takes 5 to 24 Mbit/s at most (encoder.h)",
  CASE_N (quick), DRIVE_COLUMNS, fill_footage, measure_drive, .only_by_name = true,
};
