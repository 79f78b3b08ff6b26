/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The source pad: its activation, and what comes from downstream. */

#include "gstrampschedulerprivate.h"

#include "base/clockglue.h"
#include "encoder/encoderwalk.h"

#include <gst/arc/arc.h>
#include <gst/video/video.h>

#define SCHEDULER(parent) ((GstRampScheduler *) (parent))

/* What it said may not hold for the next. */
static void
forget_sink (GstRampScheduler * self)
{
  self->told_bps = 0;
  ramp_pacing_set_lent (&self->pacing, NULL);
  gst_ramp_scheduler_update_budget (self);
}

static void
on_unlinked (GstPad * pad, GstPad * peer, gpointer user_data)
{
  GstRampScheduler *self = user_data;

  g_mutex_lock (&self->lock);
  forget_sink (self);
  g_mutex_unlock (&self->lock);
}

static gboolean
gst_ramp_scheduler_activate_src (GstPad * pad, GstObject * parent, GstPadMode mode, gboolean active)
{
  GstRampScheduler *self = SCHEDULER (parent);

  if (mode != GST_PAD_MODE_PUSH)
    return FALSE;
  g_mutex_lock (&self->lock);
  self->active = active;
  if (active) {
    gst_ramp_scheduler_flush_reset (self);
    gst_ramp_scheduler_restart (self);
    self->need_start = TRUE;
  } else {
    g_cond_broadcast (&self->room);
    g_cond_broadcast (&self->work);
  }
  forget_sink (self);
  g_mutex_unlock (&self->lock);
  if (!active)
    return gst_pad_stop_task (pad);
  gst_ramp_scheduler_start_task (self);
  return TRUE;
}

/* --- from downstream --- */

/* Of rmcsink: what the network carries, headers included, and its latency. Of others: what all
 * streams may make. */
static void
take_target (GstRampScheduler * self, const GstStructure * s)
{
  guint64 latency = 0;
  guint bps = 0;

  if (!gst_structure_get_uint (s, "network-bitrate", &bps))
    gst_structure_get_uint (s, "bitrate", &bps);
  g_mutex_lock (&self->lock);
  self->told_cause = encoder_orders_read_cause (s);
  if (bps > 0 && bps != self->told_bps) {
    self->told_bps = bps;
    gst_ramp_scheduler_update_budget (self);
  }
  if (gst_structure_get_uint64 (s, "latency", &latency) && latency != self->told_latency) {
    self->told_latency = latency;
    gst_ramp_scheduler_update_latency (self);
  }
  g_mutex_unlock (&self->lock);
}

/* Another element follows now, or the same again: as GstQueue does. */
static void
begin_anew_if_unlinked (GstRampScheduler * self)
{
  g_mutex_lock (&self->lock);
  self->relinked = TRUE;
  if (self->active && !self->flush.told && self->flow_return == GST_FLOW_NOT_LINKED) {
    self->flow_return = GST_FLOW_OK;
    gst_ramp_scheduler_start_task (self);
  }
  g_mutex_unlock (&self->lock);
}

/* What an upstream event GstForceKeyUnit requests of one of the pads; with the lock. FALSE: it is
 * for all streams. */
static gboolean
request_keyframe (GPtrArray * pads, const GstStructure * event, RcTime now)
{
  guint ssrc;

  if (!gst_structure_get_uint (event, "ssrc", &ssrc))
    return FALSE;
  for (guint i = 0; i < pads->len; i++) {
    GstRampPad *pad = pads->pdata[i];

    if (!pad->audio && send_queue_has_media (pad->queue, ssrc))
      send_queue_request_keyframe (pad->queue, ssrc, RC_TIME_NONE, now);
  }
  return TRUE;
}

/* FALSE: it is for all streams. */
static gboolean
take_keyframe_request (GstRampScheduler * self, const GstStructure * s)
{
  gboolean taken;

  g_mutex_lock (&self->lock);
  taken = request_keyframe (self->source.pads, s, clock_glue_monotonic ());
  work_turns_schedule (&self->tellings);
  g_mutex_unlock (&self->lock);
  return taken;
}

static gboolean
seek_flushes (GstEvent * event)
{
  GstSeekFlags flags;

  gst_event_parse_seek (event, NULL, NULL, &flags, NULL, NULL, NULL, NULL);
  return (flags & GST_SEEK_FLAG_FLUSH) != 0;
}

static gboolean
gst_ramp_scheduler_src_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  if (GST_EVENT_TYPE (event) == GST_EVENT_CUSTOM_UPSTREAM
      && gst_event_has_name (event, GST_ARC_TARGET_BITRATE)) {
    take_target (SCHEDULER (parent), gst_event_get_structure (event));
    gst_event_unref (event);
    return TRUE;
  }
  if (gst_video_event_is_force_key_unit (event) && take_keyframe_request (SCHEDULER (parent),
          gst_event_get_structure (event))) {
    gst_event_unref (event);
    return TRUE;
  }
  if (GST_EVENT_TYPE (event) == GST_EVENT_SEEK && seek_flushes (event))
    return gst_ramp_scheduler_seek (SCHEDULER (parent), event);
  if (GST_EVENT_TYPE (event) == GST_EVENT_RECONFIGURE)
    begin_anew_if_unlinked (SCHEDULER (parent));
  return gst_pad_event_default (pad, parent, event);
}

/* As gst_pad_query_default(), which fails altogether if the query of one stream fails. */
static gboolean
add_latency (GstPad * pad, GstQuery * sum)
{
  GstQuery *query = gst_query_new_latency ();
  gboolean known = gst_pad_peer_query (pad, query), live, sum_live;
  GstClockTime min, max, sum_min, sum_max;

  gst_query_parse_latency (query, &live, &min, &max);
  gst_query_unref (query);
  if (!known || !live)
    return known;
  gst_query_parse_latency (sum, &sum_live, &sum_min, &sum_max);
  gst_query_set_latency (sum, TRUE, MAX (min, sum_min), MIN (max, sum_max));
  return TRUE;
}

/* A packet waits here for at most the queue's time. */
static gboolean
query_latency (GstRampScheduler * self, GstQuery * query)
{
  GstClockTime min, max = GST_CLOCK_TIME_NONE;
  gboolean live, known = FALSE;
  GPtrArray *pads = g_ptr_array_new_with_free_func (gst_object_unref);

  g_mutex_lock (&self->lock);
  for (guint i = 0; i < self->source.pads->len; i++)
    g_ptr_array_add (pads, gst_object_ref (self->source.pads->pdata[i]));
  g_mutex_unlock (&self->lock);
  gst_query_set_latency (query, FALSE, 0, GST_CLOCK_TIME_NONE);
  for (guint i = 0; i < pads->len; i++)
    known |= add_latency (pads->pdata[i], query);
  g_ptr_array_unref (pads);
  gst_query_parse_latency (query, &live, &min, &max);
  g_mutex_lock (&self->lock);
  if (GST_CLOCK_TIME_IS_VALID (max))
    max += clock_glue_to_gst (self->source.max_queue_time);
  g_mutex_unlock (&self->lock);
  gst_query_set_latency (query, live, min, max);
  return known;
}

/* A sink that lends its pacer gets each packet when it is due there. All that is known of another
 * is that it blocks. */
static gboolean
meet_sink (GstRampScheduler * self, const GstStructure * s)
{
  guint overhead_bytes;
  Pacer *lent = NULL;

  gst_structure_get (s, "pacer", PACER_TYPE, &lent, NULL);
  g_mutex_lock (&self->lock);
  if (gst_structure_get_uint (s, "overhead", &overhead_bytes))
    ramp_source_set_overhead (&self->source, overhead_bytes, clock_glue_monotonic ());
  ramp_pacing_set_lent (&self->pacing, lent);
  gst_ramp_scheduler_wake (self);
  g_mutex_unlock (&self->lock);
  if (lent)
    g_boxed_free (PACER_TYPE, lent);
  return TRUE;
}

static gboolean
gst_ramp_scheduler_src_query (GstPad * pad, GstObject * parent, GstQuery * query)
{
  if (GST_QUERY_TYPE (query) == GST_QUERY_LATENCY)
    return query_latency (SCHEDULER (parent), query);
  if (GST_QUERY_TYPE (query) == GST_QUERY_CUSTOM
      && gst_structure_has_name (gst_query_get_structure (query), GST_ARC_QUEUES_UPSTREAM))
    return meet_sink (SCHEDULER (parent), gst_query_get_structure (query));
  return gst_pad_query_default (pad, parent, query);
}

void
gst_ramp_scheduler_init_src_pad (GstRampScheduler * self)
{
  gst_pad_set_activatemode_function (self->srcpad, gst_ramp_scheduler_activate_src);
  gst_pad_set_event_function (self->srcpad, gst_ramp_scheduler_src_event);
  gst_pad_set_query_function (self->srcpad, gst_ramp_scheduler_src_query);
  g_signal_connect (self->srcpad, "unlinked", G_CALLBACK (on_unlinked), self);
  encoder_walk_mark_steered (GST_ELEMENT (self));
  gst_pad_use_fixed_caps (self->srcpad);
}
