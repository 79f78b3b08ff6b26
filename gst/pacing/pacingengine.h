/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The threads that send, which all sinks of the process share: one for up to 64 of them, above that
 * up to one a processor. Each has a heap of due times, one epoll for its feedback sockets, and
 * wakes up by the nanosecond on the monotonic clock with minimal timer slack. They know nothing of
 * RTP, laws or elements. */
#pragma once

#include <gst/gst.h>
#include <rc/base/types.h>

G_BEGIN_DECLS

typedef struct _PacingEngine PacingEngine;
typedef struct _PacingClient PacingClient;

typedef struct
{
  /* The due time came (or the client was woken): send what is due; returns when to be called
   * next (0: at once, after all others that are due, without sleeping between), RC_TIME_NONE:
   * only when woken. Called without any lock of the engine held. */
  RcTime (*on_due) (gpointer user_data, RcTime now);
  /* The socket is readable: read all of it. The engine calls on_due afterwards. */
  void (*on_readable) (gpointer user_data, RcTime now);
  /* pacing_engine_wake_fed() was called: as on_due. NULL: of no interest. */
  RcTime (*on_fed) (gpointer user_data, RcTime now);
} PacingClientFuncs;

/* Of all threads. */
typedef struct
{
  RcTime lag;                   /* how late packets leave by the latest of them */
  gboolean bound;               /* one has more to do than it can (overload.h) */
  guint aside;                  /* clients that are to send no media therefore */
} PacingLoad;

/* The shared engine that has the fewest references: starts with the first of them, its thread ends
 * with the last. Take one for each session. NULL and *error if the system refuses. */
PacingEngine *pacing_engine_ref (GError ** error);
void pacing_engine_unref (PacingEngine * self);

/* fd: -1 or a socket to watch. on_due is called once at once. */
PacingClient *pacing_engine_add (PacingEngine * self, int fd, const PacingClientFuncs * funcs,
    gpointer user_data, GError ** error);
/* After it returns no callback runs or will run. Not from within a callback. */
void pacing_engine_remove (PacingEngine * self, PacingClient * client);
/* Have on_due called soon, from any thread. Cheap when a wake-up is pending already. */
void pacing_engine_wake (PacingEngine * self, PacingClient * client);
/* Have on_due called at `at`, if it would be later: from any thread, and none wakes before. */
void pacing_engine_come (PacingEngine * self, PacingClient * client, RcTime at);
/* It has so many sessions that its thread has more to do than others. */
gboolean pacing_engine_is_full (const PacingEngine * self);
/* Have on_fed called of all clients that have it, by all threads: for a thousand of them one lock a
 * thread, and nothing in the heaps. */
void pacing_engine_wake_fed (void);
/* Has the thread run under SCHED_FIFO at `priority` (1..99; 0: as other threads). The highest
 * that any client asks for holds, as long as that client is there. FALSE: the system does not
 * permit it, and nothing changes. */
gboolean pacing_engine_set_priority (PacingEngine * self, PacingClient * client, gint priority);
/* One with on_fed is to send no media for now, since the CPU is full. */
gboolean pacing_client_is_aside (PacingClient * client);
void pacing_engine_get_load (PacingLoad * load);
/* Number of threads of all engines: for tests. */
guint pacing_engine_n_threads (void);

G_END_DECLS
