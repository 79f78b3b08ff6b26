/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The thread that reports: sleeps on a GstClock until something is due, and can be woken for an
 * earlier time. It knows nothing of RTP; what is due is the caller's. */
#pragma once

#include <gst/gst.h>
#include <rc/base/types.h>

G_BEGIN_DECLS

typedef struct
{
  /* Does what is due; returns when to be called next by the clock, RC_TIME_NONE: only when
   * woken. Called without lock. */
  RcTime (*on_due) (gpointer user_data);
  gpointer user_data;
  GMutex lock;
  GCond wake;
  GThread *thread;
  /* under the lock */
  gboolean running, woken;
  GstClock *clock;
  GstClockID sleep_id;          /* what the thread sleeps on */
  RcTime sleep_until;           /* RC_TIME_NONE: until woken, or it is not asleep */
} Reporter;

void reporter_init (Reporter * self, RcTime (*on_due) (gpointer user_data), gpointer user_data);
void reporter_clear (Reporter * self);
/* Until the first of these a reporter must not be started. Wakes the thread: its times have lost
 * their meaning. */
void reporter_set_clock (Reporter * self, GstClock * clock);
gboolean reporter_start (Reporter * self, GError ** error);
/* Two steps, because on_due may be blocked in a pad push that only the deactivation of the pad
 * ends. */
void reporter_ask_to_stop (Reporter * self);
void reporter_join (Reporter * self);
/* Have on_due called at due_at, or before. RC_TIME_NONE: nothing. From any thread, cheap when it
 * would anyway. */
void reporter_wake_by (Reporter * self, RcTime due_at);

G_END_DECLS
