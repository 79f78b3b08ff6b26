/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <math.h>
#include <rc/router/rates.h>

#include "claim.h"

#define ALPHA 0.4
#define BETA 1.0

static const RcRcpSample balanced = { 0.010, 100e6, 100e6, 0, 0.1 };

/* [PIQI eq. 1] */
CLAIM (test_rate_stands_still_at_full_load_without_a_queue)
{
  fail_unless (rc_rcp_rate (10e6, &balanced, ALPHA, BETA) == 10e6);
}

/* [PIQI eq. 1]: T/d = 0.1, alpha 0.4, half the capacity spare: + 0.1 x 0.4 x 0.5 */
CLAIM (test_rate_grows_by_what_is_spare)
{
  RcRcpSample s = balanced;

  s.arrival_bps = 50e6;
  fail_unless (fabs (rc_rcp_rate (10e6, &s, ALPHA, BETA) - 10e6 * 1.02) < 1);
  s.mean_rtt_s = 0.05;
  fail_unless (fabs (rc_rcp_rate (10e6, &s, ALPHA, BETA) - 10e6 * 1.04) < 1,
      "twice as fast with half the RTT");
}

/* [PIQI eq. 1]: a queue of 1 Mbit is 10 Mbit/s over d = 0.1 s: - 0.1 x 0.1 */
CLAIM (test_rate_falls_by_what_the_queue_needs)
{
  RcRcpSample s = balanced;

  s.queue_bits = 1e6;
  fail_unless (fabs (rc_rcp_rate (10e6, &s, ALPHA, BETA) - 10e6 * 0.99) < 1);
}
