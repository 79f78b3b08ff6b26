/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What a sender knows of the path; the model is in path.h. */
#include <rc/path/path.h>

#include <math.h>
#include <rc/feedback/feedback.h>
#include <rc/loss/losshist.h>
#include <string.h>

#define SRTT_GAIN 8             /* RFC 6298: an eighth of the new sample */
#define LOSS_LEAST_PKTS 40      /* one loss among fewer packets says little about the ratio */
/* [ARC 3.1.4] The shortest, 200 ms, has a few frames, since reports are sent as packets come, and
 * four reports: with 30 % of them lost, four in a row are one in 120. */
#define TIMEOUT_SRTTS 2

void
rc_path_init (RcPath *self, double stop_s, bool forgiving, RcTime now)
{
  memset (self, 0, sizeof *self);
  self->srtt = self->rtt = RC_TIME_NONE;
  self->loss_at = now;
  self->forgiving = forgiving;
  self->outage_ended_at = RC_TIME_NONE;
  rc_winmin_init (&self->base_rtt, 0);
  rc_silence_init (&self->silence, stop_s);
  self->policy = RC_REPORT_POLICY_PATIENT;
  self->owed_at = RC_TIME_NONE;
}

/* --- timeouts and outages --- */

RcTime
rc_path_timeout_after (const RcPath *self, double span_s, unsigned timeouts)
{
  if (self->silence.stopped || self->owed_at == RC_TIME_NONE)
    return RC_TIME_NONE;
  return self->owed_at + rc_time_from_s (span_s * (exp2 (timeouts + 1) - 1));
}

RcTime
rc_path_timeout_at (const RcPath *self)
{
  return rc_path_timeout_after (self, TIMEOUT_SRTTS * rc_path_reaction_s (self), self->timeouts);
}

void
rc_path_on_timer (RcPath *self, RcTime now)
{
  RcTime at = rc_path_timeout_at (self);

  if (at != RC_TIME_NONE && now >= at)
    self->timeouts++;
}

void
rc_path_on_sent (RcPath *self, uint32_t size_bytes, RcTime now)
{
  rc_silence_on_sent (&self->silence, now);
  self->unreported_bytes += size_bytes;
  if (self->owed_at == RC_TIME_NONE && self->unreported_bytes >= self->policy.paying_bytes)
    self->owed_at = now;
}

/* Were the reports late, and nothing else? Then packets came all the time, and a round trip took as
 * long as the silence. */
static bool
were_reports_late (RcPath *self, const RcFeedback *report, RcTime now)
{
  RcTime arrived = report->delays.least_sent_at + report->delays.least_remote;
  RcTime silent = now - self->told_at, gap = arrived - self->arrived_remote;
  bool late = self->timeouts > 0 && !self->resumed && !report->restarted
      && report->delays.pkts > 0 && gap < silent / 2 && report->rtt > silent / 2;

  self->told_at = now;
  if (report->delays.pkts > 0)
    self->arrived_remote = arrived;
  return late;
}

static void
end_outage (RcPath *self, RcTime now)
{
  if (self->timeouts >= RC_PATH_OUTAGE_TIMEOUTS || self->resumed) {
    self->outage_ended_at = now;
    self->after_outage_pkts = 0;
    /* Late reports have delays that count, but what left meanwhile may be lost all the same: a
     * report that waited for an interface to come up looks as late as one behind TCP. */
    self->forgiving_until = self->reports_late ? now : now + rc_time_from_s (rc_path_srtt_s (self));
  }
  self->timeouts = 0;
}

/* The first reports after an outage count all that was lost in it, and have the packets that waited
 * until its end. Neither is congestion, and a wait of seconds is no RTT. Its last losses count when
 * later packets have come: at the least rate that takes longer than a round trip. */
static void
leave_out_outage (RcPath *self, RcFeedback *report, RcTime now)
{
  if (self->outage_ended_at == RC_TIME_NONE)
    return;
  if (now < self->forgiving_until || self->after_outage_pkts <= RC_LOSSHIST_REORDER_PKTS)
    report->lost_pkts = 0;
  if (report->sent_at != RC_TIME_NONE && report->sent_at > self->outage_ended_at)
    self->after_outage_pkts += report->received_pkts;
  if (now < self->forgiving_until) {
    report->delays.pkts = 0;
    report->rtt = RC_TIME_NONE;
  }
}

/* --- measures --- */

/* [ARC 3.1.1] */
static void
measure_delay (RcPath *self, const RcFeedback *report, RcTime now)
{
  int64_t base;

  self->rtt = report->rtt;
  if (report->rtt == RC_TIME_NONE)
    return;
  self->srtt = self->srtt
      == RC_TIME_NONE ? report->rtt : self->srtt + (report->rtt - self->srtt) / SRTT_GAIN;
  rc_winmin_add (&self->base_rtt, report->rtt, now);
  rc_winmin_get (&self->base_rtt, &base);
  self->tq = report->rtt - base;
}

static void
measure_loss (RcPath *self, const RcFeedback *report, RcTime now)
{
  double keep = exp (-rc_time_to_s (now - self->loss_at) / RC_PATH_LOSS_SPAN_S);

  self->lost_pkts = self->lost_pkts * keep + report->lost_pkts;
  self->told_pkts = self->told_pkts * keep + report->lost_pkts + report->received_pkts;
  self->loss_ratio = self->lost_pkts / fmax (self->told_pkts, LOSS_LEAST_PKTS);
  self->loss_at = now;
}

void
rc_path_on_feedback (RcPath *self, RcFeedback *report, bool answers, RcTime now)
{
  self->resumed = answers && rc_silence_on_feedback (&self->silence, now);
  self->policy = report->policy;
  self->unreported_bytes = 0;
  self->owed_at = RC_TIME_NONE;
  self->reports_late = were_reports_late (self, report, now);
  end_outage (self, now);
  if (self->forgiving)
    leave_out_outage (self, report, now);
  if (report->bandwidth_bps > 0)
    self->bandwidth_bps = (double) report->bandwidth_bps;
  measure_delay (self, report, now);
  measure_loss (self, report, now);
}

double
rc_path_srtt_s (const RcPath *self)
{
  return rc_time_to_s (self->srtt == RC_TIME_NONE ? RC_PATH_INITIAL_RTT : self->srtt);
}

double
rc_path_reaction_s (const RcPath *self)
{
  return fmax (rc_path_srtt_s (self), RC_PATH_REACTION_MIN_S);
}

double
rc_path_base_rtt_s (const RcPath *self)
{
  int64_t rtt;

  return rc_time_to_s (rc_winmin_get (&self->base_rtt, &rtt) ? rtt : RC_PATH_INITIAL_RTT);
}
