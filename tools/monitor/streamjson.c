/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "streamjson.h"

#include "fieldvalue.h"
#include "thumbnail.h"

#include <json-glib/json-glib.h>
#include <math.h>

static JsonNode *
node_of_number (gdouble number)
{
  JsonNode *node;

  if (!isfinite (number))
    return json_node_new (JSON_NODE_NULL);
  node = json_node_new (JSON_NODE_VALUE);
  /* Counters without a decimal point. */
  if (floor (number) == number && fabs (number) < 1e15)
    json_node_set_int (node, (gint64) number);
  else
    json_node_set_double (node, number);
  return node;
}

static JsonNode *node_of_structure (const GstStructure * structure);

static JsonNode *
node_of_array (const GValue * value)
{
  JsonArray *array = json_array_new ();
  JsonNode *node = json_node_new (JSON_NODE_ARRAY);
  guint i;

  for (i = 0; i < gst_value_array_get_size (value); i++) {
    const GValue *item = gst_value_array_get_value (value, i);

    if (GST_VALUE_HOLDS_STRUCTURE (item))
      json_array_add_element (array, node_of_structure (gst_value_get_structure (item)));
  }
  json_node_take_array (node, array);
  return node;
}

static JsonNode *
node_of_value (const GValue * value)
{
  JsonNode *node;
  gchar *text;
  gdouble number;

  if (G_VALUE_HOLDS_BOOLEAN (value)) {
    node = json_node_new (JSON_NODE_VALUE);
    json_node_set_boolean (node, g_value_get_boolean (value));
  } else if (field_value_to_number (value, &number)) {
    node = node_of_number (number);
  } else if (G_VALUE_HOLDS_STRING (value)) {
    text = g_utf8_make_valid (g_value_get_string (value) ? g_value_get_string (value) : "", -1);
    node = json_node_new (JSON_NODE_VALUE);
    json_node_set_string (node, text);
    g_free (text);
  } else if (GST_VALUE_HOLDS_STRUCTURE (value)) {
    node = node_of_structure (gst_value_get_structure (value));
  } else if (GST_VALUE_HOLDS_ARRAY (value)) {
    node = node_of_array (value);
  } else {
    node = json_node_new (JSON_NODE_NULL);
  }
  return node;
}

static gboolean
add_member (GQuark id, const GValue * value, gpointer object)
{
  json_object_set_member (object, g_quark_to_string (id), node_of_value (value));
  return TRUE;
}

static JsonNode *
node_of_structure (const GstStructure * structure)
{
  JsonObject *object = json_object_new ();
  JsonNode *node = json_node_new (JSON_NODE_OBJECT);

  gst_structure_foreach (structure, add_member, object);
  json_node_take_object (node, object);
  return node;
}

/* Newest first. */
static JsonNode *
node_of_log (const EventLog * log)
{
  JsonArray *array = json_array_sized_new (log->events.length);
  JsonNode *node = json_node_new (JSON_NODE_ARRAY);
  GList *item;

  for (item = log->events.tail; item != NULL; item = item->prev)
    json_array_add_element (array, node_of_structure (item->data));
  json_node_take_array (node, array);
  return node;
}

static void
add_thumbnail (JsonObject * stream, gint64 written_at)
{
  JsonObject *object = json_object_new ();

  json_object_set_int_member (object, "at", written_at / 1000);
  json_object_set_int_member (object, "age", MAX (g_get_real_time () - written_at, 0) / 1000);
  json_object_set_object_member (stream, "thumbnail", object);
}

static void
add_alarms (JsonObject * object, const Alarms * alarms, Health health)
{
  JsonArray *names = json_array_new ();

  for (guint i = 0; i < ALARMS; i++)
    if (alarms_name (alarms, i))
      json_array_add_string_element (names, alarms_name (alarms, i));
  json_object_set_string_member (object, "health", health_name (health));
  json_object_set_array_member (object, "alarms", names);
}

static void
add_viewer_alarms (JsonArray * viewers, guint i, JsonNode * node, gpointer stream)
{
  JsonObject *viewer = json_node_get_object (node);
  const gchar *address = json_object_get_string_member_with_default (viewer, "address", "");
  const ViewerAlarms *of =
      address ? g_hash_table_lookup (((const Stream *) stream)->viewers, address) : NULL;

  if (of != NULL)
    add_alarms (viewer, &of->alarms, alarms_health (&of->alarms));
}

static void
add_health (JsonObject * object, const Stream * stream)
{
  JsonNode *stats = json_object_get_member (object, "stats"), *viewers;

  add_alarms (object, &stream->alarms, stream_health (stream));
  if (stream->viewers == NULL || stats == NULL || !JSON_NODE_HOLDS_OBJECT (stats))
    return;
  json_object_set_int_member (object, "viewers-in-trouble", stream_viewers_in_trouble (stream));
  viewers = json_object_get_member (json_node_get_object (stats), "viewers");
  if (viewers != NULL && JSON_NODE_HOLDS_ARRAY (viewers))
    json_array_foreach_element (json_node_get_array (viewers), add_viewer_alarms,
        (gpointer) stream);
}

static JsonNode *
node_of_stream (const Stream * stream, const gchar * thumbnails)
{
  JsonNode *node = node_of_structure (stream->snapshot);
  JsonObject *object = json_node_get_object (node);
  gint64 written_at = thumbnail_written_at (thumbnails, stream);

  json_object_set_string_member (object, "key", stream->key);
  json_object_set_member (object, "log", node_of_log (&stream->log));
  json_object_remove_member (object, "fields");
  add_health (object, stream);
  if (written_at != 0)
    add_thumbnail (object, written_at);
  return node;
}

gchar *
stream_json (StreamTable * streams, const gchar * thumbnails)
{
  GPtrArray *list = stream_table_list (streams);
  JsonArray *array = json_array_sized_new (list->len);
  JsonNode *root = json_node_new (JSON_NODE_ARRAY);
  gchar *text;
  guint i;

  for (i = 0; i < list->len; i++)
    json_array_add_element (array, node_of_stream (g_ptr_array_index (list, i), thumbnails));
  json_node_take_array (root, array);
  text = json_to_string (root, FALSE);
  json_node_unref (root);
  g_ptr_array_unref (list);
  return text;
}
