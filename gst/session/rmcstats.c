/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "rmcstats.h"

#include <rc/law/controller.h>

#define COUNTER(...) FIELD_COUNTER (RmcStats, __VA_ARGS__)
#define GAUGE(...) FIELD_GAUGE (RmcStats, __VA_ARGS__)
#define BITRATE(...) FIELD_BITRATE (RmcStats, __VA_ARGS__)
#define TEXT(...) FIELD_TEXT (RmcStats, __VA_ARGS__)

const FieldRow rmc_fields[] = {
  BITRATE (target_bps, "target-bitrate", "what the encoders are told, of media"),
  BITRATE (rate_bps, "rate", "what the law allows, with headers"),
  BITRATE (sender.made_bps, "input-bitrate", "media that came in, over the last second"),
  BITRATE (sender.sent_bps, "sent-bitrate", "what left, with headers, over the last second"),
  BITRATE (sender.bandwidth_bps, "received-bitrate", "what arrived at the receiver, as reported"),
  GAUGE (queue_time, "queue-time", "ns", "how long the media that waits here takes to leave"),
  GAUGE (queue_bytes, "queue-bytes", "bytes", "media that waits here"),
  GAUGE (srtt, "rtt", "ns", "round trip, smoothed; 0: unknown"),
  GAUGE (queueing_delay, "queueing-delay", "ns",
      "time in the queues of the network; 0: unknown or none"),
  COUNTER (sender.packets, "packets-sent", "", "packets that left, repairs and probes too"),
  COUNTER (sender.bytes, "bytes-sent", "bytes", "the same, with headers"),
  COUNTER (queue.frames_in, "frames-in", "", "frames that came in"),
  COUNTER (queue.frames_dropped, "frames-dropped", "",
      "frames dropped here, since the queue was full"),
  COUNTER (queue.packets_dropped, "packets-dropped", "",
      "packets of these frames, and fec-dropped"),
  COUNTER (queue.fec_in, "fec-packets", "", "packets of FEC that came in"),
  COUNTER (queue.fec_dropped, "fec-dropped", "",
      "of these: dropped, since what they protect left in part or changed"),
  COUNTER (sender.reports.lost_pkts, "packets-lost", "", "packets lost on the way, as reported"),
  COUNTER (sender.reports.untracked_pkts, "packets-untracked", "",
      "sent, but of more SSRCs than reports can be checked for"),
  COUNTER (path.send_again, "send-blocked", "",
      "packets kept for later, since the socket was full"),
  COUNTER (non_rtp_buffers, "non-rtp-buffers", "", "buffers that were no RTP packets, not sent"),
  COUNTER (sender.reports.accepted, "reports-received", "", "reports that hold"),
  COUNTER (sender.reports.old, "reports-old", "", "refused: older than one before"),
  COUNTER (sender.reports.never_sent, "reports-never-sent", "",
      "refused: of packets that never left"),
  COUNTER (sender.reports.impossible, "reports-impossible", "", "refused: what they say cannot be"),
  COUNTER (sender.reports.too_many_restarts, "reports-restarts", "",
      "refused: the receiver began anew too often"),
  COUNTER (sender.ignored, "reports-ignored", "", "in a worse format than the one in use"),
  COUNTER (sender.receiver_reports, "receiver-reports", "",
      "plain ones of RTP, among those received"),
  BITRATE (sender.bound_bps, "remb-bitrate", "upper limit set by the receiver (REMB); 0: none"),
  COUNTER (sender.reports.false_arrivals, "arrivals-rejected", "",
      "entries of lists of packets that cannot be"),
  COUNTER (keys.ordered, "keyframe-requests", "", "sent to encoders"),
  COUNTER (keys.received, "keyframe-requests-received", "", "PLI and FIR that came"),
  COUNTER (keys.suppressed, "keyframe-requests-suppressed", "",
      "of these: a keyframe was on its way"),
  COUNTER (keys.unknown, "keyframe-requests-unknown", "", "of these: for no SSRC of ours"),
  TEXT (state, "state", "running, or stopped: no reports come, no media leaves"),
  TEXT (format, "feedback-format", "none, arc, ccfb (RFC 8888), twcc, or rr (receiver reports)"),
  TEXT (law, "congestion-control", "law that decides now"),
  TEXT (encoders, "encoders", "names of the encoders that follow, with commas"),
  {NULL}
};

const FieldRow rmc_fields_socket[] = {
  TEXT (ecn, "ecn",
      "off, unknown (the receiver reports no ECN bits), trial, on (ECT(0)), l4s (ECT(1)), or "
      "failed (the path loses them)"),
  COUNTER (sender.reports.ce_pkts, "packets-ce", "", "packets that routers marked, as reported"),
  COUNTER (sender.reports.foreign, "reports-foreign", "", "refused: of an SSRC that is not ours"),
  COUNTER (rtcp_malformed, "rtcp-malformed", "", "RTCP that could not be read"),
  COUNTER (not_rtcp, "not-rtcp", "", "datagrams that were no RTCP"),
  COUNTER (path.send_errors, "send-errors", "", "packets that the system did not send"),
  COUNTER (path.refused, "port-unreachable", "", "ICMP answers: no program listens at the port"),
  COUNTER (path_changes, "path-changes", "",
      "times that another address of either end came into use"),
  {NULL}
};

const FieldRow rmc_fields_retransmission[] = {
  COUNTER (resender.nacks, "rtx-nacks", "", "messages that ask for packets"),
  COUNTER (resender.asked, "rtx-asked", "", "packets that they ask for"),
  COUNTER (resender.resent, "rtx-resent", "", "packets sent again, each time that one was"),
  COUNTER (resender.resent_bytes, "rtx-bytes", "bytes",
      "the same, with headers; also in bytes-sent"),
  COUNTER (resender.too_old, "rtx-too-old", "", "not sent again: left longer ago than rtx-time"),
  COUNTER (resender.never_sent, "rtx-never-sent", "", "not sent again: never left"),
  COUNTER (resender.over_budget, "rtx-over-budget", "",
      "not sent again: more than repair may take"),
  COUNTER (resender.repeated, "rtx-repeated", "", "asked for again within a round trip"),
  FIELD_OWN (FIELD_STRUCTURE, "rtx-ssrcs",
      "SSRC of the media, and the SSRC that its repairs have (RFC 4588)"),
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
  if (fact->word)
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
add_fact (GstStructure * s, const RcFact * fact)
{
  gchar *name = g_strconcat (LAW_PREFIX, fact->name, NULL);
  const FieldRow table[] = { row_of (fact, name), {NULL} };
  LawValue value = {.number = fact->value,.time = rc_time_from_s (CLAMP (fact->value, 0, 1e9)),
    .bytes = (guint64) (CLAMP (fact->value, 0, 1e18) / 8),.word = fact->word
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
  RcController controller;
  RcFact fact;

  rc_controller_init (&controller, law, RC_PROFILE_LIVE);
  rc_controller_start (&controller, &(RcLimits) { 100000, 500000, 1000000 }, 0);
  for (guint i = 0; rc_controller_stat (&controller, i, &fact); i++) {
    FieldRow row = row_of (&fact, g_strconcat (LAW_PREFIX, fact.name, NULL));

    if (has_row (table, row.name))
      g_free ((gpointer) row.name);
    else
      g_array_append_val (table, row);
  }
}

const FieldRow *
rmc_fields_law (void)
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

/* --- the structure --- */

void
rmc_stats_add_retransmission (const RmcStats * self, GstStructure * s)
{
  GstStructure *ssrcs = rtx_streams_to_structure (&self->rtx_streams);

  fields_add (s, rmc_fields_retransmission, self);
  gst_structure_set (s, "rtx-ssrcs", GST_TYPE_STRUCTURE, ssrcs, NULL);
  gst_structure_free (ssrcs);
}

GstStructure *
rmc_stats_to_structure (const RmcStats * self, const gchar * name)
{
  GstStructure *s = gst_structure_new_empty (name);

  fields_add (s, rmc_fields, self);
  for (guint i = 0; i < self->n_law_facts; i++)
    add_fact (s, &self->law_facts[i]);
  return s;
}
