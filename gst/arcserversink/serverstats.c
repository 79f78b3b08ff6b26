/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "gstarcserversinkprivate.h"

#include "pacing/pacingengine.h"

#include <gst/arc/arc.h>

GST_DEBUG_CATEGORY (gst_arc_server_sink_debug);

typedef struct
{
  guint target_bps;
  RcTime served_for;
} ViewerStats;

static const FieldRow fields[] = {
  FIELD_GAUGE (JoinCounts, now, "viewers-now", "", "viewers that are served"),
  FIELD_COUNTER (JoinCounts, joined, "viewers-joined", "", "viewers that were accepted"),
  FIELD_COUNTER (JoinCounts, left, "viewers-left", "", "viewers that said that they leave"),
  FIELD_COUNTER (JoinCounts, lost, "viewers-lost", "",
      "viewers that were silent or unreachable, or whose sinks failed"),
  FIELD_COUNTER (JoinCounts, put_off, "calls-put-off", "",
      "calls put off because the CPU was full"),
  FIELD_COUNTER (JoinCounts, full, "calls-full", "",
      "calls put off because max-viewers, or half of it at one host, were served"),
  FIELD_OWN (FIELD_STRING, "last-refusal",
      "address and stream id of who was refused last, and why, after \"later:\" if it was put "
      "off; absent: nobody"),
  FIELD_OWN (FIELD_ARRAY, "viewers", "of each viewer its address, stream id and statistics"),
  {NULL}
};

static const FieldRow load_fields[] = {
  FIELD_GAUGE (PacingLoad, bound, "cpu-bound", "", "the CPU is full: nobody more is let in"),
  FIELD_GAUGE (PacingLoad, aside, "viewers-aside", "",
      "viewers of this process without media at present because the CPU is full"),
  FIELD_GAUGE (PacingLoad, lag, "pacing-lag", "ns",
      "how late packets leave, mean of the last quarter of a second"),
  {NULL}
};

static const FieldRow viewer_fields[] = {
  FIELD_OWN (FIELD_STRING, "address", "address and port"),
  FIELD_OWN (FIELD_STRING, "streamid", "as it called; empty: none"),
  FIELD_OWN (FIELD_STRING, "pad", "source pad of the splitter; absent: there is none"),
  FIELD_GAUGE (ViewerStats, served_for, "served-for", "ns", "time since it called"),
  FIELD_BITRATE (ViewerStats, target_bps, "target-bitrate",
      "target for what it is sent, media only"),
  FIELD_OWN (FIELD_STRUCTURE, "sink", "the statistics of its rmcsink"),
  {NULL}
};

void
gst_arc_server_sink_describe_stats (GstElementClass * klass)
{
  const FieldStructure structures[] = {
    {GST_ARC_SERVER_SINK_STATS, "property stats", {fields, load_fields, join_fields}},
    {GST_ARC_SERVER_SINK_VIEWER_STATS, "one viewer, in the field viewers", {viewer_fields}},
    {NULL}
  };

  fields_describe (klass, structures);
  fields_join (klass, GST_TYPE_RMC_SINK);
}

static void
add_pad (GstStructure * viewer, GstElement * sink)
{
  GstPad *sinkpad = gst_element_get_static_pad (sink, "sink"), *pad = gst_pad_get_peer (sinkpad);
  gchar *name = pad ? gst_pad_get_name (pad) : NULL;

  if (name)
    gst_structure_set (viewer, "pad", G_TYPE_STRING, name, NULL);
  g_free (name);
  gst_clear_object (&pad);
  gst_object_unref (sinkpad);
}

static GstStructure *
describe (JoinGuest * guest)
{
  gchar *address = join_guest_address (guest);
  GstStructure *stats, *one;
  ViewerStats own;

  g_object_get (guest->owner, "stats", &stats, "target-bitrate", &own.target_bps, NULL);
  one = gst_structure_new (GST_ARC_SERVER_SINK_VIEWER_STATS, "address", G_TYPE_STRING, address,
      "streamid", G_TYPE_STRING, guest->stream_id, "sink", GST_TYPE_STRUCTURE, stats, NULL);
  own.served_for = (g_get_monotonic_time () - guest->called_at) * RC_USEC;
  fields_add (one, viewer_fields, &own);
  add_pad (one, GST_ELEMENT (guest->owner));
  gst_structure_free (stats);
  g_free (address);
  return one;
}

static void
add_viewers (GstArcServerSink * self, GstStructure * s)
{
  GPtrArray *guests = join_server_list (self->join);
  GValue array = G_VALUE_INIT, value = G_VALUE_INIT;

  g_value_init (&array, GST_TYPE_ARRAY);
  g_value_init (&value, GST_TYPE_STRUCTURE);
  for (guint i = 0; i < guests->len; i++) {
    g_value_take_boxed (&value, describe (g_ptr_array_index (guests, i)));
    gst_value_array_append_value (&array, &value);
  }
  g_value_unset (&value);
  gst_structure_take_value (s, "viewers", &array);
  g_ptr_array_unref (guests);
}

GstStructure *
gst_arc_server_sink_create_stats (GstArcServerSink * self)
{
  GstStructure *s = NULL;
  JoinCounts counts;
  PacingLoad load;
  JoinStats calls;
  gchar *refusal;

  g_mutex_lock (&self->lock);
  if (join_server_port (self->join) == 0 && self->last_stats)
    s = gst_structure_copy (self->last_stats);
  g_mutex_unlock (&self->lock);
  if (s)
    return s;
  calls = join_server_get_stats (self->join, &counts);
  s = gst_structure_new_empty (GST_ARC_SERVER_SINK_STATS);
  fields_add (s, fields, &counts);
  pacing_engine_get_load (&load);
  fields_add (s, load_fields, &load);
  fields_add (s, join_fields, &calls);
  refusal = join_server_dup_refusal (self->join);
  if (refusal)
    gst_structure_set (s, "last-refusal", G_TYPE_STRING, refusal, NULL);
  g_free (refusal);
  add_viewers (self, s);
  return s;
}
