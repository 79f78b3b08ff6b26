/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "traceset.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "caseparts.h"
#include "cellmodel.h"
#include "opportunitylist.h"

#define N(array) (sizeof (array) / sizeof *(array))
#define MOST_OPPORTUNITIES 1000000      /* 60 s at 200 Mbit/s */
#define MOST_FILES 32
#define FROM_S 5
#define LENGTH_S 60

static const unsigned rtt_ms[] = { 50, 100 };

/* The queue has no limit: what waits is the sender's doing. */
static void
one_flow (SetCase *self, unsigned rtt, uint32_t n)
{
  self->config.links[0].opportunities = self->opportunities;
  self->config.links[0].n_opportunities = n;
  self->config.length = LENGTH_S * RC_SECOND;
  case_media (&self->config, rtt);
}

/* p95: of packets that were not on their way in an outage. */
static void
measure_trace (const Loop *loop, const LoopConfig *config, double *values)
{
  double to_s = rc_time_to_s (config->length);

  values[0] = loop_served_bps (loop, -1, FROM_S, to_s) / loop_capacity_bps (loop, FROM_S, to_s);
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
fill_cellular (unsigned index, SetCase *self)
{
  const CellModel *model = &cell_models[index / N (rtt_ms)];
  unsigned rtt = rtt_ms[index % N (rtt_ms)];
  uint32_t n;

  snprintf (self->name, sizeof self->name, "%s, RTT %3u ms", model->name, rtt);
  self->opportunities = malloc (MOST_OPPORTUNITIES * sizeof *self->opportunities);
  n = cell_model_make (model, self->config.seed, LENGTH_S, self->opportunities, MOST_OPPORTUNITIES);
  one_flow (self, rtt, n);
}

const LoopSet loop_set_cellular = {
  "cellular", "one flow, made traces of cellular links, from 5 to 60 s; "
      "p95: of packets outside outages",
  N_MODELS * N (rtt_ms), TRACE_COLUMNS, fill_cellular, measure_trace,
};

/* --- recorded --- */

static const char *files[MOST_FILES];

static void
fill_traces (unsigned index, SetCase *self)
{
  const char *path = files[index / N (rtt_ms)], *slash = strrchr (path, '/');
  unsigned rtt = rtt_ms[index % N (rtt_ms)];
  OpportunityList list = { 0 };

  snprintf (self->name, sizeof self->name, "%.40s, RTT %3u ms", slash ? slash + 1 : path, rtt);
  opportunitylist_read (&list, path);
  self->opportunities = list.at;
  one_flow (self, rtt, list.n);
}

LoopSet loop_set_traces = {
  "traces", "the same, recorded traces", 0, TRACE_COLUMNS, fill_traces, measure_trace,
};

bool
traceset_add (const char *path)
{
  OpportunityList list = { 0 };
  unsigned n_files = loop_set_traces.n_cases / N (rtt_ms);
  bool good = n_files < MOST_FILES && opportunitylist_read (&list, path);

  free (list.at);
  if (good) {
    files[n_files] = path;
    loop_set_traces.n_cases += N (rtt_ms);
  }
  return good;
}
