/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The statistics, also as messages: by the machine's clock, so that they come in silence too. The
 * reporter watches the time and another thread posts: a message handler may change our state, which
 * waits for the first. While a message is being handled no second is posted. */

#include "gstarcsrcprivate.h"

#include "arcreceiver/meter.h"
#include "base/clockglue.h"

#include <gst/arc/arc.h>

static const FieldRow fields[] = {
  FIELD_COUNTER (GstArcSrc, sealed_pkts, "packets-encrypted", "",
      "packets dropped: the sender has an srtp-key, this element has none"),
  FIELD_COUNTER (GstArcSrc, misfit_pkts, "packets-misfit", "",
      "packets dropped: nothing downstream takes the sender's format, or it is unknown"),
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
  RcTime now = clock_glue_monotonic (), next_at = RC_TIME_NONE;
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

void
gst_arc_src_init_stats (GstArcSrc * self)
{
  self->stats_at = RC_TIME_NONE;
  reporter_add (self->reporter, (ReporterTask) { on_due, self, TRUE });
}

void
gst_arc_src_restart_stats (GstArcSrc * self)
{
  GST_OBJECT_LOCK (self);
  self->stats_at = RC_TIME_NONE;
  GST_OBJECT_UNLOCK (self);
  reporter_wake (self->reporter);
}
