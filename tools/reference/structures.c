/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "structures.h"

static void
field_free (Field * field)
{
  g_free (field->name);
  g_free (field->type);
  g_free (field->unit);
  g_free (field->text);
  g_free (field);
}

static void
structure_free (Structure * structure)
{
  g_free (structure->name);
  g_free (structure->text);
  g_ptr_array_unref (structure->fields);
  g_free (structure);
}

/* "name (type, unit): text" */
static Field *
read_field (const gchar * line)
{
  g_autoptr (GRegex) regex = g_regex_new ("^([a-z][-a-zA-Z0-9_]*) \\(([a-z0-9]+)(?:, ([^)]*))?\\): "
      "(.*)$", 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  Field *field;

  if (!g_regex_match (regex, line, 0, &match))
    return NULL;
  field = g_new0 (Field, 1);
  field->name = g_match_info_fetch (match, 1);
  field->type = g_match_info_fetch (match, 2);
  field->unit = g_match_info_fetch (match, 3);
  field->text = g_match_info_fetch (match, 4);
  return field;
}

static Structure *
read_structure (const gchar * line)
{
  g_auto (GStrv) parts = g_strsplit (line, ": ", 2);
  Structure *structure = g_new0 (Structure, 1);

  structure->name = g_strdup (parts[0]);
  structure->text = g_strdup (parts[0] && parts[1] ? parts[1] : "");
  structure->fields = g_ptr_array_new_with_free_func ((GDestroyNotify) field_free);
  return structure;
}

GPtrArray *
structures_of (GstElementFactory * factory, const gchar * key)
{
  GPtrArray *structures = g_ptr_array_new_with_free_func ((GDestroyNotify) structure_free);
  const gchar *text = gst_element_factory_get_metadata (factory, key);
  g_auto (GStrv) lines = g_strsplit (text ? text : "", "\n", -1);

  for (guint i = 0; lines[i]; i++) {
    Field *field = read_field (g_strstrip (lines[i]));

    if (!field)
      g_ptr_array_add (structures, read_structure (lines[i]));
    else if (structures->len > 0)
      g_ptr_array_add (((Structure *) structures->pdata[structures->len - 1])->fields, field);
    else
      field_free (field);
  }
  return structures;
}

const Structure *
structures_find (const GPtrArray * structures, const gchar * name)
{
  for (guint i = 0; i < structures->len; i++) {
    const Structure *structure = structures->pdata[i];

    if (g_str_equal (structure->name, name))
      return structure;
  }
  return NULL;
}

const Field *
structure_find_field (const Structure * structure, const gchar * name)
{
  for (guint i = 0; i < structure->fields->len; i++) {
    const Field *field = structure->fields->pdata[i];

    if (g_str_equal (field->name, name))
      return field;
  }
  return NULL;
}
