/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Which share of the packets gets lost, and how many in a row: lib/rc/path/lossshape.c. */
#include <rc/path/lossshape.h>

#include "claim.h"

#define REPORT_PKTS 50

/* Gilbert's channel. */
typedef struct
{
  GRand *rand;
  gdouble loss, burst;
  gboolean bad;
} Channel;

static gboolean
loses (Channel * self)
{
  gdouble good_again = 1 / self->burst;
  gdouble turn = self->bad ? good_again : self->loss * good_again / (1 - self->loss);

  if (g_rand_double (self->rand) < turn)
    self->bad = !self->bad;
  return self->bad;
}

static void
report (RcLossShape * shape, Channel * channel, guint n)
{
  while (n-- > 0) {
    guint lost = 0;

    for (guint i = 0; i < REPORT_PKTS; i++)
      lost += loses (channel);
    rc_lossshape_on_report (shape, REPORT_PKTS - lost, lost);
  }
}

/* The means over many moments: a single one varies. */
static void
measure (gdouble loss, gdouble burst, gdouble * ratio, gdouble * pkts)
{
  Channel channel = { g_rand_new_with_seed (5), loss, burst, FALSE };
  RcLossShape shape;

  rc_lossshape_init (&shape);
  report (&shape, &channel, 100);
  *ratio = *pkts = 0;
  for (guint i = 0; i < 200; i++) {
    report (&shape, &channel, 20);
    *ratio += rc_lossshape_ratio (&shape) / 200;
    *pkts += rc_lossshape_burst_pkts (&shape) / 200;
  }
  g_rand_free (channel.rand);
}

CLAIM (test_share_and_length_of_runs_are_those_of_the_channel)
{
  const struct
  {
    gdouble loss, burst, least, most;
  } cases[] = { {0.05, 1 / 0.95, 1, 1.3}, {0.1, 1 / 0.9, 1, 1.3}, {0.05, 3, 2, 3.5},
  {0.05, 5, 3.5, 6}, {0.1, 5, 3.5, 6}, {0.1, 8, 5, 9} };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    gdouble ratio, pkts;

    measure (cases[i].loss, cases[i].burst, &ratio, &pkts);
    fail_unless (ABS (ratio - cases[i].loss) < 0.2 * cases[i].loss, "%u: %f", i, ratio);
    fail_unless (pkts >= cases[i].least && pkts <= cases[i].most, "%u: %f", i, pkts);
  }
}

CLAIM (test_share_follows_a_change_within_some_thousand_packets)
{
  Channel channel = { g_rand_new_with_seed (7), 0.1, 1 / 0.9, FALSE };
  RcLossShape shape;

  rc_lossshape_init (&shape);
  report (&shape, &channel, 60);
  fail_unless (rc_lossshape_ratio (&shape) > 0.08);
  for (guint i = 0; i < 60; i++)
    rc_lossshape_on_report (&shape, REPORT_PKTS, 0);
  fail_unless (rc_lossshape_ratio (&shape) < 0.01);
  g_rand_free (channel.rand);
}

CLAIM (test_a_single_loss_says_nothing_of_runs_and_little_of_the_share)
{
  RcLossShape shape;

  rc_lossshape_init (&shape);
  fail_unless_equals_float (rc_lossshape_ratio (&shape), 0);
  fail_unless_equals_float (rc_lossshape_burst_pkts (&shape), 1);
  rc_lossshape_on_report (&shape, 0, 0);
  rc_lossshape_on_report (&shape, 1, 1);
  fail_unless (rc_lossshape_ratio (&shape) <= 0.01);
  fail_unless_equals_float (rc_lossshape_burst_pkts (&shape), 1);
  rc_lossshape_on_report (&shape, 0, G_MAXUINT32);
  fail_unless (rc_lossshape_ratio (&shape) <= 1);
  fail_unless (rc_lossshape_burst_pkts (&shape) >= 1);
}
