/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* When a receiver of standard feedback may send its next RTCP message.
 *
 * What came since the message before pays for the next one: a message of c bytes is due once 20 c
 * bytes have come, so that RTCP takes 5 % of the media [RFC 3550 6.2]. It is due no sooner than the
 * shortest and no later than the longest interval of the rule. Nothing is due while nothing comes.
 *
 *   rule              shortest  longest  why
 *   lists of packets    25 ms    250 ms  RFC 8888 section 4 finds once a frame useful and 50 to 200
 *                                        ms enough; libwebrtc keeps to the same bounds
 *   reports, AVPF      100 ms       1 s  RFC 4585: no minimum interval between two parties
 *   reports, AVP         -          5 s  RFC 3550 6.2: at least 5 s, or the reduced minimum of
 *                                        360 s over the session bandwidth in kbit/s. That is the
 *                                        time in which 45000 bytes come.
 *
 * Where we differ from RFC 3550 and why: the intervals are not randomised. That keeps the
 * participants of a large session from sending together; here one receiver answers one sender. */
#pragma once

#include <rc/feedback/reports.h>

typedef struct
{
  RcTime shortest_interval;
  RcReportPolicy policy;        /* paying_bytes at least, also for a small message */
} RcRtcpRule;

#define RC_RTCP_RULE_LISTS ((RcRtcpRule) { 25 * RC_MSEC, { 0, 250 * RC_MSEC } })
#define RC_RTCP_RULE_AVPF ((RcRtcpRule) { 100 * RC_MSEC, { 0, RC_SECOND } })
#define RC_RTCP_RULE_AVP ((RcRtcpRule) { 0, { 45000, 5 * RC_SECOND } })

typedef struct
{
  RcTime sent_at;               /* RC_TIME_NONE: nothing yet */
  uint64_t came_bytes;          /* since then */
  bool news;                    /* since then, the sender sent something to report about */
} RcRtcpTiming;

void rc_rtcptiming_init (RcRtcpTiming *self);
/* size_bytes: at the network layer. */
void rc_rtcptiming_on_packet (RcRtcpTiming *self, uint32_t size_bytes, bool news);
/* message_bytes: of what would be sent, at the network layer. A time not after `now` means now;
 * RC_TIME_NONE: nothing as things are. */
RcTime rc_rtcptiming_due_at (const RcRtcpTiming *self, const RcRtcpRule *rule,
    uint32_t message_bytes, RcTime now);
void rc_rtcptiming_on_sent (RcRtcpTiming *self, RcTime now);
