/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The meter's interface for repairs, beside packets and reports. */

#include "meter.h"

#include "base/clockglue.h"

void
meter_set_latency (Meter * self, GstClockTime latency)
{
  g_mutex_lock (&self->lock);
  repairs_set_pipeline_latency (&self->repairs, clock_glue_from_gst (latency));
  meter_note_latency (self, clock_glue_from_gst (latency));
  g_mutex_unlock (&self->lock);
}

/* adapt-latency sets the latency that repair needs. */
static gboolean
plays (const Meter * self)
{
  for (guint i = 0; i < self->sources.n_sources; i++)
    if (self->sources.sources[i].plays)
      return TRUE;
  return FALSE;
}

gboolean
meter_lacks_latency (Meter * self, RcTime * needed, RcTime * there)
{
  gboolean lacks;

  g_mutex_lock (&self->lock);
  lacks = self->clock && !plays (self) && repairs_lack_latency (&self->repairs,
      clock_glue_from_gst (gst_clock_get_time (self->clock)), needed, there);
  g_mutex_unlock (&self->lock);
  return lacks;
}

void
meter_note_nacks (Meter * self, const RtcpNacks * nacks)
{
  g_mutex_lock (&self->lock);
  if (self->clock)
    repairs_note_nacks (&self->repairs, nacks,
        clock_glue_from_gst (gst_clock_get_time (self->clock)));
  g_mutex_unlock (&self->lock);
}
