/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What the live law promises over the sets of closed loops: bounds of the summaries that
 * `loop-sets -m` prints. They are a little wider than what the law does with seed 1, so
 * that a change that costs something shows, and a change of the noise alone does not. */
#include <gst/check/gstcheck.h>
#include <math.h>
#include <string.h>

#include "setrun.h"
#include "sets.h"

#define SEEDS 1
#define JOBS 2

typedef struct
{
  const gchar *set;
  SetSummary kind;
  const gchar *column;
  double least, most;
} Bound;

static const Bound bounds[] = {
  { "clean", SET_MEAN, "use", 0.90, INFINITY },
  { "clean", SET_MEAN, "p95_ms", 0, 22 },
  { "clean", SET_MEAN, "jain", 0.94, 1 },
  { "high", SET_MEAN, "use", 0.93, INFINITY },
  { "high", SET_MEAN, "p95_ms", 0, 10 },
  { "startup", SET_MEAN, "t80_s", 0, 3 },
  { "startup", SET_MEAN, "p95_ms", 0, 20 },
  { "startup", SET_MOST, "p95_ms", 0, 80 },
};

static const gchar *const sets[] = { "clean", "high", "startup" };

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
check_bounds (const LoopSet * set, const SetRun * run)
{
  static const gchar *const kinds[] = {
    [SET_MEAN] = "mean",[SET_LEAST] = "least",[SET_MOST] = "most"
  };

  for (guint i = 0; i < G_N_ELEMENTS (bounds); i++) {
    const Bound *bound = &bounds[i];
    double value;

    if (strcmp (bound->set, set->name) != 0)
      continue;
    value = set_run_sum_up (run, bound->kind, column_of (set, bound->column));
    fail_unless (value >= bound->least && value <= bound->most, "%s: %s %s is %.3f, not %g to %g",
        set->name, kinds[bound->kind], bound->column, value, bound->least, bound->most);
  }
}

GST_START_TEST (test_the_law_meets_the_bounds_of_a_set)
{
  const SetRunOptions options = {.jobs = JOBS,.seeds = SEEDS };
  const LoopSet *set = loop_set_find (sets[__i__]);
  SetRun *run;

  fail_unless (set != NULL, "no set %s", sets[__i__]);
  run = set_run (set, &options);
  fail_unless (run != NULL, "%s did not run", set->name);
  check_bounds (set, run);
  set_run_free (run);
}

GST_END_TEST;

static Suite *
setclaims_suite (void)
{
  Suite *s = suite_create ("setclaims");
  TCase *t = tcase_create ("general");

  suite_add_tcase (s, t);
  tcase_set_timeout (t, 300);
  tcase_add_loop_test (t, test_the_law_meets_the_bounds_of_a_set, 0, G_N_ELEMENTS (sets));
  return s;
}

GST_CHECK_MAIN (setclaims);
