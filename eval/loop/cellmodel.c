/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "cellmodel.h"

#include <math.h>

#define OPPORTUNITY_BITS (1504 * 8.0)
#define STEP_MS 100             /* the rate is new */
#define LONGEST_OUTAGE_S 10.0
#define SIGN_OF_LIFE_MS 1000    /* one opportunity in an outage */

const CellModel cell_models[] = {
  { "LTE 7 Mbit/s, driving", 8.0e6, 0.30, 8.0, 35, 6.0, 0.50 },
  { "LTE 1 Mbit/s, driving", 1.10e6, 0.10, 1.0, 30, 2.5, 0.10 },
  { "LTE 6 Mbit/s, standing", 5.5e6, 0.65, 1.5, 60, 0.5, 0.50 },
  { "EVDO 1 Mbit/s, driving", 0.98e6, 0.25, 0.5, 3.3, 0.25, 0.10 },
  { NULL }
};

/* No recording that may be shipped is behind these. Median, deviation, time constant and bursts are
 * chosen so that the mean rate, and use and p95 of the live law of then, are those of three
 * recorded Wi-Fi links of such rates (use .46-.49, .66-.75 and .71-.73, p95 189-288, 62-158 and
 * 62-114 ms at RTTs of 50 and 100 ms). The outages are those of the Wi-Fi of eval/lab/traces.py. */
const CellModel wifi_models[] = {
  { "Wi-Fi 0.8 Mbit/s", 0.65e6, 0.76, 0.33, 60, 0.15, 0.25 },
  { "Wi-Fi 14 Mbit/s", 12.5e6, 0.55, 1.5, 60, 0.15, 0.50 },
  { "Wi-Fi 20 Mbit/s", 19e6, 0.45, 1.2, 60, 0.15, 0.50 },
  { NULL }
};

static double
uniform (uint64_t *state)
{
  uint64_t z = *state += UINT64_C (0x9e3779b97f4a7c15);

  z = (z ^ (z >> 30)) * UINT64_C (0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C (0x94d049bb133111eb);
  return (double) ((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static double
normal (uint64_t *state)
{
  double sum = -6;

  for (unsigned i = 0; i < 12; i++)
    sum += uniform (state);
  return sum;
}

static double
exponential (uint64_t *state, double mean)
{
  return -mean * log (1 - uniform (state));
}

typedef struct
{
  double x, rate_bps;           /* of this step */
  double outage_at_s, outage_end_s;
  double credit_bits;           /* earned since the last busy millisecond */
} Cell;

static void
step (Cell *self, const CellModel *model, uint64_t *random)
{
  const double keep = exp (-STEP_MS / 1e3 / model->tau_s);

  self->x = keep * self->x + model->sd * sqrt (1 - keep * keep) * normal (random);
  self->rate_bps = model->median_bps * exp (self->x);
}

static bool
is_out (Cell *self, const CellModel *model, uint64_t *random, double now_s)
{
  if (now_s >= self->outage_end_s) {
    self->outage_at_s = now_s + exponential (random, model->outage_each_s);
    self->outage_end_s = self->outage_at_s
        + fmin (exponential (random, model->outage_s), LONGEST_OUTAGE_S);
  }
  return now_s >= self->outage_at_s;
}

uint32_t
cell_model_make (const CellModel *self, uint64_t seed, double length_s, RcTime *at, uint32_t most)
{
  Cell cell = { .x = 0 };
  uint64_t random = seed;
  uint32_t n = 0;

  for (unsigned ms = 1; ms <= length_s * 1e3; ms++) {
    if (ms % STEP_MS == 1)
      step (&cell, self, &random);
    if (is_out (&cell, self, &random, ms / 1e3)) {
      if (ms % SIGN_OF_LIFE_MS == 0 && n < most)
        at[n++] = ms * RC_MSEC;
      continue;
    }
    cell.credit_bits += cell.rate_bps / 1e3;
    if (uniform (&random) >= self->busy_ratio)
      continue;
    for (; cell.credit_bits >= OPPORTUNITY_BITS && n < most; cell.credit_bits -= OPPORTUNITY_BITS)
      at[n++] = ms * RC_MSEC;
  }
  return n;
}
