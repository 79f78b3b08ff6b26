/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The lanes of a sender: which carry, which are in doubt, and what they are together. Each has its
 * own consecutive numbers, so that it sees losses, delays and rates of its path alone. Before
 * several of them the sender paces the media at the rate of their sum.
 *
 * A shell of several does this:
 *   rc_lanes_bind         the sender let a packet go: by which lane it leaves
 *   rc_lane_due_at ...    when it leaves; then rc_lanes_on_left
 *   rc_sender_look        after each input of a lane, and at the time that it returned
 *   rc_lanes_take_doubt   what left by this lane lately should leave by another one too
 *
 * A lane is in doubt while a report is overdue: a path that died shows by nothing else. Nothing new
 * is bound to it then but copies, by which it is found again. Two lanes that wait in one queue
 * (sharedqueue.h) would take two shares of it, and give nothing that one of them does not: one of
 * them carries, and copies on the other show when that ends.
 *
 * A slow lane gets copies of packets up to its rate. Problem: at 144 kbit/s a packet takes 67 ms
 * and always arrives first by the other lane, so the slow lane carries nothing and its law does
 * not grow, though its path might carry 40 Mbit/s. Rejected: to send the packets themselves
 * there, which delays frames; copies up to half of the sum, which cost more than they find.
 *
 * What waits for lanes beyond the choice between them lowers the media target, as the sender's
 * own queue does. */
#pragma once

#include <rc/lanes/lanechoice.h>
#include <rc/lanes/sharedqueue.h>
#include <rc/sender/lane.h>

#define RC_LANES_PAIRS (RC_LANES_MAX * (RC_LANES_MAX - 1) / 2)

typedef struct
{
  RcLane *lane;                 /* NULL: the place is free */
  bool joined;                  /* the receiver takes media by it */
  bool doubted, doubt_untaken;
  bool muted;                   /* it waits in the queue of another lane, which carries */
  bool carries;                 /* when looked at last */
  uint64_t bound_bytes;
  RcTime bound_at;              /* the last packet; RC_TIME_NONE: none yet */
} RcLanePlace;

typedef struct
{
  RcLanePlace places[RC_LANES_MAX];
  unsigned n_places;            /* beyond them none was ever taken */
  RcSharedQueue shared[RC_LANES_PAIRS];
  RcLane *lead;                 /* of those that carry the one with the highest rate, else any */
  RcLanesMode mode;
  RcTime latency;
  RcSenderStats gone;           /* counters of lanes that were removed */
} RcLanes;

/* What all are together, for new packets. */
typedef struct
{
  uint64_t rate_bps;
  uint64_t waiting_bytes;       /* that wait in them as in a queue */
  bool overloaded;              /* what waits is so much that it goes before new media */
  bool stopped;                 /* all of them are */
} RcLanesSum;

void rc_lanes_init (RcLanes *self, RcLanesMode mode, RcTime latency);
void rc_lanes_add (RcLanes *self, unsigned place, RcLane *lane);
void rc_lanes_remove (RcLanes *self, unsigned lane);
unsigned rc_lanes_count (const RcLanes *self);
/* Which carry, which leads, which are in doubt. Returns when to look again. */
RcTime rc_lanes_look (RcLanes *self, RcTime now);
void rc_lanes_sum (const RcLanes *self, RcLanesSum *sum);
void rc_lanes_get_stats (const RcLanes *self, RcTime now, RcSenderStats *stats);

/* --- for the shell of several --- */

const RcLanePlace *rc_lanes_get (const RcLanes *self, unsigned lane);
void rc_lanes_set_joined (RcLanes *self, unsigned lane, bool joined);
/* By which lanes a packet leaves; it is counted as bound to them. Both RC_LANE_NONE: there is no
 * lane. */
RcLaneChoice rc_lanes_bind (RcLanes *self, const RcLaneWish *wish, RcTime now);
/* A packet that was bound to it left, or is bound no more. */
void rc_lanes_on_left (RcLanes *self, unsigned lane, uint32_t network_bytes);
/* true, once a doubt: what left by this lane and was not reported, and what is bound to it. */
bool rc_lanes_take_doubt (RcLanes *self, unsigned *lane);
/* How much later than by the fastest lane a packet comes by this one now, the queues of the network
 * included. */
RcTime rc_lanes_lag (const RcLanes *self, unsigned lane, RcTime now);
