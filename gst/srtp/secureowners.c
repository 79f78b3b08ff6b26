/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "srtp/secureowners.h"

static GMutex lock;
static GHashTable *owners;      /* fingerprint of the key and SSRC -> owner */

gboolean
secure_owners_claim (const SecureKey * key, guint32 ssrc, gconstpointer owner)
{
  gchar *fingerprint = secure_key_fingerprint (key);
  gchar *name = g_strdup_printf ("%s %u", fingerprint, ssrc);
  gconstpointer present;

  g_mutex_lock (&lock);
  if (!owners)
    owners = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  present = g_hash_table_lookup (owners, name);
  if (!present)
    g_hash_table_insert (owners, g_steal_pointer (&name), (gpointer) owner);
  g_mutex_unlock (&lock);
  g_free (name);
  g_free (fingerprint);
  return !present || present == owner;
}

static gboolean
is_of (gpointer name, gpointer present, gpointer owner)
{
  return present == owner;
}

void
secure_owners_release (gconstpointer owner)
{
  g_mutex_lock (&lock);
  if (owners)
    g_hash_table_foreach_remove (owners, is_of, (gpointer) owner);
  if (owners && g_hash_table_size (owners) == 0)
    g_clear_pointer (&owners, g_hash_table_unref);
  g_mutex_unlock (&lock);
}
