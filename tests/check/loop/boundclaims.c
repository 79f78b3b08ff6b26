/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The bound of links that vary: what it is where it can be computed by hand, and that no loop of
 * ours beats it. */

#include "bound.h"
#include "claim.h"
#include "opportunitylist.h"
#include "sets.h"

#define LENGTH_MS 20000
#define FROM (5 * RC_SECOND)

/* Mbit/s that change in turns, each for so long. */
static OpportunityList
made (double first_mbps, double second_mbps, guint each_ms)
{
  OpportunityList list = { 0 };

  for (guint ms = 0; ms < LENGTH_MS; ms++)
    opportunitylist_add_ms (&list, 1e6 * ((ms / each_ms) % 2 ? second_mbps : first_mbps));
  return list;
}

static void
curve_of (BoundCurve * curve, OpportunityList list, guint delay_ms)
{
  bound_curve (curve, list.at, list.n, FROM, list.length, delay_ms * RC_MSEC);
  free (list.at);
}

CLAIM (constant_link_is_used_whole_without_a_delay)
{
  BoundCurve curve;

  curve_of (&curve, made (12, 12, 1000), 50);
  fail_unless (bound_use (&curve, 2) > 0.99, "%f", bound_use (&curve, 2));
}

/* Between 12 and 4 Mbit/s each 0.5 s, 100 ms late. Without a queue the sender loses 8 Mbit/s for
 * 0.1 s at each rise, which is 10 % of the capacity. */
CLAIM (late_knowledge_costs_use_or_delay)
{
  BoundCurve curve;

  curve_of (&curve, made (12, 4, 500), 100);
  fail_unless (bound_use (&curve, 5) < 0.9, "%f", bound_use (&curve, 5));
  fail_unless (bound_use (&curve, 500) > 0.97, "%f", bound_use (&curve, 500));
  fail_unless (bound_p95_ms (&curve, 0.95) > 50, "%f", bound_p95_ms (&curve, 0.95));
}

CLAIM (curve_rises_and_a_longer_delay_is_never_better)
{
  BoundCurve soon, late;

  curve_of (&soon, made (8, 2, 300), 20);
  curve_of (&late, made (8, 2, 300), 200);
  for (guint i = 1; i < soon.n; i++) {
    fail_unless (soon.points[i].p95_ms > soon.points[i - 1].p95_ms);
    fail_unless (soon.points[i].use > soon.points[i - 1].use);
  }
  for (guint i = 0; i < late.n; i++)
    fail_unless (bound_use (&soon, late.points[i].p95_ms) >= late.points[i].use - 0.002);
}

/* What waits because the link stands still is nobody's fault. */
CLAIM (outages_do_not_count_as_delay)
{
  BoundCurve curve;
  OpportunityList list = { 0 };

  for (guint ms = 0; ms < LENGTH_MS; ms++)
    opportunitylist_add_ms (&list, ms % 4000 < 3700 ? 10e6 : 0);
  curve_of (&curve, list, 20);
  fail_unless (bound_p95_ms (&curve, 0.97) < 100, "%f", bound_p95_ms (&curve, 0.97));
}

CLAIM (no_loop_of_ours_beats_it)
{
  const LoopSet *set = loop_set_find ("cellular");

  for (guint i = 0; i < set->n_cases; i += 2) {
    SetCase *c = g_new0 (SetCase, 1);
    double values[SET_MAX_COLUMNS];
    BoundCurve curve;
    Loop *loop;

    c->config.seed = 1;
    set->fill (i, c);
    loop = loop_run (&c->config);
    set->measure (loop, &c->config, values);
    bound_curve (&curve, c->opportunities, c->config.links[0].n_opportunities, FROM,
        c->config.length, c->config.flows[0].rtt);
    fail_unless (values[0] <= bound_use (&curve, values[2]), "%s: %f at %f ms, bound %f", c->name,
        values[0], values[2], bound_use (&curve, values[2]));
    loop_free (loop);
    free (c->opportunities);
    g_free (c);
  }
}
