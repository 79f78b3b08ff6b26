/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "streamtable.h"

#include "fieldvalue.h"
#include "nesting.h"

#include <gst/arc/arc.h>

/* A server is amber from a tenth of its viewers with an alarm on, and red from the half. */
#define AMBER_SHARE 10
#define RED_SHARE 2

static void
stream_free (gpointer data)
{
  Stream *stream = data;

  g_free (stream->key);
  gst_structure_free (stream->snapshot);
  event_log_clear (&stream->log);
  g_clear_pointer (&stream->viewers, g_hash_table_unref);
  g_free (stream);
}

StreamTable *
stream_table_new (void)
{
  StreamTable *self = g_new0 (StreamTable, 1);

  self->streams = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, stream_free);
  return self;
}

void
stream_table_free (StreamTable * self)
{
  g_hash_table_unref (self->streams);
  g_free (self);
}

static gboolean
is_snapshot (const GstStructure * s)
{
  return gst_structure_has_name (s, GST_ARC_MONITOR_SNAPSHOT)
      && gst_structure_has_field_typed (s, "pid", G_TYPE_INT)
      && gst_structure_has_field_typed (s, "process", G_TYPE_STRING)
      && gst_structure_has_field_typed (s, "element", G_TYPE_STRING)
      && gst_structure_has_field_typed (s, "factory", G_TYPE_STRING);
}

/* NULL: it is of no stream. */
static gchar *
key_of (const GstStructure * s)
{
  const gchar *run = gst_structure_get_string (s, "run");
  guint64 id;

  if (run == NULL || !gst_structure_get_uint64 (s, "id", &id))
    return NULL;
  return g_strdup_printf ("%s/%" G_GUINT64_FORMAT, run, id);
}

/* The stream of that key, which may be new; NULL: one too many. */
static Stream *
stream_for (StreamTable * self, const gchar * key)
{
  Stream *stream = g_hash_table_lookup (self->streams, key);

  if (stream == NULL && g_hash_table_size (self->streams) < STREAM_TABLE_MAX) {
    stream = g_new0 (Stream, 1);
    stream->key = g_strdup (key);
    g_hash_table_insert (self->streams, stream->key, stream);
  }
  return stream;
}

static gboolean
is_gone (gpointer address, gpointer viewer, gpointer now)
{
  return ((ViewerAlarms *) viewer)->heard_at != *(gint64 *) now;
}

static void
look_at_viewer (Stream * stream, const GstStructure * viewer, const FieldKinds * kinds, gint64 now)
{
  const gchar *address = gst_structure_get_string (viewer, "address");
  const GValue *sink = gst_structure_get_value (viewer, "sink");
  ViewerAlarms *of;

  if (!address || !sink || !GST_VALUE_HOLDS_STRUCTURE (sink))
    return;
  of = g_hash_table_lookup (stream->viewers, address);
  if (of == NULL) {
    of = g_new0 (ViewerAlarms, 1);
    g_hash_table_insert (stream->viewers, g_strdup (address), of);
  }
  of->heard_at = now;
  alarms_look (&of->alarms, "arcserversink_viewer", gst_value_get_structure (sink), kinds, now);
}

static void
look_at_viewers (Stream * stream, const GValue * viewers, const FieldKinds * kinds, gint64 now)
{
  if (stream->viewers == NULL)
    stream->viewers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  for (guint i = 0; i < gst_value_array_get_size (viewers); i++) {
    const GValue *viewer = gst_value_array_get_value (viewers, i);

    if (GST_VALUE_HOLDS_STRUCTURE (viewer))
      look_at_viewer (stream, gst_value_get_structure (viewer), kinds, now);
  }
  g_hash_table_foreach_remove (stream->viewers, is_gone, &now);
}

static void
look_for_alarms (Stream * stream, gint64 now)
{
  const GstStructure *stats = stream_stats (stream);
  const GValue *viewers = stats ? gst_structure_get_value (stats, "viewers") : NULL;
  FieldKinds kinds;

  if (stats == NULL || !g_str_equal (stream_text (stream, "element-state"), "PLAYING")) {
    stream->alarms = (Alarms) { 0 };
    return;
  }
  field_kinds_init (&kinds, stream->snapshot);
  alarms_look (&stream->alarms, stream_text (stream, "factory"), stats, &kinds, now);
  if (viewers && GST_VALUE_HOLDS_ARRAY (viewers))
    look_at_viewers (stream, viewers, &kinds, now);
  field_kinds_clear (&kinds);
}

/* Takes the snapshot. */
static Stream *
take_snapshot (StreamTable * self, const gchar * key, GstStructure * snapshot, gint64 now)
{
  Stream *stream = stream_for (self, key);

  if (stream == NULL) {
    gst_structure_free (snapshot);
    return NULL;
  }
  changes_note (&stream->changes, stream->snapshot, snapshot,
      (guint64) g_get_real_time () / 1000, &stream->log);
  g_clear_pointer (&stream->snapshot, gst_structure_free);
  stream->snapshot = snapshot;
  stream->heard_at = now;
  look_for_alarms (stream, now);
  return stream;
}

/* Takes the structure. */
static Stream *
take (StreamTable * self, const gchar * key, GstStructure * s, gint64 now)
{
  Stream *stream = NULL;

  if (is_snapshot (s))
    return take_snapshot (self, key, s, now);
  if (gst_structure_has_name (s, GST_ARC_MONITOR_MESSAGE))
    stream = g_hash_table_lookup (self->streams, key);
  if (stream != NULL && !event_log_hear (&stream->log, s))
    stream = NULL;
  gst_structure_free (s);
  return stream;
}

const Stream *
stream_table_take (StreamTable * self, const gchar * text, gint64 now)
{
  GstStructure *s = nesting_is_shallow (text) ? gst_structure_from_string (text, NULL) : NULL;
  gchar *key = s ? key_of (s) : NULL;
  Stream *stream = NULL;

  if (key != NULL)
    stream = take (self, key, s, now);
  else
    g_clear_pointer (&s, gst_structure_free);
  if (stream == NULL)
    self->refused++;
  g_free (key);
  return stream;
}

static gboolean
is_of_run (gpointer key, gpointer stream, gpointer run)
{
  return g_str_equal (stream_text (stream, "run"), run);
}

void
stream_table_forget (StreamTable * self, const gchar * run)
{
  g_hash_table_foreach_remove (self->streams, is_of_run, (gpointer) run);
}

static gboolean
is_silent (gpointer key, gpointer stream, gpointer now)
{
  return *(gint64 *) now - ((Stream *) stream)->heard_at > STREAM_SILENCE;
}

void
stream_table_expire (StreamTable * self, gint64 now)
{
  g_hash_table_foreach_remove (self->streams, is_silent, &now);
}

static gint
compare (gconstpointer a, gconstpointer b)
{
  const GstStructure *one = (*(Stream **) a)->snapshot, *other = (*(Stream **) b)->snapshot;
  gint pid = 0, other_pid = 0, order;
  guint64 id = 0, other_id = 0;

  order = g_strcmp0 (gst_structure_get_string (one, "process"),
      gst_structure_get_string (other, "process"));
  gst_structure_get_int (one, "pid", &pid);
  gst_structure_get_int (other, "pid", &other_pid);
  gst_structure_get_uint64 (one, "id", &id);
  gst_structure_get_uint64 (other, "id", &other_id);
  if (order == 0)
    order = (pid > other_pid) - (pid < other_pid);
  if (order == 0)
    order = (id > other_id) - (id < other_id);
  return order;
}

GPtrArray *
stream_table_list (StreamTable * self)
{
  GPtrArray *list = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer stream;

  g_hash_table_iter_init (&iter, self->streams);
  while (g_hash_table_iter_next (&iter, NULL, &stream))
    g_ptr_array_add (list, stream);
  g_ptr_array_sort (list, compare);
  return list;
}

const gchar *
stream_text (const Stream * self, const gchar * field)
{
  const gchar *text = gst_structure_get_string (self->snapshot, field);

  return text ? text : "";
}

guint
stream_viewers_in_trouble (const Stream * self)
{
  GHashTableIter iter;
  gpointer viewer;
  guint n = 0;

  if (self->viewers == NULL)
    return 0;
  g_hash_table_iter_init (&iter, self->viewers);
  while (g_hash_table_iter_next (&iter, NULL, &viewer))
    n += ((ViewerAlarms *) viewer)->alarms.ringing != 0;
  return n;
}

/* One bad network among many is that viewer's own matter. */
Health
stream_health (const Stream * self)
{
  guint n = self->viewers ? g_hash_table_size (self->viewers) : 0;
  guint bad = stream_viewers_in_trouble (self);
  Health own = alarms_health (&self->alarms);

  if (bad > 0 && bad * RED_SHARE >= n)
    return HEALTH_RED;
  return bad > 0 && bad * AMBER_SHARE >= n ? MAX (own, HEALTH_AMBER) : own;
}

const GstStructure *
stream_stats (const Stream * self)
{
  const GValue *value = gst_structure_get_value (self->snapshot, "stats");

  return value && GST_VALUE_HOLDS_STRUCTURE (value) ? gst_value_get_structure (value) : NULL;
}

gdouble
stream_number (const Stream * self, const gchar * field)
{
  const GstStructure *stats = stream_stats (self);
  const GValue *value = stats ? gst_structure_get_value (stats, field) : NULL;
  gdouble number = 0;

  if (value != NULL)
    field_value_to_number (value, &number);
  return number;
}
