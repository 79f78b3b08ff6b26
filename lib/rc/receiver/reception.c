/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/receiver/reception.h>

#define MOST_LOST_PKTS 0x7fffff /* of a signed field of 24 bits */
/* A step of the timestamps by more is another beginning of them, and no jitter. */
#define MOST_TRANSIT_STEP_S 10

void
rc_reception_init (RcReception *self)
{
  *self = (RcReception) { .sr_at = RC_TIME_NONE };
}

/* Modulo 2^32, as timestamps are. */
static uint32_t
units_of (RcTime t, uint32_t clock_rate_hz)
{
  uint64_t s = (uint64_t) (t / RC_SECOND), ns = (uint64_t) (t % RC_SECOND);

  return (uint32_t) (s * clock_rate_hz + ns * clock_rate_hz / RC_SECOND);
}

void
rc_reception_on_packet (RcReception *self, uint32_t timestamp, uint32_t clock_rate_hz,
    RcTime arrived_at)
{
  uint32_t transit = units_of (arrived_at, clock_rate_hz) - timestamp;
  uint32_t step = transit - self->transit;
  bool comparable = clock_rate_hz != 0 && clock_rate_hz == self->clock_rate_hz;

  self->transit = transit;
  self->clock_rate_hz = clock_rate_hz;
  if (step > UINT32_MAX / 2)
    step = -step;
  if (comparable && step <= (uint64_t) MOST_TRANSIT_STEP_S * clock_rate_hz)
    self->jitter_q4 += step - ((self->jitter_q4 + 8) >> 4);
}

void
rc_reception_on_sender_report (RcReception *self, uint64_t ntp, RcTime arrived_at)
{
  self->lsr = (uint32_t) (ntp >> 16);
  self->sr_at = arrived_at;
}

/* In units of 2^-16 s. */
static uint32_t
dlsr (const RcReception *self, RcTime now)
{
  RcTime since = now > self->sr_at ? now - self->sr_at : 0;
  double units = rc_time_to_s (since) * 65536;

  return units < UINT32_MAX ? (uint32_t) units : UINT32_MAX;
}

static uint8_t
fraction (uint32_t lost_pkts, uint32_t received_pkts)
{
  uint64_t expected_pkts = (uint64_t) lost_pkts + received_pkts;
  uint64_t q8 = expected_pkts > 0 ? (uint64_t) lost_pkts * 256 / expected_pkts : 0;

  return q8 > UINT8_MAX ? UINT8_MAX : (uint8_t) q8;
}

void
rc_reception_tell (RcReception *self, const RcLossHist *history, RcTime now,
    RcReceptionBlock *block)
{
  uint32_t lost_pkts = history->lost_pkts - self->told_lost_pkts;
  bool found_again = lost_pkts > UINT32_MAX / 2;

  *block = (RcReceptionBlock) {
    .fraction_lost = fraction (found_again ? 0 : lost_pkts,
        history->received_pkts - self->told_received_pkts),
    .lost_pkts = history->lost_pkts < MOST_LOST_PKTS ? (int32_t) history->lost_pkts
        : MOST_LOST_PKTS,
    .highest_seq = history->highest_seq,
    .jitter = self->jitter_q4 >> 4,
  };
  if (self->sr_at != RC_TIME_NONE) {
    block->lsr = self->lsr;
    block->dlsr = dlsr (self, now);
  }
  self->told_received_pkts = history->received_pkts;
  self->told_lost_pkts = history->lost_pkts;
}
