/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* ARC: what a report tells about the path. The model is in arc.c. */
#include "arc_private.h"

#include <math.h>

#define SRTT_GAIN 8             /* RFC 6298 */
#define LOSS_SPAN_S 2.0         /* hundreds of packets at video rates: 10 % is then known to 2 % */
#define LOSS_LEAST_PKTS 40      /* a loss among fewer says little about the ratio */
#define USED_SPAN_S 0.5         /* several frames, and an encoder's lag */
#define USUAL_SPAN_S 2.0        /* what is delivered, over a span that short flows of others do not fill */
#define ROUTE_SRTTS 1.5
#define ROUTE_MIN_SPAN_S 0.25

/* Tq [ARC 3.1.1] and SRTT. */
void
rc_arc_measure_delay (RcArc *self, const RcFeedback *feedback, RcTime now)
{
  int64_t base;
  RcTime tq;

  self->last_tq = self->tq;
  if (feedback->rtt == RC_TIME_NONE)
    return;
  self->srtt = self->srtt == RC_TIME_NONE ? feedback->rtt : self->srtt + (feedback->rtt - self->srtt) / SRTT_GAIN;
  rc_winmin_add (&self->base_rtt, feedback->rtt, now);
  rc_winmin_add (&self->base_owd, feedback->owd_remote, now);
  rc_winmin_get (&self->base_rtt, &base);
  tq = feedback->rtt - base;
  if (self->params.owd > 0 && rc_winmin_get (&self->base_owd, &base) && feedback->owd_remote - base < tq)
    tq = feedback->owd_remote - base;
  self->tq = tq;
}

void
rc_arc_measure_queue (RcArc *self)
{
  self->q_bits = rc_arc_bandwidth_bps (self) * rc_time_to_s (self->tq);
}

void
rc_arc_measure_usual (RcArc *self, RcTime now)
{
  double keep = exp (-rc_time_to_s (now - self->updated_at) / USUAL_SPAN_S);

  self->usual_bps = self->usual_bps * keep + rc_arc_bandwidth_bps (self) * (1 - keep);
}

/* It jumped over the threshold and is still as high; a queue climbs, even that of a TCP flow with a full window, which stays as well. Nothing
 * was lost: a queue that is full stays, too. A reduction must have had the time to show. */
static bool
may_be_route (const RcArc *self, const RcFeedback *feedback, RcTime now)
{
  double threshold = rc_arc_threshold_s (self), tq = rc_time_to_s (self->tq);
  bool settled = self->cut_at != RC_TIME_NONE && rc_time_to_s (now - self->cut_at) > rc_arc_srtt_s (self);

  if (self->params.route <= 0 || self->competing || feedback->rtt == RC_TIME_NONE || feedback->lost_pkts > 0)
    return false;
  return tq >= threshold && fabs (tq - rc_time_to_s (self->jumped_tq)) <= threshold
      && (settled || self->route.from != RC_TIME_NONE);
}

/* A delay that jumps and then stays where it is though we drain is the route's: mRTT is what is seen now. */
void
rc_arc_watch_route (RcArc *self, const RcFeedback *feedback, RcTime now)
{
  double threshold = rc_arc_threshold_s (self), sent_ratio = self->rate_bps / fmax (rc_arc_bandwidth_bps (self), 1);
  RcTime span = rc_time_from_s (fmax (ROUTE_SRTTS * rc_arc_srtt_s (self), ROUTE_MIN_SPAN_S));

  if (rc_time_to_s (self->last_tq) < threshold)
    self->jumped_tq = self->tq;
  if (!may_be_route (self, feedback, now)) {
    rc_routewatch_restart (&self->route);
    return;
  }
  if (!rc_routewatch_add (&self->route, feedback->rtt, sent_ratio, rc_time_from_s (threshold), span, now))
    return;
  rc_winmin_init (&self->base_rtt, self->base_rtt.window);
  rc_winmin_init (&self->base_owd, self->base_owd.window);
  rc_winmin_add (&self->base_rtt, feedback->rtt, now);
  rc_winmin_add (&self->base_owd, feedback->owd_remote, now);
  self->tq = 0;
  self->deep_ratio = 0;
  self->routes++;
}

/* Leaky integrals of what was allowed and what was sent. */
void
rc_arc_measure_use (RcArc *self, double sent_bits, RcTime now)
{
  double dt = rc_time_to_s (now - self->used_at);
  double keep;

  if (dt > 0) {
    keep = exp (-dt / USED_SPAN_S);
    self->sent_bits *= keep;
    self->allowed_bits = self->allowed_bits * keep + self->rate_bps * USED_SPAN_S * (1 - keep);
    self->used_at = now;
  }
  self->sent_bits += sent_bits;
}

/* Does the network set the rate, or the source? */
bool
rc_arc_network_limited (const RcArc *self)
{
  return self->sent_bits >= (self->starting ? self->params.used_start : self->params.used) * self->allowed_bits;
}

/* Over LOSS_SPAN_S of packets, so that the ratio of a few does not look like congestion. */
void
rc_arc_measure_loss (RcArc *self, const RcFeedback *feedback, RcTime now)
{
  double keep = exp (-rc_time_to_s (now - self->loss_at) / LOSS_SPAN_S);

  self->lost_pkts = self->lost_pkts * keep + feedback->lost_pkts;
  self->loss_pkts = self->loss_pkts * keep + feedback->lost_pkts + feedback->received_pkts;
  self->loss_ratio = self->lost_pkts / fmax (self->loss_pkts, LOSS_LEAST_PKTS);
  self->loss_at = now;
}
