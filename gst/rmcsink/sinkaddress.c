/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Where the receiver is: the settings, the socket to it, and its name. */

#include "gstrmcsinkprivate.h"

GST_DEBUG_CATEGORY (gst_rmc_sink_debug);

UdpSocketConfig
gst_rmc_sink_peek_config (GstRmcSink * self)
{
  const SinkSettings *s = &self->settings;

  return (UdpSocketConfig) { s->host, s->port, s->bind_address, s->bind_port, s->qos_dscp };
}

/* With texts of its own: to look a name up may take seconds, and no lock is held then. */
UdpSocketConfig
gst_rmc_sink_dup_config (GstRmcSink * self)
{
  UdpSocketConfig config;

  GST_OBJECT_LOCK (self);
  config = gst_rmc_sink_peek_config (self);
  config.host = g_strdup (config.host);
  config.bind_address = g_strdup (config.bind_address);
  GST_OBJECT_UNLOCK (self);
  return config;
}

void
gst_rmc_sink_clear_config (UdpSocketConfig * config)
{
  g_free ((gchar *) config->host);
  g_free ((gchar *) config->bind_address);
}

gboolean
gst_rmc_sink_check_address (GstRmcSink * self, gboolean * has_name, GError ** error)
{
  UdpSocketConfig config = gst_rmc_sink_dup_config (self);
  gboolean ok = FALSE;
  gboolean listens;
  gchar *uri_error;

  GST_OBJECT_LOCK (self);
  listens = self->settings.mode == JOIN_MODE_LISTENER;
  uri_error = g_strdup (self->settings.uri_error);
  GST_OBJECT_UNLOCK (self);
  if (uri_error)
    g_set_error_literal (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS, uri_error);
  else
    ok = listens || udp_socket_check (&config, error);
  *has_name = ok && !listens && udp_socket_has_name (&config);
  g_free (uri_error);
  gst_rmc_sink_clear_config (&config);
  return ok;
}

GSocket *
gst_rmc_sink_open_socket (GstRmcSink * self, GCancellable * cancellable, GError ** error)
{
  UdpSocketConfig config = gst_rmc_sink_dup_config (self);
  GSocket *socket = udp_socket_open (&config, cancellable, error);

  gst_rmc_sink_clear_config (&config);
  return socket;
}

/* On a thread of its own: it blocks. */
static void
look_up (GstElement * element, gpointer user_data)
{
  GstRmcSink *self = GST_RMC_SINK_CAST (element);
  SendSession *session = user_data;
  UdpSocketConfig config = gst_rmc_sink_dup_config (self);
  GSocketAddress *present = send_session_get_peer (session);
  GSocketAddress *found = present ? udp_socket_look_up (&config, present) : NULL;

  if (found) {
    GST_INFO_OBJECT (self, "%s has another address now", config.host);
    send_session_set_peer (session, found);
  }
  g_clear_object (&found);
  g_clear_object (&present);
  gst_rmc_sink_clear_config (&config);
  g_atomic_int_set (&self->looking_up, FALSE);
}

void
gst_rmc_sink_look_up_soon (GstRmcSink * self, SendSession * session)
{
  if (g_atomic_int_compare_and_exchange (&self->looking_up, FALSE, TRUE))
    gst_element_call_async (GST_ELEMENT (self), look_up, send_session_ref (session),
        (GDestroyNotify) send_session_unref);
}
