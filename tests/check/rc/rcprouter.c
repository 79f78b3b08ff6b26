/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <math.h>
#include <rc/router/rates.h>
#include <rc/router/rcprouter.h>

#include "claim.h"

#define T (10 * RC_MSEC)
#define CAPACITY 100000000
#define RTT (120 * RC_MSEC)

static RcRouter router;
static RcRouterParams params;
static RcTime now;

static void
begin (RcRouterLaw law)
{
  params = RC_ROUTER_PARAMS_DEFAULT;
  params.law = law;
  rc_router_init (&router, &params, CAPACITY, 0);
  now = 0;
}

/* So many intervals with a load; 0: no claim of an RTT. */
static void
run (guint intervals, double arrival_bps, RcTime rtt, guint64 queue_bytes)
{
  while (intervals-- > 0) {
    for (guint i = 0; i < 10; i++)
      rc_router_on_arrival (&router, (guint32) (arrival_bps * rc_time_to_s (T) / 80 + 0.5), rtt,
          now + T * i / 10);
    rc_router_update (&router, queue_bytes, now += T);
  }
}

/* Half of the load that the law aims at, until R would be far above. */
static void
check_grows_to_gamma_and_no_further (RcRouterLaw law)
{
  guint64 last;

  begin (law);
  last = rc_router_rate_bps (&router);
  fail_unless_equals_uint64 (last, CAPACITY / 20);
  for (guint i = 0; i < 10; i++) {
    run (1, 47.5e6, RTT, 0);
    fail_unless (rc_router_rate_bps (&router) > last);
    last = rc_router_rate_bps (&router);
  }
  run (5000, 47.5e6, RTT, 0);
  fail_unless_equals_uint64 (rc_router_rate_bps (&router), 95000000);
}

CLAIM (test_rate_grows_to_gamma_of_the_capacity_while_the_load_is_low)
{
  check_grows_to_gamma_and_no_further (RC_ROUTER_RCP);
  check_grows_to_gamma_and_no_further (RC_ROUTER_QI_RCP);
  check_grows_to_gamma_and_no_further (RC_ROUTER_PIQI_RCP);
}

CLAIM (test_rate_falls_under_overload_but_never_to_nothing)
{
  for (RcRouterLaw law = RC_ROUTER_RCP; law <= RC_ROUTER_PIQI_RCP; law++) {
    begin (law);
    run (2000, 200e6, RTT, 1000000);
    fail_unless_equals_uint64 (rc_router_rate_bps (&router), params.min_bps);
    run (2000, 1e6, RTT, 0);
    fail_unless (rc_router_rate_bps (&router) > 10e6, "it comes back");
  }
}

CLAIM (test_only_rcp_looks_at_the_queue)
{
  for (RcRouterLaw law = RC_ROUTER_RCP; law <= RC_ROUTER_PIQI_RCP; law++) {
    guint64 empty_bps;

    begin (law);
    run (1, 50e6, RTT, 0);
    empty_bps = rc_router_rate_bps (&router);
    begin (law);
    run (1, 50e6, RTT, 1000000);
    fail_unless ((empty_bps == rc_router_rate_bps (&router)) == (law != RC_ROUTER_RCP));
  }
}

/* [PIQI eq. 6, 20, 35], with T in the loop */
CLAIM (test_gain_is_the_bound_for_the_longest_rtt)
{
  begin (RC_ROUTER_QI_RCP);
  run (1, 50e6, RTT, 0);
  fail_unless_equals_int64 (rc_router_loop_delay (&router), RTT + T);
  fail_unless (fabs (router.kappa - 0.95 * rc_qircp_bound (13)) < 1e-9);
  run (1, 50e6, 300 * RC_MSEC, 0);
  run (1, 50e6, RTT, 0);
  fail_unless (fabs (router.kappa - 0.95 * rc_qircp_bound (31)) < 1e-9);
  begin (RC_ROUTER_PIQI_RCP);
  run (1, 50e6, RTT, 0);
  fail_unless (fabs (router.kappa - 0.95 * rc_piqircp_simple_bound (10, 130)) < 1e-9);
  params.exact_bound = true;
  rc_router_init (&router, &params, CAPACITY, now);
  run (1, 50e6, RTT, 0);
  fail_unless (fabs (router.kappa - 0.95 * rc_piqircp_bound (13)) < 1e-9);
}

/* [PIQI eq. 18] */
CLAIM (test_only_piqi_rcp_follows_the_error_of_the_interval_before)
{
  static const struct { RcRouterLaw law; gdouble of_before; } rows[] = {
    {RC_ROUTER_QI_RCP, 0}, {RC_ROUTER_PIQI_RCP, 1},
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    gdouble before, grown;

    begin (rows[i].law);
    run (1, 47.5e6, RTT, 0);   /* e = 0.5, but for whole bytes */
    before = router.rate_bps;
    run (1, 95e6, RTT, 0);   /* e = 0 */
    grown = router.rate_bps / before - 1;
    fail_unless (fabs (grown - rows[i].of_before * 0.5 * router.kappa) < 1e-5, "%u: %g", i, grown);
  }
}

/* One flow of 710 ms with packets of this size, and nine of 20 ms with 1000 bytes. */
static gdouble
mean_rtt_s (guint first_bytes)
{
  begin (RC_ROUTER_RCP);
  for (guint k = 0; k < 200; k++, now += T) {
    for (guint i = 0; i < 10; i++)
      rc_router_on_arrival (&router, i == 0 ? first_bytes : 1000,
          i == 0 ? 710 * RC_MSEC : 20 * RC_MSEC, now);
    rc_router_update (&router, 0, now + T);
  }
  return router.mean_rtt_s;
}

/* As the paper's T1. */
CLAIM (test_rcp_takes_the_mean_rtt_by_bytes)
{
  fail_unless (fabs (mean_rtt_s (1000) - 0.089) < 1e-6, "%g", mean_rtt_s (1000));
  fail_unless (fabs (mean_rtt_s (3000) - 0.1925) < 1e-6, "%g", mean_rtt_s (3000));
}

CLAIM (test_false_claims_are_clamped_and_forgotten)
{
  begin (RC_ROUTER_PIQI_RCP);
  fail_unless_equals_int64 (rc_router_loop_delay (&router), RC_SECOND + T);
  rc_router_on_arrival (&router, 100, G_MAXINT64, now);
  rc_router_on_arrival (&router, 100, 1, now);
  rc_router_on_arrival (&router, 100, RC_TIME_NONE, now);
  rc_router_on_arrival (&router, 100, G_MININT64, now);
  fail_unless_equals_int64 (rc_router_loop_delay (&router), RC_SECOND + T);
  fail_unless_equals_uint64 (router.clamped_claims, 1);
  while (now < RC_SECOND + T)
    run (1, 50e6, RTT, 0);
  fail_unless_equals_int64 (rc_router_loop_delay (&router), RTT + T);
}

/* Else RCP, which divides by the mean, would jump. */
CLAIM (test_claims_shorter_than_the_interval_count_as_one)
{
  begin (RC_ROUTER_RCP);
  while (now < RC_SECOND + T)
    run (1, 50e6, 1, 0);
  fail_unless_equals_int64 (rc_router_loop_delay (&router), 2 * T);
  fail_unless (fabs (router.mean_rtt_s - rc_time_to_s (T)) < 1e-9, "%g", router.mean_rtt_s);
}

CLAIM (test_late_interval_is_one_step_with_its_mean)
{
  for (RcRouterLaw law = RC_ROUTER_RCP; law <= RC_ROUTER_PIQI_RCP; law++) {
    guint64 punctual_bps;

    begin (law);
    run (1, 50e6, RTT, 0);
    punctual_bps = rc_router_rate_bps (&router);
    begin (law);
    for (guint i = 0; i < 10; i++)
      rc_router_on_arrival (&router, 31250, RTT, 0);
    fail_unless_equals_int64 (rc_router_update (&router, 0, 5 * T), 6 * T);
    fail_unless_equals_uint64 (rc_router_rate_bps (&router), punctual_bps);
  }
}

CLAIM (test_rate_follows_a_change_of_capacity)
{
  begin (RC_ROUTER_PIQI_RCP);
  rc_router_set_capacity (&router, 1000000);
  fail_unless_equals_uint64 (rc_router_rate_bps (&router), 50000);
  rc_router_set_capacity (&router, CAPACITY);
  fail_unless_equals_uint64 (rc_router_rate_bps (&router), CAPACITY / 20);
}

/* Any order of sizes, claims, queues and times. */
CLAIM (test_rate_stays_finite_and_within_limits_for_anything)
{
  GRand *rand = g_rand_new_with_seed (1);

  for (RcRouterLaw law = RC_ROUTER_RCP; law <= RC_ROUTER_PIQI_RCP; law++) {
    begin (law);
    for (guint i = 0; i < 200000; i++) {
      RcTime rtt = (RcTime) ((guint64) g_rand_int (rand) << 32 | g_rand_int (rand));
      guint64 bps;

      now += g_rand_int_range (rand, 0, 20) * RC_MSEC;
      rc_router_on_arrival (&router, g_rand_int (rand) >> g_rand_int_range (rand, 0, 31), rtt, now);
      rc_router_update (&router, (guint64) g_rand_int (rand) << g_rand_int_range (rand, 0, 31),
          now);
      bps = rc_router_rate_bps (&router);
      fail_unless (bps >= params.min_bps && bps <= 95000000 && isfinite (router.rate_bps));
    }
  }
  g_rand_free (rand);
}
