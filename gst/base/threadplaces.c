/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "base/threadplaces.h"

static guint
place_of_thread (void)
{
  static gint n_threads;
  static _Thread_local gint place = -1;

  if (place < 0)
    place = g_atomic_int_add (&n_threads, 1) & (THREAD_PLACES - 1);
  return (guint) place;
}

static gpointer
take (ThreadPlaces * self, guint place)
{
  gpointer *item = &self->places[place].item, found = g_atomic_pointer_get (item);

  return found && g_atomic_pointer_compare_and_exchange (item, found, NULL) ? found : NULL;
}

void
thread_places_add_user (ThreadPlaces * self)
{
  g_atomic_int_inc (&self->users);
}

void
thread_places_remove_user (ThreadPlaces * self, GDestroyNotify item_free)
{
  gpointer item;

  if (!g_atomic_int_dec_and_test (&self->users))
    return;
  for (guint i = 0; i < THREAD_PLACES; i++)
    if ((item = take (self, i)))
      item_free (item);
}

gpointer
thread_places_take (ThreadPlaces * self)
{
  return take (self, place_of_thread ());
}

gboolean
thread_places_put (ThreadPlaces * self, gpointer item)
{
  return g_atomic_pointer_compare_and_exchange (&self->places[place_of_thread ()].item, NULL, item);
}
