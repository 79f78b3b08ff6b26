/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Sources: one RcReceiver per SSRC, as many as fit one compound report. SSRCs can be forged, so
 * the table never grows: a new source evicts the one that has been idle longest, and is rejected
 * (its packets pass unmeasured) while none is idle. A compound carries the reports of all sources
 * with new data, and is sent when as many bytes have arrived since the one before; else
 * STRETCHED_INTERVAL later.
 *
 * A lane (gst/rtp/lanepacket.h) is a source of another kind: what came by it are packets of other
 * sources, so it is not in the totals, and its report goes alone, to its own address. No clock and
 * no lock: both are the caller's. */
#pragma once

#include <gst/gst.h>
#include <rc/fec/fecwatch.h>
#include <rc/keyframe/keywish.h>
#include <rc/lanes/lanechoice.h>
#include <rc/loss/leaps.h>
#include <rc/receiver/frametimes.h>
#include <rc/receiver/playout.h>
#include <rc/receiver/receiver.h>
#include <rc/receiver/reception.h>

#include "base/fields.h"
#include "rtp/rtcpmessage.h"

G_BEGIN_DECLS

#define SOURCE_TABLE_SIZE RTCP_MAX_REPORTS
/* Its last packet has been reported by then. */
#define SOURCE_TABLE_IDLE (2 * RC_RECEIVER_STRETCHED_INTERVAL)
/* Of a report with its part of the headers, without the entries of its list. */
#define SOURCE_TABLE_REPORT_BYTES 108
/* A compound's lists must fit into the least MTU of IPv6 (1280) without its headers and UDP's. */
#define SOURCE_TABLE_COMPOUND_BYTES 1232

typedef struct
{
  RcReceiver receiver;
  gboolean is_lane;
  RcTime active_at;             /* last packet; before the first, the sender info that made it */
  uint64_t told_bytes;          /* received when it was reported last */
  RcTime srtt;                  /* as the sender reported it; 0: unknown */
  guint64 reports;
  /* For receiver reports of RFC 3550. */
  RcReception reception;
  gboolean heard;               /* since the last of them, media or a sender report came */
  guint8 payload_type;          /* of the last packet */
  RcKeyWish wish;               /* keyframewishes.h */
  gboolean is_named, has_fec;   /* likewise */
  RcFecWatch fec;
  RcTime came_at, gap_since;    /* the last packet; the one before the last gap */
  RcFrameTimes frames;
  RcLeaps leaps;
  gboolean plays;               /* `playout` has begun */
  RcPlayout playout;
} Source;

/* Cumulative, over all sources that ever were. */
typedef struct
{
  guint64 received_pkts, received_bytes, lost_pkts, reordered_pkts, duplicate_pkts, stray_pkts,
      ecn_pkts, ce_pkts, late_frames;
} SourceTotals;

typedef struct
{
  Source sources[SOURCE_TABLE_SIZE];
  guint n_sources;
  guint32 lanes[RC_LANES_MAX];  /* SSRCs of those of the sender */
  guint n_lanes;
  RcTime reported_at;           /* the last compound; RC_TIME_NONE: none */
  guint64 came_bytes;           /* since then, with headers: they pay for reports */
  /* Sources that left for others; packets and infos of sources that found no place. */
  guint64 evicted, refused;
  SourceTotals gone;            /* what evicted sources had counted */
} SourceTable;

void source_table_init (SourceTable * self);
/* Forgets the sources (their clock or their reader has changed) but not what they counted. */
void source_table_forget (SourceTable * self);
/* For a packet. Finds or adds; NULL: no place. Marks the source as active. Valid until the next
 * call. */
Source *source_table_get (SourceTable * self, guint32 ssrc, RcTime now);
/* NULL: it is not there. */
Source *source_table_find (SourceTable * self, guint32 ssrc);
/* For the sender's own reports about it, which keep no source alive: many senders continue to
 * report on sources that have ended. */
Source *source_table_get_told (SourceTable * self, guint32 ssrc, RcTime now);
/* Those of the sender from now on; others are forgotten. */
void source_table_set_lanes (SourceTable * self, const guint32 * ssrcs, guint n);
/* Of the lanes that media came by in the last second, the least that the sender reported; 0: none
 * is known. */
RcTime source_table_lanes_srtt (const SourceTable * self, RcTime now);
/* When the next compound is due, and the next report of a lane: as rc_receiver_due_at(). */
RcTime source_table_due_at (const SourceTable * self, RcTime now);
RcTime source_table_lanes_due_at (const SourceTable * self, RcTime now);
/* One report for each source about which there is something new; bandwidths of the others have
 * not changed much. reports: SOURCE_TABLE_SIZE of them. Returns how many. */
guint source_table_report (SourceTable * self, RcTime now, RcReport * reports);
/* Of one lane that is due. FALSE: none is. */
gboolean source_table_report_lane (SourceTable * self, RcTime now, RcReport * report);
SourceTotals source_table_totals (const SourceTable * self);
/* Sum of the filtered bandwidths of the sources that are being reported, bit/s. */
guint64 source_table_bandwidth_bps (const SourceTable * self, RcTime now);
/* Of the source with the latest frames, as rc_frametimes_delay(). RC_TIME_NONE: none is known. */
RcTime source_table_frame_delay (const SourceTable * self, gdouble q);
GstStructure *source_to_structure (const Source * self);
/* Fields of SourceTotals, and those that only one source has. */
extern const FieldRow source_totals_fields[], source_fields[];

G_END_DECLS
