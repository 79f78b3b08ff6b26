/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Which format counts: the rule, and a sender that follows it. */
#include <rc/feedback/feedback.h>
#include <rc/law/controller.h>
#include <rc/law/fixed.h>
#include <rc/ledger/ledger.h>
#include <rc/receiver/receiver.h>
#include <rc/sender/sender.h>

#include "claim.h"

#define SSRC 7
#define INSTANCE 77             /* SSRC of the receiver, whatever it speaks */
#define RTP_BYTES 1000
/* Of the lists; our own reports have the sender's clock. */
#define AHEAD (100 * RC_SECOND)

static const RcNumberSpace transport = { RC_NUMBERS_TRANSPORT, 0 };

CLAIM (test_better_format_counts_at_once)
{
  RcFormatChoice choice = { RC_FORMAT_NONE, 0, 0 };

  fail_unless (rc_formatchoice_admits (&choice, RC_FORMAT_TWCC, RC_SECOND));
  fail_if (rc_formatchoice_take (&choice, RC_FORMAT_TWCC, RC_SECOND), "the first is no change");
  fail_unless (rc_formatchoice_admits (&choice, RC_FORMAT_ARC, RC_SECOND));
  fail_unless (rc_formatchoice_take (&choice, RC_FORMAT_ARC, RC_SECOND));
  fail_if (rc_formatchoice_take (&choice, RC_FORMAT_ARC, RC_SECOND));
  fail_unless_equals_int (choice.ignored, 0);
}

CLAIM (test_worse_format_counts_once_the_better_one_is_gone)
{
  RcFormatChoice choice = { RC_FORMAT_CCFB, RC_SECOND, 0 };
  RcTime gone_at = RC_SECOND + RC_FORMAT_PATIENCE;

  fail_if (rc_formatchoice_admits (&choice, RC_FORMAT_TWCC, gone_at - 1));
  fail_unless_equals_int (choice.ignored, 1);
  fail_unless (rc_formatchoice_admits (&choice, RC_FORMAT_TWCC, gone_at));
  fail_unless (rc_formatchoice_take (&choice, RC_FORMAT_TWCC, gone_at));
  fail_unless_equals_int (choice.ignored, 1);
}

CLAIM (test_formats_have_names)
{
  fail_unless_equals_string (rc_format_name (RC_FORMAT_NONE), "none");
  fail_unless_equals_string (rc_format_name (RC_FORMAT_RR), "rr");
  fail_unless_equals_string (rc_format_name (RC_FORMAT_TWCC), "twcc");
  fail_unless_equals_string (rc_format_name (RC_FORMAT_CCFB), "ccfb");
  fail_unless_equals_string (rc_format_name (RC_FORMAT_ARC), "arc");
}

/* --- a sender, whose law keeps what it was told --- */

static RcFeedback heard;
static guint n_heard;

static RcDecision
remember (void *self, const RcFeedback * feedback, RcTime now)
{
  heard = *feedback;
  n_heard++;
  return rc_fixed_law.on_timer (self, now);
}

typedef struct
{
  RcLaw law;
  RcSender sender;
  RcLane *lane;
  RcLaneMemory memory;
  RcReceiver receiver;
  RcLedgerEntry entries[2][1024];
  RcArrival arrivals[100];
  RcLanePlan lane_plan;
  RcSenderPlan plan;
  guint16 seq, listed;
  RcTime now;
} World;

static World *world;

BEFORE_EACH
{
  RcController controller;
  RcSenderConfig config = {.controller = &controller,.limits = {100000, 1000000, 5000000},
    .pacing = RC_RMC_PARAMS_DEFAULT,.overhead_bytes = RC_OVERHEAD_IPV4_BYTES,.ecn = TRUE
  };
  RcNumberSpace spaces[] = { rc_numbers_of_ssrc (SSRC), transport };

  world = g_new0 (World, 1);
  n_heard = 0;
  world->law = rc_fixed_law;
  world->law.on_feedback = remember;
  rc_controller_init (&controller, &world->law, RC_PROFILE_LIVE);
  rc_sender_init (&world->sender, &config, 0);
  world->lane = rc_sender_add_lane (&world->sender, 0, &world->memory, &config, 0);
  for (guint i = 0; i < 2; i++)
    rc_lane_give_entries (world->lane, spaces[i], world->entries[i], 1024, 0);
  rc_receiver_init (&world->receiver, SSRC, RC_BWFILTER_TAU);
}

AFTER_EACH
{
  g_clear_pointer (&world, g_free);
}

/* Ten packets in 100 ms, each 20 ms on its way. */
static void
send_ten (void)
{
  for (guint i = 0; i < 10; i++, world->seq++, world->now += 10 * RC_MSEC) {
    RcSenderPacket packet = { SSRC, world->seq, RTP_BYTES, RTP_BYTES - 12, TRUE,
      (guint16) (1000 + world->seq) };
    RcTime arrived_at = world->now + 20 * RC_MSEC;

    rc_sender_on_sent (&world->sender, &packet, TRUE, world->now);
    rc_receiver_on_packet (&world->receiver, world->seq, RTP_BYTES, FALSE, arrived_at);
    world->arrivals[i] = (RcArrival) { world->seq, RC_ECN_BITS_ECT_1, arrived_at + AHEAD };
  }
  world->now += 40 * RC_MSEC;
}

static gboolean
report_own (void)
{
  RcReport report;

  rc_receiver_report (&world->receiver, world->now - 20 * RC_MSEC, &report);
  return rc_lane_on_reports (world->lane, &report, 1, INSTANCE, world->now);
}

static gboolean
report_list (RcNumberSpace space)
{
  RcArrivals message = {.space = space,.arrivals = world->arrivals,.n_arrivals = 10,
    .format = space.kind == RC_NUMBERS_TRANSPORT ? RC_FORMAT_TWCC : RC_FORMAT_CCFB,
    .told_at_remote = world->now - 20 * RC_MSEC + AHEAD,.instance = INSTANCE,.ecn_read = TRUE
  };

  for (guint i = 0; i < 10; i++)
    world->arrivals[i].number = (guint16) (world->seq - 10 + i
        + (space.kind == RC_NUMBERS_TRANSPORT ? 1000 : 0));
  return rc_lane_on_arrivals (world->lane, &message, 1, world->now);
}

static void
assert_stats (RcFormat format, guint64 ignored, guint64 accepted)
{
  RcSenderStats stats;

  rc_sender_get_stats (&world->sender, world->now, &stats);
  fail_unless_equals_int (stats.format, format);
  fail_unless_equals_uint64 (stats.ignored, ignored);
  fail_unless_equals_uint64 (stats.reports.accepted, accepted);
}

CLAIM (test_each_format_tells_the_law_of_the_packets)
{
  assert_stats (RC_FORMAT_NONE, 0, 0);
  send_ten ();
  fail_unless (report_list (transport));
  fail_unless (!heard.restarted && heard.received_pkts == 10);
  fail_unless_equals_int64 (heard.rtt, 40 * RC_MSEC);
  assert_stats (RC_FORMAT_TWCC, 0, 1);
  send_ten ();
  fail_unless (report_list (rc_numbers_of_ssrc (SSRC)));
  fail_unless (heard.restarted, "another clock");
  fail_unless_equals_int64 (heard.rtt, 40 * RC_MSEC);
  assert_stats (RC_FORMAT_CCFB, 0, 2);
  send_ten ();
  world->now += RC_LEDGER_RESTART_DISTANCE;
  fail_unless (report_own ());
  fail_unless (heard.restarted);
  assert_stats (RC_FORMAT_ARC, 0, 3);
  send_ten ();
  fail_unless (report_own ());
  fail_unless (!heard.restarted && heard.received_pkts == 10);
}

CLAIM (test_worse_format_beside_a_better_one_tells_the_law_nothing)
{
  for (guint i = 0; i < 5; i++) {
    send_ten ();
    fail_unless (report_own ());
    fail_if (report_list (rc_numbers_of_ssrc (SSRC)) || report_list (transport));
    fail_unless_equals_int (n_heard, i + 1);
  }
  assert_stats (RC_FORMAT_ARC, 10, 5);
}

CLAIM (test_lists_count_when_our_own_reports_have_ceased)
{
  send_ten ();
  report_own ();
  for (guint i = 0; i < 30; i++) {
    send_ten ();
    report_list (rc_numbers_of_ssrc (SSRC));
  }
  fail_unless (n_heard > 10);
  fail_unless (!heard.restarted && heard.received_pkts == 10);
  assert_stats (RC_FORMAT_CCFB, 30 - (n_heard - 1), n_heard);
}

static RcSenderStats
stats (void)
{
  RcSenderStats stats;

  rc_sender_get_stats (&world->sender, world->now, &stats);
  return stats;
}

/* Numbers that never left, or of a stream that is not ours; and what is told twice. */
CLAIM (test_lists_of_other_packets_are_counted_and_change_nothing)
{
  send_ten ();
  world->seq += 100;
  fail_if (report_list (rc_numbers_of_ssrc (SSRC)));
  fail_unless_equals_int (stats ().reports.never_sent, 1);
  fail_unless_equals_int (stats ().reports.false_arrivals, 10);
  world->seq -= 100;
  fail_if (report_list (rc_numbers_of_ssrc (SSRC + 1)));
  fail_unless_equals_int (stats ().reports.foreign, 1);
  assert_stats (RC_FORMAT_NONE, 0, 0);
  world->seq += 3;
  fail_unless (report_list (rc_numbers_of_ssrc (SSRC)), "seven of them left");
  fail_unless_equals_int (stats ().reports.false_arrivals, 13);
  fail_unless_equals_int (heard.received_pkts, 7);
  report_list (rc_numbers_of_ssrc (SSRC));
  fail_unless_equals_int (heard.received_pkts, 0);
}

/* It would take them for broken RTP. */
CLAIM (test_receiver_of_another_format_gets_no_infos)
{
  for (guint i = 0; i < 50; i++) {
    send_ten ();
    report_list (transport);
    rc_lane_plan (world->lane, world->now, &world->lane_plan);
    rc_sender_plan (&world->sender, 0, world->now, &world->plan);
    fail_unless_equals_int (world->lane_plan.n_infos, 0);
  }
  report_own ();
  rc_lane_plan (world->lane, world->now, &world->lane_plan);
  rc_sender_plan (&world->sender, 0, world->now, &world->plan);
  fail_unless_equals_int (world->lane_plan.n_infos, 1);
}

/* What is on its way in a space that no report names is never asked for. */
CLAIM (test_space_that_nobody_reports_of_stays_small)
{
  const RcSenderPacket packet = {.ssrc = SSRC };
  RcNumberSpace space;

  for (guint i = 0; i < 200; i++) {
    send_ten ();
    report_list (transport);
  }
  fail_unless_equals_int (rc_lane_wants_entries (world->lane, &packet, &space, world->now), 0);
}
