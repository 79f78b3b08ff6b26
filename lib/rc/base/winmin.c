/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/base/winmin.h>

void
rc_winmin_init (RcWinMin *self, RcTime window)
{
  self->window = window;
  self->used = 0;
}

/* Opens a new slot when the newest has had its time. A pause longer than the window forgets
 * everything before it. */
static void
turn (RcWinMin *self, int64_t value, RcTime now)
{
  RcTime slot = self->window / RC_WINMIN_SLOTS;

  if (self->window == 0 || now - self->slot_at < slot)
    return;
  if (now - self->slot_at >= self->window)
    self->used = 0;
  for (unsigned i = RC_WINMIN_SLOTS - 1; i > 0; i--)
    self->slot[i] = self->slot[i - 1];
  self->slot[0] = value;
  self->slot_at = now;
  if (self->used < RC_WINMIN_SLOTS)
    self->used++;
}

void
rc_winmin_add (RcWinMin *self, int64_t value, RcTime now)
{
  if (self->used == 0) {
    self->slot[0] = value;
    self->slot_at = now;
    self->used = 1;
    return;
  }
  turn (self, value, now);
  if (value < self->slot[0])
    self->slot[0] = value;
}

bool
rc_winmin_get (const RcWinMin *self, int64_t *value)
{
  if (self->used == 0)
    return false;
  *value = self->slot[0];
  for (unsigned i = 1; i < self->used; i++)
    if (self->slot[i] < *value)
      *value = self->slot[i];
  return true;
}
