/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Packets that left once more under their number tell no delay [RFC 8085 3.1.1], and everything
 * else goes on. */
#include "ledgerfixture.h"

#include <rc/ledger/acks.h>

BEFORE_EACH
{
  setup ();
}

CLAIM (test_packet_that_left_again_tells_no_round_trip)
{
  setup_next_report (65530);
  rc_ledger_on_again (&ledger, (guint16) (65530 + 19));
  fail_unless_equals_int (digest (), RC_DIGEST_OK);
  fail_unless_equals_int64 (fb.rtt, RC_TIME_NONE);
  fail_unless_equals_int (fb.received_pkts, 10);
  fail_unless_equals_uint64 (fb.received_bytes, 10 * NET);
}

CLAIM (test_other_packets_tell_it)
{
  setup_next_report (65530);
  rc_ledger_on_again (&ledger, (guint16) (65530 + 18));
  fail_unless_equals_int (digest (), RC_DIGEST_OK);
  fail_unless_equals_int64 (fb.rtt, 2 * DELAY);
}

CLAIM (test_its_arrival_is_no_delay)
{
  static RcAcks acks;
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
  fail_unless_equals_int (rc_acks_add_report (&acks, &ledger, &report, &fb, now), 0);
  rc_acks_get_delays (&acks, 0, 0, &delays);
  fail_unless_equals_int (delays.pkts, 9);
  fail_unless (delays.mean_remote - delays.least_remote < RC_MSEC);
}

CLAIM (test_forgotten_and_unknown_numbers_are_left_alone)
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
