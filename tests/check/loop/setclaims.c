/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What the live law promises over the sets of closed loops. A bound holds for the mean of a column
 * over the whole set, or for each case whose name matches a pattern (its mean over the seeds). The
 * bounds are a little wider than what the law does, so that a change which costs something shows,
 * and one that only makes the loops run differently does not. */
#include <math.h>
#include <string.h>

#include "claim.h"
#include "setrun.h"
#include "sets.h"

#define JOBS 2

typedef struct
{
  const gchar *set, *cases;     /* cases NULL: the mean of all */
  const gchar *column;
  double least, most;
} Bound;

static const Bound bounds[] = {
  {"noise", "*sd  5 ms", "use", 0.90, 1.01},
  {"noise", "*sd 10 ms", "use", 0.90, 1.01},
  {"noise", "*sd 20 ms", "use", 0.90, 1.01},
  {"noise", NULL, "use", 0.93, 1.01},
  {"noise", NULL, "p50_ms", 0, 15},
  {"noise", NULL, "p95_ms", 0, 50},
  {"reorder", NULL, "use", 0.95, 1.01},
  {"stalls", NULL, "use", 0.88, 1.01},
  {"stalls", NULL, "p95_ms", 0, 160},
  {"pauses", "*10 ms each   50 ms", "use", 0.85, 1.01},
  {"pauses", "*60 ms each  400 ms", "use", 0.75, 1.01},
  {"cellular", NULL, "use", 0.77, 1.01},
  {"cellular", NULL, "p95_ms", 0, 130},
  {"clean", NULL, "use", 0.90, 1.01},
  {"clean", NULL, "p95_ms", 0, 25},
  {"clean", NULL, "jain", 0.94, 1},
  {"steps", NULL, "use", 0.90, 1.01},
  {"steps", "*jitter  0 ms", "use_min", 0.94, 1.01},
  {"steps", NULL, "calm_s", 0, 2},
  {"frames", "3 to 1 Mbit/s, RTT  50 ms, jitter 0*", "fall_p95", 0, 250},
  {"frames", "3 to 1 Mbit/s, RTT  50 ms, jitter 0*", "fall_use", 0.9, 1.01},
  {"high", "ten flows*", "jain", 0.93, 1},
  {"high", "100-20-100*", "use_min", 0.90, 1.01},
  {"high", "500 Mbit/s*", "use", 0.90, 1.01},
  {"high", NULL, "p95_ms", 0, 10},
  {"startup", " 3 Mbit/s*", "t80_s", 0, 2},
  {"startup", NULL, "t80_s", 0, 2.4},
  {"startup", NULL, "p95_ms", 0, 25},
  {"tcp", NULL, "ours", 0.75, 1.2},
  {"tcp", "*", "ours", 0.3, 1.6},
  {"tcp", "*", "ours_10s", 0.05, 2},
  {"tcp", "*", "tcp", 0.4, 2},
  {"tcp", NULL, "quiet_s", 0, 8},
  {"guards", "one packet 4 ms early*", "use", 0.94, 1.01},
  {"guards", "interface down*", "back_s", 0, 2},
  {"floor", NULL, "ours", 0.7, 1.2},
  {"floor", "*", "ours", 0.3, 1.6},
  {"floor", NULL, "quiet_s", 0, 8},
  {"short", NULL, "left", 0.73, 1.01},
  {"l4s", "beside*", "use", 0.90, 1.01},
  {"l4s", "alone", "use", 0.90, 1.01},
  {"l4s", "alone, a single queue*", "use", 0.90, 1.01},
  {"l4s", "alone, pauses 10*", "use", 0.70, 1.01},
  {"l4s", "*", "p95_ms", 0, 5},
  {"l4s", "beside * TCP", "fair", 0.7, 1.3},
  {"l4s", "beside * ours", "fair", 0.7, 1.3},
  {"l4s", "beside CUBIC*", "fair", 0.7, 1.5},
  {"loss", "5 % at random", "ours", 0.85, 1},
  {"loss", "20 % at random", "ours", 0.75, 1},
  {"loss", "10 % in bursts of 5", "ours", 0.7, 1},
  {"loss", "*source of 1.5 Mbit/s", "ours", 0.42, 1},
  {"loss", "policer of 2 Mbit/s", "ours", 0.93, 1.01},
  {"loss", "policer of 2 Mbit/s", "drops_percent", 0, 4},
  {"loss", "policer of 2 Mbit/s, two flows", "drops_percent", 0, 5},
  {"loss", "buffer of 10 packets, beside*", "ours", 0, 0.5},
  {"falls", "*", "p95_ms", 0, 300},
  {"falls", "*", "use", 0.90, 1.01},
  {"drives-quick", "*", "p95_ms", 0, 500},
  {"drives-quick", NULL, "use", 0.75, 1.01},
  {"lanes", "2 + 1 Mbit/s*", "use", 0.92, 1.01},
  {"lanes", "2 + 1 Mbit/s*", "p95_ms", 0, 120},
  {"lanes", "2 + 2 Mbit/s, RTT 20 and 80 ms", "use", 0.88, 1.01},
  {"lanes", "2 + 2 Mbit/s, RTT 20 and 80 ms", "p95_ms", 0, 138},
  {"lanes", "8 + 1*", "use", 0.92, 1.01},
  {"lanes", "8 Mbit/s + 100 kbit/s*", "use", 0.85, 1.01},
  {"lanes", "*dead*", "freeze_s", 0, 0.4},
  {"lanes", "*", "whole", 0.995, 1},
  {"lanes", "both over * beside*", "use", 0.7, 1.2},
};

static const struct
{
  const gchar *name;
  guint seeds;
} sets[] = {
  {"noise", 2}, {"reorder", 2}, {"stalls", 2}, {"cellular", 2}, {"clean", 2}, {"steps", 2},
  {"frames", 8}, {"high", 1}, {"startup", 2}, {"tcp", 3}, {"floor", 2}, {"short", 2}, {"l4s", 1},
  {"pauses", 1}, {"falls", 1}, {"drives-quick", 1}, {"guards", 1},
  {"lanes", 2}, {"loss", 4},
};

static guint
column_of (const LoopSet * set, const gchar * name)
{
  guint k = 0;

  while (set->columns[k].name && strcmp (set->columns[k].name, name) != 0)
    k++;
  fail_unless (set->columns[k].name != NULL, "%s has no column %s", set->name, name);
  return k;
}

static void
check (const Bound * bound, const gchar * what, double value)
{
  fail_unless (value >= bound->least && value <= bound->most, "%s, %s: %s is %.3f, not %g to %g",
      bound->set, what, bound->column, value, bound->least, bound->most);
}

/* Returns how many cases the pattern means. */
static guint
check_cases (const Bound * bound, const LoopSet * set, const SetRun * run)
{
  guint found = 0;

  for (guint i = 0; i < set->n_cases; i++) {
    SetCase *c = g_new0 (SetCase, 1);

    c->config.seed = 1;
    set->fill (i, c);
    if (g_pattern_match_simple (bound->cases, c->name)) {
      check (bound, c->name, set_run_case_mean (run, i, column_of (set, bound->column)));
      found++;
    }
    free (c->opportunities);
    g_free (c);
  }
  return found;
}

CLAIM_TIMEOUT_S (300)

CLAIMS (test_the_live_law_keeps_the_bounds_of_a_set, G_N_ELEMENTS (sets))
{
  const SetRunOptions options = {.jobs = JOBS,.seeds = sets[__i__].seeds };
  const LoopSet *set = loop_set_find (sets[__i__].name);
  SetRun *run;

  fail_unless (set != NULL, "no set %s", sets[__i__].name);
  run = set_run (set, &options);
  fail_unless (run != NULL, "%s did not run", set->name);
  for (guint i = 0; i < G_N_ELEMENTS (bounds); i++) {
    const Bound *bound = &bounds[i];

    if (strcmp (bound->set, set->name) != 0)
      continue;
    if (bound->cases)
      fail_unless (check_cases (bound, set, run) > 0, "%s has no %s", set->name, bound->cases);
    else
      check (bound, "mean", set_run_sum_up (run, SET_MEAN, column_of (set, bound->column)));
  }
  set_run_free (run);
}
