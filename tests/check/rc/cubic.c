/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The window of RFC 9438. */
#include <math.h>
#include <rc/law/cubic.h>

#include "claim.h"

#define SRTT_S 0.1

static RcCubic cubic;

BEFORE_EACH
{
  cubic = (RcCubic) { 0 };
}

/* [RFC 9438 figure 2] K = cbrt (W_max (1 - beta) / C): after K the window is W_max again. */
CLAIM (test_window_is_back_after_k)
{
  const double k_s = cbrt (1000 * 0.3 / RC_CUBIC_C);

  rc_cubic_on_congestion (&cubic, 1000, 0);
  fail_unless (fabs (rc_cubic_window (&cubic, SRTT_S,
              rc_time_from_s (k_s - SRTT_S)) - 1000) < 1e-6);
  fail_unless (rc_cubic_window (&cubic, SRTT_S,
          rc_time_from_s (k_s + 2)) > 1000 + RC_CUBIC_C * 8 - 1e-6);
}

/* [RFC 9438 4.6] */
CLAIM (test_window_after_a_loss_is_seven_tenths)
{
  rc_cubic_on_congestion (&cubic, 1000, 0);
  fail_unless (fabs (rc_cubic_window (&cubic, 0.001, 0) - 700) < 0.2);
}

/* [RFC 9438 4.3] With a small window the Reno flow is faster: 0.53 packets each RTT, and 1 from
 * W_max on. */
CLAIM (test_small_window_grows_as_a_reno_flow)
{
  double before, window = 0;

  rc_cubic_on_congestion (&cubic, 20, 0);
  for (int i = 1; i <= 10; i++)
    window = rc_cubic_window (&cubic, SRTT_S, i * 100 * RC_MSEC);
  fail_unless (fabs (window - (14 + 10 * 3 * 0.3 / 1.7)) < 1e-6, "%g", window);
  for (int i = 11; i <= 12; i++) {
    before = window;
    window = rc_cubic_window (&cubic, SRTT_S, i * 100 * RC_MSEC);
  }
  for (int i = 13; window < 22; i++) {
    before = window;
    window = rc_cubic_window (&cubic, SRTT_S, i * 100 * RC_MSEC);
  }
  fail_unless (fabs (window - before - 1) < 1e-6, "%g", window - before);
}

/* [RFC 9438 4.7] A flow that lost before it was back at W_max leaves room to others. */
CLAIM (test_falling_maximum_gives_way_faster)
{
  rc_cubic_on_congestion (&cubic, 1000, 0);
  rc_cubic_on_congestion (&cubic, 800, RC_SECOND);
  fail_unless (fabs (cubic.w_max_pkts - 800 * 1.7 / 2) < 1e-9);
  rc_cubic_on_congestion (&cubic, 900, 2 * RC_SECOND);
  fail_unless (cubic.w_max_pkts == 900);
}

CLAIM (test_new_epoch_keeps_the_maximum)
{
  double before;

  rc_cubic_on_congestion (&cubic, 1000, 0);
  before = rc_cubic_window (&cubic, SRTT_S, RC_SECOND);
  rc_cubic_resume (&cubic, before, 5 * RC_SECOND);
  fail_unless (fabs (rc_cubic_window (&cubic, 0.001, 5 * RC_SECOND) - before) < 0.1);
  fail_unless (cubic.w_max_pkts == 1000);
}

/* A small window takes as long as Reno's would, so that the rate varies no more. */
CLAIM (test_small_window_is_not_back_at_once)
{
  const double srtt_s = 1, k_s = cbrt (4 * 0.3 / RC_CUBIC_C);

  rc_cubic_on_congestion (&cubic, 4, 0);
  fail_unless (fabs (cubic.k_s - 2.25) < 1e-9, "%g, not %g", cubic.k_s, k_s);
  fail_unless (rc_cubic_window (&cubic, srtt_s, 0) < 4);
}

CLAIM (test_window_of_nothing_is_a_number)
{
  rc_cubic_on_congestion (&cubic, 0, 0);
  fail_unless (isfinite (cubic.k_s) && isfinite (rc_cubic_window (&cubic, SRTT_S, RC_SECOND)));
}
