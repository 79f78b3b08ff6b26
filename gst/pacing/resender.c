/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "pacing/resender.h"

#include "rtp/extmap.h"

#include <gst/rtp/rtp.h>

/* While the RTT is not yet known: usual on the Internet. */
#define DEFAULT_RTT (100 * RC_MSEC)
/* Requested again so soon, a packet is still in flight. A quarter less than the round trip,
 * because round trips vary, and a timely repeated request must not be rejected. */
#define AGAIN_RTTS 0.75

struct _Resender
{
  PacketSource source;          /* must stay first */
  SendQueue *queue;
  PacketSource *media;
  SentPackets *sent;
  RtxStreams streams;
  RtxBudget budget;
  GArray *waiting;              /* of ResentPacket, in the order in which they leave */
  guint64 waiting_bytes;
  guint overhead_bytes;
  ResenderStats stats;
};

static ResentPacket *
nth (const Resender * self, guint n)
{
  return &g_array_index (self->waiting, ResentPacket, n);
}

static void
resent_packet_clear (gpointer data)
{
  ResentPacket *packet = data;

  gst_clear_buffer (&packet->buffer);
  gst_clear_buffer (&packet->ready);
}

/* Where it is kept, or NULL: it has become too old. */
static SentPacket *
find_sent (Resender * self, const ResentPacket * packet, RcTime now)
{
  SentPacket *sent;

  return sent_packets_find (self->sent, packet->ssrc, packet->seq, now, &sent) == SENT_PACKET_FOUND
      && sent->buffer == packet->buffer ? sent : NULL;
}

/* Returns where it is kept, as find_sent(). */
static SentPacket *
remove_nth (Resender * self, guint n, RcTime now)
{
  SentPacket *sent = find_sent (self, nth (self, n), now);

  if (sent)
    sent->waits = FALSE;
  self->waiting_bytes -= nth (self, n)->size_bytes;
  g_array_remove_index (self->waiting, n);
  return sent;
}

/* --- as a source --- */

/* Media does not leave in one batch with what is sent again. */
static gboolean
source_peek (PacketSource * source, guint n, RcTime now, PacedPacket * packet)
{
  Resender *self = (Resender *) source;

  if (self->waiting->len == 0)
    return self->media->funcs->peek (self->media, n, now, packet);
  if (n >= self->waiting->len)
    return FALSE;
  *packet = (PacedPacket) { nth (self, n)->buffer, nth (self, n)->size_bytes, TRUE };
  return TRUE;
}

/* An earlier attempt to send may have made it ready with other numbers. */
static void
make_packet_ready (Resender * self, ResentPacket * packet, guint16 * transport_number)
{
  GstBuffer *ready = NULL;

  if (packet->stream)
    ready = rtx_stream_new_packet (&self->streams, packet->stream, packet->buffer,
        packet->stream->ready_seq++);
  gst_clear_buffer (&packet->ready);
  packet->ready = ready ? ready : gst_buffer_ref (packet->buffer);
  if (packet->transport_id == 0)
    return;
  packet->transport_number = (*transport_number)++;
  packet->ready = extmap_write_number (packet->ready, packet->transport_id,
      packet->transport_number);
}

static void
source_make_ready (PacketSource * source, guint n, GstBuffer ** buffers)
{
  Resender *self = (Resender *) source;
  guint16 transport_number = send_queue_next_transport_number (self->queue);

  if (self->waiting->len == 0) {
    self->media->funcs->make_ready (self->media, n, buffers);
    return;
  }
  for (guint i = 0; i < self->streams.n_streams; i++)
    self->streams.streams[i].ready_seq = self->streams.streams[i].next_seq;
  for (guint i = 0; i < n; i++) {
    make_packet_ready (self, nth (self, i), &transport_number);
    buffers[i] = nth (self, i)->ready;
  }
}

/* Behind all that wait. Takes its buffer. */
static void
append (Resender * self, ResentPacket packet, SentPacket * sent)
{
  self->waiting_bytes += packet.size_bytes;
  g_array_append_val (self->waiting, packet);
  sent->waits = TRUE;
}

static void
source_take (PacketSource * source, RcTime now)
{
  Resender *self = (Resender *) source;
  ResentPacket *packet, copy;
  SentPacket *sent;

  if (self->waiting->len == 0) {
    self->media->funcs->take (self->media, now);
    return;
  }
  packet = nth (self, 0);
  if (packet->stream)
    packet->stream->next_seq++;
  if (packet->transport_id != 0)
    send_queue_use_transport_number (self->queue);
  self->stats.resent++;
  self->stats.resent_bytes += packet->size_bytes;
  copy = *packet;
  copy.ready = NULL;
  copy.twice = FALSE;
  copy.second = TRUE;
  if (packet->twice)
    gst_buffer_ref (copy.buffer);
  else
    copy.buffer = NULL;
  sent = remove_nth (self, 0, now);
  if (sent) {
    sent->again_at = now;
    sent->lane = copy.lane;
  }
  if (sent && copy.buffer)
    append (self, copy, sent);
  else
    gst_clear_buffer (&copy.buffer);
}

static guint64
source_get_waiting_bytes (PacketSource * source)
{
  Resender *self = (Resender *) source;

  return self->waiting_bytes + self->media->funcs->get_waiting_bytes (self->media);
}

static const PacketSourceFuncs source_funcs = {
  source_peek, source_make_ready, source_take, source_get_waiting_bytes
};

PacketSource *
resender_get_source (Resender * self)
{
  return &self->source;
}

/* --- life and settings --- */

Resender *
resender_new (SendQueue * queue, guint overhead_bytes)
{
  Resender *self = g_new0 (Resender, 1);

  self->source.funcs = &source_funcs;
  self->queue = queue;
  self->media = send_queue_get_source (queue);
  self->sent = sent_packets_new ();
  rtx_budget_init (&self->budget, RTX_BUDGET_OWN);
  self->waiting = g_array_new (FALSE, FALSE, sizeof (ResentPacket));
  g_array_set_clear_func (self->waiting, resent_packet_clear);
  self->overhead_bytes = overhead_bytes;
  return self;
}

void
resender_free (Resender * self)
{
  g_array_unref (self->waiting);
  sent_packets_free (self->sent);
  g_free (self);
}

void
resender_set_time (Resender * self, RcTime keep)
{
  sent_packets_set_time (self->sent, keep);
}

RcTime
resender_get_time (const Resender * self)
{
  return sent_packets_get_time (self->sent);
}

void
resender_set_payload_types (Resender * self, const GstStructure * map)
{
  rtx_streams_init (&self->streams, map);
}

void
resender_forget (Resender * self)
{
  g_array_set_size (self->waiting, 0);
  self->waiting_bytes = 0;
  sent_packets_forget (self->sent);
}

/* --- what is asked for --- */

void
resender_on_sent (Resender * self, SendPacket * packet, guint8 lane, RcTime now)
{
  /* A retransmission of an upstream element (rtprtxsend). */
  if (GST_BUFFER_FLAG_IS_SET (packet->buffer, GST_RTP_BUFFER_FLAG_RETRANSMISSION))
    return;
  sent_packets_add (self->sent, packet, lane, now);
}

void
resender_on_lane (Resender * self, guint8 lane)
{
  nth (self, 0)->lane = lane;
}

static gboolean
goes_before (const ResentPacket * a, const ResentPacket * b)
{
  if (a->fec != b->fec)
    return b->fec;
  if (a->second != b->second)
    return b->second;
  return a->ssrc == b->ssrc || a->stream_bytes == b->stream_bytes ? a->sent_at < b->sent_at
      : a->stream_bytes < b->stream_bytes;
}

/* What one message asks for and may leave again. */
typedef struct
{
  ResentPacket packet;
  SentPacket *sent;
} Found;

static gint
compare (gconstpointer a, gconstpointer b)
{
  const ResentPacket *one = &((const Found *) a)->packet, *other = &((const Found *) b)->packet;

  return goes_before (one, other) ? -1 : goes_before (other, one) ? 1 : 0;
}

static RtxStream *
stream_of (Resender * self, guint32 ssrc, GstBuffer * buffer)
{
  guint8 head[2];

  if (gst_buffer_extract (buffer, 0, head, sizeof head) < sizeof head)
    return NULL;
  return rtx_streams_get (&self->streams, ssrc, head[1] & 0x7f);
}

static ResentPacket
resent_packet (Resender * self, guint32 ssrc, guint16 seq, const SentPacket * sent)
{
  return (ResentPacket) {.buffer = sent->buffer,.ssrc = ssrc,.seq = seq,
    .transport_id = sent->transport_id,.fec = sent->fec,.sent_at = sent->sent_at,
    .stream_bytes = sent_packets_stream_bytes (self->sent, ssrc),
    .size_bytes = sent->size_bytes,.rtp_bytes = sent->size_bytes - self->overhead_bytes,
    .lane = sent->lane,.by_both = TRUE
  };
}

/* FALSE: it does not leave again, which is counted. */
static gboolean
look_up (Resender * self, const NackedPacket * asked, RcTime rtt, RcTime now, Found * out)
{
  SentPacket *sent;

  switch (sent_packets_find (self->sent, asked->ssrc, asked->seq, now, &sent)) {
    case SENT_PACKET_TOO_OLD:
      self->stats.too_old++;
      return FALSE;
    case SENT_PACKET_NEVER_SENT:
      self->stats.never_sent++;
      return FALSE;
    default:
      break;
  }
  if (sent->again_at != RC_TIME_NONE && now - sent->again_at < AGAIN_RTTS * (gdouble) rtt) {
    self->stats.repeated++;
    return FALSE;
  }
  out->sent = sent;
  out->packet = resent_packet (self, asked->ssrc, asked->seq, sent);
  out->packet.stream = stream_of (self, asked->ssrc, sent->buffer);
  if (out->packet.stream) {
    out->packet.size_bytes += RTX_STREAM_OSN_BYTES;
    out->packet.rtp_bytes += RTX_STREAM_OSN_BYTES;
  }
  return TRUE;
}

static void
insert (Resender * self, const Found * found)
{
  ResentPacket packet = found->packet;
  guint at = 0;

  while (at < self->waiting->len && !goes_before (&packet, nth (self, at)))
    at++;
  gst_buffer_ref (packet.buffer);
  self->waiting_bytes += packet.size_bytes;
  g_array_insert_val (self->waiting, at, packet);
  found->sent->waits = TRUE;
}

/* FEC is worth less than what it protects. */
static gboolean
pay (Resender * self, const Found * found, guint64 rate_bps, RcTime now)
{
  guint bytes = found->packet.size_bytes;

  return found->packet.fec ? rtx_budget_take_spare (&self->budget, bytes, rate_bps, now)
      : rtx_budget_take (&self->budget, bytes, rate_bps, now);
}

/* The next request would come when the packet is kept no more. */
static gboolean
is_last_try (const Resender * self, const ResentPacket * packet, RcTime rtt, RcTime now)
{
  return now - packet->sent_at + rtt >= sent_packets_get_time (self->sent);
}

/* Those of what was found that wait once get a second copy on their last try, as far as there is
 * budget to spare. */
static void
double_up (Resender * self, const Found * found, guint n, guint64 rate_bps, RcTime rtt, RcTime now)
{
  for (guint i = 0; i < n; i++)
    for (guint j = 0; j < self->waiting->len && is_last_try (self, &found[i].packet, rtt, now);
        j++) {
      ResentPacket *packet = nth (self, j);

      if (packet->buffer != found[i].packet.buffer || packet->twice || packet->fec)
        continue;
      if (!rtx_budget_take_spare (&self->budget, packet->size_bytes, rate_bps, now))
        return;
      packet->twice = TRUE;
    }
}

void
resender_ask (Resender * self, const RtcpNacks * nacks, guint64 rate_bps, RcTime rtt, RcTime now)
{
  Found found[RTCP_MAX_NACKED];
  guint n = 0, n_new = 0;

  if (rtt == RC_TIME_NONE)
    rtt = DEFAULT_RTT;
  self->stats.nacks += nacks->n_messages;
  self->stats.asked += nacks->n_asked;
  self->stats.over_budget += nacks->n_asked - nacks->n_packets;
  for (guint i = 0; i < nacks->n_packets; i++)
    n += look_up (self, &nacks->packets[i], rtt, now, &found[n]);
  qsort (found, n, sizeof found[0], compare);
  for (guint i = 0; i < n; i++) {
    if (found[i].sent->waits) {
      self->stats.repeated++;
    } else if (pay (self, &found[i], rate_bps, now)) {
      insert (self, &found[i]);
      found[n_new++] = found[i];
    } else {
      self->stats.over_budget++;
    }
  }
  double_up (self, found, n_new, rate_bps, rtt, now);
}

/* There is no budget for it: each packet that a lane lost costs as much, and the pacer pays. */
gboolean
resender_repeat (Resender * self, guint32 ssrc, guint16 seq, guint8 lane, gboolean by_both,
    RcTime now)
{
  SentPacket *sent;
  Found found;

  if (sent_packets_find (self->sent, ssrc, seq, now, &sent) != SENT_PACKET_FOUND || sent->waits
      || sent->lane != lane)
    return FALSE;
  found = (Found) { resent_packet (self, ssrc, seq, sent), sent };
  found.packet.by_both = by_both;
  insert (self, &found);
  return TRUE;
}

void
resender_expire (Resender * self, RcTime now)
{
  RcTime keep = sent_packets_get_time (self->sent);

  for (guint i = self->waiting->len; i-- > 0;)
    if (now - nth (self, i)->sent_at > keep) {
      remove_nth (self, i, now);
      self->stats.too_old++;
    }
}

/* --- statistics --- */

const ResentPacket *
resender_peek (const Resender * self)
{
  return self->waiting->len > 0 ? nth (self, 0) : NULL;
}

void
resender_get_stats (const Resender * self, ResenderStats * stats)
{
  *stats = self->stats;
}

const RtxStreams *
resender_get_streams (const Resender * self)
{
  return &self->streams;
}
