/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* When RTCP sender reports leave.
 *
 * None leaves until the receiver has sent a receiver report: one that does not speak RTCP would
 * take it for a broken packet of the media, which has the same port. Then they leave in the random
 * intervals of RFC 3550 6.3.1, 0.5 to 1.5 times
 *
 *   Td = max (360 s / rate in kbit/s, RC_SR_LEAST_INTERVAL)
 *
 * as long as media leaves and receiver reports come. The first term is the reduced minimum of RFC
 * 3550 6.2 for unicast. The second is longer above 360 kbit/s: a receiver reports each second at
 * most, and one fresh sender report for each of them is enough for a round trip time.
 *
 * Sender reports go to the port of the media, where rtpsession and others take RTCP; only the
 * way back may need another port (pad recv_rtcp_sink). */
#pragma once

#include <rc/base/types.h>

#define RC_SR_LEAST_INTERVAL RC_SECOND
/* So long after the last receiver report: three intervals of 5 s, as RFC 8083 4.1 has it. */
#define RC_SR_LAPSE (15 * RC_SECOND)

typedef struct
{
  RcTime due_at;                /* RC_TIME_NONE: no receiver */
  RcTime heard_at;
  bool media;                   /* left since the last one */
  uint32_t random;
} RcSrClock;

void rc_srclock_init (RcSrClock *self);
/* A receiver report came. */
void rc_srclock_on_report (RcSrClock *self, RcTime now);
/* None leaves until another receiver report comes. true: there was a receiver until now. */
bool rc_srclock_end (RcSrClock *self, RcTime now);
void rc_srclock_on_media (RcSrClock *self);
/* RC_TIME_NONE: not as things are. */
RcTime rc_srclock_due_at (const RcSrClock *self);
/* true: they leave now, and the next are due at random. */
bool rc_srclock_take (RcSrClock *self, uint64_t rate_bps, RcTime now);
