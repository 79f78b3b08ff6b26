/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* How much FEC pays: lib/rc/fec/fecplan.c, beside frames that are lost packet by packet. */
#include <rc/fec/fecplan.h>

#include "claim.h"

#define FRAMES 40000
#define MOST_PKTS 16

typedef struct
{
  GRand *rand;
  const RcFecCase *of;
  gboolean bad;
} Channel;

static gboolean
is_missing (Channel * self)
{
  gdouble good_again = 1 / self->of->burst_pkts, loss = self->of->loss_ratio;
  gdouble turn = self->bad ? good_again : loss * good_again / (1 - loss);
  gboolean missing;

  if (g_rand_double (self->rand) < turn)
    self->bad = !self->bad;
  missing = self->bad;
  for (guint i = 0; i < self->of->repairs; i++)
    missing = g_rand_double (self->rand) < loss && missing;
  return missing;
}

/* As rtpulpfecenc cuts a frame, and as rtpulpfecdec mends it: again and again while it can. */
static gboolean
is_whole (gboolean * media, guint n, const gboolean * fec, guint k)
{
  guint left = 0;
  gboolean again = TRUE;

  while (again) {
    again = FALSE;
    for (guint i = 0; i < k; i++) {
      guint missing = 0, at = 0;

      for (guint j = i * n / k; j < ((i + 1) * n + k - 1) / k; j++)
        if (media[j]) {
          missing++;
          at = j;
        }
      if (!fec[i] && missing == 1) {
        media[at] = FALSE;
        again = TRUE;
      }
    }
  }
  for (guint i = 0; i < n; i++)
    left += media[i];
  return left == 0;
}

static gdouble
simulate (const RcFecCase * of, guint k)
{
  Channel channel = { g_rand_new_with_seed (11), of, FALSE };
  gboolean media[MOST_PKTS], fec[MOST_PKTS];
  guint n = (guint) of->frame_pkts - k, broken = 0;

  for (guint f = 0; f < FRAMES; f++) {
    gboolean began_good = !channel.bad;

    for (guint i = 0; i < n; i++)
      media[i] = is_missing (&channel);
    for (guint i = 0; i < k; i++)
      fec[i] = is_missing (&channel);
    broken += !is_whole (media, n, fec, k) && began_good;
  }
  g_rand_free (channel.rand);
  return (gdouble) broken / FRAMES;
}

CLAIM (test_breaks_are_those_of_the_channel)
{
  const RcFecCase cases[] = { {0.05, 1 / 0.95, 6, 0}, {0.1, 1 / 0.9, 6, 0}, {0.05, 3, 6, 0},
  {0.05, 5, 6, 0}, {0.1, 5, 6, 0}, {0.02, 1 / 0.98, 12, 0}, {0.1, 1 / 0.9, 6, 1},
  {0.1, 1 / 0.9, 12, 1}, {0.05, 1 / 0.95, 2, 0} };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (guint k = 0; k <= (guint) cases[i].frame_pkts / 2; k++) {
      gdouble model = rc_fecplan_break_ratio (&cases[i], k), seen = simulate (&cases[i], k);

      /* Fewer where the groups of rtpulpfecenc overlap, which the model does not know. */
      fail_unless (model > 0.6 * seen - 0.001 && ((k > 0 && (guint) cases[i].frame_pkts % k > 0)
              || model < 1.3 * seen + 0.001),
          "case %u, %u of FEC: %f, seen %f", i, k, model, seen);
    }
}

CLAIM (test_nothing_is_spent_where_nothing_is_lost_or_repair_mends_it)
{
  RcFecCase path = {.burst_pkts = 1,.frame_pkts = 6 };

  fail_unless_equals_int (rc_fecplan_percentage (&path), 0);
  path.loss_ratio = 0.0005;
  fail_unless_equals_int (rc_fecplan_percentage (&path), 0);
  path.loss_ratio = 0.05;
  path.repairs = 2;
  fail_unless_equals_int (rc_fecplan_percentage (&path), 0);
  path.burst_pkts = 5;
  fail_unless_equals_int (rc_fecplan_percentage (&path), 0);
}

CLAIM (test_without_repair_fec_grows_with_the_loss)
{
  guint last = 0;

  for (guint percent = 1; percent <= 10; percent++) {
    RcFecCase path = {.loss_ratio = percent / 100.0,.burst_pkts = 1,.frame_pkts = 6 };
    guint now = rc_fecplan_percentage (&path);

    fail_unless (now >= last, "%u %%: %u after %u", percent, now, last);
    fail_unless (now >= 20);
    last = now;
  }
  fail_unless_equals_int (last, 100);
}

/* The aim of 99.5 % of the frames, where it can be had. */
CLAIM (test_one_percent_of_single_losses_breaks_one_frame_in_300_at_most)
{
  for (guint n = 2; n <= 20; n += 6) {
    RcFecCase path = {.loss_ratio = 0.01,.burst_pkts = 1,.frame_pkts = n };
    guint percentage = rc_fecplan_percentage (&path);
    guint fec = (guint) (n * percentage / 1.2 / (100 + percentage / 1.2) + 0.5);

    fail_unless (percentage <= 100, "%u packets: %u", n, percentage);
    fail_unless (rc_fecplan_break_ratio (&path, fec) < 1 / 300.0);
  }
}

/* Where two repairs of each loss come in time but 10 % get lost: eval/lab/picture showed all
 * frames. */
CLAIM (test_little_fec_helps_where_repairs_get_lost_often)
{
  RcFecCase path = {.loss_ratio = 0.1,.burst_pkts = 1,.frame_pkts = 6,.repairs = 2 };
  guint percentage = rc_fecplan_percentage (&path);

  fail_unless (percentage >= 15 && percentage <= 30, "%u", percentage);
}

CLAIM (test_any_input_gives_a_percentage)
{
  const gdouble values[] = { 0, 1e-9, 0.05, 0.5, 0.999, 1, 2, 1e9 };

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    for (guint j = 0; j < G_N_ELEMENTS (values); j++)
      for (guint k = 0; k < G_N_ELEMENTS (values); k++)
        for (guint repairs = 0; repairs < 4; repairs++) {
          RcFecCase path = { values[i], values[j], values[k], repairs };
          gdouble broken = rc_fecplan_break_ratio (&path, 0);

          fail_unless (rc_fecplan_percentage (&path) <= 100);
          fail_unless (broken >= -1e-9 && broken <= 1, "%f", broken);
        }
}
