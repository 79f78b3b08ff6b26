/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/base/recent.h>

#include "claim.h"

static RcRecent recent;

BEFORE_EACH
{
  rc_recent_init (&recent);
}

CLAIM (test_nothing_is_known_of_no_values)
{
  fail_unless_equals_int64 (rc_recent_quantile (&recent, 0.5), RC_TIME_NONE);
}

/* 1 to 100 ms in an order that jumps. */
CLAIM (test_quantiles_are_those_of_the_sorted_values)
{
  for (guint i = 0; i < 100; i++)
    rc_recent_add (&recent, (1 + i * 37 % 100) * RC_MSEC);
  fail_unless_equals_int64 (rc_recent_quantile (&recent, 0), 1 * RC_MSEC);
  fail_unless_equals_int64 (rc_recent_quantile (&recent, 0.50), 50 * RC_MSEC);
  fail_unless_equals_int64 (rc_recent_quantile (&recent, 0.95), 95 * RC_MSEC);
  fail_unless_equals_int64 (rc_recent_quantile (&recent, 1), 100 * RC_MSEC);
}

CLAIM (test_many_equal_values_are_no_trouble)
{
  for (guint i = 0; i < 200; i++)
    rc_recent_add (&recent, i % 10 ? 5 * RC_MSEC : 9 * RC_MSEC);
  fail_unless_equals_int64 (rc_recent_quantile (&recent, 0.90), 5 * RC_MSEC);
  fail_unless_equals_int64 (rc_recent_quantile (&recent, 0.91), 9 * RC_MSEC);
}

CLAIM (test_what_is_older_than_the_last_ones_is_forgotten)
{
  rc_recent_add (&recent, RC_SECOND);
  for (guint i = 0; i < RC_RECENT_SIZE; i++)
    rc_recent_add (&recent, RC_MSEC);
  fail_unless_equals_int64 (rc_recent_quantile (&recent, 1), RC_MSEC);
}

CLAIM (test_extremes_are_kept_in_bounds)
{
  rc_recent_add (&recent, -5);
  rc_recent_add (&recent, G_MAXINT64);
  fail_unless_equals_int64 (rc_recent_quantile (&recent, 0.5), 0);
  fail_unless_equals_int64 (rc_recent_quantile (&recent, 1), 3600 * RC_SECOND);
}
