/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Runs a set of closed loops in several processes and sums it up. */
#pragma once

#include "set.h"

typedef struct
{
  int jobs;                     /* processes */
  unsigned seeds;               /* runs of each case */
  char **args;                  /* of them those with '=' are overrides: overrides.h */
  int n_args;
  LoopFormat format;            /* of the receivers of ours */
  unsigned only;                /* number of the case that runs alone, one more; 0: all run */
  unsigned step;                /* of these each step-th runs, from the first on; 0: all */
  const char *without;          /* NULL; else of these, those with this text in their name do not */
  const char *trace_folder;     /* NULL; else of event traces: looptrace.h */
  const char *csv_folder;       /* NULL; else of seed 1 SET-INDEX.csv as loop_write_csv () has it */
} SetRunOptions;

typedef struct SetRun SetRun;

/* The case does not run. */
bool set_run_leaves_out (const SetRunOptions *options, unsigned index);

/* NULL: a process failed. Free with set_run_free (). */
SetRun *set_run (const LoopSet *set, const SetRunOptions *options);
void set_run_free (SetRun *self);
/* Of a column in a run; seed: from 0. NAN: none. */
double set_run_value (const SetRun *self, unsigned index, unsigned seed, unsigned column);
/* Of a column over the seeds of a case, or over all runs; NAN if no run has a value. */
double set_run_case (const SetRun *self, SetSummary kind, unsigned index, unsigned column);
double set_run_sum_up (const SetRun *self, SetSummary kind, unsigned column);
