/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Which ECN bits packets leave with, and whether marks (CE) can be believed [RFC 3168, 9331, 6679
 * 7.2-7.4].
 *
 * In a nutshell: a report with ECN bits shows that the receiver can read them. Then a trial begins.
 * The sender sends RC_ECN_TRIAL_PKTS packets ECN-capable and the next ones not, until the
 * receiver has reported one of the latter. If at least half of the trial's packets arrived
 * ECN-capable, all packets are sent so from then on. If not, the network drops such packets or
 * erases the bits: no packet is sent ECN-capable, and the next trial comes after a minute.
 *
 * There are two kinds of ECN-capable packets. ECT(1) asks for marks at a low queueing delay (L4S),
 * and only a law that answers to the share of marks may send it [RFC 9331 4.3]. For such a law the
 * first trial is of ECT(1). It fails if the path erases the bits, or rewrites them to ECT(0), or if
 * the receiver does not distinguish the two. A trial of ECT(0) follows at once.
 *
 * While ECN is on, each window is judged again. It fails if the bits vanish or become others. It
 * also fails if every single packet is marked CE whatever the rate is, because such marks say
 * nothing about the network's queues.
 *
 *            reported ECN bits           half of them arrived as they left
 *    UNKNOWN ----------------> TRIAL ----------------------------------> ON
 *       ^                     |  ^  ^                                    |
 *       | other receiver,     |  |  +--- was ECT(1), ECT(0) follows -----+
 *       | reports time out    v  | after RC_ECN_RETRY                    |
 *                            FAILED <------------ was ECT(0) ------------+
 *
 * A trial that fails goes the same two ways.
 *
 * Source: the size of the trial is that of RFC 9000 13.4.2 and A.4. That the receiver must first
 * have shown that it can read the bits is RFC 6679 7.2. Where we differ: there is no SDP, the
 * reports show it. RTCP is never marked [RFC 6679 7.2].
 *
 * Marks of an L4S queue are told from classic ones by the delay (arclive.c): a single queue with
 * CoDel marks ECT(1) as well, and means as much by one mark as by a loss. Limit: after a late
 * wake-up on a busy host the pacer repays in bursts, which an L4S queue marks though the link is
 * not full (docs/lab.md). */
#pragma once

#include <rc/feedback/reports.h>

#define RC_ECN_TRIAL_PKTS 10    /* RFC 9000 A.4; if a path drops them, little is lost */
#define RC_ECN_RETRY (60 * RC_SECOND)
/* Longer than a law that obeys the marks needs to empty a queue. So if all packets of a window are
 * marked, our own rate is not the cause. */
#define RC_ECN_WINDOW (3 * RC_SECOND)
#define RC_ECN_WINDOW_PKTS 50   /* a window with fewer is not judged: it goes on */

typedef enum
{
  RC_ECN_UNKNOWN,               /* no ECN bits reported yet */
  RC_ECN_TRIAL,
  RC_ECN_ON,
  RC_ECN_FAILED,
} RcEcnState;

typedef struct
{
  bool scalable;                /* the law may send ECT(1) */
  bool marked;                  /* since it is on */
  RcEcnState state;
  RcEcnBits bits;               /* ON, TRIAL: which */
  /* FAILED: when it began; ON: when the window began; TRIAL: when its last packet left. */
  RcTime since;
  RcTime on_at;                 /* earlier packets left unmarked */
  uint32_t trial_pkts;          /* that left */
  /* Reported in this trial or window. capable: as they left, or marked. */
  uint32_t received_pkts, capable_pkts, ce_pkts;
} RcEcn;

/* scalable: the law answers to the share of marks, so packets may be ECT(1). */
void rc_ecn_init (RcEcn *self, bool scalable);
/* Of what leaves now. */
RcEcnBits rc_ecn_bits (const RcEcn *self);
/* Whether the path is known to mark ECT(1): its queue answers to bursts. */
bool rc_ecn_finds_l4s (const RcEcn *self);
/* So many left, all with the bits that rc_ecn_bits() said. */
void rc_ecn_on_sent (RcEcn *self, uint32_t pkts, RcTime now);
/* Clears CE counts in *feedback that mean nothing: of packets that were not ECN-capable. Also
 * sets whether packets left as ECT(1), so that marks may be those of L4S. */
void rc_ecn_on_feedback (RcEcn *self, RcFeedback *feedback, RcTime now);
/* "unknown", "trial", "on" (ECT(0)), "l4s" (ECT(1)), "failed" */
const char *rc_ecn_state_name (const RcEcn *self);
