/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "gstarcsrcprivate.h"

#include "net/arcuri.h"

/* A caller's is elsewhere. */
static void
set_place (GstArcSrc * self, const ArcUri * uri)
{
  gboolean calls = uri->mode == ARC_URI_MODE_CALLER;

  g_object_set (self, "mode", calls ? JOIN_MODE_CALLER : JOIN_MODE_LISTENER,
      calls ? "host" : "address", uri->address, "port", (guint) uri->port, NULL);
  if (uri->stream_id)
    g_object_set (self, "streamid", uri->stream_id, NULL);
  if (uri->passphrase)
    g_object_set (self, "passphrase", uri->passphrase, NULL);
}

gboolean
gst_arc_src_set_uri (GstArcSrc * self, const gchar * text, GError ** error)
{
  GError *wrong = NULL;
  ArcUri uri;

  if (peer_port (&self->peer) != 0) {
    g_set_error_literal (error, GST_URI_ERROR, GST_URI_ERROR_BAD_STATE,
        "The URI can change in the NULL state only");
    return FALSE;
  }
  if (arc_uri_parse (text, &uri, &wrong))
    set_place (self, &uri);
  if (uri.caps)
    g_object_set (self, "caps", uri.caps, NULL);
  if (uri.latency_ms >= 0)
    gst_arc_src_set_latency (self, (guint) uri.latency_ms * GST_MSECOND);
  arc_uri_clear (&uri);

  GST_OBJECT_LOCK (self);
  self->latency_in_uri = uri.latency_ms >= 0;
  g_free (self->uri_error);
  self->uri_error = wrong ? g_strdup (wrong->message) : NULL;
  GST_OBJECT_UNLOCK (self);

  if (!wrong)
    return TRUE;
  g_propagate_error (error, wrong);
  return FALSE;
}

/* By whom makes a source of any URI. */
static gboolean
set_uri (GstURIHandler * handler, const gchar * text, GError ** error)
{
  GstArcSrc *self = GST_ARC_SRC_CAST (handler);

  if (!gst_arc_src_set_uri (self, text, error))
    return FALSE;
  GST_OBJECT_LOCK (self);
  if (!self->latency_set)
    self->latency = GST_ARC_SRC_URI_LATENCY;
  GST_OBJECT_UNLOCK (self);
  return TRUE;
}

static gchar *
get_uri (GstURIHandler * handler)
{
  GstArcSrc *self = GST_ARC_SRC_CAST (handler);
  gboolean calls;
  gchar *text;

  GST_OBJECT_LOCK (self);
  calls = self->mode == JOIN_MODE_CALLER;
  text = arc_uri_to_string (calls && self->host ? self->host : self->address, self->port,
      self->caps, self->latency_in_uri ? (gint) (self->latency / GST_MSECOND) : -1);
  text = arc_uri_add_call (text, calls ? ARC_URI_MODE_CALLER : 0, calls ? self->stream_id : NULL);
  GST_OBJECT_UNLOCK (self);
  return text;
}

static GstURIType
get_type (GType type)
{
  return GST_URI_SRC;
}

static const gchar *const *
get_protocols (GType type)
{
  static const gchar *protocols[] = { "arc", NULL };

  return protocols;
}

void
gst_arc_src_uri_handler_init (gpointer iface, gpointer iface_data)
{
  GstURIHandlerInterface *handler = iface;

  handler->get_type = get_type;
  handler->get_protocols = get_protocols;
  handler->get_uri = get_uri;
  handler->set_uri = set_uri;
}
