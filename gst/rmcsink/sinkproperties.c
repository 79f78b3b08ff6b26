/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "gstrmcsinkprivate.h"

#include "base/clockglue.h"
#include "base/propertyplaces.h"
#include "session/lawsettings.h"
#include "session/sessionsettings.h"

#include <gst/arc/arc.h>

#define DEFAULT_HOST "127.0.0.1"
#define DEFAULT_PORT 5000       /* as arcsrc's */
/* A round trip of 100 ms, twice, in a jitter buffer of 200 ms; and no more than max-queue-time. */
#define DEFAULT_RTX_TIME (400 * GST_MSECOND)
#define MAX_RTX_TIME (10 * GST_SECOND)
/* The pacing thread, which all share, has better to do. */
#define MIN_STATS_INTERVAL (10 * GST_MSECOND)
#define MAX_STATS_INTERVAL (24 * 3600 * GST_SECOND)     /* a time of the clock plus this fits */

enum
{
  PROP_0,
  PROP_HOST,
  PROP_PORT,
  PROP_URI,
  PROP_BIND_ADDRESS,
  PROP_BIND_PORT,
  PROP_QOS_DSCP,
  PROP_ECN,
  PROP_MIN_BITRATE,
  PROP_MAX_BITRATE,
  PROP_START_BITRATE,
  PROP_CONGESTION_CONTROL,
  PROP_PROFILE,
  PROP_CONTROLLER_PARAMS,
  PROP_ADAPT_ENCODER,
  PROP_RENUMBER,
  PROP_MAX_DELAY,
  PROP_MAX_QUEUE_TIME,
  PROP_PACING_PRIORITY,
  PROP_RTX_TIME,
  PROP_RTX_PAYLOAD_TYPE_MAP,
  PROP_TARGET_BITRATE,
  PROP_STATS,
  PROP_STATS_INTERVAL,
  PROP_SRTP,                    /* and those after it: SecureProperty */
};

#define READY_FLAGS (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_READY)
#define PLAYING_FLAGS (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_PLAYING)
#define READABLE_FLAGS (G_PARAM_READABLE | G_PARAM_STATIC_STRINGS)

void
gst_rmc_sink_init_settings (GstRmcSink * self)
{
  self->settings = (SinkSettings) {
    .host = g_strdup (DEFAULT_HOST),
    .port = DEFAULT_PORT,
    .qos_dscp = -1,
    .min_bps = DEFAULT_MIN_BITRATE,
    .start_bps = DEFAULT_START_BITRATE,
    .max_bps = DEFAULT_MAX_BITRATE,
    .law = DEFAULT_LAW,
    .profile = RC_PROFILE_LIVE,
    .adapt_encoder = TRUE,
    .renumber = TRUE,
    .ecn = TRUE,
    .max_delay = DEFAULT_MAX_DELAY,
    .max_queue_time = DEFAULT_MAX_QUEUE_TIME,
    .rtx_time = DEFAULT_RTX_TIME,
    .srtp = SECURE_SETTINGS_DEFAULT,
  };
}

void
gst_rmc_sink_clear_settings (GstRmcSink * self)
{
  g_free (self->settings.host);
  g_free (self->settings.bind_address);
  g_free (self->settings.uri_error);
  secure_settings_clear (&self->settings.srtp);
  g_clear_pointer (&self->rested, secure_context_unref);
  g_clear_pointer (&self->settings.controller_params, gst_structure_free);
  g_clear_pointer (&self->settings.rtx_payload_types, gst_structure_free);
}

void
gst_rmc_sink_describe_stats (GstElementClass * klass)
{
  const FieldStructure structures[] = {
    {GST_RMC_SINK_STATS, "property stats", {rmc_fields, rmc_fields_socket,
            rmc_fields_retransmission, rmc_fields_law (), secure_fields}},
    {NULL}
  };

  fields_describe (klass, structures);
}

GstStructure *
gst_rmc_sink_create_stats (GstRmcSink * self)
{
  RmcSession *session = gst_rmc_sink_dup_session (self);
  SecureContext *secure = gst_rmc_sink_dup_secure (self);
  GstStructure *s;
  RmcStats stats;
  gchar *names;

  if (session) {
    rmc_session_get_stats (session, &stats);
    rmc_session_unref (session);
    names = encoder_steering_names (self->steering);
    stats.encoders = names;
    s = rmc_stats_to_structure (&stats, GST_RMC_SINK_STATS);
    fields_add (s, rmc_fields_socket, &stats);
    rmc_stats_add_retransmission (&stats, s);
    secure_context_add_stats (secure, s);
    g_clear_pointer (&secure, secure_context_unref);
    g_free (names);
    return s;
  }
  g_clear_pointer (&secure, secure_context_unref);
  GST_OBJECT_LOCK (self);
  s = self->last_stats ? gst_structure_copy (self->last_stats)
      : gst_structure_new_empty (GST_RMC_SINK_STATS);
  GST_OBJECT_UNLOCK (self);
  return s;
}

/* A running session follows at once where it can. With the object lock held: of two values set
 * at a time, both get the same one. */
static void
apply_to_session (GstRmcSink * self, guint id)
{
  RcLimits limits;
  gchar *warning;

  switch (id) {
    case PROP_MIN_BITRATE:
    case PROP_MAX_BITRATE:
    case PROP_START_BITRATE:
      limits = gst_rmc_sink_get_limits (self, &warning);
      rmc_session_set_limits (self->session, &limits);
      g_free (warning);         /* gst_rmc_sink_check_limits() tells it */
      break;
    case PROP_MAX_QUEUE_TIME:
      rmc_session_set_max_queue_time (self->session,
          clock_glue_from_gst (self->settings.max_queue_time));
      break;
    case PROP_RTX_TIME:
      rmc_session_set_rtx_time (self->session, clock_glue_from_gst (self->settings.rtx_time));
      break;
    case PROP_STATS_INTERVAL:
      rmc_session_set_stats_interval (self->session,
          clock_glue_from_gst (self->settings.stats_interval));
      break;
    default:
      break;
  }
}

static void
find_encoders (GstRmcSink * self)
{
  RmcSession *session = gst_rmc_sink_dup_session (self);

  if (!session)
    return;
  encoder_steering_look_again (self->steering);
  rmc_session_retell_target (session);
  rmc_session_unref (session);
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
  {PROP_HOST, offsetof (SinkSettings, host)},
  {PROP_PORT, offsetof (SinkSettings, port)},
  {PROP_BIND_ADDRESS, offsetof (SinkSettings, bind_address)},
  {PROP_BIND_PORT, offsetof (SinkSettings, bind_port)},
  {PROP_QOS_DSCP, offsetof (SinkSettings, qos_dscp)},
  {PROP_ECN, offsetof (SinkSettings, ecn)},
  {PROP_MIN_BITRATE, offsetof (SinkSettings, min_bps)},
  {PROP_MAX_BITRATE, offsetof (SinkSettings, max_bps)},
  {PROP_START_BITRATE, offsetof (SinkSettings, start_bps)},
  {PROP_CONGESTION_CONTROL, offsetof (SinkSettings, law)},
  {PROP_PROFILE, offsetof (SinkSettings, profile)},
  {PROP_CONTROLLER_PARAMS, offsetof (SinkSettings, controller_params)},
  {PROP_ADAPT_ENCODER, offsetof (SinkSettings, adapt_encoder)},
  {PROP_RENUMBER, offsetof (SinkSettings, renumber)},
  {PROP_MAX_DELAY, offsetof (SinkSettings, max_delay)},
  {PROP_MAX_QUEUE_TIME, offsetof (SinkSettings, max_queue_time)},
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
  s->min_set |= id == PROP_MIN_BITRATE;
  s->max_set |= id == PROP_MAX_BITRATE;
  s->start_set |= id == PROP_START_BITRATE;
  if (id == PROP_STATS_INTERVAL && s->stats_interval > 0)
    s->stats_interval = MAX (s->stats_interval, MIN_STATS_INTERVAL);
}

static void
warn_of_late_setting (GstRmcSink * self, const GParamSpec * pspec)
{
  GST_ELEMENT_WARNING (self, LIBRARY, SETTINGS, ("%s is set while rmcsink runs, and counts from "
          "its next start; set it in the state NULL or READY", pspec->name), (NULL));
}

static void
set_property (GObject * object, guint id, const GValue * value, GParamSpec * pspec)
{
  GstRmcSink *self = GST_RMC_SINK_CAST (object);
  gboolean late;

  if (id == PROP_URI) {
    set_uri (self, g_value_get_string (value));
    return;
  }
  if (id >= PROP_SRTP) {
    gst_rmc_sink_set_srtp (self, id - PROP_SRTP, value);
    return;
  }
  GST_OBJECT_LOCK (self);
  set_setting (self, id, value, pspec);
  if (self->session)
    apply_to_session (self, id);
  late = self->session && (pspec->flags & GST_PARAM_MUTABLE_READY);
  GST_OBJECT_UNLOCK (self);
  if (late)
    warn_of_late_setting (self, pspec);
  if (id == PROP_ADAPT_ENCODER)
    find_encoders (self);
}

static guint
get_target_bps (GstRmcSink * self)
{
  RmcSession *session = gst_rmc_sink_dup_session (self);
  guint bps = 0;

  if (session) {
    bps = rmc_session_get_target_bps (session);
    rmc_session_unref (session);
  }
  return bps;
}

static void
get_property (GObject * object, guint id, GValue * value, GParamSpec * pspec)
{
  GstRmcSink *self = GST_RMC_SINK_CAST (object);

  switch (id) {
    case PROP_URI:
      g_value_take_string (value, gst_uri_handler_get_uri (GST_URI_HANDLER (self)));
      break;
    case PROP_TARGET_BITRATE:
      g_value_set_uint (value, get_target_bps (self));
      break;
    case PROP_STATS:
      g_value_take_boxed (value, gst_rmc_sink_create_stats (self));
      break;
    default:
      GST_OBJECT_LOCK (self);
      if (id >= PROP_SRTP)
        secure_settings_get (&self->settings.srtp, id - PROP_SRTP, value);
      else if (!property_places_read (places, &self->settings, id, value))
        G_OBJECT_WARN_INVALID_PROPERTY_ID (self, id, pspec);
      GST_OBJECT_UNLOCK (self);
      break;
  }
}

static void
install_address_properties (GObjectClass * klass)
{
  g_object_class_install_property (klass, PROP_HOST, g_param_spec_string ("host", "Host",
          "Name or IPv4 or IPv6 address of the receiver", DEFAULT_HOST, READY_FLAGS));
  g_object_class_install_property (klass, PROP_PORT, g_param_spec_uint ("port", "Port",
          "UDP port of the receiver, 1 to 65535", 0, G_MAXUINT16, DEFAULT_PORT, READY_FLAGS));
  g_object_class_install_property (klass, PROP_URI, g_param_spec_string ("uri", "URI",
          "Host and port as arc://HOST:PORT", NULL, READY_FLAGS));
  g_object_class_install_property (klass, PROP_BIND_ADDRESS, g_param_spec_string ("bind-address",
          "Bind address", "Local address to send from (NULL: any)", NULL, READY_FLAGS));
  g_object_class_install_property (klass, PROP_BIND_PORT, g_param_spec_uint ("bind-port",
          "Bind port", "Local UDP port to send from and to hear reports on (0: any)",
          0, G_MAXUINT16, 0, READY_FLAGS));
  g_object_class_install_property (klass, PROP_QOS_DSCP, g_param_spec_int ("qos-dscp", "QoS DSCP",
          "Differentiated services code point of the packets (-1: default)", -1,
          63, -1, READY_FLAGS));
  g_object_class_install_property (klass, PROP_ECN, g_param_spec_boolean ("ecn", "ECN",
          "Send ECN-capable packets, which routers mark instead of dropping, once a trial "
          "has shown that path and receiver can do it", TRUE, READY_FLAGS));
}

static void
install_rate_properties (GObjectClass * klass)
{
  g_object_class_install_property (klass,
      PROP_MIN_BITRATE, g_param_spec_uint ("min-bitrate", "Minimum bitrate",
          "Least rate while somebody answers, bit/s on the network (with RTP, UDP and IP "
          "headers); where it is not set, a lower max-bitrate or start-bitrate lowers it",
          LEAST_BITRATE, G_MAXUINT, DEFAULT_MIN_BITRATE, PLAYING_FLAGS));
  g_object_class_install_property (klass, PROP_MAX_BITRATE, g_param_spec_uint ("max-bitrate",
          "Maximum bitrate", "Largest rate, bit/s on the network; holds against "
          "a higher min-bitrate or start-bitrate, but gives way to them where it is not set",
          LEAST_BITRATE, G_MAXUINT, DEFAULT_MAX_BITRATE, PLAYING_FLAGS));
  g_object_class_install_property (klass,
      PROP_START_BITRATE, g_param_spec_uint ("start-bitrate", "Start bitrate",
          "Rate to begin with, bit/s on the network; the rate itself for congestion-control=fixed",
          LEAST_BITRATE, G_MAXUINT, DEFAULT_START_BITRATE, PLAYING_FLAGS));
  g_object_class_install_property (klass,
      PROP_CONGESTION_CONTROL, g_param_spec_enum ("congestion-control", "Congestion control",
          "Law that sets the rate", law_settings_get_law_type (), DEFAULT_LAW, READY_FLAGS));
  g_object_class_install_property (klass, PROP_PROFILE, g_param_spec_enum ("profile", "Profile",
          "Defaults of the law's parameters", law_settings_get_profile_type (), RC_PROFILE_LIVE,
          READY_FLAGS));
  g_object_class_install_property (klass,
      PROP_CONTROLLER_PARAMS, g_param_spec_boxed ("controller-params", "Controller parameters",
          "Parameters of the law that differ from the profile, as \"params, k=2.0\"; a wrong "
          "name has the valid ones listed in a warning", GST_TYPE_STRUCTURE, READY_FLAGS));
  g_object_class_install_property (klass,
      PROP_MAX_DELAY, g_param_spec_uint64 ("max-delay", "Maximum queueing delay",
          "Queueing delay on the path in ns beyond which congestion-control=arc joins the queue of "
          "a competing flow only after another trial, at each doubling", LEAST_MAX_DELAY,
          MOST_MAX_DELAY, DEFAULT_MAX_DELAY, READY_FLAGS));
}

static void
install_pacing_properties (GObjectClass * klass)
{
  g_object_class_install_property (klass,
      PROP_PACING_PRIORITY, g_param_spec_int ("pacing-priority", "Pacing priority",
          "Real-time priority (SCHED_FIFO) of the thread that paces all rmcsinks of the "
          "process, the highest that any asks for (0: normal)", 0, 99, 0, READY_FLAGS));
}

static void
install_retransmission_properties (GObjectClass * klass)
{
  g_object_class_install_property (klass, PROP_RTX_TIME, g_param_spec_uint64 ("rtx-time",
          "Retransmission time", "How long packets are kept to be sent again when the receiver "
          "asks for them, ns (0: not at all)", 0, MAX_RTX_TIME, DEFAULT_RTX_TIME, PLAYING_FLAGS));
  g_object_class_install_property (klass, PROP_RTX_PAYLOAD_TYPE_MAP,
      g_param_spec_boxed ("rtx-payload-type-map", "Retransmission payload types",
          "Payload types and those by which their packets are sent again (RFC 4588), as "
          "\"application/x-rtp-pt-map, 96=(uint)97\"; others are sent again as they were",
          GST_TYPE_STRUCTURE, READY_FLAGS));
}

static void
install_stream_properties (GObjectClass * klass)
{
  g_object_class_install_property (klass, PROP_ADAPT_ENCODER,
      g_param_spec_boolean ("adapt-encoder", "Adapt encoder", "Find the encoders upstream and set "
          "their bitrate, and what they need to follow where the user left the default; of several "
          "sinks behind one encoder the smallest that is answered counts. Also the percentage of "
          "rtpulpfecenc", TRUE, PLAYING_FLAGS));
  g_object_class_install_property (klass, PROP_RENUMBER, g_param_spec_boolean ("renumber",
          "Renumber", "Close up RTP sequence numbers after frames were dropped here; FALSE "
          "when something upstream keeps packets by their number (rtprtxsend)", TRUE, READY_FLAGS));
  g_object_class_install_property (klass, PROP_MAX_QUEUE_TIME,
      g_param_spec_uint64 ("max-queue-time", "Maximum queue time", "Media that may wait, "
          "as time at the present rate, ns: beyond it a live source has frames dropped and "
          "another one is made to wait", 0, G_MAXINT64, DEFAULT_MAX_QUEUE_TIME, PLAYING_FLAGS));
  g_object_class_install_property (klass, PROP_TARGET_BITRATE, g_param_spec_uint ("target-bitrate",
          "Target bitrate", "What the encoders should make, bit/s of media without headers, "
          "never above max-bitrate (0: not started)", 0, G_MAXUINT, 0, READABLE_FLAGS));
  g_object_class_install_property (klass, PROP_STATS, g_param_spec_boxed ("stats", "Statistics",
          "Statistics; the fields are in the element's description", GST_TYPE_STRUCTURE,
          READABLE_FLAGS));
  g_object_class_install_property (klass,
      PROP_STATS_INTERVAL, g_param_spec_uint64 ("stats-interval", "Statistics interval",
          "Time between element messages with the statistics, ns, at least 10 ms (0: none)",
          0, MAX_STATS_INTERVAL, 0, PLAYING_FLAGS));
}

void
gst_rmc_sink_install_properties (GObjectClass * klass)
{
  klass->set_property = set_property;
  klass->get_property = get_property;
  install_address_properties (klass);
  install_rate_properties (klass);
  install_pacing_properties (klass);
  install_stream_properties (klass);
  install_retransmission_properties (klass);
  secure_properties_install (klass, PROP_SRTP);
  gst_type_mark_as_plugin_api (law_settings_get_law_type (), 0);
  gst_type_mark_as_plugin_api (law_settings_get_profile_type (), 0);
}
