/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Feedback that lists single packets (RFC 8888, transport-wide congestion control), as the sender
 * sees it.
 *
 * Such a receiver only writes down what came when. The sender, who remembers the sizes, runs the
 * receive statistics itself and comes to the same summary as a receiver of ours: an RcReport,
 * which the ledger then checks as any other.
 *
 * Problem: a message that is lost on its way leaves a hole between what the messages before and
 * after it tell. The packets in the hole would count as lost, and the law would reduce its rate:
 * with 10 % of the messages lost, `arc` kept 0.5 of 2.9 Mbit/s. Rule: packets of which no message
 * told count as arrived, without a time. The next messages show whether there is congestion [RFC
 * 8888 5]. A format that counts its messages (TWCC) shows by the count that one is lost, since some
 * of its receivers begin a message with the first packet that arrived. RFC 8888 has no count, but
 * its receivers tell each number. */
#pragma once

#include <rc/feedback/ledger.h>
#include <rc/feedback/numbers.h>
#include <rc/feedback/receivestats.h>

/* One packet that arrived. Those that did not are left out: the gap tells. */
typedef struct
{
  uint16_t number;              /* in the space of the message */
  uint8_t ecn;                  /* RcEcnBits as it came; RC_ECN_BITS_NOT_ECT if not told */
  RcTime arrived_at_remote;     /* receiver's clock, any origin, not negative */
} RcArrival;

/* One feedback message about one number space, as a codec hands it over. */
typedef struct
{
  RcNumberSpace space;
  const RcArrival *arrivals;    /* in the order of their numbers */
  unsigned n_arrivals;
  RcTime told_at_remote; /* when it left, in the clock of the arrivals; RC_TIME_NONE: not told */
  uint32_t instance;            /* SSRC of the RTCP sender */
  bool ecn_read;                /* the receiver can read ECN bits */
  RcReportPolicy policy;        /* how long the format may hold a message back */
  /* So many numbers right before the first arrival are told as not arrived. */
  uint16_t n_missing_before;
  bool counted;                 /* the format counts its messages: */
  uint8_t count;
} RcArrivals;

/* Codecs refuse messages with more: three times as many streams as one sender knows. */
#define RC_ARRIVALS_MAX_LISTS 48

/* The lists of one message, as a decoder fills them in. */
typedef struct
{
  RcArrival *arrivals;          /* the caller's memory */
  unsigned max_arrivals;        /* as many as the message has bytes always suffice */
  RcArrivals lists[RC_ARRIVALS_MAX_LISTS];
  unsigned n_lists;             /* none of them is empty; 0: nothing arrived */
} RcArrivalLists;

/* Takes the first n arrivals away, because they have been told. */
void rc_arrivals_skip (RcArrivals *self, unsigned n);

/* The receive statistics of one space, at the sender. */
typedef struct
{
  RcReceiveStats stats;
  uint32_t number;              /* of the summary */
  uint32_t instance;
  bool begun;
  bool told;                    /* any message came */
  uint16_t next;                /* after the highest number told */
  uint8_t count;                /* of the last message */
} RcArrivalLog;

void rc_arrivallog_init (RcArrivalLog *self);
/* Sums a message up into *report. srtt: RC_TIME_NONE while unknown. *n_false: how many packets it
 * tells of that never left. false: it tells of no packet in the ledger. */
bool rc_arrivallog_add (RcArrivalLog *self, const RcArrivals *message, const RcLedger *ledger,
    RcTime srtt, RcReport *report, unsigned *n_false);
