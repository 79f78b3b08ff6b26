/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <math.h>
#include <rc/sched/edf.h>

#include "claim.h"

#define N_NODES 500
#define MBIT 1000000.0

/* --- heap --- */

static void
pop_all (RcHeap * heap, guint expected)
{
  RcTime last = G_MININT64;
  guint n = 0;

  while (heap->root) {
    RcHeapNode *node = heap->root;

    fail_unless (node->key >= last);
    last = node->key;
    rc_heap_remove (heap, node);
    n++;
  }
  fail_unless_equals_int (n, expected);
}

CLAIM (test_heap_gives_the_smallest_whatever_was_inserted_and_removed)
{
  static RcHeapNode nodes[N_NODES];
  GRand *rand = g_rand_new_with_seed (7);
  gboolean inside[N_NODES] = { FALSE };
  RcHeap heap = { NULL };
  guint i, k, n = 0;

  for (i = 0; i < 20000; i++) {
    k = (guint) g_rand_int_range (rand, 0, N_NODES);
    if (inside[k])
      rc_heap_remove (&heap, &nodes[k]);
    else
      rc_heap_insert (&heap, &nodes[k], g_rand_int_range (rand, 0, 1000));
    inside[k] = !inside[k];
    n += inside[k] ? 1 : -1;
    for (guint j = 0; heap.root && j < N_NODES; j += 37)
      fail_if (inside[j] && nodes[j].key < heap.root->key);
  }
  fail_unless (n > 100);
  pop_all (&heap, n);
  g_rand_free (rand);
}

/* --- servers --- */

typedef struct
{
  RcEdf edf;
  RcEdfServer server[3];
  guint64 sent_bytes[3];
  RcTime now;
} World;

static World world;

static void
world_init (const gdouble * rates_bps, const RcTime * periods)
{
  world = (World) { .now = RC_SECOND };
  rc_edf_init (&world.edf);
  for (guint i = 0; i < 3; i++) {
    rc_edf_server_init (&world.server[i], rates_bps[i], periods[i], world.now);
    if (rates_bps[i] > 0)
      rc_edf_wake (&world.edf, &world.server[i], world.now);
  }
}

/* A link of link_bps that takes only what is reserved; all servers always have work. */
static void
run_reserved (gdouble link_bps, guint packet_bytes, RcTime span)
{
  RcTime end = world.now + span;

  while (world.now < end) {
    RcEdfServer *server = rc_edf_pick (&world.edf, world.now);

    if (!server) {
      RcTime at = rc_edf_next_at (&world.edf);

      fail_unless (at > world.now);
      world.now = at;
      continue;
    }
    world.sent_bytes[server - world.server] += packet_bytes;
    rc_edf_charge (&world.edf, server, packet_bytes, world.now);
    world.now += rc_time_of_bytes (packet_bytes, (guint64) link_bps);
  }
}

/* [RAMP eq. 5] */
CLAIM (test_each_period_earns_rate_times_period_and_no_more)
{
  gdouble rates[] = { 0.8 * MBIT, 0, 0 };
  RcTime periods[] = { 10 * RC_MSEC, RC_MSEC, RC_MSEC };

  world_init (rates, periods);
  run_reserved (1000 * MBIT, 100, 10 * RC_MSEC);
  /* 1500 bytes of the first packet's credit are for one that was idle */
  fail_unless_equals_int (world.sent_bytes[0], 1000);
  run_reserved (1000 * MBIT, 100, 10 * RC_MSEC);
  fail_unless_equals_int (world.sent_bytes[0], 2000);
}

CLAIM (test_rates_are_exact_with_periods_far_shorter_than_a_packet)
{
  gdouble rates[] = { 1 * MBIT, 3.3 * MBIT, 5 * MBIT };
  RcTime periods[] = { 100 * RC_USEC, 100 * RC_USEC, 100 * RC_USEC };

  world_init (rates, periods);
  run_reserved (10 * MBIT, 1500, 20 * RC_SECOND);
  for (guint i = 0; i < 3; i++)
    fail_unless (fabs ((gdouble) world.sent_bytes[i] * 8 / 20 / rates[i] - 1) < 0.002,
        "server %u: %g bit/s", i, (gdouble) world.sent_bytes[i] * 8 / 20);
}

CLAIM (test_the_earlier_end_of_period_goes_first)
{
  gdouble rates[] = { 1 * MBIT, 1 * MBIT, 1 * MBIT };
  RcTime periods[] = { 30 * RC_MSEC, 10 * RC_MSEC, 20 * RC_MSEC };

  world_init (rates, periods);
  for (guint i = 0; i < 3; i++)
    rc_edf_sleep (&world.edf, &world.server[i]);
  for (guint i = 0; i < 3; i++)
    rc_edf_wake (&world.edf, &world.server[i], world.now + 100 * RC_MSEC);
  world.now += 100 * RC_MSEC;
  fail_unless (rc_edf_pick (&world.edf, world.now) == &world.server[1]);
  rc_edf_sleep (&world.edf, &world.server[1]);
  fail_unless (rc_edf_pick (&world.edf, world.now) == &world.server[2]);
}

CLAIM (test_an_idle_server_saves_no_more_than_a_period_or_a_packet)
{
  gdouble rates[] = { 8 * MBIT, 0.08 * MBIT, 0 };
  RcTime periods[] = { 10 * RC_MSEC, 10 * RC_MSEC, RC_MSEC };

  world_init (rates, periods);
  rc_edf_sleep (&world.edf, &world.server[0]);
  rc_edf_sleep (&world.edf, &world.server[1]);
  world.now += 100 * RC_SECOND;
  rc_edf_wake (&world.edf, &world.server[0], world.now);
  rc_edf_wake (&world.edf, &world.server[1], world.now);
  fail_unless (fabs (world.server[0].credit_bytes - 10000) < 1e-6);
  fail_unless (fabs (world.server[1].credit_bytes - 1500) < 1e-6
      || world.server[1].credit_bytes < 1500);
}

CLAIM (test_what_was_borrowed_is_not_missing_later)
{
  gdouble rates[] = { 1 * MBIT, 9 * MBIT, 0 };
  RcTime periods[] = { 10 * RC_MSEC, 10 * RC_MSEC, RC_MSEC };
  RcTime end;

  world_init (rates, periods);
  rc_edf_sleep (&world.edf, &world.server[1]);
  for (end = world.now + RC_SECOND; world.now < end; world.now += 1200 * RC_USEC) {
    RcEdfServer *server = rc_edf_pick (&world.edf, world.now);

    if (!server)
      server = rc_edf_pick_early (&world.edf, NULL, world.now);
    fail_unless (server == &world.server[0]);
    rc_edf_charge (&world.edf, server, 1500, world.now);
  }
  rc_edf_wake (&world.edf, &world.server[1], world.now);
  run_reserved (10 * MBIT, 1500, RC_SECOND);
  fail_unless (fabs ((gdouble) world.sent_bytes[0] * 8 / MBIT - 1) < 0.03,
      "%g", (gdouble) world.sent_bytes[0] * 8);
}

CLAIM (test_spare_time_is_divided_by_rate)
{
  gdouble rates[] = { 1 * MBIT, 3 * MBIT, 0 };
  RcTime periods[] = { 10 * RC_MSEC, 10 * RC_MSEC, RC_MSEC };
  RcTime end;

  world_init (rates, periods);
  for (end = world.now + 10 * RC_SECOND; world.now < end; world.now += 120 * RC_USEC) {
    RcEdfServer *server = rc_edf_pick (&world.edf, world.now);

    if (!server)
      server = rc_edf_pick_early (&world.edf, NULL, world.now);
    world.sent_bytes[server - world.server] += 1500;
    rc_edf_charge (&world.edf, server, 1500, world.now);
  }
  fail_unless (fabs ((gdouble) world.sent_bytes[1] / (gdouble) world.sent_bytes[0] - 3) < 0.2);
}

CLAIM (test_no_rate_means_never)
{
  gdouble rates[] = { 0, 0, 0 };
  RcTime periods[] = { RC_MSEC, RC_MSEC, RC_MSEC };

  world_init (rates, periods);
  rc_edf_wake (&world.edf, &world.server[0], world.now);
  fail_unless (rc_edf_pick (&world.edf, world.now + 1000 * RC_SECOND) == NULL);
  fail_unless (rc_edf_next_at (&world.edf) == RC_TIME_NONE);
  rc_edf_reserve (&world.edf, &world.server[0], MBIT, RC_MSEC, world.now + 1000 * RC_SECOND);
  fail_unless (rc_edf_pick (&world.edf, world.now + 1001 * RC_SECOND) == &world.server[0]);
}
