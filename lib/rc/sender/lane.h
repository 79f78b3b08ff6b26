/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* One path to the receiver, with all that one path needs: a law, an RMC pacer, ledgers, the ECN
 * trial, infos and probes. A sender (sender.h) has one to four lanes. All feedback goes to the lane
 * that it came by:
 *
 *   rc_lane_on_reports     summaries came
 *   rc_lane_on_arrivals    a list of arrivals came
 *   rc_lane_on_blocks      report blocks of a plain RTP receiver came
 *   rc_lane_plan           which infos to send now, and when to ask again
 *
 * A shell that has one lane paces by the sender, which is the same pacer. One that has several
 * notifies each lane of what leaves by it:
 *
 *   rc_lane_due_at         when the head of its queue may leave
 *   rc_gate_reserve        a packet leaves now, and the pacer is charged for it
 *   rc_lane_on_sent        the packet left
 *
 * The law that decides is the one of the configuration while a format comes that is made for it.
 * While only receiver reports of RTP come (rc_lane_on_blocks), the slow law decides
 * (lib/rc/law/slow.h), unless the configuration has that or `fixed`. Either begins at the rate of
 * the other. */
#pragma once

#include <rc/feedback/arrivals.h>
#include <rc/feedback/wire.h>
#include <rc/law/cause.h>
#include <rc/path/lossshape.h>
#include <rc/sender/gate.h>
#include <rc/sender/senderfacts.h>
#include <rc/sender/srclock.h>

/* Of what left: the memory of ledgers (rc/ledger/ledger.h). */
typedef struct _RcLedgerEntry RcLedgerEntry;

#define RC_LANE_BYTES 22528     /* of RcLane; lane.c checks it */

/* The memory of a lane, for rc_sender_add_lane (). Then it must not move. */
typedef union
{
  unsigned char bytes[RC_LANE_BYTES];
  RcTime aligned_for_time;
  double aligned_for_double;
  void *aligned_for_pointer;
} RcLaneMemory;

/* What is to be done now, and when to come again. */
typedef struct
{
  RcTime next_at; /* call rc_lane_plan() no later; RC_TIME_NONE: when something happens */
  unsigned n_infos; /* send these now, then call rc_lane_on_control_sent (), or the sender's */
  RcSenderInfo infos[RC_LEDGERS_MAX];
} RcLanePlan;

/* Another path leads to the receiver now. The law begins anew, at most at the start bitrate [RFC
 * 9000 9.4]. */
void rc_lane_restart (RcLane *self, RcTime now);
/* The receiver may be there again: probe at once. */
void rc_lane_probe_soon (RcLane *self, RcTime now);

/* --- media --- */

/* By which packets leave. */
RcGate *rc_lane_gate (RcLane *self);

/* As of a sender. */
RcTime rc_lane_due_at (RcLane *self, uint32_t network_bytes, RcTime now);
void rc_lane_on_dropped (RcLane *self, uint64_t network_bytes);
/* true: the first packet of its source. */
bool rc_lane_on_sent (RcLane *self, const RcSenderPacket *packet, bool backlogged, RcTime now);
/* What follows the shell held a packet up, and it left at left_at. */
void rc_lane_on_left (RcLane *self, uint32_t ssrc, uint16_t seq, RcTime left_at);
void rc_lane_on_control_sent (RcLane *self, uint32_t network_bytes, RcTime now);
/* A sender report of RTP left, our own or another's. ntp: the middle 32 bits of its NTP time. */
void rc_lane_on_sr_sent (RcLane *self, uint32_t ssrc, uint32_t ntp, RcTime now);
RcEcnBits rc_lane_ecn_bits (const RcLane *self);

/* --- feedback --- */

/* Summaries of one compound packet. false: nothing of it holds, and nothing changed. */
bool rc_lane_on_reports (RcLane *self, const RcReport *reports, unsigned n, uint32_t instance,
    RcTime now);
/* The packet with this transport-wide number left at sent_at, as reported: for shells whose
 * packets are numbered behind them (toldnumbers.h). Before the arrivals of the same message. */
void rc_lane_on_told (RcLane *self, uint16_t transport_number, uint32_t rtp_bytes,
    RcTime sent_at);
/* A list names a packet that such a shell cannot find. */
void rc_lane_on_false_arrival (RcLane *self);
/* The lists of one message, all of one kind of numbers. */
bool rc_lane_on_arrivals (RcLane *self, const RcArrivals *messages, unsigned n, RcTime now);
/* The blocks of one receiver report of RTP. They count only while nothing better comes. */
bool rc_lane_on_blocks (RcLane *self, const RcReportBlock *blocks, unsigned n, RcTime now);
/* The receiver that reports as this SSRC says that it leaves (RTCP BYE): farewell.h. Not for a
 * guest. */
void rc_lane_on_bye (RcLane *self, uint32_t instance);
/* The receiver wants a cookie back, and may say why it takes no media. */
void rc_lane_on_notice (RcLane *self, const RcNotice *notice, RcTime now);

/* --- what follows --- */

void rc_lane_plan (RcLane *self, RcTime now, RcLanePlan *plan);
/* The infos of a last message to a receiver that wants its cookie back: once after the last media.
 * Returns how many; 0: none is due. */
unsigned rc_lane_take_farewell (RcLane *self, RcSenderInfo infos[RC_LEDGERS_MAX]);

/* --- memory of the ledgers: the shell's, see ledgers.h --- */

/* Entries that should be given before this packet leaves, and for which space; 0: none. */
uint32_t rc_lane_wants_entries (RcLane *self, const RcSenderPacket *packet, RcNumberSpace *space,
    RcTime now);
/* The same before rc_lane_on_told (). */
uint32_t rc_lane_wants_told_entries (RcLane *self, RcNumberSpace *space, RcTime now);
/* Returns what is to be freed, or NULL. */
RcLedgerEntry *rc_lane_give_entries (RcLane *self, RcNumberSpace space, RcLedgerEntry *entries,
    uint32_t capacity, RcTime now);
/* All that was given, one after the other, to be freed. NULL: no more. */
RcLedgerEntry *rc_lane_take_back_entries (RcLane *self);

/* --- what holds now --- */

/* The law that decides now. */
const RcController *rc_lane_law (const RcLane *self);
uint64_t rc_lane_rate_bps (const RcLane *self);
/* Why the rate is what it is, or why media is stopped. */
RcCause rc_lane_cause (const RcLane *self);
/* No media leaves, because the receiver does not answer or has left. */
bool rc_lane_is_stopped (const RcLane *self);
/* The receiver has answered at least once. */
bool rc_lane_is_heard (const RcLane *self);
/* For some time the receiver has sent plain receiver reports only. */
bool rc_lane_is_plain (const RcLane *self, RcTime now);
/* RC_TIME_NONE: unknown */
RcTime rc_lane_srtt (const RcLane *self);
RcTime rc_lane_queueing_delay (const RcLane *self);
/* Mean one-way delay of the last report, in the receiver's clock less ours; RC_TIME_NONE: unknown.
 * Differences between lanes to one receiver are those of their paths. */
RcTime rc_lane_delay_remote (const RcLane *self);
/* By when a report should have come about what is on its way, as its format and the interval go;
 * RC_TIME_NONE: nothing is on its way. */
RcTime rc_lane_answer_due_at (const RcLane *self);
/* Lost packets in the last seconds, as the law sees them. */
double rc_lane_loss_ratio (const RcLane *self);
const RcLossShape *rc_lane_loss (const RcLane *self);
/* Why the receiver takes no media. */
RcRefusal rc_lane_refusal (const RcLane *self);
/* State of the ECN trial, or "off". */
const char *rc_lane_ecn_name (const RcLane *self);
bool rc_lane_has_ssrc (const RcLane *self, uint32_t ssrc);
/* Messages of feedback that held, in any format. */
uint64_t rc_lane_n_feedback (const RcLane *self);
void rc_lane_get_stats (RcLane *self, RcTime now, RcSenderStats *stats);

/* --- for its sender alone --- */

/* limits: of this lane. srs: hears of receiver reports, and lives longer. */
void rc_lane_init (RcLane *self, const RcSenderConfig *config, const RcLimits *limits,
    RcSrClock *srs, RcTime now);
/* Its limits are others. */
void rc_lane_set_limits (RcLane *self, const RcLimits *limits, RcTime now);
/* The law begins anew, at the start bitrate. */
void rc_lane_begin (RcLane *self, RcTime now);
/* Before the first feedback: the law starts here, if that is more. */
void rc_lane_start_at (RcLane *self, uint64_t bps, RcTime now);
void rc_lane_set_format (RcLane *self, const RcAnnouncement *announced, RcTime now);
/* What is due by the clock. */
void rc_lane_on_timer (RcLane *self, RcTime now);
