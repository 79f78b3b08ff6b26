/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Real traffic: rmcsinks, rcprelay, arcsrcs. A loaded machine wakes threads late, so queues are
 * given room; ARC beside the explicit rate would take such delays for congestion, so it has no
 * say. */
#include "live.h"

#include <math.h>

#include "quiet.h"

CLAIM_TIMEOUT_S (240)

TIMED_CLAIM (test_ten_senders_share_the_link_and_one_alone_gets_it)
{
  LiveSetup setup = {
    .n = 10,.capacity_bps = 20000000,.law = "piqi-rcp",.spacing = 200 * GST_MSECOND,
    .settle = 4 * GST_SECOND,
    .steady = 3 * GST_SECOND,.relay = "",.sender = "controller-params=\"params,guard=(double)0\""
  };
  LiveResult result;

  fail_unless (live_run (&setup, &result));
  fail_unless (result.all.jain_ratio >= 0.99, "%g", result.all.jain_ratio);
  fail_unless (fabs (result.all.utilisation_ratio / 0.95 - 1) < 0.03,
      "%g", result.all.utilisation_ratio);
  fail_unless (result.all.dropped_pkts == 0 && result.all.lost_pkts == 0, "%u dropped, %u lost",
      (guint) result.all.dropped_pkts, (guint) result.all.lost_pkts);
  fail_unless (result.one.least_bps > 3 * result.all.most_bps, "%g", result.one.least_bps);
  fail_unless (result.stamped_pkts > 10000 && result.feedback_pkts > 1000, "%u stamped, %u back",
      (guint) result.stamped_pkts, (guint) result.feedback_pkts);
}
