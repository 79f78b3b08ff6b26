/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "gstarcserversinkprivate.h"

#include <gst/arc/arc.h>

GST_DEBUG_CATEGORY (gst_arc_server_sink_debug);

/* What of the table the statistics need, so that no sink is asked under the lock. */
typedef struct
{
  GstRmcSink *sink;
  gchar *address, *stream_id;
  guint target_bps;
} Guest;

static const FieldRow fields[] = {
  FIELD_GAUGE (ServerCounts, viewers, "viewers-now", "", "viewers that are served"),
  FIELD_COUNTER (ServerCounts, joined, "viewers-joined", "", "viewers that were accepted"),
  FIELD_COUNTER (ServerCounts, left, "viewers-left", "", "viewers that said that they leave"),
  FIELD_COUNTER (ServerCounts, lost, "viewers-lost", "",
      "viewers dropped because they were silent or could not be reached, or their sinks failed"),
  FIELD_OWN (FIELD_ARRAY, "viewers", "of each viewer its address, stream id and statistics"),
  {NULL}
};

static const FieldRow viewer_fields[] = {
  FIELD_OWN (FIELD_STRING, "address", "address and port"),
  FIELD_OWN (FIELD_STRING, "streamid", "as it called; empty: none"),
  FIELD_BITRATE (Guest, target_bps, "target-bitrate", "target for what it is sent, media only"),
  FIELD_OWN (FIELD_STRUCTURE, "sink", "the statistics of its rmcsink"),
  {NULL}
};

void
gst_arc_server_sink_describe_stats (GstElementClass * klass)
{
  const FieldStructure structures[] = {
    {GST_ARC_SERVER_SINK_STATS, "property stats", {fields, join_fields}},
    {GST_ARC_SERVER_SINK_VIEWER_STATS, "one viewer, in the field viewers", {viewer_fields}},
    {NULL}
  };

  fields_describe (klass, structures);
}

static void
guest_clear (gpointer data)
{
  Guest *guest = data;

  g_object_unref (guest->sink);
  g_free (guest->address);
  g_free (guest->stream_id);
}

static GArray *
list_guests (GstArcServerSink * self)
{
  GArray *guests = g_array_new (FALSE, FALSE, sizeof (Guest));
  GHashTableIter iter;
  ServerViewer *viewer;

  g_array_set_clear_func (guests, guest_clear);
  g_hash_table_iter_init (&iter, self->viewers);
  while (g_hash_table_iter_next (&iter, NULL, (gpointer *) & viewer)) {
    Guest guest = { g_object_ref (viewer->sink),
      g_socket_connectable_to_string (G_SOCKET_CONNECTABLE (viewer->from)),
      g_strdup (viewer->stream_id), 0
    };

    g_array_append_val (guests, guest);
  }
  return guests;
}

static void
add_guests (GArray * guests, GstStructure * s)
{
  GValue array = G_VALUE_INIT, value = G_VALUE_INIT;

  g_value_init (&array, GST_TYPE_ARRAY);
  g_value_init (&value, GST_TYPE_STRUCTURE);
  for (guint i = 0; i < guests->len; i++) {
    Guest *guest = &g_array_index (guests, Guest, i);
    GstStructure *stats, *one;

    g_object_get (guest->sink, "stats", &stats, "target-bitrate", &guest->target_bps, NULL);
    one = gst_structure_new (GST_ARC_SERVER_SINK_VIEWER_STATS, "address", G_TYPE_STRING,
        guest->address, "streamid", G_TYPE_STRING, guest->stream_id, "sink", GST_TYPE_STRUCTURE,
        stats, NULL);
    fields_add (one, viewer_fields, guest);
    gst_structure_free (stats);
    g_value_take_boxed (&value, one);
    gst_value_array_append_value (&array, &value);
  }
  g_value_unset (&value);
  gst_structure_take_value (s, "viewers", &array);
}

GstStructure *
gst_arc_server_sink_create_stats (GstArcServerSink * self)
{
  GstStructure *s;
  JoinStats calls = { 0 };
  ServerCounts counts;
  GArray *guests;

  g_mutex_lock (&self->lock);
  if (!self->listener && self->last_stats) {
    s = gst_structure_copy (self->last_stats);
    g_mutex_unlock (&self->lock);
    return s;
  }
  guests = list_guests (self);
  counts = self->counts;
  if (self->listener)
    calls = join_listener_stats (self->listener);
  g_mutex_unlock (&self->lock);
  s = gst_structure_new_empty (GST_ARC_SERVER_SINK_STATS);
  fields_add (s, fields, &counts);
  fields_add (s, join_fields, &calls);
  add_guests (guests, s);
  g_array_unref (guests);
  return s;
}
