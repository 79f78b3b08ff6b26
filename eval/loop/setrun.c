/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "setrun.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "overrides.h"

/* In memory that the processes share. */
struct SetRun
{
  size_t bytes;
  unsigned seeds, n_runs;
  atomic_uint next;             /* run to begin: case x seeds + seed */
  double values[][SET_MAX_COLUMNS];
};

static void
write_csv (const Loop *loop, const char *folder, const char *set, unsigned index)
{
  char path[512];

  snprintf (path, sizeof path, "%s/%s-%u.csv", folder, set, index);
  loop_write_csv (loop, path);
}

bool
set_run_leaves_out (const SetRunOptions *options, unsigned index)
{
  return (options->only > 0 && options->only != index + 1)
      || (options->step > 0 && index % options->step != 0);
}

static void
free_filled (SetCase *c)
{
  free (c->opportunities);
  free (c->second_opportunities);
  free (c);
}

static void
run_one (const LoopSet *set, const SetRunOptions *options, unsigned run, double *values)
{
  SetCase *c;
  char trace_name[128];
  Loop *loop;

  for (unsigned k = 0; k < SET_MAX_COLUMNS; k++)
    values[k] = NAN;
  if (set_run_leaves_out (options, run / options->seeds))
    return;
  c = calloc (1, sizeof *c);
  c->config.seed = run % options->seeds + 1;
  set->fill (run / options->seeds, c);
  if (options->without && strstr (c->name, options->without)) {
    free_filled (c);
    return;
  }
  overrides_apply (options->args, options->n_args, &c->config);
  for (unsigned f = 0; f < c->config.n_flows; f++)
    c->config.flows[f].format = options->format;
  snprintf (trace_name, sizeof trace_name, "%s-%u-%u", set->name, run / options->seeds,
      (unsigned) c->config.seed);
  c->config.trace_folder = options->trace_folder;
  c->config.trace_name = trace_name;
  loop = loop_run (&c->config);
  set->measure (loop, &c->config, values);
  if (options->csv_folder && c->config.seed == 1)
    write_csv (loop, options->csv_folder, set->name, run / options->seeds);
  loop_free (loop);
  free_filled (c);
}

static bool
run_all (SetRun *self, const LoopSet *set, const SetRunOptions *options)
{
  bool good = true;
  int status;
  unsigned run;

  fflush (stdout);
  for (int i = 0; i < options->jobs; i++)
    if (fork () == 0) {
      while ((run = atomic_fetch_add (&self->next, 1)) < self->n_runs)
        run_one (set, options, run, self->values[run]);
      _exit (0);
    }
  while (wait (&status) > 0)
    good = good && status == 0;
  return good;
}

SetRun *
set_run (const LoopSet *set, const SetRunOptions *options)
{
  unsigned n_runs = set->n_cases * options->seeds;
  size_t bytes = sizeof (SetRun) + n_runs * sizeof (double[SET_MAX_COLUMNS]);
  SetRun *self = mmap (NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

  if (self == MAP_FAILED)
    return NULL;
  self->bytes = bytes;
  self->seeds = options->seeds;
  self->n_runs = n_runs;
  if (run_all (self, set, options))
    return self;
  set_run_free (self);
  return NULL;
}

void
set_run_free (SetRun *self)
{
  munmap (self, self->bytes);
}

static double
mean (const SetRun *self, unsigned column, unsigned from, unsigned to)
{
  double sum = 0;
  unsigned n = 0;

  for (unsigned i = from; i < to; i++)
    if (!isnan (self->values[i][column])) {
      sum += self->values[i][column];
      n++;
    }
  return n ? sum / n : NAN;
}

double
set_run_value (const SetRun *self, unsigned index, unsigned seed, unsigned column)
{
  return self->values[index * self->seeds + seed][column];
}

static double
sum_up (const SetRun *self, SetSummary kind, unsigned column, unsigned from, unsigned to)
{
  double found = NAN;

  if (kind == SET_MEAN)
    return mean (self, column, from, to);
  for (unsigned i = from; i < to; i++)
    found = kind == SET_MOST ? fmax (found, self->values[i][column])
        : fmin (found, self->values[i][column]);
  return found;
}

double
set_run_case (const SetRun *self, SetSummary kind, unsigned index, unsigned column)
{
  return sum_up (self, kind, column, index * self->seeds, (index + 1) * self->seeds);
}

double
set_run_sum_up (const SetRun *self, SetSummary kind, unsigned column)
{
  return sum_up (self, kind, column, 0, self->n_runs);
}
