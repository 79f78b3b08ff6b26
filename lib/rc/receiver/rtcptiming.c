/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/receiver/rtcptiming.h>

#define MEDIA_A_MESSAGE 20      /* 5 %: the share of RTCP [RFC 3550 6.2] */

void
rc_rtcptiming_init (RcRtcpTiming *self)
{
  *self = (RcRtcpTiming) { .sent_at = RC_TIME_NONE };
}

void
rc_rtcptiming_on_packet (RcRtcpTiming *self, uint32_t size_bytes, bool news)
{
  self->came_bytes += size_bytes;
  self->news = self->news || news;
}

RcTime
rc_rtcptiming_due_at (const RcRtcpTiming *self, const RcRtcpRule *rule, uint32_t message_bytes,
    RcTime now)
{
  uint64_t price = (uint64_t) MEDIA_A_MESSAGE * message_bytes;
  bool paid;

  if (!self->news)
    return RC_TIME_NONE;
  if (self->sent_at == RC_TIME_NONE || self->sent_at > now)     /* the caller's clock is set back */
    return now;
  if (price < rule->policy.paying_bytes)
    price = rule->policy.paying_bytes;
  paid = self->came_bytes >= price;
  return self->sent_at + (paid ? rule->shortest_interval : rule->policy.longest_interval);
}

void
rc_rtcptiming_on_sent (RcRtcpTiming *self, RcTime now)
{
  *self = (RcRtcpTiming) { .sent_at = now };
}
