/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* How much of the rate may be retransmissions.
 *
 * Problem: rtprtxsend answers every request, and a congested path makes requests without end. With
 * a capacity of 0.6 Mbit/s and nothing that bounds it, 8 Mbit/s were sent for seconds. Rule: at
 * most a fifth of the rate, averaged over half a second; what is beyond it is dropped. A loss of
 * more than a fifth is a case for a lower rate and not for repetition. No locks. */
#pragma once

#include <gst/gst.h>
#include <rc/base/types.h>

G_BEGIN_DECLS

typedef struct
{
  gdouble credit_bytes;
  RcTime at;                    /* RC_TIME_NONE: nothing was asked for yet */
} RtxBudget;

void rtx_budget_init (RtxBudget * self);
/* TRUE: a retransmission of so many bytes may go, and is paid for. */
gboolean rtx_budget_take (RtxBudget * self, guint bytes, guint64 rate_bps, RcTime now);
/* The same for a second copy: half of what may be saved stays for first ones. */
gboolean rtx_budget_take_spare (RtxBudget * self, guint bytes, guint64 rate_bps, RcTime now);

G_END_DECLS
