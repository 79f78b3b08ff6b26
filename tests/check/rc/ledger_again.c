/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Packets that left once more under their number tell no delay [RFC 8085 3.1.1], and everything
 * else goes on. */
#include "ledgerfixture.h"

#include <rc/feedback/delays.h>

GST_START_TEST (test_packet_that_left_again_tells_no_round_trip)
{
  setup_next_report (65530);
  rc_ledger_on_again (&ledger, (guint16) (65530 + 19));
  fail_unless_equals_int (digest (), RC_DIGEST_OK);
  fail_unless_equals_int64 (fb.rtt, RC_TIME_NONE);
  fail_unless_equals_int (fb.received_pkts, 10);
  fail_unless_equals_uint64 (fb.received_bytes, 10 * NET);
}
GST_END_TEST;

GST_START_TEST (test_other_packets_tell_it)
{
  setup_next_report (65530);
  rc_ledger_on_again (&ledger, (guint16) (65530 + 18));
  fail_unless_equals_int (digest (), RC_DIGEST_OK);
  fail_unless_equals_int64 (fb.rtt, 2 * DELAY);
}
GST_END_TEST;

GST_START_TEST (test_its_arrival_is_no_delay)
{
  RcDelays delays;

  setup_next_report (65530);
  report.arrivals = (RcArrivalAges) {.first = (guint16) (65530 + 10),.n = 10 };
  /* The first arrived a round trip later than the others, which a list may tell. */
  for (guint i = 0; i < 10; i++)
    report.arrivals.ages[i] = (guint16) ((9 - i) * RC_MSEC / RC_ARRIVALAGE_UNIT
        + DELAY / RC_ARRIVALAGE_UNIT);
  report.hold_us = (guint32) (DELAY / RC_USEC);
  report.arrivals.ages[0] = 0;
  rc_ledger_on_again (&ledger, (guint16) (65530 + 10));
  now += DELAY;
  fail_unless_equals_int (digest (), RC_DIGEST_OK);
  fail_unless_equals_int (rc_delays_measure (&delays, &ledger, &report, &fb, now), 0);
  fail_unless_equals_int (delays.pkts, 9);
  fail_unless (delays.mean_remote - delays.least_remote < RC_MSEC);
}
GST_END_TEST;

GST_START_TEST (test_forgotten_and_unknown_numbers_are_left_alone)
{
  RcLedger before;

  send_run (0, 10);
  before = ledger;
  rc_ledger_on_again (&ledger, 10);
  rc_ledger_on_again (&ledger, 40000);
  fail_unless (memcmp (&before, &ledger, sizeof ledger) == 0);
  for (guint i = 0; i < 10; i++)
    fail_if (rc_ledger_left_again (&ledger, ledger.first_seq + i));
}
GST_END_TEST;

static Suite *
ledger_again_suite (void)
{
  Suite *s = suite_create ("ledger_again");
  TCase *tc = tcase_create ("again");

  tcase_add_checked_fixture (tc, setup, NULL);
  tcase_add_test (tc, test_packet_that_left_again_tells_no_round_trip);
  tcase_add_test (tc, test_other_packets_tell_it);
  tcase_add_test (tc, test_its_arrival_is_no_delay);
  tcase_add_test (tc, test_forgotten_and_unknown_numbers_are_left_alone);
  suite_add_tcase (s, tc);
  return s;
}

GST_CHECK_MAIN (ledger_again);
