/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "pacing/pacedegress.h"

#define AGAIN_DELAY RC_MSEC     /* the kernel's buffer was full */
/* While a stall is made up for: on a busy CPU a sleep costs the rest of the time slice. */
#define STAY_AWAKE (500 * RC_USEC)

static RcTime
due_at_of (const PacedEgress * self, const PacedPacket * packet, RcTime now)
{
  const PacerFuncs *pacer = self->pacer->funcs;

  return packet->urgent && pacer->urgent_at
      ? pacer->urgent_at (self->pacer, packet->size_bytes, now)
      : pacer->due_at (self->pacer, packet->size_bytes, now);
}

static void
pay (const PacedEgress * self, const PacedPacket * packet, RcTime now)
{
  const PacerFuncs *pacer = self->pacer->funcs;

  if (packet->urgent && pacer->lend)
    pacer->lend (self->pacer, packet->size_bytes, now);
  pacer->pay (self->pacer, packet->size_bytes, now);
}

/* Pays for the packets that are due together. Returns how many; *due_at is that of the one behind
 * them, as far as it was asked for. */
static guint
pay_due (PacedEgress * self, RcTime now, RcTime * due_at)
{
  const PacketSourceFuncs *source = self->source->funcs;
  PacedPacket packet;
  guint n;

  *due_at = now;
  for (n = 0; n < TRANSPORT_MAX_BATCH && source->peek (self->source, n, now, &packet); n++) {
    *due_at = due_at_of (self, &packet, now);
    if (*due_at == RC_TIME_NONE || *due_at > now)
      break;
    pay (self, &packet, now);
  }
  return n;
}

/* FALSE: the transport takes no more now. */
static gboolean
send_batch (PacedEgress * self, guint n, RcTime now)
{
  GstBuffer *buffers[TRANSPORT_MAX_BATCH];
  TransportResult result;
  PacedPacket packet;

  self->source->funcs->make_ready (self->source, n, buffers);
  result = self->funcs->send (self->owner, buffers, n);
  for (guint i = result.sent; i < n && self->source->funcs->peek (self->source, i, now, &packet);
      i++)
    self->pacer->funcs->refund (self->pacer, packet.size_bytes);
  self->funcs->on_batch (self->owner, &result, now);
  for (guint i = 0; i < result.sent; i++) {
    self->funcs->on_sent (self->owner, i + 1 < result.sent, now);
    self->source->funcs->take (self->source, now);
  }
  return !result.again;
}

RcTime
paced_egress_serve (PacedEgress * self, RcTime now)
{
  guint n;
  PacedPacket packet;
  RcTime due_at;

  while (self->source->funcs->peek (self->source, 0, now, &packet)) {
    n = pay_due (self, now, &due_at);
    if (n > 0 && !send_batch (self, n, now))
      return now + AGAIN_DELAY;
    if (n > 0)
      continue;
    if (due_at == RC_TIME_NONE || due_at - now >= STAY_AWAKE)
      return due_at;
    return self->pacer->funcs->is_behind (self->pacer) ? 0 : due_at;
  }
  self->pacer->funcs->on_idle (self->pacer, now);
  return RC_TIME_NONE;
}

guint64
paced_egress_get_waiting_bytes (PacedEgress * self)
{
  return self->source->funcs->get_waiting_bytes (self->source);
}
