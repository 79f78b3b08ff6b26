/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The whole sender against receivers that send receiver reports of RTP, alone or beside ours. */
#include <math.h>
#include <rc/law/controller.h>
#include <rc/ledger/ledger.h>
#include <rc/receiver/receiver.h>
#include <rc/sender/sender.h>

#include "claim.h"

#define RTP_BYTES 1172
#define NETWORK_BYTES 1200
#define SSRC 7
#define MIN_BPS 100000
#define START_BPS 1000000
#define MAX_BPS 5000000
#define OWD (25 * RC_MSEC)

typedef struct
{
  RcSender sender;
  RcLane *lane;
  RcLaneMemory memory;
  RcLanePlan lane_plan;
  RcSenderPlan plan;
  RcReceiver receiver;          /* ours */
  RcLedgerEntry entries[4096];
  RcTime now, plain_at, longest_pause, sent_at;
  guint16 seq;
  guint infos, srs;
  gboolean plain, ours;         /* which reports come */
  gboolean forged_byes;         /* 250 a second */
} World;

static World *world;

static void
begin (const gchar * name)
{
  RcController law;
  RcSenderConfig config = {.controller = &law,.limits = {MIN_BPS, START_BPS, MAX_BPS},
    .pacing = RC_RMC_PARAMS_DEFAULT,.overhead_bytes = RC_OVERHEAD_IPV4_BYTES
  };

  memset (world, 0, sizeof *world);
  world->plain_at = RC_SECOND;
  rc_controller_init (&law, rc_law_find (name), RC_PROFILE_LIVE);
  rc_sender_init (&world->sender, &config, 0);
  world->lane = rc_sender_add_lane (&world->sender, 0, &world->memory, &config, 0);
  rc_lane_give_entries (world->lane, rc_numbers_of_ssrc (SSRC), world->entries, 4096, 0);
  rc_receiver_init (&world->receiver, SSRC, RC_BWFILTER_TAU);
}

BEFORE_EACH
{
  world = g_new0 (World, 1);
  begin ("arc");
}

AFTER_EACH
{
  g_clear_pointer (&world, g_free);
}

static const gchar *
law_name (void)
{
  return rc_lane_law (world->lane)->law->name;
}

static RcSenderStats
stats (void)
{
  RcSenderStats stats;

  rc_sender_get_stats (&world->sender, world->now, &stats);
  return stats;
}

static void
send_one (void)
{
  RcSenderPacket packet = { SSRC, world->seq++, RTP_BYTES, RTP_BYTES - 12, FALSE, 0 };

  rc_sender_on_made (&world->sender, packet.media_bytes, world->now);
  rc_gate_reserve (rc_sender_gate (&world->sender), NETWORK_BYTES, world->now);
  rc_sender_on_sent (&world->sender, &packet, TRUE, world->now);
  rc_receiver_on_packet (&world->receiver, packet.seq, RTP_BYTES, FALSE, world->now + OWD);
  world->longest_pause = MAX (world->longest_pause, world->now - world->sent_at);
  world->sent_at = world->now;
}

/* Nothing is lost; what left in the last 2 OWD is on its way. */
static void
report_plainly (void)
{
  guint on_way = (guint) (rc_time_to_s (2 * OWD) * (gdouble) rc_sender_rate_bps (&world->sender)
      / (NETWORK_BYTES * 8));
  RcReportBlock block = {.ssrc = SSRC,.instance = 42,
      .highest_seq = (guint32) (world->seq - 1 - (on_way < world->seq ? on_way : 0)) };

  rc_lane_on_blocks (world->lane, &block, 1, world->now);
}

static void
report (void)
{
  RcReport ours;

  if (world->plain && world->now >= world->plain_at && world->seq > 0) {
    report_plainly ();
    world->plain_at = world->now + RC_SECOND;
  }
  if (world->ours && world->now % (50 * RC_MSEC) == 0 && world->seq > 0) {
    rc_receiver_report (&world->receiver, world->now + OWD, &ours);
    rc_lane_on_reports (world->lane, &ours, 1, 42, world->now + OWD);
  }
}

static void
run (RcTime span)
{
  for (RcTime end = world->now + span; world->now < end; world->now += RC_MSEC) {
    RcTime at;

    while ((at = rc_sender_due_at (&world->sender, NETWORK_BYTES, world->now)) != RC_TIME_NONE
        && at <= world->now)
      send_one ();
    report ();
    if (world->forged_byes && world->now % (4 * RC_MSEC) == 0)
      rc_lane_on_bye (world->lane, 42);
    rc_lane_plan (world->lane, world->now, &world->lane_plan);
    rc_sender_plan (&world->sender, 0, world->now, &world->plan);
    world->infos += world->lane_plan.n_infos;
    world->srs += world->plan.tell_time;
  }
}

CLAIM (test_plain_reports_choose_the_slow_law_and_media_goes_on)
{
  world->plain = TRUE;
  run (20 * RC_SECOND);
  fail_unless_equals_string (law_name (), "slow");
  fail_unless (rc_sender_rate_bps (&world->sender) > 2 * START_BPS);
  fail_unless (world->longest_pause < 100 * RC_MSEC);
  fail_unless (stats ().receiver_reports >= 19);
  fail_unless_equals_int (world->infos, 0);
}

/* Either law begins at the rate of the other. */
CLAIM (test_better_feedback_brings_the_law_back_without_a_stall)
{
  guint64 before;

  world->plain = TRUE;
  run (10 * RC_SECOND);
  before = rc_sender_rate_bps (&world->sender);
  world->ours = TRUE;
  world->longest_pause = 0;
  run (200 * RC_MSEC);
  fail_unless_equals_string (law_name (), "arc");
  fail_unless ((gdouble) rc_sender_rate_bps (&world->sender) > 0.8 * (gdouble) before);
  run (5 * RC_SECOND);
  fail_unless_equals_string (law_name (), "arc");

  world->ours = FALSE;
  world->longest_pause = 0;
  run (10 * RC_SECOND);
  fail_unless_equals_string (law_name (), "slow");
  fail_unless (world->longest_pause < 200 * RC_MSEC);
}

/* In the silence the law fell to its least rate; that only the feedback ended, it cannot know. */
CLAIM (test_plain_reports_go_on_at_half_of_the_rate_that_better_ones_left)
{
  guint64 before;

  world->plain = world->ours = TRUE;
  run (5 * RC_SECOND);
  before = rc_sender_rate_bps (&world->sender);
  fail_unless (before > START_BPS);
  world->ours = FALSE;
  run (1900 * RC_MSEC);
  fail_unless_equals_string (law_name (), "arc");
  fail_unless (rc_sender_rate_bps (&world->sender) < before / 4);
  for (guint i = 0; i < 1200 && g_str_equal (law_name (), "arc"); i++)
    run (RC_MSEC);
  fail_unless_equals_string (law_name (), "slow");
  fail_unless_equals_uint64 (rc_sender_rate_bps (&world->sender), before / 2);
}

CLAIM (test_plain_reports_beside_better_ones_change_nothing)
{
  world->plain = world->ours = TRUE;
  run (5 * RC_SECOND);
  fail_unless_equals_string (law_name (), "arc");
  fail_unless (stats ().receiver_reports <= 1);
  fail_unless_equals_uint64 (stats ().reports.impossible, 0);
}

/* The first report came after ARC had stopped for silence: single packets of media had asked. */
CLAIM (test_a_late_first_report_ends_the_stop)
{
  run (7 * RC_SECOND);
  fail_unless (rc_sender_is_stopped (&world->sender));
  world->plain = TRUE;
  run (3 * RC_SECOND);
  fail_if (rc_sender_is_stopped (&world->sender));
  fail_unless_equals_string (law_name (), "slow");
  fail_unless (rc_sender_rate_bps (&world->sender) <= 2 * START_BPS);
}

CLAIM (test_silence_of_a_plain_receiver_stops_media_and_single_packets_probe)
{
  guint16 seq;

  world->plain = TRUE;
  run (5 * RC_SECOND);
  world->plain = FALSE;
  run (17 * RC_SECOND);
  fail_unless (rc_sender_is_stopped (&world->sender));
  seq = world->seq;
  run (5 * RC_SECOND);
  fail_unless (world->seq - seq >= 4 && world->seq - seq <= 6, "%u probes", world->seq - seq);
  fail_unless_equals_int (world->infos, 0);
  world->plain = TRUE;
  run (2 * RC_SECOND);
  fail_if (rc_sender_is_stopped (&world->sender));
}

CLAIM (test_sender_reports_leave_only_while_receiver_reports_come)
{
  run (3 * RC_SECOND);
  fail_unless_equals_int (world->srs, 0);
  world->plain = TRUE;
  run (20 * RC_SECOND);
  fail_unless (world->srs >= 14 && world->srs <= 30, "%u in 20 s", world->srs);
  world->plain = FALSE;
  run (20 * RC_SECOND);
  world->srs = 0;
  run (10 * RC_SECOND);
  fail_unless_equals_int (world->srs, 0);
}

CLAIM (test_the_receivers_bye_stops_media_and_sender_reports)
{
  world->plain = TRUE;
  run (5 * RC_SECOND);
  rc_lane_on_bye (world->lane, 41);
  fail_if (rc_sender_is_stopped (&world->sender));
  rc_lane_on_bye (world->lane, 42);
  world->plain = FALSE;
  run (6 * RC_SECOND);
  fail_if (rc_sender_is_stopped (&world->sender));
  run (RC_SECOND);
  fail_unless (rc_sender_is_stopped (&world->sender));
  world->srs = 0;
  run (3 * RC_SECOND);
  fail_unless (rc_sender_is_stopped (&world->sender));
  fail_unless_equals_int (world->srs, 0);
  world->plain = TRUE;
  run (3 * RC_SECOND);
  fail_if (rc_sender_is_stopped (&world->sender));
}

/* Anybody can write it, and a receiver that left does not report any more. */
static void
check_forged_byes_change_nothing (void)
{
  guint16 seq, honest;

  run (5 * RC_SECOND);
  seq = world->seq;
  run (10 * RC_SECOND);
  honest = world->seq - seq;
  world->forged_byes = TRUE;
  world->longest_pause = 0;
  seq = world->seq;
  run (10 * RC_SECOND);
  fail_unless (world->longest_pause < 200 * RC_MSEC);
  fail_unless (100 * (world->seq - seq) >= 99 * honest, "%u packets, %u before",
      world->seq - seq, honest);
}

CLAIM (test_forged_byes_stop_no_media_that_plain_reports_tell_of)
{
  world->plain = TRUE;
  check_forged_byes_change_nothing ();
}

CLAIM (test_forged_byes_stop_no_media_that_our_reports_tell_of)
{
  world->ours = TRUE;
  check_forged_byes_change_nothing ();
}

CLAIM (test_a_bye_shortens_the_silence_that_stops_media)
{
  world->ours = TRUE;
  run (5 * RC_SECOND);
  rc_lane_on_bye (world->lane, 42);
  world->ours = FALSE;
  run (1900 * RC_MSEC);
  fail_if (rc_sender_is_stopped (&world->sender));
  run (200 * RC_MSEC);
  fail_unless (rc_sender_is_stopped (&world->sender));
}

CLAIM (test_a_fixed_rate_stays_fixed)
{
  begin ("fixed");
  world->plain = TRUE;
  run (10 * RC_SECOND);
  fail_unless_equals_string (law_name (), "fixed");
  fail_unless_equals_uint64 (rc_sender_rate_bps (&world->sender), START_BPS);
  fail_unless (stats ().receiver_reports > 5);
}

CLAIM (test_the_receivers_bound_holds_for_five_seconds)
{
  world->plain = TRUE;
  run (10 * RC_SECOND);
  rc_sender_on_bound (&world->sender, 400000, world->now);
  fail_unless_equals_uint64 (rc_sender_rate_bps (&world->sender), 400000);
  run (4900 * RC_MSEC);
  fail_unless (rc_sender_rate_bps (&world->sender) <= 400000);
  fail_unless (world->plan.target_bps < 400000);
  run (3 * RC_SECOND);
  fail_unless (rc_sender_rate_bps (&world->sender) > 400000);

  rc_sender_on_bound (&world->sender, 1, world->now);
  fail_unless_equals_uint64 (rc_sender_rate_bps (&world->sender), MIN_BPS);
  rc_sender_on_bound (&world->sender, G_MAXUINT64, world->now);
  run (RC_SECOND);
  fail_unless (rc_sender_rate_bps (&world->sender) >= MIN_BPS);
}
