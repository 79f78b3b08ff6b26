/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/receiver/rtcptiming.h>

#include "claim.h"

#define START (10 * RC_SECOND)
#define MESSAGE_BYTES 100

static const RcRtcpRule lists = RC_RTCP_RULE_LISTS, avpf = RC_RTCP_RULE_AVPF,
    avp = RC_RTCP_RULE_AVP;
static RcRtcpTiming timing;

/* After a first message at START. */
BEFORE_EACH
{
  rc_rtcptiming_init (&timing);
  rc_rtcptiming_on_sent (&timing, START);
}

static RcTime
due_after (const RcRtcpRule * rule, RcTime now)
{
  RcTime at = rc_rtcptiming_due_at (&timing, rule, MESSAGE_BYTES, now);

  return at == RC_TIME_NONE ? RC_TIME_NONE : at - START;
}

CLAIM (test_first_message_is_due_at_the_first_packet)
{
  rc_rtcptiming_init (&timing);
  fail_unless_equals_int64 (rc_rtcptiming_due_at (&timing, &avp, MESSAGE_BYTES, START),
      RC_TIME_NONE);
  rc_rtcptiming_on_packet (&timing, 40, TRUE);
  fail_unless (rc_rtcptiming_due_at (&timing, &avp, MESSAGE_BYTES, START) <= START);
}

CLAIM (test_nothing_is_due_without_news)
{
  fail_unless_equals_int64 (due_after (&lists, START), RC_TIME_NONE);
  rc_rtcptiming_on_packet (&timing, 100000, FALSE);
  fail_unless_equals_int64 (due_after (&lists, START), RC_TIME_NONE);
  rc_rtcptiming_on_packet (&timing, 1, TRUE);
  fail_unless_equals_int64 (due_after (&lists, START), 25 * RC_MSEC);
}

CLAIM (test_messages_take_a_twentieth_of_what_comes)
{
  rc_rtcptiming_on_packet (&timing, 20 * MESSAGE_BYTES - 1, TRUE);
  fail_unless_equals_int64 (due_after (&lists, START), 250 * RC_MSEC);
  fail_unless_equals_int64 (due_after (&avpf, START), RC_SECOND);
  rc_rtcptiming_on_packet (&timing, 1, TRUE);
  fail_unless_equals_int64 (due_after (&lists, START), 25 * RC_MSEC);
  fail_unless_equals_int64 (due_after (&avpf, START), 100 * RC_MSEC);
  rc_rtcptiming_on_sent (&timing, START);
  rc_rtcptiming_on_packet (&timing, 1, TRUE);
  fail_unless_equals_int64 (due_after (&lists, START), 250 * RC_MSEC);
}

/* 360 s / (1000 kbit/s): 45000 bytes at 1 Mbit/s take 360 ms. */
CLAIM (test_plain_profile_has_the_reduced_minimum_of_rfc_3550)
{
  RcTime now = START;

  while (due_after (&avp, now) == RC_TIME_NONE || due_after (&avp, now) > now - START) {
    now += 10 * RC_MSEC;
    rc_rtcptiming_on_packet (&timing, 1250, TRUE);
  }
  fail_unless_equals_int64 (now - START, 360 * RC_MSEC);
}

CLAIM (test_clock_that_is_set_back_delays_nothing)
{
  rc_rtcptiming_on_packet (&timing, 1, TRUE);
  fail_unless (rc_rtcptiming_due_at (&timing, &lists, MESSAGE_BYTES, START - RC_SECOND)
      <= START - RC_SECOND);
}
