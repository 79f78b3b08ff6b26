/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "gstrmcsinkprivate.h"

#include "base/clockglue.h"
#include "base/propertyplaces.h"

#include <gst/arc/arc.h>

#define DEFAULT_HOST "127.0.0.1"
#define DEFAULT_PORT 5000       /* as arcsrc's */
/* A round trip of 100 ms, twice, in a jitter buffer of 200 ms; and no more than max-queue-time. */
#define DEFAULT_RTX_TIME (400 * GST_MSECOND)
#define DEFAULT_PATH_LATENCY (150 * GST_MSECOND)
#define MAX_RTX_TIME (10 * GST_SECOND)
/* The pacing thread, which all share, has better to do. */
#define MIN_STATS_INTERVAL (10 * GST_MSECOND)
#define MAX_STATS_INTERVAL (24 * 3600 * GST_SECOND)     /* a time of the clock plus this fits */

enum
{
  PROP_0,
  PROP_MODE,
  PROP_HOST,
  PROP_PORT,
  PROP_URI,
  PROP_BIND_ADDRESS,
  PROP_BIND_PORT,
  PROP_QOS_DSCP,
  PROP_PATHS,
  PROP_PATH_MODE,
  PROP_PATH_LATENCY,
  PROP_ECN,
  PROP_PACING_PRIORITY,
  PROP_RTX_TIME,
  PROP_RTX_PAYLOAD_TYPE_MAP,
  PROP_TARGET_BITRATE,
  PROP_STATS_INTERVAL,
  PROP_SESSION,                 /* and those after it: SessionProperty */
  PROP_SRTP = PROP_SESSION + SESSION_N_PROPERTIES,      /* and those after it: SecureProperty */
};

#define READY_FLAGS (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_READY)
#define PLAYING_FLAGS (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_PLAYING)
#define READABLE_FLAGS (G_PARAM_READABLE | G_PARAM_STATIC_STRINGS)

void
gst_rmc_sink_init_settings (GstRmcSink * self)
{
  self->settings = (SinkSettings) {
    .mode = JOIN_MODE_CALLER,
    .host = g_strdup (DEFAULT_HOST),
    .port = DEFAULT_PORT,
    .qos_dscp = -1,
    .path_mode = RC_LANES_SUM,
    .path_latency = DEFAULT_PATH_LATENCY,
    .ecn = TRUE,
    .rtx_time = DEFAULT_RTX_TIME,
    .srtp = SECURE_SETTINGS_DEFAULT,
  };
}

void
gst_rmc_sink_clear_settings (GstRmcSink * self)
{
  g_free (self->settings.host);
  g_free (self->settings.bind_address);
  g_free (self->settings.paths);
  for (guint i = 0; i < RC_LANES_MAX; i++)
    gst_rmc_sink_forget_path (self, i);
  g_free (self->settings.uri_error);
  g_free (self->caller_name);
  g_clear_object (&self->server);
  secure_settings_clear (&self->settings.srtp);
  g_clear_pointer (&self->rested, secure_context_unref);
  g_clear_pointer (&self->settings.rtx_payload_types, gst_structure_free);
}

/* A running session follows at once where it can. With the object lock held: of two values set
 * at a time, both get the same one. */
static void
apply_to_session (GstRmcSink * self, guint id)
{
  switch (id) {
    case PROP_RTX_TIME:
      send_session_set_rtx_time (self->host.session, clock_glue_from_gst (self->settings.rtx_time));
      break;
    case PROP_STATS_INTERVAL:
      send_session_set_stats_interval (self->host.session,
          clock_glue_from_gst (self->settings.stats_interval));
      break;
    default:
      break;
  }
}

static void
set_uri (GstRmcSink * self, const gchar * uri)
{
  GError *error = NULL;

  if (uri && !gst_rmc_sink_set_uri (self, uri, &error))
    GST_WARNING_OBJECT (self, "%s", error->message);
  g_clear_error (&error);
}

/* Where in the settings a property lies. */
static const PropertyPlace places[] = {
  {PROP_MODE, offsetof (SinkSettings, mode)},
  {PROP_HOST, offsetof (SinkSettings, host)},
  {PROP_PORT, offsetof (SinkSettings, port)},
  {PROP_BIND_ADDRESS, offsetof (SinkSettings, bind_address)},
  {PROP_BIND_PORT, offsetof (SinkSettings, bind_port)},
  {PROP_QOS_DSCP, offsetof (SinkSettings, qos_dscp)},
  {PROP_PATHS, offsetof (SinkSettings, paths)},
  {PROP_PATH_MODE, offsetof (SinkSettings, path_mode)},
  {PROP_PATH_LATENCY, offsetof (SinkSettings, path_latency)},
  {PROP_ECN, offsetof (SinkSettings, ecn)},
  {PROP_PACING_PRIORITY, offsetof (SinkSettings, pacing_priority)},
  {PROP_RTX_TIME, offsetof (SinkSettings, rtx_time)},
  {PROP_RTX_PAYLOAD_TYPE_MAP, offsetof (SinkSettings, rtx_payload_types)},
  {PROP_STATS_INTERVAL, offsetof (SinkSettings, stats_interval)},
  {0, 0}
};

static void
set_setting (GstRmcSink * self, guint id, const GValue * value, GParamSpec * pspec)
{
  SinkSettings *s = &self->settings;

  if (!property_places_write (places, s, id, value)) {
    G_OBJECT_WARN_INVALID_PROPERTY_ID (self, id, pspec);
    return;
  }
  if (id == PROP_STATS_INTERVAL && s->stats_interval > 0)
    s->stats_interval = MAX (s->stats_interval, MIN_STATS_INTERVAL);
}

static void
set_property (GObject * object, guint id, const GValue * value, GParamSpec * pspec)
{
  GstRmcSink *self = GST_RMC_SINK_CAST (object);

  if (id == PROP_URI) {
    set_uri (self, g_value_get_string (value));
  } else if (id >= PROP_SRTP) {
    gst_rmc_sink_set_srtp (self, id - PROP_SRTP, value);
  } else if (id >= PROP_SESSION) {
    session_host_set (&self->host, id - PROP_SESSION, value, pspec);
  } else {
    GST_OBJECT_LOCK (self);
    set_setting (self, id, value, pspec);
    if (self->host.session)
      apply_to_session (self, id);
    GST_OBJECT_UNLOCK (self);
    session_host_warn_if_late (&self->host, pspec);
  }
}

static void
get_property (GObject * object, guint id, GValue * value, GParamSpec * pspec)
{
  GstRmcSink *self = GST_RMC_SINK_CAST (object);

  if (id == PROP_URI) {
    g_value_take_string (value, gst_uri_handler_get_uri (GST_URI_HANDLER (self)));
  } else if (id == PROP_TARGET_BITRATE) {
    g_value_set_uint (value, session_host_get_target_bps (&self->host));
  } else if (id >= PROP_SESSION && id < PROP_SRTP) {
    session_host_get (&self->host, id - PROP_SESSION, value);
  } else {
    GST_OBJECT_LOCK (self);
    if (id == PROP_PORT && self->listener)
      g_value_set_uint (value, join_listener_port (self->listener));
    else if (id >= PROP_SRTP)
      secure_settings_get (&self->settings.srtp, id - PROP_SRTP, value);
    else if (!property_places_read (places, &self->settings, id, value))
      G_OBJECT_WARN_INVALID_PROPERTY_ID (self, id, pspec);
    GST_OBJECT_UNLOCK (self);
  }
}

static void
install_address_properties (GObjectClass * klass)
{
  g_object_class_install_property (klass, PROP_MODE,
      g_param_spec_enum ("mode", "Mode", "Whether media is sent to host and port, where a receiver "
          "waits, or whether a receiver calls (arcsrc mode=caller) at port of this machine. One at "
          "a time; arcserversink serves many", join_mode_get_type (), JOIN_MODE_CALLER,
          READY_FLAGS));
  g_object_class_install_property (klass, PROP_HOST,
      g_param_spec_string ("host", "Host", "Host name or IP address of the receiver", DEFAULT_HOST,
          READY_FLAGS));
  g_object_class_install_property (klass, PROP_PORT,
      g_param_spec_uint ("port", "Port", "UDP port of the receiver (1 to 65535); with "
          "mode=listener the local port at which it calls (0: any free one, which this returns)",
          0, G_MAXUINT16, DEFAULT_PORT, READY_FLAGS));
  g_object_class_install_property (klass, PROP_URI,
      g_param_spec_string ("uri", "URI", "Address of the receiver as arc://HOST:PORT", NULL,
          READY_FLAGS));
  g_object_class_install_property (klass, PROP_BIND_ADDRESS,
      g_param_spec_string ("bind-address", "Bind address",
          "Local IP address to bind to (NULL: any; with mode=listener any of IPv4, :: for all)",
          NULL, READY_FLAGS));
  g_object_class_install_property (klass, PROP_BIND_PORT,
      g_param_spec_uint ("bind-port", "Bind port",
          "Local UDP port to send from and to receive RTCP on (0: any free port)", 0, G_MAXUINT16,
          0, READY_FLAGS));
  g_object_class_install_property (klass, PROP_QOS_DSCP,
      g_param_spec_int ("qos-dscp", "QoS DSCP", "DSCP of outgoing packets (-1: system default)", -1,
          63, -1, READY_FLAGS));
  g_object_class_install_property (klass, PROP_ECN,
      g_param_spec_boolean ("ecn", "ECN",
          "Send ECN-capable packets once probing has shown that the path preserves the ECN bits "
          "and that the receiver reports them", TRUE, READY_FLAGS));
}

static void
install_path_properties (GObjectClass * klass)
{
  g_object_class_install_property (klass, PROP_PATHS,
      g_param_spec_string ("paths", "Paths", "Paths to an arcsrc that carry the stream together, "
          "up to four, with commas between them: interfaces, local IP addresses, or further "
          "addresses of the receiver as HOST:PORT. Paths may be added and removed while playing "
          "(NULL: one path, as the system routes)", NULL, PLAYING_FLAGS));
  g_object_class_install_property (klass, PROP_PATH_MODE,
      g_param_spec_enum ("path-mode", "Path mode", "How the paths share the stream",
          gst_rmc_sink_path_mode_get_type (), RC_LANES_SUM, READY_FLAGS));
  g_object_class_install_property (klass, PROP_PATH_LATENCY,
      g_param_spec_uint64 ("path-latency", "Path latency",
          "Time in ns by which a path may be slower than the fastest one and still carry", 0,
          MAX_RTX_TIME, DEFAULT_PATH_LATENCY, READY_FLAGS));
}

static void
install_rate_properties (GObjectClass * klass)
{
  g_object_class_install_property (klass, PROP_SESSION + SESSION_PROPERTY_START_BITRATE,
      g_param_spec_uint ("start-bitrate", "Start bitrate",
          "Initial sending rate in bit/s, headers included; the constant rate with "
          "congestion-control=fixed", LEAST_BITRATE, G_MAXUINT, DEFAULT_START_BITRATE,
          PLAYING_FLAGS));
}

static void
install_pacing_properties (GObjectClass * klass)
{
  g_object_class_install_property (klass, PROP_PACING_PRIORITY,
      g_param_spec_int ("pacing-priority", "Pacing priority",
          "Real-time priority (SCHED_FIFO) of the pacing thread, which up to 64 elements of "
          "a process share; the highest request applies (0: no real-time scheduling)", 0, 99, 0,
          READY_FLAGS));
}

static void
install_retransmission_properties (GObjectClass * klass)
{
  g_object_class_install_property (klass, PROP_RTX_TIME,
      g_param_spec_uint64 ("rtx-time", "Retransmission time",
          "Time in ns for which sent packets are kept for retransmission (0: no retransmission)", 0,
          MAX_RTX_TIME, DEFAULT_RTX_TIME, PLAYING_FLAGS));
  g_object_class_install_property (klass, PROP_RTX_PAYLOAD_TYPE_MAP,
      g_param_spec_boxed ("rtx-payload-type-map", "Retransmission payload types",
          "Map from payload types to those of their retransmissions (RFC 4588), as "
          "\"application/x-rtp-pt-map, 96=(uint)97\". Packets of other payload types are "
          "retransmitted unchanged", GST_TYPE_STRUCTURE, READY_FLAGS));
}

static void
install_stream_properties (GObjectClass * klass)
{
  g_object_class_install_property (klass, PROP_TARGET_BITRATE,
      g_param_spec_uint ("target-bitrate", "Target bitrate",
          "Current target of the encoders in bit/s of media, headers excluded (0: not started). "
          "Never above max-bitrate", 0, G_MAXUINT, 0, READABLE_FLAGS));
  g_object_class_install_property (klass, PROP_STATS_INTERVAL,
      g_param_spec_uint64 ("stats-interval", "Statistics interval",
          "Interval of statistics messages in ns, at least 10 ms (0: no messages)", 0,
          MAX_STATS_INTERVAL, 0, PLAYING_FLAGS));
}

void
gst_rmc_sink_install_properties (GObjectClass * klass)
{
  klass->set_property = set_property;
  klass->get_property = get_property;
  install_address_properties (klass);
  install_path_properties (klass);
  session_properties_install (klass, PROP_SESSION, LEAST_BITRATE, gst_rmc_sink_host_funcs.renumber);
  install_rate_properties (klass);
  install_pacing_properties (klass);
  install_stream_properties (klass);
  install_retransmission_properties (klass);
  secure_properties_install (klass, PROP_SRTP);
}
