/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "senderpacer.h"

static RcTime
sender_pacer_due_at (Pacer * pacer, guint size_bytes, RcTime now)
{
  SenderPacer *self = (SenderPacer *) pacer;

  if (self->prepaid_bytes > 0)
    return now;
  return self->sender ? rc_sender_due_at (self->sender, size_bytes, now)
      : rc_lane_due_at (self->lane, size_bytes, now);
}

static void
sender_pacer_pay (Pacer * pacer, guint size_bytes, RcTime now)
{
  SenderPacer *self = (SenderPacer *) pacer;
  guint prepaid_bytes = (guint) MIN (self->prepaid_bytes, size_bytes);

  self->prepaid_bytes -= prepaid_bytes;
  self->borrowed = prepaid_bytes > 0;
  if (prepaid_bytes < size_bytes)
    rc_gate_reserve (self->gate, size_bytes - prepaid_bytes, now);
}

static void
sender_pacer_refund (Pacer * pacer, guint size_bytes)
{
  SenderPacer *self = (SenderPacer *) pacer;

  if (self->borrowed)
    self->prepaid_bytes += size_bytes;
  else
    rc_gate_release (self->gate, size_bytes);
}

/* What the borrower has waiting is not seen here: it says by itself when nothing waits. */
static void
sender_pacer_on_idle (Pacer * pacer, RcTime now)
{
  SenderPacer *self = (SenderPacer *) pacer;

  if (!self->borrowed)
    rc_gate_on_idle (self->gate, now);
}

static gboolean
sender_pacer_is_behind (Pacer * pacer)
{
  return rc_gate_is_behind (((SenderPacer *) pacer)->gate);
}

static RcTime
sender_pacer_urgent_at (Pacer * pacer, guint size_bytes, RcTime now)
{
  SenderPacer *self = (SenderPacer *) pacer;

  if (self->prepaid_bytes > 0)
    return now;
  return self->sender ? rc_sender_urgent_at (self->sender, size_bytes, now)
      : rc_lane_due_at (self->lane, size_bytes, now);
}

static void
sender_pacer_lend (Pacer * pacer, guint size_bytes, RcTime now)
{
  rc_gate_lend (((SenderPacer *) pacer)->gate, size_bytes, now);
}

static const PacerFuncs sender_pacer_funcs = {.due_at = sender_pacer_due_at,
  .urgent_at = sender_pacer_urgent_at,.lend = sender_pacer_lend,.pay = sender_pacer_pay,
  .on_idle = sender_pacer_on_idle,.refund = sender_pacer_refund,
  .is_behind = sender_pacer_is_behind
};

void
sender_pacer_init (SenderPacer * self, RcSender * sender, RcLane * lane)
{
  *self = (SenderPacer) {.pacer = { &sender_pacer_funcs },.sender = sender,.lane = lane,
    .gate = sender ? rc_sender_gate (sender) : rc_lane_gate (lane)
  };
}

void
sender_pacer_prepay (SenderPacer * self, guint size_bytes, RcTime now)
{
  rc_gate_reserve (self->gate, size_bytes, now);
  self->prepaid_bytes += size_bytes;
  self->borrowed = TRUE;
}

void
sender_pacer_forget_prepaid (SenderPacer * self)
{
  self->prepaid_bytes = 0;
}
