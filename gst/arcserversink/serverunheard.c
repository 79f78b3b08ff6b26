/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Problem: a viewer that never reports is lost after 5 s, but an address that calls by a new number
 * then is sent the start bitrate for ever.
 *
 * Rule: the times for which the viewers of an address and port were served without any report add
 * up. From MOST_US on it is told to call later, until FORGET_US after the last of them. Reports
 * take the way of calls: a receiver that can call can report. */

#include "gstarcserversinkprivate.h"

#define MOST_US (5 * G_USEC_PER_SEC)
#define FORGET_US (30 * G_USEC_PER_SEC)
#define MAX_ADDRESSES 4096      /* then they are forgotten together */

typedef struct
{
  gint64 served_us, last_at;
} Unheard;

static Unheard *
find (GstArcServerSink * self, const gchar * address, gint64 now)
{
  Unheard *found = g_hash_table_lookup (self->unheard, address);

  if (!found || now - found->last_at < FORGET_US)
    return found;
  g_hash_table_remove (self->unheard, address);
  return NULL;
}

void
gst_arc_server_sink_note_unheard (GstArcServerSink * self, GSocketAddress * from, gint64 served_us)
{
  gchar *address = g_socket_connectable_to_string (G_SOCKET_CONNECTABLE (from));
  gint64 now = g_get_monotonic_time ();
  Unheard *unheard;

  g_mutex_lock (&self->lock);
  unheard = find (self, address, now);
  if (!unheard) {
    if (g_hash_table_size (self->unheard) >= MAX_ADDRESSES)
      g_hash_table_remove_all (self->unheard);
    unheard = g_new0 (Unheard, 1);
    g_hash_table_insert (self->unheard, g_strdup (address), unheard);
  }
  unheard->served_us += served_us;
  unheard->last_at = now;
  g_mutex_unlock (&self->lock);
  g_free (address);
}

gchar *
gst_arc_server_sink_find_unheard (GstArcServerSink * self, GSocketAddress * from)
{
  gchar *address = g_socket_connectable_to_string (G_SOCKET_CONNECTABLE (from));
  Unheard *unheard;
  gboolean long_enough;

  g_mutex_lock (&self->lock);
  unheard = find (self, address, g_get_monotonic_time ());
  long_enough = unheard && unheard->served_us >= MOST_US;
  g_mutex_unlock (&self->lock);
  g_free (address);
  return long_enough ? g_strdup ("it was sent media at this address before and did not report")
      : NULL;
}
