/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Makes the reference of the plugin's elements: one page an element, one of the laws, and a list.
 *
 * reference FOLDER            writes the pages
 * reference --check FOLDER    status 1 if a page there is not what it would be now
 *
 * The plugin is found by GST_PLUGIN_PATH. */
#include <string.h>
#include "page.h"
#include "wrap.h"

#define CURE "Run `ninja -C build reference` and commit what it changes in docs/reference."

typedef struct
{
  const gchar *folder;
  gboolean check;
  guint faults;
} Output;

static void
fault (Output * output, const gchar * name, const gchar * what)
{
  g_printerr ("%s/%s: %s\n", output->folder, name, what);
  output->faults++;
}

/* Takes the text. */
static void
put (Output * output, const gchar * name, gchar * lines)
{
  g_autofree gchar *path = g_build_filename (output->folder, name, NULL), *there = NULL;
  g_autofree gchar *text = NULL;

  if (!lines) {
    fault (output, name, "the element cannot be made");
    return;
  }
  text = wrap (lines);
  g_free (lines);
  if (!g_file_get_contents (path, &there, NULL, NULL))
    there = g_strdup ("");
  if (g_str_equal (there, text))
    return;
  if (output->check)
    fault (output, name, "is not what the elements say now");
  else if (!g_file_set_contents (path, text, -1, NULL))
    fault (output, name, "cannot be written");
}

/* Those that most people use are first, and have the rows that others share with them. */
static gint
rank (gconstpointer feature)
{
  const gchar *name = GST_OBJECT_NAME (feature);

  return g_str_equal (name, "rmcsink") ? 0 : g_str_equal (name, "arcsrc") ? 1 : 2;
}

static gint
by_rank (gconstpointer a, gconstpointer b)
{
  return rank (a) != rank (b) ? rank (a) - rank (b)
      : g_strcmp0 (GST_OBJECT_NAME (a), GST_OBJECT_NAME (b));
}

/* One page an element; their list is appended to the index. The names of the pages are added to
 * the set. */
static void
put_elements (Output * output, GList * features, GString * index, GHashTable * pages)
{
  for (GList * l = features; l; l = l->next) {
    gchar *name;

    if (!GST_IS_ELEMENT_FACTORY (l->data))
      continue;
    name = g_strconcat (GST_OBJECT_NAME (l->data), ".md", NULL);
    g_string_append_printf (index, "- [%s](%s): %s\n", GST_OBJECT_NAME (l->data), name,
        gst_element_factory_get_metadata (l->data, GST_ELEMENT_METADATA_DESCRIPTION));
    put (output, name, page_of_element (l->data));
    g_hash_table_add (pages, name);
  }
}

/* Pages that people write, such as that of compatibility, lie beside those that are made here. */
static gboolean
is_made_here (const gchar * folder, const gchar * name)
{
  g_autofree gchar *path = g_build_filename (folder, name, NULL);
  g_autofree gchar *text = NULL;

  return g_file_get_contents (path, &text, NULL, NULL)
      && strstr (text, "<!-- Made by `ninja -C build reference`") != NULL;
}

/* Pages of elements that are gone. */
static void
find_strangers (Output * output, GHashTable * pages)
{
  g_autoptr (GDir) folder = g_dir_open (output->folder, 0, NULL);
  const gchar *name;

  while (folder && (name = g_dir_read_name (folder)))
    if (g_str_has_suffix (name, ".md") && !g_hash_table_contains (pages, name)
        && is_made_here (output->folder, name))
      fault (output, name, "there is no such element; remove it");
}

int
main (int argc, char **argv)
{
  Output output = {.folder = argv[argc - 1],.check = argc > 2 && g_str_equal (argv[1], "--check") };
  GString *index = g_string_new ("# Reference\n\n"
      "<!-- Made by `ninja -C build reference` from the elements; do not edit. -->\n\n"
      "Each page lists one element's pads; its properties, which may change while it plays unless\n"
      "the last state for that is named; its signals; the statistics in its property `stats`,\n"
      "where a counter without a unit counts since the start; its messages on the bus; and its\n"
      "custom events. What several elements have is explained once, with a link from the others;\n"
      "`gst-inspect-1.0 NAME` shows all of one. All is there since 0.1.0.\n\n");
  g_autoptr (GHashTable) pages = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GList *features;

  if (argc < 2) {
    g_printerr ("usage: %s [--check] FOLDER\n", argv[0]);
    return 2;
  }
  gst_init (NULL, NULL);
  features = g_list_sort (gst_registry_get_feature_list_by_plugin (gst_registry_get (), "arc"),
      by_rank);
  if (!features)
    fault (&output, "", "the plugin is not found; set GST_PLUGIN_PATH");
  put_elements (&output, features, index, pages);
  g_string_append (index, "- [laws](laws.md): the algorithms of `congestion-control` and "
      "their parameters\n- [uri](uri.md): the keys of `arc://` URIs\n");
  put (&output, "laws.md", page_of_laws ());
  put (&output, "README.md", g_string_free (index, FALSE));
  g_hash_table_add (pages, g_strdup ("laws.md"));
  g_hash_table_add (pages, g_strdup ("README.md"));
  find_strangers (&output, pages);
  gst_plugin_feature_list_free (features);
  if (output.faults > 0 && output.check)
    g_printerr (CURE "\n");
  return output.faults > 0;
}
