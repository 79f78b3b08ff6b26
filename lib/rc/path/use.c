/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/path/use.h>

#include <math.h>
#include <rc/path/path.h>

void
rc_use_init (RcUse *self, RcTime now)
{
  *self = (RcUse) { .updated_at = now };
}

void
rc_use_update (RcUse *self, double allowed_bps, double sent_bits, RcTime now)
{
  double dt = rc_time_to_s (now - self->updated_at);
  double keep;

  if (dt > 0) {
    keep = exp (-dt / RC_PATH_MEAN_S);
    self->sent_bits *= keep;
    self->allowed_bits = self->allowed_bits * keep + allowed_bps * RC_PATH_MEAN_S * (1 - keep);
    self->updated_at = now;
  }
  self->sent_bits += sent_bits;
}

bool
rc_use_reaches (const RcUse *self, double share_ratio)
{
  return self->sent_bits >= share_ratio * self->allowed_bits;
}
