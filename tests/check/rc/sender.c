/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The whole sender, against a receiver that reports each 50 ms. */
#include <rc/law/controller.h>
#include <rc/ledger/ledger.h>
#include <rc/receiver/receiver.h>
#include <rc/sender/sender.h>

#include "claim.h"

#define RTP_BYTES 1172
#define NETWORK_BYTES 1200
#define SSRC 7

typedef struct
{
  RcSender sender;
  RcLane *lane;
  RcLaneMemory memory;
  RcLanePlan lane_plan;
  RcSenderPlan plan;
  RcReceiver receiver;
  RcLedgerEntry entries[4096];
  RcTime now;
  guint16 seq;
  guint infos, targets;
  guint parts[2];               /* of a format, that infos brought */
  gboolean deaf;
} World;

static World *world;

static void
setup (void)
{
  RcController law;
  RcSenderConfig config = {.controller = &law,.limits = {100000, 1000000, 5000000},
    .pacing = RC_RMC_PARAMS_DEFAULT,.overhead_bytes = RC_OVERHEAD_IPV4_BYTES
  };

  world = g_new0 (World, 1);
  rc_controller_init (&law, rc_law_find ("arc"), RC_PROFILE_LIVE);
  rc_sender_init (&world->sender, &config, 0);
  world->lane = rc_sender_add_lane (&world->sender, 0, &world->memory, &config, 0);
  rc_lane_give_entries (world->lane, rc_numbers_of_ssrc (SSRC), world->entries, 4096, 0);
  rc_receiver_init (&world->receiver, SSRC, RC_BWFILTER_TAU);
}

BEFORE_EACH
{
  setup ();
}

static void
teardown (void)
{
  g_clear_pointer (&world, g_free);
}

AFTER_EACH
{
  teardown ();
}

static void
send_one (gboolean more)
{
  RcSenderPacket packet = { SSRC, world->seq++, RTP_BYTES, RTP_BYTES - 12,.more = more };

  rc_sender_on_made (&world->sender, packet.media_bytes, world->now);
  rc_gate_reserve (rc_sender_gate (&world->sender), NETWORK_BYTES, world->now);
  rc_sender_on_sent (&world->sender, &packet, TRUE, world->now);
  if (!world->deaf)
    rc_receiver_on_packet (&world->receiver, packet.seq, RTP_BYTES,
        FALSE, world->now + 25 * RC_MSEC);
}

/* Always something to send. Returns how many packets left. */
static guint
run (RcTime span)
{
  RcTime end = world->now + span;
  guint n = 0;

  for (; world->now < end; world->now += RC_MSEC) {
    RcTime at;

    while ((at = rc_sender_due_at (&world->sender, NETWORK_BYTES, world->now)) != RC_TIME_NONE
        && at <= world->now) {
      send_one (FALSE);
      n++;
    }
    if (!world->deaf && world->now % (50 * RC_MSEC) == 0 && n > 0) {
      RcReport report;

      rc_receiver_report (&world->receiver, world->now + 25 * RC_MSEC, &report);
      rc_lane_on_reports (world->lane, &report, 1, 99, world->now);
    }
    rc_lane_plan (world->lane, world->now, &world->lane_plan);
    rc_sender_plan (&world->sender, 0, world->now, &world->plan);
    world->infos += world->lane_plan.n_infos;
    if (world->lane_plan.n_infos > 0 && world->lane_plan.infos[0].part.count == 2)
      world->parts[world->lane_plan.infos[0].part.number]++;
    world->targets += world->plan.tell_target;
  }
  return n;
}

CLAIM (test_media_leaves_at_the_rate_of_the_law)
{
  guint n = run (100 * RC_MSEC);

  fail_unless (n >= 9 && n <= 14, "%u packets in 100 ms at 1 Mbit/s", n);
  fail_unless (world->targets >= 1);
  fail_unless (world->plan.target_bps > 850000 && world->plan.target_bps < 1000000,
      "%u of media", world->plan.target_bps);
}

#define GROUP 4
#define STEPS 200

/* GROUP packets each 10 ms, of which a report tells. */
static void
note_rates (gboolean together, guint64 rates[STEPS])
{
  for (guint step = 0; step < STEPS; step++, world->now += 10 * RC_MSEC) {
    RcReport report;

    for (guint i = 0; i < GROUP; i++)
      send_one (together && i + 1 < GROUP);
    rc_receiver_report (&world->receiver, world->now + 25 * RC_MSEC, &report);
    rc_lane_on_reports (world->lane, &report, 1, 99, world->now + 50 * RC_MSEC);
    rates[step] = rc_sender_rate_bps (&world->sender);
  }
}

CLAIM (test_what_leaves_together_is_to_the_law_what_leaves_one_by_one)
{
  guint64 one_by_one[STEPS], together[STEPS];

  note_rates (FALSE, one_by_one);
  teardown ();
  setup ();
  note_rates (TRUE, together);
  fail_unless (one_by_one[STEPS - 1] > 2000000, "%" G_GUINT64_FORMAT, one_by_one[STEPS - 1]);
  for (guint step = 0; step < STEPS; step++)
    fail_unless_equals_uint64 (together[step], one_by_one[step]);
}

CLAIM (test_silence_stops_media_and_single_packets_probe)
{
  world->deaf = TRUE;
  run (6 * RC_SECOND);
  fail_unless (rc_sender_is_stopped (&world->sender));
  fail_unless_equals_int (world->infos, 0);
  fail_unless (rc_sender_wants_probe (&world->sender, world->now) || run (RC_SECOND) == 1);
  fail_unless (run (5 * RC_SECOND) <= 6, "about one a second");
}

CLAIM (test_a_rate_has_a_cause)
{
  const RcLimits narrow = { 100000, 1000000, 1000000 };
  const RcLimits picture = { 100000, 1000000, 1000000, RC_CAUSE_PICTURE };

  fail_unless_equals_string (rc_cause_name (rc_sender_cause (&world->sender)), "start");
  run (6 * RC_SECOND);
  fail_unless_equals_string (rc_cause_name (rc_sender_cause (&world->sender)), "user");
  rc_sender_on_bound (&world->sender, 1500000, world->now);
  fail_unless_equals_string (rc_cause_name (rc_sender_cause (&world->sender)), "receiver");
  rc_sender_set_limits (&world->sender, &narrow, world->now);
  fail_unless_equals_string (rc_cause_name (rc_sender_cause (&world->sender)), "user");
  rc_sender_set_limits (&world->sender, &picture, world->now);
  fail_unless_equals_string (rc_cause_name (rc_sender_cause (&world->sender)), "picture");
  world->deaf = TRUE;
  run (6 * RC_SECOND);
  fail_unless_equals_string (rc_cause_name (rc_sender_cause (&world->sender)), "timeout");
}

CLAIM (test_what_waits_is_a_cause_of_the_target)
{
  run (100 * RC_MSEC);
  for (int i = 0; i < 4; i++, world->now += 50 * RC_MSEC)
    rc_sender_plan (&world->sender, 30000, world->now, &world->plan);
  fail_unless_equals_string (rc_cause_name (rc_sender_cause (&world->sender)), "start");
  fail_unless_equals_string (rc_cause_name (rc_sender_target_cause (&world->sender)), "drain");
}

/* The rates of an outage say nothing of the path: who shares the encoder is not to follow them. */
CLAIM (test_who_is_not_heard_does_not_count_and_comes_back_with_what_its_path_carries)
{
  uint64_t before_bps, away_bps;

  fail_if (rc_sender_counts (&world->sender));
  run (6 * RC_SECOND);
  fail_unless (rc_sender_counts (&world->sender));
  before_bps = rc_sender_rate_bps (&world->sender);
  world->deaf = TRUE;
  for (guint i = 0; i < 30; i++) {
    run (100 * RC_MSEC);
    fail_unless (!rc_sender_counts (&world->sender)
        || rc_sender_rate_bps (&world->sender) > before_bps * .9);
  }
  away_bps = rc_sender_rate_bps (&world->sender);
  fail_unless (away_bps < before_bps / 8);
  world->deaf = FALSE;
  for (guint i = 0; i < 60; i++) {
    run (100 * RC_MSEC);
    fail_unless (!rc_sender_counts (&world->sender)
        || rc_sender_rate_bps (&world->sender) > before_bps * .9, "%u bit/s after %u ms",
        (guint) rc_sender_rate_bps (&world->sender), 100 * i);
  }
  fail_unless (rc_sender_counts (&world->sender));
}

CLAIM (test_answer_to_a_probe_lets_media_flow_again)
{
  world->deaf = TRUE;
  run (7 * RC_SECOND);
  world->deaf = FALSE;
  fail_unless (run (3 * RC_SECOND) > 50);
  fail_if (rc_sender_is_stopped (&world->sender));
  fail_unless (world->infos > 0, "it reports: it is told SRTT and interval");
}

static guint
parts_within (RcTime span)
{
  world->parts[0] = world->parts[1] = 0;
  run (span);
  return world->parts[0] + world->parts[1];
}

CLAIM (test_the_fields_of_a_format_go_at_once_then_each_second_and_anew_for_another_receiver)
{
  static guint8 fields[RC_FIELDS_PART_BYTES + 4];
  const RcAnnouncement announced = { {"VORBIS", 96, RC_MEDIA_AUDIO, 44100}, fields,
    sizeof fields
  };
  RcNotice notice = {.cookie = 0x1234 };
  guint n;

  rc_sender_set_format (&world->sender, &announced, world->now);
  n = parts_within (500 * RC_MSEC);
  fail_unless (n == 6 && world->parts[0] == 3, "%u parts", n);
  n = parts_within (5 * RC_SECOND);
  fail_unless (n >= 4 && n <= 6, "%u parts in 5 s", n);
  rc_lane_on_notice (world->lane, &notice, world->now);
  n = parts_within (500 * RC_MSEC);
  fail_unless (n >= 6 && n <= 7, "%u parts for a new receiver", n);
  rc_sender_set_format (&world->sender, &announced, world->now);
  n = parts_within (500 * RC_MSEC);
  fail_unless (n <= 1, "%u parts of what is known", n);
}

CLAIM (test_cookie_goes_back_with_the_next_info)
{
  RcNotice notice = {.cookie = 0x1234 };

  run (100 * RC_MSEC);
  rc_lane_on_notice (world->lane, &notice, world->now);
  world->now += 60 * RC_MSEC;
  rc_lane_plan (world->lane, world->now, &world->lane_plan);
  rc_sender_plan (&world->sender, 0, world->now, &world->plan);
  fail_unless_equals_int (world->lane_plan.n_infos, 1);
  fail_unless_equals_uint64 (world->lane_plan.infos[0].cookie, 0x1234);
  fail_unless_equals_int (world->lane_plan.infos[0].ssrc, SSRC);
}

/* Each claims what a report of now could, but for one field. */
static void
forge (guint field)
{
  RcReport forged;
  RcReceiver receiver = world->receiver;        /* which does not know of it */

  rc_receiver_report (&receiver, world->now + 25 * RC_MSEC, &forged);
  forged.number += field == 0 ? 1 << 30 : field == 1 ? 900 : 0;
  forged.arrival_us_remote += field == 2 ? UINT64_C (1) << 50 : 0;
  forged.hold_us = field == 3 ? 0 : field == 4 ? 25000 : forged.hold_us;
  forged.bandwidth_bps = field == 5 ? RC_WIRE_MAX_BPS : field == 6 ? 1 : forged.bandwidth_bps;
  forged.received_bytes -= field == 7 ? 900 : 0;
  forged.lost_pkts -= field == 8 ? 1 : 0;
  forged.ce_pkts += field == 9 ? 1 : 0;
  forged.ecn_read = field == 9;
  forged.explicit_rate_bps = field == 10 ? 1 : 0;
  forged.highest_seq += field == 11 ? 1 << 30 : 0;
  rc_lane_on_reports (world->lane, &forged, 1, 99 + (field == 12), world->now);
}

CLAIM (test_one_forged_report_does_not_stop_media_for_good)
{
  for (guint field = 0; field < 13; field++) {
    guint n;

    teardown ();
    setup ();
    run (5 * RC_SECOND + 40 * RC_MSEC);
    forge (field);
    run (3 * RC_SECOND);
    n = run (RC_SECOND);
    fail_if (rc_sender_is_stopped (&world->sender), "field %u", field);
    fail_unless (n >= 400, "field %u: %u packets in a second", field, n);
  }
}

/* What was reserved and did not go costs nothing. */
CLAIM (test_released_packet_may_go_again_at_once)
{
  RcTime now = rc_sender_due_at (&world->sender, NETWORK_BYTES, 0);

  fail_unless_equals_int64 (rc_sender_due_at (&world->sender, NETWORK_BYTES, now), now);
  rc_gate_reserve (rc_sender_gate (&world->sender), NETWORK_BYTES, now);
  fail_unless (rc_sender_due_at (&world->sender, NETWORK_BYTES, now) > now);
  rc_gate_release (rc_sender_gate (&world->sender), NETWORK_BYTES);
  fail_unless_equals_int64 (rc_sender_due_at (&world->sender, NETWORK_BYTES, now), now);
}

CLAIM (test_new_limits_hold_at_once_for_rate_and_target)
{
  RcLimits limits = { 100000, 100000, 200000 };

  run (100 * RC_MSEC);
  rc_sender_set_limits (&world->sender, &limits, world->now);
  fail_unless (rc_sender_rate_bps (&world->sender) <= 200000);
  rc_lane_plan (world->lane, world->now, &world->lane_plan);
  rc_sender_plan (&world->sender, 0, world->now, &world->plan);
  fail_unless (world->plan.tell_target && world->plan.target_bps <= 200000);
}

CLAIM (test_a_raised_limit_is_reached_by_the_target)
{
  const RcLimits raised = { 100000, 1000000, 10000000 };

  run (6 * RC_SECOND);
  fail_unless (world->plan.target_bps <= 5000000);
  rc_sender_set_limits (&world->sender, &raised, world->now);
  run (6 * RC_SECOND);
  fail_unless (world->plan.target_bps > 8000000, "%u bit/s", world->plan.target_bps);
}

CLAIM (test_report_is_overdue_once_its_interval_and_the_way_have_passed)
{
  RcTime due_at;

  fail_unless_equals_int64 (rc_lane_answer_due_at (world->lane), RC_TIME_NONE);
  run (2 * RC_SECOND);
  due_at = rc_lane_answer_due_at (world->lane);
  fail_unless (due_at == RC_TIME_NONE || due_at >= world->now - 50 * RC_MSEC);
  fail_unless_equals_int64 (rc_lane_delay_remote (world->lane), 25 * RC_MSEC);
  world->deaf = TRUE;
  run (150 * RC_MSEC);
  due_at = rc_lane_answer_due_at (world->lane);
  fail_unless (due_at != RC_TIME_NONE && due_at < world->now - 50 * RC_MSEC);
}

CLAIM (test_report_is_due_when_rtp_has_paid_for_it_and_not_its_headers)
{
  RcSenderPacket packet = {.ssrc = SSRC,.rtp_bytes = 100 };
  RcTime due_at;

  for (; packet.seq < 19; packet.seq++)
    rc_sender_on_sent (&world->sender, &packet, FALSE, 0);
  due_at = rc_lane_answer_due_at (world->lane);
  rc_sender_on_sent (&world->sender, &packet, FALSE, 0);
  fail_unless_equals_int64 (due_at - rc_lane_answer_due_at (world->lane), 250 * RC_MSEC);
}
