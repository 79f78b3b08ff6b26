/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A relay's knowledge of a link whose capacity nobody knows, from the reports that pass it on their
 * way back to the senders. The model is in uplink.c.
 *
 * The shell notifies it of what leaves for the link, and of the reports that come back, each with
 * the flow that it belongs to: the packets of one sender. The memory of flows and of their ledgers
 * is the shell's. In each call `now` comes last, and must not run backwards. */
#pragma once

#include <rc/base/winmin.h>
#include <rc/feedback/feedback.h>
#include <rc/law/controller.h>
#include <rc/ledger/ledgers.h>

typedef struct RcUplinkFlow RcUplinkFlow;
struct RcUplinkFlow
{
  RcUplinkFlow *next;
  RcLedgers ledgers;
  RcWinMin ahead;               /* of our clock to its receiver's, with the way of a report */
  unsigned n_clocked;           /* reports that this comes from, up to some */
  RcTime told_at;               /* its receiver reported last, in our clock; RC_TIME_NONE: never */
  double bandwidth_bps;         /* B of then */
};

typedef struct
{
  uint64_t reports;             /* that held */
  uint64_t false_reports;       /* messages of which nothing did */
} RcUplinkStats;

typedef struct
{
  RcController controller;      /* live ARC, for the packets of all flows */
  RcDecision decision;
  RcUplinkFlow *flows;
  uint32_t overhead_bytes;
  double growth;                /* of the law, for one flow */
  bool heard;                   /* a report has held */
  RcFeedback sum;               /* of the reports since handed_at */
  bool any;                     /* there are some */
  RcTime handed_at;
  RcUplinkStats stats;
} RcUplink;

/* limits: of the capacity, 0 < min <= start <= max. */
void rc_uplink_init (RcUplink *self, const RcLimits *limits, uint32_t overhead_bytes, RcTime now);
void rc_uplink_add (RcUplink *self, RcUplinkFlow *flow);
/* Before, take its entries back. */
void rc_uplink_remove (RcUplink *self, RcUplinkFlow *flow);

/* Entries that the ledger of this SSRC should be given before its next packet leaves; 0: none. */
uint32_t rc_uplink_wants_entries (RcUplinkFlow *flow, uint32_t ssrc, RcTime now);
/* Returns what is to be freed, or NULL. */
RcLedgerEntry *rc_uplink_give_entries (RcUplinkFlow *flow, uint32_t ssrc, RcLedgerEntry *entries,
    uint32_t capacity, RcTime now);
/* All that was given, one after the other, to be freed. NULL: no more. */
RcLedgerEntry *rc_uplink_take_back_entries (RcUplinkFlow *flow);

/* An RTP packet left. backlogged: more packets wait. */
void rc_uplink_on_sent (RcUplink *self, RcUplinkFlow *flow, uint32_t ssrc, uint16_t seq,
    uint32_t rtp_bytes, bool backlogged, RcTime now);
/* Anything else left. */
void rc_uplink_on_other_sent (RcUplink *self, uint32_t network_bytes, RcTime now);
/* Summaries of one message to the flow's sender. false: nothing of it holds. */
bool rc_uplink_on_reports (RcUplink *self, RcUplinkFlow *flow, const RcReport *reports, unsigned n,
    uint32_t instance, RcTime now);
/* Call it each few ms. */
void rc_uplink_update (RcUplink *self, RcTime now);

/* The rate at which packets may leave. */
uint64_t rc_uplink_rate_bps (const RcUplink *self);
/* Of it, what the senders may share while so many bytes wait in the relay. loop: until a sender
 * that is told a rate is seen to obey. */
uint64_t rc_uplink_offer_bps (const RcUplink *self, uint64_t queue_bytes, RcTime loop);
/* Behind the relay; RC_TIME_NONE: unknown. */
RcTime rc_uplink_queueing_delay (const RcUplink *self);
/* The state of the law, or "waiting": no report has held yet; "silent": none comes any more. */
const char *rc_uplink_state_name (const RcUplink *self);
