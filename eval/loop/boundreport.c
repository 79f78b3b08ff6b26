/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* loop-bound [-r RTT_MS] SET | FILE...: for each case of a set whose link serves by opportunities,
 * or for each trace, what a sender could get at best that learns the link's state a round trip
 * late (bound.h): lines "set, case, p95_ms, use", separated by tabs. A file is in mahimahi's
 * format, or has the capacity over time and a name that ends with .kbps (opportunitylist.h); it is
 * taken from 5 s on, for at most two minutes. -r: its round-trip time, 50 ms if none is given. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bound.h"
#include "opportunitylist.h"
#include "sets.h"

#define FROM (5 * RC_SECOND)
#define MOST_LENGTH (120 * RC_SECOND)
#define RTT_MS 50

static void
print_curve (const char *set, const char *name, const RcTime *at, uint32_t n, RcTime length,
    RcTime rtt)
{
  BoundCurve curve;

  bound_curve (&curve, at, n, FROM, length, rtt);
  for (unsigned i = 0; i < curve.n; i++)
    printf ("%s\t%s\t%.0f\t%.4f\n", set, name, curve.points[i].p95_ms, curve.points[i].use);
  fflush (stdout);
}

static bool
report_set (const LoopSet *set)
{
  bool good = true;

  for (unsigned i = 0; i < set->n_cases; i++) {
    SetCase *c = calloc (1, sizeof *c);

    c->config.seed = 1;
    set->fill (i, c);
    if (c->opportunities)
      print_curve (set->name, c->name, c->opportunities, c->config.links[0].n_opportunities,
          c->config.length, c->config.flows[0].rtt);
    else
      good = false;
    free (c->opportunities);
    free (c);
  }
  return good;
}

static bool
report_file (const char *path, RcTime rtt)
{
  OpportunityList list = { 0 };
  const char *slash = strrchr (path, '/');
  bool good = opportunitylist_read (&list, path) && list.length > FROM;

  if (good)
    print_curve ("traces", slash ? slash + 1 : path, list.at, list.n,
        rc_sooner (list.length, MOST_LENGTH), rtt);
  free (list.at);
  return good;
}

int
main (int argc, char **argv)
{
  RcTime rtt = RTT_MS * RC_MSEC;
  int option;

  while ((option = getopt (argc, argv, "r:")) != -1)
    if (option != 'r' || (rtt = (RcTime) atoi (optarg) * RC_MSEC) <= 0)
      return 2;
  for (int i = optind; i < argc; i++) {
    const LoopSet *set = loop_set_find (argv[i]);

    if (!(set ? report_set (set) : report_file (argv[i], rtt))) {
      fprintf (stderr, "loop-bound: %s is no set of traces, and no trace of more than 5 s\n",
          argv[i]);
      return 2;
    }
  }
  return 0;
}
