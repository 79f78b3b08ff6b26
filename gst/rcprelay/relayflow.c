/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "relayflow.h"

#include "rtp/rtcpmessage.h"
#include "net/sparefiles.h"
#include "net/udpsocket.h"

#include <gst/rtp/rtp.h>
#include <netinet/in.h>
#include <string.h>

#define RTCP_HEADER_BYTES 8     /* with the SSRC */
#define RTCP_SUBTYPE_MASK 0x1f
#define SRTCP_LEAST_TRAILER_BYTES (4 + 4)       /* index, HMAC-SHA1-32 */
#define KEY_WORDS (sizeof (struct sockaddr_in6) / sizeof (guint32))

/* --- the key --- */

static guint64 secrets[KEY_WORDS + 2];

static gpointer
draw_secrets (gpointer unused)
{
  for (guint i = 0; i < G_N_ELEMENTS (secrets); i++)
    secrets[i] = (guint64) g_random_int () << 32 | g_random_int ();
  return NULL;
}

/* Strongly universal (a sum of words, each times a secret; the upper half of it): without the
 * secrets an attacker cannot choose addresses that collide. */
static guint
key_hash (gconstpointer data)
{
  const RelayFlowKey *key = data;
  guint32 words[KEY_WORDS];
  guint64 sum = secrets[KEY_WORDS] + secrets[KEY_WORDS + 1] * key->port_index;

  memcpy (words, &key->from.address, sizeof words);
  for (guint i = 0; i < KEY_WORDS; i++)
    sum += secrets[i] * words[i];
  return (guint) (sum >> 32);
}

static gboolean
key_equal (gconstpointer a, gconstpointer b)
{
  const RelayFlowKey *x = a, *y = b;

  return x->port_index == y->port_index && x->from.size == y->from.size
      && memcmp (&x->from.address, &y->from.address, x->from.size) == 0;
}

/* --- flows --- */

static void
flow_free (RelayFlow * flow)
{
  relay_uplink_flow_free (flow->uplink);
  g_object_unref (flow->socket);
  g_free (flow);
}

static GQueue *
list_of (RelayFlowTable * self, const RelayFlow * flow)
{
  return flow->answered ? &self->answered : &self->unanswered;
}

static void
remove_flow (RelayFlowTable * self, RelayFlow * flow, PacingEngine * engine)
{
  g_hash_table_remove (self->flows, flow);
  g_queue_unlink (list_of (self, flow), &flow->place);
  pacing_engine_remove (engine, flow->client);
  flow->removed = TRUE;
  if (flow->queued == 0)
    flow_free (flow);
}

void
relay_flow_dequeued (RelayFlow * flow)
{
  flow->queued--;
  if (flow->removed && flow->queued == 0)
    flow_free (flow);
}

static void
follow_host (RelayFlow * flow, const RelayHost * host)
{
  GSocketAddress *address = relay_host_address (host, flow->key.port_index);

  if (udp_socket_set_peer (flow->socket, address))
    flow->host_generation = host->generation;
  g_object_unref (address);
}

gboolean
relay_flow_keep_way (RelayFlow * flow, RelayHost * host, RcTime now)
{
  if (path_watch_wants_name (&flow->watch, now))
    relay_host_look_up (host, now);
  if (!path_watch_wants_route (&flow->watch, now))
    return FALSE;
  relay_host_refresh (host);
  if (flow->host_generation != host->generation)
    follow_host (flow, host);
  else
    udp_socket_follow_route (flow->socket);
  return TRUE;
}

/* --- the table --- */

void
relay_flow_table_init (RelayFlowTable * self, guint max_flows, RcTime now)
{
  static GOnce once = G_ONCE_INIT;

  g_once (&once, draw_secrets, NULL);
  self->flows = g_hash_table_new (key_hash, key_equal);
  g_queue_init (&self->unanswered);
  g_queue_init (&self->answered);
  self->max_flows = max_flows;
  self->tokens = RELAY_FLOW_NEW_BURST;
  self->tokens_at = now;
}

void
relay_flow_table_clear (RelayFlowTable * self, PacingEngine * engine)
{
  while (self->unanswered.head)
    remove_flow (self, self->unanswered.head->data, engine);
  while (self->answered.head)
    remove_flow (self, self->answered.head->data, engine);
  g_hash_table_unref (self->flows);
}

RelayFlow *
relay_flow_table_find (RelayFlowTable * self, const RelayFlowKey * key, RcTime now)
{
  RelayFlow *flow = g_hash_table_lookup (self->flows, key);

  if (!flow)
    return NULL;
  flow->active_at = now;
  if (flow->answered) {
    g_queue_unlink (&self->answered, &flow->place);
    g_queue_push_tail_link (&self->answered, &flow->place);
  }
  return flow;
}

void
relay_flow_table_on_answer (RelayFlowTable * self, RelayFlow * flow, RcTime now)
{
  if (flow->answered)
    return;
  g_queue_unlink (&self->unanswered, &flow->place);
  flow->answered = TRUE;
  flow->active_at = now;
  g_queue_push_tail_link (&self->answered, &flow->place);
}

/* --- newcomers --- */

/* The length of the padding is in the last byte, which SRTP encrypts. */
static gboolean
is_rtp (const guint8 * data, gsize size)
{
  GstBuffer *buffer = gst_buffer_new_wrapped_full (GST_MEMORY_FLAG_READONLY, (gpointer) data,
      size, 0, size, NULL, NULL);
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  gboolean ok = gst_rtp_buffer_map (buffer, GST_MAP_READ | GST_RTP_BUFFER_MAP_FLAG_SKIP_PADDING,
      &rtp);

  if (ok)
    gst_rtp_buffer_unmap (&rtp);
  gst_buffer_unref (buffer);
  return ok;
}

/* An ARCS under SRTP: an APP packet of our version, of which the first 8 bytes are in the clear,
 * and behind it at least the index and the shortest tag of SRTCP (RFC 3711 3.4). */
static gboolean
may_be_protected_info (const guint8 * data, gsize size)
{
  return size > RTCP_HEADER_BYTES && data[1] == GST_RTCP_TYPE_APP
      && (data[0] & RTCP_SUBTYPE_MASK) == RC_WIRE_VERSION
      && size >= 4 * (GST_READ_UINT16_BE (data + 2) + 1u) + SRTCP_LEAST_TRAILER_BYTES;
}

gboolean
relay_flow_may_begin_with (const guint8 * data, gsize size)
{
  RtcpMessage message;

  if (rtcp_message_read (&message, data, size) == RTCP_NOT_RTCP)
    return is_rtp (data, size);
  return message.n_infos > 0 || may_be_protected_info (data, size);
}

static RelayFlow *
evictable (const RelayFlowTable * self, RcTime now)
{
  RelayFlow *oldest = self->unanswered.head ? self->unanswered.head->data : NULL;
  RelayFlow *idlest = self->answered.head ? self->answered.head->data : NULL;

  if (oldest && now - oldest->created_at >= RELAY_FLOW_PROBATION)
    return oldest;
  return idlest && now - idlest->active_at >= RELAY_FLOW_IDLE ? idlest : NULL;
}

static void
refill_tokens (RelayFlowTable * self, RcTime now)
{
  self->tokens += rc_time_to_s (now - self->tokens_at) * RELAY_FLOW_NEW_PER_S;
  self->tokens = MIN (self->tokens, RELAY_FLOW_NEW_BURST);
  self->tokens_at = now;
}

RelayFlowVerdict
relay_flow_table_admit (RelayFlowTable * self, PacingEngine * engine, RcTime now)
{
  gboolean full = g_hash_table_size (self->flows) >= self->max_flows;
  RelayFlow *leaving = full || self->short_of_files ? evictable (self, now) : NULL;

  if (full && !leaving)
    return RELAY_FLOW_FULL;
  refill_tokens (self, now);
  if (self->tokens < 1)
    return RELAY_FLOW_LIMITED;
  self->tokens--;
  if (leaving) {
    remove_flow (self, leaving, engine);
    self->evicted++;
  }
  return RELAY_FLOW_ADMITTED;
}

RelayFlow *
relay_flow_table_add (RelayFlowTable * self, const RelayFlowKey * key, const RelayHost * host,
    PacingEngine * engine, const PacingClientFuncs * funcs, gpointer owner, RcTime now)
{
  GSocket *socket = relay_host_connect (host, key->port_index, NULL);
  RelayFlow *flow;

  if (!socket)
    return NULL;
  flow = g_new0 (RelayFlow, 1);
  flow->key = *key;
  flow->host_generation = host->generation;
  path_watch_init (&flow->watch);
  flow->owner = owner;
  flow->socket = socket;
  flow->created_at = flow->active_at = now;
  flow->place.data = flow;
  udp_sender_init (&flow->sender, socket);
  self->short_of_files = !spare_files_left (g_socket_get_fd (socket));
  if (!self->short_of_files)
    flow->client = pacing_engine_add (engine, g_socket_get_fd (socket), funcs, flow, NULL);
  if (!flow->client) {
    flow_free (flow);
    return NULL;
  }
  g_hash_table_add (self->flows, flow);
  g_queue_push_tail_link (&self->unanswered, &flow->place);
  return flow;
}
