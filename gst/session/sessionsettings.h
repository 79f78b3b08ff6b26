/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What every element with a session lets the user set: the properties, their defaults, and what
 * they mean for a session. How a law is named: lawsettings.h. No locks: the caller's is held. */
#pragma once

#include "base/propertyrows.h"

#include <gst/gst.h>
#include <rc/law/limits.h>
#include <rc/pace/rmc.h>

G_BEGIN_DECLS

#define LEAST_BITRATE 8000      /* bit/s on the network: a packet of 1000 bytes a second */
#define DEFAULT_START_BITRATE 500000

typedef struct
{
  guint min_bps, start_bps, max_bps;    /* on the network */
  gboolean min_set, start_set, max_set; /* by the user: the others give way */
  gint law;                     /* as law_settings_get_law () takes it */
  gint profile;                 /* an RcProfile */
  GstStructure *controller_params;      /* or NULL */
  gboolean adapt_encoder, renumber;
  gchar *encoder_map;           /* or NULL */
  guint picture_bps;            /* the most that the encoders' pictures can use; 0: unknown */
  GstClockTime max_delay, latency, max_queue_time;
  gboolean max_queue_time_set;  /* by the user; else it follows the latency */
} SessionSettings;

/* Their ids are first_id and those after it. */
typedef enum
{
  SESSION_PROPERTY_MIN_BITRATE,
  SESSION_PROPERTY_MAX_BITRATE,
  SESSION_PROPERTY_START_BITRATE,       /* under a name of the element */
  SESSION_PROPERTY_CONGESTION_CONTROL,
  SESSION_PROPERTY_PROFILE,
  SESSION_PROPERTY_CONTROLLER_PARAMS,
  SESSION_PROPERTY_MAX_DELAY,
  SESSION_PROPERTY_ADAPT_ENCODER,
  SESSION_PROPERTY_RENUMBER,
  SESSION_PROPERTY_LATENCY,
  SESSION_PROPERTY_ENCODER_MAP,
  SESSION_PROPERTY_MAX_QUEUE_TIME,
  SESSION_PROPERTY_STATS,       /* read only, of the host */
  SESSION_N_PROPERTIES
} SessionProperty;

/* The row of the start bitrate, under the element's own name. */
#define SESSION_PROPERTY_START(name, nick, flags, text) PROPERTY_ROW_NUMBER ( \
    SessionSettings, start_bps, flags, name, nick, text, 1, G_MAXUINT, DEFAULT_START_BITRATE)

void session_properties_install (GObjectClass * klass, guint first_id, const PropertyRow * start,
    gboolean renumber);

void session_settings_init (SessionSettings * self, gboolean renumber);
void session_settings_clear (SessionSettings * self);
/* FALSE: not a setting. */
gboolean session_settings_set (SessionSettings * self, SessionProperty property,
    const GValue * value);
gboolean session_settings_get (const SessionSettings * self, SessionProperty property,
    GValue * value);

/* Consistent limits. starts: the start bitrate counts. *warning: a sentence about bounds that
 * contradict each other (g_free), or NULL. */
RcLimits session_settings_get_limits (const SessionSettings * self, gboolean starts,
    gchar ** warning);
/* The law with its parameters, and those of the pacer. guest: media never stops, since the RTP
 * session or the peer connection around it ends when the peer has gone. *warning: a sentence about
 * parameters that were refused (g_free), or NULL. */
void session_settings_init_law (const SessionSettings * self, gboolean guest,
    RcController * controller, RcRmcParams * pacing, gchar ** warning);
/* The law goes by the start bitrate at all times. */
gboolean session_settings_is_fixed (const SessionSettings * self);

G_END_DECLS
