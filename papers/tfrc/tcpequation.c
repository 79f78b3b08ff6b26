/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "tcpequation.h"

#include <math.h>

#define RTO_RTTS 4              /* RFC 5348 3.1: a TCP's timeout is taken as this many R */
/* [RFC 5348 4.3] has no least; at this one the equation is beyond any link here. */
#define LEAST_LOSS 1e-8
#define BISECTIONS 64

double
tcp_equation_bps (double s_bits, double rtt_s, double p)
{
  double fast = rtt_s * sqrt (2 * p / 3);
  double timeout = RTO_RTTS * rtt_s * 3 * sqrt (3 * p / 8) * p * (1 + 32 * p * p);

  return s_bits / (fast + timeout);
}

double
tcp_equation_loss (double s_bits, double rtt_s, double bps)
{
  double low = log (LEAST_LOSS), high = 0;      /* X falls with p */

  for (int i = 0; i < BISECTIONS; i++) {
    double middle = (low + high) / 2;

    if (tcp_equation_bps (s_bits, rtt_s, exp (middle)) > bps)
      low = middle;
    else
      high = middle;
  }
  return exp (high);
}
