/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "sourcetable.h"

#include <gst/arc/arc.h>

void
source_table_init (SourceTable * self)
{
  *self = (SourceTable) {.reported_at = RC_TIME_NONE };
}

static void
add_counters (SourceTotals * totals, const Source * source)
{
  const RcLossHist *loss = &source->receiver.stats.loss;

  totals->received_pkts += loss->received_pkts;
  totals->received_bytes += source->receiver.stats.received_bytes;
  totals->lost_pkts += loss->lost_pkts;
  totals->reordered_pkts += loss->reordered_pkts;
  totals->duplicate_pkts += loss->duplicate_pkts;
  totals->stray_pkts += loss->stray_pkts;
  totals->ecn_pkts += source->receiver.stats.ecn_pkts;
  totals->ce_pkts += source->receiver.stats.ce_pkts;
  totals->late_frames += source->playout.late_frames;
}

static void
add_to_totals (SourceTotals * totals, const Source * source)
{
  if (!source->is_lane)
    add_counters (totals, source);
}

void
source_table_forget (SourceTable * self)
{
  guint i;

  for (i = 0; i < self->n_sources; i++)
    add_to_totals (&self->gone, &self->sources[i]);
  self->n_sources = 0;
  self->reported_at = RC_TIME_NONE;
}

/* The place for a newcomer, or NULL. */
static Source *
make_place (SourceTable * self, RcTime now)
{
  Source *oldest = &self->sources[0];
  guint i;

  if (self->n_sources < SOURCE_TABLE_SIZE)
    return &self->sources[self->n_sources++];

  for (i = 1; i < self->n_sources; i++) {
    if (self->sources[i].active_at < oldest->active_at)
      oldest = &self->sources[i];
  }
  if (now - oldest->active_at < SOURCE_TABLE_IDLE) {
    self->refused++;
    return NULL;
  }
  add_to_totals (&self->gone, oldest);
  self->evicted++;
  return oldest;
}

Source *
source_table_find (SourceTable * self, guint32 ssrc)
{
  guint i;

  for (i = 0; i < self->n_sources; i++)
    if (self->sources[i].receiver.ssrc == ssrc)
      return &self->sources[i];
  return NULL;
}

static gboolean
is_lane (const SourceTable * self, guint32 ssrc)
{
  for (guint i = 0; i < self->n_lanes; i++)
    if (self->lanes[i] == ssrc)
      return TRUE;
  return FALSE;
}

Source *
source_table_get_told (SourceTable * self, guint32 ssrc, RcTime now)
{
  Source *source = source_table_find (self, ssrc);

  if (!source && (source = make_place (self, now))) {
    *source = (Source) {.active_at = now,.is_lane = is_lane (self, ssrc) };
    rc_receiver_init (&source->receiver, ssrc, RC_BWFILTER_TAU);
    rc_reception_init (&source->reception);
    rc_keywish_init (&source->wish);
    rc_frametimes_init (&source->frames);
  }
  return source;
}

Source *
source_table_get (SourceTable * self, guint32 ssrc, RcTime now)
{
  Source *source = source_table_get_told (self, ssrc, now);

  if (source)
    source->active_at = now;
  return source;
}

void
source_table_set_lanes (SourceTable * self, const guint32 * ssrcs, guint n)
{
  self->n_lanes = MIN (n, RC_LANES_MAX);
  for (guint i = 0; i < self->n_lanes; i++)
    self->lanes[i] = ssrcs[i];
  for (guint i = self->n_sources; i-- > 0;) {
    Source *source = &self->sources[i];
    gboolean was = source->is_lane;

    source->is_lane = is_lane (self, source->receiver.ssrc);
    if (was && !source->is_lane)
      *source = self->sources[--self->n_sources];
  }
}

RcTime
source_table_lanes_srtt (const SourceTable * self, RcTime now)
{
  RcTime least = RC_TIME_NONE;

  for (guint i = 0; i < self->n_sources; i++) {
    const Source *source = &self->sources[i];

    if (source->is_lane && source->srtt > 0 && now - source->active_at < RC_SECOND)
      least = rc_sooner (least, source->srtt);
  }
  return MAX (least, 0);
}

/* Something came, or nothing for so long that this is the news. */
static gboolean
has_news (const Source * source, RcTime now)
{
  RcTime due_at = rc_receiver_due_at (&source->receiver, now);

  return due_at != RC_TIME_NONE && !source->is_lane
      && (due_at <= now || source->receiver.stats.received_bytes != source->told_bytes);
}

/* Of the compound that would go now. */
static guint64
cost_bytes (const SourceTable * self, RcTime now)
{
  guint64 cost = 0;
  guint i;

  for (i = 0; i < self->n_sources; i++)
    if (has_news (&self->sources[i], now))
      cost += SOURCE_TABLE_REPORT_BYTES + 2 * self->sources[i].receiver.stats.times.n;
  return cost;
}

static RcTime
earliest_of (const SourceTable * self, gboolean lanes, RcTime now)
{
  RcTime at = RC_TIME_NONE;

  for (guint i = 0; i < self->n_sources; i++)
    if (self->sources[i].is_lane == lanes)
      at = rc_sooner (at, rc_receiver_due_at (&self->sources[i].receiver, now));
  return at;
}

RcTime
source_table_lanes_due_at (const SourceTable * self, RcTime now)
{
  return self->n_lanes > 0 ? earliest_of (self, TRUE, now) : RC_TIME_NONE;
}

RcTime
source_table_due_at (const SourceTable * self, RcTime now)
{
  RcTime earliest = earliest_of (self, FALSE, now);
  RcTime paid_at = self->reported_at + RC_RECEIVER_STRETCHED_INTERVAL;

  if (earliest == RC_TIME_NONE || earliest >= paid_at || self->reported_at == RC_TIME_NONE
      || self->reported_at > now)
    return earliest;
  return self->came_bytes >= cost_bytes (self, MAX (now, earliest)) ? earliest : paid_at;
}

/* What the reports themselves leave of a datagram is shared by their lists. */
static void
thin_lists (RcReport * reports, guint n)
{
  guint i, share = SOURCE_TABLE_COMPOUND_BYTES / MAX (n, 1);

  for (i = 0; i < n; i++)
    rc_arrivalages_thin (&reports[i].arrivals,
        share > SOURCE_TABLE_REPORT_BYTES ? (share - SOURCE_TABLE_REPORT_BYTES) / 2 : 0);
}

static void
report (Source * source, RcTime now, RcReport * to)
{
  rc_receiver_report (&source->receiver, now, to);
  source->told_bytes = source->receiver.stats.received_bytes;
  source->reports++;
}

gboolean
source_table_report_lane (SourceTable * self, RcTime now, RcReport * lane_report)
{
  for (guint i = 0; i < self->n_sources; i++) {
    Source *source = &self->sources[i];
    RcTime at = source->is_lane ? rc_receiver_due_at (&source->receiver, now) : RC_TIME_NONE;

    if (at == RC_TIME_NONE || at > now)
      continue;
    report (source, now, lane_report);
    lane_report->n_lanes = self->n_lanes;
    return TRUE;
  }
  return FALSE;
}

guint
source_table_report (SourceTable * self, RcTime now, RcReport * reports)
{
  guint i, n = 0;

  for (i = 0; i < self->n_sources; i++) {
    Source *source = &self->sources[i];

    if (has_news (source, now))
      report (source, now, &reports[n++]);
  }
  thin_lists (reports, n);
  self->reported_at = now;
  self->came_bytes = 0;
  return n;
}

SourceTotals
source_table_totals (const SourceTable * self)
{
  SourceTotals totals = self->gone;
  guint i;

  for (i = 0; i < self->n_sources; i++)
    add_to_totals (&totals, &self->sources[i]);
  return totals;
}

guint64
source_table_bandwidth_bps (const SourceTable * self, RcTime now)
{
  double sum_bps = 0;
  guint i;

  for (i = 0; i < self->n_sources; i++) {
    if (!self->sources[i].is_lane
        && rc_receiver_due_at (&self->sources[i].receiver, now) != RC_TIME_NONE)
      sum_bps += self->sources[i].receiver.stats.bandwidth.filtered_bps;
  }
  return (guint64) sum_bps;
}

RcTime
source_table_frame_delay (const SourceTable * self, gdouble q)
{
  RcTime most = RC_TIME_NONE;

  for (guint i = 0; i < self->n_sources; i++)
    most = MAX (most, rc_frametimes_delay (&self->sources[i].frames, q));
  return most;
}

#define COUNTER(...) FIELD_COUNTER (SourceTotals, __VA_ARGS__)

const FieldRow source_totals_fields[] = {
  COUNTER (received_pkts, "packets-received", "", "media packets received"),
  COUNTER (received_bytes, "bytes-received", "bytes", "bytes of these, RTP headers included"),
  COUNTER (lost_pkts, "packets-lost", "", "packets lost, without those that arrived late"),
  COUNTER (reordered_pkts, "packets-reordered", "", "packets that arrived out of order"),
  COUNTER (duplicate_pkts, "packets-duplicate", "", "duplicate packets"),
  COUNTER (stray_pkts, "packets-stray", "", "packets with an implausible sequence number"),
  COUNTER (ecn_pkts, "packets-ecn", "", "ECN-capable packets received"),
  COUNTER (ce_pkts, "packets-ce", "", "of these: marked by a router"),
  COUNTER (late_frames, "frames-late", "",
      "frames of which a packet came too late for the jitter buffer; 0 unless arcsrc adapts its "
      "latency"),
  {NULL}
};

const FieldRow source_fields[] = {
  FIELD_GAUGE (Source, receiver.ssrc, "ssrc", "", "SSRC of the source"),
  FIELD_BITRATE (Source, receiver.stats.bandwidth.filtered_bps, "received-bitrate",
      "received media, low-pass filtered"),
  FIELD_COUNTER (Source, reports, "reports-sent", "", "reports sent about this source"),
  FIELD_GAUGE (Source, srtt, "rtt", "ns", "round-trip time as measured by the sender; 0: unknown"),
  {NULL}
};

GstStructure *
source_to_structure (const Source * self)
{
  GstStructure *s = gst_structure_new_empty (GST_ARC_RECEIVER_SOURCE_STATS);
  SourceTotals counters = { 0 };

  add_counters (&counters, self);
  fields_add (s, source_fields, self);
  fields_add (s, source_totals_fields, &counters);
  return s;
}
