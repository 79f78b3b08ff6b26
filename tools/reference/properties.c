/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "properties.h"

#include "rows.h"

#define HUGE_DOUBLE 1e300

/* Units as the texts of properties name them; the longer one first. */
static const gchar *const units[] = { "bit/s", "ns", "bytes", "frames/s", "lines", "pixels" };

static gchar *
unit_of (GParamSpec * spec)
{
  const gchar *blurb = g_param_spec_get_blurb (spec);

  if (!G_IS_PARAM_SPEC_UINT (spec) && !G_IS_PARAM_SPEC_INT (spec) && !G_IS_PARAM_SPEC_UINT64 (spec)
      && !G_IS_PARAM_SPEC_DOUBLE (spec))
    return g_strdup ("");
  for (guint i = 0; i < G_N_ELEMENTS (units); i++) {
    g_autofree gchar *word = g_strdup_printf ("\\b%s\\b", units[i]);

    if (g_regex_match_simple (word, blurb, 0, 0))
      return g_strdup (units[i]);
  }
  return g_strdup ("");
}

/* The greatest values of a type say nothing. */
static gchar *
range_of (GParamSpec * spec)
{
  if (G_IS_PARAM_SPEC_INT (spec)) {
    GParamSpecInt *s = G_PARAM_SPEC_INT (spec);

    return s->maximum == G_MAXINT ? g_strdup_printf ("from %d", s->minimum)
        : g_strdup_printf ("%d to %d", s->minimum, s->maximum);
  }
  if (G_IS_PARAM_SPEC_UINT (spec)) {
    GParamSpecUInt *s = G_PARAM_SPEC_UINT (spec);

    return s->maximum >= G_MAXINT ? g_strdup_printf ("from %u", s->minimum)
        : g_strdup_printf ("%u to %u", s->minimum, s->maximum);
  }
  if (G_IS_PARAM_SPEC_UINT64 (spec)) {
    GParamSpecUInt64 *s = G_PARAM_SPEC_UINT64 (spec);

    return s->maximum >= G_MAXINT64 ? g_strdup_printf ("from %" G_GUINT64_FORMAT, s->minimum)
        : g_strdup_printf ("%" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT, s->minimum, s->maximum);
  }
  if (G_IS_PARAM_SPEC_DOUBLE (spec)) {
    GParamSpecDouble *s = G_PARAM_SPEC_DOUBLE (spec);

    return s->maximum > HUGE_DOUBLE ? g_strdup_printf ("from %g", s->minimum)
        : g_strdup_printf ("%g to %g", s->minimum, s->maximum);
  }
  return g_strdup ("");
}

/* guint is "uint", a GstElement remains one. */
static const gchar *
short_name (GType type)
{
  const gchar *name = g_type_name (type);

  return g_ascii_islower (name[0]) ? name + 1 : name;
}

static gchar *
type_of (GParamSpec * spec)
{
  g_autofree gchar *range = range_of (spec), *unit = unit_of (spec);

  if (G_IS_PARAM_SPEC_ENUM (spec))
    return g_strdup ("enum");
  if (G_IS_PARAM_SPEC_STRING (spec))
    return g_strdup ("string");
  if (g_str_has_prefix (G_PARAM_SPEC_TYPE_NAME (spec), "GParam") && *range)
    return g_strdup_printf ("%s, %s%s%s", short_name (spec->value_type), range, *unit ? " " : "",
        unit);
  return g_strdup (short_name (spec->value_type));
}

/* NULL: there is none. To be freed. */
static gchar *
default_of (GParamSpec * spec)
{
  const GValue *value = g_param_spec_get_default_value (spec);

  if (!(spec->flags & G_PARAM_WRITABLE))
    return NULL;
  if (G_IS_PARAM_SPEC_ENUM (spec))
    return g_strdup_printf ("`%s`",
        g_enum_get_value (G_ENUM_CLASS (g_type_class_peek (spec->value_type)),
            g_value_get_enum (value))->value_nick);
  if (G_VALUE_HOLDS_STRING (value))
    return g_value_get_string (value) ? g_strdup_printf ("`%s`", g_value_get_string (value)) : NULL;
  if (G_VALUE_HOLDS_BOXED (value) || G_VALUE_HOLDS_OBJECT (value))
    return NULL;
  if (G_VALUE_HOLDS_DOUBLE (value))     /* serialized, 0.95 has 17 digits */
    return g_strdup_printf ("%g", g_value_get_double (value));
  return gst_value_serialize (value);
}

/* Up to which state it may change; "": in all. */
static const gchar *
changes_in (GParamSpec * spec)
{
  if (!(spec->flags & G_PARAM_WRITABLE))
    return ", read only";
  if (spec->flags & G_PARAM_CONSTRUCT_ONLY)
    return ", when made";
  if (spec->flags & GST_PARAM_MUTABLE_PLAYING)
    return "";
  if (spec->flags & GST_PARAM_MUTABLE_PAUSED)
    return ", PAUSED";
  return spec->flags & GST_PARAM_MUTABLE_READY ? ", READY" : ", NULL";
}

static void
append_values (GString * row, GEnumClass * values)
{
  for (guint i = 0; i < values->n_values; i++)
    g_string_append_printf (row, "  - `%s`: %s\n", values->values[i].value_nick,
        values->values[i].value_name);
}

static void
write_property (Rows * rows, GParamSpec * spec)
{
  g_autofree gchar *type = type_of (spec), *initial = default_of (spec);
  g_autoptr (GString) row = g_string_new (NULL);

  g_string_append_printf (row, "- `%s` (%s%s%s%s%s): %s%s\n", spec->name, type,
      initial ? ", default " : "", initial ? initial : "", changes_in (spec),
      spec->flags & GST_PARAM_CONTROLLABLE ? ", controllable" : "", g_param_spec_get_blurb (spec),
      g_str_equal (spec->name, "uri") ? " ([all keys](uri.md))" : "");
  if (G_IS_PARAM_SPEC_ENUM (spec))
    append_values (row, G_PARAM_SPEC_ENUM (spec)->enum_class);
  rows_add (rows, spec->name, "", row->str);
}

static gint
by_name (gconstpointer a, gconstpointer b)
{
  return g_strcmp0 ((*(GParamSpec * const *) a)->name, (*(GParamSpec * const *) b)->name);
}

/* The container is to be freed. */
static GPtrArray *
own_properties (GType type)
{
  GObjectClass *klass = g_type_class_ref (type);
  GPtrArray *own = g_ptr_array_new ();
  guint n;
  g_autofree GParamSpec **all = g_object_class_list_properties (klass, &n);

  for (guint i = 0; i < n; i++)
    if (all[i]->owner_type == type)
      g_ptr_array_add (own, all[i]);
  g_ptr_array_sort (own, by_name);
  g_type_class_unref (klass);
  return own;
}

gboolean
properties_write (GString * page, const gchar * element, GType type, const gchar * heading)
{
  g_autoptr (GPtrArray) own = own_properties (type);
  Rows rows;

  if (own->len == 0)
    return FALSE;
  g_string_append (page, heading);
  rows_begin (&rows, page, element, "");
  for (guint i = 0; i < own->len; i++)
    write_property (&rows, own->pdata[i]);
  rows_end (&rows);
  return TRUE;
}

void
signals_write (GString * page, GType type, const GPtrArray * texts)
{
  guint n;
  g_autofree guint *ids = g_signal_list_ids (type, &n);

  if (n == 0)
    return;
  g_string_append (page, "\n## Signals\n\n");
  for (guint i = 0; i < n; i++) {
    GSignalQuery query;
    const Structure *text;

    g_signal_query (ids[i], &query);
    g_string_append_printf (page, "- `%s`%s: %s (", query.signal_name,
        query.signal_flags & G_SIGNAL_ACTION ? ", an action" : "", g_type_name (query.return_type));
    for (guint j = 0; j < query.n_params; j++)
      g_string_append_printf (page, "%s%s", j > 0 ? ", " : "", g_type_name (query.param_types[j]));
    text = structures_find (texts, query.signal_name);
    g_string_append_printf (page, ")%s%s\n", text ? ": " : "", text ? text->text : "");
  }
}
