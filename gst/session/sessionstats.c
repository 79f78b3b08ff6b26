/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "sessionstats.h"

#include <gst/arc/arc.h>
#include <rc/law/controller.h>

#define COUNTER(...) FIELD_COUNTER (SessionStats, __VA_ARGS__)
#define GAUGE(...) FIELD_GAUGE (SessionStats, __VA_ARGS__)
#define BITRATE(...) FIELD_BITRATE (SessionStats, __VA_ARGS__)
#define TEXT(...) FIELD_TEXT (SessionStats, __VA_ARGS__)

const FieldRow session_fields[] = {
  BITRATE (target_bps, "target-bitrate", "bitrate requested from the encoders, media only"),
  BITRATE (rate_bps, "rate", "current sending rate, headers included"),
  TEXT (rate_cause, "rate-cause", "why rate is what it is: a word of docs/guide/operating.md"),
  TEXT (target_cause, "target-cause",
      "why the encoders get no more"),
  BITRATE (pacing_bps, "pacing-rate",
      "rate at which the packets of a frame leave"),
  TEXT (pacing_cause, "pacing-cause",
      "why pacing-rate is what it is: a word of docs/guide/operating.md"),
  BITRATE (sender.made_bps, "input-bitrate", "media received from upstream in the last second"),
  BITRATE (sender.sent_bps, "sent-bitrate", "sent in the last second, headers included"),
  BITRATE (sender.bandwidth_bps, "received-bitrate", "received by the receiver, as reported"),
  GAUGE (queue_time, "queue-time", "ns", "time to send the queued media at the current rate"),
  GAUGE (queue_bytes, "queue-bytes", "bytes", "media queued here"),
  GAUGE (queue.held_p50, "frame-hold-p50", "ns",
      "median time from a frame's first packet in to its last packet out"),
  GAUGE (queue.held_p95, "frame-hold-p95", "ns", "95th percentile of it"),
  GAUGE (queue.held_p99, "frame-hold-p99", "ns", "99th percentile of it"),
  GAUGE (srtt, "rtt", "ns", "smoothed round-trip time; 0: unknown"),
  GAUGE (queueing_delay, "queueing-delay", "ns",
      "queueing delay in the network; 0: unknown, as while nothing is sent, or none"),
  COUNTER (sender.packets, "packets-sent", "", "packets sent, including repairs and probes"),
  COUNTER (sender.bytes, "bytes-sent", "bytes", "bytes sent, headers included"),
  COUNTER (queue.frames_in, "frames-in", "", "frames received from upstream"),
  GAUGE (frames_per_s, "frames-per-second", "1/s", "of these, over the last second"),
  COUNTER (queue.frames_dropped, "frames-dropped", "",
      "frames dropped because the queue was full"),
  COUNTER (queue.packets_dropped, "packets-dropped", "",
      "packets of dropped frames, and fec-dropped"),
  COUNTER (queue.fec_in, "fec-packets", "", "FEC packets received from upstream"),
  COUNTER (queue.fec_dropped, "fec-dropped", "",
      "FEC packets dropped, as their media was partly sent or changed"),
  COUNTER (sender.reports.lost_pkts, "packets-lost", "",
      "packets lost in the network, as reported"),
  COUNTER (sender.reports.untracked_pkts, "packets-untracked", "",
      "packets of more SSRCs than reports are verified for"),
  COUNTER (path.send_again, "send-blocked", "",
      "packets deferred because the socket buffer was full"),
  COUNTER (non_rtp_buffers, "non-rtp-buffers", "",
      "buffers not sent because they are not RTP packets"),
  COUNTER (sender.reports.accepted, "reports-received", "", "reports accepted"),
  COUNTER (sender.reports.old, "reports-old", "", "reports rejected: older than a previous one"),
  COUNTER (sender.reports.never_sent, "reports-never-sent", "",
      "reports rejected: of packets that were never sent"),
  COUNTER (sender.reports.impossible, "reports-impossible", "",
      "reports rejected: inconsistent contents"),
  COUNTER (sender.reports.too_many_restarts, "reports-restarts", "",
      "reports rejected: too many receiver restarts"),
  COUNTER (sender.ignored, "reports-ignored", "", "reports in a worse format than the one in use"),
  COUNTER (sender.receiver_reports, "receiver-reports", "",
      "plain RTP receiver reports among reports-received"),
  BITRATE (sender.bound_bps, "remb-bitrate", "upper limit set by the receiver (REMB); 0: none"),
  COUNTER (sender.reports.false_arrivals, "arrivals-rejected", "",
      "entries of packet lists rejected as impossible"),
  COUNTER (keys.ordered, "keyframe-requests", "", "keyframe requests for the encoders"),
  COUNTER (keys_refused, "keyframe-requests-refused", "",
      "of these: not passed on, as this viewer asks too often"),
  COUNTER (keys.received, "keyframe-requests-received", "", "PLI and FIR messages received"),
  COUNTER (keys.suppressed, "keyframe-requests-suppressed", "",
      "of these: suppressed because a keyframe was under way"),
  COUNTER (keys.unknown, "keyframe-requests-unknown", "",
      "of these: for an SSRC that is not sent here"),
  TEXT (state, "state", "running, or stopped: no reports, so no media is sent"),
  TEXT (format, "feedback-format", "none, arc, ccfb (RFC 8888), twcc, or rr (receiver reports)"),
  TEXT (law.name, "congestion-control", "algorithm in control"),
  TEXT (encoders, "encoders", "names of the controlled encoders, separated by commas"),
  {NULL}
};

const FieldRow session_fields_socket[] = {
  TEXT (law.ecn, "ecn",
      "off, unknown (the receiver does not report ECN), trial, on (ECT(0)), l4s (ECT(1)), or "
      "failed (marks are lost on the path)"),
  COUNTER (sender.reports.ce_pkts, "packets-ce", "", "packets marked by routers, as reported"),
  COUNTER (sender.reports.foreign, "reports-foreign", "", "reports rejected: unknown SSRC"),
  COUNTER (rtcp_malformed, "rtcp-malformed", "", "malformed RTCP packets"),
  COUNTER (not_rtcp, "not-rtcp", "", "datagrams received that are not RTCP"),
  COUNTER (path.send_errors, "send-errors", "", "packets not sent because of a system error"),
  COUNTER (path.refused, "port-unreachable", "", "ICMP errors: no program listens at the port"),
  COUNTER (path_changes, "path-changes", "", "changes of the address in use at either end"),
  {NULL}
};

const FieldRow session_fields_retransmission[] = {
  COUNTER (resender.nacks, "rtx-nacks", "", "NACK messages received"),
  COUNTER (resender.asked, "rtx-asked", "", "packets requested by them"),
  COUNTER (resender.resent, "rtx-resent", "", "packets retransmitted, each copy counted"),
  COUNTER (resender.resent_bytes, "rtx-bytes", "bytes",
      "the same in bytes, headers included; part of bytes-sent"),
  COUNTER (resender.too_old, "rtx-too-old", "", "requests ignored: sent longer ago than rtx-time"),
  COUNTER (resender.never_sent, "rtx-never-sent", "", "requests ignored: never sent"),
  COUNTER (resender.over_budget, "rtx-over-budget", "",
      "requests ignored: share of the rate for repair exceeded"),
  COUNTER (resender.repeated, "rtx-repeated", "", "requests ignored: repeated within a round trip"),
  FIELD_OWN (FIELD_STRUCTURE, "rtx-ssrcs",
      "SSRC of the media and the SSRC of its retransmissions (RFC 4588)"),
  {NULL}
};

/* --- facts of the law --- */

/* A fact in the types and units that our statistics have. */
typedef struct
{
  gdouble number;
  RcTime time;
  guint64 bytes;
  const gchar *word;
} LawValue;

#define LAW_PREFIX "law-"

/* name: with the prefix. */
static FieldRow
row_of (const RcFact * fact, const gchar * name)
{
  if (fact->words)
    return (FieldRow) FIELD_TEXT (LawValue, word, name, fact->text);
  if (g_str_equal (fact->unit, "s"))
    return (FieldRow) FIELD_GAUGE (LawValue, time, name, "ns", fact->text);
  if (g_str_equal (fact->unit, "bits"))
    return (FieldRow) FIELD_GAUGE (LawValue, bytes, name, "bytes", fact->text);
  if (g_str_equal (fact->unit, "bit/s"))
    return (FieldRow) FIELD_BITRATE (LawValue, number, name, fact->text);
  return (FieldRow) FIELD_GAUGE (LawValue, number, name, fact->unit, fact->text);
}

static void
add_fact (GstStructure * s, const RcFact * fact, gdouble number)
{
  gchar *name = g_strconcat (LAW_PREFIX, fact->name, NULL);
  const FieldRow table[] = { row_of (fact, name), {NULL} };
  LawValue value = {.number = number,.time = rc_time_from_s (CLAMP (number, 0, 1e9)),
    .bytes = (guint64) (CLAMP (number, 0, 1e18) / 8),
    .word = fact->words ? fact->words[(guint) number] : NULL
  };

  fields_add (s, table, &value);
  g_free (name);
}

static gboolean
has_row (const GArray * table, const gchar * name)
{
  for (guint i = 0; i < table->len; i++)
    if (g_str_equal (g_array_index (table, FieldRow, i).name, name))
      return TRUE;
  return FALSE;
}

/* Laws share some facts: the first one describes them. */
static void
add_rows_of (GArray * table, const RcLaw * law)
{
  const RcFact *fact;

  for (guint i = 0; (fact = rc_law_fact (law, i)); i++) {
    FieldRow row = row_of (fact, g_strconcat (LAW_PREFIX, fact->name, NULL));

    if (has_row (table, row.name))
      g_free ((gpointer) row.name);
    else
      g_array_append_val (table, row);
  }
}

const FieldRow *
session_fields_law (void)
{
  static gsize rows;

  if (g_once_init_enter (&rows)) {
    GArray *table = g_array_new (TRUE, FALSE, sizeof (FieldRow));

    for (guint i = 0; rc_laws[i]; i++) {
      add_rows_of (table, rc_laws[i]);
      if (rc_laws[i]->paper)
        add_rows_of (table, rc_laws[i]->paper);
    }
    g_once_init_leave (&rows, (gsize) g_array_free (table, FALSE));
  }
  return (const FieldRow *) rows;
}

void
law_stats_read (LawStats * self, const RcLane * lane)
{
  self->law = lane ? rc_lane_law (lane)->law : rc_law_find ("fixed");
  self->name = self->law->name;
  self->ecn = lane ? rc_lane_ecn_name (lane) : "off";
  if (lane)
    rc_controller_measure (rc_lane_law (lane), self->facts);
}

void
law_stats_add (const LawStats * self, GstStructure * s)
{
  const RcFact *fact;

  for (guint i = 0; (fact = rc_law_fact (self->law, i)); i++)
    add_fact (s, fact, self->facts[i]);
}

/* --- the structure --- */

void
session_stats_add_retransmission (const SessionStats * self, GstStructure * s)
{
  GstStructure *ssrcs = rtx_streams_to_structure (&self->rtx_streams);

  fields_add (s, session_fields_retransmission, self);
  gst_structure_set (s, "rtx-ssrcs", GST_TYPE_STRUCTURE, ssrcs, NULL);
  gst_structure_free (ssrcs);
}

GstStructure *
session_stats_to_structure (const SessionStats * self, const gchar * name)
{
  GstStructure *s = gst_structure_new_empty (name);

  fields_add (s, session_fields, self);
  law_stats_add (&self->law, s);
  return s;
}

#define LANE_COUNTER(...) FIELD_COUNTER (LaneStats, __VA_ARGS__)
#define LANE_GAUGE(...) FIELD_GAUGE (LaneStats, __VA_ARGS__)

const FieldRow session_fields_paths[] = {
  FIELD_OWN (FIELD_ARRAY, "paths",
      "one " GST_RMC_SINK_PATH_STATS " for each of the property paths that is there; else empty"),
  {NULL}
};

const FieldRow lane_fields_name[] = {
  FIELD_OWN (FIELD_STRING, "path", "as in the property paths"),
  {NULL}
};

const FieldRow lane_fields[] = {
  FIELD_TEXT (LaneStats, state, "state",
      "joining: not accepted yet; carrying; silent: reports are overdue; shared: another path "
      "of the same bottleneck carries; stopped: no reports for seconds"),
  FIELD_BITRATE (LaneStats, rate_bps, "rate", "current sending rate, headers included"),
  FIELD_TEXT (LaneStats, rate_cause, "rate-cause", "as of the whole"),
  FIELD_BITRATE (LaneStats, sender.sent_bps, "sent-bitrate", "sent in the last second"),
  FIELD_BITRATE (LaneStats, sender.bandwidth_bps, "received-bitrate",
      "received by the receiver, as reported"),
  LANE_GAUGE (srtt, "rtt", "ns", "smoothed round-trip time; 0: unknown"),
  LANE_GAUGE (queueing_delay, "queueing-delay", "ns", "queueing delay; 0: unknown or none"),
  LANE_GAUGE (lag, "lag", "ns", "time by which packets come later than by the fastest path"),
  LANE_GAUGE (loss_ratio, "loss-ratio", "", "share of packets lost in the last seconds"),
  LANE_GAUGE (waiting_bytes, "queue-bytes", "bytes", "packets that wait for this path"),
  LANE_COUNTER (packets, "packets-sent", "", "packets sent by this path, copies included"),
  LANE_COUNTER (sender.reports.lost_pkts, "packets-lost", "", "packets lost, as reported"),
  LANE_COUNTER (sender.reports.ce_pkts, "packets-ce", "",
      "packets marked by routers, as reported"),
  LANE_COUNTER (sender.reports.accepted, "reports-received", "", "reports accepted"),
  LANE_COUNTER (rescued, "packets-rescued", "",
      "packets sent again by another path, as this one fell silent"),
  LANE_COUNTER (repaired, "packets-repaired", "",
      "packets sent again, as this one lost them"),
  LANE_COUNTER (send_errors, "send-errors", "", "packets not sent because of a system error"),
  FIELD_TEXT (LaneStats, format, "feedback-format", "as of the whole"),
  FIELD_TEXT (LaneStats, law.name, "congestion-control", "algorithm in control"),
  FIELD_TEXT (LaneStats, law.ecn, "ecn", "as of the whole"),
  {NULL}
};
