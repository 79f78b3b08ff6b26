/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Who sends to us: one RcReceiver an SSRC, as many as fit one compound report. Anybody can invent SSRCs, so the table
 * never grows: a newcomer takes the place of the source that has been idle longest, and is refused (its packets pass
 * unmeasured) while nobody is idle. No clock and no lock: both are the caller's. */
#pragma once

#include <gst/gst.h>
#include <rc/receiver.h>

#include "common/rtcpfeedback.h"

G_BEGIN_DECLS

#define SOURCE_TABLE_SIZE RTCP_FEEDBACK_MAX_REPORTS
#define SOURCE_TABLE_IDLE (2 * RC_SECOND)       /* longer than RC_RECEIVER_MAX_INTERVAL: reports about it have ended */

typedef struct
{
  RcReceiver receiver;
  RcTime active_at;             /* last packet or sender info */
  guint32 srtt_us;              /* as the sender told it; 0: unknown */
  guint64 reports;
} Source;

/* Cumulative, over all sources that ever were. */
typedef struct
{
  guint64 received_pkts, received_bytes, lost_pkts, reordered_pkts, duplicate_pkts, stray_pkts, ecn_pkts, ce_pkts;
} SourceTotals;

typedef struct
{
  Source sources[SOURCE_TABLE_SIZE];
  guint n_sources;
  RcTime tau;
  guint64 evicted, refused;     /* sources that left for others; packets and infos of sources that found no place */
  SourceTotals gone;            /* what evicted sources had counted */
} SourceTable;

void source_table_init (SourceTable * self, RcTime tau);
/* Forgets the sources (their clock or their reader has changed) but not what they counted. */
void source_table_forget (SourceTable * self);
/* Also for the sources that are there. */
void source_table_set_tau (SourceTable * self, RcTime tau);
/* Finds or adds; NULL: no place. Marks the source as active. Valid until the next call. */
Source *source_table_get (SourceTable * self, guint32 ssrc, RcTime now);
/* Earliest due report of all sources: see rc_receiver_due_at(). */
RcTime source_table_due_at (const SourceTable * self, RcTime now);
/* One report for each source that has anything to say, so that the sender can add up the bandwidths of one compound.
 * reports: SOURCE_TABLE_SIZE of them. Returns how many. */
guint source_table_report (SourceTable * self, RcTime now, RcReport * reports);
SourceTotals source_table_totals (const SourceTable * self);
/* Sum of the filtered bandwidths of the sources that are being reported, bit/s. */
guint64 source_table_bandwidth_bps (const SourceTable * self, RcTime now);
GstStructure *source_to_structure (const Source * self);

G_END_DECLS
