/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "openmetrics.h"

#include "fieldhelp.h"
#include "fieldkind.h"
#include "fieldvalue.h"

#include <rc/law/cause.h>

/* All samples of a family stand together, whichever stream they are of: each family collects its
 * own lines. */
typedef struct
{
  GHashTable *families;         /* GString by name */
  GPtrArray *names;             /* in the order of their first sample */
} Families;

/* Where a number comes from: the labels of its samples, and the first words of its name. */
typedef struct
{
  Families *families;
  const gchar *prefix, *source; /* such as gst_arc_rmcsink, rmcsink */
  const gchar *structure;       /* that the fields are of, such as GstRmcSinkStats */
  const gchar *labels;
  const FieldKinds *kinds;
  GString *infos;               /* labels of the strings among the fields; NULL: not wanted */
  gboolean causes, state;       /* these strings are wanted; no causes of a thousand viewers */
} Place;

static void
families_init (Families * self)
{
  self->families = g_hash_table_new (g_str_hash, g_str_equal);
  self->names = g_ptr_array_new_with_free_func (g_free);
}

/* As values of labels, and HELP, are written. */
static void
append_escaped (GString * text, const gchar * value)
{
  gchar *valid = g_utf8_make_valid (value, -1);
  const gchar *c;

  for (c = valid; *c; c++) {
    if (*c == '\n')
      g_string_append (text, "\\n");
    else if (*c == '"' || *c == '\\')
      g_string_append_printf (text, "\\%c", *c);
    else
      g_string_append_c (text, *c);
  }
  g_free (valid);
}

/* With the lines that describe it, if it is new. */
static GString *
family (Families * self, const gchar * name, const gchar * type, const gchar * unit,
    const gchar * help)
{
  GString *lines = g_hash_table_lookup (self->families, name);

  if (lines != NULL)
    return lines;
  lines = g_string_new (NULL);
  g_string_append_printf (lines, "# TYPE %s %s\n", name, type);
  if (*unit)
    g_string_append_printf (lines, "# UNIT %s %s\n", name, unit);
  g_string_append_printf (lines, "# HELP %s ", name);
  append_escaped (lines, help);
  g_string_append_c (lines, '\n');
  g_ptr_array_add (self->names, g_strdup (name));
  g_hash_table_insert (self->families, g_ptr_array_index (self->names, self->names->len - 1),
      lines);
  return lines;
}

/* Another process may hold a field of that name for something else. */
static gboolean
is_of_type (const GString * family, const gchar * name, const gchar * type)
{
  gchar *line = g_strdup_printf ("# TYPE %s %s\n", name, type);
  gboolean is = g_str_has_prefix (family->str, line);

  g_free (line);
  return is;
}

static gchar *
families_end (Families * self)
{
  GString *text = g_string_new (NULL);
  guint i;

  for (i = 0; i < self->names->len; i++) {
    GString *lines = g_hash_table_lookup (self->families, g_ptr_array_index (self->names, i));

    g_string_append_len (text, lines->str, (gssize) lines->len);
    g_string_free (lines, TRUE);
  }
  g_string_append (text, "# EOF\n");
  g_hash_table_unref (self->families);
  g_ptr_array_unref (self->names);
  return g_string_free (text, FALSE);
}

static void
append_label (GString * labels, const gchar * name, const gchar * value)
{
  g_string_append_printf (labels, "%s%s=\"", labels->len > 0 ? "," : "", name);
  append_escaped (labels, value);
  g_string_append_c (labels, '"');
}

static void
append_sample (GString * lines, const gchar * name, const gchar * labels, gdouble number)
{
  gchar text[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append_printf (lines, "%s{%s} %s\n", name, labels,
      g_ascii_dtostr (text, sizeof (text), number));
}

static void
add_number (const Place * place, const gchar * field, gdouble number)
{
  MetricKind kind = field_kinds_get (place->kinds, field);
  gchar *metric = field_kind_metric (&kind, field);
  gchar *name = g_strconcat (place->prefix, "_", metric, NULL);
  const gchar *meaning = field_help (place->structure, field);
  gchar *help = g_strdup_printf ("Field %s in stats of %s; %s.%s", field, place->source,
      meaning ? meaning : "gst-inspect-1.0 tells what it means",
      g_str_equal (kind.unit, "bytes_per_second")
      ? " In bytes per second: times 8 it is the bit/s of the page and of stats." : "");
  GString *lines = family (place->families, name, kind.type, kind.unit, help);
  gchar *sample = g_strconcat (name, g_str_equal (kind.type, "counter") ? "_total" : "", NULL);

  if (is_of_type (lines, name, kind.type))
    append_sample (lines, sample, place->labels, number * kind.scale);
  g_free (sample);
  g_free (help);
  g_free (name);
  g_free (metric);
}

/* NULL: there is no i-th one. */
static const gchar *
state_name (guint i)
{
  static const gchar *const states[] = { "running", "stopped", NULL };

  return states[i];
}

static const gchar *
cause_name (guint i)
{
  return i < RC_CAUSE_N ? rc_cause_name ((RcCause) i) : NULL;
}

/* One series for each word that the field may be. */
static void
add_states (const Place * place, const gchar * label, const gchar * (*word) (guint i),
    const gchar * help, const gchar * state)
{
  gchar *name = g_strconcat (place->prefix, "_", label, NULL);
  GString *lines = family (place->families, name, "stateset", "", help);

  for (guint i = 0; word (i); i++) {
    GString *labels = g_string_new (place->labels);

    append_label (labels, name, word (i));
    append_sample (lines, name, labels->str, g_str_equal (state, word (i)));
    g_string_free (labels, TRUE);
  }
  g_free (name);
}

/* What callers choose is no label: each refusal would be another series. */
static gboolean
is_told_by_strangers (const gchar * field)
{
  return g_str_equal (field, "last-refusal");
}

static gboolean
is_cause (const gchar * field)
{
  return g_str_has_suffix (field, "-cause");
}

/* A label whose text changes often would be a new series each time. */
static void
add_text (const Place * place, const gchar * field, const gchar * text)
{
  gchar *label = g_strdelimit (g_strdup (field), "-", '_');

  if (g_str_equal (field, "state"))
    add_states (place, label, state_name, "Whether media leaves.", text);
  else if (is_cause (field))
    add_states (place, label, cause_name, "Why the rate, or the target, is what it is.", text);
  else if (!is_told_by_strangers (field))
    append_label (place->infos, label, text);
  g_free (label);
}

static gboolean add_field (GQuark id, const GValue * value, gpointer user_data);

/* A part of the element with statistics of its own: one more word in the names, one more label. */
static void
add_part (const Place * outer, const gchar * word, const gchar * name, const GstStructure * stats)
{
  GString *labels = g_string_new (outer->labels);
  Place place = *outer;
  gchar *prefix = g_strconcat (outer->prefix, "_", word, NULL);

  append_label (labels, word, name);
  place.prefix = prefix;
  place.structure = gst_structure_get_name (stats);
  place.labels = labels->str;
  place.infos = NULL;
  place.causes = g_str_equal (word, "path");
  place.state = g_str_equal (word, "viewer");
  gst_structure_foreach (stats, add_field, &place);
  g_free (prefix);
  g_string_free (labels, TRUE);
}

static gboolean
is_no_structure (GQuark id, GValue * value, gpointer user_data)
{
  return !GST_VALUE_HOLDS_STRUCTURE (value);
}

/* Its own fields, and those of its sink, which may tell the same target. pad: what it gets is that
 * of the ladder's pad. */
static void
add_viewer (const Place * place, const GstStructure * viewer)
{
  const GValue *sink = gst_structure_get_value (viewer, "sink");
  const gchar *stream_id = gst_structure_get_string (viewer, "streamid");
  const gchar *pad = gst_structure_get_string (viewer, "pad");
  GString *labels = g_string_new (place->labels);
  GstStructure *own = gst_structure_copy (viewer);
  Place named = *place;
  const GstStructure *sink_stats = NULL;

  append_label (labels, "streamid", stream_id ? stream_id : "");
  if (pad != NULL)
    append_label (labels, "pad", pad);
  named.labels = labels->str;
  if (sink != NULL && GST_VALUE_HOLDS_STRUCTURE (sink))
    sink_stats = gst_value_get_structure (sink);
  if (sink_stats != NULL)
    add_part (&named, "viewer", gst_structure_get_string (viewer, "address"), sink_stats);
  gst_structure_filter_and_map_in_place (own, is_no_structure, NULL);
  if (sink_stats != NULL && gst_structure_has_field (sink_stats, "target-bitrate"))
    gst_structure_remove_field (own, "target-bitrate");
  add_part (&named, "viewer", gst_structure_get_string (viewer, "address"), own);
  gst_structure_free (own);
  g_string_free (labels, TRUE);
}

/* Which rendition a viewer gets: at most eight words. */
static void
add_rung (const Place * place, const gchar * rung)
{
  gchar *name = g_strconcat (place->prefix, "_rung", NULL);
  gchar *sample = g_strconcat (name, "_info", NULL);
  GString *labels = g_string_new (place->labels);
  const gchar *meaning = field_help (place->structure, "rung");

  append_label (labels, "rung", rung);
  append_sample (family (place->families, name, "info", "", meaning ? meaning
          : "The pad of its rendition."), sample, labels->str, 1);
  g_string_free (labels, TRUE);
  g_free (sample);
  g_free (name);
}

/* The sources of a receiver, the paths of a sender, the viewers of a server, the encodings of a
 * ladder. */
static void
add_member (const Place * place, const GstStructure * member)
{
  const gchar *path = gst_structure_get_string (member, "path");
  const gchar *pad = gst_structure_get_string (member, "pad");
  gchar ssrc[16];
  guint number = 0;

  if (path != NULL) {
    add_part (place, "path", path, member);
  } else if (gst_structure_get_string (member, "address") != NULL) {    /* behind a pad or not */
    add_viewer (place, member);
  } else if (pad != NULL) {
    add_part (place, "pad", pad, member);
  } else if (gst_structure_get_uint (member, "ssrc", &number)) {
    g_snprintf (ssrc, sizeof (ssrc), "%u", number);
    add_part (place, "source", ssrc, member);
  }
}

static void
add_members (const Place * place, const GValue * members)
{
  for (guint i = 0; i < gst_value_array_get_size (members); i++) {
    const GValue *value = gst_value_array_get_value (members, i);

    if (GST_VALUE_HOLDS_STRUCTURE (value))
      add_member (place, gst_value_get_structure (value));
  }
}

static gboolean
add_field (GQuark id, const GValue * value, gpointer user_data)
{
  Place *place = user_data;
  const gchar *field = g_quark_to_string (id);
  gdouble number;

  if (field_value_to_number (value, &number)) {
    if (!g_str_equal (field, "ssrc"))   /* a label */
      add_number (place, field, number);
  } else if (G_VALUE_HOLDS_STRING (value)
      && (place->infos || (place->causes && is_cause (field))
          || (place->state && g_str_equal (field, "state")))) {
    add_text (place, field, g_value_get_string (value) ? g_value_get_string (value) : "");
  } else if (G_VALUE_HOLDS_STRING (value) && place->infos == NULL && g_str_equal (field, "rung")) {
    add_rung (place, g_value_get_string (value) ? g_value_get_string (value) : "");
  } else if (GST_VALUE_HOLDS_ARRAY (value)) {
    add_members (place, value);
  } else if (GST_VALUE_HOLDS_STRUCTURE (value)
      && g_str_has_suffix (gst_structure_get_name (gst_value_get_structure (value)), "Stats")) {
    add_part (place, "pad", field, gst_value_get_structure (value));
  }
  return TRUE;
}

static void
add_frames (const Place * stream, const GstStructure * snapshot)
{
  const GValue *frames = gst_structure_get_value (snapshot, "frames");
  guint i;

  for (i = 0; frames && GST_VALUE_HOLDS_ARRAY (frames) && i < gst_value_array_get_size (frames);
      i++) {
    const GValue *value = gst_value_array_get_value (frames, i);
    const GstStructure *s =
        GST_VALUE_HOLDS_STRUCTURE (value) ? gst_value_get_structure (value) : NULL;
    GString *all = g_string_new (stream->labels);
    Place place = { stream->families, "gst_arc_encoder_frame", "the encoder's frames", "", NULL,
      stream->kinds, NULL, FALSE, FALSE
    };

    if (s != NULL && gst_structure_has_field_typed (s, "encoder", G_TYPE_STRING)
        && gst_structure_has_field_typed (s, "pad", G_TYPE_STRING)) {
      append_label (all, "pad", gst_structure_get_string (s, "pad"));
      append_label (all, "encoder", gst_structure_get_string (s, "encoder"));
      place.labels = all->str;
      gst_structure_foreach (s, add_field, &place);
    }
    g_string_free (all, TRUE);
  }
}

static GString *
labels_of_process (const Stream * stream)
{
  GString *labels = g_string_new (NULL);
  gchar pid[16];
  gint number = 0;

  gst_structure_get_int (stream->snapshot, "pid", &number);
  g_snprintf (pid, sizeof (pid), "%d", number);
  append_label (labels, "process", stream_text (stream, "process"));
  append_label (labels, "pid", pid);
  return labels;
}

static GString *
labels_of (const Stream * stream)
{
  GString *labels = labels_of_process (stream);

  append_label (labels, "pipeline", stream_text (stream, "pipeline"));
  append_label (labels, "element", stream_text (stream, "element"));
  append_label (labels, "id", strchr (stream->key, '/') + 1);
  return labels;
}

static void
add_info (const Place * place)
{
  gchar *name = g_strconcat (place->prefix, "_info", NULL);

  append_sample (family (place->families, place->prefix, "info", "", "Texts in stats, and where "
          "the stream goes."), name, place->infos->str, 1);
  g_free (name);
}

static void
add_stream (Families * families, const Stream * stream)
{
  GString *labels = labels_of (stream), *infos = g_string_new (labels->str);
  gchar *factory = g_strcanon (g_strdup (stream_text (stream, "factory")),
      "abcdefghijklmnopqrstuvwxyz0123456789", '_');
  gchar *prefix = g_strconcat ("gst_arc_", factory, NULL);
  FieldKinds kinds;
  Place place = { families, prefix, factory, "", labels->str, &kinds, infos, TRUE, TRUE };

  field_kinds_init (&kinds, stream->snapshot);
  append_label (infos, "address", stream_text (stream, "address"));
  append_label (infos, "element_state", stream_text (stream, "element-state"));
  if (stream_stats (stream) != NULL)
    place.structure = gst_structure_get_name (stream_stats (stream));
  if (stream_stats (stream) != NULL)
    gst_structure_foreach (stream_stats (stream), add_field, &place);
  add_info (&place);
  add_frames (&place, stream->snapshot);
  field_kinds_clear (&kinds);
  g_free (prefix);
  g_free (factory);
  g_string_free (labels, TRUE);
  g_string_free (infos, TRUE);
}

/* Once for each process. */
static void
add_dropped (Families * families, const Stream * stream)
{
  GString *labels = labels_of_process (stream);
  guint64 dropped = 0;

  gst_structure_get_uint64 (stream->snapshot, "dropped", &dropped);
  append_sample (family (families, "gst_arc_monitor_dropped", "counter", "",
          "Snapshots that the process could not hand over."), "gst_arc_monitor_dropped_total",
      labels->str, (gdouble) dropped);
  g_string_free (labels, TRUE);
}

gchar *
open_metrics_text (StreamTable * streams)
{
  GPtrArray *list = stream_table_list (streams);
  Families families;
  guint i;

  families_init (&families);
  append_sample (family (&families, "gst_arc_monitor_streams", "gauge", "",
          "Elements of gst-arc that are watched."), "gst_arc_monitor_streams", "", list->len);
  append_sample (family (&families, "gst_arc_monitor_refused", "counter", "",
          "Messages that were none of ours, or one too many."), "gst_arc_monitor_refused_total", "",
      (gdouble) streams->refused);
  for (i = 0; i < list->len; i++) {
    const Stream *stream = g_ptr_array_index (list, i);
    const Stream *before = i > 0 ? g_ptr_array_index (list, i - 1) : NULL;

    if (before == NULL || g_strcmp0 (stream_text (before, "run"), stream_text (stream, "run")) != 0)
      add_dropped (&families, stream);
    add_stream (&families, stream);
  }
  g_ptr_array_unref (list);
  return families_end (&families);
}
