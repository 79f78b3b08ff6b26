/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/loss/leaps.h>

static int
distance (uint16_t from, uint16_t to)
{
  return (int16_t) (uint16_t) (to - from);
}

static bool
is_near (uint16_t a, uint16_t b)
{
  int d = distance (a, b);

  return d != 0 && d <= RC_LEAPS_MAX_PKTS && d >= -RC_LEAPS_MAX_PKTS;
}

void
rc_leaps_begin_at (RcLeaps *self, uint16_t seq)
{
  *self = (RcLeaps) {.primed = true,.newest = seq };
}

RcLeapVerdict
rc_leaps_on_packet (RcLeaps *self, uint16_t seq, bool doubtful)
{
  if (self->doubts && is_near (self->doubted, seq)) {
    rc_leaps_begin_at (self, distance (self->doubted, seq) > 0 ? seq : self->doubted);
    return RC_LEAP_CONFIRMED;
  }
  if (self->primed ? distance (self->newest, seq) > RC_LEAPS_MAX_PKTS : doubtful) {
    self->doubts = true;
    self->doubted = seq;
    return RC_LEAP_DOUBTED;
  }
  if (!self->primed || distance (self->newest, seq) > 0)
    rc_leaps_begin_at (self, seq);
  return RC_LEAP_NONE;
}
