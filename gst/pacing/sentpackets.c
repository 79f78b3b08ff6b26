/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A stream is a ring of the numbers from `oldest` to `next` - 1, extended to 64 bits. Numbers that
 * never left (frames dropped upstream) are empty places. */

#include "pacing/sentpackets.h"

#define FIRST_CAPACITY 32       /* packets; it doubles */
#define MAX_CAPACITY 32768      /* half of the numbers that 16 bits have */
#define MAX_STREAMS 64          /* the one that is idle longest goes for a new one */
/* RTP numbers that are further ahead are those of a source that began anew [RFC 3550 A.1]. */
#define MAX_JUMP 3000

typedef struct
{
  guint32 ssrc;
  SentPacket *ring;
  guint capacity;               /* power of two */
  guint64 first, oldest, next;  /* first: of the numbering */
  guint64 bytes;
  RcTime active_at;
} SentStream;

struct _SentPackets
{
  GPtrArray *streams;           /* of SentStream */
  RcTime keep, swept_at;
  guint64 bytes;
};

static SentPacket *
place_of (const SentStream * stream, guint64 number)
{
  return &stream->ring[number & (stream->capacity - 1)];
}

static void
forget_oldest (SentPackets * self, SentStream * stream)
{
  SentPacket *packet = place_of (stream, stream->oldest++);

  if (!packet->buffer)
    return;
  stream->bytes -= packet->size_bytes;
  self->bytes -= packet->size_bytes;
  gst_clear_buffer (&packet->buffer);
}

static void
forget_stream (SentPackets * self, SentStream * stream)
{
  while (stream->oldest < stream->next)
    forget_oldest (self, stream);
}

static void
stream_free (gpointer data)
{
  SentStream *stream = data;

  for (guint i = 0; i < stream->capacity; i++)
    gst_clear_buffer (&stream->ring[i].buffer);
  g_free (stream->ring);
  g_free (stream);
}

SentPackets *
sent_packets_new (void)
{
  SentPackets *self = g_new0 (SentPackets, 1);

  self->streams = g_ptr_array_new_with_free_func (stream_free);
  return self;
}

void
sent_packets_free (SentPackets * self)
{
  g_ptr_array_unref (self->streams);
  g_free (self);
}

void
sent_packets_set_time (SentPackets * self, RcTime keep)
{
  self->keep = keep;
  if (keep == 0)
    sent_packets_forget (self);
}

RcTime
sent_packets_get_time (const SentPackets * self)
{
  return self->keep;
}

void
sent_packets_forget (SentPackets * self)
{
  for (guint i = 0; i < self->streams->len; i++)
    forget_stream (self, self->streams->pdata[i]);
}

/* --- streams --- */

static SentStream *
find_stream (const SentPackets * self, guint32 ssrc)
{
  for (guint i = 0; i < self->streams->len; i++) {
    SentStream *stream = self->streams->pdata[i];

    if (stream->ssrc == ssrc)
      return stream;
  }
  return NULL;
}

static void
make_place (SentPackets * self)
{
  guint idlest = 0;

  if (self->streams->len < MAX_STREAMS)
    return;
  for (guint i = 1; i < self->streams->len; i++)
    if (((SentStream *) self->streams->pdata[i])->active_at
        < ((SentStream *) self->streams->pdata[idlest])->active_at)
      idlest = i;
  forget_stream (self, self->streams->pdata[idlest]);
  g_ptr_array_remove_index_fast (self->streams, idlest);
}

static SentStream *
get_stream (SentPackets * self, guint32 ssrc)
{
  SentStream *stream = find_stream (self, ssrc);

  if (stream)
    return stream;
  make_place (self);
  stream = g_new0 (SentStream, 1);
  stream->ssrc = ssrc;
  stream->capacity = FIRST_CAPACITY;
  stream->ring = g_new0 (SentPacket, stream->capacity);
  g_ptr_array_add (self->streams, stream);
  return stream;
}

static void
begin_numbering (SentPackets * self, SentStream * stream, guint16 seq)
{
  forget_stream (self, stream);
  stream->first = stream->oldest = stream->next = G_GUINT64_CONSTANT (0x10000) + seq;
}

/* FALSE: it is behind the newest. Otherwise it is the next one. */
static gboolean
go_to (SentPackets * self, SentStream * stream, guint16 seq)
{
  guint16 ahead = (guint16) (seq - stream->next), behind = (guint16) -ahead;

  if (stream->first == 0 || (ahead > MAX_JUMP && behind > stream->next - stream->oldest))
    begin_numbering (self, stream, seq);
  else if (ahead > MAX_JUMP)
    return FALSE;
  return TRUE;
}

static void
append (SentPackets * self, SentStream * stream, SentPacket packet)
{
  if (stream->next - stream->oldest == stream->capacity) {
    if (stream->capacity < MAX_CAPACITY) {
      SentStream larger = *stream;

      larger.capacity *= 2;
      larger.ring = g_new0 (SentPacket, larger.capacity);
      for (guint64 number = stream->oldest; number < stream->next; number++)
        *place_of (&larger, number) = *place_of (stream, number);
      g_free (stream->ring);
      *stream = larger;
    } else {
      forget_oldest (self, stream);
    }
  }
  *place_of (stream, stream->next++) = packet;
}

static void
expire (SentPackets * self, SentStream * stream, RcTime now)
{
  while (stream->oldest < stream->next) {
    const SentPacket *packet = place_of (stream, stream->oldest);

    if (packet->buffer && now - packet->sent_at <= self->keep
        && self->bytes <= SENT_PACKETS_MAX_BYTES)
      break;
    forget_oldest (self, stream);
  }
}

/* Also what ended streams have. */
static void
sweep (SentPackets * self, RcTime now)
{
  if (now - self->swept_at < self->keep)
    return;
  self->swept_at = now;
  for (guint i = 0; i < self->streams->len; i++)
    expire (self, self->streams->pdata[i], now);
}

/* --- in and out --- */

void
sent_packets_add (SentPackets * self, SendPacket * packet, guint8 lane, RcTime now)
{
  bool shared = packet->shared && !packet->fec;
  SentStream *stream;

  if (self->keep == 0)
    return;
  stream = get_stream (self, packet->ssrc);
  if (!go_to (self, stream, packet->seq))
    return;
  while ((guint16) stream->next != packet->seq)
    append (self, stream, (SentPacket) { 0 });
  append (self, stream, (SentPacket) {.buffer = g_steal_pointer ((shared ? &packet->shared
          : &packet->buffer)),.shared = shared,.size_bytes = packet->size_bytes,
      .transport_id = packet->transport_id,.fec = packet->fec,.sent_at = now,
      .again_at = RC_TIME_NONE,.lane = lane });
  stream->bytes += packet->size_bytes;
  self->bytes += packet->size_bytes;
  stream->active_at = now;
  expire (self, stream, now);
  sweep (self, now);
}

static void
make_whole (SentPacket * packet, guint32 ssrc, guint16 seq)
{
  GstBuffer *shared = packet->buffer;

  packet->buffer = send_packet_own_header (shared, ssrc, seq);
  packet->shared = FALSE;
  gst_buffer_unref (shared);
}

SentPacketResult
sent_packets_find (SentPackets * self, guint32 ssrc, guint16 seq, RcTime now, SentPacket ** packet)
{
  SentStream *stream = find_stream (self, ssrc);
  guint16 behind;

  if (!stream || stream->first == 0)
    return SENT_PACKET_NEVER_SENT;
  behind = (guint16) (stream->next - 1 - seq);
  if (behind >= MAX_CAPACITY || behind >= stream->next - stream->first)
    return SENT_PACKET_NEVER_SENT;
  if (behind >= stream->next - stream->oldest)
    return SENT_PACKET_TOO_OLD;
  *packet = place_of (stream, stream->next - 1 - behind);
  if (!(*packet)->buffer)
    return SENT_PACKET_NEVER_SENT;
  if ((*packet)->shared)
    make_whole (*packet, ssrc, seq);
  return now - (*packet)->sent_at <= self->keep ? SENT_PACKET_FOUND : SENT_PACKET_TOO_OLD;
}

guint64
sent_packets_stream_bytes (const SentPackets * self, guint32 ssrc)
{
  const SentStream *stream = find_stream (self, ssrc);

  return stream ? stream->bytes : 0;
}
