/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "streamjson.h"

#include "fieldvalue.h"

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

gchar *
stream_json (StreamTable * streams)
{
  GPtrArray *list = stream_table_list (streams);
  JsonArray *array = json_array_sized_new (list->len);
  JsonNode *root = json_node_new (JSON_NODE_ARRAY);
  gchar *text;
  guint i;

  for (i = 0; i < list->len; i++) {
    const Stream *stream = g_ptr_array_index (list, i);
    JsonNode *node = node_of_structure (stream->snapshot);

    json_object_set_string_member (json_node_get_object (node), "key", stream->key);
    json_object_set_member (json_node_get_object (node), "log", node_of_log (&stream->log));
    json_array_add_element (array, node);
  }
  json_node_take_array (root, array);
  text = json_to_string (root, FALSE);
  json_node_unref (root);
  g_ptr_array_unref (list);
  return text;
}
