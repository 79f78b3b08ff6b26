/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What gst-inspect-1.0 tells of each element: the names and the fields of what it gives to
 * applications. */
#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>

static const gchar *const elements[] = { "rmcsink", "arcsrc", "arcreceiver", "rampscheduler",
    "rcprelay", "rtparcbwe", "arcscale" };

/* One packet of one source. */
static void
receive_packet (GstElement * receiver)
{
  static const guint8 rtp[] = { 0x80, 96, 0, 1, 0, 0, 0, 1, 0, 0, 0, 7, 0 };
  GstHarness *h = gst_harness_new_with_element (receiver, "sink", "src");

  gst_harness_set_src_caps_str (h, "application/x-rtp");
  gst_harness_push (h, gst_buffer_new_memdup (rtp, sizeof (rtp)));
  gst_harness_teardown (h);
}

/* With all fields: statistics of the senders come from a session, the others' parts from what they
 * have met. */
static GstStructure *
stats_of (const gchar * name)
{
  GstElement *element = gst_element_factory_make (name, NULL);
  GstStructure *stats = NULL;

  fail_unless (element != NULL);
  if (g_str_equal (name, "rmcsink") || g_str_equal (name, "rtparcbwe"))
    gst_element_set_state (element, GST_STATE_PAUSED);
  if (g_str_equal (name, "rampscheduler"))
    gst_object_unref (gst_element_request_pad_simple (element, "sink_0"));
  if (g_str_equal (name, "arcreceiver"))
    receive_packet (element);
  g_object_get (element, "stats", &stats, NULL);
  gst_element_set_state (element, GST_STATE_NULL);
  gst_object_unref (element);
  return stats;
}

static const gchar *
description_of (const gchar * name, const gchar * key)
{
  GstElementFactory *factory = gst_element_factory_find (name);
  const gchar *text = gst_element_factory_get_metadata (factory, key);

  gst_object_unref (factory);
  return text;
}

GST_START_TEST (test_stats_are_named_by_the_type_of_their_element)
{
  const gchar *name = elements[__i__];
  GstStructure *stats = stats_of (name);
  GstElement *element = gst_element_factory_make (name, NULL);
  gchar *expected = g_strconcat (G_OBJECT_TYPE_NAME (element), "Stats", NULL);

  fail_unless_equals_string (gst_structure_get_name (stats), expected);
  fail_unless (strstr (description_of (name, "Statistics"), expected) != NULL);
  g_free (expected);
  gst_object_unref (element);
  gst_structure_free (stats);
}

GST_END_TEST;

/* The field as a whole word: "packets-lost" is no proof of "packets". */
static void
fail_unless_described (const gchar * description, const gchar * field)
{
  gchar *pattern = g_strdup_printf ("(?<![-a-z])%s(?![-a-z])", field);

  fail_unless (g_regex_match_simple (pattern, description, 0, 0), "%s is not described", field);
  g_free (pattern);
}

static gboolean
check_field (GQuark id, const GValue * value, gpointer description)
{
  const gchar *field = g_quark_to_string (id);
  guint i;

  for (i = 0; GST_VALUE_HOLDS_ARRAY (value) && i < gst_value_array_get_size (value); i++)
    gst_structure_foreach (gst_value_get_structure (gst_value_array_get_value (value, i)),
        check_field, description);
  if (GST_VALUE_HOLDS_STRUCTURE (value))        /* of a pad, by its name */
    gst_structure_foreach (gst_value_get_structure (value), check_field, description);
  else
    fail_unless_described (description, g_str_has_prefix (field, "law-") ? "law-NAME" : field);
  return TRUE;
}

GST_START_TEST (test_inspection_lists_every_field_of_the_statistics)
{
  const gchar *name = elements[__i__];
  GstStructure *stats = stats_of (name);

  fail_unless (gst_structure_n_fields (stats) > 5);
  gst_structure_foreach (stats, check_field, (gpointer) description_of (name, "Statistics"));
  gst_structure_free (stats);
}

GST_END_TEST;

static Suite *
names_suite (void)
{
  Suite *s = suite_create ("names");
  TCase *tc = tcase_create ("all");

  suite_add_tcase (s, tc);
  tcase_add_loop_test (tc, test_stats_are_named_by_the_type_of_their_element,
      0, G_N_ELEMENTS (elements));
  tcase_add_loop_test (tc, test_inspection_lists_every_field_of_the_statistics,
      0, G_N_ELEMENTS (elements));
  return s;
}

GST_CHECK_MAIN (names);
