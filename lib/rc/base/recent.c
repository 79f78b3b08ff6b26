/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/base/recent.h>

#include <math.h>
#include <string.h>

#define MOST (3600 * RC_SECOND)

void
rc_recent_init (RcRecent *self)
{
  self->n = 0;
}

void
rc_recent_add (RcRecent *self, RcTime value)
{
  RcTime kept = value < 0 ? 0 : rc_sooner (value, MOST);

  self->value_us[self->n++ % RC_RECENT_SIZE] = (uint32_t) (kept / RC_USEC);
}

static void
swap (uint32_t *a, uint32_t *b)
{
  uint32_t held = *a;

  *a = *b;
  *b = held;
}

/* The value that would be at `rank` if they were sorted (Hoare's selection). */
static uint32_t
select_rank (uint32_t *values, uint32_t n, uint32_t rank)
{
  uint32_t first = 0, end = n;

  while (end - first > 1) {
    uint32_t pivot = values[first + (end - first) / 2], below = first, above = end, i = first;

    while (i < above) {
      if (values[i] < pivot)
        swap (&values[i++], &values[below++]);
      else if (values[i] > pivot)
        swap (&values[i], &values[--above]);
      else
        i++;
    }
    if (rank >= below && rank < above)
      return pivot;
    if (rank < below)
      end = below;
    else
      first = above;
  }
  return values[first];
}

RcTime
rc_recent_quantile (const RcRecent *self, double q)
{
  uint32_t values[RC_RECENT_SIZE], n = self->n < RC_RECENT_SIZE ? self->n : RC_RECENT_SIZE;
  uint32_t rank = (uint32_t) fmax (ceil (q * n) - 1, 0);

  if (n == 0)
    return RC_TIME_NONE;
  memcpy (values, self->value_us, n * sizeof *values);
  return (RcTime) select_rank (values, n, rank < n ? rank : n - 1) * RC_USEC;
}
