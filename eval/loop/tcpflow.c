/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "tcpflow.h"

#include <stdlib.h>

#include "tcp.h"

#define SEGMENT_BYTES 1500      /* with all headers */
#define PAYLOAD_BYTES 1448
#define ACK_BYTES 52
#define ACK_EVERY 2             /* RFC 5681 4.2 */
#define ACK_DELAY (40 * RC_MSEC)        /* as Linux has it */

typedef struct
{
  Parcel parcel;
  uint64_t number;
} SegmentParcel;

typedef struct
{
  Parcel parcel;
  unsigned n;
  uint64_t number[ACK_EVERY];
  bool marked[ACK_EVERY];
} AckParcel;

struct TcpFlow
{
  World *world;
  unsigned id;
  const LoopFlowConfig *config;
  Tcp tcp;
  AckParcel ack;                /* the next one */
  uint64_t expected;            /* number of the next segment */
  RcTime ack_at;                /* no later; RC_TIME_NONE: nothing to acknowledge */
};

static TcpLaw
law_of (LoopFlowKind kind)
{
  if (kind == LOOP_TCP_CUBIC)
    return TCP_CUBIC;
  if (kind == LOOP_TCP_BBR)
    return TCP_BBR;
  return kind == LOOP_TCP_SCALABLE ? TCP_SCALABLE : TCP_RENO;
}

TcpFlow *
tcpflow_new (World *world, unsigned id)
{
  TcpFlow *self = calloc (1, sizeof *self);

  self->world = world;
  self->id = id;
  self->config = &world->config->flows[id];
  self->ack_at = RC_TIME_NONE;
  tcp_init (&self->tcp, law_of (self->config->kind),
      (self->config->tcp_bytes + PAYLOAD_BYTES - 1) / PAYLOAD_BYTES);
  return self;
}

/* --- the receiver --- */

static void
send_ack (TcpFlow *self, RcTime now)
{
  AckParcel *ack = malloc (sizeof *ack);

  *ack = self->ack;
  ack->parcel = (Parcel) { .flow = self->id, .route = self->config->back, .is_back = true,
    .rest = self->config->rtt / 2, .link.size_bytes = ACK_BYTES };
  world_send (self->world, &ack->parcel, now);
  self->ack.n = 0;
  self->ack_at = RC_TIME_NONE;
}

static void
take_segment (TcpFlow *self, const SegmentParcel *segment, RcTime now)
{
  bool in_order = segment->number == self->expected;

  self->ack.number[self->ack.n] = segment->number;
  self->ack.marked[self->ack.n++] = segment->parcel.link.ecn == LINK_ECN_CE;
  if (segment->number >= self->expected)
    self->expected = segment->number + 1;
  if (self->ack.n == ACK_EVERY || !in_order || segment->parcel.link.ecn == LINK_ECN_CE)
    send_ack (self, now);
  else
    self->ack_at = now + ACK_DELAY;
}

static void
run_receiver (TcpFlow *self, RcTime now)
{
  Parcel *parcel;

  while ((parcel = world_take (self->world, self->id, false, now))) {
    take_segment (self, (SegmentParcel *) parcel, now);
    free (parcel);
  }
  if (self->ack_at != RC_TIME_NONE && self->ack_at <= now)
    send_ack (self, now);
}

/* --- the sender --- */

static void
take_acks (TcpFlow *self, RcTime now)
{
  Parcel *parcel;

  while ((parcel = world_take (self->world, self->id, true, now))) {
    const AckParcel *ack = (const AckParcel *) parcel;

    for (unsigned i = 0; i < ack->n; i++)
      tcp_on_ack (&self->tcp, ack->number[i], ack->marked[i], now);
    free (parcel);
  }
}

static LinkEcn
ecn_of (const LoopFlowConfig *config)
{
  if (!config->ecn)
    return LINK_ECN_NOT_ECT;
  return config->kind == LOOP_TCP_SCALABLE ? LINK_ECN_ECT1 : LINK_ECN_ECT0;
}

static void
send_segment (TcpFlow *self, RcTime now)
{
  SegmentParcel *segment = malloc (sizeof *segment);

  segment->number = tcp_on_sent (&self->tcp, now);
  segment->parcel = (Parcel) { .flow = self->id, .route = self->config->path,
    .rest = self->config->rtt / 2,
    .link = { .size_bytes = SEGMENT_BYTES, .ecn = ecn_of (self->config) } };
  world_send (self->world, &segment->parcel, now);
}

RcTime
tcpflow_run (TcpFlow *self, bool stopped, RcTime now)
{
  RcTime next;

  run_receiver (self, now);
  take_acks (self, now);
  if (stopped || tcp_is_done (&self->tcp))
    return self->ack_at;
  if (self->tcp.timeout_at != RC_TIME_NONE && self->tcp.timeout_at <= now)
    tcp_on_timeout (&self->tcp, now);
  while (tcp_may_send (&self->tcp) && self->tcp.send_at <= now)
    send_segment (self, now);
  next = rc_sooner (self->ack_at, self->tcp.timeout_at);
  return tcp_may_send (&self->tcp) ? rc_sooner (next, self->tcp.send_at) : next;
}

void
tcpflow_free (TcpFlow *self)
{
  free (self);
}
