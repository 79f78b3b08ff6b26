/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* One pass of a packet: a listener's socket becomes readable, media_readable() takes the train that
 * it came in (packets of one flow that the kernel has joined), enqueue() counts it for the router
 * law (dropped or not) and puts it at the end of the queue; the egress (relayegress.c) sends it
 * when RMC says that the link of `capacity` is free, with the rate of that moment in its stamp.
 * What the host answers goes back at once to the flow's sender.
 *
 * Where nobody knows the capacity (relayuplink.h), the reports among the answers are read first,
 * and follow_uplink() gives what they tell to the pacer and to the router law. A rate that fell is
 * written into them as they pass: it comes to the sender a round trip earlier than by a stamp.
 *
 * All callbacks run on the engine's thread; `lock` is for setters and getters. It is held in
 * callbacks, and the engine holds none of its own meanwhile. */

#include "relay.h"

#include "base/clockglue.h"
#include "rtp/ratestamp.h"
#include "rtp/stamptrailer.h"
#include "net/udpsocket.h"
#include "relayegress.h"
#include "relayflow.h"
#include "relayhost.h"
#include "relaylistener.h"
#include "relayuplink.h"

#include <string.h>

#define GST_CAT_DEFAULT rcp_relay_debug
GST_DEBUG_CATEGORY (rcp_relay_debug);

#define MAX_BATCHES 8           /* in a row: others share the thread */
#define MAX_ANSWERS 32          /* in a row */

typedef struct
{
  Relay *relay;
  guint index;
  RelayListener in;
  PacingClient *client;
} Listener;

struct _Relay
{
  GMutex lock;
  PacingEngine *engine;
  PacingClient *egress;
  Listener *listeners;
  guint n_listeners;
  RelayHost host;
  guint overhead_bytes;
  guint64 capacity_bps;         /* now */
  gboolean learns;              /* it is learnt */
  RcTime max_queue_time;
  guint8 stamp_id;
  gboolean joined;              /* datagrams of one flow cross the system's border together */

  RelayFlowTable flows;
  RcRouter router;
  RelayEgress out;
  RelayStats stats;
  RelayInbox *inbox;

  RelayUplink uplink;           /* if it learns */
  gboolean blind;               /* it was noticed that it cannot */
  void (*on_blind) (gpointer user_data);        /* or NULL */
  gpointer user_data;
};

/* --- a capacity that is learnt --- */

static void
follow_uplink (Relay * self, RcTime now)
{
  RcUplink *uplink = &self->uplink.uplink;
  guint64 rate_bps;

  if (!self->learns)
    return;
  rc_uplink_update (uplink, now);
  rate_bps = rc_uplink_rate_bps (uplink);
  if (rate_bps != self->capacity_bps)
    relay_egress_set_capacity (&self->out, rate_bps, now);
  self->capacity_bps = rate_bps;
  rc_router_set_capacity (&self->router, rc_uplink_offer_bps (uplink, self->out.queue.bytes,
          rc_router_loop_delay (&self->router)));
}

/* An answer passes. */
static void
read_answer (Relay * self, RelayFlow * flow, guint8 * data, gsize size, RcTime now)
{
  if (!flow->uplink || !relay_uplink_flow_read (flow->uplink, data, size, now))
    return;
  follow_uplink (self, now);
  rtcp_lower_rate (data, size, rc_router_rate_bps (&self->router));
}

/* TRUE, once: on_blind() is to be called, without the lock. */
static gboolean
becomes_blind (Relay * self)
{
  if (!self->learns || self->blind || !relay_uplink_is_blind (&self->uplink))
    return FALSE;
  self->blind = TRUE;
  return self->on_blind != NULL;
}

/* --- in --- */

static void feedback_readable (gpointer user_data, RcTime now);

static RcTime
never_due (gpointer user_data, RcTime now)
{
  return RC_TIME_NONE;
}

static const PacingClientFuncs flow_funcs = { never_due, feedback_readable };

static RelayFlow *
new_flow (Relay * self, const RelayFlowKey * key, RcTime now)
{
  RelayFlow *flow = relay_flow_table_add (&self->flows, key, &self->host, self->engine, &flow_funcs,
      self, now);

  if (flow) {
    flow->sender.segments = self->joined;
    flow->uplink = self->learns ? relay_uplink_flow_new (&self->uplink) : NULL;
    GST_INFO ("another flow begins; %" G_GUINT64_FORMAT " left their place for others so far",
        (guint64) self->flows.evicted);
  } else {
    self->stats.packets_refused++;
    GST_DEBUG ("packet refused: no socket for another flow");
  }
  return flow;
}

/* NULL: the datagram is refused, and counted. */
static RelayFlow *
get_flow (Relay * self, const RelayFlowKey * key, const guint8 * data, gsize size, RcTime now)
{
  RelayFlow *flow = relay_flow_table_find (&self->flows, key, now);

  if (flow)
    return flow;
  if (!relay_flow_may_begin_with (data, size)) {
    self->stats.packets_implausible++;
    return NULL;
  }
  switch (relay_flow_table_admit (&self->flows, self->engine, now)) {
    case RELAY_FLOW_ADMITTED:
      return new_flow (self, key, now);
    case RELAY_FLOW_LIMITED:
      self->stats.packets_limited++;
      GST_LOG ("packet refused: too many flows begin at a time");
      break;
    case RELAY_FLOW_FULL:
      self->stats.packets_refused++;
      GST_LOG ("packet refused: max-flows are there");
      break;
  }
  return NULL;
}

static gboolean
is_full (const Relay * self)
{
  return rc_time_of_bytes (self->out.queue.bytes, self->capacity_bps) > self->max_queue_time;
}

/* Behind an SRTP packet, which may have no byte changed; else in the header extension. */
static guint8 *
find_stamp (const Relay * self, guint8 * data, gsize size)
{
  guint8 *trailer = stamp_trailer_find (data, size);

  return trailer ? trailer : rate_stamp_find (data, size, self->stamp_id);
}

/* What came together, on its way through the relay. */
typedef struct
{
  const RelayTrain *in;
  gpointer copy; /* of the train, which its packets in the queue share; NULL: none is there yet */
  RelayFlow *flow;              /* NULL: not known yet, or refused */
  RcTime now;
} Passage;

/* A reference for one packet. */
static gpointer
copy_of (Passage * passage)
{
  if (passage->copy)
    return g_rc_box_acquire (passage->copy);
  passage->copy = g_rc_box_alloc (MAX (passage->in->size, 1));
  memcpy (passage->copy, passage->in->data, passage->in->size);
  return passage->copy;
}

static void
enqueue (Relay * self, Passage * passage, gsize at, gsize size)
{
  guint8 *stamp = find_stamp (self, passage->in->data + at, size);
  RelayPacket packet = {.flow = passage->flow,.bytes = size,
      .size_bytes = (guint) size + self->overhead_bytes };

  rc_router_on_arrival (&self->router, packet.size_bytes,
      stamp ? rate_stamp_rtt (stamp) : RC_TIME_NONE, passage->now);
  if (is_full (self)) {
    self->stats.packets_dropped++;
    return;
  }
  packet.train = copy_of (passage);
  packet.data = (guint8 *) packet.train + at;
  packet.stamp = stamp ? (guint) (stamp - passage->in->data - at) : 0;
  relay_queue_push (&self->out.queue, &packet);
}

static void
take_datagram (Relay * self, const RelayFlowKey * key, Passage * passage, gsize at, gsize size)
{
  self->stats.packets_in++;
  self->stats.bytes_in += size + self->overhead_bytes;
  if (size > RELAY_MAX_DATAGRAM) {
    self->stats.packets_oversize++;
    return;
  }
  if (!passage->flow)
    passage->flow = get_flow (self, key, passage->in->data + at, size, passage->now);
  if (!passage->flow)
    return;
  passage->flow->to = passage->in->to;
  enqueue (self, passage, at, size);
}

static void
take_train (Relay * self, guint port_index, const RelayTrain * train, RcTime now)
{
  RelayFlowKey key = {.port_index = port_index,.from = train->from };
  Passage passage = {.in = train,.now = now };
  gsize at = 0;

  do {
    take_datagram (self, &key, &passage, at, MIN (train->datagram_bytes, train->size - at));
    at += train->datagram_bytes;
  } while (at < train->size);
}

static void
media_readable (gpointer user_data, RcTime now)
{
  Listener *listener = user_data;
  Relay *self = listener->relay;
  guint n = RELAY_INBOX_BATCH;

  g_mutex_lock (&self->lock);
  for (guint batch = 0; batch < MAX_BATCHES && n == RELAY_INBOX_BATCH; batch++) {
    n = relay_inbox_read (self->inbox, &listener->in);
    now = clock_glue_monotonic ();
    for (guint i = 0; i < n; i++) {
      RelayTrain train;

      relay_inbox_get (self->inbox, i, &train);
      take_train (self, listener->index, &train, now);
    }
  }
  g_mutex_unlock (&self->lock);
}

/* After each media_readable(). */
static RcTime
listener_due (gpointer user_data, RcTime now)
{
  Listener *listener = user_data;
  Relay *self = listener->relay;
  gboolean wake;

  g_mutex_lock (&self->lock);
  wake = self->egress && relay_egress_take_wake_up (&self->out);
  g_mutex_unlock (&self->lock);
  if (wake)
    pacing_engine_wake (self->engine, self->egress);
  return RC_TIME_NONE;
}

static const PacingClientFuncs listener_funcs = { listener_due, media_readable };

/* --- back --- */

static void
take_answer (Relay * self, RelayFlow * flow, guint8 * data, gsize size, RcTime now)
{
  const Listener *listener = &self->listeners[flow->key.port_index];

  if (size > RELAY_MAX_DATAGRAM) {
    self->stats.packets_oversize++;
    return;
  }
  read_answer (self, flow, data, size, now);
  if (relay_listener_answer (&listener->in, &flow->key.from, &flow->to, data, size))
    self->stats.feedback_packets++;
  else
    self->stats.send_errors++;
}

static void
feedback_readable (gpointer user_data, RcTime now)
{
  RelayFlow *flow = user_data;
  Relay *self = flow->owner;
  guint8 data[RELAY_MAX_DATAGRAM + 1];
  gssize size = 0;
  gboolean blind;

  g_mutex_lock (&self->lock);
  now = clock_glue_monotonic ();
  for (guint i = 0; i < MAX_ANSWERS && size != -1; i++) {
    size = udp_socket_receive (flow->socket, data, sizeof data);
    if (size < 0)
      continue;                 /* port unreachable */
    relay_flow_table_on_answer (&self->flows, flow, now);
    path_watch_on_answer (&flow->watch);
    take_answer (self, flow, data, (gsize) size, now);
  }
  blind = becomes_blind (self);
  g_mutex_unlock (&self->lock);
  if (blind)
    self->on_blind (self->user_data);
}

/* --- out --- */

static RcTime
egress_due (gpointer user_data, RcTime now)
{
  Relay *self = user_data;
  RcTime next_at, router_at;

  g_mutex_lock (&self->lock);
  now = clock_glue_monotonic ();
  follow_uplink (self, now);
  router_at = rc_router_update (&self->router, paced_egress_get_waiting_bytes (&self->out.egress),
      now);
  next_at = relay_egress_serve (&self->out, now);
  if (next_at == RC_TIME_NONE || router_at < next_at)
    next_at = router_at;
  g_mutex_unlock (&self->lock);
  return next_at;
}

static void
nothing_readable (gpointer user_data, RcTime now)
{
}

static const PacingClientFuncs egress_funcs = { egress_due, nothing_readable };

/* --- life --- */

static gboolean
open_listeners (Relay * self, const RelayConfig * config, GError ** error)
{
  self->listeners = g_new0 (Listener, config->n_ports);
  for (guint i = 0; i < config->n_ports; i++) {
    Listener *listener = &self->listeners[i];
    GError *cause = NULL;

    listener->relay = self;
    listener->index = i;
    if (!relay_listener_open (&listener->in, config->address, (guint16) (config->port + i),
            self->joined, &cause)) {
      g_set_error_literal (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_OPEN_READ, cause->message);
      g_error_free (cause);
      return FALSE;
    }
    self->n_listeners++;
  }
  return TRUE;
}

static gboolean
avoid_itself (Relay * self, GError ** error)
{
  GPtrArray *listeners = g_ptr_array_new_with_free_func (g_object_unref);
  gboolean ok;

  for (guint i = 0; i < self->n_listeners; i++)
    g_ptr_array_add (listeners, g_object_ref (self->listeners[i].in.socket));
  ok = relay_host_avoid (&self->host, listeners, error);
  g_ptr_array_unref (listeners);
  return ok;
}

static gboolean
open_sockets (Relay * self, const RelayConfig * config, GError ** error)
{
  if (!relay_host_init (&self->host, config->host, config->host_port, error)
      || !open_listeners (self, config, error) || !avoid_itself (self, error))
    return FALSE;
  self->overhead_bytes = relay_host_overhead_bytes (&self->host);
  if (self->learns)
    relay_uplink_init (&self->uplink, &config->limits, self->overhead_bytes,
        clock_glue_monotonic ());
  return TRUE;
}

/* The egress last: its callback runs at once. */
static gboolean
join_engine (Relay * self, GError ** error)
{
  guint i;

  self->engine = pacing_engine_ref (error);
  if (!self->engine)
    return FALSE;
  for (i = 0; i < self->n_listeners; i++) {
    Listener *listener = &self->listeners[i];

    listener->client = pacing_engine_add (self->engine, g_socket_get_fd (listener->in.socket),
        &listener_funcs, listener, error);
    if (!listener->client)
      return FALSE;
  }
  g_mutex_lock (&self->lock);
  self->egress = pacing_engine_add (self->engine, -1, &egress_funcs, self, error);
  g_mutex_unlock (&self->lock);
  return self->egress != NULL;
}

Relay *
relay_new (const RelayConfig * config, GError ** error)
{
  Relay *self = g_new0 (Relay, 1);
  RcTime now = clock_glue_monotonic ();

  g_mutex_init (&self->lock);
  self->learns = config->capacity_bps == 0;
  self->capacity_bps = self->learns ? config->limits.start_bps : config->capacity_bps;
  self->on_blind = config->on_blind;
  self->user_data = config->user_data;
  self->max_queue_time = config->max_queue_time;
  self->stamp_id = config->stamp_id;
  self->joined = !config->one_by_one;
  self->inbox = relay_inbox_new ();
  relay_flow_table_init (&self->flows, config->max_flows, now);
  rc_router_init (&self->router, &config->router, self->capacity_bps, now);
  relay_egress_init (&self->out, &self->router, &self->host, self->capacity_bps, now);
  if (!open_sockets (self, config, error) || !join_engine (self, error))
    g_clear_pointer (&self, relay_free);
  return self;
}

void
relay_free (Relay * self)
{
  guint i;

  for (i = 0; i < self->n_listeners; i++)
    if (self->listeners[i].client)
      pacing_engine_remove (self->engine, self->listeners[i].client);
  if (self->egress)
    pacing_engine_remove (self->engine, self->egress);
  relay_egress_clear (&self->out);
  relay_flow_table_clear (&self->flows, self->engine);
  for (i = 0; i < self->n_listeners; i++)
    relay_listener_close (&self->listeners[i].in);
  if (self->engine)
    pacing_engine_unref (self->engine);
  g_free (self->listeners);
  relay_host_clear (&self->host);
  relay_inbox_free (self->inbox);
  g_mutex_clear (&self->lock);
  g_free (self);
}

/* --- settings and statistics --- */

gboolean
relay_set_priority (Relay * self, gint priority)
{
  return pacing_engine_set_priority (self->engine, self->egress, priority);
}

void
relay_set_capacity (Relay * self, guint64 capacity_bps)
{
  g_mutex_lock (&self->lock);
  if (self->learns || capacity_bps == 0) {
    g_mutex_unlock (&self->lock);
    return;
  }
  self->capacity_bps = capacity_bps;
  rc_router_set_capacity (&self->router, capacity_bps);
  relay_egress_set_capacity (&self->out, capacity_bps, clock_glue_monotonic ());
  g_mutex_unlock (&self->lock);
  pacing_engine_wake (self->engine, self->egress);
}

void
relay_set_max_queue_time (Relay * self, RcTime max_queue_time)
{
  g_mutex_lock (&self->lock);
  self->max_queue_time = max_queue_time;
  g_mutex_unlock (&self->lock);
}

void
relay_get_stats (Relay * self, RelayStats * stats)
{
  g_mutex_lock (&self->lock);
  *stats = self->stats;
  stats->packets_out = self->out.stats.packets;
  stats->bytes_out = self->out.stats.bytes;
  stats->packets_stamped = self->out.stats.packets_stamped;
  stats->send_errors += self->out.stats.send_errors;
  stats->flows = g_hash_table_size (self->flows.flows);
  stats->flows_evicted = self->flows.evicted;
  for (guint i = 0; i < self->n_listeners; i++)
    stats->packets_overflow += self->listeners[i].in.overflow_pkts;
  stats->queue_packets = gst_queue_array_get_length (self->out.queue.packets);
  stats->max_queue_packets = self->out.queue.max_packets;
  stats->queue_bytes = self->out.queue.bytes;
  stats->rate_bps = rc_router_rate_bps (&self->router);
  stats->arrival_bps = (guint64) self->router.arrival_bps;
  stats->kappa = self->router.kappa;
  stats->loop_delay = rc_router_loop_delay (&self->router);
  stats->rtt_clamped = self->router.clamped_claims;
  stats->capacity_bps = self->capacity_bps;
  stats->capacity_state = self->learns ? rc_uplink_state_name (&self->uplink.uplink) : "fixed";
  stats->uplink_delay = self->learns ? rc_uplink_queueing_delay (&self->uplink.uplink)
      : RC_TIME_NONE;
  stats->reports = self->uplink.uplink.stats.reports;
  stats->reports_refused = self->uplink.uplink.stats.false_reports;
  stats->feedback_unreadable = self->uplink.unreadable;
  g_mutex_unlock (&self->lock);
}

/* --- statistics as fields --- */

#define TEXT(...) FIELD_TEXT (RelayStats, __VA_ARGS__)
#define COUNTER(...) FIELD_COUNTER (RelayStats, __VA_ARGS__)
#define GAUGE(...) FIELD_GAUGE (RelayStats, __VA_ARGS__)
#define BITRATE(...) FIELD_BITRATE (RelayStats, __VA_ARGS__)

const FieldRow relay_fields[] = {
  GAUGE (flows, "flows", "", "active senders"),
  BITRATE (capacity_bps, "capacity", "capacity in use, as configured or estimated"),
  TEXT (capacity_state, "capacity-state", "stopped, fixed; or with capacity=0: waiting "
      "(no report yet), silent (no reports any more), or the state of ARC: start, avoid, compete, "
      "yield, drain, outage"),
  GAUGE (uplink_delay, "uplink-delay", "ns",
      "estimated queueing delay behind the relay (capacity=0)"),
  BITRATE (rate_bps, "rate", "R, the rate offered to each flow"),
  BITRATE (arrival_bps, "arrival-bitrate", "y, arrival rate in the last interval"),
  GAUGE (kappa, "gain", "", "current gain of the control (kappa)"),
  GAUGE (loop_delay, "loop-delay", "ns", "longest round-trip time claimed by a sender"),
  GAUGE (queue_packets, "queue-packets", "", "packets queued"),
  GAUGE (queue_bytes, "queue-bytes", "bytes", "bytes queued"),
  GAUGE (max_queue_packets, "max-queue-packets", "", "longest queue since start, in packets"),
  COUNTER (packets_in, "packets-in", "", "packets received from senders"),
  COUNTER (bytes_in, "bytes-in", "bytes", "bytes received from senders"),
  COUNTER (packets_out, "packets-out", "", "packets forwarded"),
  COUNTER (bytes_out, "bytes-out", "bytes", "bytes forwarded"),
  COUNTER (packets_stamped, "packets-stamped", "",
      "packets forwarded with the rate written into them"),
  COUNTER (packets_dropped, "packets-dropped", "", "packets dropped because the queue was full"),
  COUNTER (packets_oversize, "packets-oversize", "",
      "packets dropped in either direction: larger than 2048 bytes"),
  COUNTER (packets_overflow, "packets-overflow", "", "packets lost in the kernel's receive buffer"),
  COUNTER (packets_implausible, "packets-implausible", "",
      "packets of unknown senders rejected: neither RTP nor of rmcsink"),
  COUNTER (packets_limited, "packets-limited", "",
      "packets rejected: too many new senders at once"),
  COUNTER (packets_refused, "packets-refused", "",
      "packets rejected: max-flows reached, or no file descriptor left"),
  COUNTER (send_errors, "send-errors", "", "packets not sent because of a system error"),
  COUNTER (feedback_packets, "feedback-packets", "", "packets forwarded to senders"),
  COUNTER (reports, "reports", "", "receiver reports used to estimate the capacity"),
  COUNTER (reports_refused, "reports-refused", "",
      "receiver reports that contradict what was forwarded"),
  COUNTER (feedback_unreadable, "feedback-unreadable", "",
      "RTCP packets that are encrypted or malformed (capacity=0)"),
  COUNTER (flows_evicted, "flows-evicted", "", "senders evicted by new ones"),
  COUNTER (rtt_clamped, "rtt-clamped", "", "senders that claimed a round trip above 1 s"),
  {NULL}
};
