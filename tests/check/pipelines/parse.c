/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Every file in examples/pipelines is a pipeline that can be made with the plugin as built. */
#include <string.h>

#include "claim.h"

static const gchar *const our_elements[] = { "rmcsink", "arcsrc", "arcreceiver", "rampscheduler",
    "rcprelay", NULL };

static GPtrArray *files;

static void
list_files (void)
{
  GDir *dir = g_dir_open (EXAMPLES_DIR, 0, NULL);
  const gchar *name;

  files = g_ptr_array_new_with_free_func (g_free);
  while (dir && (name = g_dir_read_name (dir)))
    if (g_str_has_suffix (name, ".launch"))
      g_ptr_array_add (files, g_build_filename (EXAMPLES_DIR, name, NULL));
  g_clear_pointer (&dir, g_dir_close);
}

/* The text without comment lines: what a shell would hand to gst-launch-1.0. */
static gchar *
read_pipeline (const gchar * path)
{
  GString *text = g_string_new (NULL);
  g_autofree gchar *contents = NULL;
  g_auto (GStrv) lines = NULL;

  fail_unless (g_file_get_contents (path, &contents, NULL, NULL), "%s", path);
  lines = g_strsplit (contents, "\n", -1);
  for (gchar ** line = lines; *line; line++)
    if (**line != '#')
      g_string_append_printf (text, "%s ", *line);
  return g_string_free (text, FALSE);
}

/* This machine need not have a camera plugin or every codec; but what this tree builds must be
 * there. */
static void
check_missing_are_foreign (GstParseContext * context, const gchar * path)
{
  g_auto (GStrv) missing = gst_parse_context_get_missing_elements (context);

  fail_unless (missing != NULL, "%s: missing an element without a name", path);
  for (gchar ** name = missing; *name; name++) {
    fail_if (g_strv_contains (our_elements, *name), "%s: %s is not in the plugin", path, *name);
    GST_WARNING ("%s: not checked, as this machine has no %s", path, *name);
  }
}

BEFORE_ALL
{
  list_files ();
}

CLAIM (test_examples_are_found)
{
  fail_unless (files->len > 0, "nothing in " EXAMPLES_DIR);
}

CLAIMS (test_example_parses, files->len)
{
  const gchar *path = g_ptr_array_index (files, __i__);
  g_autoptr (GstParseContext) context = gst_parse_context_new ();
  GError *error = NULL;
  g_autofree gchar *text = read_pipeline (path);
  GstElement *pipeline = gst_parse_launch_full (text, context, GST_PARSE_FLAG_FATAL_ERRORS, &error);

  if (g_error_matches (error, GST_PARSE_ERROR, GST_PARSE_ERROR_NO_SUCH_ELEMENT))
    check_missing_are_foreign (context, path);
  else
    fail_if (error, "%s: %s", path, error ? error->message : "");
  g_clear_error (&error);
  gst_clear_object (&pipeline);
}
