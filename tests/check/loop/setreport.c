/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* loop-sets [-j JOBS] [-n SEEDS] [-q | -m] [-t FILE]... [SET...] [NAME=VALUE...]: runs sets of
 * closed-loop cases in virtual time, JOBS at once (as many as there are processors), each with
 * SEEDS seeds (1), and prints a table for each set: a line for each case with its means over the
 * seeds, and a summary over all of them. -q prints the summaries alone, -m the same for programs:
 * set, kind, column, value. -t adds a recorded trace in mahimahi's format to the set traces.
 * NAME=VALUE overrides a parameter of the live law. Without SET all sets run.
 *
 * loop-sets -p prints the parameters of the live law: name, default, least, most. */
#include <math.h>
#include <rc/law/controller.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "overrides.h"
#include "sets.h"
#include "traceset.h"

#define NAME_WIDTH 50

typedef struct
{
  int jobs;
  unsigned seeds;
  bool quiet, for_programs, lists_params;
  char **args;                  /* sets and overrides */
  int n_args;
} Options;

/* Shared by the processes that run one set. */
typedef struct
{
  atomic_uint next;             /* run to begin: case x seeds + seed */
  double values[][SET_MAX_COLUMNS];
} Results;

static void
run_one (const LoopSet *set, const Options *options, unsigned run, double *values)
{
  SetCase *c = calloc (1, sizeof *c);
  Loop *loop;

  c->config.seed = run % options->seeds + 1;
  set->fill (run / options->seeds, c);
  overrides_apply (options->args, options->n_args, &c->config);
  loop = loop_run (&c->config);
  set->measure (loop, &c->config, values);
  loop_free (loop);
  free (c->opportunities);
  free (c);
}

static bool
run_all (const LoopSet *set, const Options *options, Results *results)
{
  unsigned n_runs = set->n_cases * options->seeds, run;
  bool good = true;
  int status;

  fflush (stdout);
  for (int i = 0; i < options->jobs; i++)
    if (fork () == 0) {
      while ((run = atomic_fetch_add (&results->next, 1)) < n_runs)
        run_one (set, options, run, results->values[run]);
      _exit (0);
    }
  while (wait (&status) > 0)
    good = good && status == 0;
  return good;
}

static double
mean (const Results *results, unsigned column, unsigned from, unsigned to)
{
  double sum = 0;
  unsigned n = 0;

  for (unsigned i = from; i < to; i++)
    if (!isnan (results->values[i][column])) {
      sum += results->values[i][column];
      n++;
    }
  return n ? sum / n : NAN;
}

static double
extreme (const Results *results, unsigned column, unsigned n, bool most)
{
  double found = NAN;

  for (unsigned i = 0; i < n; i++) {
    double x = results->values[i][column];

    if (isnan (found) || (most ? x > found : x < found))
      found = x;
  }
  return found;
}

static const struct
{
  SetSummary kind;
  const char *name;
} summaries[] = { { SET_MEAN, "mean" }, { SET_LEAST, "least" }, { SET_MOST, "most" } };

static double
sum_up (const Results *results, SetSummary kind, unsigned column, unsigned n_runs)
{
  if (kind == SET_MEAN)
    return mean (results, column, 0, n_runs);
  return extreme (results, column, n_runs, kind == SET_MOST);
}

static void
print_summary (const LoopSet *set, const Results *results, unsigned n_runs, bool for_programs)
{
  if (!for_programs)
    printf ("%s:", set->name);
  for (unsigned k = 0; set->columns[k].name; k++)
    for (unsigned i = 0; i < sizeof summaries / sizeof *summaries; i++) {
      const SetColumn *column = &set->columns[k];
      double value = sum_up (results, summaries[i].kind, k, n_runs);

      if (!(column->summary & summaries[i].kind))
        continue;
      if (for_programs)
        printf ("%s %s %s %.6g\n", set->name, summaries[i].name, column->name, value);
      else
        printf ("  %s %s %.*f", summaries[i].name, column->name, column->decimals, value);
    }
  if (!for_programs)
    printf ("\n");
}

static void
print_value (double value, int decimals)
{
  if (isnan (value))
    printf (" %8s", "-");
  else
    printf (" %8.*f", decimals, value);
}

static void
print_table (const LoopSet *set, const Options *options, const Results *results)
{
  printf ("%s: %s\n%-*s", set->name, set->what, NAME_WIDTH, "");
  for (unsigned k = 0; set->columns[k].name; k++)
    printf (" %8s", set->columns[k].name);
  printf ("\n");
  for (unsigned i = 0; i < set->n_cases; i++) {
    SetCase *c = calloc (1, sizeof *c);

    c->config.seed = 1;
    set->fill (i, c);
    printf ("%-*s", NAME_WIDTH, c->name);
    for (unsigned k = 0; set->columns[k].name; k++)
      print_value (mean (results, k, i * options->seeds, (i + 1) * options->seeds),
          set->columns[k].decimals);
    printf ("\n");
    free (c->opportunities);
    free (c);
  }
}

static bool
report_set (const LoopSet *set, const Options *options)
{
  unsigned n_runs = set->n_cases * options->seeds;
  size_t bytes = sizeof (Results) + n_runs * sizeof (double[SET_MAX_COLUMNS]);
  Results *results = mmap (NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  bool good;

  if (results == MAP_FAILED)
    return false;
  good = run_all (set, options, results);
  if (!options->quiet && !options->for_programs)
    print_table (set, options, results);
  print_summary (set, results, n_runs, options->for_programs);
  munmap (results, bytes);
  return good;
}

static bool
wanted (const LoopSet *set, const Options *options)
{
  bool any = false;

  for (int i = 0; i < options->n_args; i++) {
    any = any || !strchr (options->args[i], '=');
    if (strcmp (options->args[i], set->name) == 0)
      return true;
  }
  return !any && set->n_cases > 0;
}

static bool
understand (int argc, char **argv, Options *options)
{
  int option;

  *options = (Options) { .jobs = (int) sysconf (_SC_NPROCESSORS_ONLN), .seeds = 1 };
  while ((option = getopt (argc, argv, "j:mn:pqt:")) != -1) {
    if (option == 'j')
      options->jobs = atoi (optarg);
    else if (option == 'n')
      options->seeds = (unsigned) atoi (optarg);
    else if (option == 'q')
      options->quiet = true;
    else if (option == 'm')
      options->for_programs = true;
    else if (option == 't' && !traceset_add (optarg)) {
      fprintf (stderr, "loop-sets: %s is no trace\n", optarg);
      return false;
    } else if (option == 't')
      continue;
    else if (option == 'p')
      options->lists_params = true;
    else
      return false;
  }
  options->args = argv + optind;
  options->n_args = argc - optind;
  for (int i = 0; i < options->n_args; i++)
    if (!strchr (options->args[i], '=') && !loop_set_find (options->args[i])) {
      fprintf (stderr, "loop-sets: no set %s\n", options->args[i]);
      return false;
    }
  return options->jobs > 0 && options->seeds > 0;
}

static void
print_params (void)
{
  RcController law;
  double value;

  rc_controller_init (&law, rc_law_find ("arc"), RC_PROFILE_LIVE);
  for (const RcParam *p = law.law->params; p->name; p++)
    if (rc_controller_get_param (&law, p->name, &value))
      printf ("%s %.9g %.9g %.9g\n", p->name, value, p->min, p->max);
}

int
main (int argc, char **argv)
{
  Options options;
  const char *bad;
  bool good = true;

  if (!understand (argc, argv, &options))
    return 2;
  if (options.lists_params) {
    print_params ();
    return 0;
  }
  bad = overrides_find_bad (options.args, options.n_args);
  if (bad) {
    fprintf (stderr, "loop-sets: %s: no parameter of the live law, or out of its bounds\n", bad);
    return 2;
  }
  for (unsigned i = 0; loop_sets[i]; i++)
    if (wanted (loop_sets[i], &options))
      good = report_set (loop_sets[i], &options) && good;
  return good ? 0 : 1;
}
