/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "queues.h"

void
link_queues_init (LinkQueues *self)
{
  *self = (LinkQueues) { .serving = NULL };
  link_fifo_init (&self->classic);
  link_fifo_init (&self->l4s);
  link_fifo_init (&self->dropped);
  link_codel_init (&self->codel);
  link_dualpi2_init (&self->dualpi2);
  link_pie_init (&self->pie);
}

/* The packet in service waits no more. */
static void
update_pie (LinkQueues *self, const LinkPieParams *params, RcTime now)
{
  const LinkPacket *first = self->classic.head;

  if (first && self->serving == &self->classic)
    first = first->next;
  link_pie_update (&self->pie, params, first ? first->arrived_at : RC_TIME_NONE, now);
}

bool
link_queues_push (LinkQueues *self, const LinkAqmParams *params, LinkPacket *packet)
{
  bool l4s = params->dualpi2.target > 0 && link_dualpi2_is_l (packet->ecn);

  if (params->pie.target > 0) {
    update_pie (self, &params->pie, packet->arrived_at);
    if (link_pie_drops (&self->pie, &params->pie, self->classic.bytes)) {
      self->aqm_dropped_pkts++;
      return false;
    }
  }
  link_fifo_push (l4s ? &self->l4s : &self->classic, packet);
  return true;
}

static LinkFifo *
choose (LinkQueues *self, const LinkAqmParams *params, RcTime at)
{
  const LinkPacket *l = self->l4s.head, *c = self->classic.head;

  if (params->pie.target > 0)
    update_pie (self, &params->pie, at);
  if (params->dualpi2.target > 0) {
    link_dualpi2_update (&self->dualpi2, &params->dualpi2, c ? c->arrived_at : RC_TIME_NONE, at);
    return link_dualpi2_serves_l (&self->dualpi2, l, c) ? &self->l4s : &self->classic;
  }
  return l ? &self->l4s : &self->classic;       /* left over from a DualPI2 that was switched off */
}

static LinkAqmVerdict
judge (LinkQueues *self, const LinkAqmParams *params, const LinkFifo *fifo, RcTime at)
{
  const LinkPacket *head = fifo->head;
  RcTime wait = at - head->arrived_at;

  if (params->dualpi2.target > 0 && fifo == &self->l4s)
    return link_dualpi2_on_l (&self->dualpi2, &params->dualpi2, wait, fifo->pkts - 1);
  if (params->dualpi2.target > 0)
    return link_dualpi2_on_c (&self->dualpi2, head->ecn);
  if (params->codel.target > 0)
    return link_codel_on_head (&self->codel, &params->codel, wait,
        fifo->bytes - head->size_bytes, head->ecn != LINK_ECN_NOT_ECT, at);
  return LINK_AQM_PASS;
}

static void
mark (LinkQueues *self, LinkPacket *packet)
{
  self->marked_pkts += packet->ecn != LINK_ECN_CE;
  packet->ecn = LINK_ECN_CE;
}

bool
link_queues_begin (LinkQueues *self, const LinkAqmParams *params, RcTime at)
{
  while (self->classic.head || self->l4s.head) {
    LinkFifo *fifo = choose (self, params, at);
    LinkPacket *head = fifo->head;
    LinkAqmVerdict verdict = judge (self, params, fifo, at);
    bool late = params->mark_delay > 0 && at - head->arrived_at > params->mark_delay;

    head->started_at = at;
    if (verdict != LINK_AQM_DROP) {
      if (verdict == LINK_AQM_MARK || (late && head->ecn != LINK_ECN_NOT_ECT))
        mark (self, head);
      self->serving = fifo;
      return true;
    }
    head->aqm_dropped = true;
    link_fifo_push (&self->dropped, link_fifo_pop (fifo));
    self->aqm_dropped_pkts++;
  }
  return false;
}

LinkPacket *
link_queues_finish (LinkQueues *self)
{
  LinkFifo *fifo = self->serving;

  self->serving = NULL;
  return link_fifo_pop (fifo);
}
