/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "gstrmcsinkprivate.h"

#include "net/arcuri.h"

static GstURIType
get_type (GType type)
{
  return GST_URI_SINK;
}

static const gchar *const *
get_protocols (GType type)
{
  static const gchar *protocols[] = { "arc", NULL };

  return protocols;
}

static gchar *
get_uri (GstURIHandler * handler)
{
  GstRmcSink *self = GST_RMC_SINK_CAST (handler);
  const gchar *host;
  gboolean listens;
  gchar *uri;

  GST_OBJECT_LOCK (self);
  listens = self->settings.mode == JOIN_MODE_LISTENER;
  host = listens ? self->settings.bind_address : self->settings.host;
  uri = arc_uri_to_string (host ? host : "", (guint16) self->settings.port, NULL, -1);
  uri = arc_uri_add_call (uri, listens ? ARC_URI_MODE_LISTENER : 0, NULL);
  uri = arc_uri_add_paths (uri, self->settings.paths);
  GST_OBJECT_UNLOCK (self);
  return uri;
}

static void
set_place (GstRmcSink * self, const ArcUri * uri)
{
  gboolean any = g_str_equal (uri->address, ARC_URI_DEFAULT_ADDRESS);

  if (uri->mode == ARC_URI_MODE_LISTENER)
    g_object_set (self, "mode", JOIN_MODE_LISTENER, "bind-address", uri->address, NULL);
  else
    g_object_set (self, "mode", JOIN_MODE_CALLER, "host", any ? "127.0.0.1" : uri->address, NULL);
  g_object_set (self, "port", (guint) uri->port, NULL);
  if (uri->paths)
    g_object_set (self, "paths", uri->paths, NULL);
  if (uri->passphrase)
    g_object_set (self, "passphrase", uri->passphrase, NULL);
}

/* All of the query but `mode`, `paths` and `passphrase` is the receiver's business: one URI may
 * serve both ends.
 * No host: this machine. What cannot be understood keeps the element from starting, since it would
 * send elsewhere. */
gboolean
gst_rmc_sink_set_uri (GstRmcSink * self, const gchar * text, GError ** error)
{
  GError *wrong = NULL;
  gboolean ok;
  ArcUri uri;

  GST_OBJECT_LOCK (self);
  if (self->host.session || self->opening) {
    GST_OBJECT_UNLOCK (self);
    g_set_error (error, GST_URI_ERROR, GST_URI_ERROR_BAD_STATE,
        "set the URI of rmcsink in the NULL or READY state");
    return FALSE;
  }
  GST_OBJECT_UNLOCK (self);
  ok = arc_uri_parse (text, &uri, &wrong);
  GST_OBJECT_LOCK (self);
  g_free (self->settings.uri_error);
  self->settings.uri_error = ok ? NULL : g_strdup (wrong->message);
  GST_OBJECT_UNLOCK (self);
  if (!ok) {
    g_propagate_error (error, wrong);
    return FALSE;
  }
  set_place (self, &uri);
  arc_uri_clear (&uri);
  return TRUE;
}

static gboolean
set_uri (GstURIHandler * handler, const gchar * text, GError ** error)
{
  return gst_rmc_sink_set_uri (GST_RMC_SINK_CAST (handler), text, error);
}

void
gst_rmc_sink_uri_handler_init (gpointer iface, gpointer data)
{
  GstURIHandlerInterface *handler = iface;

  handler->get_type = get_type;
  handler->get_protocols = get_protocols;
  handler->get_uri = get_uri;
  handler->set_uri = set_uri;
}
