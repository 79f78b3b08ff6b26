/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The statistics, also as messages: by the system's clock, so that they come in silence too. One
 * thread watches the time and another posts: a message handler may change our state, which waits
 * for the first. While a message is being handled no second is posted. */

#include "gstarcsrcprivate.h"

#include "arcreceiver/meter.h"
#include "base/clockglue.h"

#include <gst/arc/arc.h>

static const FieldRow fields[] = {
  FIELD_COUNTER (GstArcSrc, sealed_pkts, "packets-encrypted", "",
      "packets dropped because the sender has an srtp-key and this element has none"),
  FIELD_COUNTER (GstArcSrc, misfit_pkts, "packets-misfit", "",
      "packets dropped because nothing downstream takes the format that the sender announces"),
  FIELD_COUNTER (GstArcSrc, playout.changes, "latency-changes", "",
      "changes of the jitter buffer's latency by adapt-latency"),
  {NULL}
};

void
gst_arc_src_describe_stats (GstElementClass * klass)
{
  const FieldStructure structures[] = {
    {GST_ARC_SRC_STATS, "property stats", {METER_TABLES, peer_fields_now, peer_fields, fields,
            secure_fields}},
    METER_SOURCE_STRUCTURE,
    {NULL}
  };

  fields_describe (klass, structures);
}

GstStructure *
gst_arc_src_create_stats (GstArcSrc * self)
{
  GstStructure *stats;

  g_object_get (self->receiver, "stats", &stats, NULL);
  gst_structure_set_name (stats, GST_ARC_SRC_STATS);
  peer_add_stats (&self->peer, stats);
  GST_OBJECT_LOCK (self);
  fields_add (stats, fields, self);
  GST_OBJECT_UNLOCK (self);
  return stats;
}

static void
post_stats (GstElement * element, gpointer user_data)
{
  GstArcSrc *self = GST_ARC_SRC_CAST (element);

  gst_element_post_message (element,
      gst_message_new_element (GST_OBJECT (self), gst_arc_src_create_stats (self)));
  g_atomic_int_set (&self->posting_stats, FALSE);
}

static RcTime
on_due (gpointer user_data)
{
  GstArcSrc *self = user_data;
  RcTime now = clock_glue_from_gst (gst_clock_get_time (self->stats_clock)), next_at = RC_TIME_NONE;
  gboolean due = FALSE;
  RcTime interval;

  GST_OBJECT_LOCK (self);
  interval = clock_glue_from_gst (self->stats_interval);
  if (interval > 0) {
    due = self->stats_at != RC_TIME_NONE && now >= self->stats_at;
    if (self->stats_at == RC_TIME_NONE)
      self->stats_at = now + interval;
    else if (due)
      self->stats_at = MAX (self->stats_at, now - interval) + interval;
    next_at = self->stats_at;
  }
  GST_OBJECT_UNLOCK (self);
  if (due && g_atomic_int_compare_and_exchange (&self->posting_stats, FALSE, TRUE))
    gst_element_call_async (GST_ELEMENT (self), post_stats, NULL, NULL);
  return next_at;
}

static RcTime
report_lanes (gpointer user_data)
{
  return peer_report_lanes (&((GstArcSrc *) user_data)->peer);
}

void
gst_arc_src_init_stats (GstArcSrc * self)
{
  self->stats_clock = gst_system_clock_obtain ();
  self->stats_at = RC_TIME_NONE;
  reporter_init (&self->stats_reporter, on_due, self);
  reporter_set_clock (&self->stats_reporter, self->stats_clock);
  reporter_init (&self->lane_reporter, report_lanes, self);
  reporter_set_clock (&self->lane_reporter, self->stats_clock);
}

void
gst_arc_src_clear_stats (GstArcSrc * self)
{
  reporter_clear (&self->stats_reporter);
  reporter_clear (&self->lane_reporter);
  gst_clear_object (&self->stats_clock);
}

void
gst_arc_src_restart_stats (GstArcSrc * self)
{
  GST_OBJECT_LOCK (self);
  self->stats_at = RC_TIME_NONE;
  GST_OBJECT_UNLOCK (self);
  reporter_wake_by (&self->stats_reporter, 0);
}

gboolean
gst_arc_src_start_stats (GstArcSrc * self)
{
  GError *error = NULL;
  gboolean ok;

  GST_OBJECT_LOCK (self);
  self->stats_at = RC_TIME_NONE;
  GST_OBJECT_UNLOCK (self);
  ok = reporter_start (&self->stats_reporter, &error)
      && reporter_start (&self->lane_reporter, &error);
  if (!ok)
    GST_ELEMENT_ERROR (self, RESOURCE, FAILED,
        ("Cannot start the threads for statistics and reports: %s", error->message), (NULL));
  g_clear_error (&error);
  return ok;
}

void
gst_arc_src_stop_stats (GstArcSrc * self)
{
  reporter_ask_to_stop (&self->stats_reporter);
  reporter_join (&self->stats_reporter);
  reporter_ask_to_stop (&self->lane_reporter);
  reporter_join (&self->lane_reporter);
}
