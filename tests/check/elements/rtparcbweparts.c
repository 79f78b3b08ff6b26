/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The parts of rtparcbwe that know no pads. */

#include <rtparcbwe/pushtimes.h>
#include <pacing/rtxbudget.h>

#include "claim.h"

static PushTimes times;

CLAIM (test_packet_of_a_slow_push_left_at_its_end)
{
  push_times_init (&times);
  push_times_add (&times, RC_SECOND, RC_SECOND + 200 * RC_MSEC);
  fail_unless_equals_int64 (push_times_departure (&times, RC_SECOND + RC_MSEC),
      RC_SECOND + 200 * RC_MSEC);
  fail_unless_equals_int64 (push_times_departure (&times, RC_SECOND - 1), RC_SECOND - 1);
  fail_unless_equals_int64 (push_times_departure (&times, 2 * RC_SECOND), 2 * RC_SECOND);
  push_times_clear (&times);
}

CLAIM (test_packet_of_a_quick_push_left_when_it_entered)
{
  push_times_init (&times);
  push_times_add (&times, RC_SECOND, RC_SECOND + 40 * RC_MSEC);
  fail_unless_equals_int64 (push_times_departure (&times, RC_SECOND + 1), RC_SECOND + 1);
  push_times_clear (&times);
}

CLAIM (test_latest_slow_pushes_are_remembered)
{
  const guint n = 3 * PUSH_TIMES_MAX;

  push_times_init (&times);
  for (guint i = 0; i < n; i++)
    push_times_add (&times, i * RC_SECOND, i * RC_SECOND + 60 * RC_MSEC);
  for (guint i = n - PUSH_TIMES_MAX; i < n; i++)
    fail_unless_equals_int64 (push_times_departure (&times, i * RC_SECOND + RC_MSEC),
        i * RC_SECOND + 60 * RC_MSEC);
  push_times_clear (&times);
}

/* Asks 1000 times a second. */
static guint64
passed_bytes (RtxBudget * budget, guint64 rate_bps, guint seconds, RcTime from)
{
  guint64 bytes = 0;

  for (guint i = 0; i < seconds * 1000; i++)
    if (rtx_budget_take (budget, 1000, rate_bps, from + i * RC_MSEC))
      bytes += 1000;
  return bytes;
}

CLAIM (test_retransmissions_get_a_fifth_of_the_rate)
{
  RtxBudget budget;
  guint64 bytes;

  rtx_budget_init (&budget, RTX_BUDGET_FOREIGN);
  passed_bytes (&budget, 2000000, 1, 0);
  bytes = passed_bytes (&budget, 2000000, 10, RC_SECOND);
  fail_unless (bytes > 490000 && bytes <= 501000, "%" G_GUINT64_FORMAT, bytes);
}

CLAIM (test_pause_saves_up_no_more_than_half_a_second)
{
  RtxBudget budget;
  guint64 bytes = 0;

  rtx_budget_init (&budget, RTX_BUDGET_FOREIGN);
  passed_bytes (&budget, 2000000, 1, 0);
  for (guint i = 0; i < 1000; i++)
    bytes += rtx_budget_take (&budget, 1000, 2000000, 100 * RC_SECOND) ? 1000 : 0;
  fail_unless_equals_uint64 (bytes, 25000);
}
