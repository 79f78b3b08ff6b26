/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#define _GNU_SOURCE             /* sched_setaffinity */
#include "quiet.h"
#undef _ck_assert_failed

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_CPUS 16
#define TRIALS 3
/* A trial that hears of its failure by a time limit takes 30 s, and libcheck gives a test 60 s. */
#define AGAIN_WITHIN_US (30 * G_TIME_SPAN_SECOND)
#define SLEEP_US 2000
/* Few bounds of our tests are closer than 30 ms; a kernel with nothing to do needs less than 5 ms
 * to wake a thread. */
#define QUIET_LATENESS_US 10000
#define QUIET_STEAL_RATIO 0.01
/* Above, threads wait for a CPU most of the time. No test of ours needs half of two slow CPUs.
 * What runs with a nice value, as the tests of ./check that compute, does not count as busy. */
#define QUIET_BUSY_RATIO 0.8
#define TEXT_BYTES 1024
#define WRONG 77                /* status of a trial that has told what is wrong */

typedef struct
{
  guint64 all, idle, steal;
} CpuTimes;

typedef struct
{
  QuietWatch *watch;
  pthread_t thread;             /* not GLib's: nothing may be locked when a trial forks */
  int cpu;
  gint64 worst_us;
} Sleeper;

struct _QuietWatch
{
  Sleeper sleepers[MAX_CPUS];
  guint n;
  gint stop;                    /* atomic */
  CpuTimes begin;
};

/* Of all CPUs since the machine started, in ticks; zeros where the kernel does not tell. */
static CpuTimes
read_cpu_times (void)
{
  unsigned long long t[8] = { 0 };
  FILE *file = fopen ("/proc/stat", "r");
  CpuTimes times = { 0 };

  if (file == NULL)
    return times;
  if (fscanf (file, "cpu %llu %llu %llu %llu %llu %llu %llu %llu", &t[0], &t[1], &t[2], &t[3],
          &t[4], &t[5], &t[6], &t[7]) == 8) {
    for (guint i = 0; i < G_N_ELEMENTS (t); i++)
      times.all += t[i];
    times.idle = t[1] + t[3] + t[4];    /* nice: gives way */
    times.steal = t[7];
  }
  fclose (file);
  return times;
}

static void *
sleep_on_cpu (void *data)
{
  Sleeper *self = data;
  cpu_set_t set;

  CPU_ZERO (&set);
  CPU_SET (self->cpu, &set);
  sched_setaffinity (0, sizeof set, &set);
  while (!g_atomic_int_get (&self->watch->stop)) {
    gint64 due_us = g_get_monotonic_time () + SLEEP_US;

    g_usleep (SLEEP_US);
    self->worst_us = MAX (self->worst_us, g_get_monotonic_time () - due_us);
  }
  return NULL;
}

QuietWatch *
quiet_watch_new (void)
{
  QuietWatch *self = g_new0 (QuietWatch, 1);
  cpu_set_t allowed;

  CPU_ZERO (&allowed);
  sched_getaffinity (0, sizeof allowed, &allowed);
  for (int cpu = 0; cpu < CPU_SETSIZE && self->n < MAX_CPUS; cpu++)
    if (CPU_ISSET (cpu, &allowed))
      self->sleepers[self->n++] = (Sleeper) { .watch = self, .cpu = cpu };
  for (guint i = 0; i < self->n; i++)
    fail_unless (pthread_create (&self->sleepers[i].thread, NULL, sleep_on_cpu,
            &self->sleepers[i]) == 0);
  self->begin = read_cpu_times ();
  return self;
}

gchar *
quiet_watch_free (QuietWatch * self)
{
  CpuTimes end = read_cpu_times ();
  gdouble all = MAX (1, end.all - self->begin.all), steal, busy;
  gint64 worst_us = 0;

  g_atomic_int_set (&self->stop, TRUE);
  for (guint i = 0; i < self->n; i++) {
    pthread_join (self->sleepers[i].thread, NULL);
    worst_us = MAX (worst_us, self->sleepers[i].worst_us);
  }
  steal = (end.steal - self->begin.steal) / all;
  busy = end.all > self->begin.all ? 1 - (end.idle - self->begin.idle) / all : 0;
  g_free (self);
  if (worst_us <= QUIET_LATENESS_US && steal <= QUIET_STEAL_RATIO && busy <= QUIET_BUSY_RATIO)
    return NULL;
  return g_strdup_printf ("a sleeping thread woke up to %.0f ms late, the CPUs were %.0f %% busy "
      "and %.1f %% stolen", worst_us * 1e-3, 100 * busy, 100 * steal);
}

/* ./check runs a test again, alone, if all that failed in it are figures, which are lines of their
 * own. */
static void
fail_timed (const gchar * text, gboolean figure)
{
  if (figure)
    g_print ("FAILED figure: %s\n", text);
  fail ("%s", text);
}

/* Whether the words have a figure, beside that of the line which ends them. */
static gboolean
has_figure (const gchar * words)
{
  const gchar *end = strrchr (words, '(');

  return strcspn (words, "0123456789") < (end ? (gsize) (end - words) : strlen (words));
}

void
quiet_figure (QuietWatch * watch, gboolean ok, const gchar * format, ...)
{
  gchar *noise = quiet_watch_free (watch), *text;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  if (!ok && noise == NULL)
    fail_timed (text, TRUE);
  if (!ok)
    g_print ("skipped figure: %s; %s\n", text, noise);
  g_free (text);
  g_free (noise);
}

void
quiet_judge (const gchar * claim, QuietTrial trial, gpointer data)
{
  quiet_judge_within (claim, trial, data, AGAIN_WITHIN_US);
}

/* begin: before the watch has threads; NULL: nothing. */
static void
judge (const gchar * claim, void (*begin) (gpointer data), QuietTrial trial, gpointer data,
    gint64 again_within_us)
{
  gint64 begin_us = g_get_monotonic_time ();
  gchar *wrong = NULL, *noise = NULL, *text;
  gboolean was_quiet = FALSE;
  guint same = 0, i;            /* trials in a row that ended with the same words */

  for (i = 0; i < TRIALS
      && (i == 0 || g_get_monotonic_time () <= begin_us + again_within_us); i++) {
    QuietWatch *watch;
    gchar *before = wrong;

    if (begin)
      begin (data);
    watch = quiet_watch_new ();
    g_free (noise);
    wrong = trial (data);
    noise = quiet_watch_free (watch);
    same = g_strcmp0 (wrong, before) == 0 ? same + 1 : 1;
    g_free (before);
    if (wrong == NULL) {
      g_free (noise);
      return;
    }
    was_quiet |= noise == NULL;
    g_print ("%s: %s; %s\n", claim, wrong, noise ? noise : "the machine was quiet");
  }
  text = g_strdup_printf ("%s: %s%s", claim, wrong, was_quiet ? "" : ", the same in 3 trials");
  if (was_quiet || same == TRIALS)
    fail_timed (text, has_figure (wrong));
  g_free (text);
  g_print ("skipped figure: %s: %s; %s\n", claim, wrong, noise);
  g_free (wrong);
  g_free (noise);
}

void
quiet_judge_within (const gchar * claim, QuietTrial trial, gpointer data, gint64 again_within_us)
{
  judge (claim, NULL, trial, data, again_within_us);
}

/* --- trials as processes --- */

static int wrong_fd = -1;       /* where this process tells what is wrong; -1: it is no trial */

void
quiet_assert_failed (const char *file, int line, const char *expr, ...)
{
  gchar text[TEXT_BYTES];
  const char *format;
  va_list args;
  int n;

  va_start (args, expr);
  format = va_arg (args, const char *);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  vsnprintf (text, sizeof text, format ? format : expr, args);
#pragma GCC diagnostic pop
  va_end (args);
  if (wrong_fd >= 0) {
    n = dprintf (wrong_fd, "%s (%s:%d)", text, file, line);
    _exit (n > 0 ? WRONG : 1);
  }
  _ck_assert_failed (file, line, "%s", text, NULL);
  abort ();
}

typedef struct
{
  void (*body) (int);
  int i;
  pid_t pid;
  int start, told;              /* ends of pipes to and from the trial */
} Body;

/* ThreadSanitizer knows no child of a process with threads, so it is made before the watch is, and
 * waits. */
static void
make_trial (gpointer data)
{
  Body *body = data;
  int start[2], told[2];
  char go;

  fail_unless (pipe (start) == 0 && pipe (told) == 0);
  body->pid = fork ();
  fail_unless (body->pid >= 0);
  if (body->pid == 0) {
    close (start[1]);
    close (told[0]);
    if (read (start[0], &go, 1) != 1)
      _exit (1);
    wrong_fd = told[1];
    body->body (body->i);
    _exit (0);
  }
  close (start[0]);
  close (told[1]);
  body->start = start[1];
  body->told = told[0];
}

static gchar *
run_trial (gpointer data)
{
  const Body *body = data;
  gchar text[4 * TEXT_BYTES] = "";
  int status;

  fail_unless (write (body->start, "", 1) == 1);
  while (waitpid (body->pid, &status, 0) != body->pid);
  fail_if (WIFSIGNALED (status), "signal %d", WTERMSIG (status));
  if (WEXITSTATUS (status) == WRONG)
    fail_unless (read (body->told, text, sizeof text - 1) > 0);
  else if (WEXITSTATUS (status) != 0)
    _exit (WEXITSTATUS (status));       /* libcheck has been told why */
  close (body->start);
  close (body->told);
  return *text ? g_strdup (text) : NULL;
}

void
quiet_repeat (const gchar * claim, void (*body) (int), int i)
{
  Body trial = {.body = body,.i = i };

  if (g_strcmp0 (g_getenv ("CK_FORK"), "no") == 0)
    body (i);                   /* under a debugger or valgrind: as any other test */
  else
    judge (claim, make_trial, run_trial, &trial, AGAIN_WITHIN_US);
}
