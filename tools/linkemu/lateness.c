/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "lateness.h"

void
lateness_add (Lateness *self, RcTime late)
{
  self->steps[CLAMP (late / RC_USEC, 0, LATENESS_MAX_US)]++;
  self->n++;
}

guint
lateness_quantile (const Lateness *self, gdouble ratio)
{
  guint64 below = 0, wanted = (guint64) (ratio * (gdouble) self->n);

  for (guint us = 0; us < LATENESS_MAX_US; us++) {
    below += self->steps[us];
    if (below > wanted)
      return us;
  }
  return self->n > 0 ? LATENESS_MAX_US : 0;
}
