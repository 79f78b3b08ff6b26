/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Service by opportunities, as in recorded traces of mobile networks (the format of
 * mahimahi): at each time of a list the link can deliver 1504 bytes, which are an Ethernet payload
 * and the header of a TUN device. The list repeats at its last time.
 *
 * Bytes count, not packets: several small packets share an opportunity, and a packet that is
 * larger than what is left takes that and is delivered by the next one. An opportunity serves what
 * waits when it comes; what it leaves is lost. */
#pragma once

#include <rc/base/types.h>

#define LINK_OPPORTUNITY_BYTES 1504

typedef struct
{
  const RcTime *at;             /* the caller's; ascending, the last one above 0 */
  uint32_t n;                   /* 0: not in use */
  uint64_t next;                /* number of the next one, counted over all repetitions */
  uint32_t left_bytes;          /* of the one before it, at its time */
} LinkOpportunities;

/* Those up to `now` have passed. */
void link_opportunities_init (LinkOpportunities *self, const RcTime *at, uint32_t n, RcTime now);
/* How many come up to `until`. */
uint64_t link_opportunities_count (const LinkOpportunities *self, RcTime until);
/* The server has been idle until `now`. */
void link_opportunities_skip (LinkOpportunities *self, RcTime now);
/* When the byte behind the first `bytes` is served, by a server that came to `at`. */
RcTime link_opportunities_begin_at (const LinkOpportunities *self, RcTime at, uint64_t bytes);
/* When the last of the first `bytes` is served; bytes > 0. */
RcTime link_opportunities_finish_at (const LinkOpportunities *self, RcTime at, uint64_t bytes);
/* Serves them. */
void link_opportunities_serve (LinkOpportunities *self, uint64_t bytes);
