/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What a receiver writes down of each packet for a format that lists packets: its number, when it
 * arrived, its ECN bits. One record is about one number space.
 *
 * A report covers the numbers from the lowest unreported one to the highest. A packet that arrives
 * after its number was reported missing is reported again, with all numbers after it: RFC 8888 3.1
 * and TWCC allow reports to overlap, and the sender would otherwise never know of it. Nothing else
 * is reported twice.
 *
 * Memory is constant: the record holds the last RC_ARRIVALRECORD_NUMBERS numbers. The caller
 * should report at once when rc_arrivalrecord_pressing(). Numbers evicted before they were reported
 * are counted in untold_numbers. */
#pragma once

#include <rc/feedback/arrivals.h>
#include <rc/loss/losshist.h>

/* 25 ms, the shortest time between two reports, hold 1000 packets of 1200 bytes at 384 Mbit/s. */
#define RC_ARRIVALRECORD_NUMBERS RC_LOSSHIST_WINDOW

typedef struct
{
  RcLossHist history;           /* which numbers came */
  uint32_t next;                /* extended; the lowest unreported one */
  bool news;                    /* a packet arrived that has not been reported */
  uint64_t untold_numbers;
  RcTime arrived_at[RC_ARRIVALRECORD_NUMBERS];  /* by extended number; valid if it came */
  uint8_t ecn[RC_ARRIVALRECORD_NUMBERS];        /* RcEcnBits */
} RcArrivalRecord;

void rc_arrivalrecord_init (RcArrivalRecord *self);
/* Of copies of one packet the first determines the arrival time; it counts as marked if any is.
 * Numbers far off the others are not believed at once (losshist.h). */
void rc_arrivalrecord_note (RcArrivalRecord *self, uint16_t number, RcEcnBits ecn,
    RcTime arrived_at);
/* How many numbers are unreported; 0: no packet arrived since the last report. */
unsigned rc_arrivalrecord_pending (const RcArrivalRecord *self);
/* They fill half of the record. */
bool rc_arrivalrecord_pressing (const RcArrivalRecord *self);
/* Writes at most `most` of the unreported arrivals, in the order of their numbers, and
 * *missing_before, how many numbers before the first of them are. Returns how many. */
unsigned rc_arrivalrecord_list (const RcArrivalRecord *self, RcArrival *arrivals, unsigned most,
    uint16_t *missing_before);
/* A report covered all up to this number, which rc_arrivalrecord_list() wrote. */
void rc_arrivalrecord_told (RcArrivalRecord *self, uint16_t number);
