/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "workturns.h"

#define WORK_RUNS 1             /* a thread is at it */
#define WORK_WANTED 2           /* requested since the worker looked */
/* Turns at a time, of all elements: a thousand viewers that all have another target shall not take
 * a thousand threads. */
#define MOST_TURNS 4
/* A turn that lasts longer waits for somebody, such as an application that asks a data base who may
 * join, and is not counted: the encoders of all others cannot wait for that. */
#define BLOCKED_US 50000
#define IDLE_US (15 * G_USEC_PER_SEC)   /* a thread without work ends */

/* Of the process and for ever. Each turn has a thread; while turns wait, so does a thread, for the
 * time at which one of them may begin. */
static struct
{
  GMutex lock;
  GQueue queue;                 /* of WorkTurns, each with a reference of its element */
  GQueue running;               /* of gint64, when it began, us; the oldest first */
  GQueue waiting;               /* of Waiter: threads; the one that worked last is the first */
  guint n_called;               /* threads that are to look at `queue`, and have yet to */
} pool = {.queue = G_QUEUE_INIT,.running = G_QUEUE_INIT,.waiting = G_QUEUE_INIT };

typedef struct
{
  GCond wake;
  gboolean called;
} Waiter;

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

/* With the lock, as all up to push_turn. When one more turn may begin, us. */
static gint64
may_begin_at (void)
{
  const GList *link;

  if (pool.running.length < MOST_TURNS)
    return 0;
  link = g_queue_peek_nth_link (&pool.running, pool.running.length - MOST_TURNS);
  return *(const gint64 *) link->data + BLOCKED_US;
}

/* FALSE: the time is over. */
static gboolean
wait_until (gint64 at)
{
  Waiter self = {.called = FALSE };
  GList link = {.data = &self };

  g_cond_init (&self.wake);
  g_queue_push_head_link (&pool.waiting, &link);
  while (!self.called && g_cond_wait_until (&self.wake, &pool.lock, at));
  if (self.called)
    pool.n_called--;
  else
    g_queue_unlink (&pool.waiting, &link);
  g_cond_clear (&self.wake);
  return self.called;
}

static gpointer run_turns (gpointer data);

/* One at a time: with its turn it has the next one wait. To wake a thread costs as much as most
 * turns do, and one that slept for long more. */
static void
have_thread_wait (void)
{
  GList *link;
  Waiter *waiter;

  if (pool.n_called > 0)
    return;
  pool.n_called++;
  if (!(link = g_queue_pop_head_link (&pool.waiting))) {
    g_thread_unref (g_thread_new ("arc-worker", run_turns, NULL));
    return;
  }
  waiter = link->data;
  waiter->called = TRUE;
  g_cond_signal (&waiter->wake);
}

static void
run_next_turn (void)
{
  WorkTurns *turns = g_queue_pop_head (&pool.queue);
  GstElement *element = turns->element;
  gint64 began_at = g_get_monotonic_time ();
  GList link = {.data = &began_at };

  g_queue_push_tail_link (&pool.running, &link);
  if (!g_queue_is_empty (&pool.queue))
    have_thread_wait ();
  g_mutex_unlock (&pool.lock);
  take_turn (turns);
  gst_object_unref (element);
  g_mutex_lock (&pool.lock);
  g_queue_unlink (&pool.running, &link);
}

static gpointer
run_turns (gpointer data)
{
  gboolean idle = FALSE;

  g_mutex_lock (&pool.lock);
  pool.n_called--;
  while (!idle) {
    gint64 now = g_get_monotonic_time ();

    if (g_queue_is_empty (&pool.queue))
      idle = !wait_until (now + IDLE_US) && g_queue_is_empty (&pool.queue);
    else if (may_begin_at () > now)
      wait_until (may_begin_at ());
    else
      run_next_turn ();
  }
  g_mutex_unlock (&pool.lock);
  return NULL;
}

static void
push_turn (WorkTurns * self)
{
  gst_object_ref (self->element);
  g_mutex_lock (&pool.lock);
  g_queue_push_tail (&pool.queue, self);
  have_thread_wait ();
  g_mutex_unlock (&pool.lock);
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
