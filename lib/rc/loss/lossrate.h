/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The loss event rate p of RFC 5348 from the packets that came and those that were lost.
 *
 * It runs where both are known: at the receiver for our own report, whose losses are timed by
 * arrivals, and at the sender for lists of packets, whose losses are timed by departures. */
#pragma once

#include <rc/loss/lossevents.h>

typedef struct
{
  RcLossEvents events;
  RcTime srtt;                  /* that makes losses one event; RC_TIME_NONE: not known */
  /* receive rate for the first interval: running count, and the largest over a round trip */
  RcTime counted_from;          /* RC_TIME_NONE: no packet came */
  uint32_t counted_pkts;
  double most_pps;
} RcLossRate;

void rc_lossrate_init (RcLossRate *self);
/* A packet came. */
void rc_lossrate_on_packet (RcLossRate *self, RcTime now);
/* at: as rc_lossevents_on_loss() has it; now: in the clock of the arrivals. true: it began an
 * event. */
bool rc_lossrate_on_loss (RcLossRate *self, uint32_t seq, RcTime at, RcTime now);
/* RC_TIME_NONE: unknown. */
void rc_lossrate_set_srtt (RcLossRate *self, RcTime srtt, RcTime now);
/* p, in 0..1; 0 before the first event. highest_seq: the newest packet. */
double rc_lossrate_get (const RcLossRate *self, uint32_t highest_seq);
