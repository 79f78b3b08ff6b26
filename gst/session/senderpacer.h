/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The pacer of a session, or of one of its lanes: its RcSender or RcLane says when a packet may
 * leave. No locks: the session's is held.
 *
 * A scheduler upstream may borrow it. It then pays for each packet when it chooses it, and the
 * packet leaves the session as soon as it comes. What comes and is larger than what was paid for,
 * such as packets that an element in between has made, leaves too, and is charged for. */
#pragma once

#include "pacing/packetpacer.h"
#include <rc/sender/sender.h>

G_BEGIN_DECLS

typedef struct
{
  Pacer pacer;                  /* must stay first: that of the session's own egress */
  RcSender *sender;             /* or */
  RcLane *lane;
  RcGate *gate;                 /* of either */
  guint64 prepaid_bytes;        /* that the borrower paid for and that have not left yet */
  gboolean borrowed;            /* the packet that left last was prepaid */
} SenderPacer;

/* One of both is NULL. */
void sender_pacer_init (SenderPacer * self, RcSender * sender, RcLane * lane);
/* The borrower has chosen a packet, which is on its way. */
void sender_pacer_prepay (SenderPacer * self, guint size_bytes, RcTime now);
/* What was prepaid will not come. */
void sender_pacer_forget_prepaid (SenderPacer * self);

G_END_DECLS
