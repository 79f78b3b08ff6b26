/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Figures that the real clock makes (rates, delays, shares), on a machine that may stall. Problem: such a figure is
 * wrong both when our code is wrong and when the machine did not run it. Rule: a figure outside its bounds is measured
 * again, up to three times in all; one that stays outside fails the test if the machine was quiet in any of these
 * trials, and else becomes a line "skipped figure: ...", which ./check prints and counts. */
#pragma once

#include <glib.h>

/* Watches the machine: sleeping threads, one a CPU, see how late they wake; the kernel tells what ran and was stolen. */
typedef struct _QuietWatch QuietWatch;

QuietWatch *quiet_watch_new (void);
/* NULL: the machine was quiet; otherwise what it did instead (g_free). */
gchar *quiet_watch_free (QuietWatch * self);

/* What is outside its bounds, with its figure (g_free); NULL: nothing. What time cannot change it asserts itself. */
typedef gchar *(*QuietTrial) (gpointer data);
void quiet_judge (const gchar * claim, QuietTrial trial, gpointer data);
