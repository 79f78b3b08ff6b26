/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* loop-sets [-j JOBS] [-n SEEDS] [-k CASE] [-s STEP] [-q | -m | -r | -w] [-c FOLDER] [-e FOLDER]
 * [-f FORMAT] [-t FILE]... [-x TEXT] [SET...] [NAME=VALUE...]: runs sets of closed-loop cases in
 * virtual time, JOBS at once (as many as there are processors), each with SEEDS seeds (1), and
 * prints a table for each set: a line for each case with its means over the seeds, and a summary
 * over all of them. -w prints in each line the worst seed's value of each column: the least or the
 * most, as the column's summary has it, or the mean. -q prints the summaries alone, -m the same for
 * programs: set, kind, column, value. -r prints, for programs, each run: set, case, seed, column,
 * which of its values is the worst, decimals and value, with tabs between them. -c writes the rates
 * and the queue over time of each case of seed 1 to FOLDER/SET-NUMBER.csv, the first case being 0.
 * -e writes the event trace of each flow of ours to FOLDER/SET-NUMBER-SEED-FLOW.sqlog
 * (docs/reference/trace.md). -k runs the case with this number alone, -s each STEP-th case from the
 * first on; -x does not run those whose name has the text. -f is the format of the receivers'
 * feedback: native, rfc8888 or twcc. -t adds a recorded trace to the set traces: opportunities in
 * mahimahi's format, or with a name that ends with .kbps the capacity over time
 * (opportunitylist.h). NAME=VALUE overrides a parameter of the live law. Without SET all sets run
 * but the longest, such as drives, which takes a minute.
 *
 * loop-sets -p prints the parameters of the live law: name, default, least, most. */
#include <math.h>
#include <rc/law/controller.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "overrides.h"
#include "setrun.h"
#include "sets.h"

#define NAME_WIDTH 50

typedef struct
{
  SetRunOptions run;
  bool quiet, for_programs, each_run, worst, lists_params;
} Options;

static const struct
{
  SetSummary kind;
  const char *name;
} summaries[] = { { SET_MEAN, "mean" }, { SET_LEAST, "least" }, { SET_MOST, "most" } };

static const char *
summary_name (SetSummary kind)
{
  for (unsigned i = 0; i < sizeof summaries / sizeof *summaries; i++)
    if (summaries[i].kind == kind)
      return summaries[i].name;
  return "";
}

static SetSummary
worst_of (const SetColumn *column)
{
  if (column->summary & SET_LEAST)
    return SET_LEAST;
  return column->summary & SET_MOST ? SET_MOST : SET_MEAN;
}

static void
print_summary (const LoopSet *set, const SetRun *run, bool for_programs)
{
  if (!for_programs)
    printf ("%s:", set->name);
  for (unsigned k = 0; set->columns[k].name; k++)
    for (unsigned i = 0; i < sizeof summaries / sizeof *summaries; i++) {
      const SetColumn *column = &set->columns[k];
      double value = set_run_sum_up (run, summaries[i].kind, k);

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

/* Free with free_case (). */
static SetCase *
get_case (const LoopSet *set, unsigned index)
{
  SetCase *c = calloc (1, sizeof *c);

  c->config.seed = 1;
  set->fill (index, c);
  return c;
}

static void
free_case (SetCase *c)
{
  free (c->opportunities);
  free (c->second_opportunities);
  free (c);
}

static void
print_runs (const LoopSet *set, const SetRun *run, const Options *options)
{
  for (unsigned i = 0; i < set->n_cases; i++) {
    SetCase *c;

    if (set_run_leaves_out (&options->run, i))
      continue;
    c = get_case (set, i);
    for (unsigned seed = 0; seed < options->run.seeds; seed++)
      for (unsigned k = 0; set->columns[k].name; k++)
        printf ("%s\t%s\t%u\t%s\t%s\t%d\t%.9g\n", set->name, c->name, seed + 1,
            set->columns[k].name, summary_name (worst_of (&set->columns[k])),
            set->columns[k].decimals, set_run_value (run, i, seed, k));
    free_case (c);
  }
}

static void
print_table (const LoopSet *set, const SetRun *run, const Options *options)
{
  printf ("%s: %s\n%-*s", set->name, set->what, NAME_WIDTH, "");
  for (unsigned k = 0; set->columns[k].name; k++)
    printf (" %8s", set->columns[k].name);
  printf ("\n");
  for (unsigned i = 0; i < set->n_cases; i++) {
    SetCase *c;

    if (set_run_leaves_out (&options->run, i))
      continue;
    c = get_case (set, i);
    printf ("%-*s", NAME_WIDTH, c->name);
    for (unsigned k = 0; set->columns[k].name; k++)
      print_value (set_run_case (run,
              options->worst ? worst_of (&set->columns[k]) : SET_MEAN, i, k),
          set->columns[k].decimals);
    printf ("\n");
    free_case (c);
  }
}

static bool
report_set (const LoopSet *set, const Options *options)
{
  SetRun *run = set_run (set, &options->run);

  if (!run)
    return false;
  if (options->each_run) {
    print_runs (set, run, options);
  } else {
    if (!options->quiet && !options->for_programs)
      print_table (set, run, options);
    print_summary (set, run, options->for_programs);
  }
  set_run_free (run);
  return true;
}

static bool
wanted (const LoopSet *set, const SetRunOptions *options)
{
  bool any = false;

  for (int i = 0; i < options->n_args; i++) {
    any = any || !strchr (options->args[i], '=');
    if (strcmp (options->args[i], set->name) == 0)
      return true;
  }
  return !any && set->n_cases > 0 && !set->only_by_name;
}

static bool
find_format (const char *name, LoopFormat *format)
{
  static const char *const names[] = { "native", "rfc8888", "twcc" };

  for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp (name, names[i]) == 0) {
      *format = (LoopFormat) i;
      return true;
    }
  fprintf (stderr, "loop-sets: no format %s\n", name);
  return false;
}

static bool
understand (int argc, char **argv, Options *options)
{
  int option;

  options->run = (SetRunOptions) { .jobs = (int) sysconf (_SC_NPROCESSORS_ONLN), .seeds = 1 };
  while ((option = getopt (argc, argv, "c:e:f:j:k:mn:pqrs:t:wx:")) != -1) {
    if (option == 'j')
      options->run.jobs = atoi (optarg);
    else if (option == 'c')
      options->run.csv_folder = optarg;
    else if (option == 'e')
      options->run.trace_folder = optarg;
    else if (option == 'k')
      options->run.only = (unsigned) atoi (optarg) + 1;
    else if (option == 's')
      options->run.step = (unsigned) atoi (optarg);
    else if (option == 'x')
      options->run.without = optarg;
    else if (option == 'f' && !find_format (optarg, &options->run.format))
      return false;
    else if (option == 'f')
      continue;
    else if (option == 'n')
      options->run.seeds = (unsigned) atoi (optarg);
    else if (option == 'q')
      options->quiet = true;
    else if (option == 'm')
      options->for_programs = true;
    else if (option == 'r')
      options->each_run = true;
    else if (option == 'w')
      options->worst = true;
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
  options->run.args = argv + optind;
  options->run.n_args = argc - optind;
  for (int i = optind; i < argc; i++)
    if (!strchr (argv[i], '=') && !loop_set_find (argv[i])) {
      fprintf (stderr, "loop-sets: no set %s\n", argv[i]);
      return false;
    }
  return options->run.jobs > 0 && options->run.seeds > 0;
}

static void
print_params (void)
{
  RcParam p;

  for (unsigned i = 0; rc_law_param (rc_law_find ("arc"), i, &p); i++)
    printf ("%s %.9g %.9g %.9g\n", p.name, p.initial, p.min, p.max);
}

int
main (int argc, char **argv)
{
  Options options = { .quiet = false };
  const char *bad;
  bool good = true;

  if (!understand (argc, argv, &options))
    return 2;
  if (options.lists_params) {
    print_params ();
    return 0;
  }
  bad = overrides_find_bad (options.run.args, options.run.n_args);
  if (bad) {
    fprintf (stderr, "loop-sets: %s: no parameter of the live law, or out of its bounds\n", bad);
    return 2;
  }
  for (unsigned i = 0; loop_sets[i]; i++)
    if (wanted (loop_sets[i], &options.run))
      good = report_set (loop_sets[i], &options) && good;
  return good ? 0 : 1;
}
