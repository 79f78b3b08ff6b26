/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* When an event trace has news of a sender, and what it says then. */
#include <rc/ledger/ledger.h>
#include <rc/law/controller.h>
#include <rc/receiver/receiver.h>
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
  RcReceiver receiver;
  RcLedgerEntry entries[64];
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

#define WAY (25 * RC_MSEC)
#define RTP_BYTES 1000

/* Packets, of which the first `lost` do not come, and a report of it: `extra` later than at
 * best. */
static void
exchange (guint16 seq, guint n, guint lost, RcTime extra, RcTime now)
{
  RcReport report;

  for (guint i = 0; i < n; i++) {
    RcSenderPacket packet = {.ssrc = 1,.seq = (guint16) (seq + i),.rtp_bytes = RTP_BYTES,
      .media_bytes = RTP_BYTES - 12
    };

    rc_sender_on_sent (&w.sender, &packet, TRUE, now);
    if (i >= lost)
      rc_receiver_on_packet (&w.receiver, packet.seq, RTP_BYTES, FALSE, now + WAY + extra);
  }
  rc_receiver_report (&w.receiver, now + WAY + extra, &report);
  rc_lane_on_reports (w.lane, &report, 1, 99, now + 2 * WAY + extra);
}

CLAIM (test_one_way_is_above_the_least_and_packets_since_the_record_before)
{
  rc_lane_give_entries (w.lane, rc_numbers_of_ssrc (1), w.entries, G_N_ELEMENTS (w.entries), 0);
  rc_receiver_init (&w.receiver, 1, RC_BWFILTER_TAU);
  look (0);
  fail_unless_equals_int64 (w.record.one_way, RC_TIME_NONE);
  exchange (0, 4, 0, 0, RC_SECOND);
  fail_unless (look (RC_SECOND + 2 * WAY));
  fail_unless_equals_int64 (w.record.one_way, 0);
  fail_unless_equals_uint64 (w.record.received_pkts, 4);
  exchange (4, 5, 2, 200 * RC_MSEC, 2 * RC_SECOND);
  fail_unless (look (3 * RC_SECOND));
  fail_unless_equals_int64 (w.record.one_way / RC_MSEC, 200);
  fail_unless_equals_uint64 (w.record.received_pkts, 3);
  fail_unless_equals_uint64 (w.record.lost_pkts, 2);
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
