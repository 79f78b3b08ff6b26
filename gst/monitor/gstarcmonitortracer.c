/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/**
 * SECTION:tracer-arcmonitor
 * @title: arcmonitor
 * @see_also: rmcsink, arcsrc
 *
 * Exports the statistics of all elements of this plugin in the process to gst-arc-monitor, five
 * times a second. It needs no change of the pipeline or application, only an environment variable
 * before gst_init():
 *
 * |[
 * GST_TRACERS=arcmonitor gst-launch-1.0 ... ! rmcsink host=192.0.2.1
 * GST_TRACERS="arcmonitor(name=roof,socket=/run/gst-arc/monitor)" gst-launch-1.0 ...
 * ]|
 *
 * `name` is what the monitor calls this process (default: the program's name), `socket` the path
 * of the monitor's socket. A path with other signs than letters, digits and `/.-_` needs quotes.
 *
 * While no monitor listens, one thread tries its socket five times a second and reads nothing of
 * the elements; without elements there is no thread. A monitor that is too slow loses snapshots,
 * which are counted in the next one (`dropped`).
 *
 * It is a tracer without a hook, because a single hook of any tracer costs 0.4 µs on each pad for
 * each buffer. Elements enter themselves into a list (base/watchlist.h).
 */

#include "monitor/gstarcmonitortracer.h"

#include "monitor/publisher.h"
#include "monitor/teller.h"

#include <gst/arc/arc.h>
#include <string.h>

GST_DEBUG_CATEGORY_STATIC (arc_monitor_debug);
#define GST_CAT_DEFAULT arc_monitor_debug

struct _GstArcMonitorTracer
{
  GstTracer parent;
};

G_DEFINE_TYPE (GstArcMonitorTracer, gst_arc_monitor_tracer, GST_TYPE_TRACER);

/* Of the tracer: "name=roof,socket=/tmp/s". NULL: none. */
static GstStructure *
parse_params (GstArcMonitorTracer * self)
{
  GstStructure *params = NULL;
  gchar *text, *line;

  g_object_get (self, "params", &text, NULL);
  if (text != NULL) {
    line = g_strconcat ("params,", text, NULL);
    params = gst_structure_from_string (line, NULL);
    if (params == NULL)
      GST_WARNING_OBJECT (self, "not NAME=VALUE,...: %s", text);
    g_free (line);
  }
  g_free (text);
  return params;
}

static void
constructed (GObject * object)
{
  GstArcMonitorTracer *self = GST_ARC_MONITOR_TRACER (object);
  GstStructure *params = parse_params (self);
  const gchar *name = params ? gst_structure_get_string (params, "name") : NULL;
  const gchar *path = params ? gst_structure_get_string (params, "socket") : NULL;
  gchar *own_path = g_build_filename (g_get_user_runtime_dir (), GST_ARC_MONITOR_SOCKET, NULL);

  G_OBJECT_CLASS (gst_arc_monitor_tracer_parent_class)->constructed (object);
  if (name == NULL)
    name = g_get_prgname () ? g_get_prgname () : "unnamed";
  if (path == NULL)
    path = own_path;
  /* Not GST_WARNING, which is off by default: there is no other sign that nothing is exported. */
  if (strlen (path) > PUBLISHER_MAX_PATH_BYTES)
    g_warning ("arcmonitor: this process is not watched: the path of a local socket has at most "
        "%u bytes, and %s has %" G_GSIZE_FORMAT ", so name a shorter one with "
        "arcmonitor(socket=PATH)", PUBLISHER_MAX_PATH_BYTES, path, strlen (path));
  else if (!teller_begin (name, path))
    GST_WARNING_OBJECT (self, "there is an arcmonitor already, and one is enough");
  g_free (own_path);
  g_clear_pointer (&params, gst_structure_free);
}

static void
gst_arc_monitor_tracer_class_init (GstArcMonitorTracerClass * klass)
{
  G_OBJECT_CLASS (klass)->constructed = constructed;
}

static void
gst_arc_monitor_tracer_init (GstArcMonitorTracer * self)
{
}

gboolean
gst_arc_monitor_tracer_register (GstPlugin * plugin)
{
  GST_DEBUG_CATEGORY_INIT (arc_monitor_debug, "arcmonitor", 0, "statistics for gst-arc-monitor");
  return gst_tracer_register (plugin, "arcmonitor", GST_TYPE_ARC_MONITOR_TRACER);
}
