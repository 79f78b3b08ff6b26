/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What the encoders should make, from what the law lets the network carry: less packet headers,
 * less RTCP, less what it takes to empty a standing queue, and corrected for an encoder that
 * makes steadily a little less or more than its target; and when a change is worth reporting.
 * Pure: time is an argument. */
#pragma once

#include <rc/base/ratemeter.h>
#include <rc/base/types.h>

typedef struct
{
  /* Of packets sent lately: their ratio is the payload's share. */
  double media_bytes, network_bytes;
  RcRateMeter rtcp;
  uint64_t lowest_bytes, previous_lowest_bytes;  /* of the queue in this span and the one before */
  int64_t span;
  /* Leaky: the encoders' recent targets, and their output. */
  double told_bits, made_bits;
  RcTime made_at, made_since;   /* made_since: RC_TIME_NONE before the first */
  RcTime excess_since; /* they far exceed their target; RC_TIME_NONE: they do not */
  bool excess_told;
  RcTime short_since;           /* the same far below, or since that was last told */
  uint64_t told_bps;
  uint64_t most_bps;             /* 0: no bound */
  RcTime told_at;
  bool fallen;
} RcMediaTarget;

void rc_mediatarget_init (RcMediaTarget *self);
void rc_mediatarget_on_sent (RcMediaTarget *self, uint32_t network_bytes, uint32_t media_bytes);
void rc_mediatarget_on_rtcp (RcMediaTarget *self, uint32_t network_bytes, RcTime now);
/* An encoder made so much. */
void rc_mediatarget_on_made (RcMediaTarget *self, uint32_t media_bytes, RcTime now);
/* Call whenever the queue has changed. */
void rc_mediatarget_on_queue (RcMediaTarget *self, uint64_t queue_bytes, RcTime now);
/* The rate is never above this: nor shall the target be, which the correction may raise above
 * the rate. */
void rc_mediatarget_set_most (RcMediaTarget *self, uint64_t most_bps);
/* The capacity fell a moment ago: what waits in the sender goes before new media. */
void rc_mediatarget_set_fallen (RcMediaTarget *self, bool fallen);
/* The target at this rate now, in media bit/s: at least a quarter of the rate, at least 1. */
uint32_t rc_mediatarget_get_bps (RcMediaTarget *self, uint64_t rate_bps, RcTime now);
/* What waits lowers the target noticeably: by a tenth. */
bool rc_mediatarget_drains (const RcMediaTarget *self, uint64_t rate_bps);
/* The same whatever waits, and whatever was made: for an encoder that cannot follow each change. */
uint32_t rc_mediatarget_get_steady_bps (RcMediaTarget *self, uint64_t rate_bps, RcTime now);
/* true, once: for 3 s the encoders exceeded their target by more than half, as a mean over some two
 * seconds. true, every 10 s: for as long their target exceeded them by more than a quarter, which a
 * picture that needs no more does as well as an encoder that does not follow. */
bool rc_mediatarget_take_misfit (RcMediaTarget *self, RcTime now, uint32_t *made_bps,
    uint32_t *told_bps);
/* true: the target is to be reported now, and is recorded as reported. Falls of 2 % at once; rises
 * of 2 %, at most one in 100 ms. */
bool rc_mediatarget_take (RcMediaTarget *self, uint64_t rate_bps, RcTime now, uint32_t *bps);
