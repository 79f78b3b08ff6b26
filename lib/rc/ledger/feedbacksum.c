/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Feedback about several streams as one; see feedbacksum.h. */
#include <rc/ledger/feedbacksum.h>

#include <rc/feedback/feedback.h>

void
rc_feedback_add (RcFeedback *a, const RcFeedback *b)
{
  bool b_is_last = b->rtt != RC_TIME_NONE && (a->rtt == RC_TIME_NONE || b->sent_at > a->sent_at);

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
