/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "bench/ramp/world.h"

#include <gst/check/gstcheck.h>
#include <math.h>

#define MBIT 1e6
#define LINK_BPS UINT64_C (10000000)

static World world;
static WorldPacket memory[WORLD_FLOWS * WORLD_PACKETS];

static WorldSource
camera (gdouble rate_bps)
{
  return (WorldSource) {
  .params = RC_RAMP_FLOW_PARAMS_DEFAULT,.rate_bps = rate_bps,.frame_interval = RC_SECOND / 30,.vbr_ratio = 0.2,
        .packet_bytes = 1228};
}

static WorldSource
microphone (void)
{
  WorldSource source = {.params = RC_RAMP_FLOW_PARAMS_DEFAULT,.rate_bps = 80000,.packet_bytes = 200 };

  source.params.target.delay = 10 * RC_MSEC;
  source.params.period = 2500 * RC_USEC;
  return source;
}

/* More than the link takes. */
static WorldSource
download (void)
{
  WorldSource source = {.params = RC_RAMP_FLOW_PARAMS_DEFAULT,.rate_bps = 12 * MBIT,.packet_bytes = 1500 };

  source.params.flow_class = RC_RAMP_GREEDY;
  return source;
}

static void
start (gboolean paper, guint64 link_bps)
{
  RcRampParams params = paper ? RC_RAMP_PARAMS_PAPER : RC_RAMP_PARAMS_DEFAULT;

  world_init (&world, memory, &params, link_bps);
}

static gdouble
sent_bps (const WorldFlow * flow, guint64 before_bytes, RcTime span)
{
  return (gdouble) (flow->sent_bytes - before_bytes) * 8 / rc_time_to_s (span);
}

GST_START_TEST (test_real_rate_flow_gets_its_rate_beside_a_greedy_one)
{
  for (gint paper = 0; paper <= 1; paper++) {
    WorldFlow *video, *rest;
    WorldSource source = camera (2 * MBIT);
    gdouble fair_bytes;

    start (paper, LINK_BPS);
    if (paper) {
      source.params = RC_RAMP_FLOW_PARAMS_PAPER;
      source.params.flow_class = RC_RAMP_REAL_RATE;
    }
    video = world_add (&world, &source);
    source = download ();
    rest = world_add (&world, &source);
    world.queue_limit_pkts = 1000;
    world_run (&world, 60 * RC_SECOND);
    fail_unless (video->dropped_bytes == 0);
    fail_unless ((gdouble) video->sent_bytes > 0.99 * (gdouble) video->arrived_bytes);
    fair_bytes = 60.0 * LINK_BPS / 8 - (gdouble) video->sent_bytes;
    fail_unless ((gdouble) rest->sent_bytes > 0.98 * fair_bytes, "greedy got %g of %g bytes",
        (gdouble) rest->sent_bytes, fair_bytes);
  }
}

GST_END_TEST;

/* Sampled each second time right after a packet: its queue then always looks full. */
GST_START_TEST (test_requirement_is_the_rate_however_packets_and_samples_fall_together)
{
  for (RcTime phase = 0; phase < 20 * RC_MSEC; phase += 3 * RC_MSEC + 333 * RC_USEC) {
    WorldSource audio = microphone ();
    WorldFlow *mic;

    start (FALSE, LINK_BPS);
    audio.starts_at = phase;
    mic = world_add (&world, &audio);
    world_run (&world, 30 * RC_SECOND);
    fail_unless (fabs (mic->flow.need_bps / 80000 - 1) < 0.15, "phase %g ms: %g bit/s", rc_time_to_s (phase) * 1e3,
        mic->flow.need_bps);
  }
}

GST_END_TEST;

GST_START_TEST (test_link_is_never_idle_while_a_packet_waits)
{
  WorldSource source = camera (9 * MBIT);
  WorldFlow *video;

  start (FALSE, LINK_BPS);
  video = world_add (&world, &source);
  world_run (&world, 10 * RC_SECOND);
  /* a frame of 300 kbit takes 30 ms */
  fail_unless (video->delay_max < 120 * RC_MSEC, "%g ms", rc_time_to_s (video->delay_max) * 1e3);
  fail_unless (video->delay_sum_s / (gdouble) video->delay_pkts < 0.040);
}

GST_END_TEST;

GST_START_TEST (test_strict_flow_waits_for_its_target_delay)
{
  WorldSource source = camera (2 * MBIT);
  WorldFlow *video;
  gdouble delay_s;

  start (FALSE, LINK_BPS);
  world.ramp.params.borrow = false;
  source.vbr_ratio = 0;
  source.params.target.delay = 100 * RC_MSEC;
  video = world_add (&world, &source);
  world_run (&world, 10 * RC_SECOND);
  world_reset_delays (&world);
  world_run (&world, 20 * RC_SECOND);
  delay_s = video->delay_sum_s / (gdouble) video->delay_pkts;
  fail_unless (fabs (delay_s - 0.100) < 0.020, "%g s", delay_s);
}

GST_END_TEST;

/* Keyframes of 12 times a frame, a link that is nearly full, a greedy flow. */
GST_START_TEST (test_audio_does_not_suffer_from_keyframes)
{
  WorldSource video = camera (3 * MBIT), audio = microphone (), rest = download ();
  WorldFlow *mic;

  start (FALSE, 4000000);
  video.key_every = 60;
  video.key_gain = 12;
  world_add (&world, &video);
  mic = world_add (&world, &audio);
  world_add (&world, &rest);
  world.queue_limit_pkts = 2000;
  world_run (&world, 2 * RC_SECOND);
  world_reset_delays (&world);
  world_run (&world, 60 * RC_SECOND);
  /* its period, the packet on the wire and one of a deadline before */
  fail_unless (mic->delay_max < 2500 * RC_USEC + 2 * 3 * RC_MSEC, "%g ms", rc_time_to_s (mic->delay_max) * 1e3);
  fail_unless (mic->delay_sum_s / (gdouble) mic->delay_pkts < 0.003, "%g s",
      mic->delay_sum_s / (gdouble) mic->delay_pkts);
}

GST_END_TEST;

/* [RAMP eq. 4] */
GST_START_TEST (test_overload_is_told_when_requirements_exceed_the_budget_and_until_they_do_not)
{
  WorldSource source = camera (2 * MBIT);
  WorldFlow *first, *second;

  start (FALSE, 5000000);
  first = world_add (&world, &source);
  second = world_add (&world, &source);
  world_run (&world, 5 * RC_SECOND);
  fail_if (world.ramp.overloaded);
  fail_unless (fabs (world.ramp.need_bps / MBIT - 4) < 0.7, "%g", world.ramp.need_bps);
  second->source.rate_bps = 4 * MBIT;
  world_run (&world, world.now + RC_SECOND);
  fail_unless (world.ramp.overloaded);
  first->source.rate_bps = second->source.rate_bps = MBIT;
  world_run (&world, world.now + 4 * RC_SECOND);
  fail_if (world.ramp.overloaded);
}

GST_END_TEST;

GST_START_TEST (test_overload_shares_by_weight_and_meets_small_needs)
{
  WorldSource source = camera (8 * MBIT), audio = microphone ();
  WorldFlow *one, *two, *mic;
  guint64 before[2];

  start (FALSE, 6000000);
  world.queue_limit_pkts = 100;
  one = world_add (&world, &source);
  source.params.weight = 2;
  two = world_add (&world, &source);
  mic = world_add (&world, &audio);
  world_run (&world, 5 * RC_SECOND);
  before[0] = one->sent_bytes;
  before[1] = two->sent_bytes;
  world_run (&world, 25 * RC_SECOND);
  fail_unless (mic->dropped_bytes == 0);
  fail_unless ((gdouble) mic->sent_bytes > 0.99 * (gdouble) mic->arrived_bytes);
  fail_unless (fabs (sent_bps (two, before[1], 20 * RC_SECOND) / sent_bps (one, before[0], 20 * RC_SECOND) - 2) < 0.1,
      "%g and %g bit/s", sent_bps (one, before[0], 20 * RC_SECOND), sent_bps (two, before[1], 20 * RC_SECOND));
  fail_unless (fabs (two->flow.share_bps / one->flow.share_bps - 2) < 0.1);
}

GST_END_TEST;

GST_START_TEST (test_greedy_flows_keep_their_minimum_in_overload_and_share_it_by_weight)
{
  WorldSource video = camera (8 * MBIT), rest = download ();
  WorldFlow *greedy[2];

  start (FALSE, 4000000);
  world.queue_limit_pkts = 100;
  world.ramp.params.greedy_min_bps = 900000;
  world_add (&world, &video);
  greedy[0] = world_add (&world, &rest);
  rest.params.weight = 2;
  greedy[1] = world_add (&world, &rest);
  world_run (&world, 20 * RC_SECOND);
  fail_unless (fabs (sent_bps (greedy[0], 0, 20 * RC_SECOND) / 300000 - 1) < 0.1, "%g",
      sent_bps (greedy[0], 0, 20 * RC_SECOND));
  fail_unless (fabs (sent_bps (greedy[1], 0, 20 * RC_SECOND) / 600000 - 1) < 0.1, "%g",
      sent_bps (greedy[1], 0, 20 * RC_SECOND));
}

GST_END_TEST;

/* For ten seconds it had the whole link, far more than is reserved for it. */
GST_START_TEST (test_greedy_flow_keeps_its_minimum_after_it_had_much_more)
{
  WorldSource video = camera (8 * MBIT), rest = download ();
  WorldFlow *greedy;
  guint64 before;

  start (FALSE, 4000000);
  world.queue_limit_pkts = 100;
  world.ramp.params.greedy_min_bps = 900000;
  greedy = world_add (&world, &rest);
  video.starts_at = 10 * RC_SECOND;
  world_add (&world, &video);
  world_run (&world, 10 * RC_SECOND);
  before = greedy->sent_bytes;
  world_run (&world, 12 * RC_SECOND);
  fail_unless (sent_bps (greedy, before, 2 * RC_SECOND) > 800000, "%g", sent_bps (greedy, before, 2 * RC_SECOND));
}

GST_END_TEST;

GST_START_TEST (test_a_greedy_flow_that_comes_later_is_owed_nothing)
{
  WorldSource rest = download ();
  WorldFlow *first, *second;
  guint64 before;

  start (FALSE, LINK_BPS);
  world.queue_limit_pkts = 100;
  first = world_add (&world, &rest);
  rest.starts_at = 10 * RC_SECOND;
  second = world_add (&world, &rest);
  world_run (&world, 10 * RC_SECOND);
  before = first->sent_bytes;
  world_run (&world, 11 * RC_SECOND);
  fail_unless (fabs (sent_bps (first, before, RC_SECOND) / sent_bps (second, 0, RC_SECOND) - 1) < 0.05, "%g and %g",
      sent_bps (first, before, RC_SECOND), sent_bps (second, 0, RC_SECOND));
}

GST_END_TEST;

GST_START_TEST (test_a_keyframe_borrows_the_link_before_greedy_flows_do)
{
  WorldSource video = camera (2 * MBIT), rest = download ();
  WorldFlow *flow;

  start (FALSE, LINK_BPS);
  world.queue_limit_pkts = 1000;
  world.ramp.params.greedy_min_bps = 2000000;
  video.vbr_ratio = 0;
  video.key_every = 30;
  video.key_gain = 10;
  flow = world_add (&world, &video);
  world_add (&world, &rest);
  world_run (&world, 2 * RC_SECOND);
  world_reset_delays (&world);
  world_run (&world, 20 * RC_SECOND);
  /* 64 kB of 8 Mbit/s are 64 ms */
  fail_unless (flow->delay_max < 72 * RC_MSEC, "%g ms", rc_time_to_s (flow->delay_max) * 1e3);
}

GST_END_TEST;

GST_START_TEST (test_overload_ends_below_the_relief_ratio_only)
{
  WorldSource source = camera (2 * MBIT);
  WorldFlow *flow;

  start (FALSE, 1000000);
  world.queue_limit_pkts = 50;
  flow = world_add (&world, &source);
  world_run (&world, 2 * RC_SECOND);
  fail_unless (world.ramp.overloaded);
  world.ramp.params.need_tau = 1000000 * RC_SECOND;     /* the need stays as it is */
  rc_ramp_set_budget (&world.ramp, (guint64) (flow->flow.need_bps / 0.97), world.now);
  world_run (&world, world.now + 50 * RC_MSEC);
  fail_unless (world.ramp.overloaded);
  rc_ramp_set_budget (&world.ramp, (guint64) (flow->flow.need_bps / 0.93), world.now);
  world_run (&world, world.now + 50 * RC_MSEC);
  fail_if (world.ramp.overloaded);
}

GST_END_TEST;

GST_START_TEST (test_a_silent_flow_claims_nothing)
{
  WorldSource source = camera (2 * MBIT);
  WorldFlow *flow;

  start (FALSE, LINK_BPS);
  source.params.min_bps = 500000;
  source.ends_at = 5 * RC_SECOND;
  flow = world_add (&world, &source);
  world_run (&world, 5 * RC_SECOND);
  fail_unless (flow->flow.allocation_bps >= 500000 && flow->flow.need_bps > 1000000);
  world_run (&world, 7 * RC_SECOND);
  fail_unless (flow->flow.allocation_bps == 0 && flow->flow.need_bps == 0 && world.ramp.need_bps == 0);
}

GST_END_TEST;

GST_START_TEST (test_a_minimum_holds_in_overload)
{
  WorldSource big = camera (20 * MBIT), small = camera (2 * MBIT);
  WorldFlow *kept;

  start (FALSE, 4000000);
  world.queue_limit_pkts = 200;
  big.params.weight = 50;
  world_add (&world, &big);
  small.params.min_bps = 2500000;
  kept = world_add (&world, &small);
  world_run (&world, 20 * RC_SECOND);
  fail_unless ((gdouble) kept->sent_bytes > 0.98 * (gdouble) kept->arrived_bytes);
}

GST_END_TEST;

/* An encoder that does not use its share cedes it, and wins it back. */
GST_START_TEST (test_shares_follow_the_needs_there_and_back)
{
  WorldSource source = camera (2.9 * MBIT);
  WorldFlow *a, *b;

  start (FALSE, 6000000);
  a = world_add (&world, &source);
  b = world_add (&world, &source);
  world_run (&world, 5 * RC_SECOND);
  fail_unless (fabs (a->flow.share_bps / MBIT - 3) < 0.4, "%g", a->flow.share_bps);
  a->source.rate_bps = 0.8 * MBIT;
  for (guint i = 0; i < 100; i++) {
    world_run (&world, world.now + 100 * RC_MSEC);
    b->source.rate_bps = 0.95 * b->flow.share_bps;
  }
  fail_unless (b->flow.share_bps > 4.5 * MBIT, "%g", b->flow.share_bps);
  for (guint i = 0; i < 100; i++) {
    world_run (&world, world.now + 100 * RC_MSEC);
    a->source.rate_bps = 0.95 * a->flow.share_bps;
    b->source.rate_bps = 0.95 * b->flow.share_bps;
  }
  fail_unless (fabs (a->flow.share_bps / b->flow.share_bps - 1) < 0.15, "%g and %g", a->flow.share_bps,
      b->flow.share_bps);
}

GST_END_TEST;

GST_START_TEST (test_allocations_fit_the_budget_at_once_when_it_falls)
{
  WorldSource source = camera (3 * MBIT);
  gdouble sum = 0;

  start (FALSE, LINK_BPS);
  for (guint i = 0; i < 3; i++)
    world_add (&world, &source);
  world_run (&world, 5 * RC_SECOND);
  rc_ramp_set_budget (&world.ramp, 2000000, world.now);
  for (guint i = 0; i < 3; i++)
    sum += world.flows[i].flow.allocation_bps;
  fail_unless (sum <= 2000001, "%g", sum);
}

GST_END_TEST;

static gboolean
is_sound (const RcRampFlow * flow)
{
  return isfinite (flow->share_bps) && flow->share_bps >= 0 && isfinite (flow->need_bps)
      && isfinite (flow->allocation_bps) && flow->allocation_bps >= 0
      && flow->arrived_bytes == flow->sent_bytes + flow->dropped_bytes + flow->waiting_bytes;
}

/* Anything in any order: sums hold, no NaN, nothing beyond its bounds. */
GST_START_TEST (test_random_operations_keep_the_books)
{
  static RcRampFlow flows[20];
  GRand *rand = g_rand_new_with_seed (11);
  RcRampParams params = RC_RAMP_PARAMS_DEFAULT;
  gboolean added[20] = { FALSE };
  RcTime now = 0;
  RcRamp ramp;

  rc_ramp_init (&ramp, &params, 3000000, now);
  for (guint i = 0; i < 200000; i++) {
    guint k = (guint) g_rand_int_range (rand, 0, 20);
    RcRampFlow *flow = &flows[k], *next;
    guint bytes = (guint) g_rand_int_range (rand, 0, 3000);

    now += g_rand_int_range (rand, 0, 2000000);
    switch (g_rand_int_range (rand, 0, 12)) {
      case 0:
        if (!added[k]) {
          RcRampFlowParams p = RC_RAMP_FLOW_PARAMS_DEFAULT;

          p.flow_class = g_rand_boolean (rand) ? RC_RAMP_GREEDY : RC_RAMP_REAL_RATE;
          p.weight = g_rand_double_range (rand, 0.01, 100);
          p.min_bps = (guint64) g_rand_int_range (rand, 0, 1000000);
          p.max_bps = p.min_bps + (guint64) g_rand_int_range (rand, 0, 5000000);
          rc_ramp_add (&ramp, flow, &p, now);
        } else if (g_rand_int_range (rand, 0, 10) == 0) {
          rc_ramp_remove (&ramp, flow);
        } else {
          break;
        }
        added[k] = !added[k];
        break;
      case 1:
        rc_ramp_set_budget (&ramp, (guint64) g_rand_int_range (rand, 0, 10000000), now);
        break;
      case 2:
        if (added[k] && flow->waiting_bytes > 0)
          rc_ramp_on_dropped (&ramp, flow, flow->waiting_bytes / 2 + 1);
        break;
      case 3:
      case 4:
        rc_ramp_sample (&ramp, now);
        break;
      case 5:
      case 6:
      case 7:
        if (added[k])
          rc_ramp_on_arrived (&ramp, flow, bytes, now);
        break;
      default:
        next = rc_ramp_next (&ramp, now);
        if (next) {
          if (next->waiting_bytes == 0 || !added[next - flows])
            fail ("operation %u: flow %u has nothing to send", i, (guint) (next - flows));
          rc_ramp_on_sent (&ramp, next, (guint32) MIN (next->waiting_bytes, 1500), now);
        } else {
          for (guint j = 0; j < 20; j++)
            if (added[j] && flows[j].waiting_bytes > 0)
              fail ("operation %u: flow %u is forgotten", i, j);
        }
    }
    for (guint j = 0; j < 20; j++)
      if (added[j] && !is_sound (&flows[j]))
        fail ("operation %u, flow %u", i, j);
  }
  g_rand_free (rand);
}

GST_END_TEST;

static Suite *
ramp_suite (void)
{
  Suite *suite = suite_create ("ramp");
  TCase *tcase = tcase_create ("all");

  suite_add_tcase (suite, tcase);
  tcase_add_test (tcase, test_real_rate_flow_gets_its_rate_beside_a_greedy_one);
  tcase_add_test (tcase, test_requirement_is_the_rate_however_packets_and_samples_fall_together);
  tcase_add_test (tcase, test_link_is_never_idle_while_a_packet_waits);
  tcase_add_test (tcase, test_strict_flow_waits_for_its_target_delay);
  tcase_add_test (tcase, test_audio_does_not_suffer_from_keyframes);
  tcase_add_test (tcase, test_overload_is_told_when_requirements_exceed_the_budget_and_until_they_do_not);
  tcase_add_test (tcase, test_overload_shares_by_weight_and_meets_small_needs);
  tcase_add_test (tcase, test_greedy_flows_keep_their_minimum_in_overload_and_share_it_by_weight);
  tcase_add_test (tcase, test_greedy_flow_keeps_its_minimum_after_it_had_much_more);
  tcase_add_test (tcase, test_a_greedy_flow_that_comes_later_is_owed_nothing);
  tcase_add_test (tcase, test_a_keyframe_borrows_the_link_before_greedy_flows_do);
  tcase_add_test (tcase, test_overload_ends_below_the_relief_ratio_only);
  tcase_add_test (tcase, test_a_silent_flow_claims_nothing);
  tcase_add_test (tcase, test_a_minimum_holds_in_overload);
  tcase_add_test (tcase, test_shares_follow_the_needs_there_and_back);
  tcase_add_test (tcase, test_allocations_fit_the_budget_at_once_when_it_falls);
  tcase_add_test (tcase, test_random_operations_keep_the_books);
  return suite;
}

GST_CHECK_MAIN (ramp);
