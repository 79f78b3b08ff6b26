/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What a session can tell about itself, and its form for applications. */
#pragma once

#include <gst/arc/arc.h>
#include <gst/gst.h>
#include <rc/sender/sender.h>
#include "base/description.h"
#include "pacing/resender.h"
#include "pacing/sendqueue.h"
#include <rc/base/types.h>

G_BEGIN_DECLS

#define RMC_STATS_MAX_LAW 24

/* The fields of SendQueueKeyStats. */
#define RMC_STATS_KEYFRAMES \
    "keyframe-requests (told to encoders), keyframe-requests-received (PLI, FIR)," \
    DESCRIPTION_LINE "keyframe-requests-suppressed (a keyframe was on its way), " \
    "keyframe-requests-unknown (no such SSRC)"

/* For users, in gst-inspect-1.0. */
#define RMC_STATS_DESCRIPTION \
    "property stats, message \"" GST_RMC_SINK_STATS "\" each stats-interval and at EOS:" \
    DESCRIPTION_LINE "target-bitrate (bit/s of media), rate (bit/s on the network), " \
    "encoder-bitrate and sent-bitrate" \
    DESCRIPTION_LINE "(RTP that came in, packets that left; bit/s over the last second), " \
    "bandwidth (bit/s, reported)," \
    DESCRIPTION_LINE "queue-time (ns), queue-bytes, rtt, queueing-delay (ns, 0: unknown), " \
    "packets-sent," \
    DESCRIPTION_LINE "bytes-sent (with headers), frames-in, frames-dropped, packets-dropped, " \
    "packets-lost and" \
    DESCRIPTION_LINE "packets-ce (ECN marks; both reported), reports-received; refused: " \
    "reports-old," \
    DESCRIPTION_LINE "reports-never-sent, reports-impossible, reports-restarts, reports-foreign," \
    DESCRIPTION_LINE "receiver-reports (plain ones of RTP, among those received), receiver-bound " \
    "(REMB, bit/s; 0: none)," \
    DESCRIPTION_LINE "arrivals-refused (entries of their lists), rtcp-malformed, not-rtcp;" \
    DESCRIPTION_LINE "packets-untracked, send-errors, send-again (socket buffer full)," \
    DESCRIPTION_LINE RMC_STATS_KEYFRAMES "," \
    DESCRIPTION_LINE "refused (nobody listens at the port), path-changes (sent from or to " \
    "another address)," \
    DESCRIPTION_LINE "rtx-nacks (messages), rtx-asked (packets), of these: rtx-resent, " \
    "rtx-too-old, rtx-never-sent," \
    DESCRIPTION_LINE "rtx-over-budget, rtx-repeated (asked for again within a round trip); " \
    "rtx-bytes (resent, with" \
    DESCRIPTION_LINE "headers; also in bytes-sent), rtx-ssrcs (structure: the media's SSRC and " \
    "that of RFC 4588)," \
    DESCRIPTION_LINE "non-rtp-buffers, state (running, stopped), feedback-format (none, arc, " \
    "ccfb: RFC 8888," \
    DESCRIPTION_LINE "twcc, rr: receiver reports), reports-ignored (in a worse format beside " \
    "it), ecn (off," \
    DESCRIPTION_LINE "unknown: the receiver tells no ECN bits, trial, on: as ECT(0), l4s: as " \
    "ECT(1), failed: the path loses them)," \
    DESCRIPTION_LINE "congestion-control, encoders, and the law's own values as law-NAME (double)"

typedef struct
{
  guint target_bps;
  guint64 rate_bps;
  guint64 queue_bytes;
  RcTime queue_time, srtt, queueing_delay;      /* RC_TIME_NONE: unknown */
  guint64 rtcp_malformed, not_rtcp;
  guint64 send_errors, send_again, refused, path_changes, non_rtp_buffers;
  SendQueueStats queue;
  SendQueueKeyStats keys;
  ResenderStats resender;
  RtxStreams rtx_streams;
  RcSenderStats sender;
  gboolean stopped;
  const gchar *ecn;             /* state, or "off" */
  const gchar *law;
  struct
  {
    const gchar *name;
    gdouble value;
  } law_facts[RMC_STATS_MAX_LAW];
  guint n_law_facts;
} RmcStats;

/* The fields are documented at #GstRmcSink:stats. */
GstStructure *rmc_stats_to_structure (const RmcStats * self, const gchar * encoders);
/* For a session that sends again by itself. */
void rmc_stats_add_retransmission (const RmcStats * self, GstStructure * s);

G_END_DECLS
