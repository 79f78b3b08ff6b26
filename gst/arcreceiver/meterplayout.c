/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The meter's interface for the latency of the jitter buffer behind. Each source has a latency of
 * its own; the jitter buffers get the largest, since all sinks of a pipeline wait for the largest
 * anyway. */

#include "meter.h"

#include "base/clockglue.h"

void
meter_set_playout (Meter * self, const RcPlayoutParams * params, RcTime latency)
{
  guint i;

  g_mutex_lock (&self->lock);
  self->plays = params != NULL;
  self->playout_begin = latency;
  self->playout_spare = params ? self->playout_spare : 0;
  if (params)
    self->playout_params = *params;
  for (i = 0; i < self->sources.n_sources; i++)
    self->sources.sources[i].playout.params = self->playout_params;
  g_mutex_unlock (&self->lock);
}

/* With the lock held, as the next. */
void
meter_note_played (Meter * self, Source * source, guint32 timestamp, RcTime arrived_at,
    gboolean repair)
{
  if (!self->plays || source->frames.begun == 0)
    return;
  if (!source->plays)
    rc_playout_init (&source->playout, &self->playout_params, self->playout_begin);
  if (!source->plays)
    rc_playout_set_spare (&source->playout, self->playout_spare);
  source->plays = TRUE;
  rc_playout_on_packet (&source->playout, rc_frametimes_media (&source->frames, timestamp),
      arrived_at, repair);
}

void
meter_note_lost (Meter * self, RcTime now)
{
  for (guint i = 0; i < self->sources.n_sources; i++)
    if (self->sources.sources[i].plays)
      rc_playout_on_lost (&self->sources.sources[i].playout, now);
}

/* A stall, or a fall of the capacity, is over by then. */
#define LATE_SPAN (5 * RC_SECOND)
#define LATE_QUANTILE .95
#define LOOK_INTERVAL RC_SECOND /* the quantile of hundreds of frames is not for each report */

/* With the lock held. */
static gboolean
is_late (Meter * self, RcTime * delay, RcTime * there)
{
  if (self->plays)
    return FALSE;
  *there = repairs_latency_there (&self->repairs);
  if (*there == RC_TIME_NONE || *there == 0)
    return FALSE;
  *delay = source_table_frame_delay (&self->sources, LATE_QUANTILE);
  return *delay != RC_TIME_NONE && *delay > *there;
}

gboolean
meter_comes_late (Meter * self, RcTime now, RcTime * delay, RcTime * there)
{
  gboolean late;

  if (self->late_told || now < self->look_at)
    return FALSE;
  self->look_at = now + LOOK_INTERVAL;
  late = is_late (self, delay, there);
  if (!late)
    self->late_since = RC_TIME_NONE;
  else if (self->late_since == RC_TIME_NONE)
    self->late_since = now;
  late = late && now - self->late_since >= LATE_SPAN;
  self->late_told = late;
  return late;
}

MeterPlayout
meter_playout (Meter * self)
{
  MeterPlayout playout = {.latency = RC_TIME_NONE };
  RcTime repair;

  g_mutex_lock (&self->lock);
  playout.now = clock_glue_from_gst (gst_clock_get_time (self->clock));
  playout.events = self->latency_events;
  repair = repairs_needed_latency (&self->repairs, playout.now);
  for (guint i = 0; self->plays && i < self->sources.n_sources; i++) {
    Source *source = &self->sources.sources[i];

    rc_playout_set_repair (&source->playout, repair == RC_TIME_NONE ? 0 : repair);
    if (source->plays && playout.now - source->active_at < SOURCE_TABLE_IDLE)
      playout.latency = MAX (playout.latency, rc_playout_latency (&source->playout, playout.now));
  }
  g_mutex_unlock (&self->lock);
  return playout;
}

void
meter_on_shown (Meter * self, guint32 ssrc, guint32 timestamp, GstClockTime due_at)
{
  Source *source;

  g_mutex_lock (&self->lock);
  source = source_table_find (&self->sources, ssrc);
  if (source && source->plays)
    rc_playout_on_base (&source->playout,
        clock_glue_from_gst (due_at) - rc_frametimes_media (&source->frames, timestamp));
  g_mutex_unlock (&self->lock);
}

/* The event has what all elements need; the rest of it is behind the jitter buffer. */
static void
note_spare (Meter * self, RcTime pipeline)
{
  RcTime jitter = self->repairs.jitter_latency;

  if (!self->plays || jitter == RC_TIME_NONE || pipeline == RC_TIME_NONE)
    return;
  self->playout_spare = MAX (pipeline - jitter, 0);
  for (guint i = 0; i < self->sources.n_sources; i++)
    rc_playout_set_spare (&self->sources.sources[i].playout, self->playout_spare);
}

void
meter_set_latency (Meter * self, GstClockTime latency)
{
  g_mutex_lock (&self->lock);
  self->latency_events++;
  self->repairs.pipeline_latency = clock_glue_from_gst (latency);
  note_spare (self, self->repairs.pipeline_latency);
  g_mutex_unlock (&self->lock);
}

void
meter_set_jitter_latency (Meter * self, RcTime latency)
{
  g_mutex_lock (&self->lock);
  self->repairs.jitter_latency = latency;
  g_mutex_unlock (&self->lock);
}
