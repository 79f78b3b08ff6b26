/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* How much of the rate may be retransmissions.
 *
 * Problem: rtprtxsend answers every request, and a congested path makes requests without end. With
 * a capacity of 0.6 Mbit/s and nothing that bounds it, 8 Mbit/s were sent for seconds. Rule: at
 * most a share of the rate, averaged over half a second; what is beyond it is dropped. No locks.
 *
 * Half of the rate is right for our own repairs: what comes in time is worth more than a new
 * packet of a frame that cannot be decoded without it, and with a fifth bursts found no budget
 * for their last packets. An rtprtxsend in front of rtparcbwe knows no deadline and gets a
 * fifth. */
#pragma once

#include <gst/gst.h>
#include <rc/base/types.h>

G_BEGIN_DECLS

/* Behind the media of rtprtxsend, which may repeat what is too old. */
#define RTX_BUDGET_FOREIGN 0.2
/* Of packets that the receiver still has time for: each is worth more than a new one, whose frame
 * cannot be decoded without it. The rest is for the frames that the repaired ones lead to. */
#define RTX_BUDGET_OWN 0.5

typedef struct
{
  gdouble share;                /* of the rate */
  gdouble credit_bytes;
  RcTime at;                    /* RC_TIME_NONE: nothing was asked for yet */
} RtxBudget;

void rtx_budget_init (RtxBudget * self, gdouble share);
/* TRUE: a retransmission of so many bytes may go, and is paid for. */
gboolean rtx_budget_take (RtxBudget * self, guint bytes, guint64 rate_bps, RcTime now);
/* The same for a second copy: half of what may be saved stays for first ones. */
gboolean rtx_budget_take_spare (RtxBudget * self, guint bytes, guint64 rate_bps, RcTime now);

G_END_DECLS
