/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What a session can tell about itself, and its form for applications. */
#pragma once

#include <gst/arc/arc.h>
#include <gst/gst.h>
#include <rc/sender/sender.h>
#include "pacing/resender.h"
#include "pacing/sendqueue.h"
#include <rc/base/types.h>

G_BEGIN_DECLS

#define RMC_STATS_MAX_LAW 24

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
  RcFact law_facts[RMC_STATS_MAX_LAW];
  guint n_law_facts;
} RmcStats;

/* The fields are documented at #GstRmcSink:stats. */
GstStructure *rmc_stats_to_structure (const RmcStats * self, const gchar * encoders);
/* For a session that sends again by itself. */
void rmc_stats_add_retransmission (const RmcStats * self, GstStructure * s);

G_END_DECLS
