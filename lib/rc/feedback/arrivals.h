/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Feedback that lists single packets (RFC 8888, transport-wide congestion control), as a codec
 * hands it over. What the sender makes of it is scoreboard.h. */
#pragma once

#include <rc/feedback/reports.h>
#include <rc/feedback/formatchoice.h>
#include <rc/feedback/numbers.h>

/* One packet that arrived. A gap in the numbers means packets that did not. */
typedef struct
{
  uint16_t number;              /* in the space of the message */
  uint8_t ecn;                  /* RcEcnBits as it came; RC_ECN_BITS_NOT_ECT if not reported */
  RcTime arrived_at_remote;     /* receiver's clock, any origin, not negative */
} RcArrival;

/* One feedback message about one number space, as a codec hands it over. */
typedef struct
{
  RcNumberSpace space;
  const RcArrival *arrivals;    /* in the order of their numbers */
  unsigned n_arrivals;
  RcTime told_at_remote; /* when it left, in the clock of the arrivals; RC_TIME_NONE: unknown */
  uint32_t instance;            /* SSRC of the RTCP sender */
  bool ecn_read;                /* the receiver can read ECN bits */
  RcReportPolicy policy;        /* how long the format may hold a message back */
  /* So many numbers right before the first arrival are reported as not arrived. */
  uint16_t n_missing_before;
  bool counted;                 /* the format counts its messages: */
  uint8_t count;
  RcFormat format;              /* which of several formats counts depends on it; not NONE */
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

/* Removes the first n arrivals, which have been reported. */
void rc_arrivals_skip (RcArrivals *self, unsigned n);
