/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/keyframe/keybudget.h>

bool
rc_keybudget_take (RcKeyBudget *self, RcTime now)
{
  RcTime full_at = self->full_at > now ? self->full_at : now;

  if (full_at - now > (RC_KEYBUDGET_BURST - 1) * RC_KEYBUDGET_INTERVAL)
    return false;
  self->full_at = full_at + RC_KEYBUDGET_INTERVAL;
  return true;
}
