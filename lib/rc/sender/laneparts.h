/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What a lane is made of: for lane.c, lanes.c and sender.c. */
#pragma once

#include <rc/base/ratemeter.h>
#include <rc/feedback/formatchoice.h>
#include <rc/law/controller.h>
#include <rc/ledger/ledgers.h>
#include <rc/pace/paceplan.h>
#include <rc/path/lossshape.h>
#include <rc/sender/ecn.h>
#include <rc/sender/farewell.h>
#include <rc/sender/gate.h>
#include <rc/sender/senderfacts.h>
#include <rc/sender/srclock.h>

struct _RcLane
{
  RcController controller;      /* of the configuration */
  RcController slow;            /* for plain receivers */
  bool is_slow;                 /* that one decides */
  RcTime slow_since;
  uint64_t fed_bps;             /* rate after the last feedback that was made for a law; 0: none */
  RcLimits limits;
  RcDecision decision;          /* holds now */
  RcGate gate;
  RcEcn ecn;
  bool ecn_wanted;
  bool guest;
  bool alone;                   /* the sender has one path */
  RcFarewell farewell;
  uint32_t overhead_bytes;
  RcLedgers ledgers;
  RcFormatChoice formats;
  RcSrClock *srs;               /* of the sender; NULL: a guest's, who sends none */
  uint64_t cookie;              /* that the receiver wants back; 0: none */
  uint64_t farewell_pkts;       /* had left when rc_lane_take_farewell () last returned true */
  RcAnnouncement announced;     /* to the receiver */
  unsigned parts_sent;          /* since the format or the receiver is another */
  RcTime part_at;               /* when the last of them left */
  RcRefusal refusal;            /* of its last notice; none since a report came */
  RcRateMeter sent;
  uint32_t untold_bytes, untold_pkts;   /* that left, of which the law does not know */
  uint64_t untold_dropped_bytes;
  RcPacePlan pace;
  RcLossShape loss;             /* as reported, whatever is repaired */
  RcTime delay_remote;          /* mean OWD of the last report with delays; RC_TIME_NONE: none */
  RcTime unanswered_since;      /* RC_TIME_NONE: reports have named all that left */
  uint64_t unanswered_bytes;    /* RTP that left since the last report came */
  RcTime paid_at;               /* when that paid for the next; RC_TIME_NONE: not yet */
  RcSenderStats stats;
};

/* rc_lane_on_timer () has something to do. */
static inline bool
rc_lane_is_due (const RcLane *self, RcTime now)
{
  return (self->decision.next_at != RC_TIME_NONE && now >= self->decision.next_at)
      || (self->farewell.due_at != RC_TIME_NONE && now >= self->farewell.due_at);
}
