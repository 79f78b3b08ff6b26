/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Every whole gst-launch-1.0 line of README.md and of the pages in docs is a pipeline that can be
 * made with the plugin as built. */
#include <string.h>

#include "claim.h"

#define COMMAND "gst-launch-1.0 "
#define KEY "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d"

typedef struct
{
  gchar *page;
  gchar *line;                  /* as a shell would read it */
} Command;

static GArray *commands;

/* Whole lines only: "..." stands for what the reader knows. */
static void
take_command (const gchar * page, const gchar * line)
{
  gchar **parts = g_strsplit (line, "$KEY", -1);
  Command command = { g_strdup (page), g_strjoinv (KEY, parts) };

  g_strfreev (parts);
  if (strstr (line, "...") == NULL)
    g_array_append_val (commands, command);
}

/* Lines that the backslash at their end joins. */
static void
take_commands (const gchar * page, gchar ** lines)
{
  GString *command = NULL;

  for (; *lines; lines++) {
    gchar *line = g_strstrip (*lines);
    gboolean goes_on = g_str_has_suffix (line, "\\");

    if (goes_on)
      line[strlen (line) - 1] = '\0';
    if (!command && g_str_has_prefix (line, COMMAND))
      command = g_string_new (line + strlen (COMMAND));
    else if (command)
      g_string_append_printf (command, " %s", line);
    if (command && !goes_on) {
      take_command (page, command->str);
      g_string_free (g_steal_pointer (&command), TRUE);
    }
  }
  if (command)
    g_error ("%s ends in a command: %s", page, command->str);
}

static void
read_page (const gchar * page)
{
  gchar *text;
  gchar **lines;

  if (!g_file_get_contents (page, &text, NULL, NULL))
    g_error ("%s cannot be read", page);
  lines = g_strsplit (text, "\n", -1);
  take_commands (page, lines);
  g_strfreev (lines);
  g_free (text);
}

static void
read_folder (const gchar * folder)
{
  GDir *dir = g_dir_open (folder, 0, NULL);
  const gchar *name;

  while (dir && (name = g_dir_read_name (dir))) {
    gchar *path = g_build_filename (folder, name, NULL);

    if (g_str_has_suffix (name, ".md"))
      read_page (path);
    g_free (path);
  }
  g_clear_pointer (&dir, g_dir_close);
}

/* Each element of this tree has a page, as the test `reference` knows. */
static gboolean
is_ours (const gchar * element)
{
  gchar *page = g_strdup_printf (ROOT "/docs/reference/%s.md", element);
  gboolean is = g_file_test (page, G_FILE_TEST_EXISTS);

  g_free (page);
  return is;
}

/* This machine need not have a camera plugin or every codec; but what this tree builds must be
 * there. */
static void
check_missing_are_foreign (GstParseContext * context, const Command * command)
{
  gchar **missing = gst_parse_context_get_missing_elements (context);

  fail_unless (missing != NULL, "%s: %s", command->page, command->line);
  for (gchar ** name = missing; *name; name++)
    fail_if (is_ours (*name), "%s: %s is not in the plugin", command->page, *name);
  g_strfreev (missing);
}

/* What gst-launch-1.0 makes of its arguments, without its own options. */
static void
parse (const Command * command)
{
  GstParseContext *context = gst_parse_context_new ();
  GError *error = NULL;
  GstElement *pipeline;
  gchar **arguments, **first;
  /* A comment, the background, a file, a pipe. */
  static const gchar *const ends[] = { " #", " &", " >", " |" };

  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    if (strstr (command->line, ends[i]))
      *strstr (command->line, ends[i]) = '\0';
  fail_unless (g_shell_parse_argv (command->line, NULL, &arguments, &error), "%s: %s: %s",
      command->page, command->line, error ? error->message : "");
  for (first = arguments; *first && **first == '-';)
    first++;
  pipeline = gst_parse_launchv_full ((const gchar **) first, context, GST_PARSE_FLAG_FATAL_ERRORS,
      &error);
  if (g_error_matches (error, GST_PARSE_ERROR, GST_PARSE_ERROR_NO_SUCH_ELEMENT))
    check_missing_are_foreign (context, command);
  else
    fail_if (error, "%s: %s: %s", command->page, command->line, error ? error->message : "");
  g_clear_error (&error);
  gst_clear_object (&pipeline);
  gst_parse_context_free (context);
  g_strfreev (arguments);
}

BEFORE_ALL
{
  commands = g_array_new (FALSE, FALSE, sizeof (Command));
  read_page (ROOT "/README.md");
  read_folder (ROOT "/docs");
  read_folder (ROOT "/docs/guide");
}

CLAIM (test_commands_of_the_documents_parse)
{
  for (guint i = 0; i < commands->len; i++)
    parse (&g_array_index (commands, Command, i));
}

CLAIM (test_commands_are_found)
{
  fail_unless (commands->len >= 10, "%u", commands->len);
}
