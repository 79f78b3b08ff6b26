/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "actor.h"

#include <stdio.h>

void
actor_init (Actor * self, const gchar * who)
{
  *self = (Actor) { .who = who, .operation = "", .rand = g_rand_new_with_seed (0) };
  self->slot = watchdog_add (who);
}

void
actor_clear (Actor * self)
{
  g_rand_free (self->rand);
}

void
actor_begin_round (Actor * self, guint seed, guint round)
{
  guint32 seeds[] = { seed, round, g_str_hash (self->who) };

  self->seed = seed;
  self->round = round;
  self->n_done = 0;
  g_rand_set_seed_array (self->rand, seeds, G_N_ELEMENTS (seeds));
}

static gchar *
tell (Actor * self, const gchar * format, va_list args)
{
  g_autofree gchar *what = g_strdup_vprintf (format, args);
  gchar *line = g_strdup_printf ("seed %u round %u %s %u %s: %s", self->seed, self->round,
      self->who, self->n_done, self->operation, what);

  printf ("%8.3f %s\n", (gdouble) (g_get_monotonic_time () % 1000000000) / G_USEC_PER_SEC, line);
  fflush (stdout);
  return line;
}

void
actor_will (Actor * self, const gchar * format, ...)
{
  va_list args;
  g_autofree gchar *line = NULL;

  self->n_done++;
  va_start (args, format);
  line = tell (self, format, args);
  va_end (args);
  watchdog_begin (self->slot, line);
}

void
actor_note (Actor * self, const gchar * format, ...)
{
  va_list args;

  va_start (args, format);
  g_free (tell (self, format, args));
  va_end (args);
}

void
actor_done (Actor * self)
{
  watchdog_end (self->slot);
}

guint
actor_below (Actor * self, guint n)
{
  return (guint) g_rand_int_range (self->rand, 0, (gint32) n);
}

gboolean
actor_one_in (Actor * self, guint n)
{
  return actor_below (self, n) == 0;
}
