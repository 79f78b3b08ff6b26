/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The PIQI-RCP paper's figures as numbers: docs/rcp-figures.md. */
#include "claim.h"
#include "rcpfigures.h"

#include <math.h>

#define MS RC_MSEC
#define MBIT 1e6

static const FigureLaw rcp = {.law = RC_ROUTER_RCP };
static const FigureLaw qi = {.law = RC_ROUTER_QI_RCP };
static const FigureLaw piqi = {.law = RC_ROUTER_PIQI_RCP };

static FigureLaw
scaled (FigureLaw law, double eta)
{
  law.eta = eta;
  return law;
}

static gboolean
is_near (double value, double wanted, double ratio)
{
  return fabs (value / wanted - 1) <= ratio;
}

CLAIM_TIMEOUT_S (120)

/* [PIQI fig. 2] */
CLAIM (test_fig2_rcp_with_the_mean_rtt_of_the_flows_is_unstable)
{
  FigureLaw law = rcp;
  TopologyT1 r;

  r = figure_t1 (&law, T1_AS_PUBLISHED, NULL);
  fail_unless (r.x1_swing_ratio < 0.02, "d by bytes: %g", r.x1_swing_ratio);
  law.flows_mean = true;
  r = figure_t1 (&law, T1_AS_PUBLISHED, NULL);
  fail_unless (is_near (r.x1_before_bps, 155 * MBIT, 0.01));
  fail_unless (r.x1_swing_ratio > 1, "%g", r.x1_swing_ratio);
  r = figure_t1 (&law, T1_FIXED, NULL);
  fail_unless (r.x1_swing_ratio > 1, "with fixed bottlenecks: %g", r.x1_swing_ratio);
}

/* [PIQI fig. 6, 10]: gamma 0.95, so that x1 gets 0.95 (155 - 50), the others 0.95 of 50 / 9 */
CLAIM (test_fig6_and_10_queue_independent_laws_are_stable_there)
{
  static const double etas[] = { 0.5, 0.99 };

  for (guint i = 0; i < 2 * G_N_ELEMENTS (etas); i++) {
    FigureLaw law = scaled (i % 2 ? piqi : qi, etas[i / 2]);
    TopologyT1 r = figure_t1 (&law, T1_AS_PUBLISHED, NULL);

    fail_unless (r.x1_swing_ratio < 0.02, "%u: %g", i, r.x1_swing_ratio);
    fail_unless (is_near (r.x1_bps, 0.95 * 105 * MBIT, 0.02), "%u: %g", i, r.x1_bps);
    fail_unless (is_near (r.x2_bps, 0.95 * 50 * MBIT / 9, 0.02), "%u: %g", i, r.x2_bps);
  }
}

/* [PIQI fig. 3] 5.1 Gbit/s, 80868 packets, 7.5 s */
CLAIM (test_fig3_flows_that_join_at_once_fill_the_queue_of_rcp)
{
  CrowdSetup setup = figure_13_setup (50);
  Crowd r = figure_crowd (&rcp, &setup, NULL);

  fail_unless (is_near (r.peak_input_bps, 5100 * MBIT, 0.05), "%g", r.peak_input_bps);
  fail_unless (is_near (r.peak_pkts, 80868, 0.1), "%g", r.peak_pkts);
  fail_unless (is_near (r.drain_s, 7.5, 0.1), "%g", r.drain_s);
}

/* [PIQI fig. 4] */
CLAIM (test_fig4_qi_rcp_is_stable_just_up_to_its_bound)
{
  RcTime rtts[] = { 120 * MS, 120 * MS };
  FigureLaw below = scaled (qi, 0.99), above = scaled (qi, 1.01);
  Stability r = figure_stability (&below, rtts, 2, NULL);

  fail_unless (r.swing_ratio < 0.02 && r.growth_gain < 0.5, "%g, %g", r.swing_ratio, r.growth_gain);
  r = figure_stability (&above, rtts, 2, NULL);
  fail_unless (r.swing_ratio > 0.1 && r.growth_gain > 0.9, "%g, %g", r.swing_ratio, r.growth_gain);
}

/* [PIQI fig. 5] */
CLAIM (test_fig5_with_different_rtts_it_is_stable_up_to_1_8_of_the_bound)
{
  RcTime rtts[] = { 120 * MS, 300 * MS };
  FigureLaw below = scaled (qi, 1.7), above = scaled (qi, 1.8);

  fail_unless (figure_stability (&below, rtts, 2, NULL).swing_ratio < 0.02);
  fail_unless (figure_stability (&above, rtts, 2, NULL).swing_ratio > 0.1);
}

/* [PIQI fig. 8] */
CLAIM (test_fig8_piqi_rcp_is_stable_just_up_to_its_bound_with_these_tau)
{
  FigureLaw below = scaled (piqi, 0.99), above = scaled (piqi, 1.01);

  fail_unless (figure_joins (&below, 120 * MS, 120 * MS, 0, NULL).stability.swing_ratio < 0.02);
  fail_unless (figure_joins (&above, 120 * MS, 120 * MS, 0, NULL).stability.swing_ratio > 0.1);
  above.tau1 = FIGURES_LINUX_TAU1;
  above.tau2 = FIGURES_LINUX_TAU2;
  fail_unless (figure_joins (&above, 120 * MS, 120 * MS, 0, NULL).stability.swing_ratio < 0.02,
      "with others not");
}

/* [PIQI fig. 11, 12] 3500 and 550 packets */
CLAIM (test_fig12_joins_one_by_one_cost_piqi_rcp_little_queue)
{
  Joins a = figure_joins (&rcp, 120 * MS, 300 * MS, 0, NULL),
      b = figure_joins (&piqi, 120 * MS, 300 * MS, 0, NULL);

  fail_unless (a.jain_ratio > 0.999 && b.jain_ratio > 0.999);
  fail_unless (is_near (a.peak_pkts, 3500, 0.2), "%g", a.peak_pkts);
  fail_unless (is_near (b.peak_pkts, 550, 0.3), "%g", b.peak_pkts);
  fail_unless (b.later_peak_pkts < b.peak_pkts / 3, "%g", b.later_peak_pkts);
}

/* [PIQI fig. 13a] 501000 and 10000 packets at 250 */
CLAIM (test_fig13a_queue_of_piqi_rcp_does_not_grow_with_the_crowd)
{
  CrowdSetup some = figure_13_setup (25), many = figure_13_setup (250);
  double rcp_pkts = figure_crowd (&rcp, &many, NULL).peak_pkts,
      piqi_pkts = figure_crowd (&piqi, &many, NULL).peak_pkts;

  fail_unless (rcp_pkts > 400000, "%g", rcp_pkts);
  fail_unless (piqi_pkts < rcp_pkts / 20, "%g", piqi_pkts);
  fail_unless (is_near (piqi_pkts, 10000, 0.5), "%g", piqi_pkts);
  fail_unless (is_near (figure_crowd (&piqi, &some, NULL).peak_pkts, 10000, 0.5));
}

/* [PIQI fig. 15] */
CLAIM (test_fig15_shares_of_the_parking_lot_are_max_min)
{
  static const double shares[3][3] = { {800}, {485, 485}, {400, 570, 400} };
  ParkingLot lots[2] = { figure_parking_lot (&rcp, NULL), figure_parking_lot (&piqi, NULL) };

  for (guint i = 0; i < 3; i++)
    for (guint k = 0; k <= i; k++) {
      fail_unless (is_near (lots[0].x_bps[i][k], shares[i][k] * MBIT, 0.02), "%u %u", i, k);
      fail_unless (is_near (lots[1].x_bps[i][k], 0.95 * shares[i][k] * MBIT, 0.02), "%u %u", i, k);
    }
  fail_unless (lots[1].most_input_ratio < 1.1 && lots[0].most_input_ratio > 1.5);
}

/* [PIQI fig. 18] */
CLAIM (test_fig18_rcp_falls_to_nothing_after_a_crowd_and_piqi_rcp_does_not)
{
  CrowdSetup setup = figure_18_setup ();
  FigureLaw a = {.law = RC_ROUTER_RCP,.alpha = 0.1 };
  FigureLaw b = {.law = RC_ROUTER_PIQI_RCP,.eta = 1,.tau1 = FIGURES_LINUX_TAU1,
      .tau2 = FIGURES_LINUX_TAU2 };

  fail_unless (figure_crowd (&a, &setup, NULL).least_input_bps < 10 * MBIT);
  fail_unless (figure_crowd (&b, &setup, NULL).least_input_bps > 75 * MBIT);
}

/* [PIQI footnote 4] With queues of one round trip RCP loses a lot; PIQI-RCP does not. */
CLAIM (test_finite_queues_lose_what_rcp_overshoots)
{
  CrowdSetup setup = figure_13_setup (50);
  double rcp_lost, piqi_lost;

  setup.queue_bdp = 1;
  rcp_lost = figure_crowd (&rcp, &setup, NULL).lost_ratio;
  piqi_lost = figure_crowd (&piqi, &setup, NULL).lost_ratio;
  fail_unless (rcp_lost > 0.3, "%g", rcp_lost);
  fail_unless (piqi_lost < rcp_lost / 4, "%g", piqi_lost);
}

/* [PIQI fig. 19] RCP overshoots by 40 % over 20 ms and undershoots by 25 %. */
CLAIM (test_fig19_mice_shake_rcp_and_hardly_piqi_rcp)
{
  FigureLaw a = {.law = RC_ROUTER_RCP,.alpha = 0.1 };
  FigureLaw b = {.law = RC_ROUTER_PIQI_RCP,.eta = 1,.tau1 = FIGURES_LINUX_TAU1,
      .tau2 = FIGURES_LINUX_TAU2 };
  Mice wild = figure_mice (&a, 60 * RC_SECOND, NULL), calm = figure_mice (&b, 60 * RC_SECOND, NULL);

  fail_unless (wild.most_ratio > 1.25 && wild.least_ratio < 0.85, "%g %g", wild.most_ratio,
      wild.least_ratio);
  fail_unless (calm.most_ratio < 1.15 && calm.least_ratio > 0.85, "%g %g", calm.most_ratio,
      calm.least_ratio);
}

/* [PIQI 3] */
CLAIM (test_queue_drains_later_the_longer_the_round_trip)
{
  CrowdSetup near = figure_13_setup (50), far = near;

  far.rtt = 4 * near.rtt;
  far.end = 90 * RC_SECOND;
  fail_unless (figure_crowd (&rcp, &far, NULL).drain_s
      > 2 * figure_crowd (&rcp, &near, NULL).drain_s);
}

/* [PIQI 4] against what the paper says: as much gain in an integrator alone does as well. */
CLAIM (test_proportional_part_is_worth_its_gain_alone)
{
  CrowdSetup setup = figure_13_setup (50);
  FigureLaw both = scaled (piqi, 0.5), integral = both, half = both;
  Crowd a, b, c;

  integral.integral = half.integral = true;
  half.eta = both.eta / 2;
  a = figure_crowd (&both, &setup, NULL);
  b = figure_crowd (&integral, &setup, NULL);
  c = figure_crowd (&half, &setup, NULL);
  fail_unless (is_near (b.peak_pkts, a.peak_pkts, 0.1) && is_near (b.settle_s, a.settle_s, 0.1),
      "%g %g", b.peak_pkts, b.settle_s);
  fail_unless (c.peak_pkts > 5 * a.peak_pkts && c.settle_s > 2 * a.settle_s, "%g %g", c.peak_pkts,
      c.settle_s);
}

/* [PIQI eq. 19] */
CLAIM (test_without_tau2_a_crowd_settles_later_and_fills_more)
{
  CrowdSetup setup = figure_13_setup (50);
  FigureLaw with = scaled (piqi, 0.5), without = with;
  Crowd a, b;

  without.tau1 = FIGURES_NS2_TAU1;
  a = figure_crowd (&with, &setup, NULL);
  b = figure_crowd (&without, &setup, NULL);
  fail_unless (b.peak_pkts > 3 * a.peak_pkts && b.settle_s > 3 * a.settle_s, "%g %g", b.peak_pkts,
      b.settle_s);
}

/* [PIQI 2.1]; by bytes, most of which are of the long flow, it swings less. */
CLAIM (test_xcp_with_the_mean_rtt_of_the_flows_is_unstable_in_t1)
{
  FigureLaw law = {.xcp = true,.flows_mean = true };

  fail_unless (figure_t1 (&law, T1_AS_PUBLISHED, NULL).x1_swing_ratio > 0.3);
  law.flows_mean = false;
  fail_unless (figure_t1 (&law, T1_AS_PUBLISHED, NULL).x1_swing_ratio < 0.1);
  fail_unless (figure_t1 (&law, T1_ALIKE, NULL).x1_swing_ratio < 0.01);
}

/* [PIQI 2.2] The flow that crosses both is held by the second link; what the other one on the
 * first lacks nobody gets. */
CLAIM (test_xcp_leaves_a_part_of_the_first_link_of_the_parking_lot)
{
  FigureLaw law = {.xcp = true };
  ParkingLot lot = figure_parking_lot (&law, NULL);

  fail_unless (is_near (lot.late_bps[0], 400 * MBIT, 0.02), "%g", lot.late_bps[0]);
  fail_unless (is_near (lot.late_bps[2], 400 * MBIT, 0.02), "%g", lot.late_bps[2]);
  fail_unless (lot.late_bps[1] < 0.97 * 570 * MBIT, "%g", lot.late_bps[1]);
}

/* XCP in this world fills a link with equal shares and next to no queue, as its own paper says. */
CLAIM (test_xcp_fills_a_link_and_keeps_its_queue_short)
{
  FigureLaw law = {.xcp = true };
  CrowdSetup setup = figure_13_setup (1);
  Crowd r = figure_crowd (&law, &setup, NULL);

  fail_unless (r.peak_pkts < 300, "%g", r.peak_pkts);
  fail_unless (r.least_input_bps > 90 * MBIT, "%g", r.least_input_bps);
}

/* [PIQI fig. 16 to 18] */
CLAIM (test_a_device_queue_hides_what_piqi_rcp_has_too_much)
{
  CrowdSetup setup = figure_18_setup ();
  FigureLaw a = {.law = RC_ROUTER_RCP,.alpha = 0.1,.device_pkts = 1500 };
  FigureLaw b = {.law = RC_ROUTER_PIQI_RCP,.eta = 1,.tau1 = FIGURES_LINUX_TAU1,
      .tau2 = FIGURES_LINUX_TAU2,.device_pkts = 1500 };

  fail_unless (figure_crowd (&a, &setup, NULL).peak_pkts > 7000);
  fail_unless (figure_crowd (&b, &setup, NULL).peak_pkts <= 1);
  b.device_pkts = 0;
  fail_unless (figure_crowd (&b, &setup, NULL).peak_pkts > 1000);
}
