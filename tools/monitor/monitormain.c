/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "alarms.h"
#include "feed.h"
#include "terminal.h"
#include "webserver.h"

#include <glib-unix.h>
#include <gst/arc/arc.h>
#include <stdlib.h>

#define DEFAULT_PORT 8480
#define EXIT_USAGE 2

typedef struct
{
  gchar *socket, *address, *thumbnails;
  gchar **hosts;
  gint port;
  gboolean terminal, rules;
} Options;

static gboolean
parse_options (int *argc, char ***argv, Options * options, GError ** error)
{
  const GOptionEntry entries[] = {
    {"terminal", 't', 0, G_OPTION_ARG_NONE, &options->terminal,
        "One line a stream here, and no page", NULL},
    {"port", 'p', 0, G_OPTION_ARG_INT, &options->port,
        "Port of the page and of /metrics (8480; 0: any that is free)", "PORT"},
    {"address", 'a', 0, G_OPTION_ARG_STRING, &options->address,
        "IP address to serve at (loopback); nothing is encrypted, and nobody is asked who he is",
        "ADDRESS"},
    {"host", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options->hosts,
        "Name by which browsers may ask, beside localhost and addresses", "NAME"},
    {"socket", 's', 0, G_OPTION_ARG_FILENAME, &options->socket,
        "Where processes tell their statistics (gst-arc-monitor in the user's runtime folder)",
        "PATH"},
    {"thumbnails", 0, 0, G_OPTION_ARG_FILENAME, &options->thumbnails,
        "Folder in which applications leave pictures, PROCESS-ELEMENT.jpg, for the page", "FOLDER"},
    {"rules", 0, 0, G_OPTION_ARG_NONE, &options->rules,
        "Write the alarms as rules for Prometheus, and end", NULL},
    {NULL}
  };
  GOptionContext *context = g_option_context_new ("- watch the streams of gst-arc");
  gboolean ok;

  g_option_context_set_description (context, "Processes are watched that run with "
      "GST_TRACERS=arcmonitor in their environment.");
  g_option_context_add_main_entries (context, entries, NULL);
  ok = g_option_context_parse (context, argc, argv, error);
  g_option_context_free (context);
  if (ok && *argc > 1) {
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "\"%s\" is no option",
        (*argv)[1]);
    return FALSE;
  }
  if (ok && (options->port < 0 || options->port > G_MAXUINT16)) {
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "%d is no port", options->port);
    return FALSE;
  }
  if (ok && options->thumbnails && !g_file_test (options->thumbnails, G_FILE_TEST_IS_DIR)) {
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
        "there is no folder %s for thumbnails: make it (mkdir -p)", options->thumbnails);
    return FALSE;
  }
  if (ok && options->socket == NULL)
    options->socket = g_build_filename (g_get_user_runtime_dir (), GST_ARC_MONITOR_SOCKET, NULL);
  return ok;
}

static gboolean
on_signal (gpointer loop)
{
  g_main_loop_quit (loop);
  return G_SOURCE_CONTINUE;
}

static gboolean
on_expire (gpointer streams)
{
  stream_table_expire (streams, g_get_monotonic_time ());
  return G_SOURCE_CONTINUE;
}

static void
run_loop (StreamTable * streams)
{
  GMainLoop *loop = g_main_loop_new (NULL, FALSE);

  g_unix_signal_add (SIGINT, on_signal, loop);
  g_unix_signal_add (SIGTERM, on_signal, loop);
  g_timeout_add_seconds (1, on_expire, streams);
  g_main_loop_run (loop);
  g_main_loop_unref (loop);
}

static gboolean
serve_page (const Options * options, StreamTable * streams, GError ** error)
{
  WebServer *server = web_server_new (streams, options->address, (guint) options->port,
      (const gchar * const *) options->hosts, options->thumbnails, error);

  if (server == NULL)
    return FALSE;
  g_print ("page %s\nmetrics %smetrics\n", web_server_uri (server), web_server_uri (server));
  run_loop (streams);
  web_server_free (server);
  return TRUE;
}

static gboolean
show_lines (StreamTable * streams)
{
  Terminal *terminal = terminal_new (streams);

  run_loop (streams);
  terminal_free (terminal);
  return TRUE;
}

int
main (int argc, char **argv)
{
  Options options = { .port = DEFAULT_PORT };
  StreamTable *streams;
  GError *error = NULL;
  gboolean ok;
  Feed *feed;

  if (!parse_options (&argc, &argv, &options, &error)) {
    g_printerr ("gst-arc-monitor: %s; see --help\n", error->message);
    return EXIT_USAGE;
  }
  if (options.rules) {
    gchar *rules = alarms_rules ();

    g_print ("%s", rules);
    g_free (rules);
    return EXIT_SUCCESS;
  }
  gst_init (NULL, NULL);
  streams = stream_table_new ();
  feed = feed_new (options.socket, streams, &error);
  ok = feed != NULL && (options.terminal ? show_lines (streams)
      : serve_page (&options, streams, &error));
  if (error != NULL)
    g_printerr ("gst-arc-monitor: %s\n", error->message);
  g_clear_error (&error);
  g_clear_pointer (&feed, feed_free);
  stream_table_free (streams);
  g_strfreev (options.hosts);
  g_free (options.socket);
  g_free (options.address);
  g_free (options.thumbnails);
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
