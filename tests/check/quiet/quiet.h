/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Tests whose figures (rates, delays, shares) the real clock makes, on a machine that may stall.
 * Problem: such a figure is wrong both when our code is wrong and when the machine did not run it.
 * Rule: a figure outside its bounds is measured again, up to three times in all. If it stays
 * outside, it fails the test if the machine was quiet in any of these trials, or if all three ended
 * with the same words; otherwise it becomes a line "skipped figure: ...", which ./check prints and
 * counts. So the text of an assertion that depends on time has the figure that it measured, which
 * differs between trials: without one it is taken for an error that has nothing to do with time. */
#pragma once

#include "claim.h"

/* Watches the machine: sleeping threads, one a CPU, see how late they wake; the kernel tells how
 * busy the CPUs were, and how much of them a hypervisor took. */
typedef struct _QuietWatch QuietWatch;

QuietWatch *quiet_watch_new (void);
/* NULL: the machine was quiet; otherwise what it did instead (g_free). */
gchar *quiet_watch_free (QuietWatch * self);
/* For what cannot be measured again: fails unless `ok`, or unless the machine was not quiet since
 * `watch` began. Takes `watch`. */
void quiet_figure (QuietWatch * watch, gboolean ok, const gchar * format, ...)
    G_GNUC_PRINTF (3, 4);

/* Returns what is outside its bounds, with its figure (g_free); NULL: nothing. A trial asserts
 * itself what time cannot change. */
typedef gchar *(*QuietTrial) (gpointer data);
void quiet_judge (const gchar * claim, QuietTrial trial, gpointer data);
/* Later than this after the first trial began, no other trial begins; quiet_judge: than 30 s. */
void quiet_judge_within (const gchar * claim, QuietTrial trial, gpointer data,
    gint64 again_within_us);

/* In place of CLAIM, where all that a test asserts depends on time: each trial is a process of its
 * own, and its failure is judged as a figure is. A crash and a critical warning of GLib fail the
 * test in any case. */
#define TIMED_CLAIM(test) CLAIM_DEFINE (test, 1, quiet_repeat, 0)
#define TIMED_CLAIMS(test, n) CLAIM_DEFINE (test, n, quiet_repeat, 0)
#define TIMED_CLAIM_ON(test, ...) CLAIM_ABOUT (TIMED_CLAIM, test, __VA_ARGS__)

void quiet_repeat (const gchar * claim, void (*body) (int), int i);

/* In place of what fail_unless and its like call, in all that includes this before. */
void quiet_assert_failed (const char *file, int line, const char *expr, ...) G_GNUC_NORETURN;
#define _ck_assert_failed quiet_assert_failed
