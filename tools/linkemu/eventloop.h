/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The clock around a network: sleeps until something is due or a descriptor is readable. What is
 * read and written, and how, is the relay's. */
#pragma once

#include <stdio.h>

#include "lateness.h"
#include "network.h"
#include "options.h"

G_BEGIN_DECLS

#define LOOP_MAX_KEYS 128

typedef void (*LoopReadable) (guint key, gpointer user_data);

typedef struct
{
  const gchar *name;
  guint64 value;
} LoopFact;

typedef struct
{
  Network network;
  int epoll_fd;
  RcTime origin;                /* time 0 in the monotonic clock; RC_TIME_NONE: not begun */
  RcTime duration;
  gboolean stopping;
  Lateness lateness;
  guint64 send_errors;
  LoopReadable on_readable;
  gpointer user_data;
} Loop;

/* The options stay the caller's, self must not move. FALSE and *error if a file cannot be
 * written. */
gboolean loop_init (Loop * self, Options * options, NetworkOutput output, LoopReadable on_readable,
    gpointer user_data, GError ** error);
void loop_clear (Loop * self);
/* key: below LOOP_MAX_KEYS, what on_readable is told. */
void loop_watch (Loop * self, int fd, guint key);
/* Until the duration has passed or stop_fd is readable. Time 0 is now, unless it waits for
 * traffic. FALSE and *error if not all could be written to the files. */
gboolean loop_run (Loop * self, int stop_fd, gboolean start_on_traffic, GError ** error);
/* Time 0 is `clock`, if it has not begun. */
void loop_begin (Loop * self, RcTime clock);
/* Since time 0; of an arrival at `clock` (RC_TIME_NONE: now), which cannot be in the future. */
RcTime loop_time_of (const Loop * self, RcTime clock);
/* A packet was written (or not), and is counted. */
void loop_sent (Loop * self, const Packet * packet, gboolean ok);
/* One line, with the relay's own facts at its end. */
void loop_print_summary (const Loop * self, const LoopFact * facts, guint n_facts, FILE * file);
/* CLOCK_MONOTONIC. */
RcTime loop_clock (void);

G_END_DECLS
