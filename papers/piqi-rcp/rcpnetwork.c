/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "rcpnetwork.h"

#include <math.h>
#include <rc/feedback/feedback.h>
#include <rc/feedback/wire.h>
#include <string.h>

#define START_BPS 100000        /* before the first rate is known: the first packet asks for it */
#define LEAST_BPS 1000
#define INTERVAL (10 * RC_MSEC) /* T */
#define XCP_FIRST_PKTS 2        /* window of a flow that begins */
#define XCP_RTT_GAIN 8          /* a sample is one in so many of the smoothed RTT */

struct WorldPacket
{
  WorldEvent event;             /* must stay first: on its way */
  WorldPacket *next;
  WorldFlow *flow;
  guint hop;
  double stamp_bps;
  RcTime claimed_rtt, sent_at;
  XcpHeader xcp;
};

/* --- events --- */

static void
schedule (World * world, WorldEvent * event, RcTime at)
{
  if (event->scheduled)
    rc_heap_remove (&world->events, &event->node);
  event->scheduled = at != WORLD_NEVER;
  if (event->scheduled)
    rc_heap_insert (&world->events, &event->node, at);
}

static WorldPacket *
packet_new (World * world)
{
  WorldPacket *packet = world->spare;

  if (!packet)
    return g_new0 (WorldPacket, 1);
  world->spare = packet->next;
  memset (packet, 0, sizeof *packet);
  return packet;
}

static void
packet_free (World * world, WorldPacket * packet)
{
  packet->next = world->spare;
  world->spare = packet;
}

/* --- flows --- */

static RcTime
gap (const World * world, const WorldFlow * flow)
{
  return rc_time_of_bytes (world->packet_bytes, flow->decision.rate_bps);
}

static void
obey (World * world, WorldFlow * flow, RcDecision decision)
{
  guint64 before = flow->decision.rate_bps;

  flow->decision = decision;
  schedule (world, &flow->timer,
      decision.next_at == RC_TIME_NONE ? WORLD_NEVER : MAX (decision.next_at, world->now));
  if (flow->send.scheduled && decision.rate_bps != before)
    schedule (world, &flow->send, MAX (world->now, flow->sent_at + gap (world, flow)));
}

static void
end_flow (World * world, WorldFlow * flow)
{
  flow->done = true;
  schedule (world, &flow->timer, WORLD_NEVER);
}

static void arrive (World * world, WorldEvent * event);

static RcTime
claim (WorldFlow * flow, RcTime now)
{
  if (flow->config.claims_once && now - flow->claimed_at < INTERVAL)
    return 0;
  flow->claimed_at = now;
  return flow->rtt;
}

static bool
is_over (const World * world, const WorldFlow * flow)
{
  return world->now >= flow->config.stop
      || (flow->config.most_bytes > 0 && flow->sent_bytes >= flow->config.most_bytes);
}

static WorldPacket *
send_packet (World * world, WorldFlow * flow)
{
  WorldPacket *packet = packet_new (world);

  packet->flow = flow;
  packet->stamp_bps = HUGE_VAL;
  packet->claimed_rtt = claim (flow, world->now);
  packet->sent_at = world->now;
  packet->event.fire = arrive;
  schedule (world, &packet->event, world->now + flow->config.access_delay);
  flow->sent_bytes += world->packet_bytes;
  flow->sent_at = world->now;
  return packet;
}

/* What the window has room for; before the first acknowledgement one packet, which asks for the
 * RTT. A window asks for as much as there is. */
static void
send_window (World * world, WorldFlow * flow)
{
  while (!is_over (world, flow) && (flow->rtt > 0 || flow->sent_bytes == 0)
      && (double) (flow->sent_bytes - flow->acked_bytes + world->packet_bytes)
      <= flow->cwnd_bytes)
    send_packet (world, flow)->xcp =
        (XcpHeader) { flow->cwnd_bytes, rc_time_to_s (flow->rtt), HUGE_VAL };
  flow->done = is_over (world, flow);
}

static void
on_send (World * world, WorldEvent * event)
{
  WorldFlow *flow = (WorldFlow *) event;
  RcSent sent = { world->packet_bytes, true };

  if (!flow->config.law) {
    send_window (world, flow);
    return;
  }
  if (is_over (world, flow)) {
    end_flow (world, flow);
    return;
  }
  send_packet (world, flow);
  obey (world, flow, rc_controller_on_sent (&flow->controller, &sent, world->now));
  schedule (world, &flow->send, world->now + gap (world, flow));
}

static void
on_timer (World * world, WorldEvent * event)
{
  WorldFlow *flow = (WorldFlow *) (event - 1);

  obey (world, flow, rc_controller_on_timer (&flow->controller, world->now));
}

static void
on_feedback (World * world, WorldEvent * event)
{
  WorldPacket *packet = (WorldPacket *) event;
  WorldFlow *flow = packet->flow;
  RcFeedback feedback = {.rtt = world->now - packet->sent_at,.sent_at = packet->sent_at };

  feedback.received_pkts = 1;
  feedback.received_bytes = world->packet_bytes;
  feedback.bandwidth_bps = flow->decision.rate_bps;
  feedback.explicit_rate_bps = (guint64) (packet->stamp_bps + 0.5);
  if (!flow->done && world->now >= flow->config.start) {
    flow->rtt = feedback.rtt;
    obey (world, flow, rc_controller_on_feedback (&flow->controller, &feedback, world->now));
  }
  packet_free (world, packet);
}

static void
on_acknowledged (World * world, WorldEvent * event)
{
  WorldPacket *packet = (WorldPacket *) event;
  WorldFlow *flow = packet->flow;
  RcTime rtt = world->now - packet->sent_at;

  flow->acked_bytes += world->packet_bytes;
  flow->rtt = flow->rtt > 0 ? flow->rtt + (rtt - flow->rtt) / XCP_RTT_GAIN : rtt;
  if (isfinite (packet->xcp.feedback_bytes) && packet->xcp.rtt_s > 0)
    flow->cwnd_bytes = xcp_source_window (flow->cwnd_bytes, packet->xcp.feedback_bytes,
        world->packet_bytes);
  packet_free (world, packet);
  send_window (world, flow);
}

/* The first packet with a new rate goes back at once, else one each T: a source reacts once per
 * T. */
static void
receive (World * world, WorldPacket * packet)
{
  WorldFlow *flow = packet->flow;
  bool news = packet->stamp_bps != flow->fed_bps;

  flow->received_bytes += world->packet_bytes;
  if (!flow->config.law) {
    packet->event.fire = on_acknowledged;
    schedule (world, &packet->event, world->now + flow->config.return_delay);
    return;
  }
  if (!news && world->now - flow->fed_at < INTERVAL) {
    packet_free (world, packet);
    return;
  }
  flow->fed_bps = packet->stamp_bps;
  flow->fed_at = world->now;
  packet->event.fire = on_feedback;
  schedule (world, &packet->event, world->now + flow->config.return_delay);
}

/* --- links --- */

static void
serve (World * world, WorldLink * link)
{
  if (link->head)
    schedule (world, &link->served,
        world->now + rc_time_of_bytes (world->packet_bytes, link->rate_bps));
}

static void
on_served (World * world, WorldEvent * event)
{
  WorldLink *link = (WorldLink *) (event - 1);
  WorldPacket *packet = link->head;
  gint obeys = packet->flow->config.obeys;

  link->head = packet->next;
  if (!link->head)
    link->tail = &link->head;
  link->queue_bytes -= world->packet_bytes;
  link->served_bytes += world->packet_bytes;
  if (link->is_xcp)
    xcp_router_stamp (&link->xcp, world->packet_bytes, &packet->xcp);
  else if (obeys < 0 || obeys == (gint) link->index)
    packet->stamp_bps = MIN (packet->stamp_bps, link->router.rate_bps);
  packet->hop++;
  event->scheduled = false;
  schedule (world, &packet->event, world->now + link->delay);
  serve (world, link);
}

static void
enqueue (World * world, WorldLink * link, WorldPacket * packet)
{
  bool idle = !link->head;

  if (link->is_xcp)
    xcp_router_on_arrival (&link->xcp, world->packet_bytes, &packet->xcp, link->queue_bytes);
  else
    rc_router_on_arrival (&link->router, world->packet_bytes, packet->claimed_rtt, world->now);
  link->arrived_bytes += world->packet_bytes;
  if (link->limit_bytes > 0 && link->queue_bytes + world->packet_bytes > link->limit_bytes) {
    link->dropped_bytes += world->packet_bytes;
    packet_free (world, packet);
    return;
  }
  packet->next = NULL;
  *link->tail = packet;
  link->tail = &packet->next;
  link->queue_bytes += world->packet_bytes;
  link->peak_bytes = MAX (link->peak_bytes, link->queue_bytes - world->packet_bytes);
  if (idle)
    serve (world, link);
}

static void
arrive (World * world, WorldEvent * event)
{
  WorldPacket *packet = (WorldPacket *) event;

  if (packet->hop < packet->flow->config.n_hops)
    enqueue (world, &world->links[packet->flow->config.hops[packet->hop]], packet);
  else
    receive (world, packet);
}

static void
on_tick (World * world, WorldEvent * event)
{
  WorldLink *link = (WorldLink *) event;
  guint64 seen = link->queue_bytes - MIN (link->queue_bytes, link->device_bytes);

  schedule (world, event, link->is_xcp ? xcp_router_update (&link->xcp, world->now)
      : rc_router_update (&link->router, seen, world->now));
}

/* --- the world --- */

World *
world_new (guint packet_bytes)
{
  World *world = g_new0 (World, 1);

  world->packet_bytes = packet_bytes;
  return world;
}

void
world_free (World * world)
{
  WorldPacket *packet;

  for (guint i = 0; i < world->n_links; i++)
    while ((packet = world->links[i].head)) {
      world->links[i].head = packet->next;
      g_free (packet);
    }
  while (world->events.root) {
    WorldEvent *event = (WorldEvent *) world->events.root;

    schedule (world, event, WORLD_NEVER);
    if (event->fire == arrive || event->fire == on_feedback || event->fire == on_acknowledged)
      g_free (event);
  }
  while ((packet = world->spare)) {
    world->spare = packet->next;
    g_free (packet);
  }
  g_free (world);
}

static WorldLink *
add_link (World * world, guint64 rate_bps, RcTime delay)
{
  WorldLink *link = &world->links[world->n_links];

  g_assert (world->n_links < WORLD_MAX_LINKS);
  link->index = world->n_links++;
  link->rate_bps = rate_bps;
  link->delay = delay;
  link->tail = &link->head;
  link->tick.fire = on_tick;
  link->served.fire = on_served;
  return link;
}

guint
world_add_link (World * world, guint64 rate_bps, RcTime delay, const RcRouterParams * params)
{
  WorldLink *link = add_link (world, rate_bps, delay);

  rc_router_init (&link->router, params, rate_bps, world->now);
  schedule (world, &link->tick, world->now + params->interval);
  return link->index;
}

guint
world_add_xcp_link (World * world, guint64 rate_bps, RcTime delay, bool flows_mean)
{
  WorldLink *link = add_link (world, rate_bps, delay);

  link->is_xcp = true;
  xcp_router_init (&link->xcp, rate_bps, world->now);
  link->xcp.flows_mean = flows_mean;
  schedule (world, &link->tick, xcp_router_update (&link->xcp, world->now));
  return link->index;
}

void
world_restart_flow (World * world, guint index, const WorldFlowConfig * config)
{
  WorldFlow *flow = &world->flows[index];
  RcLimits limits = { LEAST_BPS, START_BPS, RC_WIRE_MAX_BPS };

  memset (flow, 0, sizeof *flow);
  flow->config = *config;
  flow->send.fire = on_send;
  flow->timer.fire = on_timer;
  flow->cwnd_bytes = XCP_FIRST_PKTS * world->packet_bytes;
  schedule (world, &flow->send, config->start);
  if (!config->law)
    return;
  rc_controller_init (&flow->controller, rc_law_find (config->law), RC_PROFILE_PAPER);
  if (config->tau1 > 0) {
    g_assert (rc_controller_set_param (&flow->controller, "tau1", config->tau1));
    g_assert (rc_controller_set_param (&flow->controller, "tau2", config->tau2));
  }
  flow->decision = rc_controller_start (&flow->controller, &limits, config->start);
}

guint
world_add_flow (World * world, const WorldFlowConfig * config)
{
  g_assert (world->n_flows < WORLD_MAX_FLOWS);
  world_restart_flow (world, world->n_flows, config);
  return world->n_flows++;
}

void
world_run (World * world, RcTime until)
{
  while (world->events.root && world->events.root->key < until) {
    WorldEvent *event = (WorldEvent *) world->events.root;

    world->now = event->node.key;
    schedule (world, event, WORLD_NEVER);
    event->fire (world, event);
  }
  world->now = until;
}

double
world_flow_bps (const World * world, guint flow)
{
  const WorldFlow *f = &world->flows[flow];

  if (f->done || world->now < f->config.start)
    return 0;
  if (!f->config.law)
    return f->rtt > 0 ? f->cwnd_bytes * 8 / rc_time_to_s (f->rtt) : 0;
  return (double) f->decision.rate_bps;
}
