/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What the reports show of the path; the model is in path.h. */
#include <rc/path/path.h>

#include <math.h>
#include <string.h>

#define SRTT_GAIN 8             /* RFC 6298: an eighth of the new sample */
#define LOSS_LEAST_PKTS 40      /* one loss among fewer packets says little about the ratio */

void
rc_path_init (RcPath *self, RcTime now)
{
  memset (self, 0, sizeof *self);
  self->srtt = self->rtt = RC_TIME_NONE;
  self->loss_at = now;
  rc_winmin_init (&self->base_rtt, 0);
}

/* [ARC 3.1.1] */
static void
measure_delay (RcPath *self, const RcFeedback *feedback, RcTime now)
{
  int64_t base;

  self->rtt = feedback->rtt;
  if (feedback->rtt == RC_TIME_NONE)
    return;
  self->srtt = self->srtt
      == RC_TIME_NONE ? feedback->rtt : self->srtt + (feedback->rtt - self->srtt) / SRTT_GAIN;
  rc_winmin_add (&self->base_rtt, feedback->rtt, now);
  rc_winmin_get (&self->base_rtt, &base);
  self->tq = feedback->rtt - base;
}

static void
measure_loss (RcPath *self, const RcFeedback *feedback, RcTime now)
{
  double keep = exp (-rc_time_to_s (now - self->loss_at) / RC_PATH_LOSS_SPAN_S);

  self->lost_pkts = self->lost_pkts * keep + feedback->lost_pkts;
  self->told_pkts = self->told_pkts * keep + feedback->lost_pkts + feedback->received_pkts;
  self->loss_ratio = self->lost_pkts / fmax (self->told_pkts, LOSS_LEAST_PKTS);
  self->loss_at = now;
}

void
rc_path_on_feedback (RcPath *self, const RcFeedback *feedback, RcTime now)
{
  if (feedback->bandwidth_bps > 0)
    self->bandwidth_bps = (double) feedback->bandwidth_bps;
  measure_delay (self, feedback, now);
  measure_loss (self, feedback, now);
}

double
rc_path_srtt_s (const RcPath *self)
{
  return rc_time_to_s (self->srtt == RC_TIME_NONE ? RC_PATH_INITIAL_RTT : self->srtt);
}

double
rc_path_base_rtt_s (const RcPath *self)
{
  int64_t rtt;

  return rc_time_to_s (rc_winmin_get (&self->base_rtt, &rtt) ? rtt : RC_PATH_INITIAL_RTT);
}
