/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "plainreceiver.h"

#define INSTANCE 4711
#define UNITS_S 65536.0         /* of DLSR */

void
plain_receiver_init (PlainReceiver *self)
{
  *self = (PlainReceiver) { .due_at = RC_TIME_NONE };
}

static RcTime
dithered (RcTime interval, double random)
{
  return (RcTime) ((double) interval * (0.5 + random));
}

/* The first report comes after half an interval [RFC 3550 6.2]. */
void
plain_receiver_on_packet (PlainReceiver *self, uint16_t seq, RcTime interval, double random,
    RcTime now)
{
  int16_t ahead = (int16_t) (seq - (uint16_t) self->highest);

  if (!self->begun) {
    self->begun = true;
    self->base = self->highest = 0x10000U + seq;
    self->due_at = now + dithered (interval / 2, random);
  } else if (ahead > 0) {
    self->highest += (uint32_t) ahead;
  }
  self->received_pkts++;
}

void
plain_receiver_on_sr (PlainReceiver *self, uint32_t ntp, RcTime now)
{
  self->lsr = ntp;
  self->sr_at = now;
}

bool
plain_receiver_report (PlainReceiver *self, uint32_t ssrc, RcTime interval, double random,
    RcTime now, RcReportBlock *out)
{
  bool news = self->received_pkts != self->told_pkts;

  *out = (RcReportBlock) {
    .ssrc = ssrc, .instance = INSTANCE, .highest_seq = self->highest,
    .lost_pkts = (int32_t) (self->highest - self->base + 1 - self->received_pkts),
    .lsr = self->lsr,
    .dlsr = self->lsr ? (uint32_t) (rc_time_to_s (now - self->sr_at) * UNITS_S) : 0,
  };
  self->told_pkts = self->received_pkts;
  self->due_at = now + dithered (interval, random);
  return news;
}
