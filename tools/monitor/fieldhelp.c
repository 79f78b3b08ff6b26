/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The descriptions that gst-inspect-1.0 prints, from the registry: GStreamer keeps them there, so
 * that no plugin is loaded. Rejected: texts in each snapshot, four times its size. */

#include "fieldhelp.h"

#include "structures.h"

static void
add_descriptions (GHashTable * helps, GstElementFactory * factory)
{
  GPtrArray *structures = structures_of (factory, "Statistics");

  for (guint i = 0; i < structures->len; i++) {
    const Structure *structure = g_ptr_array_index (structures, i);

    for (guint j = 0; j < structure->fields->len; j++) {
      const Field *field = g_ptr_array_index (structure->fields, j);

      g_hash_table_insert (helps, g_strconcat (structure->name, ".", field->name, NULL),
          g_strdup (field->text));
    }
  }
  g_ptr_array_unref (structures);
}

static GHashTable *
read_all (void)
{
  GHashTable *helps = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  GList *factories = gst_registry_get_feature_list (gst_registry_get (), GST_TYPE_ELEMENT_FACTORY);

  for (GList * item = factories; item; item = item->next)
    if (gst_element_factory_get_metadata (item->data, "Statistics"))
      add_descriptions (helps, item->data);
  gst_plugin_feature_list_free (factories);
  return helps;
}

const gchar *
field_help (const gchar * structure, const gchar * field)
{
  static GHashTable *helps;
  gchar *key = g_strconcat (structure, ".", field, NULL);
  const gchar *help;

  if (helps == NULL)
    helps = read_all ();
  help = g_hash_table_lookup (helps, key);
  g_free (key);
  return help;
}
