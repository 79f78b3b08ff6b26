/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The command line, checked. */
#pragma once

#include <glib.h>
#include <link/link.h>

#include "endpoint.h"
#include "schedule.h"

G_BEGIN_DECLS

typedef struct
{
  Endpoint listen, to;
  LinkParams forward, reverse;
  Schedule schedule;
  guint64 seed;
  guint overhead_bytes;
  RcTime interval, duration;    /* RC_TIME_NONE: no end */
  gboolean start_on_traffic;
  gchar *log, *packets;         /* NULL: none */
} Options;

/* Exits by itself on --help. FALSE and *error if the command line makes no sense. */
gboolean options_parse (Options * self, int *argc, char ***argv, GError ** error);
void options_clear (Options * self);

G_END_DECLS
