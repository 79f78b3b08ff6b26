/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "uplinkrelay.h"

#include <rc/pace/rmc.h>
#include <rc/uplink/uplink.h>
#include <stdlib.h>

#define LEDGER_ENTRIES 32768
#define LEARNS(self) ((self)->config->capacity_bps == 0)

struct UplinkRelay
{
  const LoopRelay *config;
  unsigned n_flows;
  RcRouter router;
  RcTime router_at;
  RcUplink uplink;
  RcUplinkFlow flows[LOOP_MAX_FLOWS];
  RcRmc pacer;
  Parcel *head, **tail;
  uint64_t queue_bytes, capacity_bps;   /* now */
};

static uint32_t
ssrc_of (unsigned flow)
{
  return LOOP_FIRST_SSRC + flow;
}

UplinkRelay *
uplink_relay_new (const LoopConfig *config)
{
  UplinkRelay *self = calloc (1, sizeof *self);

  self->config = &config->relay;
  self->n_flows = config->n_flows;
  self->capacity_bps = LEARNS (self) ? self->config->limits.start_bps : self->config->capacity_bps;
  self->tail = &self->head;
  rc_router_init (&self->router, &self->config->router, self->capacity_bps, 0);
  rc_rmc_init (&self->pacer, &RC_RMC_PARAMS_DEFAULT, self->capacity_bps, 0);
  rc_uplink_init (&self->uplink, &self->config->limits, RC_OVERHEAD_IPV4_BYTES, 0);
  for (unsigned i = 0; i < self->n_flows; i++) {
    rc_uplink_add (&self->uplink, &self->flows[i]);
    rc_uplink_give_entries (&self->flows[i], ssrc_of (i),
        calloc (LEDGER_ENTRIES, sizeof (RcLedgerEntry)), LEDGER_ENTRIES, 0);
  }
  return self;
}

void
uplink_relay_free (UplinkRelay *self)
{
  Parcel *parcel;

  for (unsigned i = 0; i < self->n_flows; i++)
    free (rc_uplink_take_back_entries (&self->flows[i]));
  while ((parcel = self->head)) {
    self->head = parcel->next;
    free (parcel);
  }
  free (self);
}

static void
follow_uplink (UplinkRelay *self, RcTime now)
{
  uint64_t rate_bps;

  if (!LEARNS (self))
    return;
  rc_uplink_update (&self->uplink, now);
  rate_bps = rc_uplink_rate_bps (&self->uplink);
  if (rate_bps != self->capacity_bps)
    rc_rmc_set_rate (&self->pacer, rate_bps, now);
  self->capacity_bps = rate_bps;
  rc_router_set_capacity (&self->router, rc_uplink_offer_bps (&self->uplink, self->queue_bytes,
          rc_router_loop_delay (&self->router)));
}

bool
uplink_relay_take (UplinkRelay *self, Parcel *parcel, RcTime now)
{
  rc_router_on_arrival (&self->router, parcel->link.size_bytes, parcel->loop_time, now);
  if (rc_time_of_bytes (self->queue_bytes, self->capacity_bps) > self->config->max_queue_time)
    return false;
  parcel->next = NULL;
  *self->tail = parcel;
  self->tail = &parcel->next;
  self->queue_bytes += parcel->link.size_bytes;
  return true;
}

void
uplink_relay_pass (UplinkRelay *self, unsigned flow, RcReport *report, uint32_t instance,
    RcTime now)
{
  uint64_t rate_bps;

  if (!LEARNS (self))
    return;
  rc_uplink_on_reports (&self->uplink, &self->flows[flow], report, 1, instance, now);
  follow_uplink (self, now);
  rate_bps = rc_router_rate_bps (&self->router);
  if (report->explicit_rate_bps > rate_bps)
    report->explicit_rate_bps = rate_bps;
}

/* The head leaves. */
static Parcel *
pop (UplinkRelay *self)
{
  Parcel *parcel = self->head;

  self->head = parcel->next;
  if (!self->head)
    self->tail = &self->head;
  self->queue_bytes -= parcel->link.size_bytes;
  return parcel;
}

static void
note_departure (UplinkRelay *self, const Parcel *parcel, RcTime now)
{
  uint32_t bytes = parcel->link.size_bytes;

  rc_rmc_on_sent (&self->pacer, bytes, now);
  if (parcel->is_media)
    rc_uplink_on_sent (&self->uplink, &self->flows[parcel->flow], ssrc_of (parcel->flow),
        parcel->seq, bytes - RC_OVERHEAD_IPV4_BYTES, self->head != NULL, now);
  else
    rc_uplink_on_other_sent (&self->uplink, bytes, now);
}

/* RC_TIME_NONE: nothing waits. */
static RcTime
head_due_at (UplinkRelay *self, RcTime now)
{
  if (self->head)
    return rc_rmc_due_at (&self->pacer, self->head->link.size_bytes, now);
  rc_rmc_set_idle (&self->pacer, now);
  return RC_TIME_NONE;
}

Parcel *
uplink_relay_send (UplinkRelay *self, RcTime now)
{
  RcTime due_at = head_due_at (self, now);
  Parcel *parcel;

  if (due_at == RC_TIME_NONE || due_at > now)
    return NULL;
  parcel = pop (self);
  note_departure (self, parcel, now);
  parcel->waited += now - parcel->sent_at;
  parcel->stamp_bps = rc_router_rate_bps (&self->router);
  return parcel;
}

RcTime
uplink_relay_next_at (UplinkRelay *self, RcTime now)
{
  follow_uplink (self, now);
  self->router_at = rc_router_update (&self->router, self->queue_bytes, now);
  return rc_sooner (head_due_at (self, now), self->router_at);
}
