/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <math.h>
#include <rc/path/volatility.h>

#include "claim.h"

#define MBPS 1e6

/* So many capacities, a span apart, each `ratio` times or a `ratio`th of the one before. */
static RcVolatility
watch (gdouble ratio, RcTime span, guint n)
{
  RcVolatility self = { 0 };

  for (guint i = 0; i < n; i++)
    rc_volatility_add (&self, i % 2 ? ratio * MBPS : MBPS, i * span);
  return self;
}

CLAIM (test_a_constant_capacity_does_not_vary)
{
  RcVolatility self = watch (1, RC_SECOND, 30);

  fail_unless (rc_volatility_sigma (&self) == 0);
}

CLAIM (test_sigma_is_the_change_of_the_logarithm_in_a_second)
{
  RcVolatility self = watch (2, RC_SECOND, 200);

  fail_unless (fabs (rc_volatility_sigma (&self) - log (2)) < 1e-6);
}

/* A walk that changes as much in four seconds as another in one varies half as much. */
CLAIM (test_time_counts_by_its_root)
{
  RcVolatility self = watch (2, 4 * RC_SECOND, 200);

  fail_unless (fabs (rc_volatility_sigma (&self) - log (2) / 2) < 1e-6);
}

CLAIM (test_a_capacity_that_was_still_falling_is_corrected)
{
  RcVolatility self = watch (1, RC_SECOND, 10), at_once = self;

  rc_volatility_add (&self, 0.8 * MBPS, 10 * RC_SECOND);
  rc_volatility_correct (&self, 0.5 * MBPS);
  rc_volatility_correct (&self, 0.4 * MBPS);
  rc_volatility_add (&at_once, 0.4 * MBPS, 10 * RC_SECOND);
  fail_unless (rc_volatility_sigma (&self) == rc_volatility_sigma (&at_once));
}

CLAIM (test_a_single_step_is_forgotten)
{
  RcVolatility self = watch (1, 2 * RC_SECOND, 10);

  rc_volatility_add (&self, 3 * MBPS, 20 * RC_SECOND);
  fail_unless (rc_volatility_sigma (&self) > 0.3);
  for (guint i = 1; i <= 15; i++)
    rc_volatility_add (&self, 3 * MBPS, (20 + 2 * i) * RC_SECOND);
  fail_unless (rc_volatility_sigma (&self) < 0.1);
}

/* Two reports of one moment do not divide by nothing. */
CLAIM (test_no_time_between)
{
  RcVolatility self = watch (2, 0, 10);

  fail_unless (isfinite (rc_volatility_sigma (&self)));
}
