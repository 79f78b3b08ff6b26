/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What the user set, as the session wants it. */

#include "gstrmcsinkprivate.h"

#include "session/lawsettings.h"
#include "session/sessionsettings.h"

GST_DEBUG_CATEGORY (gst_rmc_sink_debug);

#include <rc/law/fixed.h>

/* What nobody set gives way to what the user set. */
static RcLimits
wanted_limits (const SinkSettings * s)
{
  RcLimits limits = { s->min_bps, s->start_bps, s->max_bps };

  if (!s->max_set) {
    limits.max_bps = MAX (limits.max_bps, s->min_set ? s->min_bps : 0);
    limits.max_bps = MAX (limits.max_bps, s->start_set ? s->start_bps : 0);
  }
  if (!s->min_set) {
    limits.min_bps = MIN (limits.min_bps, limits.max_bps);
    limits.min_bps = MIN (limits.min_bps, s->start_set ? s->start_bps : limits.max_bps);
  }
  return limits;
}

RcLimits
gst_rmc_sink_get_limits (GstRmcSink * self, gchar ** warning)
{
  const SinkSettings *s = &self->settings;
  RcLimits limits = wanted_limits (s);
  guint start = s->start_bps;

  *warning = session_settings_settle_limits (&limits);
  /* While it plays only `fixed` goes by it. */
  if (*warning || limits.start_bps == start || !s->start_set
      || (self->session && law_settings_get_law (s->law) != &rc_fixed_law))
    return limits;
  if (start > limits.max_bps)
    *warning = g_strdup_printf ("start-bitrate %u is above max-bitrate %u, which holds", start,
        s->max_bps);
  else
    *warning = g_strdup_printf ("start-bitrate %u is below min-bitrate %u, which holds", start,
        s->min_bps);
  return limits;
}
