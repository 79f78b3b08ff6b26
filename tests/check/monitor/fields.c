/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A row of a table of fields is all that a new statistic needs: an element of this test has one
 * more row than ours, and it is in the structure, the description, the metrics and the page. */
#include "base/fields.h"
#include "claim.h"
#include "monitor/snapshot.h"
#include "openmetrics.h"
#include "page.h"
#include "structures.h"

typedef struct
{
  GstElement parent;
  guint64 thrown_bytes;
  gdouble rate_bps;
} Scratch;
typedef GstElementClass ScratchClass;

GType scratch_get_type (void);
G_DEFINE_TYPE (Scratch, scratch, GST_TYPE_ELEMENT);

static const FieldRow fields[] = {
  FIELD_BITRATE (Scratch, rate_bps, "scratch-bitrate", "how fast"),
  FIELD_COUNTER (Scratch, thrown_bytes, "bytes-thrown", "bytes", "how much in all"),
  {NULL}
};

static GstStructure *
stats_of (Scratch * self)
{
  GstStructure *s = gst_structure_new_empty ("ScratchStats");

  fields_add (s, fields, self);
  return s;
}

static void
get_property (GObject * object, guint id, GValue * value, GParamSpec * pspec)
{
  g_value_take_boxed (value, stats_of ((Scratch *) object));
}

static void
scratch_class_init (ScratchClass * klass)
{
  static const FieldStructure structures[] = {
    {"ScratchStats", "property stats", {fields}}, {NULL}
  };

  G_OBJECT_CLASS (klass)->get_property = get_property;
  g_object_class_install_property (G_OBJECT_CLASS (klass), 1, g_param_spec_boxed ("stats",
          "Statistics", "Statistics", GST_TYPE_STRUCTURE, G_PARAM_READABLE));
  gst_element_class_set_static_metadata (klass, "Scratch", "Generic", "Counts", "nobody");
  fields_describe (klass, structures);
}

/* As the element under the name of rtpgccbwe is one of rtparcbwe. */
typedef Scratch Derived;
typedef ScratchClass DerivedClass;

GType derived_get_type (void);
G_DEFINE_TYPE (Derived, derived, scratch_get_type ());

static void
derived_class_init (DerivedClass * klass)
{
}

static void
derived_init (Derived * self)
{
}

static void
scratch_init (Scratch * self)
{
  self->thrown_bytes = 4200;
  self->rate_bps = 8000.9;
}

static GstElement *
scratch_new (void)
{
  gst_element_register (NULL, "scratch", GST_RANK_NONE, scratch_get_type ());
  return gst_element_factory_make ("scratch", NULL);
}

/* As the tracer sends it and the monitor reads it. kinds: in place of the element's; NULL: none. */
static gchar *
metrics_of (GstElement * element, const gchar * kinds)
{
  g_autoptr (GstStructure) s = snapshot_new (element);
  StreamTable *streams = stream_table_new ();
  gchar *text, *metrics;

  gst_structure_set (s, "run", G_TYPE_STRING, "r", "id", G_TYPE_UINT64, (guint64) 1, "pid",
      G_TYPE_INT, 1, "process", G_TYPE_STRING, "p", NULL);
  if (kinds)
    gst_structure_set (s, "fields", G_TYPE_STRING, kinds, NULL);
  text = gst_structure_serialize (s, GST_SERIALIZE_FLAG_NONE);
  fail_unless (stream_table_take (streams, text, 0) != NULL, "%s", text);
  metrics = open_metrics_text (streams);
  stream_table_free (streams);
  g_free (text);
  return metrics;
}

static void
fail_unless_says (const gchar * text, const gchar * what)
{
  fail_unless (strstr (text, what) != NULL, "no \"%s\" in %s", what, text);
}

CLAIM (test_a_row_is_a_field_of_the_structure)
{
  g_autoptr (GstElement) element = scratch_new ();
  g_autoptr (GstStructure) stats = NULL;
  guint64 rate_bps = 0, bytes = 0;

  g_object_get (element, "stats", &stats, NULL);
  fail_unless (gst_structure_get (stats, "scratch-bitrate", G_TYPE_UINT64, &rate_bps,
          "bytes-thrown", G_TYPE_UINT64, &bytes, NULL));
  fail_unless (rate_bps == 8000 && bytes == 4200);
}

CLAIM (test_a_row_is_a_line_of_the_description)
{
  g_autoptr (GstElement) element = scratch_new ();
  GPtrArray *description = structures_of (gst_element_get_factory (element), "Statistics");
  const Field *field =
      structure_find_field (structures_find (description, "ScratchStats"), "bytes-thrown");

  fail_unless_equals_string (field->type, "uint64");
  fail_unless_equals_string (field->unit, "bytes");
  fail_unless_equals_string (field->text, "how much in all");
  g_ptr_array_unref (description);
}

CLAIM (test_a_row_is_a_metric_with_its_kind_and_unit)
{
  g_autoptr (GstElement) element = scratch_new ();
  g_autofree gchar *metrics = metrics_of (element, NULL);

  fail_unless_says (metrics, "# TYPE gst_arc_scratch_thrown_bytes counter\n"
      "# UNIT gst_arc_scratch_thrown_bytes bytes\n"
      "# HELP gst_arc_scratch_thrown_bytes Field bytes-thrown in stats of scratch; how much in "
      "all.\n");
  fail_unless_says (metrics, "\ngst_arc_scratch_thrown_bytes_total{");
  fail_unless_says (metrics, "# TYPE gst_arc_scratch_scratch_bitrate_bytes_per_second gauge\n");
  fail_unless_says (metrics, "} 1000\n");
}

CLAIM (test_a_derived_element_has_the_kinds_of_its_parent)
{
  g_autoptr (GstElement) element = NULL;
  g_autofree gchar *metrics = NULL;

  gst_element_register (NULL, "derived", GST_RANK_NONE, derived_get_type ());
  element = gst_element_factory_make ("derived", NULL);
  metrics = metrics_of (element, NULL);
  fail_unless_says (metrics, "# TYPE gst_arc_derived_thrown_bytes counter\n");
}

CLAIM (test_a_row_is_a_line_of_the_reference)
{
  g_autoptr (GstElement) element = scratch_new ();
  g_autofree gchar *page = page_of_element (gst_element_get_factory (element));

  fail_unless_says (page, "- `bytes-thrown` (uint64, bytes): how much in all\n");
}

/* A process may say what it likes, and another version of us what we do not know. */
CLAIM (test_a_number_of_an_unknown_kind_is_a_metric_without_unit)
{
  static const gchar *const kinds[] = { "", "+", ":", "bytes-thrown", "bytes-thrown:",
    "bytes-thrown:counter", "bytes-thrown::", "bytes-thrown:total:parsecs", ":+:+bytes-thrown:+"
  };
  GstElement *element = scratch_new ();

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++) {
    g_autofree gchar *metrics = metrics_of (element, kinds[i]);

    fail_unless_says (metrics, "# TYPE gst_arc_scratch_bytes_thrown unknown\n# HELP");
    fail_unless_says (metrics, "\ngst_arc_scratch_bytes_thrown{");
  }
  gst_object_unref (element);
}
