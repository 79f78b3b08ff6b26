/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "sessionsettings.h"

#include "base/profiletype.h"
#include "base/propertyplaces.h"
#include "encoder/encoderorders.h"
#include "lawsettings.h"

/* bit/s on the network */
#define DEFAULT_MIN_BITRATE 100000
#define DEFAULT_MAX_BITRATE 50000000
#define DEFAULT_LATENCY ENCODER_ORDERS_LATENCY
#define DEFAULT_MAX_QUEUE_TIME (ENCODER_ORDERS_QUEUE_LATENCIES * DEFAULT_LATENCY)
#define DEFAULT_MAX_DELAY (400 * GST_MSECOND)
#define LEAST_MAX_DELAY (50 * GST_MSECOND)      /* a queue of less is no competitor's */
#define MOST_MAX_DELAY (60 * GST_SECOND)

#define READY_FLAGS (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_READY)
#define PLAYING_FLAGS (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_PLAYING)
#define READABLE_FLAGS (G_PARAM_READABLE | G_PARAM_STATIC_STRINGS)

/* --- properties --- */

/* A place has an id, and 0 ends the table. */
#define PLACE(property, field) \
    {SESSION_PROPERTY_##property + 1, offsetof (SessionSettings, field)}

static const PropertyPlace places[] = {
  PLACE (MIN_BITRATE, min_bps),
  PLACE (MAX_BITRATE, max_bps),
  PLACE (START_BITRATE, start_bps),
  PLACE (CONGESTION_CONTROL, law),
  PLACE (PROFILE, profile),
  PLACE (CONTROLLER_PARAMS, controller_params),
  PLACE (MAX_DELAY, max_delay),
  PLACE (ADAPT_ENCODER, adapt_encoder),
  PLACE (RENUMBER, renumber),
  PLACE (LATENCY, latency),
  PLACE (ENCODER_MAP, encoder_map),
  PLACE (MAX_QUEUE_TIME, max_queue_time),
  {0, 0}
};

gboolean
session_settings_set (SessionSettings * self, SessionProperty property, const GValue * value)
{
  self->min_set |= property == SESSION_PROPERTY_MIN_BITRATE;
  self->max_set |= property == SESSION_PROPERTY_MAX_BITRATE;
  self->start_set |= property == SESSION_PROPERTY_START_BITRATE;
  self->max_queue_time_set |= property == SESSION_PROPERTY_MAX_QUEUE_TIME;
  if (!property_places_write (places, self, property + 1, value))
    return FALSE;
  if (property == SESSION_PROPERTY_LATENCY && !self->max_queue_time_set)
    self->max_queue_time = ENCODER_ORDERS_QUEUE_LATENCIES * self->latency;
  return TRUE;
}

gboolean
session_settings_get (const SessionSettings * self, SessionProperty property, GValue * value)
{
  return property_places_read (places, self, property + 1, value);
}

static void
install_law_properties (GObjectClass * klass, guint first_id)
{
  g_object_class_install_property (klass, first_id + SESSION_PROPERTY_CONGESTION_CONTROL,
      g_param_spec_enum ("congestion-control", "Congestion control", "Congestion control algorithm",
          law_settings_get_law_type (), DEFAULT_LAW, READY_FLAGS));
  g_object_class_install_property (klass, first_id + SESSION_PROPERTY_PROFILE,
      g_param_spec_enum ("profile", "Profile", "Set of default parameters of the algorithm",
          profile_get_type (), RC_PROFILE_LIVE, READY_FLAGS));
  g_object_class_install_property (klass, first_id + SESSION_PROPERTY_CONTROLLER_PARAMS,
      g_param_spec_boxed ("controller-params", "Controller parameters",
          "Parameters of the algorithm that override the profile, as \"params, k=2.0\". An unknown "
          "name causes a warning that lists the valid ones", GST_TYPE_STRUCTURE, READY_FLAGS));
  g_object_class_install_property (klass, first_id + SESSION_PROPERTY_MAX_DELAY,
      g_param_spec_uint64 ("max-delay", "Maximum queueing delay",
          "Queueing delay in ns above which congestion-control=arc competes with other flows only "
          "after probing whether the queue is its own, once per doubling of the delay",
          LEAST_MAX_DELAY, MOST_MAX_DELAY, DEFAULT_MAX_DELAY, READY_FLAGS));
  gst_type_mark_as_plugin_api (law_settings_get_law_type (), 0);
  gst_type_mark_as_plugin_api (profile_get_type (), 0);
}

static void
install_stream_properties (GObjectClass * klass, guint first_id, gboolean renumber)
{
  g_object_class_install_property (klass, first_id + SESSION_PROPERTY_ADAPT_ENCODER,
      g_param_spec_boolean ("adapt-encoder", "Adapt encoder",
          "Find the encoders upstream, set their bitrate, and change settings at their defaults "
          "that keep them from following it. An encoder runs at the lowest bitrate requested by "
          "any sink whose receiver responds. Also sets the percentage of rtpulpfecenc", TRUE,
          PLAYING_FLAGS));
  g_object_class_install_property (klass, first_id + SESSION_PROPERTY_ENCODER_MAP,
      g_param_spec_string ("encoder-map", "Encoder map",
          "Encoders that are not known: FACTORY,PROPERTY,UNIT as in \"myenc,bitrate,kbit\", with "
          "the unit bit or kbit, and behind it \",restarts\" if the encoder begins anew with each "
          "bitrate, \",caps\" if it divides by the frame rate of its caps whatever comes; several "
          "are separated by semicolons. Counts for all elements of the process",
          NULL, PLAYING_FLAGS));
  g_object_class_install_property (klass, first_id + SESSION_PROPERTY_RENUMBER,
      g_param_spec_boolean ("renumber", "Renumber",
          "Renumber RTP packets to close the gaps of dropped frames. Disable if an element "
          "upstream sends packets again by their numbers: rtprtxqueue, and before rmcsink "
          "rtprtxsend", renumber, READY_FLAGS));
  g_object_class_install_property (klass, first_id + SESSION_PROPERTY_LATENCY,
      g_param_spec_uint64 ("latency", "Latency",
          "Time in ns within which a frame should leave. Limits the size of a frame: encoders that "
          "are found get buffers of this length, or of one frame, unless set explicitly. Longer "
          "buffers cost delay and improve the picture a little",
          ENCODER_ORDERS_LEAST_LATENCY, ENCODER_ORDERS_MOST_LATENCY, DEFAULT_LATENCY,
          PLAYING_FLAGS));
  g_object_class_install_property (klass, first_id + SESSION_PROPERTY_MAX_QUEUE_TIME,
      g_param_spec_uint64 ("max-queue-time", "Maximum queue time",
          "Maximum queueing time at the current rate, in ns. Beyond it, frames of a live source "
          "are dropped; a non-live source is blocked. Six times the latency unless set", 0,
          G_MAXINT64, DEFAULT_MAX_QUEUE_TIME, PLAYING_FLAGS));
  g_object_class_install_property (klass, first_id + SESSION_PROPERTY_STATS,
      g_param_spec_boxed ("stats", "Statistics", "Statistics; gst-inspect-1.0 lists the fields",
          GST_TYPE_STRUCTURE, READABLE_FLAGS));
}

void
session_properties_install (GObjectClass * klass, guint first_id, guint least_bps,
    gboolean renumber)
{
  g_object_class_install_property (klass, first_id + SESSION_PROPERTY_MIN_BITRATE,
      g_param_spec_uint ("min-bitrate", "Minimum bitrate",
          "Lower limit of the sending rate in bit/s, RTP, UDP and IP headers included, while "
          "reports arrive. A smaller max-bitrate or start bitrate lowers it if it is left at its "
          "default", least_bps, G_MAXUINT, DEFAULT_MIN_BITRATE, PLAYING_FLAGS));
  g_object_class_install_property (klass, first_id + SESSION_PROPERTY_MAX_BITRATE,
      g_param_spec_uint ("max-bitrate", "Maximum bitrate",
          "Upper limit of the sending rate in bit/s, headers included. Overrides min-bitrate and "
          "the start bitrate if set explicitly. Until then it is 1.25 bit for each pixel of the "
          "encoders upstream, 2 Mbit/s at least, if all are known, and at most the default",
          least_bps, G_MAXUINT, DEFAULT_MAX_BITRATE,
          PLAYING_FLAGS));
  install_law_properties (klass, first_id);
  install_stream_properties (klass, first_id, renumber);
}

/* --- life --- */

void
session_settings_init (SessionSettings * self, gboolean renumber)
{
  *self = (SessionSettings) {.min_bps = DEFAULT_MIN_BITRATE,.start_bps = DEFAULT_START_BITRATE,
    .max_bps = DEFAULT_MAX_BITRATE,.law = DEFAULT_LAW,.profile = RC_PROFILE_LIVE,
    .adapt_encoder = TRUE,.renumber = renumber,.max_delay = DEFAULT_MAX_DELAY,
    .latency = DEFAULT_LATENCY,.max_queue_time = DEFAULT_MAX_QUEUE_TIME
  };
}

void
session_settings_clear (SessionSettings * self)
{
  g_clear_pointer (&self->controller_params, gst_structure_free);
  g_clear_pointer (&self->encoder_map, g_free);
}

/* --- what they mean --- */

/* Defaults give way to what the user set. */
static RcLimits
wanted_limits (const SessionSettings * s)
{
  RcLimits limits = { s->min_bps, s->start_bps, s->max_bps };

  if (!s->max_set) {
    if (s->picture_bps > 0)
      limits.max_bps = MIN (limits.max_bps, s->picture_bps);
    limits.max_bps = MAX (limits.max_bps, s->min_set ? s->min_bps : 0);
    limits.max_bps = MAX (limits.max_bps, s->start_set ? s->start_bps : 0);
  }
  if (!s->min_set) {
    limits.min_bps = MIN (limits.min_bps, limits.max_bps);
    limits.min_bps = MIN (limits.min_bps, s->start_set ? s->start_bps : limits.max_bps);
  }
  limits.max_bps = MAX (limits.max_bps, LEAST_BITRATE);
  limits.min_bps = MAX (limits.min_bps, LEAST_BITRATE);
  return limits;
}

/* The maximum holds against the minimum, and both against the start. */
static gchar *
settle (RcLimits * limits)
{
  gchar *sentence = NULL;

  if (limits->min_bps > limits->max_bps) {
    sentence = g_strdup_printf ("min-bitrate %" G_GUINT64_FORMAT " is above max-bitrate %"
        G_GUINT64_FORMAT ": the rate is always %" G_GUINT64_FORMAT "; lower min-bitrate or raise "
        "max-bitrate", limits->min_bps, limits->max_bps, limits->max_bps);
    limits->min_bps = limits->max_bps;
  }
  limits->start_bps = CLAMP (limits->start_bps, limits->min_bps, limits->max_bps);
  return sentence;
}

RcLimits
session_settings_get_limits (const SessionSettings * self, gboolean starts, gchar ** warning)
{
  RcLimits limits = wanted_limits (self);
  guint start = self->start_bps;

  *warning = settle (&limits);
  if (*warning || limits.start_bps == start || !self->start_set || !starts)
    return limits;
  if (start > limits.max_bps)
    *warning = g_strdup_printf ("the start bitrate %u is above max-bitrate %u, which holds", start,
        self->max_bps);
  else
    *warning = g_strdup_printf ("the start bitrate %u is below min-bitrate %u, which holds", start,
        self->min_bps);
  return limits;
}

void
session_settings_init_law (const SessionSettings * self, gboolean guest,
    RcController * controller, RcRmcParams * pacing, gchar ** warning)
{
  rc_controller_init (controller, law_settings_get_law (self->law), self->profile);
  if (guest)
    rc_controller_set_param (controller, "stop", 0);
  law_settings_set_max_delay (controller, self->max_delay);
  *warning = NULL;
  law_settings_set_params (controller, pacing, self->controller_params, warning);
}

gboolean
session_settings_is_fixed (const SessionSettings * self)
{
  return law_settings_get_law (self->law)->open_loop;
}
