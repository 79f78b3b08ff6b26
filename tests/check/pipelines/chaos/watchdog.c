/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "watchdog.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

#define LOOK_EACH_US 200000
#define MAX_SLOTS 4

struct _WatchdogSlot
{
  const gchar *who;
  gchar what[256];
  gint64 since;                 /* 0: nothing is being done */
};

static struct
{
  GMutex lock;
  WatchdogSlot slots[MAX_SLOTS];
  guint n_slots;
  gint64 patience;
  gchar *replay;
  const gchar *program;
  gint failed;                  /* atomic: the first failure is the one that is told */
} dog;

static void
print_stacks (void)
{
  g_autofree gchar *gdb = g_find_program_in_path ("gdb"), *line = NULL;

  if (!gdb) {
    puts ("(no gdb: no stacks)");
    return;
  }
  prctl (PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
  line = g_strdup_printf ("DEBUGINFOD_URLS= timeout 60 %s -nx -batch -p %d "
      "-ex 'set print frame-arguments scalars' -ex 'thread apply all backtrace 40' 2>/dev/null "
      "| grep -v '^\\[New LWP\\|^warning:\\|^$'", gdb, (gint) getpid ());
  if (system (line) != 0)
    puts ("(gdb failed)");
}

void
watchdog_fail (const gchar * format, ...)
{
  gchar *why;
  va_list args;

  /* Whoever fails while another is telling why waits here for the end of the process. */
  while (!g_atomic_int_compare_and_exchange (&dog.failed, FALSE, TRUE))
    g_usleep (G_USEC_PER_SEC);
  va_start (args, format);
  why = g_strdup_vprintf (format, args);
  va_end (args);
  fflush (stdout);
  print_stacks ();
  printf ("chaos: FAILED: %s\n", why);
  for (guint i = 0; i < dog.n_slots; i++)
    if (dog.slots[i].since)
      printf ("chaos: %s was at: %s, since %.1f s\n", dog.slots[i].who, dog.slots[i].what,
          (gdouble) (g_get_monotonic_time () - dog.slots[i].since) / G_USEC_PER_SEC);
  printf ("chaos: again: %s\n", dog.replay ? dog.replay : dog.program);
  fflush (stdout);
  _exit (1);
}

static gpointer
watch (gpointer data)
{
  while (TRUE) {
    gint64 now = g_get_monotonic_time ();

    g_mutex_lock (&dog.lock);
    for (guint i = 0; i < dog.n_slots; i++) {
      gboolean hangs = dog.slots[i].since && now - dog.slots[i].since > dog.patience;

      if (hangs) {
        g_mutex_unlock (&dog.lock);
        watchdog_fail ("%s hangs: %s", dog.slots[i].who, dog.slots[i].what);
      }
    }
    g_mutex_unlock (&dog.lock);
    g_usleep (LOOK_EACH_US);
  }
  return NULL;
}

static GLogWriterOutput
judge_log (GLogLevelFlags level, const GLogField * fields, gsize n_fields, gpointer user_data)
{
  g_autofree gchar *text = g_log_writer_format_fields (level, fields, n_fields, FALSE);

  if (level & (G_LOG_LEVEL_ERROR | G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_WARNING))
    watchdog_fail ("GLib says: %s", text);
  printf ("%s\n", text);
  return G_LOG_WRITER_HANDLED;
}

void
watchdog_start (guint patience_s, const gchar * program)
{
  dog.patience = (gint64) patience_s * G_USEC_PER_SEC;
  dog.program = program;
  g_log_set_writer_func (judge_log, NULL, NULL);
  g_thread_unref (g_thread_new ("watchdog", watch, NULL));
}

void
watchdog_set_replay (const gchar * replay)
{
  g_mutex_lock (&dog.lock);
  g_free (dog.replay);
  dog.replay = g_strdup (replay);
  g_mutex_unlock (&dog.lock);
}

WatchdogSlot *
watchdog_add (const gchar * who)
{
  WatchdogSlot *slot;

  g_mutex_lock (&dog.lock);
  g_assert (dog.n_slots < MAX_SLOTS);
  slot = &dog.slots[dog.n_slots++];
  slot->who = who;
  g_mutex_unlock (&dog.lock);
  return slot;
}

void
watchdog_begin (WatchdogSlot * slot, const gchar * what)
{
  g_mutex_lock (&dog.lock);
  g_strlcpy (slot->what, what, sizeof slot->what);
  slot->since = g_get_monotonic_time ();
  g_mutex_unlock (&dog.lock);
}

void
watchdog_end (WatchdogSlot * slot)
{
  g_mutex_lock (&dog.lock);
  slot->since = 0;
  g_mutex_unlock (&dog.lock);
}
