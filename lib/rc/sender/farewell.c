/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/sender/farewell.h>

void
rc_farewell_init (RcFarewell *self)
{
  *self = (RcFarewell) { .due_at = RC_TIME_NONE };
}

void
rc_farewell_on_bye (RcFarewell *self, uint32_t instance, const RcFormatChoice *formats)
{
  if (self->left)
    return;
  self->instance = instance;
  self->due_at = formats->heard_at
      + (formats->format == RC_FORMAT_RR ? RC_FAREWELL_RR_PATIENCE : RC_FORMAT_PATIENCE);
}

bool
rc_farewell_take (RcFarewell *self, RcTime now)
{
  if (self->due_at == RC_TIME_NONE || now < self->due_at)
    return false;
  self->due_at = RC_TIME_NONE;
  self->left = true;
  return true;
}
