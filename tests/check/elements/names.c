/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What gst-inspect-1.0 and the reference tell of each element's statistics is what the element
 * gives: every field with its type, and none that there is not. */
#include <gst/check/gstharness.h>

#include "claim.h"
#include "structures.h"

static const gchar *const elements[] = { "rmcsink", "arcsrc", "arcreceiver", "rampscheduler",
    "rcprelay", "rtparcbwe", "arcscale", "arcladder", "arcserversink" };

/* One packet of one source. */
static void
receive_packet (GstElement * receiver)
{
  static const guint8 rtp[] = { 0x80, 96, 0, 1, 0, 0, 0, 1, 0, 0, 0, 7, 0 };
  TORN_DOWN GstHarness *h = gst_harness_new_with_element (receiver, "sink", "src");

  gst_harness_set_src_caps_str (h, "application/x-rtp");
  gst_harness_push (h, gst_buffer_new_memdup (rtp, sizeof (rtp)));
}

/* With all fields: statistics of the senders come from a session, the others' parts from what they
 * have met. law: NULL: as it is. */
static GstStructure *
stats_of (const gchar * name, const gchar * law)
{
  g_autoptr (GstElement) element = gst_element_factory_make (name, NULL);
  GstStructure *stats = NULL;

  fail_unless (element != NULL);
  if (law)
    gst_util_set_object_arg (G_OBJECT (element), "congestion-control", law);
  if (g_str_equal (name, "rmcsink") || g_str_equal (name, "rtparcbwe"))
    gst_element_set_state (element, GST_STATE_PAUSED);
  if (g_str_equal (name, "rampscheduler"))
    gst_object_unref (gst_element_request_pad_simple (element, "sink_0"));
  if (g_str_equal (name, "arcreceiver"))
    receive_packet (element);
  g_object_get (element, "stats", &stats, NULL);
  gst_element_set_state (element, GST_STATE_NULL);
  return stats;
}

static GPtrArray *
description_of (const gchar * name)
{
  g_autoptr (GstElementFactory) factory = gst_element_factory_find (name);
  GPtrArray *structures = structures_of (factory, "Statistics");

  return structures;
}

CLAIMS (test_stats_are_named_by_the_type_of_their_element, G_N_ELEMENTS (elements))
{
  const gchar *name = elements[__i__];
  g_autoptr (GstStructure) stats = stats_of (name, NULL);
  g_autoptr (GstElement) element = gst_element_factory_make (name, NULL);
  g_autofree gchar *expected = g_strconcat (G_OBJECT_TYPE_NAME (element), "Stats", NULL);

  fail_unless_equals_string (gst_structure_get_name (stats), expected);
}

static const gchar *
short_type (const GValue * value)
{
  if (GST_VALUE_HOLDS_STRUCTURE (value))
    return "structure";
  if (GST_VALUE_HOLDS_ARRAY (value))
    return "array";
  if (G_VALUE_HOLDS_STRING (value))
    return "string";
  return G_VALUE_TYPE_NAME (value) + 1; /* without GLib's g */
}

static void fail_unless_described (const GstStructure * stats, const GPtrArray * description);

static void
fail_unless_inner_described (const GValue * value, const GPtrArray * description)
{
  if (GST_VALUE_HOLDS_ARRAY (value)) {
    for (guint i = 0; i < gst_value_array_get_size (value); i++)
      fail_unless_inner_described (gst_value_array_get_value (value, i), description);
  } else if (GST_VALUE_HOLDS_STRUCTURE (value)) {
    const GstStructure *inner = gst_value_get_structure (value);

    if (g_str_has_prefix (gst_structure_get_name (inner), "Gst"))
      fail_unless_described (inner, description);
  }
}

static void
fail_unless_described (const GstStructure * stats, const GPtrArray * description)
{
  const gchar *name = gst_structure_get_name (stats);
  const Structure *structure = structures_find (description, name);

  fail_unless (structure != NULL, "%s is not described", name);
  for (gint i = 0; i < gst_structure_n_fields (stats); i++) {
    const gchar *key = gst_structure_nth_field_name (stats, (guint) i);
    const GValue *value = gst_structure_get_value (stats, key);
    const Field *field = structure_find_field (structure,
        g_str_has_prefix (key, "sink_") ? "sink_N" : key);

    fail_unless (field != NULL, "%s: %s has no row (gst/base/fields.h)", name, key);
    fail_unless (g_str_equal (field->type, short_type (value)), "%s: %s is %s, not %s", name, key,
        short_type (value), field->type);
    fail_unless_inner_described (value, description);
  }
}

CLAIMS (test_every_signal_is_described, G_N_ELEMENTS (elements))
{
  g_autoptr (GstElement) element = gst_element_factory_make (elements[__i__], NULL);
  g_autoptr (GPtrArray) texts = structures_of (gst_element_get_factory (element), "Signals");
  guint n;
  g_autofree guint *ids = g_signal_list_ids (G_OBJECT_TYPE (element), &n);

  for (guint i = 0; i < n; i++)
    fail_unless (structures_find (texts, g_signal_name (ids[i])) != NULL, "%s: %s",
        elements[__i__], g_signal_name (ids[i]));
}

CLAIMS (test_every_field_of_the_statistics_is_described_with_its_type, G_N_ELEMENTS (elements))
{
  const gchar *name = elements[__i__];
  g_autoptr (GPtrArray) description = description_of (name);
  g_autoptr (GstStructure) stats = stats_of (name, NULL);

  fail_unless (gst_structure_n_fields (stats) > 5);
  fail_unless_described (stats, description);
}

/* Fields of laws are those of the law that decides. */
static gboolean
may_be_absent (const Field * field)
{
  return strstr (field->text, "absent") || g_str_equal (field->name, "sink_N")
      || g_str_has_prefix (field->name, "law-");
}

CLAIMS (test_every_field_that_is_described_is_there, G_N_ELEMENTS (elements))
{
  const gchar *name = elements[__i__];
  g_autoptr (GPtrArray) description = description_of (name);
  g_autoptr (GstStructure) stats = stats_of (name, NULL);
  const Structure *structure = structures_find (description, gst_structure_get_name (stats));

  for (guint i = 0; i < structure->fields->len; i++) {
    const Field *field = structure->fields->pdata[i];

    fail_unless (may_be_absent (field) || gst_structure_has_field (stats, field->name),
        "%s: there is no field %s", name, field->name);
  }
}

CLAIM (test_a_name_has_one_unit_in_all_elements)
{
  GHashTable *units = g_hash_table_new (g_str_hash, g_str_equal);
  GPtrArray *descriptions[G_N_ELEMENTS (elements)];

  for (guint e = 0; e < G_N_ELEMENTS (elements); e++) {
    descriptions[e] = description_of (elements[e]);
    for (guint i = 0; i < descriptions[e]->len; i++) {
      const Structure *structure = descriptions[e]->pdata[i];

      for (guint j = 0; j < structure->fields->len; j++) {
        const Field *field = structure->fields->pdata[j];
        const gchar *unit = g_hash_table_lookup (units, field->name);

        fail_unless (unit == NULL || g_strcmp0 (unit, field->unit) == 0, "%s: %s is in %s, and in "
            "%s elsewhere", structure->name, field->name, field->unit, unit);
        g_hash_table_insert (units, field->name, field->unit);
      }
    }
  }
  fail_unless (g_hash_table_size (units) > 100);
  g_hash_table_unref (units);
  for (guint e = 0; e < G_N_ELEMENTS (elements); e++)
    g_ptr_array_unref (descriptions[e]);
}
