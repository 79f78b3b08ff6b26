/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Loss in bursts, and a route that changes. */

#include <link/link.h>

#include "claim.h"

#define N_ARRIVALS 200000

static gboolean lost[N_ARRIVALS];

/* Returns the ratio and the mean length of the losses in `lost`. */
static void
lose (const LinkParams *params, guint64 seed, gdouble *ratio, gdouble *length)
{
  LinkPacket packet = { .size_bytes = 1000 };
  guint n = 0, bursts = 0;
  Link link;

  link_init (&link, params, seed);
  for (guint i = 0; i < N_ARRIVALS; i++) {
    lost[i] = link_arrive (&link, &packet, i) == LINK_DROPPED_RANDOM;
    n += lost[i];
    bursts += lost[i] && (i == 0 || !lost[i - 1]);
    link_deliver (&link, i);
  }
  fail_unless_equals_uint64 (link.random_lost_pkts, n);
  *ratio = (gdouble) n / N_ARRIVALS;
  *length = bursts > 0 ? (gdouble) n / bursts : 0;
}

CLAIM (test_bursts_have_their_mean_ratio_and_length)
{
  static const gdouble cases[][2] = { {0.01, 5}, {0.05, 10}, {0.2, 1.25}, {0.5, 1}, {0.2, 50} };
  gdouble ratio, length;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    LinkParams params = { .burst_loss_ratio = cases[i][0], .burst_loss_pkts = cases[i][1] };

    lose (&params, 5, &ratio, &length);
    fail_unless (ABS (ratio - cases[i][0]) < 0.15 * cases[i][0], "%f of %f", ratio, cases[i][0]);
    fail_unless (ABS (length - cases[i][1]) < 0.15 * cases[i][1], "%f of %f", length, cases[i][1]);
  }
}

CLAIM (test_bursts_repeat_by_seed_and_add_to_independent_loss)
{
  static gboolean independent[N_ARRIVALS], bursts[N_ARRIVALS];
  LinkParams params = { .loss_ratio = 0.03 };
  gdouble ratio, length;

  lose (&params, 9, &ratio, &length);
  memcpy (independent, lost, sizeof lost);
  params = (LinkParams) { .burst_loss_ratio = 0.02, .burst_loss_pkts = 4 };
  lose (&params, 9, &ratio, &length);
  memcpy (bursts, lost, sizeof lost);
  params.loss_ratio = 0.03;
  lose (&params, 9, &ratio, &length);
  for (guint i = 0; i < N_ARRIVALS; i++)
    fail_unless_equals_int (lost[i], independent[i] || bursts[i]);
  params.loss_ratio = 0;
  lose (&params, 10, &ratio, &length);
  fail_if (memcmp (lost, bursts, sizeof lost) == 0);
}

CLAIM (test_a_shorter_route_does_not_overtake)
{
  LinkParams params = { .delay = 50 * RC_MSEC };
  LinkPacket packets[60];
  Link link;

  link_init (&link, &params, 1);
  for (guint i = 0; i < 60; i++) {
    packets[i] = (LinkPacket) { .size_bytes = 100 };
    if (i == 20 || i == 40) {
      params.delay = i == 20 ? 30 * RC_MSEC : 80 * RC_MSEC;
      link_set_params (&link, &params, i * RC_MSEC);
    }
    link_arrive (&link, &packets[i], i * RC_MSEC);
  }
  while (link_deliver (&link, RC_SECOND));
  for (guint i = 0; i < 60; i++) {
    RcTime delay = packets[i].deliver_at - packets[i].arrived_at;
    /* The 20th, sent at 19 ms, comes at 69 ms: until 39 ms the new route waits for it. */
    RcTime shorter = MAX (30 * RC_MSEC, (69 - (RcTime) i) * RC_MSEC);

    fail_unless_equals_int64 (delay, i < 20 ? 50 * RC_MSEC : i < 40 ? shorter : 80 * RC_MSEC);
  }
}
