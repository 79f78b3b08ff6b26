/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "network.h"

/* Any: only that both ways do not lose in step. */
#define REVERSE_SEED UINT64_C (0x5245564552534521)

static void
on_hop_output (Packet *packet, gpointer user_data)
{
  NetworkHop *hop = user_data;
  Network *self = hop->network;

  if (hop->index < self->topology->paths[packet->path].last)
    trunk_arrive (&hop[1].trunk, packet, packet->link.deliver_at);
  else
    self->output (packet, FALSE, self->user_data);
}

static void
on_reverse_output (Packet *packet, gpointer user_data)
{
  Network *self = ((NetworkHop *) user_data)->network;

  if (self->topology->paths[packet->path].access_delay > 0)
    link_arrive (&self->reverse_access[packet->path], &packet->link, packet->link.deliver_at);
  else
    self->output (packet, TRUE, self->user_data);
}

static gboolean
open_log (NetworkHop *hop, const gchar *name, const NetworkLinkFiles *files, RcTime interval,
    GError **error)
{
  return log_open (&hop->log, name, files->rows, files->packets, interval, error);
}

static void
init_hop (Network *self, NetworkHop *hop, guint index, const LinkParams *params, guint64 seed,
    Schedule *schedule, TrunkOutput output)
{
  hop->network = self;
  hop->index = index;
  schedule_init (&hop->schedule);
  trunk_init (&hop->trunk, params, seed, schedule ? schedule : &hop->schedule, &hop->log,
      output, hop);
}

static void
init_access (Network *self)
{
  for (guint i = 0; i < TOPOLOGY_MAX_PATHS; i++) {
    LinkParams params = { .delay = self->topology->paths[i].access_delay };

    link_init (&self->access[i], &params, 0);
    link_init (&self->reverse_access[i], &params, 0);
  }
}

gboolean
network_close_logs (Network *self, GError **error)
{
  gboolean ok = TRUE;

  for (guint i = self->topology->n_hops; i-- > 0;)
    ok = log_close (&self->hops[i].log, ok ? error : NULL) && ok;
  return log_close (&self->reverse.log, ok ? error : NULL) && ok;
}

gboolean
network_init (Network *self, const Topology *topology, guint64 seed,
    const NetworkLinkFiles *forward, const NetworkLinkFiles *reverse, RcTime log_interval,
    NetworkOutput output, gpointer user_data, GError **error)
{
  static const gchar *const names[TOPOLOGY_MAX_HOPS] = { "forward", "forward2", "forward3" };

  *self = (Network) { .topology = topology, .output = output, .user_data = user_data };
  if (!open_log (&self->hops[0], names[0], forward, log_interval, error)
      || !open_log (&self->reverse, "reverse", reverse, log_interval, error)) {
    network_close_logs (self, NULL);
    return FALSE;
  }
  for (guint i = 0; i < topology->n_hops; i++) {
    if (i > 0)
      log_open_beside (&self->hops[i].log, names[i], &self->hops[0].log);
    init_hop (self, &self->hops[i], i, &topology->hops[i], seed + i,
        i == 0 ? forward->schedule : NULL, on_hop_output);
  }
  init_hop (self, &self->reverse, 0, &topology->reverse, seed ^ REVERSE_SEED, reverse->schedule,
      on_reverse_output);
  init_access (self);
  return TRUE;
}

static void
clear_hop (NetworkHop *hop)
{
  packet_free_all (&hop->trunk.link);
  schedule_clear (&hop->schedule);
}

void
network_clear (Network *self)
{
  for (guint i = 0; i < self->topology->n_hops; i++)
    clear_hop (&self->hops[i]);
  clear_hop (&self->reverse);
  for (guint i = 0; i < TOPOLOGY_MAX_PATHS; i++) {
    packet_free_all (&self->access[i]);
    packet_free_all (&self->reverse_access[i]);
  }
  network_close_logs (self, NULL);
}

static RcTime
earlier (RcTime a, RcTime b)
{
  return a == RC_TIME_NONE ? b : b == RC_TIME_NONE ? a : MIN (a, b);
}

RcTime
network_next_at (Network *self)
{
  RcTime at = trunk_next_at (&self->reverse.trunk);

  for (guint i = 0; i < self->topology->n_hops; i++)
    at = earlier (at, trunk_next_at (&self->hops[i].trunk));
  for (guint i = 0; i < TOPOLOGY_MAX_PATHS; i++) {
    if (self->topology->paths[i].access_delay == 0)
      continue;
    at = earlier (at, link_next_at (&self->access[i], self->now));
    at = earlier (at, link_next_at (&self->reverse_access[i], self->now));
  }
  return at;
}

/* Nothing is due before `now`: each packet moves on at the time at which it comes out. */
static void
step (Network *self, RcTime now)
{
  LinkPacket *packet;

  self->now = MAX (self->now, now);
  for (guint i = 0; i < TOPOLOGY_MAX_PATHS; i++)
    while ((packet = link_deliver (&self->access[i], self->now)))
      trunk_arrive (&self->hops[self->topology->paths[i].first].trunk, (Packet *) packet,
          packet->deliver_at);
  for (guint i = 0; i < self->topology->n_hops; i++)
    trunk_advance (&self->hops[i].trunk, self->now);
  trunk_advance (&self->reverse.trunk, self->now);
  for (guint i = 0; i < TOPOLOGY_MAX_PATHS; i++)
    while ((packet = link_deliver (&self->reverse_access[i], self->now)))
      self->output ((Packet *) packet, TRUE, self->user_data);
}

void
network_advance (Network *self, RcTime now)
{
  RcTime at;

  while ((at = network_next_at (self)) <= now && at != RC_TIME_NONE)
    step (self, at);
  step (self, now);
}

void
network_arrive (Network *self, Packet *packet, gboolean reverse, RcTime now)
{
  const TopologyPath *path = &self->topology->paths[packet->path];

  network_advance (self, now);
  if (reverse) {
    self->hops[0].trunk.totals.reverse_bytes += packet->link.size_bytes;
    trunk_arrive (&self->reverse.trunk, packet, self->now);
  } else if (path->access_delay > 0) {
    link_arrive (&self->access[packet->path], &packet->link, self->now);
  } else {
    trunk_arrive (&self->hops[path->first].trunk, packet, self->now);
  }
}
