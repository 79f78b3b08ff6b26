/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Several paths that carry one stream. Each is a lane: it has an RcSender of its own, with law,
 * pacer and ledger, and its own consecutive numbers, so that each lane sees losses, delays and
 * rates of its path alone. Before them stands one sender that is carried by them
 * (rc_sender_set_carriage ()): it paces the media at the rate of their sum and sets the target.
 *
 * A shell does this:
 *   rc_lanes_bind         the sender before them let a packet go: by which lane it leaves
 *   rc_sender_due_at ...  of that lane: when it leaves; then rc_lanes_on_left
 *   rc_lanes_look         after each input of a lane's sender, and at the time that it returned
 *   rc_lanes_take_doubt   what left by this lane lately should leave by another one too
 *   rc_lanes_sum          what the lanes carry together, for the sender before them
 *
 * A lane is in doubt while a report is overdue: a path that died shows by nothing else. Nothing new
 * is bound to it then but copies, by which it is found again. Two lanes that wait in one queue
 * (sharedqueue.h) would take two shares of it, and give nothing that one of them does not: one of
 * them carries, and copies on the other show when that ends.
 *
 * Time is an argument; nothing here locks, allocates or calls back. */
#pragma once

#include <rc/lanes/lanechoice.h>
#include <rc/lanes/sharedqueue.h>
#include <rc/sender/sender.h>

#define RC_LANES_PAIRS (RC_LANES_MAX * (RC_LANES_MAX - 1) / 2)

typedef enum
{
  RC_LANES_SUM,                 /* all carry, each what it can */
  RC_LANES_BACKUP,              /* the first that works carries */
  RC_LANES_DUPLICATE,           /* each packet leaves by two */
} RcLanesMode;

typedef struct
{
  RcSender sender;
  bool there;                   /* else the place is free */
  bool joined;                  /* the receiver takes media by it */
  bool doubted, doubt_untaken;
  bool muted;                   /* it waits in the queue of another lane, which carries */
  uint64_t bound_bytes;
  RcTime bound_at;              /* the last packet; RC_TIME_NONE: none yet */
} RcLane;

typedef struct
{
  RcLane lanes[RC_LANES_MAX];
  RcSharedQueue shared[RC_LANES_PAIRS];
  RcLanesMode mode;
  RcTime latency;
  RcAnnouncement announced;     /* by each lane */
  RcSenderStats gone;           /* counters of lanes that were removed */
} RcLanes;

/* latency: how much later than by the fastest lane a packet may come. */
void rc_lanes_init (RcLanes *self, RcLanesMode mode, RcTime latency);
/* Returns its place, or RC_LANE_NONE: all are taken. config: of the lane's sender. */
int rc_lanes_add (RcLanes *self, const RcSenderConfig *config, RcTime now);
/* Take back the memory of its ledgers first. */
void rc_lanes_remove (RcLanes *self, unsigned lane);
/* Of the media: a receiver learns it from the infos of any lane. */
void rc_lanes_set_format (RcLanes *self, const RcAnnouncement *announced, RcTime now);
bool rc_lanes_has (const RcLanes *self, unsigned lane);
RcSender *rc_lanes_sender (RcLanes *self, unsigned lane);
const RcLane *rc_lanes_get (const RcLanes *self, unsigned lane);
void rc_lanes_set_joined (RcLanes *self, unsigned lane, bool joined);

/* By which lanes a packet leaves; it is counted as bound to them. Both RC_LANE_NONE: there is no
 * lane. */
RcLaneChoice rc_lanes_bind (RcLanes *self, const RcLaneWish *wish, RcTime now);
/* A packet that was bound to it left, or is bound no more. */
void rc_lanes_on_left (RcLanes *self, unsigned lane, uint32_t network_bytes);
/* Returns when to look again. */
RcTime rc_lanes_look (RcLanes *self, RcTime now);
/* true, once a doubt: what left by *lane and was not reported, and what is bound to it. */
bool rc_lanes_take_doubt (RcLanes *self, unsigned *lane);
void rc_lanes_sum (RcLanes *self, RcTime now, RcCarriage *sum);
/* How much later than by the fastest lane a packet comes by this one now, the queues of the network
 * included. */
RcTime rc_lanes_lag (const RcLanes *self, unsigned lane, RcTime now);
