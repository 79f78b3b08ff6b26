/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/receiver/reception.h>

#include "claim.h"

#define START (10 * RC_SECOND)
#define CLOCK_HZ 90000

static RcReception reception;
static RcLossHist history;
static RcReceptionBlock block;

BEFORE_EACH
{
  rc_reception_init (&reception);
  rc_losshist_init (&history);
}

static void
receive (guint16 seq)
{
  uint32_t losses;

  rc_losshist_on_packet (&history, seq, &losses);
}

static void
receive_range (guint16 from, guint n)
{
  for (guint i = 0; i < n; i++)
    receive ((guint16) (from + i));
}

static void
tell (RcTime now)
{
  rc_reception_tell (&reception, &history, now, &block);
}

CLAIM (test_fraction_is_of_the_packets_since_the_report_before)
{
  receive_range (1, 10);
  tell (START);
  fail_unless_equals_int (block.fraction_lost, 0);
  receive_range (13, 6);        /* 11 and 12 are lost: 2 of 8 */
  tell (START);
  fail_unless_equals_int (block.fraction_lost, 64);
  fail_unless_equals_int (block.lost_pkts, 2);
  fail_unless_equals_int (block.highest_seq, 18);
  receive_range (19, 4);
  tell (START);
  fail_unless_equals_int (block.fraction_lost, 0);
  fail_unless_equals_int (block.lost_pkts, 2);
}

CLAIM (test_packets_found_again_make_no_negative_loss)
{
  receive_range (1, 10);
  receive_range (12, 5);
  tell (START);
  fail_unless_equals_int (block.lost_pkts, 1);
  receive (11);
  tell (START);
  fail_unless_equals_int (block.lost_pkts, 0);
  fail_unless_equals_int (block.fraction_lost, 0);
}

CLAIM (test_nothing_received_is_no_division_by_zero)
{
  tell (START);
  fail_unless_equals_int (block.fraction_lost, 0);
  history.lost_pkts = 5;
  tell (START);
  fail_unless_equals_int (block.fraction_lost, 255);
  history.lost_pkts = 1 << 24;
  tell (START);
  fail_unless_equals_int (block.lost_pkts, 0x7fffff);
}

CLAIM (test_highest_number_counts_the_cycles)
{
  receive_range (65530, 12);
  tell (START);
  fail_unless_equals_int (block.highest_seq, 65536 + 5);
}

/* A packet each 20 ms, every second one 10 ms late: |D| is 10 ms each time. */
CLAIM (test_jitter_tends_to_the_mean_difference_of_spacings)
{
  for (guint i = 0; i < 400; i++)
    rc_reception_on_packet (&reception, i * CLOCK_HZ / 50, CLOCK_HZ,
        START + i * 20 * RC_MSEC + i % 2 * 10 * RC_MSEC);
  tell (START);
  fail_unless (block.jitter >= CLOCK_HZ / 100 - 10 && block.jitter <= CLOCK_HZ / 100,
      "%u", block.jitter);
}

CLAIM (test_even_spacing_has_no_jitter_also_where_timestamps_wrap)
{
  for (guint i = 0; i < 400; i++)
    rc_reception_on_packet (&reception, 0xffff0000u + i * CLOCK_HZ / 50, CLOCK_HZ,
        47721 * RC_SECOND + i * 20 * RC_MSEC);
  tell (START);
  fail_unless_equals_int (block.jitter, 0);
}

CLAIM (test_new_beginning_of_timestamps_is_no_jitter)
{
  rc_reception_on_packet (&reception, 0, CLOCK_HZ, START);
  rc_reception_on_packet (&reception, 0x7fffffff, CLOCK_HZ, START + RC_MSEC);
  rc_reception_on_packet (&reception, 0x7fffffff, 0, START + RC_SECOND);
  rc_reception_on_packet (&reception, 0x7fffffff, 48000, START + RC_SECOND);
  tell (START);
  fail_unless_equals_int (block.jitter, 0);
}

/* The example of RFC 3550 6.4.1. */
CLAIM (test_round_trip_can_be_computed_from_lsr_and_dlsr)
{
  guint32 arrived = 0xb7108000;

  rc_reception_on_sender_report (&reception, G_GUINT64_CONSTANT (0xb44db70520000000), START);
  tell (START + 5250 * RC_MSEC);
  fail_unless_equals_int (block.lsr, 0xb7052000);
  fail_unless_equals_int (block.dlsr, 0x00054000);
  fail_unless_equals_int (arrived - block.dlsr - block.lsr, 0x00062000);
}

CLAIM (test_without_sender_report_both_are_zero)
{
  tell (START);
  fail_unless_equals_int (block.lsr, 0);
  fail_unless_equals_int (block.dlsr, 0);
}

CLAIM (test_delay_since_a_sender_report_is_bounded)
{
  rc_reception_on_sender_report (&reception, 1, START);
  tell (START - RC_SECOND);
  fail_unless_equals_int (block.dlsr, 0);
  tell (START + 70000 * RC_SECOND);
  fail_unless_equals_int (block.dlsr, G_MAXUINT32);
}
