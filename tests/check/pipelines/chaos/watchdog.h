/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Who watches the test: no operation may take longer than the patience allows, and GLib and
 * GStreamer may not warn of programming errors. Either ends the process, with what every thread
 * was doing. */
#pragma once

#include <gst/gst.h>

typedef struct _WatchdogSlot WatchdogSlot;

/* `replay` is the command line that does the same again. */
void watchdog_start (guint patience_s, const gchar * program);
void watchdog_set_replay (const gchar * replay);

/* One slot for each thread that does operations; kept until the end of the process. */
WatchdogSlot *watchdog_add (const gchar * who);
void watchdog_begin (WatchdogSlot * slot, const gchar * what);
void watchdog_end (WatchdogSlot * slot);

/* Prints why, what everybody was doing, all stacks if gdb is installed, and how to replay; ends. */
void watchdog_fail (const gchar * format, ...) G_GNUC_PRINTF (1, 2) G_GNUC_NORETURN;
