/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "launch.h"

#include <string.h>

GstElement *
launch (const gchar * line, GstBusFunc on_message, gpointer data, GError ** error)
{
  GstElement *pipeline = gst_parse_launch_full (line, NULL, GST_PARSE_FLAG_FATAL_ERRORS, error);
  g_autoptr (GstBus) bus = NULL;

  if (!pipeline)
    return NULL;
  bus = gst_element_get_bus (pipeline);
  gst_bus_add_watch (bus, on_message, data);
  return gst_object_ref_sink (pipeline);
}

void
launch_stop (GstElement * pipeline)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);

  gst_bus_remove_watch (bus);
  gst_element_set_state (pipeline, GST_STATE_NULL);
}

const gchar *
launch_reason (const GError * error, const gchar * debug)
{
  g_autofree gchar *common = gst_error_get_message (error->domain, error->code);
  const gchar *reason = debug ? strrchr (debug, '\n') : NULL;
  gboolean is_common = g_str_equal (common, error->message)
      || g_str_has_prefix (error->message, "Internal");

  return reason && is_common ? reason + 1 : error->message;
}
