/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <errno.h>
#include <glib.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "options.h"
#include "udprelay.h"
#include "tunrelay.h"

#define EXIT_USAGE 2

static int
open_signals (void)
{
  sigset_t set;

  sigemptyset (&set);
  sigaddset (&set, SIGINT);
  sigaddset (&set, SIGTERM);
  sigprocmask (SIG_BLOCK, &set, NULL);
  return signalfd (-1, &set, SFD_CLOEXEC);
}

static int
run_relay (Options *options, int stop_fd, GError **error)
{
  Relay *relay = relay_new (options, error);
  gchar *address;
  gboolean ok;

  if (!relay)
    return EXIT_FAILURE;
  address = relay_listen_address (relay);
  fprintf (stderr, "linkemu: listening on %s\n", address);
  g_free (address);
  ok = relay_run (relay, stop_fd, error);
  relay_print_summary (relay, stderr);
  relay_free (relay);
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int
run_tun_relay (Options *options, int stop_fd, GError **error)
{
  TunRelay *relay = tun_relay_new (options, error);
  gchar *namespaces;
  gboolean ok;

  if (!relay)
    return EXIT_FAILURE;
  namespaces = tun_relay_namespaces (relay);
  fprintf (stderr, "linkemu: namespaces %s\n", namespaces);
  g_free (namespaces);
  ok = tun_relay_run (relay, stop_fd, error);
  tun_relay_print_summary (relay, stderr);
  tun_relay_free (relay);
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int
run (Options *options, GError **error)
{
  int stop_fd = open_signals ();
  int status = options->tun ? run_tun_relay (options, stop_fd, error) : run_relay (options,
      stop_fd, error);

  close (stop_fd);
  return status;
}

int
main (int argc, char **argv)
{
  Options options;
  GError *error = NULL;
  int status = EXIT_USAGE;

  prctl (PR_SET_TIMERSLACK, 1UL, 0, 0, 0);      /* ns; the default adds 50 µs to each wake-up */
  if (options_parse (&options, &argc, &argv, &error))
    status = run (&options, &error);
  if (error)
    fprintf (stderr, "linkemu: %s%s\n", error->message, error->domain == G_OPTION_ERROR
        ? "; see --help" : "");
  g_clear_error (&error);
  options_clear (&options);
  return status;
}
