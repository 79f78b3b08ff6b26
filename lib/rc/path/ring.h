/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Where the last so many of something are in an array: reports, gaps. */
#pragma once

#define RC_RING 32              /* reports of the shortest interval: 640 ms */

typedef struct
{
  unsigned n, newest;
} RcRing;

/* Where the next one goes. */
static inline unsigned
rc_ring_add (RcRing *self)
{
  self->newest = (self->newest + 1) % RC_RING;
  self->n += self->n < RC_RING;
  return self->newest;
}

/* Where the one is that came `back` before the newest. */
static inline unsigned
rc_ring_at (const RcRing *self, unsigned back)
{
  return (self->newest + RC_RING - back) % RC_RING;
}
