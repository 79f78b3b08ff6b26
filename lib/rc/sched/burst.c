/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/sched/burst.h>

/* A payloader pushes a frame within it, and up to 500 single packets a second are further apart. */
#define GAP (2 * RC_MSEC)
#define GAIN 0.125              /* a keyframe moves the mean by an eighth */

void
rc_burst_init (RcBurst *self)
{
  *self = (RcBurst) { .came_at = RC_TIME_NONE };
}

static void
end_burst (RcBurst *self)
{
  if (self->mean_bytes > 0)
    self->mean_bytes += (self->bytes - self->mean_bytes) * GAIN;
  else
    self->mean_bytes = self->bytes;
  self->bytes = 0;
}

void
rc_burst_on_packet (RcBurst *self, uint32_t bytes, RcTime now)
{
  if (self->came_at != RC_TIME_NONE && now - self->came_at >= GAP)
    end_burst (self);
  self->bytes += bytes;
  self->came_at = now;
}
