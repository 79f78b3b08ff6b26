/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Feedback about several streams as one; see feedbacksum.h. */
#include <rc/feedback/feedbacksum.h>

/* Loss events a packet of both together, as if no event had hit both: the larger of the two
 * would take the thinner stream's for all, and p of a stream with a tenth of the packets is ten
 * times as high. */
static double
joint_loss_event_ratio (const RcFeedback *a, const RcFeedback *b)
{
  double a_pkts = a->received_pkts, b_pkts = b->received_pkts;

  if (a_pkts + b_pkts <= 0)
    return a->loss_event_ratio > b->loss_event_ratio ? a->loss_event_ratio : b->loss_event_ratio;
  return (a->loss_event_ratio * a_pkts + b->loss_event_ratio * b_pkts) / (a_pkts + b_pkts);
}

static void
add_delays (RcDelays *a, const RcDelays *b, bool b_is_last)
{
  double share;

  if (b->pkts == 0)
    return;
  if (a->pkts == 0) {
    *a = *b;
    return;
  }
  share = b->pkts / ((double) a->pkts + b->pkts);
  a->mean_remote += (RcTime) ((double) (b->mean_remote - a->mean_remote) * share);
  if (b->least_remote < a->least_remote) {
    a->least_remote = b->least_remote;
    a->least_sent_at = b->least_sent_at;
  }
  if (b_is_last)
    a->last_remote = b->last_remote;
  a->pkts += b->pkts;
}

void
rc_feedback_add (RcFeedback *a, const RcFeedback *b)
{
  bool b_is_last = b->rtt != RC_TIME_NONE && (a->rtt == RC_TIME_NONE || b->sent_at > a->sent_at);

  a->loss_event_ratio = joint_loss_event_ratio (a, b);
  add_delays (&a->delays, &b->delays, b_is_last);
  if (b_is_last) {
    a->rtt = b->rtt;
    a->owd_remote = b->owd_remote;
    a->sent_at = b->sent_at;
  }
  a->bandwidth_bps += b->bandwidth_bps;
  a->received_bytes += b->received_bytes;
  a->received_pkts += b->received_pkts;
  a->lost_pkts += b->lost_pkts;
  a->ce_pkts += b->ce_pkts;
  a->ecn_pkts += b->ecn_pkts;
  a->ect1_pkts += b->ect1_pkts;
  a->ecn_read = a->ecn_read || b->ecn_read;
  a->outstanding_bytes += b->outstanding_bytes;
  if (a->explicit_rate_bps == 0
      || (b->explicit_rate_bps != 0 && b->explicit_rate_bps < a->explicit_rate_bps))
    a->explicit_rate_bps = b->explicit_rate_bps;
  a->restarted = a->restarted || b->restarted;
}
