/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* loop-report [-c CSV-FOLDER] [-e TRACE-FOLDER] [-s SEED] [CASE...] [NAME=VALUE...]: runs
 * closed-loop cases in virtual time and prints, for each span between capacity steps (from 3 s
 * after its start): utilisation, queueing delay, drops, share of each flow. NAME=VALUE overrides a
 * parameter of the law for every flow. -e writes the event trace of each flow of ours to
 * TRACE-FOLDER/CASE-FLOW.sqlog (docs/reference/trace.md). -l 1 prints instead, of each case, its
 * name, the rates of the first link (second:bit/s) and the starts of the flows over it (seconds),
 * for comparison with the cases of lab/. */
#include "caseparts.h"
#include "cases.h"
#include "overrides.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void
print_span (const Loop *loop, const LoopConfig *config, const CaseSpan *span)
{
  double from_s = span->from_s, to_s = span->to_s;

  printf ("  %5.0f-%-4.0f util %.3f  queue mean %5.1f p50 %5.1f p95 %5.1f max %5.1f ms  ", from_s,
      to_s, case_use (loop, config, span), loop_queue_ms (loop, -1, from_s, to_s),
      loop_queue_ms (loop, 0.5, from_s, to_s), loop_queue_ms (loop, 0.95, from_s, to_s),
      loop_queue_ms (loop, 1, from_s, to_s));
  printf ("drops %3u  jain %.3f ", loop_drops (loop, from_s, to_s), loop_jain (loop, from_s, to_s));
  for (unsigned i = 0; i < config->n_flows; i++)
    printf (" %.2f", loop_served_bps (loop, (int) i, from_s, to_s) / 1e6);
  printf ("\n");
}

static void
print_case (const LoopCase *c, const LoopConfig *config, const char *csv)
{
  Loop *loop = loop_run (config);
  CaseSpan spans[CASE_MAX_SPANS];
  unsigned n = case_spans (config, spans);

  printf ("%s: %s; 80 %% of capacity after %.1f s\n", c->name, c->what,
      loop_reached_at_s (loop, 0, 0.8 * loop_capacity_bps (loop, 0, 1), 0));
  for (unsigned i = 0; i < n; i++)
    print_span (loop, config, &spans[i]);
  if (csv) {
    char path[512];

    snprintf (path, sizeof path, "%s/%s.csv", csv, c->name);
    loop_write_csv (loop, path);
  }
  loop_free (loop);
}

static bool
wanted (const char *name, char **args, int n)
{
  bool any = false;

  for (int i = 0; i < n; i++) {
    if (strchr (args[i], '='))
      continue;
    if (strcmp (args[i], name) == 0)
      return true;
    any = true;
  }
  return !any;
}

static void
print_table_row (const LoopCase *c, const LoopConfig *config)
{
  uint64_t rate_bps = config->links[0].rate_bps;
  const char *before = " ";

  printf ("%s 0:%.0f", c->name, (double) rate_bps);
  for (unsigned i = 0; config->steps[i].rate_bps; i++)
    if (config->steps[i].link == 0 && config->steps[i].rate_bps != rate_bps) {
      rate_bps = config->steps[i].rate_bps;
      printf (",%g:%.0f", rc_time_to_s (config->steps[i].at), (double) rate_bps);
    }
  for (unsigned i = 0; i < config->n_flows; i++)
    if (config->flows[i].path & 1) {
      printf ("%s%g", before, rc_time_to_s (config->flows[i].start_at));
      before = ",";
    }
  printf ("\n");
}

int
main (int argc, char **argv)
{
  const char *csv = NULL, *traces = NULL;
  uint64_t seed = 1;
  bool list = false;
  int i = 1;

  for (; i + 1 < argc && argv[i][0] == '-'; i += 2) {
    if (strcmp (argv[i], "-c") == 0)
      csv = argv[i + 1];
    else if (strcmp (argv[i], "-e") == 0)
      traces = argv[i + 1];
    else if (strcmp (argv[i], "-s") == 0)
      seed = strtoull (argv[i + 1], NULL, 10);
    else if (strcmp (argv[i], "-l") == 0)
      list = true;
  }
  for (const LoopCase *c = loop_cases; c->name; c++) {
    LoopConfig config;

    if (!wanted (c->name, argv + i, argc - i))
      continue;
    loop_case_config (c->name, seed, &config);
    config.trace_folder = traces;
    config.trace_name = c->name;
    overrides_apply (argv + i, argc - i, &config);
    if (list)
      print_table_row (c, &config);
    else
      print_case (c, &config, csv);
  }
  return 0;
}
