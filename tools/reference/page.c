/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "page.h"

#include "properties.h"
#include "rows.h"
#include "structures.h"

#include <string.h>

#define MOST_CAPS_CHARS 300
#define MADE_BY "<!-- Made by `ninja -C build reference` from the elements; do not edit. -->\n\n"

static const gchar *
direction_of (const GstStaticPadTemplate * template)
{
  return template->direction == GST_PAD_SRC ? "source" : "sink";
}

static const gchar *
presence_of (const GstStaticPadTemplate * template)
{
  static const gchar *const names[] = { "always", "sometimes", "on request" };

  return names[template->presence];
}

/* All formats of raw video would fill a page, and differ between versions of GStreamer: of long
 * caps the names of the fields are told. To be freed. */
static gchar *
caps_text (GstCaps * caps)
{
  g_autofree gchar *full = gst_caps_to_string (caps);
  const GstStructure *first;
  GString *text;

  if (strlen (full) <= MOST_CAPS_CHARS)
    return g_steal_pointer (&full);
  first = gst_caps_get_structure (caps, 0);
  text = g_string_new (gst_structure_get_name (first));
  for (gint i = 0; i < gst_structure_n_fields (first); i++)
    g_string_append_printf (text, ", %s", gst_structure_nth_field_name (first, (guint) i));
  return g_string_free (text, FALSE);
}

/* The registry's own order differs between a plugin that was just scanned and one of the cache. */
static gint
by_name (gconstpointer a, gconstpointer b)
{
  return g_strcmp0 (((const GstStaticPadTemplate *) a)->name_template,
      ((const GstStaticPadTemplate *) b)->name_template);
}

/* The page of an element of this plugin, also of one that was made without its factory. */
static const gchar *
page_of_child (GstElement * child)
{
  g_autolist (GstPluginFeature) features =
      gst_registry_get_feature_list_by_plugin (gst_registry_get (), "arc");

  for (GList * l = features; l; l = l->next)
    if (GST_IS_ELEMENT_FACTORY (l->data)
        && gst_element_factory_get_element_type (l->data) == G_OBJECT_TYPE (child))
      return g_intern_string (GST_OBJECT_NAME (l->data));
  return NULL;
}

static void
write_pads (GString * page, GstElementFactory * factory)
{
  g_autoptr (GList) templates = g_list_sort (g_list_copy ((GList *)
          gst_element_factory_get_static_pad_templates (factory)), by_name);

  if (!templates)
    return;
  g_string_append (page, "\n## Pads\n\n");
  for (GList * l = templates; l; l = l->next) {
    GstStaticPadTemplate *template = l->data;
    GstCaps *caps = gst_static_pad_template_get_caps (template);
    g_autofree gchar *text = caps_text (caps);

    g_string_append_printf (page, "- `%s` (%s, %s): `%s`\n", template->name_template,
        direction_of (template), presence_of (template), text);
    gst_caps_unref (caps);
  }
}

/* Of request pads with a type of their own. */
static void
write_pad_properties (GString * page, GstElement * element)
{
  GList *templates = gst_element_class_get_pad_template_list (GST_ELEMENT_GET_CLASS (element));

  for (GList * l = templates; l; l = l->next) {
    GType type = G_TYPE_INVALID;
    g_autofree gchar *heading = g_strdup_printf ("\n## Properties of a pad `%s`\n\n",
        GST_PAD_TEMPLATE_NAME_TEMPLATE (l->data));

    g_object_get (l->data, "gtype", &type, NULL);
    if (type != G_TYPE_NONE && type != GST_TYPE_PAD && type != G_TYPE_INVALID
        && type != GST_TYPE_GHOST_PAD)
      properties_write (page, GST_OBJECT_NAME (gst_element_get_factory (element)), type, heading);
  }
}

/* Statistics have fields in common, messages and events only the same structure of another page:
 * their names say little without it. */
static void
write_fields (GString * page, const gchar * element, const Structure * structure, gboolean shared)
{
  Rows rows;

  rows_begin (&rows, page, element, "\n");
  for (guint i = 0; i < structure->fields->len; i++) {
    const Field *field = structure->fields->pdata[i];
    g_autofree gchar *row = g_strdup_printf ("- `%s` (%s%s%s): %s\n", field->name, field->type,
        *field->unit ? ", " : "", field->unit, field->text);

    rows_add (&rows, field->name, shared ? "" : structure->name, row);
  }
  rows_end (&rows);
}

static void
write_structures (GString * page, GstElementFactory * factory, const gchar * key)
{
  g_autoptr (GPtrArray) structures = structures_of (factory, key);

  if (structures->len == 0)
    return;
  g_string_append_printf (page, "\n## %s\n", key);
  for (guint i = 0; i < structures->len; i++) {
    const Structure *structure = structures->pdata[i];

    g_string_append_printf (page, "\n### `%s`\n", structure->name);
    if (!g_str_equal (structure->text, "property stats"))
      g_string_append_printf (page, "\n%c%s.\n", g_ascii_toupper (structure->text[0]),
          structure->text + 1);
    write_fields (page, GST_OBJECT_NAME (factory), structure, g_str_equal (key, "Statistics"));
  }
}

/* Elements inside, of which a user may set CHILD::PROPERTY: those of this plugin, and those without
 * a factory, whose properties are nowhere else. */
static void
write_children (GString * page, GstElement * element)
{
  g_autoptr (GString) list = g_string_new (NULL);

  for (GList * l = GST_IS_BIN (element) ? GST_BIN_CHILDREN (element) : NULL; l; l = l->next) {
    const gchar *name = GST_OBJECT_NAME (l->data), *kind = page_of_child (l->data);
    g_autofree gchar *heading = g_strdup_printf ("\n## Properties of `%s::`\n\n", name);

    if (kind)
      g_string_append_printf (list, "- `%s::`: all properties of [%s](%s.md)\n", name, kind, kind);
    else if (!gst_element_get_factory (l->data))
      properties_write (page, "", G_OBJECT_TYPE (l->data), heading);
  }
  if (list->len > 0)
    g_string_append_printf (page, "\n## Elements inside\n\n%s", list->str);
}

static void
write_head (GString * page, GstElementFactory * factory, GstElement * element)
{
  GType parent = g_type_parent (G_OBJECT_TYPE (element));
  guint n;
  g_autofree GType *interfaces = g_type_interfaces (G_OBJECT_TYPE (element), &n);

  g_string_append_printf (page, "# %s\n\n" MADE_BY "%s: %s.\n\n", GST_OBJECT_NAME (factory),
      gst_element_factory_get_metadata (factory, GST_ELEMENT_METADATA_LONGNAME),
      gst_element_factory_get_metadata (factory, GST_ELEMENT_METADATA_DESCRIPTION));
  g_string_append_printf (page, "`%s`, of class `%s` and rank %u, has all properties of `%s`.\n",
      G_OBJECT_TYPE_NAME (element),
      gst_element_factory_get_metadata (factory, GST_ELEMENT_METADATA_KLASS),
      gst_plugin_feature_get_rank (GST_PLUGIN_FEATURE (factory)), g_type_name (parent));
  for (guint i = 0; i < n; i++)
    if (!g_type_is_a (parent, interfaces[i]))
      g_string_append_printf (page, "It implements `%s`.\n", g_type_name (interfaces[i]));
}

gchar *
page_of_element (GstElementFactory * factory)
{
  g_autoptr (GPtrArray) signals = structures_of (factory, "Signals");
  GstElement *element = gst_element_factory_create (factory, NULL);
  GString *page;

  if (!element)
    return NULL;
  gst_object_ref_sink (element);
  page = g_string_new (NULL);
  write_head (page, factory, element);
  write_pads (page, factory);
  properties_write (page, GST_OBJECT_NAME (factory), G_OBJECT_TYPE (element),
      "\n## Properties\n\n");
  write_pad_properties (page, element);
  write_children (page, element);
  signals_write (page, G_OBJECT_TYPE (element), signals);
  write_structures (page, factory, "Statistics");
  write_structures (page, factory, "Messages");
  write_structures (page, factory, "Events");
  gst_object_unref (element);
  return g_string_free (page, FALSE);
}
