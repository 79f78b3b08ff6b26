/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/trace/eventtrace.h>

#include <math.h>
#include <rc/law/controller.h>
#include <string.h>

#define NEWS_RATIO 0.02         /* of the rate; the same change is worth telling to an encoder */

void
rc_eventtrace_init (RcEventTrace *self)
{
  memset (self, 0, sizeof *self);
}

static void
fill_path (RcTraceRecord *record, const RcLane *lane, RcTime now)
{
  const RcController *law = rc_lane_law (lane);
  const RcPath *path = &law->path;
  int64_t least;

  record->law = law->law;
  record->state = record->stopped ? "stopped" : rc_controller_state_name (law);
  record->n_facts = rc_controller_measure (law, record->facts);
  record->queueing_delay = rc_lane_queueing_delay (lane);
  record->smoothed_rtt = record->latest_rtt = record->least_rtt = path->srtt;
  if (path->srtt == RC_TIME_NONE)
    return;
  record->latest_rtt = path->rtt;
  if (rc_winmin_get (&path->base_rtt, &least))
    record->least_rtt = least;
}

static void
fill_sums (RcTraceRecord *record, RcSender *sender, RcLane *lane, RcTime now)
{
  RcSenderStats stats;

  rc_lane_get_stats (lane, now, &stats);
  record->sent_bps = stats.sent_bps;
  record->received_pkts = stats.reports.received_pkts;
  record->lost_pkts = stats.reports.lost_pkts;
  record->marked_pkts = stats.reports.ce_pkts;
  rc_sender_get_stats (sender, now, &stats);
  record->made_bps = stats.made_bps;
  record->bound_bps = stats.bound_bps;
}

/* What the law makes of delays may hide them: d is 0 where a time-out or noise explains them. */
static void
fill_one_way (RcTraceRecord *record, const RcLane *lane, const RcTraceState *before,
    RcTraceState *is)
{
  RcTime remote = rc_lane_delay_remote (lane);

  is->least_remote = before->any ? before->least_remote : RC_TIME_NONE;
  record->one_way = RC_TIME_NONE;
  if (remote == RC_TIME_NONE)
    return;
  if (is->least_remote == RC_TIME_NONE || remote < is->least_remote)
    is->least_remote = remote;
  record->one_way = remote - is->least_remote;
}

static bool
is_news (const RcTraceState *before, const RcTraceState *is)
{
  double change_bps = fabs ((double) is->rate_bps - (double) before->rate_bps);

  return !before->any || before->n_feedback != is->n_feedback || before->cause != is->cause
      || before->stopped != is->stopped || before->target_bps != is->target_bps
      || change_bps > NEWS_RATIO * (double) before->rate_bps;
}

bool
rc_eventtrace_look (RcEventTrace *self, RcSender *sender, unsigned index, RcLane *lane,
    uint64_t queue_bytes, RcTime now, RcTraceRecord *record)
{
  RcTraceState *before = &self->before[index], is = { .any = true };
  bool alone = rc_sender_lead (sender) == lane && rc_sender_gate (sender) == rc_lane_gate (lane);

  is.n_feedback = rc_lane_n_feedback (lane);
  if (is.n_feedback < before->n_feedback)
    *before = (RcTraceState) { false };         /* another lane in its place */
  is.rate_bps = rc_lane_rate_bps (lane);
  is.cause = alone ? rc_sender_cause (sender) : rc_lane_cause (lane);
  is.stopped = rc_lane_is_stopped (lane);
  is.target_bps = rc_sender_target_bps (sender);
  if (!is_news (before, &is))
    return false;
  *record = (RcTraceRecord) { .at = now, .lane = index, .stopped = is.stopped,
    .reported = is.n_feedback != before->n_feedback, .cause = is.cause, .rate_bps = is.rate_bps,
    .target_cause = rc_sender_target_cause (sender), .target_bps = is.target_bps,
    .waiting_bytes = queue_bytes };
  fill_path (record, lane, now);
  fill_sums (record, sender, lane, now);
  fill_one_way (record, lane, before, &is);
  is.received_pkts = record->received_pkts;
  is.lost_pkts = record->lost_pkts;
  is.marked_pkts = record->marked_pkts;
  record->received_pkts -= before->received_pkts;
  record->lost_pkts -= before->lost_pkts;
  record->marked_pkts -= before->marked_pkts;
  *before = is;
  return true;
}
