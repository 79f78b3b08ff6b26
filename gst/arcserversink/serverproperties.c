/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "gstarcserversinkprivate.h"

#include "base/propertyrows.h"
#include "net/arcuri.h"

enum
{
  PROP_SPLITTER = 50,
  PROP_SRTP = 100,              /* and those after it: SecureProperty */
};

#define NUMBER(...) PROPERTY_ROW_NUMBER (ServerSettings, __VA_ARGS__)

static const PropertyRow properties[] = {
  NUMBER (port, PROPERTY_READY, "port", "Port",
      "UDP port at which viewers call (0: any free one, which this returns from PAUSED on)", 0,
      G_MAXUINT16, ARC_URI_DEFAULT_PORT),
  PROPERTY_ROW_STRING (ServerSettings, bind_address, PROPERTY_READY, "bind-address",
      "Bind address",
      "Local IP address at which viewers call (unset: any IPv4 address; \"::\": any address)",
      NULL),
  NUMBER (qos_dscp, PROPERTY_READY, "qos-dscp", "QoS DSCP",
      "DSCP of outgoing packets (-1: system default)", -1, 63, -1),
  NUMBER (max_viewers, PROPERTY_PLAYING, "max-viewers", "Maximum viewers",
      "Most viewers at a time; one host, an IPv4 address or an IPv6 /64, gets half of that. "
      "Each needs an open file", 0, G_MAXUINT, 1000),
  NUMBER (max_bps, PROPERTY_PLAYING, "max-bitrate", "Maximum bitrate",
      "Most to each viewer that joins from now on, in bit/s, headers included (0: as rmcsink)", 0,
      G_MAXUINT, 0),
  PROPERTY_ROW_BOOLEAN (ServerSettings, adapt_encoder, PROPERTY_PLAYING, "adapt-encoder",
      "Adapt encoder", "Set the bitrate of an encoder upstream by the slowest viewer, but at "
      "least to half of what the median one takes, where viewers of one host count as one; "
      "of viewers that join from now on", TRUE),
  PROPERTY_ROW_STRUCTURE (ServerSettings, viewer_properties, PROPERTY_PLAYING, "viewer-properties",
      "Viewer properties", "Properties of the rmcsink of each viewer that joins from now on, such "
      "as \"viewer, start-bitrate=(uint)1000000\""),
  PROPERTY_ROW_STATS (PROPERTY_STATS_TEXT),
  {NULL}
};

void
gst_arc_server_sink_init_settings (GstArcServerSink * self)
{
  self->settings.srtp = (SecureSettings) SECURE_SETTINGS_DEFAULT;
  property_rows_init (properties, &self->settings);
}

void
gst_arc_server_sink_clear_settings (GstArcServerSink * self)
{
  property_rows_clear (properties, &self->settings);
  secure_settings_clear (&self->settings.srtp);
}

/* --- the sink of a viewer --- */

/* FALSE: no value of this property. */
static gboolean
read_value (GParamSpec * pspec, const GValue * value, GValue * out)
{
  gchar *text;
  gboolean ok = TRUE;

  g_value_init (out, pspec->value_type);
  if (G_VALUE_HOLDS (value, pspec->value_type)) {
    g_value_copy (value, out);
  } else {
    text = G_VALUE_HOLDS_STRING (value) ? g_value_dup_string (value) : gst_value_serialize (value);
    ok = text && gst_value_deserialize_with_pspec (out, text, pspec);
    g_free (text);
  }
  return ok && !g_param_value_validate (pspec, out);
}

typedef struct
{
  GObjectClass *klass;
  gchar *fault;
} Misfit;

static gboolean
find_misfit (GQuark name, const GValue * value, gpointer user_data)
{
  const gchar *key = g_quark_to_string (name);
  Misfit *self = user_data;
  GParamSpec *pspec = g_object_class_find_property (self->klass, key);
  GValue parsed = G_VALUE_INIT;
  gchar *text;

  if (g_str_equal (key, "passphrase")) {
    self->fault = g_strdup_printf ("viewer-properties: %s", gst_rmc_sink_one_passphrase);
    return FALSE;
  }
  if (!pspec || !(pspec->flags & G_PARAM_WRITABLE)) {
    self->fault = g_strdup_printf ("viewer-properties: rmcsink has no %s property “%s”: see "
        "gst-inspect-1.0 rmcsink", pspec ? "writable" : "such", key);
    return FALSE;
  }
  if (!read_value (pspec, value, &parsed)) {
    text = gst_value_serialize (value);
    self->fault = g_strdup_printf ("viewer-properties: %s is no value of rmcsink's “%s”: see "
        "gst-inspect-1.0 rmcsink", text, key);
    g_free (text);
  }
  g_value_unset (&parsed);
  return self->fault == NULL;
}

gchar *
gst_arc_server_sink_find_misfit (GstArcServerSink * self)
{
  Misfit misfit = { g_type_class_ref (GST_TYPE_RMC_SINK), NULL };

  GST_OBJECT_LOCK (self);
  if (self->settings.viewer_properties)
    gst_structure_foreach (self->settings.viewer_properties, find_misfit, &misfit);
  GST_OBJECT_UNLOCK (self);
  g_type_class_unref (misfit.klass);
  return misfit.fault;
}

/* What does not fit was reported when it was set, or at the start. */
static gboolean
apply_one (GQuark name, const GValue * value, gpointer sink)
{
  const gchar *key = g_quark_to_string (name);
  GParamSpec *pspec = g_object_class_find_property (G_OBJECT_GET_CLASS (sink), key);
  GValue parsed = G_VALUE_INIT;

  if (!pspec || !(pspec->flags & G_PARAM_WRITABLE))
    return TRUE;
  if (read_value (pspec, value, &parsed))
    g_object_set_property (sink, key, &parsed);
  g_value_unset (&parsed);
  return TRUE;
}

static void
apply_srtp (const SecureSettings * srtp, GObject * sink)
{
  g_object_set (sink, "srtp-cipher", srtp->cipher, "srtp-auth", srtp->auth, NULL);
  if (srtp->mki)
    g_object_set (sink, "srtp-mki", srtp->mki, NULL);
  if (srtp->key)
    g_object_set (sink, "srtp-key", srtp->key, NULL);
  if (srtp->key_file)
    g_object_set (sink, "srtp-key-file", srtp->key_file, NULL);
  if (srtp->passphrase)
    gst_rmc_sink_take_passphrase (GST_RMC_SINK (sink), srtp);
}

void
gst_arc_server_sink_apply (GstArcServerSink * self, GObject * sink)
{
  GstStructure *others;
  gboolean adapt_encoder;
  SecureSettings srtp;
  guint max_bps;

  GST_OBJECT_LOCK (self);
  srtp = secure_settings_copy (&self->settings.srtp);
  others = self->settings.viewer_properties
      ? gst_structure_copy (self->settings.viewer_properties) : NULL;
  adapt_encoder = self->settings.adapt_encoder;
  max_bps = self->settings.max_bps;
  GST_OBJECT_UNLOCK (self);
  g_object_set (sink, "adapt-encoder", adapt_encoder, NULL);
  if (max_bps > 0)
    g_object_set (sink, "max-bitrate", max_bps, NULL);
  apply_srtp (&srtp, sink);
  if (others) {
    gst_structure_foreach (others, apply_one, sink);
    gst_structure_free (others);
  }
  secure_settings_clear (&srtp);
}

/* --- the element's own --- */

/* What is set before the start is judged there. */
static void
warn_misfit (GstArcServerSink * self)
{
  gchar *fault = join_server_port (self->join) != 0 ? gst_arc_server_sink_find_misfit (self) : NULL;

  if (fault)
    GST_ELEMENT_WARNING (self, RESOURCE, SETTINGS, ("%s", fault), (NULL));
  g_free (fault);
}

static void
set_property (GObject * object, guint id, const GValue * value, GParamSpec * pspec)
{
  GstArcServerSink *self = GST_ARC_SERVER_SINK_CAST (object);

  if (id == PROP_SPLITTER) {
    gst_arc_server_sink_set_splitter (self, g_value_get_object (value));
    return;
  }
  if (id >= PROP_SRTP) {
    gst_arc_server_sink_set_srtp (self, id - PROP_SRTP, value, pspec->name);
    return;
  }
  GST_OBJECT_LOCK (self);
  property_rows_write (properties, &self->settings, id, value);
  GST_OBJECT_UNLOCK (self);
  if (g_str_equal (pspec->name, "viewer-properties"))
    warn_misfit (self);
}

static void
get_property (GObject * object, guint id, GValue * value, GParamSpec * pspec)
{
  GstArcServerSink *self = GST_ARC_SERVER_SINK_CAST (object);

  if (id == PROP_SPLITTER) {
    g_value_set_object (value, self->splitter == self->head ? NULL : self->splitter);
  } else if (join_server_port (self->join) != 0 && g_str_equal (pspec->name, "port")) {
    g_value_set_uint (value, join_server_port (self->join));
  } else if (g_str_equal (pspec->name, "stats")) {
    g_value_take_boxed (value, gst_arc_server_sink_create_stats (self));
  } else {
    GST_OBJECT_LOCK (self);
    if (id >= PROP_SRTP)
      secure_settings_get (&self->settings.srtp, id - PROP_SRTP, value);
    else
      property_rows_read (properties, &self->settings, id, value);
    GST_OBJECT_UNLOCK (self);
  }
}

void
gst_arc_server_sink_install_properties (GObjectClass * klass)
{
  klass->set_property = set_property;
  klass->get_property = get_property;
  property_rows_install (klass, 1, properties);
  g_object_class_install_property (klass, PROP_SPLITTER,
      g_param_spec_object ("splitter", "Splitter", "Element that gives each viewer its stream at a "
          "request pad src_%u, such as arcladder (unset: all get the same). In NULL "
          "only", GST_TYPE_ELEMENT, PROPERTY_ANY));
  secure_properties_install (klass, PROP_SRTP);
}
