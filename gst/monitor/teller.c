/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "monitor/teller.h"

#include "base/messagelog.h"
#include "base/watchlist.h"
#include "monitor/publisher.h"
#include "monitor/snapshot.h"
#include "monitor/snapshottext.h"

#include <time.h>
#include <unistd.h>

/* What eyes follow; the statistics are means of a second. */
#define INTERVAL (200 * G_TIME_SPAN_MILLISECOND)
/* After a round, so many times its CPU time: many elements take a twentieth of one CPU. */
#define REST 19
/* A monitor gives streams up after three seconds. */
#define MAX_INTERVAL (2 * G_TIME_SPAN_SECOND)

static gchar *process_name, *socket_path;
static gchar *run_id;           /* identifies this process uniquely, in any namespace */
static GMutex lock;
static GCond waking;
static GThread *thread;         /* lock; the last one, which may have ended */
static guint n_added;           /* lock */
static gboolean running, quit;  /* lock */
static gboolean urgent;         /* lock; an error, after which the process may end */

static gboolean
send_of (Publisher * publisher, const Watched * watched, GstStructure * s)
{
  gboolean sent;
  gchar *text;

  gst_structure_set (s, "run", G_TYPE_STRING, run_id, "id", G_TYPE_UINT64, watched->id, NULL);
  text = snapshot_text_new (s);
  sent = publisher_send (publisher, text);
  g_free (text);
  return sent;
}

/* What does not fit now is there the next time. */
static gboolean
tell_messages_of (Publisher * publisher, const Watched * watched)
{
  guint reader = publisher_connections (publisher);
  GstStructure *message;
  gboolean sent = TRUE;

  while (sent && (message = message_log_peek (watched->element, reader)) != NULL) {
    sent = send_of (publisher, watched, message);
    if (sent)
      message_log_told (watched->element, message);
    gst_structure_free (message);
  }
  return sent;
}

/* The snapshot first: a monitor knows nothing of messages of strangers. */
static gboolean
tell_of (Publisher * publisher, const Watched * watched)
{
  GstStructure *s = snapshot_new (watched->element);
  gboolean sent;

  gst_structure_set (s, "process", G_TYPE_STRING, process_name,
      "pid", G_TYPE_INT, (gint) getpid (),
      "dropped", G_TYPE_UINT64, publisher_dropped (publisher), NULL);
  sent = send_of (publisher, watched, s) && tell_messages_of (publisher, watched);
  gst_structure_free (s);
  return sent;
}

/* One round. A monitor that is too slow for all of them loses the rest of it, and the next round
 * begins there. Returns where. */
static guint
export (Publisher * publisher, guint first)
{
  GArray *elements;
  guint i;

  if (!publisher_reach (publisher))
    return 0;
  elements = watch_list_elements ();
  for (i = 0; i < elements->len; i++)
    if (!tell_of (publisher, &g_array_index (elements, Watched, (first + i) % elements->len)))
      break;
  publisher_drop (publisher, elements->len - i);
  first = i < elements->len ? (first + i) % elements->len : 0;
  g_array_unref (elements);
  return first;
}

/* Of this thread; µs. */
static gint64
cpu_time (void)
{
  struct timespec t;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &t);
  return t.tv_sec * G_USEC_PER_SEC + t.tv_nsec / 1000;
}

/* Until no element is left to export, or GStreamer ends. Returns how many elements had been added
 * then. */
static guint
tell_until_empty (void)
{
  Publisher *publisher = publisher_new (socket_path);
  gboolean ends = FALSE;
  guint known = 0, first = 0;
  gint64 begun_at, pause, until;

  while (!ends) {
    begun_at = cpu_time ();
    g_mutex_lock (&lock);
    known = n_added;
    g_mutex_unlock (&lock);
    ends = watch_list_is_empty ();
    if (!ends)
      first = export (publisher, first);
    pause = CLAMP (REST * (cpu_time () - begun_at), INTERVAL, MAX_INTERVAL);
    until = g_get_monotonic_time () + pause;
    g_mutex_lock (&lock);
    while (!ends && !quit && !urgent && g_cond_wait_until (&waking, &lock, until))
      continue;
    urgent = FALSE;
    ends |= quit;
    g_mutex_unlock (&lock);
  }
  publisher_free (publisher);
  return known;
}

static gpointer
run (gpointer data)
{
  gboolean again = TRUE;
  guint known;

  while (again) {
    known = tell_until_empty ();
    g_mutex_lock (&lock);
    again = running = !quit && known != n_added;
    g_mutex_unlock (&lock);
  }
  return NULL;
}

static void
on_error (void)
{
  g_mutex_lock (&lock);
  urgent = TRUE;
  g_cond_signal (&waking);
  g_mutex_unlock (&lock);
}

static void
on_added (void)
{
  GError *error = NULL;

  g_mutex_lock (&lock);
  n_added++;
  if (!running && !quit) {
    g_clear_pointer (&thread, g_thread_unref);
    thread = g_thread_try_new ("arc-monitor", run, NULL, &error);
    running = thread != NULL;
    if (!running)
      GST_ERROR ("cannot start the monitor export thread: %s", error->message);
    g_clear_error (&error);
  }
  g_mutex_unlock (&lock);
}

/* gst_deinit() lets go of the registry before the factories that elements know. The thread may hold
 * an element that its owner has already let go of; it must be gone by then. */
static void
on_deinit (gpointer user_data, GObject * registry)
{
  GThread *ending;

  g_mutex_lock (&lock);
  quit = TRUE;
  g_cond_signal (&waking);
  ending = g_steal_pointer (&thread);
  g_mutex_unlock (&lock);
  if (ending != NULL)
    g_thread_join (ending);
}

gboolean
teller_begin (const gchar * name, const gchar * path)
{
  static gint begun;

  if (!g_atomic_int_compare_and_exchange (&begun, FALSE, TRUE))
    return FALSE;
  process_name = g_strdup (name);
  socket_path = g_strdup (path);
  run_id = g_uuid_string_random ();
  g_object_weak_ref (G_OBJECT (gst_registry_get ()), on_deinit, NULL);
  message_log_begin (on_error);
  watch_list_begin (on_added);
  return TRUE;
}
