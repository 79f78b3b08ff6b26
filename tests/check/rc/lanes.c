/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Lanes: what carries, what is in doubt, and what all are together. Each has a receiver of its own
 * behind 25 ms, which reports as ours does. */

#include <rc/receiver/receiver.h>
#include <rc/sender/laneparts.h>
#include <rc/sender/sender.h>

#include "claim.h"

#define N 2
#define RTP_BYTES 1178
#define NETWORK_BYTES (RTP_BYTES + RC_OVERHEAD_IPV4_BYTES)
#define SSRC 100
#define WAY (25 * RC_MSEC)

typedef struct
{
  RcLane *lane;
  RcLaneMemory memory;
  RcLedgerEntry entries[4096];
  RcReceiver receiver;
  guint16 seq;
  guint waits;
  gboolean dead;
  guint loses;                  /* each so many of its packets; 0: none */
  RcTime extra;                 /* longer way */
} End;

static struct
{
  RcSender sender;
  End ends[N];
  RcTime now, look_at;
  guint copies, bound[N];
} *world;

static RcSenderConfig
make_config (RcController * law, const gchar * name, RcLanesMode mode)
{
  rc_controller_init (law, rc_law_find (name), RC_PROFILE_LIVE);
  return (RcSenderConfig) {.controller = law,.limits = {100000, 1000000, 5000000},
    .pacing = RC_RMC_PARAMS_DEFAULT,.overhead_bytes = RC_OVERHEAD_IPV4_BYTES,.mode = mode,
    .latency = 150 * RC_MSEC
  };
}

static void
add_lane (guint i, const gchar * law_name)
{
  RcController law;
  RcSenderConfig config = make_config (&law, law_name, world->sender.lanes.mode);
  End *end = &world->ends[i];

  end->lane = rc_sender_add_lane (&world->sender, i, &end->memory, &config, world->now);
  rc_lane_give_entries (end->lane, rc_numbers_of_ssrc (SSRC + i), end->entries, 4096, 0);
  rc_receiver_init (&end->receiver, SSRC + i, RC_BWFILTER_TAU);
  rc_lanes_set_joined (&world->sender.lanes, i, TRUE);
}

static void
begin_with (RcLanesMode mode, const gchar * law_name)
{
  RcController law;
  RcSenderConfig config = make_config (&law, law_name, mode);

  g_free (world);
  world = g_malloc0 (sizeof *world);
  rc_sender_init (&world->sender, &config, 0);
  for (guint i = 0; i < N; i++)
    add_lane (i, law_name);
}

static void
begin (RcLanesMode mode)
{
  begin_with (mode, "arc");
}

BEFORE_EACH
{
  begin (RC_LANES_SUM);
}

AFTER_EACH
{
  g_clear_pointer (&world, g_free);
}

static void
send_bound (guint i)
{
  End *end = &world->ends[i];

  while (end->waits > 0 && rc_lane_due_at (end->lane, NETWORK_BYTES, world->now) == world->now) {
    RcSenderPacket packet = { SSRC + i, end->seq++, RTP_BYTES, RTP_BYTES - 12, FALSE, 0 };

    end->waits--;
    rc_lanes_on_left (&world->sender.lanes, i, NETWORK_BYTES);
    rc_gate_reserve (rc_lane_gate (end->lane), NETWORK_BYTES, world->now);
    rc_lane_on_sent (end->lane, &packet, TRUE, world->now);
    if (!end->dead && (end->loses == 0 || packet.seq % end->loses != 0))
      rc_receiver_on_packet (&end->receiver, packet.seq, RTP_BYTES, FALSE,
          world->now + WAY + end->extra);
  }
}

static void
report (guint i)
{
  End *end = &world->ends[i];
  RcReport report;

  if (end->dead || end->seq == 0)
    return;
  rc_receiver_report (&end->receiver, world->now + WAY + end->extra, &report);
  rc_lane_on_reports (world->ends[i].lane, &report, 1, 99, world->now);
}

/* Always something to send. */
static void
run (RcTime span)
{
  RcTime end = world->now + span;

  for (; world->now < end; world->now += RC_MSEC) {
    RcLanePlan plan;

    while (world->ends[0].waits + world->ends[1].waits < 4) {
      RcLaneWish wish = {.network_bytes = NETWORK_BYTES,.left = RC_TIME_NONE };
      RcLaneChoice choice = rc_lanes_bind (&world->sender.lanes, &wish, world->now);

      fail_if (choice.first == RC_LANE_NONE);
      world->ends[choice.first].waits++;
      world->bound[choice.first]++;
      if (choice.second != RC_LANE_NONE) {
        world->ends[choice.second].waits++;
        world->copies++;
      }
    }
    for (guint i = 0; i < N; i++) {
      send_bound (i);
      if (world->now % (50 * RC_MSEC) == 0)
        report (i);
      rc_lane_plan (world->ends[i].lane, world->now, &plan);
    }
    rc_sender_look (&world->sender, world->now);
  }
}

static RcLanesSum
sum (void)
{
  RcLanesSum sum;

  rc_sender_look (&world->sender, world->now);
  rc_lanes_sum (&world->sender.lanes, &sum);
  return sum;
}

static guint64
rate_of (guint i)
{
  return rc_lane_rate_bps (world->ends[i].lane);
}

CLAIM (test_lanes_carry_their_sum)
{
  run (2 * RC_SECOND);
  fail_unless_equals_uint64 (sum ().rate_bps, rate_of (0) + rate_of (1));
  fail_unless (world->bound[0] > 50 && world->bound[1] > 50);
  fail_unless (rc_sender_is_living (&world->sender) && rc_sender_is_heard (&world->sender));
  fail_if (sum ().stopped);
}

CLAIM (test_no_lane_carries_before_the_receiver_takes_media_by_it)
{
  RcLaneWish wish = {.network_bytes = NETWORK_BYTES,.left = RC_TIME_NONE };

  rc_lanes_set_joined (&world->sender.lanes, 0, FALSE);
  fail_unless_equals_int (rc_lanes_bind (&world->sender.lanes, &wish, 0).first, 1);
  rc_lanes_set_joined (&world->sender.lanes, 1, FALSE);
  fail_unless_equals_int (rc_lanes_bind (&world->sender.lanes, &wish, 0).first, RC_LANE_NONE);
}

CLAIM (test_lane_whose_reports_are_overdue_is_in_doubt_once)
{
  guint lane;

  run (2 * RC_SECOND);
  fail_if (rc_lanes_take_doubt (&world->sender.lanes, &lane));
  world->ends[1].dead = TRUE;
  run (250 * RC_MSEC);
  fail_unless (rc_lanes_take_doubt (&world->sender.lanes, &lane));
  fail_unless_equals_int (lane, 1);
  fail_if (rc_lanes_take_doubt (&world->sender.lanes, &lane));
  fail_unless_equals_uint64 (sum ().rate_bps, rate_of (0));
}

/* At the sum of the rates: 30 ms are the choice between lanes, 30 more too much. */
CLAIM (test_what_waits_for_long_goes_before_new_media)
{
  guint64 bytes_30ms;

  run (2 * RC_SECOND);
  bytes_30ms = rate_of (0) / 8 * 30 / 1000;
  world->sender.lanes.places[0].bound_bytes = bytes_30ms;
  fail_if (sum ().overloaded);
  world->sender.lanes.places[0].bound_bytes += sum ().rate_bps / 8 * 25 / 1000;
  fail_if (sum ().overloaded);
  world->sender.lanes.places[0].bound_bytes += sum ().rate_bps / 8 * 10 / 1000;
  fail_unless (sum ().overloaded);
}

CLAIM (test_dead_lane_gets_nothing_but_copies_and_carries_again_when_it_answers)
{
  guint bound, copies;

  run (2 * RC_SECOND);
  world->ends[1].dead = TRUE;
  run (250 * RC_MSEC);
  bound = world->bound[1];
  copies = world->copies;
  run (RC_SECOND);
  fail_unless_equals_int (world->bound[1], bound);
  fail_unless (world->copies - copies >= 5 && world->copies - copies <= 11, "%u copies in 1 s",
      world->copies - copies);
  world->ends[1].dead = FALSE;
  run (RC_SECOND);
  fail_unless (world->bound[1] > bound);
}

CLAIM (test_all_lanes_in_doubt_carry_rather_than_none)
{
  run (2 * RC_SECOND);
  world->ends[0].dead = world->ends[1].dead = TRUE;
  run (RC_SECOND);
  fail_unless (sum ().rate_bps > 0);
  run (9 * RC_SECOND);
  fail_unless (sum ().stopped);
}

CLAIM (test_lane_that_lags_by_more_than_the_latency_does_not_count)
{
  world->ends[1].extra = 140 * RC_MSEC;
  run (2 * RC_SECOND);
  fail_unless_equals_uint64 (sum ().rate_bps, rate_of (0) + rate_of (1));
  fail_unless (rc_lanes_lag (&world->sender.lanes, 1, world->now) > 100 * RC_MSEC,
      "%d us, bound %u", (gint) (rc_lanes_lag (&world->sender.lanes, 1, world->now) / 1000),
      world->bound[1]);
  world->ends[1].extra = 200 * RC_MSEC;
  run (RC_SECOND);
  fail_unless_equals_uint64 (sum ().rate_bps, rate_of (0));
}

static void
limit (guint i, guint64 max_bps)
{
  RcLimits limits = { 100000, 100000, max_bps };

  rc_lane_set_limits (world->ends[i].lane, &limits, world->now);
}

CLAIM (test_lane_too_slow_to_be_chosen_gets_copies_until_it_carries)
{
  guint bound;

  limit (1, 200000);
  run (3 * RC_SECOND);
  world->copies = 0;
  run (RC_SECOND);
  fail_unless (world->copies > 12, "%u copies at 200 kbit/s", world->copies);
  limit (1, 5000000);
  run (3 * RC_SECOND);
  world->copies = 0;
  bound = world->bound[1];
  run (RC_SECOND);
  fail_unless (rate_of (1) > 2000000 && world->bound[1] - bound > 100);
  fail_unless (world->copies < 5, "%u copies", world->copies);
}

CLAIM (test_what_waits_longer_than_a_choice_is_a_queue)
{
  RcLaneWish wish = {.network_bytes = NETWORK_BYTES,.left = RC_TIME_NONE };

  run (2 * RC_SECOND);
  fail_unless_equals_uint64 (sum ().waiting_bytes, 0);
  for (guint i = 0; i < 200; i++)
    rc_lanes_bind (&world->sender.lanes, &wish, world->now);
  fail_unless (sum ().waiting_bytes > 150 * NETWORK_BYTES
      && sum ().waiting_bytes < 200 * NETWORK_BYTES, "%u", (guint) sum ().waiting_bytes);
}

CLAIM (test_backup_waits_until_the_first_lane_is_in_doubt)
{
  begin (RC_LANES_BACKUP);
  run (2 * RC_SECOND);
  fail_unless_equals_int (world->bound[1], 0);
  fail_unless_equals_uint64 (sum ().rate_bps, rate_of (0));
  world->ends[0].dead = TRUE;
  run (RC_SECOND);
  fail_unless (world->bound[1] > 30, "%u", world->bound[1]);
}

CLAIM (test_duplicate_sends_each_packet_by_two_lanes_at_the_rate_of_the_slower)
{
  begin (RC_LANES_DUPLICATE);
  run (2 * RC_SECOND);
  fail_unless (world->copies >= world->bound[0] + world->bound[1] - 1);
  fail_unless_equals_uint64 (sum ().rate_bps, MIN (MIN (rate_of (0), rate_of (1)),
          (rate_of (0) + rate_of (1)) / 2));
}

CLAIM (test_lane_that_left_makes_room_for_another)
{
  run (RC_SECOND);
  rc_sender_remove_lane (&world->sender, 0, world->now);
  fail_unless_equals_uint64 (sum ().rate_bps, rate_of (1));
  add_lane (0, "arc");
  fail_unless_equals_uint64 (sum ().rate_bps, rate_of (0) + rate_of (1));
}

/* --- the sender before them --- */

CLAIM (test_sender_paces_at_what_its_lanes_are_together_within_its_limits)
{
  RcLimits limits = { 100000, 100000, 1500000 };
  RcTime at;

  run (2 * RC_SECOND);
  fail_unless (sum ().rate_bps > 2000000);
  fail_unless_equals_uint64 (rc_sender_rate_bps (&world->sender), MIN (sum ().rate_bps, 5000000));
  fail_unless_equals_int64 (rc_sender_srtt (&world->sender),
      MAX (rc_lane_srtt (world->ends[0].lane), rc_lane_srtt (world->ends[1].lane)));
  rc_sender_set_limits (&world->sender, &limits, world->now);
  fail_unless_equals_uint64 (rc_sender_rate_bps (&world->sender), 1500000);
  for (guint i = 0; i < 4; i++)
    rc_gate_reserve (rc_sender_gate (&world->sender), NETWORK_BYTES, world->now);
  at = rc_sender_due_at (&world->sender, NETWORK_BYTES, world->now);
  fail_unless (at > world->now && at < world->now + 40 * RC_MSEC);
  world->ends[0].dead = world->ends[1].dead = TRUE;
  run (10 * RC_SECOND);
  sum ();
  fail_unless (rc_sender_is_stopped (&world->sender));
  fail_if (rc_sender_is_living (&world->sender));
  fail_unless_equals_uint64 (rc_sender_rate_bps (&world->sender), 100000);
}

static guint
target_with (guint64 bound_bytes)
{
  RcSenderPlan plan;

  for (guint i = 0; i < 300; i++) {
    run (RC_MSEC);
    world->sender.lanes.places[0].bound_bytes += bound_bytes;
    rc_sender_look (&world->sender, world->now);
    rc_sender_plan (&world->sender, 0, world->now, &plan);
    world->sender.lanes.places[0].bound_bytes -= bound_bytes;
  }
  return plan.target_bps;
}

CLAIM (test_what_waits_in_the_lanes_lowers_the_target)
{
  guint without, with;

  run (2 * RC_SECOND);
  without = target_with (0);
  with = target_with (200000);
  fail_unless (with < without * 0.8, "%u, without %u", with, without);
}

CLAIM (test_a_law_with_a_rate_of_its_own_has_it_once)
{
  begin_with (RC_LANES_SUM, "fixed");
  fail_unless_equals_uint64 (sum ().rate_bps, 2000000);
  fail_unless_equals_uint64 (rc_sender_rate_bps (&world->sender), 1000000);
}

/* A receiver that starts after the sender has to be found by something. */
CLAIM (test_media_probes_by_a_lane_while_all_have_stopped_before_the_receiver_was_heard)
{
  RcLaneWish wish = {.network_bytes = NETWORK_BYTES,.left = RC_TIME_NONE };

  world->ends[0].dead = world->ends[1].dead = TRUE;
  run (7 * RC_SECOND);
  fail_unless (sum ().stopped);
  fail_unless (rc_sender_wants_probe (&world->sender, world->now + RC_SECOND));
  fail_if (rc_lanes_bind (&world->sender.lanes, &wish, world->now).first == RC_LANE_NONE);
}

static RcSenderStats
stats_of (guint i)
{
  RcSenderStats stats;

  rc_lane_get_stats (world->ends[i].lane, world->now, &stats);
  return stats;
}

static RcSenderStats
stats (void)
{
  RcSenderStats stats;

  rc_sender_get_stats (&world->sender, world->now, &stats);
  return stats;
}

CLAIM (test_sum_has_the_counters_of_all_lanes_also_of_those_that_left)
{
  RcSenderStats before;

  world->ends[1].loses = 10;
  run (5 * RC_SECOND);
  before = stats ();
  fail_unless_equals_uint64 (before.packets, stats_of (0).packets + stats_of (1).packets);
  fail_unless_equals_uint64 (before.reports.accepted,
      stats_of (0).reports.accepted + stats_of (1).reports.accepted);
  fail_unless (before.reports.lost_pkts > 0);
  fail_unless_equals_uint64 (before.reports.lost_pkts, stats_of (1).reports.lost_pkts);
  fail_unless_equals_uint64 (before.sent_bps, stats_of (0).sent_bps + stats_of (1).sent_bps);
  fail_unless (before.bandwidth_bps > before.sent_bps / 2
      && before.bandwidth_bps <= before.sent_bps);
  fail_unless_equals_int (before.format, RC_FORMAT_ARC);
  rc_sender_remove_lane (&world->sender, 1, world->now);
  fail_unless_equals_uint64 (stats ().packets, before.packets);
  fail_unless_equals_uint64 (stats ().reports.lost_pkts, before.reports.lost_pkts);
}

static guint
lead (void)
{
  sum ();
  for (guint i = 0; i < N; i++)
    if (rc_sender_lead (&world->sender) == world->ends[i].lane)
      return i;
  return N;
}

CLAIM (test_lead_is_the_lane_that_carries_most)
{
  run (2 * RC_SECOND);
  fail_unless_equals_int (lead (), rate_of (1) > rate_of (0));
  world->ends[0].dead = TRUE;
  run (RC_SECOND);
  fail_unless_equals_int (lead (), 1);
  rc_sender_remove_lane (&world->sender, 1, world->now);
  fail_unless_equals_int (lead (), 0);
  rc_sender_remove_lane (&world->sender, 0, world->now);
  fail_unless (rc_sender_lead (&world->sender) == NULL && rc_sender_is_stopped (&world->sender));
}

CLAIM (test_every_lane_announces_the_format)
{
  RcAnnouncement announced = { {"L16", 96, RC_MEDIA_AUDIO, 48000}, NULL, 0 };
  RcLanePlan plan;

  rc_sender_set_format (&world->sender, &announced, world->now);
  rc_sender_remove_lane (&world->sender, 0, world->now);
  add_lane (0, "arc");
  for (guint i = 0; i < N; i++) {
    RcSenderPacket packet = {.ssrc = SSRC + i,.seq = world->ends[i].seq,.rtp_bytes = RTP_BYTES };

    rc_lane_on_sent (world->ends[i].lane, &packet, FALSE, world->now);
    rc_lane_on_notice (world->ends[i].lane, &(RcNotice) {.cookie = 1 },
        world->now);
    rc_lane_plan (world->ends[i].lane, world->now, &plan);
    fail_unless_equals_int (plan.n_infos, 1);
    fail_unless_equals_string (plan.infos[0].format.encoding_name, "L16");
  }
}
