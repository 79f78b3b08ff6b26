/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "join/joinunheard.h"

#include "net/sameaddress.h"

#define MOST_US (5 * G_USEC_PER_SEC)
#define FORGET_US (30 * G_USEC_PER_SEC)
#define MAX_ADDRESSES 4096      /* then they are forgotten together */

typedef struct
{
  gint64 served_us, last_at;
} Unheard;

GHashTable *
join_unheard_new (void)
{
  return g_hash_table_new_full (address_hash, address_equal, g_object_unref, g_free);
}

static Unheard *
find (GHashTable * self, GSocketAddress * from, gint64 now)
{
  Unheard *found = g_hash_table_lookup (self, from);

  if (!found || now - found->last_at < FORGET_US)
    return found;
  g_hash_table_remove (self, from);
  return NULL;
}

void
join_unheard_note (GHashTable * self, GSocketAddress * from, gint64 served_us)
{
  gint64 now = g_get_monotonic_time ();
  Unheard *unheard = find (self, from, now);

  if (!unheard) {
    if (g_hash_table_size (self) >= MAX_ADDRESSES)
      g_hash_table_remove_all (self);
    unheard = g_new0 (Unheard, 1);
    g_hash_table_insert (self, g_object_ref (from), unheard);
  }
  unheard->served_us += served_us;
  unheard->last_at = now;
}

gboolean
join_unheard_has (GHashTable * self, GSocketAddress * from)
{
  const Unheard *unheard = find (self, from, g_get_monotonic_time ());

  return unheard && unheard->served_us >= MOST_US;
}
