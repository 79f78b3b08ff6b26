/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* When a sender tells its receiver something, and how it probes one that is silent. */
#include <rc/sender/infoclock.h>

#include "claim.h"

static RcInfoClock info_clock;

static void
decide (RcTime srtt, gboolean stopped, RcTime now)
{
  rc_infoclock_on_change (&info_clock, srtt, 50 * RC_MSEC, now);
}

static void
send_info (RcTime srtt, gboolean stopped, RcTime now)
{

  fail_unless_equals_int64 (rc_infoclock_due_at (&info_clock, stopped), now);
  rc_infoclock_on_sent (&info_clock, srtt, 50 * RC_MSEC, stopped, now);
}

/* Media flows, the receiver has reported, and was told an SRTT of 100 ms at 1 s. */
BEFORE_EACH
{
  rc_infoclock_init (&info_clock);
  rc_infoclock_on_media (&info_clock, RC_SECOND);
  rc_infoclock_on_report (&info_clock, RC_SECOND);
  send_info (100 * RC_MSEC, FALSE, RC_SECOND);
}

CLAIM (test_nobody_who_never_reported_gets_infos)
{
  rc_infoclock_init (&info_clock);
  rc_infoclock_on_media (&info_clock, RC_SECOND);
  decide (100 * RC_MSEC, FALSE, RC_SECOND);
  fail_unless_equals_int64 (rc_infoclock_due_at (&info_clock, FALSE), RC_TIME_NONE);
  rc_infoclock_on_report (&info_clock, 2 * RC_SECOND);
  fail_unless_equals_int64 (rc_infoclock_due_at (&info_clock, FALSE), RC_SECOND);
}

CLAIM (test_infos_leave_each_second_while_media_does)
{
  rc_infoclock_on_media (&info_clock, 1500 * RC_MSEC);
  fail_unless_equals_int64 (rc_infoclock_due_at (&info_clock, FALSE), 2 * RC_SECOND);
}

/* A shared screen on which nothing changes. */
CLAIM (test_infos_leave_each_second_while_the_source_is_silent_and_somebody_reports)
{
  RcTime now = 2 * RC_SECOND;

  for (; now <= 60 * RC_SECOND; now += RC_SECOND) {
    send_info (100 * RC_MSEC, FALSE, now);
    rc_infoclock_on_report (&info_clock, now);
  }
  for (; now <= 66 * RC_SECOND; now += RC_SECOND)
    send_info (100 * RC_MSEC, FALSE, now);
  fail_unless_equals_int64 (rc_infoclock_due_at (&info_clock, FALSE), RC_TIME_NONE);
  rc_infoclock_on_media (&info_clock, 70 * RC_SECOND);
  fail_unless_equals_int64 (rc_infoclock_due_at (&info_clock, FALSE), 67 * RC_SECOND);
}

CLAIM (test_what_has_changed_is_told_sooner_but_not_at_each_packet)
{
  rc_infoclock_on_media (&info_clock, 1010 * RC_MSEC);
  decide (119 * RC_MSEC, FALSE, 1010 * RC_MSEC);
  fail_unless_equals_int64 (rc_infoclock_due_at (&info_clock, FALSE), 2 * RC_SECOND);
  decide (121 * RC_MSEC, FALSE, 1010 * RC_MSEC);
  fail_unless_equals_int64 (rc_infoclock_due_at (&info_clock, FALSE), 1050 * RC_MSEC);
  send_info (121 * RC_MSEC, FALSE, 1050 * RC_MSEC);
  decide (RC_TIME_NONE, FALSE, 1500 * RC_MSEC);
  fail_unless_equals_int64 (rc_infoclock_due_at (&info_clock, FALSE), 1500 * RC_MSEC);
}

/* A minute of an outage, then as whoever never reported. RFC 8085 3.1.3: without return traffic no
 * more than a packet each 3 s */
CLAIM (test_infos_are_the_probes_of_who_has_reported)
{
  RcTime now = 10 * RC_SECOND;
  guint i;

  rc_infoclock_on_stopped (&info_clock, now);
  fail_unless_equals_int64 (rc_infoclock_media_probe_at (&info_clock), RC_TIME_NONE);
  for (i = 0; i < RC_INFO_OUTAGE_PROBES; i++, now += 200 * RC_MSEC)
    send_info (100 * RC_MSEC, TRUE, now);
  fail_unless_equals_int64 (now, 70 * RC_SECOND);
  now += 800 * RC_MSEC;
  for (i = 0; i < RC_INFO_FIRST_PROBES; i++, now += RC_SECOND)
    send_info (100 * RC_MSEC, TRUE, now);
  now += 2 * RC_SECOND;
  send_info (100 * RC_MSEC, TRUE, now);
  fail_unless_equals_int64 (rc_infoclock_due_at (&info_clock, TRUE), now + 3 * RC_SECOND);
  rc_infoclock_on_stopped (&info_clock, now);   /* it flows, and stops again */
  send_info (100 * RC_MSEC, TRUE, now + 50 * RC_MSEC);
  fail_unless_equals_int64 (rc_infoclock_due_at (&info_clock, TRUE), now + 250 * RC_MSEC);
}

CLAIM (test_media_probes_who_never_reported)
{
  RcTime now = 10 * RC_SECOND;

  rc_infoclock_init (&info_clock);
  rc_infoclock_on_media (&info_clock, RC_SECOND);
  rc_infoclock_on_stopped (&info_clock, now);
  fail_unless_equals_int64 (rc_infoclock_due_at (&info_clock, TRUE), RC_TIME_NONE);
  for (guint i = 0; i < RC_INFO_FIRST_PROBES; i++) {
    now += RC_SECOND;
    fail_unless_equals_int64 (rc_infoclock_media_probe_at (&info_clock), now);
    rc_infoclock_on_media_probe (&info_clock, RC_INFO_MEDIA_PROBE_BYTES, now);
  }
  fail_unless_equals_int64 (rc_infoclock_media_probe_at (&info_clock), now + 3 * RC_SECOND);
}

/* An access unit delimiter of H.264 pays on IPv4 for a keyframe request or for nothing at all. */
CLAIM (test_small_packets_of_media_probe_until_they_pay_for_a_notice)
{
  RcTime now = 11 * RC_SECOND;

  rc_infoclock_init (&info_clock);
  rc_infoclock_on_media (&info_clock, RC_SECOND);
  rc_infoclock_on_stopped (&info_clock, 10 * RC_SECOND);
  for (guint bytes = 42; bytes < RC_INFO_MEDIA_PROBE_BYTES; bytes += 42) {
    rc_infoclock_on_media_probe (&info_clock, 42, now);
    fail_unless (rc_infoclock_media_probe_at (&info_clock) <= now);
  }
  rc_infoclock_on_media_probe (&info_clock, 42, now);
  fail_unless_equals_int64 (rc_infoclock_media_probe_at (&info_clock), now + RC_SECOND);
}

/* Whoever starts the receiver a few minutes later waits for the next probe. */
CLAIM (test_probes_are_a_second_apart_for_five_minutes)
{
  RcTime now = 10 * RC_SECOND;

  rc_infoclock_init (&info_clock);
  rc_infoclock_on_media (&info_clock, RC_SECOND);
  rc_infoclock_on_stopped (&info_clock, now);
  while (now < 300 * RC_SECOND) {
    now += RC_SECOND;
    fail_unless_equals_int64 (rc_infoclock_media_probe_at (&info_clock), now);
    rc_infoclock_on_media_probe (&info_clock, 1000, now);
  }
}
