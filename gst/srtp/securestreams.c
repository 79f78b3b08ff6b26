/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "srtp/securestreams.h"

#include <string.h>

static void
stream_free (gpointer stream)
{
  g_free (((SecureStream *) stream)->digests);
  g_free (stream);
}

void
secure_streams_clear (SecureStreams * self)
{
  g_clear_pointer (&self->by_ssrc, g_hash_table_unref);
  g_clear_pointer (&self->all, g_ptr_array_unref);
  self->last = NULL;
  self->n_digests = 0;
}

guint
secure_streams_n (const SecureStreams * self)
{
  return self->all ? self->all->len : 0;
}

SecureStream *
secure_streams_get (const SecureStreams * self, guint i)
{
  return g_ptr_array_index (self->all, i);
}

SecureStream *
secure_streams_find (SecureStreams * self, guint32 ssrc)
{
  if ((!self->last || self->last->ssrc != ssrc) && self->by_ssrc)
    self->last = g_hash_table_lookup (self->by_ssrc, GUINT_TO_POINTER (ssrc));
  return self->last;
}

SecureStream *
secure_streams_add (SecureStreams * self, guint32 ssrc)
{
  SecureStream *stream;

  if (secure_streams_n (self) == SECURE_STREAMS_MAX)
    return NULL;
  if (!self->by_ssrc) {
    self->by_ssrc = g_hash_table_new (NULL, NULL);
    self->all = g_ptr_array_new_with_free_func (stream_free);
  }
  stream = g_new0 (SecureStream, 1);
  *stream = (SecureStream) {.ssrc = ssrc,.rtcp_index = -1,.taken = {-1, -1} };
  g_hash_table_insert (self->by_ssrc, GUINT_TO_POINTER (ssrc), stream);
  g_ptr_array_add (self->all, stream);
  return stream;
}

static gboolean
is_known_to_a_key (const SecureStream * self)
{
  for (guint key = 0; key < SECURE_KEYS; key++)
    if (self->taken[key] >= 0 || self->rtcp_pkts[key] > 0)
      return TRUE;
  return FALSE;
}

gboolean
secure_streams_drop (SecureStreams * self, guint32 * gone)
{
  guint i = 0, n = secure_streams_n (self);

  while (i < n && is_known_to_a_key (secure_streams_get (self, i)))
    i++;
  if (i == n)
    return FALSE;
  *gone = secure_streams_get (self, i)->ssrc;
  self->n_digests -= secure_streams_get (self, i)->digests != NULL;
  self->last = NULL;
  g_hash_table_remove (self->by_ssrc, GUINT_TO_POINTER (*gone));
  g_ptr_array_remove_index_fast (self->all, i);
  return TRUE;
}

void
secure_streams_shift_keys (SecureStreams * self)
{
  for (guint i = 0; i < secure_streams_n (self); i++) {
    SecureStream *stream = secure_streams_get (self, i);

    stream->taken[1] = stream->taken[0];
    stream->taken[0] = -1;
    stream->rtcp_pkts[1] = stream->rtcp_pkts[0];
    stream->rtcp_pkts[0] = 0;
    stream->begun = (stream->begun & 1) << 1;
    stream->claimed = (stream->claimed & 1) << 1;
  }
}

void
secure_streams_forget_old_key (SecureStreams * self)
{
  for (guint i = 0; i < secure_streams_n (self); i++) {
    SecureStream *stream = secure_streams_get (self, i);

    stream->taken[1] = -1;
    stream->rtcp_pkts[1] = 0;
    stream->begun &= 1;
    stream->claimed &= 1;
  }
}

guint64
secure_stream_guess (const SecureStream * self, guint16 seq)
{
  guint64 roc = self->index >> 16;
  guint16 newest = (guint16) self->index;

  if (!self->counted)
    return seq;
  if (newest < SECURE_HALF && seq > newest + SECURE_HALF && roc > 0)
    roc--;
  else if (newest >= SECURE_HALF && seq < newest - SECURE_HALF)
    roc++;
  return roc << 16 | seq;
}

gboolean
secure_stream_note (SecureStream * self, guint64 index)
{
  gboolean newest = !self->counted || index > self->index;

  if (newest)
    self->index = index;
  self->counted = TRUE;
  return newest;
}

/* --- what was sent --- */

static guint64
mixed (guint64 sum, const guint8 * data, gsize size)
{
  guint64 word = 0;

  memcpy (&word, data, size);
  sum = (sum ^ word) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  return sum ^ sum >> 29;
}

/* Not for secrets: whether an upstream element repeats itself exactly. Never 0. Four sums, since
 * one would wait for each product. */
guint32
secure_digest (const guint8 * data, gsize size)
{
  guint64 sums[4] = { size, 1, 2, 3 };
  const guint word = sizeof sums[0];

  for (; size >= sizeof sums; data += sizeof sums, size -= sizeof sums)
    for (guint i = 0; i < G_N_ELEMENTS (sums); i++)
      sums[i] = mixed (sums[i], data + i * word, word);
  for (; size >= word; data += word, size -= word)
    sums[0] = mixed (sums[0], data, word);
  sums[0] = mixed (sums[0], data, size);
  for (guint i = 1; i < G_N_ELEMENTS (sums); i++)
    sums[0] = mixed (sums[0], (const guint8 *) &sums[i], word);
  return (guint32) (sums[0] >> 32) | 1;
}

static guint32 *
place_of (const SecureStream * self, guint64 index)
{
  return &self->digests[index % SECURE_WINDOW];
}

SecureIndexUse
secure_stream_ask (const SecureStream * self, guint64 index, guint32 digest)
{
  if (!self->counted || index > self->index)
    return SECURE_INDEX_FREE;
  if (!self->digests || (gint64) index < self->digests_from
      || self->index - index >= SECURE_WINDOW)
    return SECURE_INDEX_TOO_OLD;
  return *place_of (self, index) == 0
      || *place_of (self, index) == digest ? SECURE_INDEX_FREE : SECURE_INDEX_USED;
}

static void
drop_digests (SecureStreams * self)
{
  SecureStream *silent = NULL;

  for (guint i = 0; i < secure_streams_n (self); i++) {
    SecureStream *stream = secure_streams_get (self, i);

    if (stream->digests && (!silent || stream->sent_turn < silent->sent_turn))
      silent = stream;
  }
  g_clear_pointer (&silent->digests, g_free);
  self->n_digests--;
}

static void
begin_digests (SecureStreams * self, SecureStream * stream)
{
  if (self->n_digests == SECURE_DIGESTS_MAX)
    drop_digests (self);
  stream->digests = g_new0 (guint32, SECURE_WINDOW);
  stream->digests_from = stream->counted ? (gint64) stream->index + 1 : 0;
  self->n_digests++;
}

void
secure_streams_note_sent (SecureStreams * self, SecureStream * stream, guint64 index,
    guint32 digest)
{
  guint64 before = stream->index;
  gboolean counted = stream->counted;

  if (!stream->digests)
    begin_digests (self, stream);
  stream->sent_turn = ++self->sent_turn;
  if (secure_stream_note (stream, index) && counted)
    for (guint64 i = MAX (before + 1, index < SECURE_WINDOW ? 0 : index - SECURE_WINDOW + 1);
        i < index; i++)
      *place_of (stream, i) = 0;
  *place_of (stream, index) = digest;
}

void
secure_stream_skip (SecureStream * self, guint64 index)
{
  secure_stream_note (self, index);
  self->digests_from = (gint64) index + 1;
  if (self->digests)
    memset (self->digests, 0, SECURE_WINDOW * sizeof *self->digests);
}
