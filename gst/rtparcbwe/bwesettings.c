/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What the user sets. */

#include "gstrtparcbweprivate.h"

#include "session/lawsettings.h"
#include "session/sessionsettings.h"

GST_DEBUG_CATEGORY (gst_rtp_arc_bwe_debug);

void
gst_rtp_arc_bwe_init_settings (GstRtpArcBwe * self)
{
  self->settings = (BweSettings) {
    .min_bps = DEFAULT_MIN_BITRATE,
    .start_bps = DEFAULT_START_BITRATE,
    .max_bps = DEFAULT_MAX_BITRATE,
    .law = DEFAULT_LAW,
    .profile = RC_PROFILE_LIVE,
    .adapt_encoder = TRUE,
    .max_delay = DEFAULT_MAX_DELAY,
    .max_queue_time = DEFAULT_MAX_QUEUE_TIME,
  };
}

RcLimits
gst_rtp_arc_bwe_get_limits (GstRtpArcBwe * self, gchar ** warning)
{
  const BweSettings *s = &self->settings;
  RcLimits limits = { s->min_bps, s->start_bps, s->max_bps };

  limits.max_bps = MAX (limits.max_bps, LEAST_BITRATE);
  limits.min_bps = MAX (limits.min_bps, LEAST_BITRATE);
  *warning = session_settings_settle_limits (&limits);
  if (g_atomic_int_get (&self->passive))
    limits.min_bps = limits.start_bps = limits.max_bps;
  return limits;
}
