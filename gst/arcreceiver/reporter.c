/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "reporter.h"

#include "base/clockglue.h"

void
reporter_init (Reporter * self)
{
  *self = (Reporter) { 0 };
  g_mutex_init (&self->lock);
  g_cond_init (&self->wake);
}

void
reporter_clear (Reporter * self)
{
  gst_clear_object (&self->clock);
  g_cond_clear (&self->wake);
  g_mutex_clear (&self->lock);
}

void
reporter_add (Reporter * self, ReporterTask task)
{
  g_assert (self->n_tasks < REPORTER_TASKS);
  self->tasks[self->n_tasks++] = task;
}

/* With the lock held. */
static void
wake (Reporter * self)
{
  self->woken = TRUE;
  if (self->sleep_id)
    gst_clock_id_unschedule (self->sleep_id);
  g_cond_signal (&self->wake);
}

void
reporter_set_clock (Reporter * self, GstClock * clock)
{
  g_mutex_lock (&self->lock);
  gst_object_replace ((GstObject **) & self->clock, GST_OBJECT (clock));
  wake (self);
  g_mutex_unlock (&self->lock);
}

void
reporter_wake (Reporter * self)
{
  g_mutex_lock (&self->lock);
  wake (self);
  g_mutex_unlock (&self->lock);
}

/* Returns when the first is due again, by the clock; RC_TIME_NONE: never. */
static RcTime
do_due (Reporter * self, GstClock * clock)
{
  RcTime at = RC_TIME_NONE;

  for (guint i = 0; i < self->n_tasks; i++) {
    const ReporterTask *task = &self->tasks[i];
    RcTime due_at = task->on_due (task->user_data);

    if (task->monotonic && due_at != RC_TIME_NONE)
      due_at = clock_glue_from_gst (gst_clock_get_time (clock))
          + MAX (due_at - clock_glue_monotonic (), 0);
    at = rc_sooner (at, due_at);
  }
  return at;
}

/* With the lock held, as the next, which leaves it while it sleeps. */
static void
sleep_on_other (Reporter * self, GstClock * clock, RcTime at)
{
  GstClockID id = gst_clock_new_single_shot_id (clock, clock_glue_to_gst (at));

  self->sleep_id = id;
  g_mutex_unlock (&self->lock);
  gst_clock_id_wait (id, NULL);
  g_mutex_lock (&self->lock);
  self->sleep_id = NULL;
  gst_clock_id_unref (id);
}

static void
sleep_until (Reporter * self, GstClock * clock, RcTime at)
{
  RcTime rest;

  if (at == RC_TIME_NONE) {
    g_cond_wait (&self->wake, &self->lock);
  } else if (!GST_IS_SYSTEM_CLOCK (clock)) {
    sleep_on_other (self, clock, at);
  } else {
    rest = at - clock_glue_from_gst (gst_clock_get_time (clock));
    if (rest > 0)
      g_cond_wait_until (&self->wake, &self->lock, g_get_monotonic_time () + rest / RC_USEC + 1);
  }
}

static gpointer
run (gpointer user_data)
{
  Reporter *self = user_data;

  g_mutex_lock (&self->lock);
  while (self->running) {
    GstClock *clock = gst_object_ref (self->clock);
    RcTime at;

    self->woken = FALSE;
    g_mutex_unlock (&self->lock);
    at = do_due (self, clock);
    g_mutex_lock (&self->lock);
    if (self->running && !self->woken)
      sleep_until (self, clock, at);
    gst_object_unref (clock);
  }
  g_mutex_unlock (&self->lock);
  return NULL;
}

gboolean
reporter_start (Reporter * self, GError ** error)
{
  self->running = TRUE;
  self->thread = g_thread_try_new ("arc-reports", run, self, error);
  return self->thread != NULL;
}

void
reporter_ask_to_stop (Reporter * self)
{
  g_mutex_lock (&self->lock);
  self->running = FALSE;
  wake (self);
  g_mutex_unlock (&self->lock);
}

void
reporter_join (Reporter * self)
{
  if (self->thread)
    g_thread_join (self->thread);
  self->thread = NULL;
}
