/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/keyframe/keybudget.h>

#include "claim.h"

/* Asks each 20 ms. */
static guint
ask_for (RcKeyBudget * budget, RcTime from, RcTime span)
{
  guint n = 0;

  for (RcTime now = from; now < from + span; now += 20 * RC_MSEC)
    n += rc_keybudget_take (budget, now);
  return n;
}

CLAIM (test_who_asks_all_the_time_gets_one_an_interval)
{
  RcKeyBudget budget = { 0 };

  fail_unless_equals_int (ask_for (&budget, RC_SECOND, RC_SECOND), RC_KEYBUDGET_BURST);
  fail_unless_equals_int (ask_for (&budget, 2 * RC_SECOND, 60 * RC_SECOND), 30);
}

CLAIM (test_who_asks_seldom_is_never_refused)
{
  RcKeyBudget budget = { 0 };

  for (guint i = 0; i < 100; i++)
    fail_unless (rc_keybudget_take (&budget, i * RC_KEYBUDGET_INTERVAL));
}

CLAIM (test_who_was_quiet_for_long_has_no_more_than_a_burst)
{
  RcKeyBudget budget = { 0 };

  ask_for (&budget, RC_SECOND, 10 * RC_SECOND);
  fail_unless_equals_int (ask_for (&budget, 1000 * RC_SECOND, RC_SECOND), RC_KEYBUDGET_BURST);
}
