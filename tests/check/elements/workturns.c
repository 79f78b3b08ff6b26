/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Work of elements: some of it waits, and holds up no other. */
#include <base/workturns.h>

#include "quiet.h"

#define MANY 20
#define QUICK_US 2000

typedef struct
{
  WorkTurns turns;
  GstElement *element;
} Worker;

static Worker workers[MANY];
static gint at_work, most_at_work, done;        /* atomic */
static GMutex gate;

static void
worker_init (Worker * self, void (*work) (gpointer))
{
  self->element = gst_object_ref_sink (gst_bin_new (NULL));
  work_turns_init (&self->turns, self->element, work, self);
}

static void
await (gint * count, gint n)
{
  gint64 end = g_get_monotonic_time () + 30 * G_TIME_SPAN_SECOND;

  while (g_atomic_int_get (count) < n) {
    fail_unless (g_get_monotonic_time () < end, "%d of %d", g_atomic_int_get (count), n);
    g_usleep (1000);
  }
}

/* The threads have let go of them. */
static void
clear_workers (guint n)
{
  for (guint i = 0; i < n; i++) {
    while (GST_OBJECT_REFCOUNT_VALUE (workers[i].element) > 1)
      g_usleep (1000);
    gst_object_unref (workers[i].element);
  }
}

static void
wait_at_gate (gpointer owner)
{
  g_atomic_int_inc (&at_work);
  g_mutex_lock (&gate);
  g_mutex_unlock (&gate);
}

static void
count_one (gpointer owner)
{
  g_atomic_int_inc (&done);
}

/* As applications that ask a data base who may join. */
CLAIM (test_work_of_many_that_wait_holds_up_no_other)
{
  Worker *other = &workers[MANY - 1];

  g_mutex_lock (&gate);
  for (guint i = 0; i < MANY - 1; i++) {
    worker_init (&workers[i], wait_at_gate);
    work_turns_schedule (&workers[i].turns);
  }
  await (&at_work, MANY - 1);
  worker_init (other, count_one);
  for (gint i = 1; i <= 100; i++) {
    work_turns_schedule (&other->turns);
    await (&done, i);
  }
  g_mutex_unlock (&gate);
  clear_workers (MANY);
}

static void
be_quick (gpointer owner)
{
  gint n = g_atomic_int_add (&at_work, 1) + 1, most;

  while (n > (most = g_atomic_int_get (&most_at_work))
      && !g_atomic_int_compare_and_exchange (&most_at_work, most, n));
  g_usleep (QUICK_US);
  g_atomic_int_add (&at_work, -1);
  g_atomic_int_inc (&done);
}

/* A machine that stalls makes a turn look as if it waited. */
TIMED_CLAIM (test_quick_work_of_many_takes_a_few_threads)
{
  g_atomic_int_set (&at_work, 0);
  g_atomic_int_set (&done, 0);
  g_atomic_int_set (&most_at_work, 0);
  for (guint i = 0; i < MANY; i++) {
    worker_init (&workers[i], be_quick);
    work_turns_schedule (&workers[i].turns);
  }
  await (&done, MANY);
  clear_workers (MANY);
  fail_unless (most_at_work <= 4, "%d at a time", most_at_work);
}

CLAIM (test_work_that_is_wanted_again_is_done_again_but_not_by_two_at_a_time)
{
  g_atomic_int_set (&at_work, 0);
  g_atomic_int_set (&done, 0);
  g_atomic_int_set (&most_at_work, 0);
  worker_init (&workers[0], be_quick);
  for (guint i = 0; i < 50; i++) {
    work_turns_schedule (&workers[0].turns);
    g_usleep (QUICK_US / 4);
  }
  await (&done, 5);
  clear_workers (1);
  fail_unless_equals_int (most_at_work, 1);
}

static gpointer last_thread;
static gint n_changes;          /* atomic */

static void
note_thread (gpointer owner)
{
  n_changes += last_thread != g_thread_self ();
  last_thread = g_thread_self ();
  g_atomic_int_inc (&done);
}

/* Else what each thread has in its caches is cold. */
CLAIM (test_work_that_comes_now_and_then_is_done_by_the_thread_that_worked_last)
{
  g_atomic_int_set (&at_work, 0);
  g_atomic_int_set (&done, 0);
  for (guint i = 0; i < MANY; i++) {
    worker_init (&workers[i], be_quick);        /* several threads wait then */
    work_turns_schedule (&workers[i].turns);
  }
  await (&done, MANY);
  clear_workers (MANY);
  worker_init (&workers[0], note_thread);
  g_atomic_int_set (&done, 0);
  for (gint i = 1; i <= 30; i++) {
    g_usleep (QUICK_US);        /* it has gone back */
    work_turns_schedule (&workers[0].turns);
    await (&done, i);
  }
  clear_workers (1);
  fail_unless (n_changes <= 10, "%d of 30 by another thread", n_changes);
}
