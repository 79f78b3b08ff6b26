/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "relayegress.h"

#include "rtp/ratestamp.h"

#define RELAY_QUEUE_MAX_GROUP 64
G_STATIC_ASSERT (TRANSPORT_MAX_BATCH <= RELAY_QUEUE_MAX_GROUP);

#define WAY_INTERVAL RC_MSEC    /* between two flows that look for a way: others share the thread */

#define OF(member, pointer) \
  ((RelayEgress *) ((guint8 *) (pointer) - G_STRUCT_OFFSET (RelayEgress, member)))

/* --- the queue --- */

#define FIRST_ROOM 64

static void
relay_queue_init (RelayQueue * self)
{
  self->packets = gst_queue_array_new_for_struct (sizeof (RelayPacket), FIRST_ROOM);
}

void
relay_queue_push (RelayQueue * self, const RelayPacket * packet)
{
  gst_queue_array_push_tail_struct (self->packets, (gpointer) packet);
  packet->flow->queued++;
  self->bytes += packet->size_bytes;
  self->max_packets = MAX (self->max_packets, gst_queue_array_get_length (self->packets));
}

/* NULL: there are not so many. */
static RelayPacket *
relay_queue_nth (const RelayQueue * self, guint n)
{
  return n < gst_queue_array_get_length (self->packets)
      ? gst_queue_array_peek_nth_struct (self->packets, n) : NULL;
}

/* Of the first n, at most RELAY_QUEUE_MAX_GROUP: those of one flow one behind the other, in their
 * order; the flows by their first packet. */
static void
relay_queue_group (RelayQueue * self, guint n)
{
  RelayPacket waiting[RELAY_QUEUE_MAX_GROUP];
  guint grouped = 0;

  g_assert (n <= RELAY_QUEUE_MAX_GROUP);
  for (guint i = 0; i < n; i++)
    waiting[i] = *relay_queue_nth (self, i);
  for (guint i = 0; i < n; i++) {
    const RelayFlow *flow = waiting[i].flow;

    for (guint k = i; flow && k < n; k++)
      if (waiting[k].flow == flow) {
        *relay_queue_nth (self, grouped++) = waiting[k];
        waiting[k].flow = NULL;
      }
  }
}

/* The head, whose flow may be gone after. */
static void
relay_queue_pop (RelayQueue * self)
{
  RelayPacket *packet = gst_queue_array_pop_head_struct (self->packets);

  self->bytes -= packet->size_bytes;
  g_rc_box_release (packet->train);
  relay_flow_dequeued (packet->flow);
}

static void
relay_queue_clear (RelayQueue * self)
{
  while (relay_queue_nth (self, 0))
    relay_queue_pop (self);
  gst_queue_array_free (self->packets);
}

/* --- the queue as a source --- */

static gboolean
source_peek (PacketSource * source, guint nth, RcTime now, PacedPacket * packet)
{
  const RelayPacket *relayed = relay_queue_nth (&OF (source, source)->queue, nth);

  if (!relayed)
    return FALSE;
  *packet = (PacedPacket) { NULL, relayed->size_bytes };
  return TRUE;
}

/* Each flow has its own socket, and the kernel takes the packets of one socket together: so what
 * leaves at one moment leaves by flows. */
static void
source_make_ready (PacketSource * source, guint n, GstBuffer ** buffers)
{
  RelayEgress *self = OF (source, source);
  guint64 rate_bps = rc_router_rate_bps (self->router);

  relay_queue_group (&self->queue, n);
  for (guint i = 0; i < n; i++) {
    RelayPacket *packet = relay_queue_nth (&self->queue, i);

    if (packet->stamp > 0)
      rate_stamp_offer (packet->data + packet->stamp, rate_bps);
    buffers[i] = NULL;          /* send_batch () knows where they are */
  }
}

static void
source_take (PacketSource * source, RcTime now)
{
  relay_queue_pop (&OF (source, source)->queue);
}

static guint64
source_get_waiting_bytes (PacketSource * source)
{
  return OF (source, source)->queue.bytes;
}

static const PacketSourceFuncs source_funcs = {
  source_peek, source_make_ready, source_take, source_get_waiting_bytes
};

/* --- the flows' sockets --- */

/* The packets of one flow, from `first` on, of the n that leave. Returns how many they are. A relay
 * knows nothing of its receivers' ECN. */
static guint
send_run (RelayEgress * self, guint first, guint n, TransportResult * result)
{
  RelayFlow *flow = relay_queue_nth (&self->queue, first)->flow;
  struct iovec datagrams[TRANSPORT_MAX_BATCH];
  guint length = 0;

  while (first + length < n) {
    const RelayPacket *packet = relay_queue_nth (&self->queue, first + length);

    if (packet->flow != flow)
      break;
    datagrams[length++] = (struct iovec) { packet->data, packet->bytes };
  }
  if (self->now >= self->way_at && relay_flow_keep_way (flow, self->host, self->now))
    self->way_at = self->now + WAY_INTERVAL;
  *result = udp_sender_send_vectors (&flow->sender, datagrams, length, RC_ECN_BITS_NOT_ECT);
  if (result->sent > 0)
    path_watch_on_sent (&flow->watch, result->errors > 0, self->now);
  return length;
}

static TransportResult
send_batch (gpointer owner, GstBuffer ** buffers, guint n)
{
  RelayEgress *self = owner;
  TransportResult all = { 0 };

  for (guint at = 0; at < n && !all.again;) {
    TransportResult result;

    at += send_run (self, at, n, &result);
    all.sent += result.sent;
    all.errors += result.errors;
    all.again = result.again;
  }
  return all;
}

/* --- what it counts --- */

static void
on_batch (gpointer owner, const TransportResult * result, RcTime now)
{
  ((RelayEgress *) owner)->stats.send_errors += result->errors;
}

static void
on_sent (gpointer owner, gboolean more, RcTime now)
{
  RelayEgress *self = owner;
  const RelayPacket *packet = relay_queue_nth (&self->queue, 0);

  self->stats.packets++;
  self->stats.bytes += packet->size_bytes;
  self->stats.packets_stamped += packet->stamp > 0;
  if (packet->flow->uplink)
    relay_uplink_flow_on_sent (packet->flow->uplink, packet->data, packet->bytes,
        relay_queue_nth (&self->queue, 1) != NULL, now);
}

static const PacedEgressFuncs egress_funcs = { send_batch, on_batch, on_sent };

/* --- its owner's calls --- */

void
relay_egress_init (RelayEgress * self, const RcRouter * router, RelayHost * host,
    guint64 capacity_bps, RcTime now)
{
  self->source.funcs = &source_funcs;
  rmc_pacer_init (&self->pacer, capacity_bps, now);
  self->egress = (PacedEgress) { &self->source, &self->pacer.pacer, &egress_funcs, self };
  relay_queue_init (&self->queue);
  self->router = router;
  self->host = host;
  self->starved = TRUE;
}

void
relay_egress_clear (RelayEgress * self)
{
  relay_queue_clear (&self->queue);
}

void
relay_egress_set_capacity (RelayEgress * self, guint64 capacity_bps, RcTime now)
{
  rc_rmc_set_rate (&self->pacer.rmc, capacity_bps, now);
}

RcTime
relay_egress_serve (RelayEgress * self, RcTime now)
{
  RcTime next_at;

  self->now = now;
  next_at = paced_egress_serve (&self->egress, now);
  self->starved = relay_queue_nth (&self->queue, 0) == NULL;
  return next_at;
}

gboolean
relay_egress_take_wake_up (RelayEgress * self)
{
  gboolean wake = self->starved && relay_queue_nth (&self->queue, 0);

  if (wake)
    self->starved = FALSE;
  return wake;
}
