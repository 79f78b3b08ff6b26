/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A machine that stalls is seen, and excuses figures. Here the test stops itself for a while. */
#include "quiet.h"

#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define STALL_US 100000

/* What trials, which are processes, have in common. */
static gint *shared;
static GString *printed;        /* not shown, or ./check would count it */

static void
keep (const gchar * text)
{
  g_string_append (printed, text);
}

BEFORE_EACH
{
  printed = g_string_new (NULL);
  g_set_print_handler (keep);
  shared = mmap (NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  fail_unless (shared != MAP_FAILED);
}

AFTER_EACH
{
  munmap (shared, sizeof *shared);
  g_set_print_handler (NULL);
  g_string_free (printed, TRUE);
}

/* Of the process that watches, which may be the parent of this one. */
static void
stall (pid_t watcher)
{
  pid_t waker = fork ();

  if (waker == 0) {
    kill (watcher, SIGSTOP);
    g_usleep (STALL_US);
    kill (watcher, SIGCONT);
    _exit (0);
  }
  fail_unless (waitpid (waker, NULL, 0) == waker);
}

CLAIM (test_a_stall_is_seen)
{
  QuietWatch *watch = quiet_watch_new ();
  gchar *noise;

  g_usleep (10000);
  stall (getpid ());
  noise = quiet_watch_free (watch);
  fail_unless (noise != NULL);
  GST_INFO ("%s", noise);
  g_free (noise);
}

CLAIM (test_a_stall_excuses_a_figure)
{
  QuietWatch *watch = quiet_watch_new ();

  g_usleep (10000);
  stall (getpid ());
  quiet_figure (watch, FALSE, "%d of 2", 1);
  fail_unless (g_str_has_prefix (printed->str, "skipped figure: 1 of 2; "), "%s", printed->str);
}

TIMED_CLAIM (test_wrong_twice_and_right_once_is_right)
{
  fail_unless (++*shared == 3, "trial %d", *shared);
}

static void
be_wrong_in_a_stall (int i)
{
  ++*shared;
  g_usleep (10000);
  stall (getppid ());
  fail_unless (FALSE, "trial %d", *shared);
}

CLAIM (test_wrong_in_three_stalls_is_skipped)
{
  quiet_repeat ("claim", be_wrong_in_a_stall, 0);
  fail_unless (strstr (printed->str, "\nskipped figure: claim: trial 3 "), "%s", printed->str);
}

static void
be_wrong_alike_in_a_stall (int i)
{
  ++*shared;
  g_usleep (10000);
  stall (getppid ());
  fail_unless (*shared > 3);
}

static void
inner_wrong_alike (gint i)
{
  tcase_fn_start ("inner_wrong_alike", __FILE__, __LINE__ - i);
  quiet_repeat ("claim", be_wrong_alike_in_a_stall, 0);
}

CLAIM (test_the_same_text_in_three_stalls_fails)
{
  Suite *suite = suite_create ("inner");
  TCase *tcase = tcase_create ("inner");
  SRunner *runner = srunner_create (suite);
  TestResult **failures;

  suite_add_tcase (suite, tcase);
  tcase_add_test (tcase, inner_wrong_alike);
  srunner_run_all (runner, CK_SILENT);
  fail_unless_equals_int (srunner_ntests_failed (runner), 1);
  failures = srunner_failures (runner);
  fail_unless (g_str_has_suffix (tr_msg (failures[0]), ", the same in 3 trials"), "%s",
      tr_msg (failures[0]));
  fail_unless_equals_int (*shared, 3);
  free (failures);
  srunner_free (runner);
}

static gchar *
count_in_a_stall (gpointer data)
{
  ++*shared;
  g_usleep (10000);
  stall (getpid ());
  return g_strdup_printf ("trial %d", *shared);
}

CLAIM (test_when_it_is_late_no_other_trial_begins)
{
  quiet_judge_within ("claim", count_in_a_stall, NULL, STALL_US / 2);
  fail_unless_equals_int (*shared, 1);
  fail_unless (strstr (printed->str, "\nskipped figure: claim: trial 1; "), "%s", printed->str);
}
