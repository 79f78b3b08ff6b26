/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "pacing/sendqueueprivate.h"

#include "rtp/extmap.h"
#include "rtp/rtpview.h"
#include "rtp/ulpfec.h"

#include <string.h>

#define HEADER_BYTES OWN_HEADER_BYTES
#define FIRST_CAPACITY 8        /* packets, a power of two; it doubles */
#define MAX_FLOWS 64            /* an SSRC that went away is forgotten for a new one */
/* No encoder obeys: a broken picture is better than none for ever. */
#define KEYFRAME_PATIENCE (3 * RC_SECOND)
/* The keyframes of a camera come by themselves. */
#define RIGID_PATIENCE (20 * RC_SECOND)
/* Nothing came for so long while others did: the flow has ended. */
#define IDLE_TIME (2 * RC_SECOND)

void
send_frame_unref (SendFrame * frame)
{
  if (frame)
    g_rc_box_release (frame);
}

static void
flow_free (gpointer data)
{
  SendFlow *flow = data;

  send_frame_unref (flow->frame);
  send_frame_unref (flow->newest_key);
  send_frame_unref (flow->leaving);
  g_free (flow->numbers);
  g_free (flow);
}

void
send_packet_clear (SendPacket * packet)
{
  if (packet->own.buffer)
    own_header_put (&packet->own);
  else
    gst_clear_buffer (&packet->buffer);
  packet->buffer = NULL;
  gst_clear_buffer (&packet->shared);
  g_clear_pointer (&packet->frame, send_frame_unref);
}

/* --- as a source --- */

static gboolean
source_peek (PacketSource * source, guint nth, RcTime now, PacedPacket * packet)
{
  const SendPacket *waiting = send_queue_peek ((SendQueue *) source, nth);

  if (waiting)
    *packet = (PacedPacket) { waiting->buffer, waiting->size_bytes };
  return waiting != NULL;
}

static void
source_make_ready (PacketSource * source, guint n, GstBuffer ** buffers)
{
  SendQueue *self = (SendQueue *) source;

  send_queue_number (self, n);
  for (guint i = 0; i < n; i++)
    buffers[i] = send_queue_peek (self, i)->buffer;
}

static void
source_take (PacketSource * source, RcTime now)
{
  send_queue_pop ((SendQueue *) source, now);
}

static guint64
source_get_waiting_bytes (PacketSource * source)
{
  return send_queue_bytes ((SendQueue *) source);
}

static const PacketSourceFuncs source_funcs = {
  source_peek, source_make_ready, source_take, source_get_waiting_bytes
};

PacketSource *
send_queue_get_source (SendQueue * self)
{
  return &self->source;
}

/* --- life --- */

SendQueue *
send_queue_new (guint overhead_bytes, gboolean renumber)
{
  SendQueue *self = g_new0 (SendQueue, 1);

  self->source.funcs = &source_funcs;
  self->packets = (SendRing) { g_new (SendPacket, FIRST_CAPACITY), FIRST_CAPACITY, 0, 0 };
  self->flows = g_ptr_array_new_with_free_func (flow_free);
  self->limit_bytes = G_MAXUINT64;
  self->overhead_bytes = overhead_bytes;
  self->renumber = renumber;
  self->red_type = -1;
  return self;
}

void
send_queue_set_ssrc_mask (SendQueue * self, guint32 mask)
{
  if (mask != 0 && self->ssrc_mask == 0)
    own_headers_add_user ();
  self->ssrc_mask = mask;
}

void
send_queue_free (SendQueue * self)
{
  for (guint i = 0; i < self->packets.n; i++)
    send_packet_clear (send_queue_at (self, i));
  g_free (self->packets.places);
  g_ptr_array_unref (self->flows);
  if (self->ssrc_mask != 0)
    own_headers_remove_user ();
  g_free (self);
}

/* --- packets --- */

void
send_queue_append (SendQueue * self, const SendPacket * packet)
{
  SendRing *ring = &self->packets;

  if (ring->n == ring->capacity) {
    SendPacket *places = g_new (SendPacket, 2 * ring->capacity);

    for (guint i = 0; i < ring->n; i++)
      places[i] = *send_queue_at (self, i);
    g_free (ring->places);
    *ring = (SendRing) { places, 2 * ring->capacity, 0, ring->n };
  }
  ring->n++;
  *send_queue_at (self, ring->n - 1) = *packet;
}

SendPacket
send_queue_remove_head (SendQueue * self)
{
  SendPacket packet = *send_queue_at (self, 0);

  self->packets.first++;
  self->packets.n--;
  return packet;
}

/* --- flows and frames --- */

static void
forget_oldest_flow (SendQueue * self)
{
  guint i, oldest = 0;

  for (i = 1; i < self->flows->len; i++) {
    SendFlow *flow = self->flows->pdata[i], *than = self->flows->pdata[oldest];

    if (flow->queued_packets == 0
        && (than->queued_packets > 0 || flow->active_at < than->active_at))
      oldest = i;
  }
  if (((SendFlow *) self->flows->pdata[oldest])->queued_packets == 0)
    g_ptr_array_remove_index_fast (self->flows, oldest);
}

static SendFlow *
flow_get (SendQueue * self, guint32 ssrc)
{
  SendFlow *flow;
  guint i;

  for (i = 0; i < self->flows->len; i++) {
    flow = self->flows->pdata[i];
    if (flow->ssrc == ssrc)
      return flow;
  }
  if (self->flows->len >= MAX_FLOWS)
    forget_oldest_flow (self);
  flow = g_new0 (SendFlow, 1);
  flow->ssrc = ssrc;
  rc_keyrequest_init (&flow->keys);
  g_ptr_array_add (self->flows, flow);
  return flow;
}

gboolean
send_flow_has_ended (const SendQueue * self, const SendFlow * flow)
{
  return self->active_at - flow->active_at > IDLE_TIME;
}

void
send_flow_await_key (SendFlow * flow, RcTime now)
{
  flow->awaits_key = TRUE;
  flow->awaits_since = now;
}

static void
flow_begin_frame (SendQueue * self, SendFlow * flow, guint32 timestamp, guint8 payload_type,
    RcTime now)
{
  send_frame_unref (flow->frame);
  flow->frame = g_rc_box_new0 (SendFrame);
  flow->frame->flow = flow;
  flow->frame->timestamp = timestamp;
  flow->frame->came_at = flow->frame->left_at = now;
  flow->frame->payload_type = payload_type;
  self->stats.frames_in++;
}

void
send_queue_drop_frame (SendQueue * self, SendFrame * frame)
{
  if (!frame->dropped)
    self->stats.frames_dropped++;
  frame->dropped = TRUE;
}

/* A frame is a keyframe if any of its packets says so: encoders may lead it with other units. */
static void
judge_frame (SendQueue * self, SendFlow * flow, gboolean key, RcTime now)
{
  SendFrame *frame = flow->frame;
  RcTime patience = self->rigid ? RIGID_PATIENCE : KEYFRAME_PATIENCE;

  if (key && !frame->key) {
    frame->key = TRUE;
    flow->key_interval = flow->newest_key ? now - flow->newest_key->came_at : 0;
    send_frame_unref (flow->newest_key);
    flow->newest_key = g_rc_box_acquire (frame);
    if (flow->awaits_key && frame->dropped && !self->closed) {
      frame->dropped = FALSE;
      self->stats.frames_dropped--;
    }
    flow->awaits_key = flow->awaits_key && self->closed;
    /* Where every frame looks like a keyframe, only the first is an answer. */
    if (!self->closed && (flow->has_deltas || flow->keys.keyframe_at == RC_TIME_NONE))
      rc_keyrequest_on_keyframe (&flow->keys, now);
  } else if (!frame->key) {
    flow->has_deltas = TRUE;
    if (flow->awaits_key && now - flow->awaits_since > patience && !frame->dropped)
      flow->awaits_key = FALSE;
  }
  if (self->closed || (flow->awaits_key && !frame->key))
    send_queue_drop_frame (self, frame);
}

gboolean
send_flow_has_pictures (const SendFlow * flow)
{
  return flow->ts.video_pid != 0;
}

static void
note_key_picture (SendFlow * flow, RcTime now)
{
  flow->frame->key = TRUE;
  flow->key_interval = flow->newest_key ? now - flow->newest_key->came_at : 0;
  send_frame_unref (flow->newest_key);
  flow->newest_key = g_rc_box_acquire (flow->frame);
  if (flow->has_deltas || flow->keys.keyframe_at == RC_TIME_NONE)
    rc_keyrequest_on_keyframe (&flow->keys, now);
}

/* A picture is dropped before any of it waits, since sound and tables are among its packets. They
 * wait behind pictures: so the newest keyframe counts too. */
static void
judge_picture (SendQueue * self, SendFlow * flow, gboolean begins, gboolean key, RcTime now)
{
  if (begins && key)
    note_key_picture (flow, now);
  if (begins && !key)
    flow->has_deltas = TRUE;
  if (begins && (key || now - flow->awaits_since > KEYFRAME_PATIENCE))
    flow->awaits_key = FALSE;
  if (begins && !flow->awaits_key && flow->queued_bytes > self->limit_bytes)
    send_flow_await_key (flow, now);
  if (self->closed || (begins && flow->awaits_key))
    send_queue_drop_frame (self, flow->frame);
}

/* --- in --- */

typedef struct
{
  guint8 type;                  /* payload type */
  const guint8 *payload;
  guint size;
} Media;

static Media
read_media (SendQueue * self, SendPacket * packet, GstRTPBuffer * rtp)
{
  Media media = { gst_rtp_buffer_get_payload_type (rtp), gst_rtp_buffer_get_payload (rtp),
    gst_rtp_buffer_get_payload_len (rtp)
  };

  if (media.type != self->red_type)
    return media;
  packet->inner_at = (guint16) red_find_primary (media.payload, media.size, &media.type);
  media.payload += packet->inner_at;
  media.size -= packet->inner_at;
  return media;
}

static gboolean
is_key_packet (SendFlow * flow, GstBuffer * buffer, RtpCodec codec, const Media * media)
{
  gboolean delta = GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_DELTA_UNIT);

  if (flow->repeats)
    return TRUE;                /* each stands alone */
  if (delta)
    flow->flags_deltas = TRUE;
  if (flow->flags_deltas && !delta)
    return TRUE;
  if (codec == RTP_CODEC_OTHER)
    return !delta;
  return rtp_codec_is_keyframe_start (codec, media->payload, media->size);
}

static gboolean
is_admitted (SendQueue * self)
{
  return self->closed && self->admits_one && send_queue_packets (self) == 0;
}

static void
enqueue (SendQueue * self, SendFlow * flow, SendPacket * packet)
{
  packet->frame = g_rc_box_acquire (flow->frame);
  packet->gap = flow->pending_gap;
  flow->pending_gap = 0;
  send_queue_append (self, packet);
  self->bytes += packet->size_bytes;
  flow->queued_bytes += packet->size_bytes;
  flow->queued_packets++;
  packet->frame->queued_bytes += packet->size_bytes;
}

/* A frame of a transport stream lasts until the next picture begins. */
static gboolean
begins_frame (SendFlow * flow, RtpCodec codec, GstRTPBuffer * rtp, guint32 timestamp,
    gboolean * key)
{
  gboolean picture = codec == RTP_CODEC_OTHER && !flow->repeats
      && ts_pictures_read (&flow->ts, gst_rtp_buffer_get_payload (rtp),
      gst_rtp_buffer_get_payload_len (rtp), key);

  if (!flow->frame)
    return TRUE;
  if (send_flow_has_pictures (flow))
    return picture;
  return flow->frame->timestamp != timestamp;
}

/* Returns whether the packet begins a keyframe. Of FEC only its base counts. */
static gboolean
read_packet (SendQueue * self, SendFlow * flow, SendPacket * packet, RtpCodec codec,
    GstRTPBuffer * rtp, RcTime now)
{
  guint32 timestamp = gst_rtp_buffer_get_timestamp (rtp);
  Media media = read_media (self, packet, rtp);
  gboolean key_picture = FALSE, begins = begins_frame (flow, codec, rtp, timestamp, &key_picture);
  gboolean other = !begins && flow->frame->payload_type != media.type;
  gboolean key = send_flow_has_pictures (flow) ? key_picture
      : !other && is_key_packet (flow, packet->buffer, codec, &media);

  self->last_timestamp = timestamp;
  packet->seq_in = packet->seq = gst_rtp_buffer_get_seq (rtp);
  if (self->transport_id != 0 && extmap_find (rtp, self->transport_id, EXTMAP_NUMBER_BYTES)) {
    packet->transport_id = self->transport_id;
    self->has_transport_numbers = TRUE;
  }
  if (!flow->repeats && !(other && send_fec_read (packet, media.payload, media.size)))
    packet->payload_bytes = media.size;
  packet->ends_dropped = flow->frame && flow->frame->dropped;
  if (begins)
    flow_begin_frame (self, flow, timestamp, media.type, now);
  if (send_flow_has_pictures (flow))
    judge_picture (self, flow, begins, key, now);
  if (!other)
    flow->frame->discardable |= rtp_codec_is_discardable (codec, media.payload, media.size);
  return key;
}

/* Leaves the packet without what is of dropped pictures. FALSE: nothing else is in it. */
static gboolean
strip_picture (SendQueue * self, const SendFlow * flow, SendPacket * packet)
{
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  guint size, left;

  packet->buffer = gst_buffer_make_writable (packet->buffer);
  if (!gst_rtp_buffer_map (packet->buffer, GST_MAP_READWRITE, &rtp))
    return FALSE;
  size = gst_rtp_buffer_get_payload_len (&rtp);
  left = flow->frame->dropped ? 0 : size;
  if (!gst_rtp_buffer_get_padding (&rtp))
    left = (guint) ts_pictures_strip (&flow->ts, gst_rtp_buffer_get_payload (&rtp), size,
        packet->ends_dropped, flow->frame->dropped);
  gst_rtp_buffer_unmap (&rtp);
  if (left == 0 || left == size)
    return left > 0;
  self->stats.bytes_dropped += size - left;
  packet->rtp_bytes -= size - left;
  gst_buffer_set_size (packet->buffer, packet->rtp_bytes);
  packet->size_bytes = packet->rtp_bytes + self->overhead_bytes;
  packet->payload_bytes = left;
  return TRUE;
}

static gboolean
is_wanted (SendQueue * self, SendFlow * flow, SendPacket * packet)
{
  gboolean wanted = !flow->frame->dropped || is_admitted (self);

  if (send_flow_has_pictures (flow) && !packet->fec && !self->closed
      && (flow->frame->dropped || packet->ends_dropped)) {
    send_fec_on_media (flow->frame, packet->seq_in, TRUE);
    return strip_picture (self, flow, packet);
  }

  if (!packet->fec) {
    send_fec_on_media (flow->frame, packet->seq_in, !wanted);
    return wanted;
  }
  self->stats.fec_in++;
  if (!wanted || send_fec_holds (self, flow, packet))
    return wanted;
  self->stats.fec_dropped++;
  return FALSE;
}

/* Returns its flow. */
static SendFlow *
read_buffer (SendQueue * self, SendPacket * packet, GstRTPBuffer * rtp, RtpCodec codec,
    RcTime now, gboolean * key)
{
  SendFlow *flow;

  packet->ssrc = gst_rtp_buffer_get_ssrc (rtp) ^ self->ssrc_mask;
  packet->rtp_bytes = (guint) gst_buffer_get_size (packet->buffer);
  packet->size_bytes = packet->rtp_bytes + self->overhead_bytes;
  if (self->ssrc_mask != 0)
    memcpy (packet->header, rtp->data[0], HEADER_BYTES);
  flow = flow_get (self, packet->ssrc);
  flow->repeats = GST_BUFFER_FLAG_IS_SET (packet->buffer, GST_RTP_BUFFER_FLAG_RETRANSMISSION);
  *key = read_packet (self, flow, packet, codec, rtp, now);
  return flow;
}

static void
take_packet (SendQueue * self, SendFlow * flow, SendPacket * packet, gboolean key, RcTime now)
{
  self->last_ssrc = packet->ssrc;
  packet->number = self->stats.packets_in++;
  flow->active_at = self->active_at = now;
  self->made_bytes = packet->payload_bytes;
  self->last_bytes = packet->size_bytes;
  rc_ratemeter_add (&flow->incoming, packet->payload_bytes, now);
  if (!send_flow_has_pictures (flow))
    judge_frame (self, flow, key, now);
  if (is_wanted (self, flow, packet)) {
    enqueue (self, flow, packet);
  } else {
    flow->pending_gap++;
    flow->has_gaps = self->has_gaps = TRUE;
    self->stats.packets_dropped++;
    self->stats.bytes_dropped += self->closed ? 0 : packet->size_bytes;
    gst_buffer_unref (packet->buffer);
  }
}

gboolean
send_queue_push (SendQueue * self, GstBuffer * buffer, RtpCodec codec, RcTime now)
{
  RtpView view;
  SendPacket packet = {.buffer = buffer };
  SendFlow *flow;
  gboolean key;

  if (!rtp_view_open (&view, buffer)) {
    gst_buffer_unref (buffer);
    return FALSE;
  }
  flow = read_buffer (self, &packet, &view.rtp, codec, now, &key);
  rtp_view_close (&view);
  take_packet (self, flow, &packet, key, now);
  return TRUE;
}

void
send_queue_push_mapped (SendQueue * self, GstBuffer * buffer, GstRTPBuffer * rtp, RtpCodec codec,
    RcTime now)
{
  SendPacket packet = {.buffer = buffer };
  gboolean key;
  SendFlow *flow = read_buffer (self, &packet, rtp, codec, now, &key);

  take_packet (self, flow, &packet, key, now);
}

void
send_queue_get_last (const SendQueue * self, guint32 * ssrc, guint32 * timestamp)
{
  *ssrc = self->last_ssrc;
  *timestamp = self->last_timestamp;
}

guint
send_queue_made_bytes (const SendQueue * self)
{
  return self->made_bytes;
}

guint
send_queue_last_bytes (const SendQueue * self)
{
  return self->last_bytes;
}

void
send_queue_set_enlarges (SendQueue * self, gboolean enlarges)
{
  self->enlarges = enlarges;
}

/* --- out --- */

SendPacket *
send_queue_peek (SendQueue * self, guint nth)
{
  return nth < self->packets.n ? send_queue_at (self, nth) : NULL;
}

void
send_queue_account_removed (SendQueue * self, const SendPacket * packet)
{
  SendFlow *flow = packet->frame->flow;

  self->bytes -= packet->size_bytes;
  flow->queued_bytes -= packet->size_bytes;
  flow->queued_packets--;
  packet->frame->queued_bytes -= packet->size_bytes;
}

static void
write_numbers (guint8 * header, guint32 ssrc, guint16 seq)
{
  GST_WRITE_UINT16_BE (header + 2, seq);
  GST_WRITE_UINT32_BE (header + 8, ssrc);
}

/* What gst_buffer_copy() shares is copied by the map that follows, for twice the time. */
GstBuffer *
send_packet_own_header (GstBuffer * packet, guint32 ssrc, guint16 seq)
{
  GstBuffer *own = gst_buffer_new ();
  guint first, n;
  GstMapInfo map;
  gsize skip;

  gst_buffer_copy_into (own, packet, GST_BUFFER_COPY_METADATA, 0, -1);
  for (guint i = 0; i < gst_buffer_n_memory (packet); i++) {
    GstMemory *memory = gst_buffer_peek_memory (packet, i);

    gst_buffer_append_memory (own, i == 0 ? gst_memory_copy (memory, 0, -1)
        : gst_memory_ref (memory));
  }
  if (gst_buffer_find_memory (own, 0, HEADER_BYTES, &first, &n, &skip)
      && gst_buffer_map_range (own, first, (gint) n, &map, GST_MAP_READWRITE)) {
    write_numbers (map.data, ssrc, seq);
    gst_buffer_unmap (own, &map);
  }
  return own;
}

static void
write_fec (SendPacket * packet)
{
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  packet->buffer = gst_buffer_make_writable (packet->buffer);
  if (gst_rtp_buffer_map (packet->buffer, GST_MAP_READWRITE, &rtp)) {
    send_fec_move_base (packet, &rtp);
    gst_rtp_buffer_unmap (&rtp);
  }
}

/* FALSE: others have references to it, or to its memory. */
static gboolean
write_in_place (SendPacket * packet, guint16 seq)
{
  GstMemory *first = gst_buffer_peek_memory (packet->buffer, 0);
  GstMapInfo map;

  if (!gst_buffer_is_writable (packet->buffer) || first->size < HEADER_BYTES
      || !gst_memory_is_writable (first) || !gst_memory_map (first, &map, GST_MAP_READWRITE))
    return FALSE;
  write_numbers (map.data, packet->ssrc, seq);
  gst_memory_unmap (first, &map);
  packet->seq = seq;
  return TRUE;
}

/* FALSE: it gets a copy. */
static gboolean
take_own_header (SendQueue * self, SendPacket * packet, guint16 seq)
{
  GstBuffer *whole = packet->shared ? packet->shared : packet->buffer;
  OwnHeader own;

  if (self->ssrc_mask == 0 || packet->fec || packet->transport_id != 0
      || (packet->shared && !packet->own.buffer) || !own_header_take (&own, whole))
    return FALSE;
  if (packet->own.buffer)
    own_header_put (&packet->own);
  packet->shared = whole;
  packet->own = own;
  packet->buffer = own.buffer;
  packet->seq = seq;
  memcpy (own.bytes, packet->header, HEADER_BYTES);
  write_numbers (own.bytes, packet->ssrc, seq);
  return TRUE;
}

/* An earlier attempt to send it may have left another number in it. */
static void
write_header (SendQueue * self, SendPacket * packet, guint16 seq)
{
  gboolean changes = seq != packet->seq;

  if (!changes && (packet->shared || self->ssrc_mask == 0))
    return;
  if (!packet->shared && !packet->fec && write_in_place (packet, seq))
    return;
  if (take_own_header (self, packet, seq))
    return;
  packet->own.buffer = NULL;
  if (packet->shared)
    gst_buffer_unref (packet->buffer);
  else
    packet->shared = packet->buffer;
  packet->seq = seq;
  packet->buffer = send_packet_own_header (packet->shared, packet->ssrc, seq);
  if (packet->fec && changes)
    write_fec (packet);
}

void
send_queue_set_transport_id (SendQueue * self, guint8 id)
{
  self->transport_id = id;
}

guint16
send_queue_next_transport_number (const SendQueue * self)
{
  return self->next_transport_number;
}

void
send_queue_use_transport_number (SendQueue * self)
{
  self->next_transport_number++;
}

void
send_queue_set_red (SendQueue * self, gint payload_type)
{
  self->red_type = payload_type;
}

void
send_queue_set_renumber (SendQueue * self, gboolean renumber)
{
  self->renumber = renumber;
}

static void
number_transport_wide (SendQueue * self, guint n)
{
  guint16 number = self->next_transport_number;

  for (guint i = 0; i < n; i++) {
    SendPacket *packet = send_queue_at (self, i);

    if (packet->transport_id == 0)
      continue;
    packet->transport_number = number++;
    packet->buffer = extmap_write_number (packet->buffer, packet->transport_id,
        packet->transport_number);
  }
}

static void
number_flows (SendQueue * self, guint n)
{
  SendPacket *packet;
  SendFlow *flow;
  guint i;

  for (i = 0; i < n; i++) {
    packet = send_queue_at (self, i);
    flow = packet->frame->flow;
    flow->number_offset = flow->offset;
  }
  for (i = 0; i < n; i++) {
    packet = send_queue_at (self, i);
    flow = packet->frame->flow;
    flow->number_offset += packet->gap;
    write_header (self, packet, (guint16) (packet->seq_in - flow->number_offset));
  }
}

void
send_queue_number (SendQueue * self, guint n)
{
  /* Else each leaves as it came. */
  gboolean headers = self->has_gaps || self->ssrc_mask != 0;

  if (self->renumber && headers)
    number_flows (self, n);
  for (guint i = 0; !self->renumber && headers && i < n; i++) {
    SendPacket *packet = send_queue_at (self, i);

    write_header (self, packet, packet->seq);
  }
  if (self->has_transport_numbers)
    number_transport_wide (self, n);    /* into the header that leaves */
}

/* A frame has left when the flow's next one begins to leave: until then more of it may come. */
static void
note_left (SendFrame * frame, RcTime now)
{
  SendFlow *flow = frame->flow;

  frame->left_at = now;
  if (flow->leaving == frame || flow->repeats)
    return;
  if (flow->leaving)
    rc_recent_add (&flow->held, flow->leaving->left_at - flow->leaving->came_at);
  send_frame_unref (flow->leaving);
  flow->leaving = g_rc_box_acquire (frame);
}

void
send_queue_pop (SendQueue * self, RcTime now)
{
  SendPacket *packet = send_queue_at (self, 0);

  note_left (packet->frame, now);
  send_numbers_add (packet->frame->flow, packet);
  send_queue_account_removed (self, packet);
  packet->frame->sent_packets++;
  packet->frame->flow->offset += packet->gap;
  self->next_transport_number += packet->transport_id != 0;
  send_packet_clear (packet);
  self->packets.first++;
  self->packets.n--;
}

guint64
send_queue_bytes (SendQueue * self)
{
  return self->bytes;
}

guint
send_queue_packets (SendQueue * self)
{
  return self->packets.n;
}

guint64
send_queue_count (SendQueue * self)
{
  return self->stats.packets_in;
}

/* Of the flow that is held longest, ended ones apart. */
static RcTime
held (const SendQueue * self, gdouble q)
{
  RcTime most = RC_TIME_NONE;

  for (guint i = 0; i < self->flows->len; i++) {
    const SendFlow *flow = self->flows->pdata[i];

    if (!send_flow_has_ended (self, flow))
      most = MAX (most, rc_recent_quantile (&flow->held, q));
  }
  return most;
}

guint64
send_queue_frames_in (const SendQueue * self)
{
  return self->stats.frames_in;
}

guint64
send_queue_dropped_bytes (const SendQueue * self)
{
  return self->stats.bytes_dropped;
}

void
send_queue_get_counts (SendQueue * self, SendQueueStats * stats)
{
  *stats = self->stats;
}

void
send_queue_get_stats (SendQueue * self, SendQueueStats * stats)
{
  *stats = self->stats;
  stats->held_p50 = held (self, 0.50);
  stats->held_p95 = held (self, 0.95);
  stats->held_p99 = held (self, 0.99);
  for (guint i = 0; i < self->flows->len; i++)
    stats->key_interval = MAX (stats->key_interval,
        ((SendFlow *) self->flows->pdata[i])->key_interval);
}

guint
send_queue_get_shares (SendQueue * self, guint32 * ssrcs, gdouble * shares, guint n, RcTime now)
{
  gdouble sum = 0;
  guint i, most = n;

  n = 0;
  for (i = 0; i < self->flows->len && n < most; i++) {
    SendFlow *flow = self->flows->pdata[i];

    if (send_flow_has_ended (self, flow) || flow->repeats)
      continue;
    ssrcs[n] = flow->ssrc;
    shares[n] = (gdouble) rc_ratemeter_get_bps (&flow->incoming, now);
    sum += shares[n++];
  }
  for (i = 0; i < n; i++)
    shares[i] = sum > 0 ? shares[i] / sum : 1.0 / n;
  return n;
}
