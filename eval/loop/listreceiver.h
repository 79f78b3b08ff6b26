/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A receiver that lists packets as RFC 8888 does, with the parts and at the times of
 * arcreceiver. */
#pragma once

#include <rc/feedback/arrivalrecord.h>
#include <rc/feedback/rtcptiming.h>

typedef struct
{
  RcArrivalRecord record;
  RcRtcpTiming timing;
} ListReceiver;

void list_receiver_init (ListReceiver *self);
/* network_bytes: with all headers. */
void list_receiver_on_packet (ListReceiver *self, uint16_t seq, RcEcnBits ecn,
    uint32_t network_bytes, RcTime now);
/* Of the message that would go now, with all headers. */
uint32_t list_receiver_bytes (const ListReceiver *self);
/* As rc_rtcptiming_due_at(). */
RcTime list_receiver_due_at (const ListReceiver *self, RcTime now);
/* arrivals: RC_ARRIVALRECORD_NUMBERS of them. Returns how many. */
unsigned list_receiver_report (ListReceiver *self, RcArrival *arrivals, uint16_t *missing_before,
    RcTime now);
