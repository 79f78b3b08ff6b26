/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What reports show of the path, and when a missing one is a timeout. */
#include <math.h>
#include <rc/feedback/feedback.h>
#include <rc/path/path.h>
#include <rc/path/use.h>

#include "claim.h"

#define RECEIVER_CLOCK (7777 * RC_SECOND)

static void
tell (RcPath * path, RcTime rtt, RcTime owd, RcTime now)
{
  RcFeedback feedback = {.rtt = rtt,.owd_remote = RECEIVER_CLOCK + owd,.sent_at = now - rtt,
      .bandwidth_bps = 1000000 };

  feedback.received_pkts = 5;
  feedback.received_bytes = 6000;
  rc_path_on_feedback (path, &feedback, true, now);
}

/* [ARC 3.1.1] Tq = RTT - mRTT */
CLAIM (test_queueing_delay_is_rtt_over_its_minimum)
{
  RcPath path;

  rc_path_init (&path, 5, true, 0);
  fail_unless (rc_path_base_rtt_s (&path) == 1 && rc_path_srtt_s (&path) == 1,
      "RFC 8085: 1 s until known");
  tell (&path, 100 * RC_MSEC, 50 * RC_MSEC, RC_SECOND);
  tell (&path, 130 * RC_MSEC, 50 * RC_MSEC, 2 * RC_SECOND);
  fail_unless_equals_int64 (path.tq, 30 * RC_MSEC);
  fail_unless_equals_int64 (path.srtt, 100 * RC_MSEC + 30 * RC_MSEC / 8);
  fail_unless (rc_path_base_rtt_s (&path) == 0.1);
}

CLAIM (test_report_without_a_sample_keeps_the_delay)
{
  RcPath path;

  rc_path_init (&path, 5, true, 0);
  tell (&path, 100 * RC_MSEC, 50 * RC_MSEC, RC_SECOND);
  tell (&path, 130 * RC_MSEC, 50 * RC_MSEC, 2 * RC_SECOND);
  tell (&path, RC_TIME_NONE, 0, 3 * RC_SECOND);
  fail_unless_equals_int64 (path.tq, 30 * RC_MSEC);
}

/* Half a second at half of the allowed rate. */
CLAIM (test_use_is_what_was_sent_of_what_was_allowed)
{
  RcUse use;

  rc_use_init (&use, 0);
  for (RcTime now = 0; now < 5 * RC_SECOND; now += 10 * RC_MSEC)
    rc_use_update (&use, 1e6, 5e3, now);
  fail_unless (rc_use_reaches (&use, 0.45));
  fail_if (rc_use_reaches (&use, 0.55));
}

/* [ARC 3.1.4] from when enough was sent for a report: until then it may be held back. Each further
 * one takes twice as long. */
CLAIM (test_timeout_counts_from_what_pays_for_a_report)
{
  RcFeedback feedback = {.policy = {2000, 250 * RC_MSEC},.rtt = RC_TIME_NONE };
  RcPath path;

  rc_path_init (&path, 5, true, 0);
  rc_path_on_feedback (&path, &feedback, true, 0);
  rc_path_on_sent (&path, 1999, RC_SECOND);
  fail_unless_equals_int64 (rc_path_timeout_after (&path, 0.2, 0), RC_TIME_NONE);
  rc_path_on_sent (&path, 1, 1100 * RC_MSEC);
  fail_unless_equals_int64 (rc_path_timeout_after (&path, 0.2, 0), 1300 * RC_MSEC);
  fail_unless_equals_int64 (rc_path_timeout_after (&path, 0.2, 1), 1700 * RC_MSEC);
  fail_unless_equals_int64 (rc_path_timeout_after (&path, 0.2, 2), 2500 * RC_MSEC);
}

/* A format whose receiver holds nothing back. */
CLAIM (test_policy_is_that_of_the_reports)
{
  RcFeedback feedback = {.policy = {0, 100 * RC_MSEC},.rtt = RC_TIME_NONE };
  RcPath path;

  rc_path_init (&path, 5, true, 0);
  rc_path_on_feedback (&path, &feedback, true, 0);
  rc_path_on_sent (&path, 100, RC_SECOND);
  fail_unless_equals_int64 (rc_path_timeout_after (&path, 0.2, 0), 1200 * RC_MSEC);
}
