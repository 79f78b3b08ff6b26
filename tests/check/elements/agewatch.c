/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A machine that is too slow is told once; clocks, stalls and latencies are not taken for one. */

#include "rmcsink/agewatch.h"

#include "claim.h"

#define FRAME (40 * RC_MSEC)

/* The age of frame i, in ms. */
typedef guint (*Ages) (guint i);

static guint
steady (guint i)
{
  return 80 + i % 7;
}

/* An encoder that takes half as long again as a frame lasts, behind a queue of a second. */
static guint
overload (guint i)
{
  return i < 100 ? 80 : MIN (80 + (i - 100) * 20, 1080);
}

/* An hour of a camera whose clock is slow by 100 ppm. */
static guint
drift (guint i)
{
  return 80 + i * 4 / 1000;
}

/* Two seconds now and then. */
static guint
stalls (guint i)
{
  return i % 200 < 50 ? 1500 : 80;
}

static guint
latency (guint i)
{
  return i < 500 ? 280 : 780;
}

static const struct
{
  Ages ages;
  guint frames;
  guint told;
} streams[] = {
  {steady, 3000, 0}, {overload, 3000, 1}, {drift, 90000, 0}, {stalls, 3000, 0}, {latency, 3000, 0},
};

CLAIMS (test_only_a_machine_that_is_too_slow_is_told, G_N_ELEMENTS (streams))
{
  AgeWatch watch;
  guint told = 0;

  age_watch_init (&watch);
  for (guint i = 0; i < streams[__i__].frames; i++) {
    RcTime more;

    if (age_watch_on_frame (&watch, streams[__i__].ages (i) * RC_MSEC, i * FRAME, &more)) {
      fail_unless (more >= 700 * RC_MSEC);
      told++;
    }
  }
  fail_unless_equals_int (told, streams[__i__].told);
}
