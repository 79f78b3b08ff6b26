/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "pushtimes.h"

/* A busy machine holds a push up for less, as a rule. */
#define SLOW (50 * RC_MSEC)

void
push_times_init (PushTimes * self)
{
  self->n = 0;
  g_mutex_init (&self->lock);
}

void
push_times_clear (PushTimes * self)
{
  g_mutex_clear (&self->lock);
}

void
push_times_add (PushTimes * self, RcTime begun_at, RcTime ended_at)
{
  if (ended_at - begun_at < SLOW)
    return;
  g_mutex_lock (&self->lock);
  self->pushes[self->n++ % PUSH_TIMES_MAX] = (SlowPush) { begun_at, ended_at };
  g_mutex_unlock (&self->lock);
}

RcTime
push_times_departure (PushTimes * self, RcTime entered_at)
{
  RcTime left_at = entered_at;

  g_mutex_lock (&self->lock);
  for (guint i = 0; i < MIN (self->n, PUSH_TIMES_MAX); i++) {
    const SlowPush *push = &self->pushes[(self->n - 1 - i) % PUSH_TIMES_MAX];

    if (push->begun_at > entered_at)
      continue;
    if (entered_at <= push->ended_at)
      left_at = push->ended_at;
    break;
  }
  g_mutex_unlock (&self->lock);
  return left_at;
}
