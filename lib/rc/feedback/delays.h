/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* One-way delays (OWD) of the packets that a report lists: its arrivals against the ledger's departures.
 *
 * With m the time of the report in the receiver's clock and s the departure of a packet whose arrival has age a:
 *   OWD = (m - a) - s        and, now being when the report came:   now - s - a = OWD + way of the report >= 0
 * The second cannot be negative but for the skew of the clocks. So an entry that contradicts it, or names a packet that
 * never left, is refused; the other entries hold. Nothing that a false list says makes an OWD longer than the packet has
 * been away.
 *
 * The packet with the highest number is told to the microsecond by the report itself; it is a sample even if it is not
 * in the list, and the only one of a receiver that makes no lists. */
#pragma once

#include <rc/feedback/ledger.h>

/* A report that the ledger has just accepted as *fb. Fills all of *self but least_bytes. Returns how many entries were
 * refused. */
unsigned rc_delays_measure (RcDelays *self, const RcLedger *ledger, const RcReport *report, const RcFeedback *fb,
    RcTime now);
/* Network bytes of the list that arrived after this time of the receiver's clock. An entry stands for the numbers of
 * its stride. */
uint64_t rc_delays_later_bytes (const RcLedger *ledger, const RcReport *report, const RcFeedback *fb,
    RcTime arrived_at_remote, RcTime now);
