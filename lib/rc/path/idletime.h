/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The time in which the path had nothing of ours to carry, because the sending host stood still.
 * The model is in idletime.c. */
#pragma once

#include <rc/base/types.h>
#include <rc/path/ring.h>

typedef struct
{
  struct
  {
    RcTime until, total;        /* when a gap ended; the idle time until then */
  } gaps[RC_RING];
  RcRing ring;                  /* has more than a round trip of them */
  RcTime left_until;            /* u */
  RcTime busy_until;
  RcTime total;                 /* only differences count */
} RcIdleTime;                   /* zeroed: nothing has left yet */

/* A packet leaves, at a rate of rate_bps; the queue of the path lasts for queued_s. ahead: frames
 * leave faster than at the rate. */
void rc_idletime_on_sent (RcIdleTime *self, double size_bits, double rate_bps, double queued_s,
    bool ahead, RcTime now);
/* The idle time before a packet that left at sent_at; of long ago that of the oldest gap. */
RcTime rc_idletime_before (const RcIdleTime *self, RcTime sent_at);
