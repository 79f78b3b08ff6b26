/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "leaks.h"

#include "watchdog.h"

#define GST_USE_UNSTABLE_API
#include <gst/gsttracer.h>
#include <stdio.h>

#define PATIENCE_US (30 * G_USEC_PER_SEC)
#define LOOK_EACH_US 100000
#define MAX_TOLD 30

void
leaks_watch (void)
{
  g_setenv ("GST_TRACERS", "leaks", TRUE);
}

static GstTracer *
find_tracer (void)
{
  GList *tracers = gst_tracing_get_active_tracers (), *t;
  GstTracer *found = NULL;

  for (t = tracers; t; t = t->next)
    if (g_str_equal (G_OBJECT_TYPE_NAME (t->data), "GstLeaksTracer"))
      found = gst_object_ref (t->data);
  g_list_free_full (tracers, gst_object_unref);
  return found;
}

static void
tell (const GValue * list)
{
  guint n = gst_value_list_get_size (list);

  for (guint i = 0; i < MIN (n, MAX_TOLD); i++) {
    const GValue *value = gst_value_list_get_value (list, i);
    g_autofree gchar *text = gst_structure_to_string (gst_value_get_structure (value));

    printf ("chaos: still there: %s\n", text);
  }
}

/* The rest of what is being done in GStreamer's and our pools of threads may take a moment. */
void
leaks_check (void)
{
  g_autoptr (GstTracer) tracer = find_tracer ();
  gint64 end = g_get_monotonic_time () + PATIENCE_US;
  guint n;

  if (!tracer) {
    puts ("chaos: no tracer for leaks here: not checked");
    return;
  }
  gst_task_cleanup_all ();
  do {
    g_autoptr (GstStructure) info = NULL;
    const GValue *list;

    g_signal_emit_by_name (tracer, "get-live-objects", &info);
    list = gst_structure_get_value (info, "live-objects-list");
    n = gst_value_list_get_size (list);
    if (n > 0 && g_get_monotonic_time () > end) {
      tell (list);
      watchdog_fail ("%u objects of GStreamer are still there after all pipelines have gone", n);
    }
    g_usleep (n > 0 ? LOOK_EACH_US : 0);
  } while (n > 0);
}
