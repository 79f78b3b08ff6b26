/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "workturns.h"

#define WORK_RUNS 1             /* a thread is at it */
#define WORK_WANTED 2           /* requested since the worker looked */
/* For all elements: a few that block must not keep the others waiting. */
#define MAX_THREADS 4

void
work_turns_init (WorkTurns * self, GstElement * element, void (*work) (gpointer owner),
    gpointer owner)
{
  *self = (WorkTurns) { element, work, owner, 0 };
}

/* TRUE: no thread is working, and the caller must. */
static gboolean
want_work (WorkTurns * self)
{
  return g_atomic_int_or (&self->state, WORK_WANTED) == 0;
}

static void take_turn (WorkTurns * self);

static void
take_turn_async (gpointer turns, gpointer user_data)
{
  WorkTurns *self = turns;
  GstElement *element = self->element;

  take_turn (self);
  gst_object_unref (element);
}

/* Of the process and for ever, as GStreamer's own; that one has no limit. */
static GThreadPool *
thread_pool (void)
{
  static gsize pool;

  if (g_once_init_enter (&pool))
    g_once_init_leave (&pool,
        (gsize) g_thread_pool_new (take_turn_async, NULL, MAX_THREADS, FALSE, NULL));
  return (GThreadPool *) pool;
}

static void
push_turn (WorkTurns * self)
{
  gst_object_ref (self->element);
  g_thread_pool_push (thread_pool (), self, NULL);
}

static void
take_turn (WorkTurns * self)
{
  g_atomic_int_set (&self->state, WORK_RUNS);
  self->work (self->owner);
  if (!g_atomic_int_compare_and_exchange (&self->state, WORK_RUNS, 0))
    push_turn (self);
}

void
work_turns_schedule (gpointer turns)
{
  if (want_work (turns))
    push_turn (turns);
}

void
work_turns_take (WorkTurns * self)
{
  if (want_work (self))
    take_turn (self);
}
