/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "driveset.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "caseparts.h"
#include "opportunitylist.h"

#define N(array) (sizeof (array) / sizeof *(array))
#define FROM_S 5
#define LENGTH_S 120            /* at most: some were recorded for less */
#define N_DRIVES 250
#define BAD_P95_MS 500
/* Some carry less than the default of 100 kbit/s for many seconds. A queue that grows because the
 * sender may not send less is not the law's. */
#define LEAST_BPS 20000

static const unsigned rtt_ms[] = { 50, 100 };

static const char *
drive_path (unsigned index)
{
  static glob_t found;

  if (!found.gl_pathc && (glob (DRIVES "/*.kbps", 0, NULL, &found) || found.gl_pathc != N_DRIVES)) {
    fprintf (stderr, "%s has not the %u drives\n", DRIVES, N_DRIVES);
    exit (1);
  }
  return found.gl_pathv[index];
}

/* The queue has no limit: what waits is the sender's doing. */
static void
fill_path (SetCase *self, const char *path, unsigned rtt)
{
  OpportunityList list = { 0 };

  if (!opportunitylist_read (&list, path)) {
    fprintf (stderr, "%s is no drive\n", path);
    exit (1);
  }
  snprintf (self->name, sizeof self->name, "%.40s, RTT %3u ms", strrchr (path, '/') + 1, rtt);
  self->opportunities = list.at;
  self->config.links[0].opportunities = list.at;
  self->config.links[0].n_opportunities = list.n;
  self->config.length = rc_sooner (list.length, LENGTH_S * RC_SECOND);
  case_media (&self->config, rtt)->limits.min_bps = LEAST_BPS;
}

static void
fill_drive (unsigned index, SetCase *self)
{
  fill_path (self, drive_path (index / N (rtt_ms)), rtt_ms[index % N (rtt_ms)]);
}

static void
measure_drive (const Loop *loop, const LoopConfig *config, double *values)
{
  double to_s = rc_time_to_s (config->length);

  values[0] = loop_served_bps (loop, -1, FROM_S, to_s) / loop_capacity_bps (loop, FROM_S, to_s);
  values[1] = loop_queue_ms (loop, 0.50, FROM_S, to_s);
  values[2] = loop_queue_outside_outages_ms (loop, 0.95, FROM_S, to_s);
  values[3] = loop_queue_ms (loop, 0.95, FROM_S, to_s);
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
  N_DRIVES * N (rtt_ms), DRIVE_COLUMNS, fill_drive, measure_drive, .only_by_name = true,
};

/* --- a few of them --- */

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
  char path[sizeof DRIVES + 40];

  snprintf (path, sizeof path, "%s/%s.kbps", DRIVES, quick[index].name);
  fill_path (self, path, quick[index].rtt_ms);
}

const LoopSet loop_set_drives_quick = {
  "drives-quick", "thirty of them, the fifteen that were worst first", N (quick), DRIVE_COLUMNS,
  fill_quick, measure_drive,
};
