/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "listreceiver.h"

/* UDP and IP, a receiver report with one block, a source description, and RFC 8888 for one
 * stream. */
#define MESSAGE_BYTES (28 + 32 + 28 + 20)
#define BYTES_A_NUMBER 2

void
list_receiver_init (ListReceiver *self)
{
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
list_receiver_bytes (const ListReceiver *self)
{
  return MESSAGE_BYTES + BYTES_A_NUMBER * rc_arrivalrecord_pending (&self->record);
}

RcTime
list_receiver_due_at (const ListReceiver *self, RcTime now)
{
  static const RcRtcpRule rule = RC_RTCP_RULE_LISTS;

  if (rc_arrivalrecord_pressing (&self->record))
    return now;
  return rc_rtcptiming_due_at (&self->timing, &rule, list_receiver_bytes (self), now);
}

unsigned
list_receiver_report (ListReceiver *self, RcArrival *arrivals, uint16_t *missing_before, RcTime now)
{
  unsigned n = rc_arrivalrecord_list (&self->record, arrivals, RC_ARRIVALRECORD_NUMBERS,
      missing_before);

  if (n > 0)
    rc_arrivalrecord_told (&self->record, arrivals[n - 1].number);
  rc_rtcptiming_on_sent (&self->timing, now);
  return n;
}
