/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "rmcstats.h"

static guint64
time_or_zero (RcTime t)
{
  return t == RC_TIME_NONE ? 0 : (guint64) t;
}

static guint
saturate (guint64 bps)
{
  return (guint) MIN (bps, G_MAXUINT);
}

static void
add_rates (const RmcStats * self, GstStructure * s)
{
  gst_structure_set (s,
      "target-bitrate", G_TYPE_UINT, self->target_bps,
      "rate", G_TYPE_UINT64, self->rate_bps,
      "encoder-bitrate", G_TYPE_UINT, saturate (self->sender.made_bps),
      "sent-bitrate", G_TYPE_UINT, saturate (self->sender.sent_bps),
      "bandwidth", G_TYPE_UINT64, self->sender.bandwidth_bps,
      "queue-time", GST_TYPE_CLOCK_TIME, time_or_zero (self->queue_time),
      "queue-bytes", G_TYPE_UINT64, self->queue_bytes,
      "rtt", G_TYPE_UINT64, time_or_zero (self->srtt),
      "queueing-delay", G_TYPE_UINT64, time_or_zero (self->queueing_delay), NULL);
}

static void
add_counters (const RmcStats * self, GstStructure * s)
{
  gst_structure_set (s,
      "packets-sent", G_TYPE_UINT64, self->sender.packets,
      "bytes-sent", G_TYPE_UINT64, self->sender.bytes,
      "frames-in", G_TYPE_UINT64, self->queue.frames_in,
      "frames-dropped", G_TYPE_UINT64, self->queue.frames_dropped,
      "packets-dropped", G_TYPE_UINT64, self->queue.packets_dropped,
      "fec-packets", G_TYPE_UINT64, self->queue.fec_in,
      "fec-dropped", G_TYPE_UINT64, self->queue.fec_dropped,
      "packets-lost", G_TYPE_UINT64, self->sender.reports.lost_pkts,
      "packets-ce", G_TYPE_UINT64, self->sender.reports.ce_pkts,
      "reports-received", G_TYPE_UINT64, self->sender.reports.accepted,
      "reports-old", G_TYPE_UINT64, self->sender.reports.old,
      "reports-never-sent", G_TYPE_UINT64, self->sender.reports.never_sent,
      "reports-impossible", G_TYPE_UINT64, self->sender.reports.impossible,
      "reports-restarts", G_TYPE_UINT64, self->sender.reports.too_many_restarts,
      "receiver-reports", G_TYPE_UINT64, self->sender.receiver_reports,
      "receiver-bound", G_TYPE_UINT64, self->sender.bound_bps,
      "reports-foreign", G_TYPE_UINT64, self->sender.reports.foreign,
      "reports-ignored", G_TYPE_UINT64, self->sender.ignored,
      "arrivals-refused", G_TYPE_UINT64, self->sender.reports.false_arrivals,
      "packets-untracked", G_TYPE_UINT64, self->sender.reports.untracked_pkts,
      "rtcp-malformed", G_TYPE_UINT64, self->rtcp_malformed,
      "not-rtcp", G_TYPE_UINT64, self->not_rtcp,
      "keyframe-requests", G_TYPE_UINT64, self->keys.ordered,
      "keyframe-requests-received", G_TYPE_UINT64, self->keys.received,
      "keyframe-requests-suppressed", G_TYPE_UINT64, self->keys.suppressed,
      "keyframe-requests-unknown", G_TYPE_UINT64, self->keys.unknown,
      "send-errors", G_TYPE_UINT64, self->send_errors,
      "send-again", G_TYPE_UINT64, self->send_again,
      "refused", G_TYPE_UINT64, self->refused,
      "path-changes", G_TYPE_UINT64, self->path_changes,
      "non-rtp-buffers", G_TYPE_UINT64, self->non_rtp_buffers, NULL);
}

void
rmc_stats_add_retransmission (const RmcStats * self, GstStructure * s)
{
  const ResenderStats *resender = &self->resender;
  GstStructure *ssrcs = rtx_streams_to_structure (&self->rtx_streams);

  gst_structure_set (s,
      "rtx-nacks", G_TYPE_UINT64, resender->nacks,
      "rtx-asked", G_TYPE_UINT64, resender->asked,
      "rtx-resent", G_TYPE_UINT64, resender->resent,
      "rtx-bytes", G_TYPE_UINT64, resender->resent_bytes,
      "rtx-too-old", G_TYPE_UINT64, resender->too_old,
      "rtx-never-sent", G_TYPE_UINT64, resender->never_sent,
      "rtx-over-budget", G_TYPE_UINT64, resender->over_budget,
      "rtx-repeated", G_TYPE_UINT64, resender->repeated,
      "rtx-ssrcs", GST_TYPE_STRUCTURE, ssrcs, NULL);
  gst_structure_free (ssrcs);
}

GstStructure *
rmc_stats_to_structure (const RmcStats * self, const gchar * encoders)
{
  GstStructure *s = gst_structure_new_empty (GST_RMC_SINK_STATS);
  guint i;

  add_rates (self, s);
  add_counters (self, s);
  gst_structure_set (s, "state", G_TYPE_STRING, self->stopped ? "stopped" : "running",
      "feedback-format", G_TYPE_STRING, rc_format_name (self->sender.format),
      "ecn", G_TYPE_STRING, self->ecn, "congestion-control", G_TYPE_STRING, self->law,
      "encoders", G_TYPE_STRING, encoders ? encoders : "", NULL);
  for (i = 0; i < self->n_law_facts; i++) {
    gchar *name = g_strconcat ("law-", self->law_facts[i].name, NULL);

    gst_structure_set (s, name, G_TYPE_DOUBLE, self->law_facts[i].value, NULL);
    g_free (name);
  }
  return s;
}
