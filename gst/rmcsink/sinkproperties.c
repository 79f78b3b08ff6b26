/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "gstrmcsinkprivate.h"

#include "base/clockglue.h"
#include "net/arcuri.h"

#define MAX_RTX_TIME (10 * GST_SECOND)
/* The pacing thread, which all share, has better to do. */
#define MIN_STATS_INTERVAL (10 * GST_MSECOND)
#define MAX_STATS_INTERVAL (24 * 3600 * GST_SECOND)     /* a time of the clock plus this fits */

enum
{
  PROP_SESSION = 100,           /* and those after it: SessionProperty */
  PROP_SRTP = PROP_SESSION + SESSION_N_PROPERTIES,      /* and those after it: SecureProperty */
};

#define NUMBER(...) PROPERTY_ROW_NUMBER (SinkSettings, __VA_ARGS__)
#define STRING(...) PROPERTY_ROW_STRING (SinkSettings, __VA_ARGS__)

static const PropertyRow properties[] = {
  PROPERTY_ROW_ENUM (SinkSettings, mode, PROPERTY_READY, "mode", "Mode",
      "Whether media is sent to host and port, or one receiver at a time calls (arcsrc "
      "mode=caller) at port of this machine",
      join_mode_get_type, JOIN_MODE_CALLER),
  STRING (host, PROPERTY_READY, "host", "Host", "Host name or IP address of the receiver",
      "127.0.0.1"),
  NUMBER (port, PROPERTY_READY, "port", "Port",
      "UDP port of the receiver; with mode=listener the local port at which it calls (0: any "
      "free one, which this returns)", 0, G_MAXUINT16, ARC_URI_DEFAULT_PORT),
  PROPERTY_ROW_OWN_STRING (PROPERTY_READY, "uri", "URI",
      "Address of the receiver as arc://HOST:PORT", NULL),
  STRING (bind_address, PROPERTY_READY, "bind-address", "Bind address",
      "Local IP address to bind to (unset: any; with mode=listener any IPv4 address, "
      "\"::\" for all)", NULL),
  NUMBER (bind_port, PROPERTY_READY, "bind-port", "Bind port",
      "Local UDP port to send from and to receive RTCP on (0: any free port)", 0, G_MAXUINT16, 0),
  NUMBER (qos_dscp, PROPERTY_READY, "qos-dscp", "QoS DSCP",
      "DSCP of outgoing packets (-1: system default)", -1, 63, -1),
  PROPERTY_ROW_BOOLEAN (SinkSettings, ecn, PROPERTY_READY, "ecn", "ECN",
      "Send ECN-capable packets once the path has been seen to preserve the ECN bits and the "
      "receiver to report them", TRUE),
  STRING (paths, PROPERTY_PLAYING, "paths", "Paths",
      "Up to four paths to an arcsrc, with commas between them: interfaces, local IP addresses, "
      "or further addresses of the receiver as HOST:PORT (unset: one path, as the system "
      "routes)", NULL),
  PROPERTY_ROW_ENUM (SinkSettings, path_mode, PROPERTY_READY, "path-mode", "Path mode",
      "How the paths share the stream", gst_rmc_sink_path_mode_get_type, RC_LANES_SUM),
  NUMBER (path_latency, PROPERTY_READY, "path-latency", "Path latency",
      "Time in ns by which a path may be slower than the fastest one and still carry", 0,
      MAX_RTX_TIME, 150 * GST_MSECOND),
  NUMBER (pacing_priority, PROPERTY_READY, "pacing-priority", "Pacing priority",
      "Real-time priority (SCHED_FIFO) of the pacing thread, which up to 64 elements of a "
      "process share; the highest applies (0: none)", 0, 99, 0),
  PROPERTY_ROW_OWN (PROPERTY_UINT, PROPERTY_READ, "target-bitrate", "Target bitrate",
      "Current target of the encoders in bit/s of media, headers excluded (0: not started). "
      "Never above max-bitrate", 0, G_MAXUINT, 0),
  NUMBER (stats_interval, PROPERTY_PLAYING, "stats-interval", "Statistics interval",
      "Interval of statistics messages in ns, at least 10 ms (0: no messages)", 0,
      MAX_STATS_INTERVAL, 0),
  /* A round trip of 100 ms, twice, in a jitter buffer of 200 ms; no more than max-queue-time. */
  NUMBER (rtx_time, PROPERTY_PLAYING, "rtx-time", "Retransmission time",
      "Time in ns for which sent packets are kept for retransmission (0: no retransmission)", 0,
      MAX_RTX_TIME, 400 * GST_MSECOND),
  PROPERTY_ROW_STRUCTURE (SinkSettings, rtx_payload_types, PROPERTY_READY, "rtx-payload-type-map",
      "Retransmission payload types",
      "Map from payload types to those of their retransmissions (RFC 4588), as "
      "\"application/x-rtp-pt-map, 96=(uint)97\"; others are retransmitted unchanged"),
  {NULL}
};

void
gst_rmc_sink_init_settings (GstRmcSink * self)
{
  self->settings.srtp = (SecureSettings) SECURE_SETTINGS_DEFAULT;
  property_rows_init (properties, &self->settings);
}

void
gst_rmc_sink_clear_settings (GstRmcSink * self)
{
  property_rows_clear (properties, &self->settings);
  for (guint i = 0; i < RC_LANES_MAX; i++)
    gst_rmc_sink_forget_path (self, i);
  g_free (self->paths_looked_for);
  g_free (self->settings.uri_error);
  g_clear_pointer (&self->server, join_server_free);
  g_clear_pointer (&self->feed, feed_unref);
  secure_settings_clear (&self->settings.srtp);
  secure_settings_clear (&self->srtp);
  g_clear_pointer (&self->rested, secure_context_unref);
}

/* A running session follows at once where it can. With the object lock held: of two values set
 * at a time, both get the same one. */
static void
apply_to_session (GstRmcSink * self, const gchar * name)
{
  if (g_str_equal (name, "rtx-time"))
    send_session_set_rtx_time (self->host.session, clock_glue_from_gst (self->settings.rtx_time));
  else if (g_str_equal (name, "stats-interval"))
    send_session_set_stats_interval (self->host.session,
        clock_glue_from_gst (self->settings.stats_interval));
}

static void
set_uri (GstRmcSink * self, const gchar * uri)
{
  GError *error = NULL;

  if (uri && !gst_rmc_sink_set_uri (self, uri, &error))
    GST_WARNING_OBJECT (self, "%s", error->message);
  g_clear_error (&error);
}

static void
set_setting (GstRmcSink * self, guint id, const GValue * value, const gchar * name)
{
  SinkSettings *s = &self->settings;

  GST_OBJECT_LOCK (self);
  property_rows_write (properties, s, id, value);
  if (s->stats_interval > 0)
    s->stats_interval = MAX (s->stats_interval, MIN_STATS_INTERVAL);
  if (self->host.session)
    apply_to_session (self, name);
  GST_OBJECT_UNLOCK (self);
}

static void
set_property (GObject * object, guint id, const GValue * value, GParamSpec * pspec)
{
  GstRmcSink *self = GST_RMC_SINK_CAST (object);

  if (g_str_equal (pspec->name, "uri")) {
    set_uri (self, g_value_get_string (value));
  } else if (id >= PROP_SRTP) {
    gst_rmc_sink_set_srtp (self, id - PROP_SRTP, value);
  } else if (id >= PROP_SESSION) {
    session_host_set (&self->host, id - PROP_SESSION, value, pspec);
  } else {
    set_setting (self, id, value, pspec->name);
    session_host_warn_if_late (&self->host, pspec);
  }
}

/* Callers may be refused before there is a session. */
static GstStructure *
create_stats (GstRmcSink * self)
{
  GstStructure *stats = session_host_create_stats (&self->host);

  if (gst_rmc_sink_called_port (self) != 0)
    gst_rmc_sink_add_caller_stats (self, stats);
  return stats;
}

static void
get_property (GObject * object, guint id, GValue * value, GParamSpec * pspec)
{
  GstRmcSink *self = GST_RMC_SINK_CAST (object);

  if (g_str_equal (pspec->name, "uri")) {
    g_value_take_string (value, gst_uri_handler_get_uri (GST_URI_HANDLER (self)));
  } else if (g_str_equal (pspec->name, "target-bitrate")) {
    g_value_set_uint (value, session_host_get_target_bps (&self->host));
  } else if (g_str_equal (pspec->name, "stats")) {
    g_value_take_boxed (value, create_stats (self));
  } else if (id >= PROP_SESSION && id < PROP_SRTP) {
    session_host_get (&self->host, id - PROP_SESSION, value);
  } else {
    guint called_port = gst_rmc_sink_called_port (self);

    GST_OBJECT_LOCK (self);
    if (called_port != 0 && g_str_equal (pspec->name, "port"))
      g_value_set_uint (value, called_port);
    else if (id >= PROP_SRTP)
      secure_settings_get (&self->settings.srtp, id - PROP_SRTP, value);
    else
      property_rows_read (properties, &self->settings, id, value);
    GST_OBJECT_UNLOCK (self);
  }
}

void
gst_rmc_sink_install_properties (GObjectClass * klass)
{
  const PropertyRow start = SESSION_PROPERTY_START ("start-bitrate", "Start bitrate",
      PROPERTY_PLAYING, "Initial sending rate in bit/s, headers included; the "
      "rate with congestion-control=fixed");

  klass->set_property = set_property;
  klass->get_property = get_property;
  property_rows_install (klass, 1, properties);
  session_properties_install (klass, PROP_SESSION, &start, gst_rmc_sink_host_funcs.renumber);
  secure_properties_install (klass, PROP_SRTP);
}
