/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Counts calls of GLib and GStreamer in a program that is loaded after it (LD_PRELOAD), and writes
 * "NAME COUNT" lines into the file that CALLCOUNT names when the program ends. */
#include <dlfcn.h>
#include <gst/gst.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

typedef enum { LOCKS, RECURSIVE_LOCKS, MAPS, N_COUNTS } Count;

static const char *const names[] = { "g_mutex_lock", "g_rec_mutex_lock", "gst_buffer_map" };
static atomic_ulong counts[N_COUNTS];

/* The function that is called in its place. */
static void *
count (Count i)
{
  static void *_Atomic next[N_COUNTS];
  void *function = next[i];

  atomic_fetch_add_explicit (&counts[i], 1, memory_order_relaxed);
  if (!function) {
    function = dlsym (RTLD_NEXT, names[i]);
    next[i] = function;
  }
  return function;
}

void
g_mutex_lock (GMutex * mutex)
{
  ((void (*)(GMutex *)) count (LOCKS)) (mutex);
}

void
g_rec_mutex_lock (GRecMutex * mutex)
{
  ((void (*)(GRecMutex *)) count (RECURSIVE_LOCKS)) (mutex);
}

gboolean
gst_buffer_map (GstBuffer * buffer, GstMapInfo * info, GstMapFlags flags)
{
  return ((gboolean (*)(GstBuffer *, GstMapInfo *, GstMapFlags)) count (MAPS)) (buffer, info,
      flags);
}

__attribute__ ((destructor))
static void
write_counts (void)
{
  const char *path = getenv ("CALLCOUNT");
  FILE *file = path ? fopen (path, "w") : NULL;

  for (int i = 0; file && i < N_COUNTS; i++)
    fprintf (file, "%s %lu\n", names[i], counts[i]);
  if (file)
    fclose (file);
}
