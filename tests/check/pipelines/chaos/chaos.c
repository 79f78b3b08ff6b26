/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Chaos: random operations on pipelines with our elements, from a seed. In each round one
 * thread does random operations and a second one changes and reads properties beside it; then
 * all is put back, and the media of each sender must arrive, and be shown where there is a screen.
 * A hang, a programming error that GLib reports, a pipeline that does not stream again, and objects
 * that are left at the end are failures. All that is random comes from the seed, so that a
 * failure's seed and round do the same again, as far as threads allow.
 *
 *   chaos                            20 seconds, seed 1
 *   chaos --seed 7 --seconds 300     another, longer
 *   chaos --seed 7 --round 12        begins with the round that failed
 *   chaos --operations state,seek    these only; --list names them */
#include "leaks.h"
#include "operations.h"
#include "privatenet.h"

#include <stdio.h>
#include <stdlib.h>

#if defined (__SANITIZE_THREAD__) || defined (__SANITIZE_ADDRESS__)
#define SLOWNESS 4
#else
#define SLOWNESS 1
#endif

static struct
{
  gint seed, seconds, round, length, patience, port;
  gchar *operations;
  gboolean list, beside_off;
} options = { 1, 20, 1, 50, 20, 5004, NULL, FALSE, FALSE };

static const GOptionEntry entries[] = {
  {"seed", 0, 0, G_OPTION_ARG_INT, &options.seed, "Of all random numbers (1)", "N"},
  {"seconds", 0, 0, G_OPTION_ARG_INT, &options.seconds, "No round begins later (20)", "S"},
  {"round", 0, 0, G_OPTION_ARG_INT, &options.round, "The first one (1)", "N"},
  {"length", 0, 0, G_OPTION_ARG_INT, &options.length, "Operations in a round (50)", "N"},
  {"operations", 0, 0, G_OPTION_ARG_STRING, &options.operations, "Only these", "NAME,NAME,..."},
  {"alone", 0, 0, G_OPTION_ARG_NONE, &options.beside_off, "No second thread", NULL},
  {"patience", 0, 0, G_OPTION_ARG_INT, &options.patience,
        "Longer than this an operation hangs, and media does not come (20)", "S"},
  {"port", 0, 0, G_OPTION_ARG_INT, &options.port, "The first of 16 UDP ports (5004)", "PORT"},
  {"list", 0, 0, G_OPTION_ARG_NONE, &options.list, "Name the operations and end", NULL},
  {NULL}
};

typedef struct
{
  Scene scene;
  Actor main, beside;
  gchar **wanted;
  gint round_over;              /* atomic */
  gboolean private;             /* the network */
} Chaos;

static gpointer
act_beside (gpointer data)
{
  Chaos *self = data;

  while (!g_atomic_int_get (&self->round_over)
      && operations_do_one (&self->scene, &self->beside, self->wanted, TRUE))
    g_usleep (actor_below (&self->beside, 30000));
  return NULL;
}

static void
tell_replay (const gchar * program, guint round)
{
  gchar *line = g_strdup_printf ("%s --seed %d --round %u --length %d%s%s%s", program, options.seed,
      round, options.length, options.operations ? " --operations " : "",
      options.operations ? options.operations : "", options.beside_off ? " --alone" : "");

  watchdog_set_replay (line);
  g_free (line);
}

static void
run_round (Chaos * self, guint round)
{
  GThread *beside = NULL;

  actor_begin_round (&self->main, (guint) options.seed, round);
  actor_begin_round (&self->beside, (guint) options.seed, round);
  g_atomic_int_set (&self->round_over, FALSE);
  if (!options.beside_off)
    beside = g_thread_new ("beside", act_beside, self);
  for (gint i = 0; i < options.length; i++) {
    operations_do_one (&self->scene, &self->main, self->wanted, FALSE);
    scene_read_messages (&self->scene, &self->main);
    g_usleep (actor_below (&self->main, 4) ? actor_below (&self->main, 20000)
        : actor_below (&self->main, 200000));
  }
  g_atomic_int_set (&self->round_over, TRUE);
  if (beside)
    g_thread_join (beside);
  scene_put_back (&self->scene, &self->main, (guint) options.patience);
}

static guint
run (Chaos * self, const gchar * program)
{
  gint64 end = g_get_monotonic_time () + (gint64) options.seconds * G_USEC_PER_SEC;
  guint round = (guint) options.round;

  scene_init (&self->scene, (guint) options.port, self->private);
  actor_begin_round (&self->main, (guint) options.seed, 0);
  scene_start (&self->scene, &self->main);
  scene_put_back (&self->scene, &self->main, (guint) options.patience);
  do {
    tell_replay (program, round);
    run_round (self, round++);
  } while (g_get_monotonic_time () < end);
  self->main.operation = "end";
  actor_will (&self->main, "all to NULL");
  scene_stop (&self->scene);
  actor_done (&self->main);
  return round - (guint) options.round;
}

static void
parse_options (int *argc, char ***argv)
{
  GOptionContext *context = g_option_context_new ("- random operations on pipelines of gst-arc");
  GError *error = NULL;

  g_option_context_add_main_entries (context, entries, NULL);
  g_option_context_add_group (context, gst_init_get_option_group ());
  if (!g_option_context_parse (context, argc, argv, &error)) {
    fprintf (stderr, "chaos: %s\n", error->message);
    exit (2);
  }
  g_option_context_free (context);
  options.patience *= SLOWNESS;
}

static gchar **
split_operations (void)
{
  gchar **names = options.operations ? g_strsplit (options.operations, ",", -1) : NULL;

  for (gchar ** name = names; name && *name; name++)
    if (!operations_find (*name)) {
      fprintf (stderr, "chaos: no operation '%s'; --list names them\n", *name);
      exit (2);
    }
  return names;
}

int
main (int argc, char **argv)
{
  Chaos self = { 0 };
  guint rounds;

  g_setenv ("GST_PLUGIN_PATH_1_0", BUILD_DIR "/gst", FALSE);
  g_setenv ("GST_REGISTRY_1_0", BUILD_DIR "/tests/registry.bin", FALSE);
  g_setenv ("GST_REGISTRY_FORK", "no", FALSE);    /* the program that scans has no sanitizer */
  leaks_watch ();
  self.private = privatenet_enter ();
  if (!self.private)
    puts ("chaos: no network of its own is permitted: uses that of this machine");
  parse_options (&argc, &argv);
  if (options.list) {
    for (guint i = 0; i < n_operations; i++)
      printf ("%s%s\n", operations[i].name, operations[i].beside ? " (also by the second thread)"
          : "");
    return 0;
  }
  self.wanted = split_operations ();
  watchdog_start ((guint) options.patience, argv[0]);
  actor_init (&self.main, "main");
  actor_init (&self.beside, "beside");
  tell_replay (argv[0], (guint) options.round);
  rounds = run (&self, argv[0]);
  leaks_check ();
  actor_clear (&self.main);
  actor_clear (&self.beside);
  g_strfreev (self.wanted);
  printf ("chaos: seed %d: %u rounds of %d operations: all streams again\n", options.seed, rounds,
      options.length);
  return 0;
}
