/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The ARC receiver for one SSRC: packets in, reports out [ARC 3.1.3].
 *
 * A report is due one report interval after the last one, at once when a loss is found or a CE
 * mark is the first congestion in a round trip, and on each packet during the first round trip
 * (until the sender has announced its SRTT, but no longer than RC_RECEIVER_MAX_INTERVAL). The
 * interval is the one that the sender asks for, within [RC_RECEIVER_MIN_INTERVAL,
 * RC_RECEIVER_MAX_INTERVAL]. It is stretched to RC_RECEIVER_STRETCHED_INTERVAL while less than
 * RC_RECEIVER_PAYING_BYTES of media came since the last report. So reports use at most 5 % of
 * what the media uses, and their lists at most 2 % more (RFC 3550 6.2 allows 5 % for control
 * traffic). Loss reports keep a distance of RC_RECEIVER_MIN_INTERVAL / 4 from the report before.
 *
 * Bytes pay, not the measured bandwidth: after a silence the first report must not wait.
 * Rejected: 40 bytes of media for each entry of the list, which delays the reports of slow
 * media; a report for each packet once packets come slower, whose rough delays show queues that
 * are none. */
#pragma once

#include <rc/receiver/receivestats.h>

/* Until the sender has requested one: RFC 8888: 50..200 ms is enough. */
#define RC_RECEIVER_DEFAULT_INTERVAL (50 * RC_MSEC)
#define RC_RECEIVER_MIN_INTERVAL (20 * RC_MSEC)
#define RC_RECEIVER_MAX_INTERVAL RC_BWFILTER_PAUSE      /* paper profile: SRTT */
#define RC_RECEIVER_STRETCHED_INTERVAL RC_WIRE_REPORT_POLICY.longest_interval
#define RC_RECEIVER_PAYING_BYTES RC_WIRE_REPORT_POLICY.paying_bytes

typedef struct
{
  uint32_t ssrc;
  RcReceiveStats stats;
  uint64_t reported_bytes;      /* of the received ones, before the last report */
  uint32_t number;
  RcTime wanted_interval;       /* what the sender asked for; RC_TIME_NONE: nothing yet */
  RcTime reported_at;           /* RC_TIME_NONE: never */
  bool report_now;
} RcReceiver;

void rc_receiver_init (RcReceiver *self, uint32_t ssrc, RcTime tau);
/* size_bytes: the whole RTP packet, header included. */
RcLossVerdict rc_receiver_on_packet (RcReceiver *self, uint16_t seq, uint32_t size_bytes,
    bool ecn_ce, RcTime now);
/* The ECN bits of the packet that came last could be read. */
void rc_receiver_on_ecn (RcReceiver *self, RcEcnBits bits);
/* What relays stamped into the packet that came last, bit/s; 0: nothing. An absurd one is reported
 * as RC_WIRE_MAX_BPS. */
void rc_receiver_on_stamp (RcReceiver *self, uint64_t bps);
/* The sender announced its SRTT and the interval that it wants. A receiver without media, or whose
 * media paused, owes an answer (see wire.h): the sender may be probing. */
void rc_receiver_on_info (RcReceiver *self, const RcSenderInfo *info, RcTime now);
/* When the next report is due: a time not after `now` means now; RC_TIME_NONE: nothing to
 * report. Reports go on while media flows; after RC_RECEIVER_MAX_INTERVAL without a new packet
 * (one report past the last) they pause. */
RcTime rc_receiver_due_at (const RcReceiver *self, RcTime now);
/* Takes the bandwidth sample, if one is due, and fills *report. Arrival times are in the clock of
 * `now` (any origin, not negative). */
void rc_receiver_report (RcReceiver *self, RcTime now, RcReport *report);
