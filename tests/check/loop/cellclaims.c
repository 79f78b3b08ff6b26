/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Made traces of cellular links have the statistics of recorded ones. Each row of `recorded` was
 * measured on one to two minutes of a trace; five made traces of two minutes are held to it. */

#include "cellmodel.h"
#include "claim.h"

#define SEEDS 5
#define LENGTH_S 120
#define BIN_MS 100
#define N_BINS (LENGTH_S * 1000 / BIN_MS)
#define GAP (100 * RC_MSEC)
#define MOST 200000
#define MBPS_OF_BIN (1504 * 8 / (BIN_MS * 1e3))

typedef struct
{
  double mean_mbps, quartile1_mbps, quartile3_mbps;     /* of the rate in 100 ms */
  double busy_ratio;            /* milliseconds with an opportunity */
  double gap_ratio;             /* share of the time in gaps above 100 ms */
} Statistics;

static const Statistics recorded[] = {
  { 7.38, 6.02, 9.63, 0.33, 0.120 },
  { 1.02, 0.84, 1.32, 0.06, 0.056 },
  { 6.37, 3.49, 8.66, 0.33, 0.013 },
  { 0.88, 0.72, 1.08, 0.06, 0.102 },
};

static int
compare (gconstpointer a, gconstpointer b)
{
  return *(const guint *) a < *(const guint *) b ? -1 : *(const guint *) a > *(const guint *) b;
}

static void
add_statistics (Statistics * sum, const RcTime * at, guint32 n)
{
  guint bins[N_BINS] = { 0 }, busy = 0;
  RcTime last = 0, gaps = 0;

  for (guint32 i = 0; i < n; last = at[i++]) {
    bins[MIN ((at[i] - 1) / (BIN_MS * RC_MSEC), N_BINS - 1)]++;
    busy += at[i] > last;
    if (at[i] - last > GAP)
      gaps += at[i] - last;
  }
  qsort (bins, N_BINS, sizeof *bins, compare);
  sum->mean_mbps += n * MBPS_OF_BIN / N_BINS / SEEDS;
  sum->quartile1_mbps += bins[N_BINS / 4] * MBPS_OF_BIN / SEEDS;
  sum->quartile3_mbps += bins[N_BINS * 3 / 4] * MBPS_OF_BIN / SEEDS;
  sum->busy_ratio += busy / (LENGTH_S * 1e3) / SEEDS;
  sum->gap_ratio += rc_time_to_s (gaps) / LENGTH_S / SEEDS;
}

#define fail_unless_near(field, ratio, more) \
  fail_unless (made.field >= recorded[__i__].field * (1 - (ratio)) - (more) \
      && made.field <= recorded[__i__].field * (1 + (ratio)) + (more), \
      "%s: %s is %g, recorded %g", cell_models[__i__].name, #field, made.field, \
      recorded[__i__].field)

CLAIMS (test_made_traces_resemble_recorded_ones, G_N_ELEMENTS (recorded))
{
  RcTime *at = g_new (RcTime, MOST);
  Statistics made = { 0 };

  for (guint seed = 1; seed <= SEEDS; seed++)
    add_statistics (&made, at, cell_model_make (&cell_models[__i__], seed, LENGTH_S, at, MOST));
  fail_unless_near (mean_mbps, 0.15, 0);
  fail_unless_near (quartile1_mbps, 0.15, 0.13);        /* a bin of 1 Mbit/s has 8 opportunities */
  fail_unless_near (quartile3_mbps, 0.15, 0.13);
  fail_unless_near (busy_ratio, 0.25, 0);
  fail_unless_near (gap_ratio, 0.5, 0);
  g_free (at);
}
