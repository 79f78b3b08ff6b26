/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#define _GNU_SOURCE             /* sched_setaffinity */
#include "quiet.h"

#include <gst/check/gstcheck.h>
#include <sched.h>
#include <stdio.h>

#define MAX_CPUS 16
#define TRIALS 3
#define SLEEP_US 2000
/* Of the bounds of our tests few are closer than 30 ms; the kernel alone wakes a thread within 5 ms. */
#define QUIET_LATENESS_US 10000
#define QUIET_STEAL_RATIO 0.01
/* Above, threads wait for a CPU most of the time. No test of ours needs half of two slow CPUs. */
#define QUIET_BUSY_RATIO 0.8

typedef struct
{
  guint64 all, idle, steal;
} CpuTimes;

typedef struct
{
  QuietWatch *watch;
  GThread *thread;
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
  if (fscanf (file, "cpu %llu %llu %llu %llu %llu %llu %llu %llu", &t[0], &t[1], &t[2], &t[3], &t[4], &t[5], &t[6],
          &t[7]) == 8) {
    for (guint i = 0; i < G_N_ELEMENTS (t); i++)
      times.all += t[i];
    times.idle = t[3] + t[4];
    times.steal = t[7];
  }
  fclose (file);
  return times;
}

static gpointer
sleep_on_cpu (gpointer data)
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
      self->sleepers[self->n++] = (Sleeper) {
      self, NULL, cpu, 0};
  for (guint i = 0; i < self->n; i++)
    self->sleepers[i].thread = g_thread_new ("quiet", sleep_on_cpu, &self->sleepers[i]);
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
    g_thread_join (self->sleepers[i].thread);
    worst_us = MAX (worst_us, self->sleepers[i].worst_us);
  }
  steal = (end.steal - self->begin.steal) / all;
  busy = end.all > self->begin.all ? 1 - (end.idle - self->begin.idle) / all : 0;
  g_free (self);
  if (worst_us <= QUIET_LATENESS_US && steal <= QUIET_STEAL_RATIO && busy <= QUIET_BUSY_RATIO)
    return NULL;
  return g_strdup_printf ("a sleeping thread woke up to %.0f ms late, the CPUs were %.0f %% busy and %.1f %% stolen",
      worst_us * 1e-3, 100 * busy, 100 * steal);
}

void
quiet_judge (const gchar * claim, QuietTrial trial, gpointer data)
{
  gchar *wrong = NULL, *noise = NULL;
  gboolean was_quiet = FALSE;

  for (guint i = 0; i < TRIALS; i++) {
    QuietWatch *watch = quiet_watch_new ();

    g_free (wrong);
    g_free (noise);
    wrong = trial (data);
    noise = quiet_watch_free (watch);
    if (wrong == NULL) {
      g_free (noise);
      return;
    }
    was_quiet |= noise == NULL;
    g_print ("%s: %s; %s\n", claim, wrong, noise ? noise : "the machine was quiet");
  }
  fail_if (was_quiet, "%s: %s", claim, wrong);
  g_print ("skipped figure: %s: %s; %s\n", claim, wrong, noise);
  g_free (wrong);
  g_free (noise);
}
