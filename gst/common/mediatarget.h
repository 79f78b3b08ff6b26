/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What the encoders should make, from what the law lets the network carry: less packet headers, less RTCP, less what it
 * takes to empty a standing queue, and corrected for an encoder that makes steadily a little less or more than it is
 * told; and when a change is worth telling. Pure: time is an argument. */
#pragma once

#include <glib.h>
#include <rc/types.h>

#include "ratemeter.h"

G_BEGIN_DECLS

typedef struct
{
  gdouble media_bytes, network_bytes;   /* of packets sent lately: their ratio is the payload's share */
  RateMeter rtcp;
  guint64 lowest_bytes, previous_lowest_bytes;  /* of the queue in this span and the one before */
  gint64 span;
  gdouble told_bits, made_bits; /* leaky: what the encoders were told to make lately, and what they made */
  RcTime made_at, made_since;   /* made_since: RC_TIME_NONE before the first */
  RcTime excess_since;          /* they make far more than they were told; RC_TIME_NONE: they do not */
  gboolean excess_told;
  guint64 told_bps;
  guint64 most_bps;             /* 0: no bound */
  RcTime told_at;
} MediaTarget;

void media_target_init (MediaTarget * self);
void media_target_on_sent (MediaTarget * self, guint network_bytes, guint media_bytes);
void media_target_on_rtcp (MediaTarget * self, guint network_bytes, RcTime now);
/* An encoder made so much. */
void media_target_on_made (MediaTarget * self, guint media_bytes, RcTime now);
/* Call whenever the queue has changed. */
void media_target_on_queue (MediaTarget * self, guint64 queue_bytes, RcTime now);
/* The rate is never above this: nor shall the target be, which the correction may raise above the rate. */
void media_target_set_most (MediaTarget * self, guint64 most_bps);
/* The target at this rate now, in media bit/s: at least a quarter of the rate, at least 1. */
guint media_target_get_bps (MediaTarget * self, guint64 rate_bps, RcTime now);
/* TRUE, once: for 3 s the encoders made more than 1.5 times what they were told, as a mean over some two seconds. */
gboolean media_target_take_excess (MediaTarget * self, RcTime now, guint * made_bps, guint * told_bps);
/* TRUE: tell it now, and remember that it was told. Falls of 2 % at once; rises of 3 %, at most one in 100 ms. */
gboolean media_target_take (MediaTarget * self, guint64 rate_bps, RcTime now, guint * bps);

G_END_DECLS
