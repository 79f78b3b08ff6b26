/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "agewatch.h"

/* So long a clock that drifts, as of a camera, counts as one that does not. */
#define WINDOW (60 * RC_SECOND)
/* A queue before an encoder that is too slow grows to a second by default. A jitter buffer upstream
 * that follows its path changes the age by half a second at most. */
#define MORE (700 * RC_MSEC)
/* A busy moment of the machine is over by then. */
#define SPAN (5 * RC_SECOND)

void
age_watch_init (AgeWatch * self)
{
  *self = (AgeWatch) {.late_since = RC_TIME_NONE };
  rc_winmin_init (&self->least, WINDOW);
}

gboolean
age_watch_on_frame (AgeWatch * self, RcTime age, RcTime now, RcTime * more)
{
  gint64 least = age;

  rc_winmin_add (&self->least, age, now);
  rc_winmin_get (&self->least, &least);
  *more = age - least;
  if (*more < MORE) {
    self->late_since = RC_TIME_NONE;
    return FALSE;
  }
  if (self->late_since == RC_TIME_NONE)
    self->late_since = now;
  if (self->told || now - self->late_since < SPAN)
    return FALSE;
  self->told = TRUE;
  return TRUE;
}
