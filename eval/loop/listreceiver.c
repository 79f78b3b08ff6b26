/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "listreceiver.h"

#include <rc/feedback/ccfb.h>
#include <rc/feedback/twcc.h>

/* UDP and IP, a receiver report with one block, a source description, the header of the list. */
#define AROUND_BYTES (28 + 32 + 28 + 12)
#define BYTES_A_MESSAGE 12
#define BYTES_A_NUMBER 2

void
list_receiver_init (ListReceiver *self, LoopFormat format)
{
  self->format = format;
  self->count = 0;
  rc_arrivalrecord_init (&self->record);
  rc_rtcptiming_init (&self->timing);
}

void
list_receiver_on_packet (ListReceiver *self, uint16_t seq, RcEcnBits ecn, uint32_t network_bytes,
    RcTime now)
{
  rc_arrivalrecord_note (&self->record, seq, ecn, now);
  rc_rtcptiming_on_packet (&self->timing, network_bytes, true);
}

uint32_t
list_receiver_network_bytes (size_t message_bytes)
{
  return AROUND_BYTES + (uint32_t) message_bytes;
}

RcTime
list_receiver_due_at (const ListReceiver *self, RcTime now)
{
  static const RcRtcpRule rule = RC_RTCP_RULE_LISTS;
  uint32_t bytes = BYTES_A_MESSAGE + BYTES_A_NUMBER * rc_arrivalrecord_pending (&self->record);

  if (rc_arrivalrecord_pressing (&self->record))
    return now;
  return rc_rtcptiming_due_at (&self->timing, &rule, list_receiver_network_bytes (bytes), now);
}

size_t
list_receiver_report (ListReceiver *self, uint32_t ssrc, uint8_t *bytes, RcTime now)
{
  RcArrival arrivals[RC_ARRIVALRECORD_NUMBERS];
  RcArrivals list = { .arrivals = arrivals };
  unsigned told = 0;
  size_t size;

  list.n_arrivals = rc_arrivalrecord_list (&self->record, arrivals, RC_ARRIVALRECORD_NUMBERS,
      &list.n_missing_before);
  if (self->format == LOOP_TWCC) {
    list.space.kind = RC_NUMBERS_TRANSPORT;
    size = rc_twcc_encode (&list, self->count++, bytes, LIST_RECEIVER_MAX_BYTES, &told);
  } else {
    list.space = rc_numbers_of_ssrc (ssrc);
    size = rc_ccfb_encode (&list, 1, now, bytes, LIST_RECEIVER_MAX_BYTES, &told);
  }
  if (told > 0)
    rc_arrivalrecord_told (&self->record, arrivals[told - 1].number);
  rc_rtcptiming_on_sent (&self->timing, now);
  return size;
}

bool
list_receiver_decode (LoopFormat format, const uint8_t *bytes, size_t size, uint32_t instance,
    RcWireClock *clock, RcArrivalLists *lists)
{
  if (format == LOOP_TWCC)
    return rc_twcc_decode (bytes, size, instance, clock, lists);
  return rc_ccfb_decode (bytes, size, instance, clock, lists);
}
