/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* pacer [OPTION...] CONTENDER RATE_BPS SECONDS: sends 1500-byte IP packets over loopback at a
 * wanted rate for a while and prints, as one line of JSON, what a receiver in another process
 * counted (figures.h), or why the contender cannot run here ("skipped"). */
#include "contest.h"
#include "figures.h"

#include <gst/gst.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define N_BUSY 5
#define REST (300 * RC_MSEC)    /* what still is on its way */

static const gchar *busy = "none";
static gdouble gain = 1;
static gboolean steps;

static GOptionEntry options[] = {
  {"busy", 0, 0, G_OPTION_ARG_STRING, &busy,
      "five spinning processes: third (the middle one) or whole (run)", "WHEN"},
  {"gain", 0, 0, G_OPTION_ARG_DOUBLE, &gain, "pacing_gain of rmcsink", "K_R"},
  {"steps", 0, 0, G_OPTION_ARG_NONE, &steps,
      "rmcsink's rate falls to a tenth after one third of the time and rises again after two",
      NULL},
  {NULL}
};

RcTime
contest_now (void)
{
  struct timespec t;

  clock_gettime (CLOCK_MONOTONIC, &t);
  return (RcTime) t.tv_sec * RC_SECOND + t.tv_nsec;
}

void
contest_sleep_until (RcTime at)
{
  struct timespec t = { at / RC_SECOND, at % RC_SECOND };

  clock_nanosleep (CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
}

static void
start_busy (RcTime from, RcTime to)
{
  if (fork () == 0) {
    prctl (PR_SET_PDEATHSIG, SIGKILL);
    contest_sleep_until (from);
    while (contest_now () < to);
    _exit (0);
  }
}

RcTime
contest_begin (const Contest *contest)
{
  RcTime length = rc_time_from_s (contest->seconds), start = contest_now ();
  gboolean whole = contest->load == LOAD_WHOLE;

  for (guint i = 0; contest->load != LOAD_NONE && i < N_BUSY; i++)
    start_busy (whole ? start : start + length / 3,
        whole ? start + length : start + 2 * length / 3);
  contest->count->length = length;
  contest->count->started_at = count_realtime ();
  return contest_now ();
}

static gboolean
parse (Contest *contest, gint argc, gchar **argv)
{
  GOptionContext *context = g_option_context_new ("CONTENDER RATE_BPS SECONDS");
  GError *error = NULL;
  gboolean good;

  g_option_context_add_main_entries (context, options, NULL);
  good = g_option_context_parse (context, &argc, &argv, &error) && argc == 4;
  if (good)
    *contest = (Contest) {.name = argv[1],.rate_bps = g_ascii_strtoull (argv[2], NULL, 10),
        .seconds = g_ascii_strtod (argv[3], NULL),.gain = gain,.steps = steps,
        .load = strcmp (busy, "whole") == 0 ? LOAD_WHOLE
            : strcmp (busy, "third") == 0 ? LOAD_THIRD : LOAD_NONE};
  good = good && contest->rate_bps > 0 && contest->seconds > 0
      && (contest->load != LOAD_NONE || strcmp (busy, "none") == 0);
  if (!good)
    g_printerr ("%s\n", error ? error->message : g_option_context_get_help (context, TRUE, NULL));
  g_clear_error (&error);
  g_option_context_free (context);
  return good;
}

int
main (int argc, char **argv)
{
  gchar *skipped = NULL;
  Contest contest;
  pid_t receiver;

  if (!parse (&contest, argc, argv))
    return 2;
  contest.count = count_new ();
  receiver = count_start (contest.count, &contest.port);
  gst_init (NULL, NULL);
  prctl (PR_SET_TIMERSLACK, 1);
  if (!plain_loop_run (&contest) && !element_run (&contest, &skipped)) {
    g_printerr ("%s: no contender %s\n", argv[0], contest.name);
    return 2;
  }
  contest_sleep_until (contest_now () + REST);
  contest.count->stop = 1;
  waitpid (receiver, NULL, 0);
  g_print ("{\"contender\": \"%s\", \"wanted_bps\": %" G_GUINT64_FORMAT ", ", contest.name,
      contest.rate_bps);
  if (skipped)
    g_print ("\"skipped\": \"%s\"", skipped);
  else
    figures_print (contest.count, contest.rate_bps);
  g_print ("}\n");
  g_free (skipped);
  return 0;
}
