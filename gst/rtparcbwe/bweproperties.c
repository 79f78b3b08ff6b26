/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "gstrtparcbweprivate.h"

#include "base/clockglue.h"
#include "base/propertyplaces.h"
#include "session/lawsettings.h"
#include "session/sessionsettings.h"

#include <gst/arc/arc.h>

enum
{
  PROP_0,
  PROP_ESTIMATED_BITRATE,
  PROP_MIN_BITRATE,
  PROP_MAX_BITRATE,
  PROP_CONGESTION_CONTROL,
  PROP_PROFILE,
  PROP_CONTROLLER_PARAMS,
  PROP_ADAPT_ENCODER,
  PROP_RENUMBER,
  PROP_MAX_DELAY,
  PROP_MAX_QUEUE_TIME,
  PROP_STATS,
};

#define READY_FLAGS (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_READY)
#define PLAYING_FLAGS (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_PLAYING)
#define READABLE_FLAGS (G_PARAM_READABLE | G_PARAM_STATIC_STRINGS)

/* --- statistics --- */

/* Of the element, beside its session's. */
typedef struct
{
  guint64 messages, messages_refused, pushed, told, rtx_passed, rtx_dropped, events_dropped;
} OwnStats;

#define COUNTER(...) FIELD_COUNTER (OwnStats, __VA_ARGS__)

static const FieldRow own_fields[] = {
  COUNTER (messages, "feedback-messages", "", "transport-wide feedback that came"),
  COUNTER (messages_refused, "feedback-rejected", "", "entries of it that make no sense"),
  COUNTER (pushed, "packets-pushed", "", "packets given to the RTP session"),
  COUNTER (told, "packets-reported", "", "packets that the feedback names"),
  COUNTER (rtx_passed, "retransmissions", "", "packets of rtprtxsend that passed"),
  COUNTER (rtx_dropped, "retransmissions-dropped", "",
      "of these: beyond their share of the rate, dropped"),
  COUNTER (events_dropped, "events-dropped", "",
      "serialized events dropped, since more than 100 waited for the pad"),
  {NULL}
};

static guint64
count_of (const gint * counter)
{
  return (guint) g_atomic_int_get (counter);
}

static void
add_own (GstRtpArcBwe * self, GstStructure * s)
{
  OwnStats own = {.messages = count_of (&self->messages),
    .messages_refused = count_of (&self->messages_refused),
    .pushed = count_of (&self->packets_pushed),.told = count_of (&self->packets_told),
    .rtx_passed = count_of (&self->rtx_passed),.rtx_dropped = count_of (&self->rtx_dropped),
    .events_dropped = pad_transport_get_events_dropped (&self->transport)
  };

  fields_add (s, own_fields, &own);
}

void
gst_rtp_arc_bwe_describe_stats (GstElementClass * klass)
{
  const FieldStructure structures[] = {
    {GST_RTP_ARC_BWE_STATS, "property stats", {rmc_fields, own_fields, rmc_fields_law ()}},
    {NULL}
  };

  fields_describe (klass, structures);
}

GstStructure *
gst_rtp_arc_bwe_create_stats (GstRtpArcBwe * self)
{
  RmcSession *session = gst_rtp_arc_bwe_dup_session (self);
  GstStructure *s;
  RmcStats stats;
  gchar *names;

  if (session) {
    rmc_session_get_stats (session, &stats);
    rmc_session_unref (session);
    names = encoder_steering_names (self->steering);
    stats.encoders = names;
    s = rmc_stats_to_structure (&stats, GST_RTP_ARC_BWE_STATS);
    g_free (names);
    add_own (self, s);
    return s;
  }
  GST_OBJECT_LOCK (self);
  s = self->last_stats ? gst_structure_copy (self->last_stats)
      : gst_structure_new_empty (GST_RTP_ARC_BWE_STATS);
  GST_OBJECT_UNLOCK (self);
  return s;
}

/* --- set --- */

/* Where in the settings a property lies. */
static const PropertyPlace places[] = {
  {PROP_ESTIMATED_BITRATE, offsetof (BweSettings, start_bps)},
  {PROP_MIN_BITRATE, offsetof (BweSettings, min_bps)},
  {PROP_MAX_BITRATE, offsetof (BweSettings, max_bps)},
  {PROP_CONGESTION_CONTROL, offsetof (BweSettings, law)},
  {PROP_PROFILE, offsetof (BweSettings, profile)},
  {PROP_CONTROLLER_PARAMS, offsetof (BweSettings, controller_params)},
  {PROP_ADAPT_ENCODER, offsetof (BweSettings, adapt_encoder)},
  {PROP_RENUMBER, offsetof (BweSettings, renumber)},
  {PROP_MAX_DELAY, offsetof (BweSettings, max_delay)},
  {PROP_MAX_QUEUE_TIME, offsetof (BweSettings, max_queue_time)},
  {0, 0}
};

/* A running session follows at once where it can. With the object lock held: of two values set at a
 * time, both get the same one. */
static void
apply_to_session (GstRtpArcBwe * self, guint id)
{
  RcLimits limits;
  gchar *warning;

  if (id == PROP_MIN_BITRATE || id == PROP_MAX_BITRATE || id == PROP_ESTIMATED_BITRATE) {
    limits = gst_rtp_arc_bwe_get_limits (self, &warning);
    rmc_session_set_limits (self->session, &limits);
    if (warning)
      GST_WARNING_OBJECT (self, "%s", warning);
    g_free (warning);
  }
  if (id == PROP_MAX_QUEUE_TIME)
    rmc_session_set_max_queue_time (self->session,
        clock_glue_from_gst (self->settings.max_queue_time));
}

static void
set_property (GObject * object, guint id, const GValue * value, GParamSpec * pspec)
{
  GstRtpArcBwe *self = GST_RTP_ARC_BWE_CAST (object);
  RmcSession *session;

  GST_OBJECT_LOCK (self);
  if (!property_places_write (places, &self->settings, id, value))
    G_OBJECT_WARN_INVALID_PROPERTY_ID (self, id, pspec);
  if (self->session)
    apply_to_session (self, id);
  GST_OBJECT_UNLOCK (self);
  session = id == PROP_ADAPT_ENCODER ? gst_rtp_arc_bwe_dup_session (self) : NULL;
  if (session) {
    encoder_steering_look_again (self->steering);
    rmc_session_retell_target (session);
    rmc_session_unref (session);
  }
}

/* --- get --- */

/* What the encoders should make; until a session has told it, what it will begin with. */
static guint
get_estimate_bps (GstRtpArcBwe * self)
{
  RmcSession *session = gst_rtp_arc_bwe_dup_session (self);
  guint bps = session ? rmc_session_get_target_bps (session) : 0;

  g_clear_pointer (&session, rmc_session_unref);
  GST_OBJECT_LOCK (self);
  bps = bps > 0 ? bps : self->settings.start_bps;
  GST_OBJECT_UNLOCK (self);
  return bps;
}

static void
get_property (GObject * object, guint id, GValue * value, GParamSpec * pspec)
{
  GstRtpArcBwe *self = GST_RTP_ARC_BWE_CAST (object);

  if (id == PROP_ESTIMATED_BITRATE) {
    g_value_set_uint (value, get_estimate_bps (self));
  } else if (id == PROP_STATS) {
    g_value_take_boxed (value, gst_rtp_arc_bwe_create_stats (self));
  } else {
    GST_OBJECT_LOCK (self);
    if (!property_places_read (places, &self->settings, id, value))
      G_OBJECT_WARN_INVALID_PROPERTY_ID (self, id, pspec);
    GST_OBJECT_UNLOCK (self);
  }
}

/* --- names --- */

/* Ranges begin at 1, as rtpgccbwe's do: applications may set what they set there. */
static void
install_rate_properties (GObjectClass * klass)
{
  g_object_class_install_property (klass, PROP_ESTIMATED_BITRATE,
      g_param_spec_uint ("estimated-bitrate", "Estimated bitrate",
          "What the encoders should make, bit/s of media without headers; with notify. Set in NULL "
          "or READY it is the rate to begin with, bit/s on the network", 1, G_MAXUINT,
          DEFAULT_START_BITRATE, READY_FLAGS));
  g_object_class_install_property (klass, PROP_MIN_BITRATE,
      g_param_spec_uint ("min-bitrate", "Minimum bitrate",
          "Least rate, bit/s on the network (with RTP, UDP and IP headers)", 1, G_MAXUINT,
          DEFAULT_MIN_BITRATE, PLAYING_FLAGS));
  g_object_class_install_property (klass, PROP_MAX_BITRATE,
      g_param_spec_uint ("max-bitrate", "Maximum bitrate",
          "Largest rate, bit/s on the network; holds against a higher min-bitrate", 1, G_MAXUINT,
          DEFAULT_MAX_BITRATE, PLAYING_FLAGS));
  g_object_class_install_property (klass, PROP_CONGESTION_CONTROL,
      g_param_spec_enum ("congestion-control", "Congestion control", "Law that sets the rate",
          law_settings_get_law_type (), DEFAULT_LAW, READY_FLAGS));
  g_object_class_install_property (klass, PROP_PROFILE,
      g_param_spec_enum ("profile", "Profile", "Defaults of the law's parameters",
          law_settings_get_profile_type (), RC_PROFILE_LIVE, READY_FLAGS));
  g_object_class_install_property (klass, PROP_CONTROLLER_PARAMS,
      g_param_spec_boxed ("controller-params", "Controller parameters",
          "Parameters of the law that differ from the profile, as \"params, k=2.0\"; a wrong name "
          "has the valid ones listed in a warning", GST_TYPE_STRUCTURE, READY_FLAGS));
  g_object_class_install_property (klass,
      PROP_MAX_DELAY, g_param_spec_uint64 ("max-delay", "Maximum queueing delay",
          "Queueing delay on the path in ns beyond which congestion-control=arc joins the queue of "
          "a competing flow only after another trial, at each doubling", LEAST_MAX_DELAY,
          MOST_MAX_DELAY, DEFAULT_MAX_DELAY, READY_FLAGS));
}

static void
install_stream_properties (GObjectClass * klass)
{
  g_object_class_install_property (klass, PROP_ADAPT_ENCODER,
      g_param_spec_boolean ("adapt-encoder", "Adapt encoder", "Find the encoders upstream and set "
          "their bitrate, and what they need to follow where the user left the default", TRUE,
          PLAYING_FLAGS));
  g_object_class_install_property (klass, PROP_RENUMBER, g_param_spec_boolean ("renumber",
          "Renumber", "Close up RTP sequence numbers after frames were dropped here; not where "
          "something upstream keeps packets by their number (rtprtxsend)", FALSE, READY_FLAGS));
  g_object_class_install_property (klass, PROP_MAX_QUEUE_TIME,
      g_param_spec_uint64 ("max-queue-time", "Maximum queue time", "Media that may wait, as time "
          "at the present rate, ns: beyond it a live source has frames dropped and another one is "
          "made to wait", 0, G_MAXINT64, DEFAULT_MAX_QUEUE_TIME, PLAYING_FLAGS));
  g_object_class_install_property (klass, PROP_STATS, g_param_spec_boxed ("stats", "Statistics",
          "Statistics; the fields are in the element's description", GST_TYPE_STRUCTURE,
          READABLE_FLAGS));
}

void
gst_rtp_arc_bwe_install_properties (GObjectClass * klass)
{
  klass->set_property = set_property;
  klass->get_property = get_property;
  install_rate_properties (klass);
  install_stream_properties (klass);
}
