/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "srtp/securestreams.h"

#include <string.h>

#define HALF 0x8000

void
secure_streams_clear (SecureStreams * self)
{
  for (guint i = 0; i < self->n; i++)
    g_free (self->streams[i].digests);
  *self = (SecureStreams) {.n = 0 };
}

SecureStream *
secure_streams_find (SecureStreams * self, guint32 ssrc)
{
  for (guint i = 0; i < self->n; i++)
    if (self->streams[i].ssrc == ssrc) {
      self->streams[i].used = ++self->turn;
      return &self->streams[i];
    }
  return NULL;
}

gboolean
secure_streams_add (SecureStreams * self, guint32 ssrc, SecureStream ** stream, guint32 * gone)
{
  gboolean full = self->n == SECURE_STREAMS_MAX;
  SecureStream *place = &self->streams[0];

  if (full) {
    for (guint i = 1; i < self->n; i++)
      if (self->streams[i].used < place->used)
        place = &self->streams[i];
    *gone = place->ssrc;
    g_free (place->digests);
  } else {
    place = &self->streams[self->n++];
  }
  *place = (SecureStream) {.ssrc = ssrc,.rtcp_index = -1,.used = ++self->turn };
  *stream = place;
  return full;
}

void
secure_streams_shift_keys (SecureStreams * self)
{
  for (guint i = 0; i < self->n; i++) {
    self->streams[i].established = (self->streams[i].established & 1) << 1;
    self->streams[i].claimed = (self->streams[i].claimed & 1) << 1;
  }
}

guint64
secure_stream_guess (const SecureStream * self, guint16 seq)
{
  guint64 roc = self->index >> 16;
  guint16 newest = (guint16) self->index;

  if (!self->counted)
    return seq;
  if (newest < HALF && seq > newest + HALF && roc > 0)
    roc--;
  else if (newest >= HALF && seq < newest - HALF)
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

/* Not for secrets: whether an upstream element repeats itself exactly. Never 0. */
guint32
secure_digest (const guint8 * data, gsize size)
{
  guint64 sum = size, word;

  for (; size >= sizeof word; data += sizeof word, size -= sizeof word) {
    memcpy (&word, data, sizeof word);
    sum = (sum ^ word) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
    sum ^= sum >> 29;
  }
  word = 0;
  memcpy (&word, data, size);
  sum = (sum ^ word) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  return (guint32) (sum >> 32) | 1;
}

static guint32 *
place_of (const SecureStream * self, guint64 index)
{
  return &self->digests[index % SECURE_WINDOW];
}

SecureIndexUse
secure_stream_ask (const SecureStream * self, guint64 index, guint32 digest)
{
  if (!self->digests || index > self->index)
    return SECURE_INDEX_FREE;
  if (self->index - index >= SECURE_WINDOW)
    return SECURE_INDEX_TOO_OLD;
  return *place_of (self, index) == 0
      || *place_of (self, index) == digest ? SECURE_INDEX_FREE : SECURE_INDEX_USED;
}

void
secure_stream_note_sent (SecureStream * self, guint64 index, guint32 digest)
{
  guint64 before = self->index;
  gboolean counted = self->counted;

  if (!self->digests)
    self->digests = g_new0 (guint32, SECURE_WINDOW);
  if (secure_stream_note (self, index) && counted)
    for (guint64 i = MAX (before + 1, index < SECURE_WINDOW ? 0 : index - SECURE_WINDOW + 1);
        i < index; i++)
      *place_of (self, i) = 0;
  *place_of (self, index) = digest;
}
