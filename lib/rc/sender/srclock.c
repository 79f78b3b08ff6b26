/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/sender/srclock.h>

#define REDUCED_MINIMUM_BITS 360e3      /* RFC 3550 6.2: 360 divided by kbit/s are seconds */
#define SEED 2463534242U        /* any but 0 */

void
rc_srclock_init (RcSrClock *self)
{
  *self = (RcSrClock) { .due_at = RC_TIME_NONE, .heard_at = RC_TIME_NONE, .random = SEED };
}

void
rc_srclock_on_report (RcSrClock *self, RcTime now)
{
  self->heard_at = now;
  if (self->due_at == RC_TIME_NONE)
    self->due_at = now;
}

bool
rc_srclock_end (RcSrClock *self, RcTime now)
{
  bool heard = self->due_at != RC_TIME_NONE && now - self->heard_at <= RC_SR_LAPSE;

  self->due_at = RC_TIME_NONE;
  return heard;
}

void
rc_srclock_on_media (RcSrClock *self)
{
  self->media = true;
}

RcTime
rc_srclock_due_at (const RcSrClock *self)
{
  return self->media ? self->due_at : RC_TIME_NONE;
}

/* xorshift of Marsaglia; 0.5 to 1.5. */
static double
dither (RcSrClock *self)
{
  self->random ^= self->random << 13;
  self->random ^= self->random >> 17;
  self->random ^= self->random << 5;
  return 0.5 + self->random * 0x1p-32;
}

bool
rc_srclock_take (RcSrClock *self, uint64_t rate_bps, RcTime now)
{
  double interval_s = rc_clampd (REDUCED_MINIMUM_BITS / (double) rate_bps,
      rc_time_to_s (RC_SR_LEAST_INTERVAL), rc_time_to_s (RC_SR_LAPSE));
  RcTime due_at = rc_srclock_due_at (self);

  if (due_at == RC_TIME_NONE || now < due_at)
    return false;
  if (now - self->heard_at > RC_SR_LAPSE) {
    self->due_at = RC_TIME_NONE;
    return false;
  }
  self->media = false;
  self->due_at = now + rc_time_from_s (interval_s * dither (self));
  return true;
}
