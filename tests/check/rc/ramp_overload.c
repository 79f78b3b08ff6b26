/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Who gets how much when not all fits, and who is told what. */
#include "rampworld.h"

/* [RAMP eq. 4] */
CLAIM (test_overload_is_told_when_requirements_exceed_the_budget_and_until_they_do_not)
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

CLAIM (test_overload_shares_by_weight_and_meets_small_needs)
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
  fail_unless (fabs (sent_bps (two, before[1], 20 * RC_SECOND) / sent_bps (one,
              before[0], 20 * RC_SECOND) - 2) < 0.1, "%g and %g bit/s",
      sent_bps (one, before[0], 20 * RC_SECOND), sent_bps (two, before[1], 20 * RC_SECOND));
  fail_unless (fabs (two->flow.share_bps / one->flow.share_bps - 2) < 0.1);
}

/* At 1 Mbit/s a packet of video takes 9.8 ms. */
CLAIM (test_audio_waits_for_the_packet_in_service_only)
{
  WorldSource video = camera (MBIT), audio = microphone ();
  WorldFlow *mic;

  audio.packet_bytes = 120;
  audio.frame_interval = 20 * RC_MSEC;
  audio.rate_bps = 48000;
  start (FALSE, 1000000);
  world.queue_limit_pkts = 100;
  world_add (&world, &video);
  world_add (&world, &video);
  mic = world_add (&world, &audio);
  world_run (&world, 3 * RC_SECOND);
  world_reset_delays (&world);
  world_run (&world, 30 * RC_SECOND);
  fail_unless (mic->delay_max < rc_time_of_bytes (1228, 1000000),
      "%g ms", rc_time_to_s (mic->delay_max) * 1e3);
  fail_unless (mic->delay_max > 5 * RC_MSEC,
      "the link was not busy: %g ms", rc_time_to_s (mic->delay_max) * 1e3);
}

CLAIM (test_greedy_flows_keep_their_minimum_in_overload_and_share_it_by_weight)
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

/* For ten seconds it had the whole link, far more than is reserved for it. */
CLAIM (test_greedy_flow_keeps_its_minimum_after_it_had_much_more)
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
  fail_unless (sent_bps (greedy, before, 2 * RC_SECOND) > 800000,
      "%g", sent_bps (greedy, before, 2 * RC_SECOND));
}

CLAIM (test_a_greedy_flow_that_comes_later_is_owed_nothing)
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
  fail_unless (fabs (sent_bps (first,
              before, RC_SECOND) / sent_bps (second, 0, RC_SECOND) - 1) < 0.05, "%g and %g",
      sent_bps (first, before, RC_SECOND), sent_bps (second, 0, RC_SECOND));
}

CLAIM (test_overload_ends_below_the_relief_ratio_only)
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

CLAIM (test_a_silent_flow_claims_nothing)
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
  fail_unless (flow->flow.allocation_bps == 0 && flow->flow.need_bps == 0
      && world.ramp.need_bps == 0);
}

CLAIM (test_a_minimum_holds_in_overload)
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

/* An encoder that does not use its share cedes it, and wins it back. */
CLAIM (test_shares_follow_the_needs_there_and_back)
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
  fail_unless (fabs (a->flow.share_bps / b->flow.share_bps - 1) < 0.15,
      "%g and %g", a->flow.share_bps, b->flow.share_bps);
}

/* A quarter more for each would leave half of the link; a microphone has no use for it. */
CLAIM (test_what_is_left_goes_to_those_who_make_most_and_evenly_before_anybody_makes_any)
{
  WorldSource video = camera (2 * MBIT), audio = microphone ();
  WorldFlow *a, *b, *mic;

  start (FALSE, LINK_BPS);
  video.starts_at = audio.starts_at = RC_SECOND;
  a = world_add (&world, &video);
  b = world_add (&world, &video);
  mic = world_add (&world, &audio);
  world_run (&world, RC_SECOND / 2);
  fail_unless (fabs (a->flow.share_bps / (LINK_BPS / 3.0) - 1) < 0.01, "%g", a->flow.share_bps);
  world_run (&world, 10 * RC_SECOND);
  fail_unless (a->flow.share_bps > 4 * MBIT && b->flow.share_bps > 4 * MBIT,
      "%g and %g", a->flow.share_bps, b->flow.share_bps);
  fail_unless (mic->flow.share_bps < 0.8 * MBIT, "%g", mic->flow.share_bps);
}

/* x264 at low rates makes 0.7 of what it is told; the other takes whatever there is. */
CLAIM (test_a_source_that_began_small_gets_its_even_part_though_it_makes_less_than_told)
{
  WorldSource big = camera (3 * MBIT), small = camera (0.02 * MBIT);
  WorldFlow *a, *b;
  guint i;

  start (FALSE, 3000000);
  world.queue_limit_pkts = 100;
  a = world_add (&world, &big);
  b = world_add (&world, &small);
  world_run (&world, 3 * RC_SECOND);
  fail_unless (a->flow.share_bps > 2.8 * MBIT && b->flow.share_bps < 0.1 * MBIT,
      "%g and %g", a->flow.share_bps, b->flow.share_bps);
  for (i = 0; i < 100 && b->flow.share_bps < 1.4 * MBIT; i++) {
    world_run (&world, world.now + 100 * RC_MSEC);
    a->source.rate_bps = 0.95 * a->flow.share_bps;
    b->source.rate_bps = 0.7 * b->flow.share_bps;
  }
  fail_unless (i < 100, "%g and %g", a->flow.share_bps, b->flow.share_bps);
  fail_unless (a->flow.share_bps < 2.2 * MBIT, "%g", a->flow.share_bps);
}

/* Before its first packet, and after a silence. */
CLAIM (test_a_source_begins_at_an_even_part_whatever_the_others_have_taken)
{
  WorldSource big = camera (3 * MBIT), other = camera (0.1 * MBIT);
  WorldFlow *a, *b;

  start (FALSE, 3000000);
  world.queue_limit_pkts = 100;
  big.params.weight = 2;
  a = world_add (&world, &big);
  other.starts_at = 3 * RC_SECOND;
  other.ends_at = 5 * RC_SECOND;
  b = world_add (&world, &other);
  world_run (&world, 2900 * RC_MSEC);
  fail_unless (a->flow.share_bps > 2.9 * MBIT);
  fail_unless (fabs (b->flow.share_bps / MBIT - 1) < 0.01, "%g", b->flow.share_bps);
  world_run (&world, 3900 * RC_MSEC);
  fail_unless (fabs (b->flow.share_bps / MBIT - 1) < 0.01, "%g", b->flow.share_bps);
  world_run (&world, 4900 * RC_MSEC);
  fail_unless (b->flow.share_bps < 0.4 * MBIT, "%g", b->flow.share_bps);
  world_run (&world, 7 * RC_SECOND);
  fail_unless (fabs (b->flow.share_bps / MBIT - 1) < 0.01, "%g", b->flow.share_bps);
}

CLAIM (test_allocations_fit_the_budget_at_once_when_it_falls)
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
