/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Memory that a thread uses for every packet and keeps for its next one. A thread finds its own
 * again, without a lock: that of another thread is in the cache of another processor. Each has room
 * for one item; the items go with the last user. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define THREAD_PLACES 32        /* threads beyond share a place, and find it empty now and then */

typedef struct
{
  struct
  {
    gpointer item;              /* atomic; NULL: none, or it is in use */
    guint8 apart[128 - sizeof (gpointer)];      /* from the cache line of the next */
  } places[THREAD_PLACES];
  gint users;                   /* atomic */
} ThreadPlaces;

void thread_places_add_user (ThreadPlaces * self);
/* Of the last one it frees the items. */
void thread_places_remove_user (ThreadPlaces * self, GDestroyNotify item_free);
/* NULL: there is none. */
gpointer thread_places_take (ThreadPlaces * self);
/* FALSE: there is one already. */
gboolean thread_places_put (ThreadPlaces * self, gpointer item);

G_END_DECLS
