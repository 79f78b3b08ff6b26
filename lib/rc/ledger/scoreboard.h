/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What became of the packets of one ledger, by the lists that a receiver of RFC 8888 or TWCC sends.
 *
 * Such a receiver only writes down what came when. Its list is joined with the ledger once: each
 * packet that it acknowledges is marked there as received, and what three later ones have overtaken
 * as lost (losshist.h has the same rule at a receiver). So nothing is counted twice, no list can
 * acknowledge more than left, and a number that never left is no loss. Received bytes, their
 * bandwidth, losses and marks are sums over the packets that are marked anew.
 *
 * Problem: a lost message leaves a hole between the ranges that the messages before and after it
 * report. The packets in the hole would count as lost, and the law would reduce its rate: with 10 %
 * of the messages lost, `arc` kept 0.5 of 2.9 Mbit/s. Rule: packets that no message reported count
 * as received, without a time. The next messages show whether there is congestion [RFC 8888 5]. A
 * format that counts its messages (TWCC) shows by the count that one is lost, since some of its
 * receivers begin a message with the first packet that arrived. RFC 8888 has no count, but its
 * receivers report every number.
 *
 * Rejected: receivers that repeat the last list. It doubles the list, and other people's
 * receivers do not do it. */
#pragma once

#include <rc/base/bwfilter.h>
#include <rc/feedback/arrivals.h>
#include <rc/ledger/acks.h>

typedef struct
{
  RcBwFilter bandwidth;
  uint64_t received_bytes;      /* at the network layer */
  uint64_t judged_seq;          /* all up to it are received or lost */
  int64_t lost_pkts, peak_lost_pkts;    /* less those found again; the most that was handed out */
  RcTime arrived_at_remote;     /* the last one */
  bool begun;                   /* any message holds */
  uint64_t next_seq;            /* after the highest number that a message reported */
  uint8_t count;                /* of the last message */
} RcScoreboard;

void rc_scoreboard_init (RcScoreboard *self);
/* Takes a message. *n_false: how many entries are false. *out is written only for RC_DIGEST_OK, and
 * but for its delays; the acknowledgements are appended to *acks. A message that is refused changes
 * nothing. */
RcDigest rc_scoreboard_digest (RcScoreboard *self, RcLedger *ledger, const RcArrivals *message,
    RcTime now, RcAcks *acks, RcFeedback *out, unsigned *n_false);
