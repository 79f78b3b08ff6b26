/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/pace/paceplan.h>

#include "claim.h"

static RcPaceFacts facts;

BEFORE_EACH
{
  facts = (RcPaceFacts) {.answered = true,.lost_at = RC_TIME_NONE };
}

static RcTime
slot (void)
{
  return rc_pace_slot (&facts, 60 * RC_SECOND);
}

CLAIM (test_a_path_that_answers_gets_slots_of_one_ms)
{
  fail_unless (slot () == RC_MSEC);
}

CLAIM (test_before_the_first_report_single_packets_leave)
{
  facts.answered = false;
  fail_unless (slot () == 0);
}

CLAIM (test_a_rate_that_the_user_fixed_is_paced_exactly)
{
  facts.exact = true;
  fail_unless (slot () == 0);
}

CLAIM (test_an_l4s_queue_gets_single_packets)
{
  facts.l4s = true;
  fail_unless (slot () == 0);
}

CLAIM (test_for_ten_seconds_after_a_loss_single_packets_leave)
{
  facts.lost_at = 51 * RC_SECOND;
  fail_unless (slot () == 0);
  facts.lost_at = 49 * RC_SECOND;
  fail_unless (slot () == RC_MSEC);
}
