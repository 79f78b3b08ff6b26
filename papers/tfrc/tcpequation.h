/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The TCP throughput equation [RFC 5348 3.1], with b = 1 (one packet per acknowledgement) and
 * t_RTO = 4 R:
 *
 *   X = s / (R sqrt (2 p / 3) + t_RTO (3 sqrt (3 p / 8)) p (1 + 32 p^2)) */
#pragma once

/* X in bit/s of packets of s_bits at a round trip of rtt_s and a loss event ratio p in (0, 1].
 * All must be > 0. */
double tcp_equation_bps (double s_bits, double rtt_s, double p);
/* The p at which the equation gives bps, in [1e-8, 1]; by bisection, to 1e-6 of it. */
double tcp_equation_loss (double s_bits, double rtt_s, double bps);
