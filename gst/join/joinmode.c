/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "join/joinmode.h"


GType
join_mode_get_type (void)
{
  static gsize type;
  static const GEnumValue values[] = {
    {JOIN_MODE_CALLER, "Addresses the other end", "caller"},
    {JOIN_MODE_LISTENER, "Waits on a port for the other end", "listener"},
    {0, NULL, NULL}
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type, g_enum_register_static ("GstArcMode", values));
  return type;
}

/* The first handler with a reason is the last. */
static gboolean
accumulate (GSignalInvocationHint * hint, GValue * sum, const GValue * value, gpointer data)
{
  g_value_copy (value, sum);
  return g_value_get_string (value) == NULL;
}

guint
join_signal_new (GType element)
{
  return g_signal_new (JOIN_SIGNAL_CONNECTING, element, G_SIGNAL_RUN_LAST, 0, accumulate, NULL,
      NULL, G_TYPE_STRING, 2, G_TYPE_SOCKET_ADDRESS, G_TYPE_STRING);
}

gchar *
join_signal_ask (GstElement * element, guint signal, GSocketAddress * from,
    const gchar * stream_id)
{
  gchar *reason = NULL;

  g_signal_emit (element, signal, 0, from, stream_id, &reason);
  return reason;
}

gboolean
join_takes_caps (const gchar * encodings, const GstCaps * caps)
{
  const gchar *name = caps && gst_caps_get_size (caps) > 0
      ? gst_structure_get_string (gst_caps_get_structure (caps, 0), "encoding-name") : NULL;
  gboolean takes = FALSE;
  gchar **names;

  if (!name || *encodings == '\0')
    return TRUE;
  names = g_strsplit (encodings, ",", -1);
  for (guint i = 0; names[i] && !takes; i++)
    takes = g_ascii_strcasecmp (names[i], name) == 0;
  g_strfreev (names);
  return takes;
}
