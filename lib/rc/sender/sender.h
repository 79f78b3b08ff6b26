/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The sender: a law, RMC pacing, ledgers, the ECN trial, the media target, infos and probes, as one
 * object.
 *
 * rmcsink, the ns-3 hosts and the closed loop in virtual time are shells around it: they own the
 * queue, the transport and the clock. A shell notifies the sender of events:
 *
 *   rc_sender_on_made      an encoder made media
 *   rc_sender_reserve      a packet leaves now, and the pacer is charged for it
 *   rc_sender_on_sent      the packet left
 *   rc_sender_on_reports   summaries came
 *   rc_sender_on_arrivals  a list of arrivals came
 *   rc_sender_on_blocks    report blocks of a plain RTP receiver came
 *
 * A shell asks the sender what to do:
 *
 *   rc_sender_due_at       when the head of the queue may leave
 *   rc_sender_ecn_bits     the ECN bits of packets that leave
 *   rc_sender_plan         which infos to send now, a new media target, and when to ask again
 *
 * The law that decides is the one of the configuration while a format comes that is made for it.
 * While only receiver reports of RTP come (rc_sender_on_blocks), the slow law decides
 * (lib/rc/law/slow.h), unless the configuration has that or `fixed`. Either begins at the rate of
 * the other.
 *
 * It calls rc_sender_plan() after each of the events above, and at the time that the last plan
 * named. In each call `now` is the last input, and must not run backwards. Nothing here locks,
 * allocates, calls back or reads a clock. A shell reads no field of RcSender: what it may know
 * has a function. */
#pragma once

#include <rc/base/ratemeter.h>
#include <rc/feedback/formatchoice.h>
#include <rc/law/controller.h>
#include <rc/ledger/ledgers.h>
#include <rc/pace/rmc.h>
#include <rc/path/lossshape.h>
#include <rc/sender/ecn.h>
#include <rc/sender/farewell.h>
#include <rc/sender/infoclock.h>
#include <rc/sender/mediatarget.h>
#include <rc/sender/srclock.h>

/* Receivers repeat a bound each second and more often; a lost one is one of five. */
#define RC_BOUND_SPAN (5 * RC_SECOND)

typedef struct
{
  const RcController *controller;       /* law and parameters, not started */
  RcLimits limits;
  RcRmcParams pacing;
  uint32_t overhead_bytes;      /* UDP and IP headers: RC_OVERHEAD_* */
  bool ecn; /* packets may be ECN-capable once a trial has shown that the path can do it */
  /* The shell is inside an RTP session of another component, so no RTCP is planned. Feedback may
   * never arrive: until the first feedback is accepted, the rate stays at limits.start_bps. */
  bool guest;
  RcTime epoch; /* plus `now` is UTC, which senders of several hosts share; 0: they share `now` */
} RcSenderConfig;

/* One RTP packet. */
typedef struct
{
  uint32_t ssrc;
  uint16_t seq;
  uint32_t rtp_bytes;           /* the whole packet */
  uint32_t media_bytes;         /* of it, what the encoder made */
  bool has_transport_number;    /* it carries a transport-wide number too */
  uint16_t transport_number;
  bool again;                   /* it left before, under this number of its SSRC */
} RcSenderPacket;

typedef struct
{
  uint64_t packets, bytes;      /* media that left, with headers */
  uint64_t bandwidth_bps;       /* B as reported last */
  uint64_t made_bps, sent_bps;  /* over the last second; sent: with headers and RTCP */
  RcLedgersStats reports;
  uint64_t receiver_reports;         /* receiver reports of RTP that held */
  uint64_t bound_bps;           /* that the receiver sets (REMB); 0: none at present */
  RcFormat format;              /* of the feedback that counts */
  uint64_t ignored;             /* messages in a worse format beside it */
} RcSenderStats;

typedef struct _RcSender RcSender;

/* For a sender whose media leaves by several others, the lanes of lib/rc/lanes: what these are
 * together. It paces and sets the media target as any sender; they have law, ledgers and infos. */
typedef struct
{
  uint64_t rate_bps;
  bool open_loop;               /* their law has a rate of its own, which they share */
  RcTime srtt;                  /* RC_TIME_NONE: unknown */
  RcTime queueing_delay;
  uint64_t waiting_bytes;       /* that wait in them as in a queue */
  bool overloaded;              /* so much that it goes before new media */
  bool stopped, living, heard;  /* as the functions of these names; stopped: all of them are */
  RcTime reported_at;           /* by a receiver report of RTP; RC_TIME_NONE: never */
  RcSenderStats stats;          /* sums; what came in and the bound are the carried one's */
  const RcSender *lead;         /* the one that carries most; NULL: there is none */
} RcCarriage;

struct _RcSender
{
  RcController controller;      /* of the configuration */
  RcController slow;            /* for plain receivers */
  bool is_slow;                 /* that one decides */
  RcTime slow_since;
  uint64_t fed_bps;             /* rate after the last feedback that was made for a law; 0: none */
  RcLimits limits;
  uint64_t bound_bps;           /* the receiver's bound of the rate; 0: none */
  RcTime bound_until;
  RcDecision decision;          /* holds now */
  bool stopped;                 /* no media may leave */
  RcRmc rmc;
  RcEcn ecn;
  bool ecn_wanted;
  bool guest;
  RcFarewell farewell;
  uint32_t overhead_bytes;
  RcLedgers ledgers;
  RcFormatChoice formats;
  RcInfoClock infos;
  RcSrClock srs;
  uint64_t cookie;              /* that the receiver wants back; 0: none */
  uint64_t farewell_pkts;       /* had left when rc_sender_take_farewell () last returned true */
  RcAnnouncement announced;     /* to the receiver */
  unsigned parts_sent;          /* since the format or the receiver is another */
  RcTime part_at;               /* when the last of them left */
  RcRefusal refusal;            /* of its last notice; none since a report came */
  RcMediaTarget target;
  bool retarget; /* report the target again though it is the same: a new source needs it */
  uint32_t target_bps;          /* last reported */
  RcRateMeter made, sent;
  RcLossShape loss;             /* as reported, whatever is repaired */
  RcTime delay_remote;          /* mean OWD of the last report with delays; RC_TIME_NONE: none */
  RcTime unanswered_since;      /* RC_TIME_NONE: reports have named all that left */
  uint64_t unanswered_bytes;    /* RTP that left since the last report came */
  RcTime paid_at;               /* when that paid for the next; RC_TIME_NONE: not yet */
  bool carried;                 /* rc_sender_set_carriage () was called */
  RcCarriage carriage;
  RcSenderStats stats;
};

/* What is to be done now, and when to come again. */
typedef struct
{
  RcTime next_at; /* call rc_sender_plan() no later; RC_TIME_NONE: when something happens */
  unsigned n_infos;             /* send these now, then call rc_sender_on_control_sent() */
  RcSenderInfo infos[RC_LEDGERS_MAX];
  bool tell_time; /* send sender reports of RTP now, and call rc_sender_on_sr_sent () for each */
  bool tell_target;             /* the encoders should make target_bps of media now */
  uint32_t target_bps;
} RcSenderPlan;

void rc_sender_init (RcSender *self, const RcSenderConfig *config, RcTime now);
/* Before the first feedback: what comes in is known to need so much, so the law starts there, if
 * that is more. */
void rc_sender_start_at (RcSender *self, uint64_t bps, RcTime now);
void rc_sender_set_limits (RcSender *self, const RcLimits *limits, RcTime now);
/* Another path leads to the receiver now. The law begins anew, at most at the start bitrate [RFC
 * 9000 9.4]. */
void rc_sender_restart (RcSender *self, RcTime now);
/* The receiver may be there again: probe at once. */
void rc_sender_probe_soon (RcSender *self, RcTime now);
/* The format of the media, which infos announce to the receiver. Its fields must stay until the
 * next call has returned. They go several times at first, in infos of their own, then each
 * RC_INFO_INTERVAL. */
void rc_sender_set_format (RcSender *self, const RcAnnouncement *announced, RcTime now);
/* From the first call on the media of this sender leaves by others, which are this together. Its
 * law must be `fixed`; it needs no memory for ledgers. Law, ECN, losses, refusal are those of
 * `lead`, which is read until the next call or rc_sender_end_carriage (). */
void rc_sender_set_carriage (RcSender *self, const RcCarriage *carriage, RcTime now);
/* The others go. */
void rc_sender_end_carriage (RcSender *self);
/* After a flush: the pacer forgets the credit that it has earned. */
void rc_sender_reset_pacing (RcSender *self, RcTime now);

/* --- media --- */

void rc_sender_on_made (RcSender *self, uint32_t media_bytes, RcTime now);
/* When a waiting packet of so many bytes with all headers may leave; RC_TIME_NONE: not while
 * media is stopped. Before the first report, media goes on as single probes: infoclock.h. */
RcTime rc_sender_due_at (RcSender *self, uint32_t network_bytes, RcTime now);
/* When one that is sent again may leave, ahead of what is earned; and it leaves now, before
 * rc_sender_reserve (). */
RcTime rc_sender_urgent_at (RcSender *self, uint32_t network_bytes, RcTime now);
void rc_sender_lend (RcSender *self, uint32_t network_bytes, RcTime now);
/* Media is stopped, but one packet of it would be a useful probe now: an upstream stage that
 * withholds media should release one packet. */
bool rc_sender_wants_probe (const RcSender *self, RcTime now);
/* A stall left more than one burst to repay: the next packets are due in a moment. */
bool rc_sender_is_behind (const RcSender *self);
/* The packet leaves now: the pacer is charged for it. */
void rc_sender_reserve (RcSender *self, uint32_t network_bytes, RcTime now);
/* The transport did not take the packet after all: the charge is returned. */
void rc_sender_release (RcSender *self, uint32_t network_bytes);
/* No packet waits. */
void rc_sender_on_idle (RcSender *self, RcTime now);
/* The packet source was blocked and did not poll the pacer from `since` until now:
 * rc_rmc_on_blocked (). */
void rc_sender_on_blocked (RcSender *self, uint32_t network_bytes, RcTime since, RcTime now);
/* A packet left that was reserved before. backlogged: more packets wait. */
void rc_sender_on_sent (RcSender *self, const RcSenderPacket *packet, bool backlogged, RcTime now);
/* What follows the shell held a packet up, and it left at left_at. */
void rc_sender_on_left (RcSender *self, uint32_t ssrc, uint16_t seq, RcTime left_at);
/* RTCP left: infos, or what others sent through the same transport. */
void rc_sender_on_control_sent (RcSender *self, uint32_t network_bytes, RcTime now);
/* A sender report of RTP left, our own or another's. ntp: the middle 32 bits of its NTP time. */
void rc_sender_on_sr_sent (RcSender *self, uint32_t ssrc, uint32_t ntp, RcTime now);
RcEcnBits rc_sender_ecn_bits (const RcSender *self);
/* The law obeys relays, so packets should carry a stamp for them. */
bool rc_sender_wants_stamps (const RcSender *self);
/* What a packet's stamp for relays should claim as its loop: SRTT and the time between reports.
 * RC_TIME_NONE: unknown. */
RcTime rc_sender_loop_time (const RcSender *self);

/* --- feedback --- */

/* Summaries of one compound packet. false: nothing of it holds, and nothing changed. */
bool rc_sender_on_reports (RcSender *self, const RcReport *reports, unsigned n, uint32_t instance,
    RcTime now);
/* The packet with this transport-wide number left at sent_at, as reported: for shells whose
 * packets are numbered behind them (toldnumbers.h). Before the arrivals of the same message. */
void rc_sender_on_told (RcSender *self, uint16_t transport_number, uint32_t rtp_bytes,
    RcTime sent_at);
/* A list names a packet that such a shell cannot find. */
void rc_sender_on_false_arrival (RcSender *self);
/* The lists of one message, all of one kind of numbers. */
bool rc_sender_on_arrivals (RcSender *self, const RcArrivals *messages, unsigned n, RcTime now);
/* The blocks of one receiver report of RTP. They count only while nothing better comes. */
bool rc_sender_on_blocks (RcSender *self, const RcReportBlock *blocks, unsigned n, RcTime now);
/* The receiver that reports as this SSRC says that it leaves (RTCP BYE): farewell.h. Not for a
 * guest. */
void rc_sender_on_bye (RcSender *self, uint32_t instance);
/* The media ends. true: the receiver hears sender reports, and should hear a BYE now. */
bool rc_sender_end (RcSender *self, RcTime now);
/* The receiver does not want more than this on the network (REMB). It holds for RC_BOUND_SPAN. */
void rc_sender_on_bound (RcSender *self, uint64_t bps, RcTime now);
/* The receiver wants a cookie back, and may say why it takes no media. */
void rc_sender_on_notice (RcSender *self, const RcNotice *notice, RcTime now);

/* --- what follows --- */

/* queue_bytes: the packets that wait, with headers. */
void rc_sender_plan (RcSender *self, uint64_t queue_bytes, RcTime now, RcSenderPlan *plan);
/* rc_mediatarget_take_misfit () */
bool rc_sender_take_misfit (RcSender *self, RcTime now, uint32_t *made_bps, uint32_t *told_bps);
/* The infos of a last message to a receiver that wants its cookie back: once after the last media.
 * Returns how many; 0: none is due. */
unsigned rc_sender_take_farewell (RcSender *self, RcSenderInfo infos[RC_LEDGERS_MAX]);

/* --- memory of the ledgers: the shell's, see ledgers.h --- */

/* Entries that should be given before this packet leaves, and for which space; 0: none. */
uint32_t rc_sender_wants_entries (RcSender *self, const RcSenderPacket *packet,
    RcNumberSpace *space, RcTime now);
/* The same before rc_sender_on_told (). */
uint32_t rc_sender_wants_told_entries (RcSender *self, RcNumberSpace *space, RcTime now);
/* Returns what is to be freed, or NULL. */
RcLedgerEntry *rc_sender_give_entries (RcSender *self, RcNumberSpace space,
    RcLedgerEntry *entries, uint32_t capacity, RcTime now);
/* All that was given, one after the other, to be freed. NULL: no more. */
RcLedgerEntry *rc_sender_take_back_entries (RcSender *self);

/* --- what holds now --- */

/* The law that decides now. */
const RcController *rc_sender_law (const RcSender *self);
uint64_t rc_sender_rate_bps (const RcSender *self);
/* Media for the encoders, as planned last; 0: nothing yet. */
uint32_t rc_sender_target_bps (const RcSender *self);
/* rc_mediatarget_get_steady_bps () */
uint32_t rc_sender_steady_bps (RcSender *self, RcTime now);
/* No media leaves, because the receiver does not answer or has left. */
bool rc_sender_is_stopped (const RcSender *self);
/* The receiver's bound; 0: none at present. */
uint64_t rc_sender_bound_bps (const RcSender *self);
/* The receiver takes the media, or the law needs no answer. */
bool rc_sender_is_living (const RcSender *self);
/* The receiver has answered at least once. */
bool rc_sender_is_heard (const RcSender *self);
/* For some time the receiver has sent plain receiver reports only. */
bool rc_sender_is_plain (const RcSender *self, RcTime now);
bool rc_sender_is_guest (const RcSender *self);
/* RC_TIME_NONE: unknown */
RcTime rc_sender_srtt (const RcSender *self);
RcTime rc_sender_queueing_delay (const RcSender *self);
/* Mean one-way delay of the last report, in the receiver's clock less ours; RC_TIME_NONE: unknown.
 * Differences between senders to one receiver are those of their paths. */
RcTime rc_sender_delay_remote (const RcSender *self);
/* By when a report should have come about what is on its way, as its format and the interval go;
 * RC_TIME_NONE: nothing is on its way. */
RcTime rc_sender_answer_due_at (const RcSender *self);
/* Lost packets in the last seconds, as the law sees them. */
double rc_sender_loss_ratio (const RcSender *self);
const RcLossShape *rc_sender_loss (const RcSender *self);
/* Why the receiver takes no media. */
RcRefusal rc_sender_refusal (const RcSender *self);
/* State of the ECN trial, or "off". */
const char *rc_sender_ecn_name (const RcSender *self);
/* While media is stopped: when a packet of it may go as a probe; RC_TIME_NONE: infos probe. */
RcTime rc_sender_media_probe_at (const RcSender *self);
bool rc_sender_has_ssrc (const RcSender *self, uint32_t ssrc);
/* Packets of media that left. */
uint64_t rc_sender_sent_pkts (const RcSender *self);
/* Messages of feedback that held, in any format. */
uint64_t rc_sender_n_feedback (const RcSender *self);
void rc_sender_get_stats (RcSender *self, RcTime now, RcSenderStats *stats);
