/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Stalls of a server: from time to time it serves nothing for a fixed length, then it serves on. It
 * stands for Wi-Fi, where others hold the medium, and for LTE, where a sender waits for its grant.
 *
 *   begin of stall i + 1 = end of stall i + E,  E exponential with mean (mean - length)
 *
 * So `mean` is the mean time from one begin to the next, and the server serves for the share
 * 1 - length / mean of the time. The stalls do not depend on what waits. They can be foretold: the
 * state is a value, and a copy of it walks ahead. */
#pragma once

#include <rc/base/types.h>

typedef struct
{
  RcTime mean, length;          /* length 0: no stalls; else mean > length */
  uint64_t random;
  RcTime begin_at, end_at;      /* the first stall that is not forgotten */
} LinkStalls;

/* The first gap begins at `now`. */
void link_stalls_init (LinkStalls *self, RcTime mean, RcTime length, uint64_t random, RcTime now);
/* What ended by `until` is not asked for again. */
void link_stalls_forget (LinkStalls *self, RcTime until);
/* From when on a server that is free at `at` serves. */
RcTime link_stalls_ready_at (const LinkStalls *self, RcTime at);
/* When `work` is done that begins at `from` or, if that is in a stall, behind it. */
RcTime link_stalls_finish_at (const LinkStalls *self, RcTime from, RcTime work);
/* How long the server serves within the span, if there is work. */
RcTime link_stalls_served (const LinkStalls *self, RcTime from, RcTime to);
