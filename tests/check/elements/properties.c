/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Every property that can be written: it has the default that its description tells, and reads
 * back another value that was written. */
#include "claim.h"

static const gchar *const elements[] = { "rmcsink", "arcsrc", "arcreceiver", "rampscheduler",
    "rcprelay", "rtparcbwe", "arcscale", "arcladder", "arcserversink", "arcavsink", "arcavsrc" };

static gint
other_value (GParamSpecEnum * spec)
{
  const GEnumValue *values = spec->enum_class->values;

  return values[values[0].value == spec->default_value].value;
}

/* Within the range, and not the default. Each of its type. */
static void
choose_value (GParamSpec * spec, GValue * value)
{
  g_value_init (value, spec->value_type);
  if (G_IS_PARAM_SPEC_BOOLEAN (spec))
    g_value_set_boolean (value, !G_PARAM_SPEC_BOOLEAN (spec)->default_value);
  else if (G_IS_PARAM_SPEC_ENUM (spec))
    g_value_set_enum (value, other_value (G_PARAM_SPEC_ENUM (spec)));
  else if (G_IS_PARAM_SPEC_INT (spec))
    g_value_set_int (value, G_PARAM_SPEC_INT (spec)->maximum / 2);
  else if (G_IS_PARAM_SPEC_UINT (spec))
    g_value_set_uint (value, G_PARAM_SPEC_UINT (spec)->maximum / 2);
  else if (G_IS_PARAM_SPEC_UINT64 (spec))
    g_value_set_uint64 (value, G_PARAM_SPEC_UINT64 (spec)->maximum / 2);
  else if (G_IS_PARAM_SPEC_DOUBLE (spec))
    g_value_set_double (value, G_PARAM_SPEC_DOUBLE (spec)->maximum / 2);
  else if (G_IS_PARAM_SPEC_STRING (spec))
    g_value_set_static_string (value, g_str_equal (spec->name, "uri") ? "arc://[::1]:2" : "::1");
  else if (spec->value_type == GST_TYPE_CAPS)
    g_value_take_boxed (value, gst_caps_new_empty_simple ("application/x-rtp"));
  else if (spec->value_type == GST_TYPE_BUFFER)
    g_value_take_boxed (value, gst_buffer_new_memdup ("1234", 4));
  else if (spec->value_type == GST_TYPE_STRUCTURE)
    g_value_take_boxed (value, gst_structure_new ("params", "k", G_TYPE_DOUBLE, 2.0, NULL));
  else
    fail ("%s has a type that this test does not know", spec->name);
}

static gchar *
text_of (const GValue * value)
{
  if (G_VALUE_HOLDS_BOXED (value) && !g_value_get_boxed (value))
    return g_strdup ("none");
  return gst_value_serialize (value);
}

static gchar *
read_text (GObject * object, GParamSpec * spec)
{
  AT_END (g_value_unset) GValue value = G_VALUE_INIT;
  gchar *text;

  g_value_init (&value, spec->value_type);
  g_object_get_property (object, spec->name, &value);
  text = text_of (&value);
  return text;
}

static gboolean
is_ours (GParamSpec * spec)
{
  const gchar *owner = g_type_name (spec->owner_type);

  return (spec->flags & G_PARAM_READWRITE) == G_PARAM_READWRITE && !G_IS_PARAM_SPEC_OBJECT (spec)
      && !g_str_equal (spec->name, "name") && !g_str_equal (spec->name, "parent")
      && !g_str_has_prefix (owner, "GstBase") && !g_str_equal (owner, "GstBin")
      && !g_str_equal (owner, "GstPad");
}

static void
check_property (GObject * object, GParamSpec * spec)
{
  GValue value = G_VALUE_INIT;
  gchar *expected, *read = read_text (object, spec);
  g_autofree gchar *stated = text_of (g_param_spec_get_default_value (spec));

  /* One follows what is set, the other the latency. */
  if (!g_str_equal (spec->name, "uri") && !g_str_equal (spec->name, "max-queue-time"))
    fail_unless_equals_string (read, stated);
  choose_value (spec, &value);
  expected = gst_value_serialize (&value);
  fail_if (g_strcmp0 (expected, stated) == 0, "%s: the value is the default", spec->name);
  g_object_set_property (object, spec->name, &value);
  g_free (read);
  read = read_text (object, spec);
  fail_unless (g_strcmp0 (read, expected) == 0, "%s: wrote %s, read %s", spec->name, expected,
      read);
  g_value_unset (&value);
  g_free (expected);
  g_free (read);
}

static guint
check_properties (GObject * object)
{
  guint n, checked = 0;
  GParamSpec **specs = g_object_class_list_properties (G_OBJECT_GET_CLASS (object), &n);

  for (guint i = 0; i < n; i++) {
    if (is_ours (specs[i])) {
      check_property (object, specs[i]);
      checked++;
    }
  }
  g_free (specs);
  return checked;
}

CLAIMS (test_each_property_of_an_element_reads_back_what_was_written, G_N_ELEMENTS (elements))
{
  g_autoptr (GstElement) element = gst_element_factory_make (elements[__i__], NULL);

  fail_unless (check_properties (G_OBJECT (element)) > 0);
}

static void
on_freed (gpointer freed, GstMiniObject * caps)
{
  *(gboolean *) freed = TRUE;
}

CLAIM (test_caps_that_were_written_are_freed_with_the_next_ones)
{
  g_autoptr (GstElement) element = gst_element_factory_make ("arcsrc", NULL);
  GstCaps *caps = gst_caps_new_empty_simple ("application/x-rtp"), *read;
  gboolean freed = FALSE;

  gst_mini_object_weak_ref (GST_MINI_OBJECT_CAST (caps), on_freed, &freed);
  g_object_set (element, "caps", caps, NULL);
  gst_caps_unref (caps);
  g_object_get (element, "caps", &read, NULL);
  fail_unless (read == caps);
  gst_caps_unref (read);
  fail_if (freed);
  g_object_set (element, "caps", NULL, NULL);
  g_object_get (element, "caps", &read, NULL);
  fail_unless (read == NULL);
  fail_unless (freed);
}

CLAIM (test_each_property_of_a_stream_reads_back_what_was_written)
{
  g_autoptr (GstElement) element = gst_element_factory_make ("rampscheduler", NULL);
  g_autoptr (GstPad) pad = gst_element_request_pad_simple (element, "sink_0");

  fail_unless (check_properties (G_OBJECT (pad)) > 0);
}
