/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/loss/openlosses.h>

#include <string.h>

void
rc_openlosses_clear (RcOpenLosses *self)
{
  self->n = 0;
}

void
rc_openlosses_add (RcOpenLosses *self, uint32_t seq, RcTime now)
{
  if (self->n == RC_OPENLOSSES_MAX)
    return;
  self->seqs[self->n] = seq;
  self->lost_at[self->n++] = now;
}

void
rc_openlosses_remove (RcOpenLosses *self, uint32_t seq)
{
  unsigned i = 0;

  while (i < self->n && self->seqs[i] != seq)
    i++;
  if (i == self->n)
    return;
  self->n--;
  memmove (&self->seqs[i], &self->seqs[i + 1], (self->n - i) * sizeof self->seqs[0]);
  memmove (&self->lost_at[i], &self->lost_at[i + 1], (self->n - i) * sizeof self->lost_at[0]);
}

void
rc_openlosses_age (RcOpenLosses *self, uint32_t seq, RcTime lost_at)
{
  rc_openlosses_remove (self, seq);
  if (self->n == RC_OPENLOSSES_MAX)
    self->n--;
  memmove (&self->seqs[1], &self->seqs[0], self->n * sizeof self->seqs[0]);
  memmove (&self->lost_at[1], &self->lost_at[0], self->n * sizeof self->lost_at[0]);
  self->seqs[0] = seq;
  self->lost_at[0] = self->n > 0 && self->lost_at[1] < lost_at ? self->lost_at[1] : lost_at;
  self->n++;
}

RcTime
rc_openlosses_since (const RcOpenLosses *self)
{
  return self->n > 0 ? self->lost_at[0] : RC_TIME_NONE;
}
