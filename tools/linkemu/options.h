/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The command line, checked. */
#pragma once

#include <glib.h>
#include <link/link.h>

#include "endpoint.h"
#include "schedule.h"
#include "topology.h"

G_BEGIN_DECLS

typedef struct
{
  gboolean tun;                 /* else between the two endpoints */
  Endpoint listen, to;
  Topology topology;
  Schedule schedule, reverse_schedule;
  guint64 seed;
  guint overhead_bytes;
  RcTime interval, duration;    /* RC_TIME_NONE: no end */
  gboolean start_on_traffic;
  gchar *log, *packets, *reverse_log, *reverse_packets; /* NULL: none */
} Options;

/* Exits by itself on --help. FALSE and *error if the command line makes no sense. */
gboolean options_parse (Options * self, int *argc, char ***argv, GError ** error);
void options_clear (Options * self);

G_END_DECLS
