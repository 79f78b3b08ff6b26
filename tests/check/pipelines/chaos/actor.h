/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Who does operations: a thread with random numbers of its own, so that what it chooses depends
 * on the seed and the round alone and not on what the other threads do meanwhile. */
#pragma once

#include "watchdog.h"

typedef struct
{
  const gchar *who;
  GRand *rand;
  guint seed, round, n_done;
  const gchar *operation;       /* the row of the table that is being done */
  WatchdogSlot *slot;
} Actor;

void actor_init (Actor * self, const gchar * who);
void actor_begin_round (Actor * self, guint seed, guint round);
void actor_clear (Actor * self);

/* Prints what will be done now, and has the watchdog look at it until actor_done(). Everything
 * random must have been chosen by then. */
void actor_will (Actor * self, const gchar * format, ...) G_GNUC_PRINTF (2, 3);
void actor_done (Actor * self);
void actor_note (Actor * self, const gchar * format, ...) G_GNUC_PRINTF (2, 3);

guint actor_below (Actor * self, guint n);
gboolean actor_one_in (Actor * self, guint n);
