/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "reporter.h"

#include "base/clockglue.h"

void
reporter_init (Reporter * self, RcTime (*on_due) (gpointer user_data), gpointer user_data)
{
  *self = (Reporter) {
  .on_due = on_due,.user_data = user_data,.sleep_until = RC_TIME_NONE};
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
reporter_wake_by (Reporter * self, RcTime due_at)
{
  if (due_at == RC_TIME_NONE)
    return;

  g_mutex_lock (&self->lock);
  if (self->sleep_until == RC_TIME_NONE || due_at < self->sleep_until)
    wake (self);
  g_mutex_unlock (&self->lock);
}

/* With the lock held, which it leaves while it sleeps. */
static void
sleep_until (Reporter * self, RcTime due_at)
{
  GstClockID id;

  if (due_at == RC_TIME_NONE) {
    g_cond_wait (&self->wake, &self->lock);
    return;
  }

  id = gst_clock_new_single_shot_id (self->clock, clock_glue_to_gst (due_at));
  self->sleep_id = id;
  self->sleep_until = due_at;
  g_mutex_unlock (&self->lock);
  gst_clock_id_wait (id, NULL);
  g_mutex_lock (&self->lock);
  self->sleep_id = NULL;
  self->sleep_until = RC_TIME_NONE;
  gst_clock_id_unref (id);
}

static gpointer
run (gpointer user_data)
{
  Reporter *self = user_data;

  g_mutex_lock (&self->lock);
  while (self->running) {
    RcTime due_at;

    self->woken = FALSE;
    g_mutex_unlock (&self->lock);
    due_at = self->on_due (self->user_data);
    g_mutex_lock (&self->lock);
    if (self->running && !self->woken)
      sleep_until (self, due_at);
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
