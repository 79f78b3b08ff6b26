/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Lists of packets whose messages get lost on their way. */
#include <rc/feedback/feedback.h>
#include <rc/ledger/scoreboard.h>
#include <rc/loss/losshist.h>

#include "claim.h"

#define CAPACITY 4096
#define RTP_BYTES 1000
#define NET (RTP_BYTES + RC_OVERHEAD_IPV4_BYTES)
#define START (10 * RC_SECOND)
#define FIRST 65530             /* numbers wrap around */

static RcLedgerEntry entries[CAPACITY];
static RcLedger ledger;
static RcScoreboard scoreboard;
static RcAcks acks;
static RcFeedback fb;
static guint received, lost;   /* of all messages */
static gboolean counted;
static guint8 count;
static guint32 instance;
static RcTime now;

BEFORE_EACH
{
  rc_ledger_init (&ledger, 1, RC_OVERHEAD_IPV4_BYTES, entries, CAPACITY);
  rc_scoreboard_init (&scoreboard);
  received = lost = 0;
  counted = FALSE;
  count = 0;
  instance = 7;
  now = START + 4 * RC_SECOND;
  for (guint i = 0; i < 3000; i++)
    rc_ledger_on_sent (&ledger, (guint16) (FIRST + i), RTP_BYTES, START + i * RC_MSEC);
}

/* A message of n packets from the first on, after so many that are told as missing. */
static void
tell (guint from, guint n, guint missing)
{
  static RcArrival arrivals[2000];
  RcArrivals message = {
    rc_numbers_of_ssrc (1), arrivals, n, RC_TIME_NONE, instance, FALSE, {0, 0}, (guint16) missing,
    counted, count++
  };
  unsigned n_false;

  for (guint i = 0; i < n; i++)
    arrivals[i] = (RcArrival) { (guint16) (FIRST + from + i), 0, START + (from + i) * RC_MSEC };
  acks.n = 0;
  fail_unless_equals_int (rc_scoreboard_digest (&scoreboard, &ledger, &message, now, &acks,
          &fb, &n_false), RC_DIGEST_OK);
  fail_unless_equals_int (n_false, 0);
  fail_unless_equals_uint64 (fb.received_bytes, (guint64) fb.received_pkts * NET);
  received += fb.received_pkts;
  lost += fb.lost_pkts;
}

static void
fail_unless_counted (guint received_pkts, guint lost_pkts)
{
  fail_unless_equals_int (received, received_pkts);
  fail_unless_equals_int (lost, lost_pkts);
}

CLAIM (test_packets_of_a_lost_message_are_not_lost)
{
  tell (0, 10, 0);
  tell (20, 10, 0);
  fail_unless_counted (30, 0);
}

/* Their delay would be a queue. */
CLAIM (test_packets_of_a_lost_message_have_no_arrival)
{
  tell (0, 10, 0);
  tell (20, 10, 0);
  fail_unless_equals_int (acks.n, 10);
  fail_unless_equals_int (acks.acks[0].seq, ledger.first_seq + 20);
}

CLAIM (test_packets_told_as_missing_are_lost)
{
  tell (0, 10, 0);
  tell (12, 10, 2);
  fail_unless_counted (20, 2);
  tell (30, 10, 3);             /* a message about 22 .. 26 is lost */
  fail_unless_counted (35, 5);
}

CLAIM (test_count_of_messages_tells_a_lost_message_from_lost_packets)
{
  counted = TRUE;
  count = 254;
  tell (0, 10, 0);
  tell (12, 10, 0);
  fail_unless_counted (20, 2);
  tell (25, 10, 0);
  fail_unless_counted (30, 5);
  count++;
  tell (40, 10, 0);
  fail_unless_counted (45, 5);
}

CLAIM (test_message_that_comes_late_changes_nothing)
{
  tell (0, 10, 0);
  tell (20, 10, 0);
  tell (10, 10, 0);
  fail_unless_counted (30, 0);
  tell (30, 10, 0);
  fail_unless_counted (40, 0);
}

/* More than the loss history remembers. */
CLAIM (test_so_many_packets_that_nobody_tells_of_are_lost)
{
  tell (0, 10, 0);
  tell (10 + RC_LOSSHIST_WINDOW, 10, 0);
  fail_unless_counted (20, RC_LOSSHIST_WINDOW);
}

/* Numbers that left before it listened are nobody's loss; those that it misses itself are. */
CLAIM (test_receiver_that_comes_late_misses_only_what_is_behind_its_first_packet)
{
  static const guint16 came[] = { 100, 102, 103, 104, 105, 106, 107, 108 };
  RcArrival arrivals[G_N_ELEMENTS (came)];
  RcArrivals message = {
    rc_numbers_of_ssrc (1), arrivals, G_N_ELEMENTS (came), RC_TIME_NONE, 7, FALSE, {0, 0}, 0,
    FALSE, 0
  };
  unsigned n_false;

  for (guint i = 0; i < G_N_ELEMENTS (came); i++)
    arrivals[i] = (RcArrival) { (guint16) (FIRST + came[i]), 0, START + came[i] * RC_MSEC };
  fail_unless_equals_int (rc_scoreboard_digest (&scoreboard, &ledger, &message, now,
          &acks, &fb, &n_false), RC_DIGEST_OK);
  fail_unless_equals_int (fb.received_pkts, 8);
  fail_unless_equals_int (fb.lost_pkts, 1);
}

/* What it found again of those that the first one missed. */
CLAIM (test_another_receiver_hides_no_later_loss)
{
  tell (0, 10, 0);
  tell (15, 5, 5);
  fail_unless_counted (15, 5);
  instance = 8;
  now += RC_LEDGER_RESTART_DISTANCE;
  tell (0, 20, 0);
  fail_unless (fb.restarted);
  tell (24, 6, 4);
  fail_unless_counted (21, 9);
}

/* Its newest packet would have come before it left. */
CLAIM (test_message_that_cannot_be_true_changes_nothing)
{
  static RcLedgerEntry entries_before[CAPACITY];
  const RcArrival arrivals[] = { {(guint16) (FIRST + 10), 0, START + 10 * RC_MSEC} };
  RcArrivals message = {
    rc_numbers_of_ssrc (1), arrivals, 1, START + 10 * RC_SECOND, 7, FALSE, {0, 0}, 0, FALSE, 0
  };
  RcScoreboard before;
  RcLedger ledger_before;
  unsigned n_false;

  tell (0, 10, 0);
  before = scoreboard;
  ledger_before = ledger;
  memcpy (entries_before, entries, sizeof entries);
  fail_unless_equals_int (rc_scoreboard_digest (&scoreboard, &ledger, &message,
          START + 4 * RC_SECOND, &acks, &fb, &n_false), RC_DIGEST_IMPOSSIBLE);
  fail_unless_equals_int (acks.n, 10);
  fail_unless (memcmp (&before, &scoreboard, sizeof before) == 0);
  fail_unless (memcmp (&ledger_before, &ledger, sizeof ledger) == 0);
  fail_unless (memcmp (entries_before, entries, sizeof entries) == 0);
}
