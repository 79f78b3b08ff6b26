/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "sessionsettings.h"

#include "base/profiletype.h"
#include "encoder/encoderorders.h"
#include "lawsettings.h"

#include <rc/law/controller.h>
#include <string.h>

#define LEAST_MAX_DELAY (50 * GST_MSECOND)      /* a queue of less is no competitor's */

/* --- properties --- */

#define NUMBER(...) PROPERTY_ROW_NUMBER (SessionSettings, __VA_ARGS__)
#define BOOLEAN(...) PROPERTY_ROW_BOOLEAN (SessionSettings, __VA_ARGS__)
#define ENUM(...) PROPERTY_ROW_ENUM (SessionSettings, __VA_ARGS__)

/* In the order of SessionProperty. Bitrates begin at 1, as rtpgccbwe's do: applications may set
 * what they set there. */
static const PropertyRow properties[] = {
  NUMBER (min_bps, PROPERTY_PLAYING, "min-bitrate", "Minimum bitrate",
      "Lower limit of the sending rate in bit/s, headers included, while reports arrive. Until "
      "it is set, no more than max-bitrate and the start bitrate", 1, G_MAXUINT, 100000),
  NUMBER (max_bps, PROPERTY_PLAYING, "max-bitrate", "Maximum bitrate",
      "Upper limit of the sending rate in bit/s, headers included; min-bitrate and the start "
      "bitrate give way to it. Until it is set, 1.25 bit for each pixel of the encoders upstream "
      "if all are known, from 2 Mbit/s to the default",
      1, G_MAXUINT, 50000000),
  SESSION_PROPERTY_START ("start-bitrate", NULL, PROPERTY_PLAYING, NULL),
  ENUM (law, PROPERTY_READY, "congestion-control", "Congestion control",
      "Congestion control algorithm", law_settings_get_law_type, DEFAULT_LAW),
  ENUM (profile, PROPERTY_READY, "profile", "Profile",
      "Set of default parameters of the algorithm", profile_get_type, RC_PROFILE_LIVE),
  PROPERTY_ROW_STRUCTURE (SessionSettings, controller_params, PROPERTY_READY, "controller-params",
      "Controller parameters",
      "Parameters of the algorithm, as \"params, k=2.0\"; a warning about an unknown name lists "
      "all"),
  NUMBER (max_delay, PROPERTY_READY, "max-delay", "Maximum queueing delay",
      "Queueing delay in ns above which congestion-control=arc competes with other flows only "
      "after a trial, at each doubling, has shown that they fill the queue",
      LEAST_MAX_DELAY, 60 * GST_SECOND, 400 * GST_MSECOND),
  BOOLEAN (adapt_encoder, PROPERTY_PLAYING, "adapt-encoder", "Adapt encoder",
      "Set the bitrate of the encoders upstream, the settings at their defaults that keep them "
      "from following it, and the percentage of rtpulpfecenc. An encoder gets the lowest "
      "bitrate that any sink asks for whose receiver responds", TRUE),
  BOOLEAN (renumber, PROPERTY_READY, "renumber", "Renumber",
      "Renumber RTP packets to close the gaps of dropped frames. Not with an element upstream "
      "that sends packets again by their numbers: rtprtxqueue, and before rmcsink rtprtxsend",
      TRUE),
  NUMBER (latency, PROPERTY_PLAYING, "latency", "Latency",
      "Time in ns within which a frame should leave: limits the buffers of encoders that are "
      "found, unless set explicitly", ENCODER_ORDERS_LEAST_LATENCY,
      ENCODER_ORDERS_MOST_LATENCY, ENCODER_ORDERS_LATENCY),
  PROPERTY_ROW_STRING (SessionSettings, encoder_map, PROPERTY_PLAYING, "encoder-map",
      "Encoder map",
      "Encoders that are not known: FACTORY,PROPERTY,UNIT as in \"myenc,bitrate,kbit\", with "
      "the unit bit or kbit, and behind it \",restarts\" if a new bitrate restarts the encoder, "
      "\",caps\" if it divides by the frame rate of its caps; semicolons separate several. For "
      "all elements of the process", NULL),
  NUMBER (max_queue_time, PROPERTY_PLAYING, "max-queue-time", "Maximum queue time",
      "Maximum queueing time at the current rate, in ns. Beyond it, frames of a live source are "
      "dropped, and another source waits. Six times the latency unless set", 0,
      G_MAXINT64, ENCODER_ORDERS_QUEUE_LATENCIES * ENCODER_ORDERS_LATENCY),
  PROPERTY_ROW_STATS (PROPERTY_STATS_TEXT),
  {NULL}
};

gboolean
session_settings_set (SessionSettings * self, SessionProperty property, const GValue * value)
{
  self->min_set |= property == SESSION_PROPERTY_MIN_BITRATE;
  self->max_set |= property == SESSION_PROPERTY_MAX_BITRATE;
  self->start_set |= property == SESSION_PROPERTY_START_BITRATE;
  self->max_queue_time_set |= property == SESSION_PROPERTY_MAX_QUEUE_TIME;
  if (!property_rows_write (properties, self, property + 1, value))
    return FALSE;
  if (property == SESSION_PROPERTY_LATENCY && !self->max_queue_time_set)
    self->max_queue_time = ENCODER_ORDERS_QUEUE_LATENCIES * self->latency;
  return TRUE;
}

gboolean
session_settings_get (const SessionSettings * self, SessionProperty property, GValue * value)
{
  return property_rows_read (properties, self, property + 1, value);
}

void
session_properties_install (GObjectClass * klass, guint first_id, const PropertyRow * start,
    gboolean renumber)
{
  PropertyRow rows[G_N_ELEMENTS (properties)];

  memcpy (rows, properties, sizeof (rows));
  rows[SESSION_PROPERTY_START_BITRATE] = *start;
  rows[SESSION_PROPERTY_RENUMBER].usual = renumber;
  property_rows_install (klass, first_id, rows);
}

/* --- life --- */

void
session_settings_init (SessionSettings * self, gboolean renumber)
{
  memset (self, 0, sizeof (*self));
  property_rows_init (properties, self);
  self->renumber = renumber;
}

void
session_settings_clear (SessionSettings * self)
{
  property_rows_clear (properties, self);
}

/* --- what they mean --- */

/* Defaults give way to what the user set. */
static RcLimits
wanted_limits (const SessionSettings * s)
{
  RcLimits limits = {.min_bps = s->min_bps,.start_bps = s->start_bps,.max_bps = s->max_bps };

  if (!s->max_set) {
    if (s->picture_bps > 0 && s->picture_bps < limits.max_bps) {
      limits.max_bps = s->picture_bps;
      limits.max_cause = RC_CAUSE_PICTURE;
    }
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
  if (*warning || limits.start_bps == start || !self->start_set || !starts
      || start < LEAST_BITRATE)
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
