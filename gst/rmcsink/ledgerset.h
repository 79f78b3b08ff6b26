/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The ledgers of all media SSRCs of one sender, with their memory; and what became of the reports about them. */
#pragma once

#include "common/rtcpfeedback.h"
#include <rc/ledger.h>

G_BEGIN_DECLS

typedef struct _LedgerSet LedgerSet;

typedef struct
{
  guint64 accepted, old, never_sent, impossible, too_many_restarts;     /* reports */
  guint64 foreign;              /* reports about an SSRC that is not ours */
  guint64 lost_packets, ce_packets;     /* reported */
  guint64 untracked_packets;    /* sent for SSRCs beyond RTCP_FEEDBACK_MAX_REPORTS */
} LedgerSetStats;

LedgerSet *ledger_set_new (guint overhead_bytes);
void ledger_set_free (LedgerSet * self);
/* TRUE: the first packet of this SSRC. */
gboolean ledger_set_on_sent (LedgerSet * self, guint32 ssrc, guint16 seq, guint rtp_bytes, RcTime now);
/* Combines the reports that hold into one *out, with the bandwidth of the sources that it has no news of; FALSE: none
 * does. */
gboolean ledger_set_digest (LedgerSet * self, const RtcpFeedback * feedback, RcTime now, RcFeedback * out);
/* One sender info for each SSRC that has not ended into infos[RTCP_FEEDBACK_MAX_REPORTS]; returns how many. */
guint ledger_set_fill_infos (LedgerSet * self, RcTime srtt, RcTime report_interval, RcSenderInfo * infos);
void ledger_set_get_stats (LedgerSet * self, LedgerSetStats * stats);

G_END_DECLS
