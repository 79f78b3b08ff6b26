/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <base/threadplaces.h>

#include "claim.h"

static ThreadPlaces places;
static guint n_freed;

static void
count (gpointer item)
{
  n_freed++;
}

static gpointer
take_and_put (gpointer item)
{
  gpointer found = thread_places_take (&places);

  fail_unless (thread_places_put (&places, item));
  fail_if (thread_places_put (&places, item));
  return found;
}

CLAIM (test_each_thread_finds_its_own_item_until_the_last_user_goes)
{
  gint mine, other;

  thread_places_add_user (&places);
  thread_places_add_user (&places);
  fail_unless (take_and_put (&mine) == NULL);
  fail_unless (g_thread_join (g_thread_new (NULL, take_and_put, &other)) == NULL);
  fail_unless (take_and_put (&mine) == &mine);
  thread_places_remove_user (&places, count);
  fail_unless_equals_int (n_freed, 0);
  thread_places_remove_user (&places, count);
  fail_unless_equals_int (n_freed, 2);
  fail_unless (thread_places_take (&places) == NULL);
}
