/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "bustext.h"

#include <string.h>

#include "claim.h"

gchar *
bus_text (GstBus * bus, GstClockTime patience, GstMessageType types)
{
  g_autoptr (GstMessage) message = gst_bus_timed_pop_filtered (bus, patience, types);
  g_autoptr (GError) error = NULL;

  if (message == NULL)
    return NULL;
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR)
    gst_message_parse_error (message, &error, NULL);
  else if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_WARNING)
    gst_message_parse_warning (message, &error, NULL);
  else
    gst_message_parse_info (message, &error, NULL);
  return g_strdup (error->message);
}

gchar *
element_text (GstElement * element, GstClockTime patience, GstMessageType types)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (element);

  return bus_text (bus, patience, types);
}

guint
bus_count (GstBus * bus, GstMessageType types, const gchar * part)
{
  gchar *text;
  guint n = 0;

  for (; (text = bus_text (bus, 0, types)); g_free (text))
    n += strstr (text, part) != NULL;
  return n;
}

void
bus_says_all (GstBus * bus, GstClockTime patience, GstMessageType types,
    const gchar * const *parts)
{
  g_autofree gchar *text = bus_text (bus, patience, types);

  fail_unless (text != NULL, "nothing says: %s", parts[0]);
  for (; *parts; parts++)
    fail_unless (strstr (text, *parts) != NULL, "%s: not in: %s", *parts, text);
}
