/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "sendmedia.h"

#include "rtp/extmap.h"
#include "rtp/ratestamp.h"
#include <rc/feedback/twcc.h>

#include <gst/rtp/gstrtpbuffer.h>

static gboolean
is_empty (const SendMedia * self)
{
  return send_queue_packets (self->queue) == 0;
}

void
send_media_wake_waiting (SendMedia * self)
{
  if (self->waiting > 0)
    g_cond_broadcast (&self->changed);
}

RcTime
send_media_get_queue_time (const SendMedia * self)
{
  guint64 rate_bps = MAX (rc_sender_rate_bps (self->sender), 1);

  return rc_time_of_bytes (send_queue_bytes (self->queue), rate_bps);
}

/* --- how a packet leaves --- */

static RcSenderPacket
sender_packet (const SendPacket * packet)
{
  return (RcSenderPacket) {.ssrc = packet->ssrc,.seq = packet->seq,.rtp_bytes = packet->rtp_bytes,
    .media_bytes = packet->payload_bytes,.has_transport_number = packet->transport_id != 0,
    .transport_number = packet->transport_number
  };
}

static TransportResult
send_batch (gpointer owner, GstBuffer ** buffers, guint n)
{
  SendMedia *self = owner;
  Transport *transport;

  if (self->lanes)              /* on_sent () gives them to one */
    return (TransportResult) {.sent = n };
  transport = self->lane->path.transport;
  return transport->funcs->send (transport, buffers, n, rc_lane_ecn_bits (self->lane->rc));
}

static void
on_batch (gpointer owner, const TransportResult * result, RcTime now)
{
  SendMedia *self = owner;

  if (result->held_up)
    rc_gate_reset (rc_sender_gate (self->sender), now);
  if (self->lane)
    send_path_on_batch (&self->lane->path, result, now);
}

/* A stream that repeats another has numbers of its own. What leaves as it was keeps its number, of
 * which the ledger knows the first departure. */
static void
on_resent (SendMedia * self, const ResentPacket * resent, gboolean more, RcTime now)
{
  RcSenderPacket packet = {.ssrc = resent->ssrc,.seq = resent->seq,.rtp_bytes = resent->rtp_bytes,
    .has_transport_number = resent->transport_id != 0,
    .transport_number = resent->transport_number,.again = !resent->stream,.more = more
  };

  if (resent->stream) {
    packet.ssrc = resent->stream->ssrc;
    packet.seq = resent->stream->next_seq;
    if (self->lane)
      send_lane_give_entries (self->lane, &packet, now);
  }
  rc_sender_on_sent (self->sender, &packet, TRUE, now);
}

/* By one of several lanes, in whose ledger it is then. */
static guint8
give_to_lane (SendMedia * self, GstBuffer * buffer, const SendLanesPacket * packet, RcTime now)
{
  gint lane = send_lanes_take (self->lanes, buffer, packet, now);

  return (guint8) MAX (lane, 0);
}

/* A packet that the system refused counts as sent: to the law it is one that the network lost. */
static void
on_sent (gpointer owner, gboolean more, RcTime now)
{
  SendMedia *self = owner;
  const ResentPacket *resent = resender_peek (self->resender);
  SendPacket *head = send_queue_peek (self->queue, 0);
  gboolean backlogged = send_queue_packets (self->queue) > 1 || self->waiting > 0;
  RcSenderPacket packet;
  guint8 lane = 0;

  if (resent) {
    if (self->lanes)
      resender_on_lane (self->resender, give_to_lane (self, resent->ready, &(SendLanesPacket) {
              resent->ssrc, resent->seq, TRUE, resent->by_both, resent->lane}, now));
    on_resent (self, resent, more, now);
    return;
  }
  packet = sender_packet (head);
  packet.more = more;
  if (self->lanes) {
    lane = give_to_lane (self, head->buffer, &(SendLanesPacket) { head->ssrc, head->seq }, now);
  } else {
    Transport *transport = self->lane->path.transport;

    if (transport->funcs->taken)
      transport->funcs->taken (transport, head->number);
    send_lane_give_entries (self->lane, &packet, now);
  }
  rc_sender_on_sent (self->sender, &packet, backlogged, now);
  sender_reports_on_sent (&self->reports, packet.ssrc, packet.media_bytes);
  resender_on_sent (self->resender, head, lane, now);
}

static const PacedEgressFuncs egress_funcs = { send_batch, on_batch, on_sent };

/* --- life --- */

void
send_media_init (SendMedia * self, RcSender * sender, SendLane * lane, SendLanes * lanes,
    guint overhead_bytes, gboolean renumber, RcTime max_queue_time)
{
  *self = (SendMedia) {.sender = sender,.lane = lane,.lanes = lanes,
    .has_trailers = lane ? lane->path.transport->funcs->set_stamped != NULL
        : send_lanes_have_trailers (lanes),
    .max_queue_time = max_queue_time,.codec = RTP_CODEC_OTHER,.stamp_id = RATE_STAMP_ID,
    .starved = TRUE
  };
  g_cond_init (&self->changed);
  self->queue = send_queue_new (overhead_bytes, renumber);
  self->resender = resender_new (self->queue, overhead_bytes);
  if (lanes)
    send_lanes_set_resender (lanes, self->resender);
  sender_pacer_init (&self->pacer, sender, NULL);
  sender_reports_init (&self->reports);
  self->egress = (PacedEgress) { resender_get_source (self->resender), &self->pacer.pacer,
    &egress_funcs, self
  };
}

void
send_media_clear (SendMedia * self)
{
  resender_free (self->resender);
  send_queue_free (self->queue);
  g_cond_clear (&self->changed);
}

/* --- settings --- */

void
send_media_set_live (SendMedia * self, gboolean live, RcTime now)
{
  self->live = live;
  if (!live)                    /* it waits instead */
    send_queue_shed (self->queue, G_MAXUINT64, now);
  if (live && rc_sender_is_stopped (self->sender))
    send_queue_set_closed (self->queue, TRUE, now);
  send_media_wake_waiting (self);
}

void
send_media_set_max_queue_time (SendMedia * self, RcTime max_queue_time)
{
  self->max_queue_time = max_queue_time;
  send_media_wake_waiting (self);
}

void
send_media_set_hold_time (SendMedia * self, RcTime hold_time)
{
  self->hold_time = hold_time;
}

void
send_media_set_interrupted (SendMedia * self, gboolean interrupted)
{
  self->interrupted = interrupted;
  send_media_wake_waiting (self);
}

void
send_media_set_caps (SendMedia * self, const GstCaps * caps, gint red_type)
{
  self->codec = rtp_codec_from_caps (caps);
  self->stamp_id = rate_stamp_id_of_caps (caps);
  /* The session in which we are a guest numbers them behind us. */
  self->transport_id = rc_sender_is_guest (self->sender)
      ? 0 : extmap_id_of_caps (caps, RC_TWCC_URI);
  send_queue_set_transport_id (self->queue, self->transport_id);
  send_queue_set_red (self->queue, red_type);
}

void
send_media_set_aside (SendMedia * self, gboolean aside, RcTime now)
{
  if (aside == self->aside)
    return;
  self->aside = aside;
  if (aside)
    resender_forget (self->resender);
  send_queue_set_closed (self->queue, aside || (self->live && self->stopped), now);
  send_media_wake_waiting (self);
}

gboolean
send_media_follow_sender (SendMedia * self, RcTime now)
{
  gboolean stopped = rc_sender_is_stopped (self->sender);

  if (stopped == self->stopped)
    return FALSE;
  self->stopped = stopped;
  if (stopped)
    resender_forget (self->resender);
  if (self->live)
    send_queue_set_closed (self->queue, stopped || self->aside, now);
  self->starved = self->starved || is_empty (self);
  send_media_wake_waiting (self);
  return TRUE;
}

/* --- in --- */

/* While media is stopped, one packet may come as a probe; and what is paid for. */
gboolean
send_media_must_wait (const SendMedia * self)
{
  gboolean probe = self->probing && is_empty (self);
  gboolean stopped = rc_sender_is_stopped (self->sender) && !probe
      && self->pacer.prepaid_bytes == 0;
  gboolean full = stopped || send_media_get_queue_time (self) > self->max_queue_time;

  return full && !self->live && !self->interrupted;
}

void
send_media_wait (SendMedia * self, GMutex * lock)
{
  self->waiting++;
  g_cond_wait (&self->changed, lock);
  self->waiting--;
}

static void
shed (SendMedia * self, RcTime now)
{
  gdouble rate_bps = (gdouble) rc_sender_rate_bps (self->sender);
  gdouble limit_bytes = rc_time_to_s (self->max_queue_time) * rate_bps / 8;
  gdouble hold_bytes = rc_time_to_s (self->hold_time) * rate_bps / 8;

  if (self->hold_time > 0)
    send_queue_shed_rigid (self->queue, (guint64) limit_bytes,
        (guint64) MAX (hold_bytes, limit_bytes), now);
  else
    send_queue_shed (self->queue, (guint64) limit_bytes, now);
}

RcTime
send_media_order_keyframes (SendMedia * self, RcTime now)
{
  while (self->n_keyframes < G_N_ELEMENTS (self->keyframes)
      && send_queue_take_keyframe_order (self->queue, now, &self->keyframes[self->n_keyframes]))
    self->n_keyframes++;
  /* Until the owner has taken what is collected, work is pending anyway. */
  return self->n_keyframes > 0 ? RC_TIME_NONE : send_queue_keyframe_due_at (self->queue, now);
}

static RcTime
claimed_loop_time (const SendMedia * self)
{
  RcTime loop_time = rc_sender_loop_time (self->sender);

  return loop_time == RC_TIME_NONE ? 0 : loop_time;
}

/* With a place for the transport-wide number, and with a stamp for relays if the law obeys them
 * and the transport has no place of its own for that. */
static GstBuffer *
prepare (SendMedia * self, GstBuffer * buffer)
{
  static const guint8 no_number[2];

  gst_buffer_ref (buffer);
  if (self->transport_id != 0)
    buffer = extmap_put (buffer, self->transport_id, no_number, sizeof no_number);
  if (!rc_sender_wants_stamps (self->sender) || self->stamp_id == 0)
    return buffer;
  if (self->has_trailers)
    return rate_stamp_shut (buffer, self->stamp_id);
  return rate_stamp_insert (buffer, self->stamp_id, claimed_loop_time (self));
}

/* A stream that repeats another puts the old number into each packet (RFC 4588). */
#define RTX_BYTES 2
/* With the header of RFC 8285 and padding. */
#define TRANSPORT_NUMBER_BYTES 8
#define STAMP_BYTES 16

guint
send_media_added_bytes (const SendMedia * self)
{
  gboolean stamped = rc_sender_wants_stamps (self->sender) && self->stamp_id != 0
      && !self->has_trailers;

  return RTX_BYTES + (self->transport_id != 0 ? TRANSPORT_NUMBER_BYTES : 0)
      + (stamped ? STAMP_BYTES : 0);
}

/* Else who makes more than the least rate would count as one who does not use it, and the rate
 * would never grow again. */
static void
tell_dropped (SendMedia * self)
{
  guint64 dropped_bytes = send_queue_dropped_bytes (self->queue);

  if (dropped_bytes > self->dropped_bytes)
    rc_sender_on_dropped (self->sender, dropped_bytes - self->dropped_bytes);
  self->dropped_bytes = dropped_bytes;
}

static void
on_pushed (SendMedia * self, RcTime now)
{
  guint32 ssrc, timestamp;

  send_queue_get_last (self->queue, &ssrc, &timestamp);
  sender_reports_on_packet (&self->reports, ssrc, timestamp, now);
  if (send_queue_made_bytes (self->queue) > 0)
    rc_sender_on_made (self->sender, send_queue_made_bytes (self->queue), now);
  if (self->live && !rc_sender_is_stopped (self->sender))
    shed (self, now);
  tell_dropped (self);
}

gboolean
send_media_push (SendMedia * self, GstBuffer * buffer, RcTime now)
{
  GstBuffer *prepared = prepare (self, buffer);

  send_queue_set_enlarges (self->queue, prepared != buffer
      && gst_buffer_get_size (prepared) > gst_buffer_get_size (buffer));
  if (!send_queue_push (self->queue, prepared, self->codec, now)) {
    self->non_rtp_buffers++;
    return FALSE;
  }
  on_pushed (self, now);
  return TRUE;
}

/* One that an extension is added to is another one. */
gboolean
send_media_push_fed (SendMedia * self, const FedPacket * packet, RcTime now)
{
  GstRTPBuffer rtp = packet->rtp;

  if (!rtp.buffer || self->transport_id != 0 || rc_sender_wants_stamps (self->sender))
    return send_media_push (self, packet->buffer, now);
  send_queue_set_enlarges (self->queue, FALSE);
  send_queue_push_mapped (self->queue, gst_buffer_ref (packet->buffer), &rtp, self->codec, now);
  on_pushed (self, now);
  return TRUE;
}

/* Once for all that came since the queue was empty. What is paid for goes even while media is
 * stopped. */
gboolean
send_media_take_wake_up (SendMedia * self)
{
  if (is_empty (self) || (!self->starved && self->pacer.prepaid_bytes == 0))
    return FALSE;
  self->starved = FALSE;
  return TRUE;
}

void
send_media_ask_again (SendMedia * self, const RtcpNacks * nacks, RcTime now)
{
  resender_ask (self->resender, nacks, rc_sender_rate_bps (self->sender),
      rc_sender_srtt (self->sender), now);
}

void
send_media_flush (SendMedia * self, RcTime now)
{
  send_queue_flush (self->queue);
  resender_forget (self->resender);
  sender_pacer_forget_prepaid (&self->pacer);
  rc_gate_reset (rc_sender_gate (self->sender), now);
  send_media_wake_waiting (self);
}

/* --- out --- */

/* Probes leave without, since another receiver may be there now. */
static void
set_stamped (SendMedia * self)
{
  gboolean stamped = self->takes_trailers && rc_sender_wants_stamps (self->sender)
      && !rc_sender_is_stopped (self->sender);
  RcTime loop_time;
  SendLane *lane;

  if (!self->has_trailers)
    return;
  loop_time = claimed_loop_time (self);
  for (guint i = 0; i < RC_LANES_MAX; i++) {
    lane = self->lanes ? send_lanes_get (self->lanes, i) : i == 0 ? self->lane : NULL;
    if (lane)
      lane->path.transport->funcs->set_stamped (lane->path.transport, stamped, loop_time);
  }
}

/* Callers that wait are woken when half of the allowed queue has left, not for each packet. */
RcTime
send_media_serve (SendMedia * self, RcTime now)
{
  RcTime next_at;

  resender_expire (self->resender, now);
  set_stamped (self);
  next_at = paced_egress_serve (&self->egress, now);
  self->starved = is_empty (self);
  if (send_media_get_queue_time (self) <= self->max_queue_time / 2)
    send_media_wake_waiting (self);
  return next_at;
}

static void
set_probing (SendMedia * self, gboolean probing)
{
  if (probing == self->probing)
    return;
  self->probing = probing;
  send_queue_set_admits_one (self->queue, probing);
  send_media_wake_waiting (self);
}

RcTime
send_media_admit_probe (SendMedia * self, RcTime now)
{
  set_probing (self, is_empty (self) && rc_sender_wants_probe (self->sender, now));
  if (self->probing || !rc_sender_is_stopped (self->sender) || !is_empty (self))
    return RC_TIME_NONE;        /* the next push wakes us; or it has its time */
  return rc_sender_media_probe_at (self->sender);
}
