/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Loss events and their rate, as a TFRC receiver counts them beside an RcReceiver, and how they are
 * told: as an optional block of its report, which lib skips. See lossevents.c for the model. */
#pragma once

#include <rc/loss/losshist.h>

#define TFRC_INTERVALS 8        /* n [RFC 5348 5.4] */
/* Packets whose arrival is remembered; a longer burst of losses counts from its detection. */
#define TFRC_ARRIVALS 128
#define TFRC_BLOCK_BYTES 8

typedef struct
{
  double closed_pkts[TFRC_INTERVALS];   /* I_1 .. I_n, the newest first */
  double discount_gain[TFRC_INTERVALS]; /* DF_1 .. DF_n: how much they still count */
  unsigned n_closed;
  uint32_t first_seq;           /* of the loss that began the present event */
  RcTime began_at;
  bool any;
} TfrcEvents;

typedef struct
{
  uint32_t seq;                 /* extended */
  RcTime at;
} TfrcArrival;

typedef struct
{
  TfrcEvents events;
  TfrcArrival arrivals[TFRC_ARRIVALS];  /* place seq % ARRIVALS */
  RcTime srtt;                  /* that makes losses one event; RC_TIME_NONE: not known */
  /* receive rate for the first interval: running count, and the largest over a round trip */
  RcTime counted_from;          /* RC_TIME_NONE: no packet came */
  uint32_t counted_pkts;
  double most_pps;
} TfrcLosses;

void tfrc_losses_init (TfrcLosses *self);
/* A packet came, of which the loss history made `after` of `before`. */
void tfrc_losses_on_packet (TfrcLosses *self, const RcLossHist *before, const RcLossHist *after,
    RcLossVerdict verdict, RcTime now);
/* RC_TIME_NONE: unknown. */
void tfrc_losses_set_srtt (TfrcLosses *self, RcTime srtt, RcTime now);
/* Behind the bytes of a report, if there was an event: TFRC_BLOCK_BYTES or 0. */
size_t tfrc_losses_put (const TfrcLosses *self, uint32_t highest_seq, uint8_t *at);
/* p of such a report; 0: it has none. */
double tfrc_losses_read (const uint8_t *report, size_t n);

/* Packet `seq` is lost; at: when it was. first_pkts: the interval before the very first event,
 * [RFC 5348 6.3.1]; used only then. true: it begins an event. */
bool tfrc_events_on_loss (TfrcEvents *self, uint32_t seq, RcTime rtt, double first_pkts, RcTime at);
/* p, in 0..1; 0 before the first event. highest_seq: the newest packet. */
double tfrc_events_ratio (const TfrcEvents *self, uint32_t highest_seq);
