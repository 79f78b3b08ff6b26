/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A receiver that lists packets as RFC 8888 or TWCC do, with the parts, the codecs and at the times
 * of arcreceiver. */
#pragma once

#include <rc/feedback/wireclock.h>
#include <rc/receiver/arrivalrecord.h>
#include <rc/receiver/rtcptiming.h>

#include "loopconfig.h"

/* Of one message, at most: each number, and what is around them. */
#define LIST_RECEIVER_MAX_BYTES (4 * RC_ARRIVALRECORD_NUMBERS + 64)

typedef struct
{
  RcArrivalRecord record;
  RcRtcpTiming timing;
  LoopFormat format;
  uint8_t count;                /* of the messages of TWCC */
} ListReceiver;

void list_receiver_init (ListReceiver *self, LoopFormat format);
/* network_bytes: with all headers. */
void list_receiver_on_packet (ListReceiver *self, uint16_t seq, RcEcnBits ecn,
    uint32_t network_bytes, RcTime now);
/* As rc_rtcptiming_due_at(). */
RcTime list_receiver_due_at (const ListReceiver *self, RcTime now);
/* Writes the message, LIST_RECEIVER_MAX_BYTES at most; returns its size. */
size_t list_receiver_report (ListReceiver *self, uint32_t ssrc, uint8_t *bytes, RcTime now);
/* What such a message weighs on the network. */
uint32_t list_receiver_network_bytes (size_t message_bytes);
/* The sender's end. arrivals: RC_ARRIVALRECORD_NUMBERS of them. */
bool list_receiver_decode (LoopFormat format, const uint8_t *bytes, size_t size, uint32_t instance,
    RcWireClock *clock, RcArrivalLists *lists);
