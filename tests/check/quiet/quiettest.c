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

/* Runs the test as libcheck does. Returns how many failed, and the text of the first (g_free). */
static gint
run_inner (void (*test) (gint), gint i, gchar ** text)
{
  Suite *suite = suite_create ("inner");
  TCase *tcase = tcase_create ("inner");
  SRunner *runner = srunner_create (suite);
  TestResult **failures;
  gint failed;

  suite_add_tcase (suite, tcase);
  tcase_add_loop_test (tcase, test, i, i + 1);
  srunner_run_all (runner, CK_SILENT);
  failed = srunner_ntests_failed (runner);
  failures = srunner_failures (runner);
  *text = g_strdup (failed ? tr_msg (failures[0]) : "");
  free (failures);
  srunner_free (runner);
  return failed;
}

CLAIM (test_the_same_text_in_three_stalls_fails)
{
  gchar *text;

  fail_unless_equals_int (run_inner (inner_wrong_alike, 0, &text), 1);
  fail_unless (g_str_has_suffix (text, ", the same in 3 trials"), "%s", text);
  fail_unless_equals_int (*shared, 3);
  g_free (text);
}

/* ./check tries again what fails with a figure, and no other failure. */
static gint
zero_in_a_stall (void)
{
  g_usleep (10000);
  stall (getppid ());
  return 0;
}

static void
no_frame_in_a_stall (int i)
{
  gint frames = zero_in_a_stall ();

  fail_unless (frames > 0, "%d frames", frames);
}

static void
no_pad_in_a_stall (int i)
{
  fail_unless (zero_in_a_stall () > 0, "no pad");
}

static gint printed_fd;

static void
keep_in_file (const gchar * text)
{
  fail_unless (write (printed_fd, text, strlen (text)) >= 0);
}

static void
inner_zero (gint i)
{
  tcase_fn_start ("inner_zero", __FILE__, __LINE__);
  g_set_print_handler (keep_in_file);
  quiet_repeat ("claim", i ? no_pad_in_a_stall : no_frame_in_a_stall, 0);
}

/* The words of a claim of zero frames and, if `pad`, of one about a pad. */
static gchar *
printed_by_failed (gboolean pad)
{
  gchar *path, *text, *wrong;

  printed_fd = g_file_open_tmp (NULL, &path, NULL);
  fail_unless (printed_fd >= 0);
  fail_unless_equals_int (run_inner (inner_zero, pad, &wrong), 1);
  g_free (wrong);
  fail_unless (g_file_get_contents (path, &text, NULL, NULL));
  close (printed_fd);
  unlink (path);
  g_free (path);
  return text;
}

CLAIM (test_only_a_figure_that_failed_may_be_the_machine)
{
  gchar *figure = printed_by_failed (FALSE), *other = printed_by_failed (TRUE);

  fail_unless (strstr (figure, "\nFAILED figure: claim: 0 frames "), "%s", figure);
  fail_if (strstr (other, "FAILED figure"), "%s", other);
  g_free (figure);
  g_free (other);
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
