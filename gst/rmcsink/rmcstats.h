/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What a session can tell about itself, and its form for applications. */
#pragma once

#include <gst/gst.h>
#include "ledgerset.h"
#include "common/sendqueue.h"
#include <rc/types.h>

G_BEGIN_DECLS

#define RMC_STATS_MAX_LAW 24

typedef struct
{
  guint target_bps;
  guint64 rate_bps, encoder_bps, sent_bps, bandwidth_bps;
  guint64 queue_bytes;
  RcTime queue_time, srtt, queueing_delay;      /* RC_TIME_NONE: unknown */
  guint64 packets_sent, bytes_sent;
  guint64 rtcp_malformed, not_rtcp, keyframe_requests;
  guint64 send_errors, send_again, refused, non_rtp_buffers;
  SendQueueStats queue;
  LedgerSetStats reports;
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

/* "rmcsink-stats"; the fields are documented at #GstRmcSink:stats. */
GstStructure *rmc_stats_to_structure (const RmcStats * self, const gchar * encoders);

G_END_DECLS
