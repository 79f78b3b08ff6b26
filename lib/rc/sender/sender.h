/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The sender: the media target, the pacing of media, and the one to four lanes (lane.h) by which it
 * leaves.
 *
 * rmcsink, the ns-3 hosts and the closed loop in virtual time are shells around it: they own the
 * queue, the transports and the clock, and give the memory of each lane. A shell notifies the
 * sender of events:
 *
 *   rc_sender_on_made      an encoder made media
 *   rc_gate_reserve        a packet leaves now, and the pacer is charged for it
 *   rc_sender_on_sent      the packet left; by one of several lanes: it is on its way there
 *
 * Feedback is notified to the lane that it came by. A shell asks what to do:
 *
 *   rc_sender_due_at       when the head of the queue may leave
 *   rc_lane_ecn_bits       the ECN bits of packets that leave
 *   rc_lane_plan           which infos to send now
 *   rc_sender_plan         a new media target, sender reports, and when to ask again
 *
 * It calls rc_lane_plan() of each lane and then rc_sender_plan() after each of the events above,
 * and at the time that the last plans named. In each call `now` is the last input, and must not run
 * backwards. Nothing here locks, allocates, calls back or reads a clock. A shell reads no field of
 * RcSender: what it may know has a function.
 *
 * With one lane (RC_LANES_ONE) the pacer of the sender is that of the lane. Before several lanes
 * the sender has one of its own, at the rate of their sum; what it lets go waits for the pacer of a
 * lane (lanes.h). What is asked of the sender is the sum of its lanes; what has no sum is asked of
 * rc_sender_lead (). */
#pragma once

#include <rc/base/ratemeter.h>
#include <rc/sender/lane.h>
#include <rc/sender/gate.h>
#include <rc/sender/lanes.h>
#include <rc/sender/mediatarget.h>
#include <rc/sender/srclock.h>
#include <rc/sender/voice.h>

/* Receivers repeat a bound each second and more often; a lost one is one of five. */
#define RC_BOUND_SPAN (5 * RC_SECOND)

typedef struct
{
  RcGate *gate;                 /* by which media leaves: that of the one lane, or `sum` */
  RcLane *one;                  /* the one lane; NULL: there may be several */
  RcGate sum;
  RcLanes lanes;
  /* Of several: what waits in them as in a queue; so much that it goes before new media. */
  uint64_t waiting_bytes;
  bool overloaded;
  RcLimits limits;              /* of all lanes together */
  uint64_t bound_bps;           /* the receiver's bound of the rate; 0: none */
  RcTime bound_until;
  bool guest;
  uint32_t overhead_bytes;
  RcAnnouncement announced;     /* to the receiver */
  RcSrClock srs;
  RcMediaTarget target;
  bool retarget; /* report the target again though it is the same: a new source needs it */
  uint32_t target_bps;          /* last reported */
  RcVoice voice;
  RcRateMeter made;
} RcSender;

/* What is to be done now, and when to come again. */
typedef struct
{
  RcTime next_at; /* call rc_sender_plan() no later; RC_TIME_NONE: when something happens */
  bool tell_time; /* send sender reports of RTP now, and call rc_lane_on_sr_sent () for each */
  bool tell_target;             /* the encoders should make target_bps of media now */
  uint32_t target_bps;
} RcSenderPlan;

/* Then at least one lane is to be added. */
void rc_sender_init (RcSender *self, const RcSenderConfig *config, RcTime now);
/* index: below RC_LANES_MAX, with no lane there; with RC_LANES_ONE it is 0. memory: the shell's, as
 * long as the lane is there. config: as of the sender, but for the limits, which the lanes share.
 * All lanes together start as one: those that were not heard yet begin anew. */
RcLane *rc_sender_add_lane (RcSender *self, unsigned index, RcLaneMemory *memory,
    const RcSenderConfig *config, RcTime now);
/* Of several. Take back the memory of its ledgers first. Its counters go on to count. */
void rc_sender_remove_lane (RcSender *self, unsigned index, RcTime now);
/* Of several: which carry, which are in doubt, what they are together. After each input of a lane,
 * and at the time that it returned. */
RcTime rc_sender_look (RcSender *self, RcTime now);
/* Before the first feedback: what comes in is known to need so much, so the law starts there, if
 * that is more. */
void rc_sender_start_at (RcSender *self, uint64_t bps, RcTime now);
void rc_sender_set_limits (RcSender *self, const RcLimits *limits, RcTime now);
/* The format of the media, which infos announce to the receiver. Its fields must stay until the
 * next call has returned. They go several times at first, in infos of their own, then each
 * RC_INFO_INTERVAL. */
void rc_sender_set_format (RcSender *self, const RcAnnouncement *announced, RcTime now);
/* --- media --- */

void rc_sender_on_made (RcSender *self, uint32_t media_bytes, RcTime now);
/* Media was dropped because it was more than the rate. Of several lanes it is known to each. */
void rc_sender_on_dropped (RcSender *self, uint64_t network_bytes);
/* By which packets leave: gate.h. */
RcGate *rc_sender_gate (RcSender *self);
/* When a waiting packet of so many bytes with all headers may leave; RC_TIME_NONE: not while
 * media is stopped. Before the first report, media goes on as single probes: infoclock.h. */
RcTime rc_sender_due_at (RcSender *self, uint32_t network_bytes, RcTime now);
/* When one that is sent again may leave, ahead of what is earned: rc_gate_lend (). */
RcTime rc_sender_urgent_at (RcSender *self, uint32_t network_bytes, RcTime now);
/* Media is stopped, but one packet of it would be a useful probe now: an upstream stage that
 * withholds media should release one packet. */
bool rc_sender_wants_probe (const RcSender *self, RcTime now);
/* A packet left that was reserved before. backlogged: more packets wait. */
void rc_sender_on_sent (RcSender *self, const RcSenderPacket *packet, bool backlogged, RcTime now);
/* RTCP left: infos of the one lane, or what others sent through its transport; of several the
 * lane is notified as well. */
void rc_sender_on_control_sent (RcSender *self, uint32_t network_bytes, RcTime now);
/* The media ends. true: the receiver hears sender reports, and should hear a BYE now. */
bool rc_sender_end (RcSender *self, RcTime now);
/* The receiver called, and wants no more than this on the network, until it says another bound; 0:
 * none. */
void rc_sender_set_bound (RcSender *self, uint64_t bps, RcTime now);
/* The receiver does not want more than this on the network (REMB). It holds for RC_BOUND_SPAN. */
void rc_sender_on_bound (RcSender *self, uint64_t bps, RcTime now);

/* --- what follows --- */

/* queue_bytes: the packets that wait, with headers. */
void rc_sender_plan (RcSender *self, uint64_t queue_bytes, RcTime now, RcSenderPlan *plan);
/* rc_mediatarget_take_misfit () */
bool rc_sender_take_misfit (RcSender *self, RcTime now, uint32_t *made_bps, uint32_t *told_bps);

/* --- what holds now --- */

/* The lane that carries most, or the one; NULL: none is there. */
RcLane *rc_sender_lead (const RcSender *self);
/* Of several: for rc_lanes_bind () and those that follow it there. */
RcLanes *rc_sender_lanes (RcSender *self);
uint64_t rc_sender_rate_bps (const RcSender *self);
/* Why rc_sender_rate_bps () is what it is: of several lanes that of the lead, unless a limit binds
 * their sum. */
RcCause rc_sender_cause (const RcSender *self);
/* Why frames leave as they do. */
RcPaceCause rc_sender_pace_cause (const RcSender *self);
/* The same of the media target, which what waits in the sender lowers too. */
RcCause rc_sender_target_cause (const RcSender *self);
/* Media for the encoders, as planned last; 0: nothing yet. */
uint32_t rc_sender_target_bps (const RcSender *self);
/* rc_mediatarget_get_steady_bps () */
uint32_t rc_sender_steady_bps (RcSender *self, RcTime now);
/* No media leaves, because the receiver does not answer or has left. */
bool rc_sender_is_stopped (const RcSender *self);
/* By any lane the receiver takes the media, or the law needs no answer. */
bool rc_sender_is_living (const RcSender *self);
/* As planned last: the receiver is living and its rate means something, so that it counts where
 * other receivers share the encoder (voice.h). */
bool rc_sender_counts (const RcSender *self);
/* It has answered by any lane. */
bool rc_sender_is_heard (const RcSender *self);
/* The longest of the lanes that carry. */
RcTime rc_sender_srtt (const RcSender *self);
RcTime rc_sender_queueing_delay (const RcSender *self);
bool rc_sender_is_guest (const RcSender *self);
/* The law obeys relays, so packets should carry a stamp for them. */
bool rc_sender_wants_stamps (const RcSender *self);
/* What a packet's stamp for relays should claim as its loop: SRTT and the time between reports.
 * RC_TIME_NONE: unknown. */
RcTime rc_sender_loop_time (const RcSender *self);
/* While media is stopped: when a packet of it may go as a probe; RC_TIME_NONE: infos probe. */
RcTime rc_sender_media_probe_at (const RcSender *self);
void rc_sender_get_stats (RcSender *self, RcTime now, RcSenderStats *stats);
