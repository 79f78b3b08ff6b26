/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What the pacing threads cannot do any more (pacing/overload.h) is said, and nobody is let in to
 * it. */

#include "gstarcserversinkprivate.h"

#include "base/clockglue.h"
#include "pacing/pacingengine.h"

#define LOOK_INTERVAL (250 * RC_MSEC)

static void
warn (GstArcServerSink * self, const PacingLoad * load)
{
  JoinCounts counts;

  join_server_get_stats (self->join, &counts);
  GST_ELEMENT_WARNING (self, RESOURCE, BUSY, ("the CPU is full: packets leave %u ms late, %u of %u "
          "viewers get no media for now, and who calls is told to call later: send less (the "
          "encoder's bitrate, max-viewers), give this process more of the CPU, or serve some from "
          "a second machine", (guint) (load->lag / RC_MSEC), MIN (load->aside, counts.now),
          counts.now), (NULL));
}

gboolean
gst_arc_server_sink_look_at_load (GstArcServerSink * self)
{
  PacingLoad load;
  gboolean begins;

  pacing_engine_get_load (&load);
  g_mutex_lock (&self->lock);
  begins = load.bound && !self->burdened;
  self->burdened = load.bound;
  g_mutex_unlock (&self->lock);
  if (begins)
    warn (self, &load);
  return load.bound;
}

void
gst_arc_server_sink_watch_load (GstArcServerSink * self)
{
  RcTime now = clock_glue_monotonic ();
  gboolean due;

  g_mutex_lock (&self->lock);
  due = now - self->looked_at >= LOOK_INTERVAL;
  if (due)
    self->looked_at = now;
  g_mutex_unlock (&self->lock);
  if (due)
    gst_arc_server_sink_look_at_load (self);
}
