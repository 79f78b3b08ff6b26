/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "meter.h"

#include <gst/rtp/rtp.h>

#include "base/clockglue.h"
#include "net/ecnbits.h"
#include "rtp/ratestamp.h"

/* Of a packet in the network; the report's are counted so, too. */
#define OVERHEAD_BYTES RC_OVERHEAD_IPV4_BYTES
#define MAX_ARRIVAL_AGE RC_SECOND       /* a claim older than this is not a time of arrival */

void
meter_init (Meter * self)
{
  *self = (Meter) { 0 };
  g_mutex_init (&self->lock);
  source_table_init (&self->sources, RC_BWFILTER_TAU);
  g_atomic_int_set (&self->stamp_id, RATE_STAMP_ID);
}

void
meter_clear (Meter * self)
{
  gst_clear_object (&self->clock);
  g_mutex_clear (&self->lock);
}

/* From here on: statics want the lock held, the others take it. */

static RcTime
clock_now (Meter * self)
{
  return clock_glue_from_gst (gst_clock_get_time (self->clock));
}

static void
new_instance (Meter * self)
{
  self->instance = g_random_int ();
  self->arrived_at = 0;
  source_table_forget (&self->sources);
}

void
meter_restart (Meter * self)
{
  g_mutex_lock (&self->lock);
  self->instance = g_random_int ();
  self->arrived_at = 0;
  source_table_init (&self->sources, self->sources.tau);
  self->reports_sent = self->sender_infos = self->rtcp_other = self->rtcp_malformed =
      self->invalid_pkts = 0;
  g_mutex_unlock (&self->lock);
}

void
meter_set_clock (Meter * self, GstClock * clock)
{
  g_mutex_lock (&self->lock);
  if (gst_object_replace ((GstObject **) & self->clock, GST_OBJECT (clock)))
    new_instance (self);
  g_mutex_unlock (&self->lock);
}

void
meter_set_caps (Meter * self, const GstCaps * caps)
{
  g_atomic_int_set (&self->stamp_id, rate_stamp_id_of_caps (caps));
}

void
meter_set_tau (Meter * self, RcTime tau)
{
  g_mutex_lock (&self->lock);
  source_table_set_tau (&self->sources, tau);
  g_mutex_unlock (&self->lock);
}

RcTime
meter_tau (Meter * self)
{
  RcTime tau;

  g_mutex_lock (&self->lock);
  tau = self->sources.tau;
  g_mutex_unlock (&self->lock);
  return tau;
}

static RcTime
arrival (Meter * self, GstClockTime claimed_at, RcTime now)
{
  RcTime claimed = clock_glue_from_gst (claimed_at);
  RcTime arrived_at = now;

  if (claimed != RC_TIME_NONE && claimed <= now && now - claimed <= MAX_ARRIVAL_AGE)
    arrived_at = claimed;
  self->arrived_at = MAX (self->arrived_at, arrived_at);
  return self->arrived_at;
}

/* Lock-free. */
static gboolean
read_header (GstBuffer * buffer, guint8 stamp_id, guint32 * ssrc, guint16 * seq,
    guint64 * explicit_bps)
{
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  if (!gst_rtp_buffer_map (buffer, GST_MAP_READ | GST_RTP_BUFFER_MAP_FLAG_SKIP_PADDING, &rtp))
    return FALSE;
  *ssrc = gst_rtp_buffer_get_ssrc (&rtp);
  *seq = gst_rtp_buffer_get_seq (&rtp);
  *explicit_bps = rate_stamp_read (&rtp, stamp_id);
  gst_rtp_buffer_unmap (&rtp);
  return TRUE;
}

gboolean
meter_take_rtp (Meter * self, GstBuffer * buffer, GstClockTime claimed_at, RcTime * due_at)
{
  guint32 ssrc = 0;
  guint16 seq = 0;
  guint64 explicit_bps = 0;
  gboolean is_rtp = read_header (buffer, (guint8) g_atomic_int_get (&self->stamp_id), &ssrc,
      &seq, &explicit_bps);
  EcnBits ecn = is_rtp ? ecn_bits_of_buffer (buffer) : ECN_BITS_UNKNOWN;
  RcTime now;
  Source *source = NULL;

  *due_at = RC_TIME_NONE;
  g_mutex_lock (&self->lock);
  now = clock_now (self);
  source_table_count (&self->sources, (guint) gst_buffer_get_size (buffer) + OVERHEAD_BYTES);
  if (is_rtp)
    source = source_table_get (&self->sources, ssrc, now);
  else
    self->invalid_pkts++;
  if (source) {
    rc_receiver_on_packet (&source->receiver, seq, gst_buffer_get_size (buffer), ecn == ECN_BITS_CE,
        arrival (self, claimed_at, now));
    if (ecn != ECN_BITS_UNKNOWN)
      rc_receiver_on_ecn (&source->receiver, ecn != ECN_BITS_NOT_ECT);
    rc_receiver_on_stamp (&source->receiver, explicit_bps);
    *due_at = source_table_due_at (&self->sources, now);
  }
  g_mutex_unlock (&self->lock);
  return is_rtp;
}

static void
take_infos (Meter * self, const RtcpFeedback * feedback, RcTime now)
{
  guint i;

  for (i = 0; i < feedback->n_infos; i++) {
    Source *source = source_table_get_told (&self->sources, feedback->infos[i].ssrc, now);

    self->sender_infos++;
    if (!source)
      continue;
    source->srtt_us = feedback->infos[i].srtt_us;
    rc_receiver_on_info (&source->receiver, &feedback->infos[i], now);
  }
}

gboolean
meter_take_rtcp (Meter * self, GstBuffer * buffer, RcTime * due_at)
{
  RtcpFeedback feedback;
  RtcpFeedbackKind kind = rtcp_feedback_parse (buffer, &feedback);
  gboolean others = kind == RTCP_FEEDBACK_OTHER || (kind == RTCP_FEEDBACK_OURS && feedback.others);
  RcTime now;

  g_mutex_lock (&self->lock);
  now = clock_now (self);
  source_table_count (&self->sources, (guint) gst_buffer_get_size (buffer) + OVERHEAD_BYTES);
  if (kind == RTCP_FEEDBACK_OURS)
    take_infos (self, &feedback, now);
  else if (!others)
    self->rtcp_malformed++;
  if (others)
    self->rtcp_other++;
  *due_at = source_table_due_at (&self->sources, now);
  g_mutex_unlock (&self->lock);
  return others;
}

GstBuffer *
meter_report (Meter * self, RcTime * due_at)
{
  RcReport reports[SOURCE_TABLE_SIZE];
  GstBuffer *buffer = NULL;
  RcTime now;

  g_mutex_lock (&self->lock);
  now = clock_now (self);
  *due_at = source_table_due_at (&self->sources, now);
  if (*due_at != RC_TIME_NONE && *due_at <= now) {
    guint n = source_table_report (&self->sources, now, reports);

    if (n > 0)
      buffer = rtcp_feedback_new_reports (self->instance, reports, n);
    *due_at = source_table_due_at (&self->sources, now);
  }
  g_mutex_unlock (&self->lock);
  return buffer;
}

void
meter_count_sent (Meter * self)
{
  g_mutex_lock (&self->lock);
  self->reports_sent++;
  g_mutex_unlock (&self->lock);
}

static void
add_sources (Meter * self, GstStructure * stats)
{
  GValue sources = G_VALUE_INIT, source = G_VALUE_INIT;
  guint i;

  g_value_init (&sources, GST_TYPE_ARRAY);
  g_value_init (&source, GST_TYPE_STRUCTURE);
  for (i = 0; i < self->sources.n_sources; i++) {
    g_value_take_boxed (&source, source_to_structure (&self->sources.sources[i]));
    gst_value_array_append_value (&sources, &source);
  }
  g_value_unset (&source);
  gst_structure_take_value (stats, "sources", &sources);
}

GstStructure *
meter_to_structure (Meter * self)
{
  GstStructure *stats;
  SourceTotals totals;
  guint64 bandwidth_bps;

  g_mutex_lock (&self->lock);
  totals = source_table_totals (&self->sources);
  bandwidth_bps = self->clock ? source_table_bandwidth_bps (&self->sources, clock_now (self)) : 0;
  stats = gst_structure_new (GST_ARC_RECEIVER_STATS,
      "bandwidth", G_TYPE_UINT64, bandwidth_bps,
      "packets-received", G_TYPE_UINT64, totals.received_pkts,
      "packets-lost", G_TYPE_UINT64, totals.lost_pkts,
      "packets-reordered", G_TYPE_UINT64, totals.reordered_pkts,
      "packets-duplicate", G_TYPE_UINT64, totals.duplicate_pkts,
      "packets-stray", G_TYPE_UINT64, totals.stray_pkts,
      "packets-ecn", G_TYPE_UINT64, totals.ecn_pkts,
      "packets-ce", G_TYPE_UINT64, totals.ce_pkts,
      "bytes-received", G_TYPE_UINT64, totals.received_bytes,
      "reports-sent", G_TYPE_UINT64, self->reports_sent,
      "sender-infos", G_TYPE_UINT64, self->sender_infos,
      "rtcp-other", G_TYPE_UINT64, self->rtcp_other,
      "rtcp-malformed", G_TYPE_UINT64, self->rtcp_malformed,
      "invalid-packets", G_TYPE_UINT64, self->invalid_pkts,
      "sources-evicted", G_TYPE_UINT64, self->sources.evicted,
      "sources-refused", G_TYPE_UINT64, self->sources.refused, NULL);
  add_sources (self, stats);
  g_mutex_unlock (&self->lock);
  return stats;
}
