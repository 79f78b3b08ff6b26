/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "relayflow.h"

#include <string.h>

static guint
key_hash (gconstpointer data)
{
  const RelayFlowKey *key = data;
  const guint8 *bytes = (const guint8 *) &key->address;
  guint hash = key->port_index;

  for (socklen_t i = 0; i < key->address_size; i++)
    hash = hash * 31 + bytes[i];
  return hash;
}

static gboolean
key_equal (gconstpointer a, gconstpointer b)
{
  const RelayFlowKey *x = a, *y = b;

  return x->port_index == y->port_index && x->address_size == y->address_size
      && memcmp (&x->address, &y->address, x->address_size) == 0;
}

static void
flow_free (RelayFlow * flow, PacingEngine * engine)
{
  if (flow->client)
    pacing_engine_remove (engine, flow->client);
  g_object_unref (flow->socket);
  g_free (flow);
}

void
relay_flow_table_init (RelayFlowTable * self, guint max_flows)
{
  self->flows = g_hash_table_new (key_hash, key_equal);
  self->max_flows = max_flows;
}

void
relay_flow_table_clear (RelayFlowTable * self, PacingEngine * engine)
{
  GHashTableIter iter;
  gpointer flow;

  g_hash_table_iter_init (&iter, self->flows);
  while (g_hash_table_iter_next (&iter, NULL, &flow))
    flow_free (flow, engine);
  g_hash_table_unref (self->flows);
}

RelayFlow *
relay_flow_table_find (RelayFlowTable * self, const RelayFlowKey * key, RcTime now)
{
  RelayFlow *flow = g_hash_table_lookup (self->flows, key);

  if (flow)
    flow->active_at = now;
  return flow;
}

gboolean
relay_flow_table_make_room (RelayFlowTable * self, PacingEngine * engine, RcTime now)
{
  RelayFlow *idlest = NULL;
  GHashTableIter iter;
  gpointer data;

  if (g_hash_table_size (self->flows) < self->max_flows)
    return TRUE;
  g_hash_table_iter_init (&iter, self->flows);
  while (g_hash_table_iter_next (&iter, NULL, &data)) {
    RelayFlow *flow = data;

    if (flow->queued == 0 && (!idlest || flow->active_at < idlest->active_at))
      idlest = flow;
  }
  if (!idlest || now - idlest->active_at < RELAY_FLOW_IDLE)
    return FALSE;
  g_hash_table_remove (self->flows, idlest);
  flow_free (idlest, engine);
  self->evicted++;
  return TRUE;
}

RelayFlow *
relay_flow_table_add (RelayFlowTable * self, const RelayFlowKey * key, GSocket * socket, PacingEngine * engine,
    const PacingClientFuncs * funcs, gpointer owner, RcTime now)
{
  RelayFlow *flow = g_new0 (RelayFlow, 1);

  flow->key = *key;
  flow->owner = owner;
  flow->socket = socket;
  flow->active_at = now;
  udp_sender_init (&flow->sender, socket);
  flow->client = pacing_engine_add (engine, g_socket_get_fd (socket), funcs, flow, NULL);
  if (!flow->client) {
    flow_free (flow, engine);
    return NULL;
  }
  g_hash_table_add (self->flows, flow);
  return flow;
}
