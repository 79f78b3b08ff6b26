/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* One-way delays (OWD) of the packets that a report lists: its arrivals less the ledger's
 * departures.
 *
 * Let m be the time of the report in the receiver's clock, s the departure of a packet, a the age
 * of its arrival, and now the time at which the report came:
 *   OWD = (m - a) - s            now - s - a = OWD + way of the report >= 0
 * Only the skew of the clocks can make the second one negative. An entry that contradicts it, or
 * that names a packet which never left, is refused; the other entries hold. So a false list makes
 * no OWD longer than its packet has been away.
 *
 * The report itself tells the arrival of the packet with the highest number, to the microsecond.
 * That packet is a sample even if it is not in the list, and the only one of a receiver without
 * lists. */
#pragma once

#include <rc/feedback/ledger.h>

/* A report that the ledger has just accepted as *fb. Fills all of *self but least_bytes. Returns
 * how many entries were refused. */
unsigned rc_delays_measure (RcDelays *self, const RcLedger *ledger, const RcReport *report,
    const RcFeedback *fb, RcTime now);
/* Network bytes of the list that arrived after this time of the receiver's clock. An entry stands
 * for the numbers of its stride. */
uint64_t rc_delays_later_bytes (const RcLedger *ledger, const RcReport *report,
    const RcFeedback *fb, RcTime arrived_at_remote, RcTime now);
