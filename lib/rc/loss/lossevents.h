/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Loss events and their rate, as a TFRC receiver counts them. See lossevents.c for the model. */
#pragma once

#include <rc/base/types.h>

#define RC_LOSSEVENTS_INTERVALS 8       /* n [RFC 5348 5.4] */

typedef struct
{
  double closed_pkts[RC_LOSSEVENTS_INTERVALS];  /* I_1 .. I_n, the newest first */
  double discount_gain[RC_LOSSEVENTS_INTERVALS]; /* DF_1 .. DF_n: how much they still count */
  unsigned n_closed;
  uint32_t first_seq;           /* of the loss that began the present event */
  RcTime began_at;
  bool any;
} RcLossEvents;

void rc_lossevents_init (RcLossEvents *self);
/* Packet `seq`, an extended number, is lost (or came with a congestion mark). at: when it was, by
 * arrivals (losstimes.h) or by departures. first_pkts: the interval before the
 * very first event, [RFC 5348 6.3.1]; used only then. Returns whether it begins a new event. */
bool rc_lossevents_on_loss (RcLossEvents *self, uint32_t seq, RcTime rtt, double first_pkts,
    RcTime at);
/* p, in 0..1; 0 before the first event. highest_seq: the newest packet. */
double rc_lossevents_ratio (const RcLossEvents *self, uint32_t highest_seq);
