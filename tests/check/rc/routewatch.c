/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/path/routewatch.h>

#include "claim.h"

#define TOLERANCE (17 * RC_MSEC)
#define SPAN (250 * RC_MSEC)
#define REPORT (25 * RC_MSEC)

/* The number of the first report that finds a route, 0: none of so many. */
static guint
found (RcTime delay, RcTime change, gdouble sent_ratio, guint reports)
{
  RcRouteWatch watch;

  rc_routewatch_init (&watch);
  for (guint i = 1; i <= reports; i++, delay += change)
    if (rc_routewatch_add (&watch, delay, sent_ratio, TOLERANCE, SPAN, i * REPORT))
      return i;
  return 0;
}

CLAIM (test_delay_that_stays_though_we_drain_is_the_routes)
{
  /* span: 10 reports after the first; at 0.8 of B a queue of ours would have fallen by 50 ms,
   * more than two tolerances */
  fail_unless_equals_int (found (100 * RC_MSEC, 0, 0.8, 40), 11);
  /* at 0.95 two tolerances take 0.68 s: 28 reports */
  fail_unless_equals_int (found (100 * RC_MSEC, 0, 0.95, 40), 29);
}

CLAIM (test_delay_that_falls_is_a_queue)
{
  fail_unless_equals_int (found (300 * RC_MSEC, -5 * RC_MSEC, 0.8, 40), 0);
}

CLAIM (test_nothing_is_known_while_we_do_not_drain)
{
  fail_unless_equals_int (found (100 * RC_MSEC, 0, 1, 400), 0);
  fail_unless_equals_int (found (100 * RC_MSEC, 0, 1.2, 400), 0);
}

CLAIM (test_restart_forgets)
{
  RcRouteWatch watch;
  guint i;

  rc_routewatch_init (&watch);
  for (i = 1; i <= 10; i++)
    fail_if (rc_routewatch_add (&watch, 100 * RC_MSEC, 0.8, TOLERANCE, SPAN, i * REPORT));
  rc_routewatch_restart (&watch);
  for (; i <= 20; i++)
    fail_if (rc_routewatch_add (&watch, 100 * RC_MSEC, 0.8, TOLERANCE, SPAN, i * REPORT));
}
