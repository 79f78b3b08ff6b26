/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* When each packet since the last report arrived, in constant memory, and the list of these
 * arrivals that a report carries.
 *
 * The list has one entry for each number first, first + stride, first + 2 stride, ... An entry is
 * the age of the arrival: how long before the report it was. Problem: at 500 Mbit/s more packets
 * come between two reports than a report can hold. Rule: the list has 256 places; whenever it is
 * full, the stride doubles and every second entry stays. Each entry that stays is as exact as
 * before.
 *
 * A late packet finds its place if the list has room for it. A report that is lost on its way takes
 * its list along: each list covers the time since the report before it was made. */
#pragma once

#include <rc/base/types.h>

/* 256 entries are 512 bytes. A report is then half as large as a packet of 1200 bytes, and it
 * covers 20 ms of 120 Mbit/s packet by packet. */
#define RC_ARRIVALTIMES_MAX 256
/* 16 bits of 1/32 ms reach 2 s back, twice the longest time between two reports. Half a unit of
 * error is 16 us; a law distinguishes noise from a queue in steps of milliseconds. */
#define RC_ARRIVALAGE_UNIT (RC_MSEC / 32)
#define RC_ARRIVALAGE_EARLIER 0xfffe    /* longer ago than can be encoded */
#define RC_ARRIVALAGE_NONE 0xffff       /* has not arrived */
/* 256 strides of 2^8 are all numbers of 16 bits. */
#define RC_ARRIVALAGES_MAX_STRIDE_LOG2 8

/* The list. The first and the last entry are of packets that arrived. */
typedef struct
{
  uint16_t first;               /* number of the first entry */
  uint8_t stride_log2;
  uint16_t n;                   /* 0: nothing to report */
  uint16_t ages[RC_ARRIVALTIMES_MAX];   /* units before the report */
} RcArrivalAges;

/* What is remembered until the next report. */
typedef struct
{
  uint32_t first;               /* extended number */
  unsigned stride_log2, n;
  uint32_t arrived_us[RC_ARRIVALTIMES_MAX];     /* modulo 2^32; 0: has not */
} RcArrivalTimes;

void rc_arrivaltimes_init (RcArrivalTimes *self);
/* number: extended, so that it never wraps. */
void rc_arrivaltimes_note (RcArrivalTimes *self, uint32_t number, RcTime arrived_at);
/* Writes the list as it is at told_at, and begins anew. */
void rc_arrivaltimes_tell (RcArrivalTimes *self, RcTime told_at, RcArrivalAges *ages);
/* Doubles the stride until at most so many entries are left. */
void rc_arrivalages_thin (RcArrivalAges *self, unsigned most);
