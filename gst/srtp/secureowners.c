/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "srtp/secureowners.h"

typedef struct
{
  gchar *name;                  /* fingerprint of the key, and SSRC */
  guint64 owner;                /* 0: none */
  SecureSent sent;              /* by those before */
  GList link;                   /* in past */
} Stream;

static GMutex lock;
static GHashTable *streams;     /* by name */
static GQueue past = G_QUEUE_INIT;      /* those without an owner, the oldest first */
static guint64 last_id;

guint64
secure_owners_new_id (void)
{
  guint64 id;

  g_mutex_lock (&lock);
  id = ++last_id;
  g_mutex_unlock (&lock);
  return id;
}

static gchar *
name_of (const SecureKey * key, guint32 ssrc)
{
  gchar *fingerprint = secure_key_fingerprint (key);
  gchar *name = g_strdup_printf ("%s %u", fingerprint, ssrc);

  g_free (fingerprint);
  return name;
}

static void
stream_free (gpointer data)
{
  Stream *stream = data;

  g_free (stream->name);
  g_free (stream);
}

/* Takes the name. */
static Stream *
add_stream (gchar * name)
{
  Stream *stream = g_new0 (Stream, 1);

  stream->name = name;
  stream->sent.index = -1;
  stream->link.data = stream;
  g_hash_table_insert (streams, name, stream);
  g_queue_push_tail_link (&past, &stream->link);
  return stream;
}

gboolean
secure_owners_claim (const SecureKey * key, guint32 ssrc, guint64 owner, SecureSent * sent)
{
  gchar *name = name_of (key, ssrc);
  gboolean claimed;
  Stream *stream;

  g_mutex_lock (&lock);
  if (!streams)
    streams = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, stream_free);
  stream = g_hash_table_lookup (streams, name);
  if (!stream)
    stream = add_stream (g_steal_pointer (&name));
  if (stream->owner == 0) {
    stream->owner = owner;
    g_queue_unlink (&past, &stream->link);
  }
  claimed = stream->owner == owner;
  *sent = stream->sent;
  g_mutex_unlock (&lock);
  g_free (name);
  return claimed;
}

void
secure_owners_release (const SecureKey * key, guint32 ssrc, guint64 owner, const SecureSent * sent)
{
  gchar *name = name_of (key, ssrc);
  Stream *stream;

  g_mutex_lock (&lock);
  stream = streams ? g_hash_table_lookup (streams, name) : NULL;
  if (stream && stream->owner == owner) {
    stream->owner = 0;
    stream->sent.index = MAX (stream->sent.index, sent->index);
    stream->sent.rtcp_pkts = MAX (stream->sent.rtcp_pkts, sent->rtcp_pkts);
    g_queue_push_tail_link (&past, &stream->link);
  }
  if (past.length > SECURE_OWNERS_PAST_MAX) {
    stream = g_queue_peek_head (&past);
    g_queue_unlink (&past, &stream->link);
    g_hash_table_remove (streams, stream->name);
  }
  g_mutex_unlock (&lock);
  g_free (name);
}
