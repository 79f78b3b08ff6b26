/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A receiver in a process of its own, so that its CPU time is not the sender's. It either leaves
 * everything in a small socket buffer, where the kernel drops cheaply, or reads all and measures
 * the rate of each flow on the network, media and RTCP with their headers, from the kernel's
 * arrival times and the sequence numbers: media packets that it misses do not matter. All media
 * packets have one size; the SSRC is the number of the flow. */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

typedef struct
{
  pid_t pid;
  unsigned port;
  int control_fd, result_fd;
} Receiver;

typedef struct
{
  double max_ratio, mean_ratio; /* of |rate / wanted - 1| over the flows; -1: not measured */
  unsigned flows;
} RateErrors;

/* Before the first thread. */
void receiver_start (Receiver * self, bool drain, unsigned flows, double rate_bps);
RateErrors receiver_stop (Receiver * self);
