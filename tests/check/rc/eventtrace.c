/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* When an event trace has news of a sender, and what it says then. */
#include <rc/law/controller.h>
#include <rc/trace/eventtrace.h>

#include "claim.h"

static struct
{
  RcSender sender;
  RcLaneMemory memory;
  RcLane *lane;
  RcEventTrace trace;
  RcTraceRecord record;
  RcSenderPlan plan;
} w;

BEFORE_EACH
{
  RcController law;
  RcSenderConfig config = {.controller = &law,.limits = {100000, 1000000, 5000000},
    .pacing = RC_RMC_PARAMS_DEFAULT,.overhead_bytes = RC_OVERHEAD_IPV4_BYTES
  };

  memset (&w, 0, sizeof w);
  rc_controller_init (&law, rc_law_find ("arc"), RC_PROFILE_LIVE);
  rc_sender_init (&w.sender, &config, 0);
  w.lane = rc_sender_add_lane (&w.sender, 0, &w.memory, &config, 0);
  rc_eventtrace_init (&w.trace);
}

static gboolean
look (RcTime now)
{
  return rc_eventtrace_look (&w.trace, &w.sender, 0, w.lane, 77, now, &w.record);
}

CLAIM (test_first_look_is_news_and_the_next_is_not)
{
  fail_unless (look (RC_MSEC));
  fail_unless_equals_int64 (w.record.at, RC_MSEC);
  fail_unless_equals_int (w.record.cause, RC_CAUSE_START);
  fail_unless_equals_string (w.record.state, "start");
  fail_unless_equals_uint64 (w.record.rate_bps, 1000000);
  fail_unless_equals_uint64 (w.record.waiting_bytes, 77);
  fail_if (w.record.reported);
  fail_if (look (2 * RC_MSEC));
}

CLAIM (test_another_cause_is_news)
{
  look (0);
  rc_sender_on_bound (&w.sender, 1000000, RC_MSEC);
  fail_unless (look (RC_MSEC));
  fail_unless_equals_int (w.record.cause, RC_CAUSE_RECEIVER);
  fail_unless_equals_uint64 (w.record.bound_bps, 1000000);
}

CLAIM (test_another_target_is_news)
{
  look (0);
  rc_sender_plan (&w.sender, 0, RC_MSEC, &w.plan);
  fail_unless (look (RC_MSEC));
  fail_unless_equals_int (w.record.target_bps, w.plan.target_bps);
}

CLAIM (test_stop_is_news)
{
  RcSenderPacket packet = {.ssrc = 1,.rtp_bytes = 1000,.media_bytes = 988 };
  RcLanePlan plan;

  rc_sender_on_sent (&w.sender, &packet, FALSE, 0);
  look (0);
  for (RcTime now = 0; now < 6 * RC_SECOND; now += 100 * RC_MSEC)
    rc_lane_plan (w.lane, now, &plan);
  fail_unless (look (6 * RC_SECOND));
  fail_unless (w.record.stopped);
  fail_unless_equals_string (w.record.state, "stopped");
  fail_unless_equals_int (w.record.cause, RC_CAUSE_TIMEOUT);
}
