/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Makes an rmcsink that is linked into this program, and prints where it would send to and the name
 * of its statistics. */
#include <gst/arc/arc.h>
#include <gst/gst.h>

GST_PLUGIN_STATIC_DECLARE (arc);

int
main (int argc, char **argv)
{
  GstElement *sink;
  gchar *uri;

  gst_init (&argc, &argv);
  GST_PLUGIN_STATIC_REGISTER (arc);
  sink = gst_element_factory_make ("rmcsink", NULL);
  if (!sink) {
    g_printerr ("no rmcsink\n");
    return 1;
  }
  g_object_get (sink, "uri", &uri, NULL);
  g_print ("%s %s\n", uri, GST_RMC_SINK_STATS);
  g_free (uri);
  gst_object_unref (sink);
  return 0;
}
