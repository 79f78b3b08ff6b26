/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The receiver of the pacing bench: a process of its own that counts what comes and keeps the
 * kernel's time stamps. Packets that its socket had to drop are counted too (SO_RXQ_OVFL), so
 * that the rates are the sender's. */
#pragma once

#include <rc/base/types.h>
#include <sys/types.h>

#define COUNT_IP_BYTES 1500     /* of each packet; what has another size is RTCP */
#define COUNT_UDP_BYTES (COUNT_IP_BYTES - RC_OVERHEAD_IPV4_BYTES)
#define COUNT_WINDOW (100 * RC_MSEC)
#define COUNT_MAX_WINDOWS 2000
/* Of the first packets: video rates, and the steps, which are short. */
#define COUNT_MAX_STAMPS 300000

/* Shared by sender and receiver. Times are CLOCK_REALTIME, as the kernel stamps. */
typedef struct
{
  volatile int stop;
  RcTime started_at, length;    /* of the traffic; the sender sets them before the first packet */
  RcTime stepped_at[2];         /* the sender changed the wanted rate; 0: did not */
  uint64_t pkts, dropped, rtcp_bytes;
  uint64_t third_pkts[3];
  RcTime first_at, last_at;
  uint32_t windows[COUNT_MAX_WINDOWS];
  uint32_t n_stamps;
  RcTime stamps[COUNT_MAX_STAMPS];
} Count;

/* The program ends with a message if it cannot. */
Count *count_new (void);
/* Forks the receiver, on a port of loopback. */
pid_t count_start (Count *self, uint16_t *port);
RcTime count_realtime (void);
