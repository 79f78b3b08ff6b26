/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The send loop of the RMC paper
 * ==============================
 *
 * In a nutshell: wake up, compute how much should have gone and did not, send that at once, sleep
 * for T_s. lib/rc/pace/rmc.c is the law for use: it bounds bursts and samples when packets are due.
 *
 * Model, in the names of the paper's pseudo-code (code names in brackets):
 *
 *   rmc_data_calc += sending_rate (now - t_k)          [calc_bytes]      [RMC eq. 8]
 *   data_to_send = k_r (rmc_data_calc - rmc_data_sent) [to_send_bytes]   [RMC eq. 10]
 *   while there is room in data_to_send: send          [burst_bytes]     [RMC alg. 2]
 *   rmc_data_sent += bytes_sent                        [sent_bytes]      [RMC eq. 9]
 *   sleep (T_s), counted from the end of the burst
 *
 * Source: L. De Cicco, S. Mascolo, ICNP 2009. See docs/papers.md.
 *
 * Mended, since the pseudo-code does not run as printed:
 *   - The inner loop compares data_sent, which nothing sets; bytes_sent is meant.
 *   - A packet is taken from the queue before the comparison and lost when it does not fit. Here it
 *     waits.
 *   - The comparison is strict, so a packet that fits exactly would wait. Here it goes.
 *   - The two totals are integers without a bound and would wrap after 2 GiB. Here they are
 *     doubles, exact up to 2^53 bytes.
 *   - gettimeofday may jump. Here time is an argument; the programs read CLOCK_MONOTONIC.
 *   - t_k has no first value. Here it is the time of the start.
 */
#include "rmcliteral.h"

#include <assert.h>

void
rmc_literal_init (RmcLiteral *self, double kr_gain, RcTime ts, uint64_t rate_bps, RcTime now)
{
  assert (kr_gain > 0 && ts > 0);
  *self = (RmcLiteral) {.kr_gain = kr_gain,.ts = ts,.rate_bps = rate_bps,.sampled_at = now,
      .wake_at = now };
}

static void
sample (RmcLiteral *self, RcTime now)
{
  self->calc_bytes += (double) self->rate_bps * (double) (now - self->sampled_at) / 8e9;
  self->sampled_at = now;
  self->to_send_bytes = self->kr_gain * (self->calc_bytes - self->sent_bytes);
  self->burst_bytes = 0;
  self->awake = true;
}

RcTime
rmc_literal_due_at (RmcLiteral *self, uint32_t size_bytes, RcTime now)
{
  if (!self->awake) {
    if (now < self->wake_at)
      return self->wake_at;
    sample (self, now);
  }
  if (self->burst_bytes + size_bytes <= self->to_send_bytes)
    return now;
  self->sent_bytes += self->burst_bytes;
  self->awake = false;
  self->wake_at = now + self->ts;
  return self->wake_at;
}

void
rmc_literal_on_sent (RmcLiteral *self, uint32_t size_bytes)
{
  self->burst_bytes += size_bytes;
}
