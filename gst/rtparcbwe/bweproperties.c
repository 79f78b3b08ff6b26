/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "gstrtparcbweprivate.h"

/* The properties are those of a session's host. */
#define FIRST_ID 1

/* Ranges begin at 1, as rtpgccbwe's do: applications may set what they set there. */
#define LEAST_BPS 1

static void
set_property (GObject * object, guint id, const GValue * value, GParamSpec * pspec)
{
  session_host_set (&GST_RTP_ARC_BWE_CAST (object)->host, id - FIRST_ID, value, pspec);
}

/* The target of the encoders; without one, the rate to begin with. */
static void
get_property (GObject * object, guint id, GValue * value, GParamSpec * pspec)
{
  SessionHost *host = &GST_RTP_ARC_BWE_CAST (object)->host;
  guint target_bps = session_host_get_target_bps (host);

  if (id == FIRST_ID + SESSION_PROPERTY_START_BITRATE && target_bps > 0)
    g_value_set_uint (value, target_bps);
  else
    session_host_get (host, id - FIRST_ID, value);
}

static void
notify (GObject * object, GParamSpec * pspec)
{
  session_host_on_notify (&GST_RTP_ARC_BWE_CAST (object)->host, pspec);
}

void
gst_rtp_arc_bwe_install_properties (GObjectClass * klass)
{
  const PropertyRow start = SESSION_PROPERTY_START ("estimated-bitrate", "Estimated bitrate",
      PROPERTY_READY, LEAST_BPS, "Current target of the encoders in bit/s of media, headers "
      "excluded; notified on change. Set in NULL or READY: initial sending rate in bit/s, headers "
      "included");

  klass->set_property = set_property;
  klass->get_property = get_property;
  klass->notify = notify;
  session_properties_install (klass, FIRST_ID, &start, gst_rtp_arc_bwe_host_funcs.renumber);
}
