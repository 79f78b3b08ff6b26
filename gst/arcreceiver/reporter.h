/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The one thread of a receiver, in which all is done that is due at a time: reports by the clock of
 * the pipeline, statistics and calls by that of the machine. It sleeps until the first of them.
 *
 * Problem: the clock of a pipeline may stand still, as that of a sound card that has nothing to
 * play. Rule: it is asked how long it is until a time, and that is slept by the machine's clock,
 * as GstSystemClock and all made from it do. A clock of another kind, such as that of a test, is
 * slept on. */
#pragma once

#include <gst/gst.h>
#include <rc/base/types.h>

G_BEGIN_DECLS

#define REPORTER_TASKS 3

typedef struct
{
  /* Does what is due; returns when it is to be called again at the latest, RC_TIME_NONE: when
   * woken. It may be called sooner. Without lock. */
  RcTime (*on_due) (gpointer user_data);
  gpointer user_data;
  gboolean monotonic;           /* its times are of CLOCK_MONOTONIC */
} ReporterTask;

typedef struct
{
  ReporterTask tasks[REPORTER_TASKS];
  guint n_tasks;
  GMutex lock;
  GCond wake;
  GThread *thread;
  /* under the lock */
  gboolean running, woken;
  GstClock *clock;
  GstClockID sleep_id;          /* what the thread sleeps on; NULL: on the machine's clock */
} Reporter;

void reporter_init (Reporter * self);
void reporter_clear (Reporter * self);
/* While it does not run. */
void reporter_add (Reporter * self, ReporterTask task);
/* Until the first of these a reporter must not be started. Wakes the thread: its times have lost
 * their meaning. */
void reporter_set_clock (Reporter * self, GstClock * clock);
gboolean reporter_start (Reporter * self, GError ** error);
/* Two steps, because a task may be blocked in a pad push that only the deactivation of the pad
 * ends. */
void reporter_ask_to_stop (Reporter * self);
void reporter_join (Reporter * self);
/* Something is due sooner than a task has said. From any thread. */
void reporter_wake (Reporter * self);

G_END_DECLS
