/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "pacing/overload.h"

#define LATE_WINDOWS 2          /* one is a pause of the machine */
#define FALLS .95               /* in a window: enough are aside, and what waits leaves */
#define FINE_LAG (OVERLOAD_LAG / 2)
#define SHED_PART 16            /* of those who are served, each window */
#define RETURN_PART 32          /* of all, each RETURN_WINDOWS */
#define RETURN_WINDOWS 4
#define LEAST_PATIENCE 8        /* 2 s */
#define MOST_PATIENCE 256       /* 64 s */

void
overload_note (Overload * self, RcTime late)
{
  self->late_sum += late;
  self->passes++;
}

static void
set_aside (Overload * self, guint n)
{
  guint served = n - MIN (self->aside, n);

  if (self->returning)
    self->patience = MIN (2 * self->patience, MOST_PATIENCE);
  self->returning = FALSE;
  if (served > 1)
    self->aside += MIN (served - 1, MAX (served / SHED_PART, 1));
}

/* Who came back last is known to be what is too much. before: the lag of the last window. */
static gboolean
is_too_much (const Overload * self, RcTime before)
{
  if (self->returning)
    return self->late > 0;
  return self->late >= LATE_WINDOWS && (gdouble) self->lag > FALLS * (gdouble) before;
}

static void
let_return (Overload * self, guint n)
{
  if (self->aside == 0) {
    self->bound = FALSE;
    self->patience = LEAST_PATIENCE;
    return;
  }
  self->aside -= MIN (self->aside, MAX (n / RETURN_PART, 1));
  self->returning = TRUE;
  self->fine = self->patience - RETURN_WINDOWS;
}

void
overload_look (Overload * self, guint n, RcTime now)
{
  RcTime before;

  if (self->began_at == 0) {
    self->began_at = now;
    self->patience = LEAST_PATIENCE;
  }
  if (now - self->began_at < OVERLOAD_WINDOW)
    return;
  before = self->lag;
  self->lag = self->passes > 0 ? self->late_sum / self->passes : 0;
  self->late = self->lag > OVERLOAD_LAG ? self->late + 1 : 0;
  self->fine = self->lag < FINE_LAG ? self->fine + 1 : 0;
  self->aside = MIN (self->aside, n > 0 ? n - 1 : 0);
  self->bound |= self->late >= LATE_WINDOWS;
  if (is_too_much (self, before))
    set_aside (self, n);
  else if (self->fine >= self->patience)
    let_return (self, n);
  self->began_at = now;
  self->late_sum = 0;
  self->passes = 0;
}
