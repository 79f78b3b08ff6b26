/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Lists of packets on their whole way: a receiver's codec, the sender's codec, its ledger. */
#include <rc/feedback/ccfb.h>
#include <rc/feedback/feedback.h>
#include <rc/feedback/twcc.h>
#include <rc/ledger/ledgers.h>

#include "claim.h"

#define RTP_BYTES 1000
#define SSRC 7
#define AHEAD (1000 * RC_SECOND)
#define MAX_LISTED 600

typedef struct
{
  RcLedgers ledgers;
  RcLedgerEntry entries[4096];
  RcNumberSpace space;
  RcWireClock clock;
  RcArrival arrivals[MAX_LISTED], got[2 * MAX_LISTED];
  RcArrivalLists lists;
  RcFeedback feedback;
  guint n;
  guint16 number, missing;      /* before the next report's first */
} World;

static World *world;

static void
begin (gboolean twcc)
{
  world = g_new0 (World, 1);
  world->space = rc_numbers_of_ssrc (SSRC);
  if (twcc)
    world->space = (RcNumberSpace) { RC_NUMBERS_TRANSPORT, 0 };
  world->lists = (RcArrivalLists) {.arrivals = world->got,.max_arrivals = 2 * MAX_LISTED };
  rc_ledgers_init (&world->ledgers, RC_OVERHEAD_IPV4_BYTES);
  rc_ledgers_give (&world->ledgers, world->space, world->entries, 4096, 0);
}

static void
end (void)
{
  g_clear_pointer (&world, g_free);
}

static void
pass (RcTime sent_at, RcTime arrived_at)
{
  rc_ledgers_on_sent (&world->ledgers, world->space, world->number, RTP_BYTES, sent_at);
  world->arrivals[world->n++] = (RcArrival) { world->number++, RC_ECN_BITS_NOT_ECT,
    arrived_at + AHEAD };
}

static gboolean
report (RcTime told_at, RcTime now)
{
  RcArrivals list = {.space = world->space,.arrivals = world->arrivals,.n_arrivals = world->n,
    .n_missing_before = world->missing };
  guint8 bytes[4096];
  guint told;
  gsize size;

  if (list.space.kind == RC_NUMBERS_TRANSPORT) {
    size = rc_twcc_encode (&list, 0, bytes, sizeof bytes, &told);
    fail_unless (rc_twcc_decode (bytes, size, 77, &world->clock, &world->lists));
  } else {
    size = rc_ccfb_encode (&list, 1, told_at + AHEAD, bytes, sizeof bytes, &told);
    fail_unless (rc_ccfb_decode (bytes, size, 77, &world->clock, &world->lists));
  }
  fail_unless_equals_int (told, world->n);
  world->n = world->missing = 0;
  return rc_ledgers_digest_arrivals (&world->ledgers, world->lists.lists, world->lists.n_lists,
      now, &world->feedback);
}

/* RFC 8888 tells times to 1 ms, TWCC to 250 us. */
CLAIM (test_packets_closer_than_the_resolution_are_believed)
{
  for (gint twcc = 0; twcc < 2; twcc++) {
    RcTime now = RC_SECOND;

    begin (twcc);
    for (guint i = 0; i < 200; i++) {
      RcTime made_at;

      /* 1000 byte each 70 us: 114 Mbit/s. */
      for (guint k = 0; k < 100 + i % 7; k++, now += 70 * RC_USEC)
        pass (now, now + 10 * RC_MSEC);
      made_at = now + 10 * RC_MSEC;
      fail_unless (report (made_at, made_at + 10 * RC_MSEC), "report %u", i);
      fail_unless_equals_int (world->feedback.received_pkts, 100 + i % 7);
      fail_unless (ABS (world->feedback.rtt - 20 * RC_MSEC) <= 1100 * RC_USEC);
    }
    fail_unless_equals_int (world->ledgers.stats.accepted, 200);
    fail_unless_equals_int (world->ledgers.stats.impossible, 0);
    fail_unless_equals_int (world->ledgers.stats.lost_pkts, 0);
    fail_unless_equals_int (world->ledgers.stats.false_arrivals, 0);
    end ();
  }
}

/* Times that run back by more than that are false. */
CLAIM (test_times_that_run_back_are_refused)
{
  begin (FALSE);
  pass (RC_SECOND, RC_SECOND + 50 * RC_MSEC);
  fail_unless (report (RC_SECOND + 50 * RC_MSEC, RC_SECOND + 60 * RC_MSEC));
  pass (RC_SECOND + RC_MSEC, RC_SECOND + 45 * RC_MSEC);
  fail_if (report (RC_SECOND + 51 * RC_MSEC, RC_SECOND + 61 * RC_MSEC));
  fail_unless_equals_int (world->ledgers.stats.impossible, 1);
  end ();
}

CLAIM (test_what_left_too_long_ago_is_not_called_false)
{
  begin (FALSE);
  for (guint i = 0; i < 5000; i++) {
    pass (RC_SECOND + i * RC_MSEC, RC_SECOND + i * RC_MSEC + 10 * RC_MSEC);
    world->n = MIN (world->n, 3);       /* the first two are listed */
  }
  world->n = 2;
  fail_if (report (7 * RC_SECOND, 7 * RC_SECOND), "the ledger has forgotten them");
  fail_unless_equals_int (world->ledgers.stats.false_arrivals, 0);
  fail_unless_equals_int (world->ledgers.stats.never_sent, 1);
  end ();
}

CLAIM (test_what_was_told_is_skipped)
{
  RcArrival three[] = { {65535, 0, 0}, {0, 0, 0}, {5, 0, 0} };
  RcArrivals list = {.arrivals = three,.n_arrivals = 3,.n_missing_before = 2 };

  rc_arrivals_skip (&list, 0);
  fail_unless (list.n_arrivals == 3 && list.n_missing_before == 2);
  rc_arrivals_skip (&list, 1);
  fail_unless (list.n_arrivals == 2 && list.n_missing_before == 0 && list.arrivals == three + 1);
  rc_arrivals_skip (&list, 1);
  fail_unless (list.n_arrivals == 1 && list.n_missing_before == 4);
  rc_arrivals_skip (&list, 1);
  fail_unless_equals_int (list.n_arrivals, 0);
}

/* 20 packets and the report about them, each 20 ms. Packets are `apart`. */
static void
report_for (RcTime * now, RcTime span, RcTime apart)
{
  for (RcTime end = *now + span; *now < end; *now += 20 * RC_MSEC) {
    for (RcTime t = 0; t < 20 * RC_MSEC; t += apart)
      pass (*now + t, *now + t + 10 * RC_MSEC);
    report (*now + 30 * RC_MSEC, *now + 40 * RC_MSEC);
  }
}

/* Its times are a false clock's, half of what the format can tell away. */
static void
forge (RcTime now, RcTime ahead)
{
  RcTime told_at = now + ahead;

  pass (now, told_at);
  report (told_at + 10 * RC_MSEC, now + 40 * RC_MSEC);
}

static void
assert_bandwidth (RcTime apart)
{
  gdouble bps = (RTP_BYTES + RC_OVERHEAD_IPV4_BYTES) * 8 / rc_time_to_s (apart);

  fail_unless (ABS (world->feedback.bandwidth_bps - bps) < 0.1 * bps, "%" G_GUINT64_FORMAT
      " instead of %.0f bit/s", world->feedback.bandwidth_bps, bps);
}

CLAIM (test_one_message_by_a_false_clock_spoils_a_second_at_most)
{
  static const RcTime aheads[] = { 50 * RC_SECOND, 3 * 3600 * RC_SECOND, -900 * RC_SECOND };

  for (guint i = 0; i < 2 * G_N_ELEMENTS (aheads); i++) {
    RcTime now = RC_SECOND;
    guint64 accepted;

    begin (i % 2);
    report_for (&now, 2 * RC_SECOND, RC_MSEC);
    assert_bandwidth (RC_MSEC);
    forge (now, aheads[i / 2]);
    now += 50 * RC_MSEC;
    report_for (&now, 1500 * RC_MSEC, 2 * RC_MSEC);
    accepted = world->ledgers.stats.accepted;
    report_for (&now, RC_SECOND, 2 * RC_MSEC);
    fail_unless_equals_int (world->ledgers.stats.accepted - accepted, 50);
    assert_bandwidth (2 * RC_MSEC);
    end ();
  }
}

CLAIM (test_numbers_that_never_left_are_not_lost)
{
  RcTime now = RC_SECOND;

  begin (FALSE);
  report_for (&now, RC_SECOND, RC_MSEC);
  world->number += 450;
  world->missing = 450;
  report_for (&now, RC_SECOND, RC_MSEC);
  fail_unless_equals_int (world->ledgers.stats.lost_pkts, 0);
  for (guint i = 0; i < 10; i++)
    rc_ledgers_on_sent (&world->ledgers, world->space, world->number++, RTP_BYTES, now);
  world->missing = 10;
  report_for (&now, RC_SECOND, RC_MSEC);
  fail_unless_equals_int (world->ledgers.stats.lost_pkts, 10);
  fail_unless_equals_int (world->ledgers.stats.accepted, 150);
  end ();
}
