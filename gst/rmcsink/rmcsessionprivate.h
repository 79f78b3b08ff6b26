/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The inside of a session, shared by rmcsession.c (its owner's calls), rmcpacing.c (what the pacing thread does) and rmcpath.c
 * (where the receiver is).
 * All functions here want the lock held. */
#pragma once

#include "common/clockglue.h"
#include "ledgerset.h"
#include <rc/mediatarget.h>
#include "common/pathwatch.h"
#include <rc/ratemeter.h>
#include "rmcsession.h"
#include "common/udpsender.h"
#include <rc/ecn.h>
#include <rc/rmc.h>

G_BEGIN_DECLS

struct _RmcSession
{
  gint refs;
  GMutex lock;
  GCond changed;                /* queue, stop or interruption: for those who wait */
  guint waiting;
  void (*work_due) (gpointer user_data);
  gpointer user_data;

  PacingEngine *engine;
  PacingClient *client;
  GSocket *socket;
  UdpSender sender;
  gboolean ecn_wanted;
  RcEcn ecn;
  guint overhead_bytes;

  PathWatch path;
  gboolean follows_route, has_name;     /* else the local address, or the receiver's, is fixed */
  gint send_error;              /* errno of the last packet; 0: it was sent */
  RcTime refused_since;         /* RC_TIME_NONE: not since the last answer */
  gboolean told_port_refused;   /* since then */

  RcLimits limits;
  RcController controller;
  guint8 stamp_id;              /* 0: packets get no stamp */
  RcDecision decision;
  RcRmc rmc;
  SendQueue *queue;
  LedgerSet *ledgers;
  RcMediaTarget target;
  guint target_bps;             /* told last */
  gboolean living;              /* told last */

  gboolean live, interrupted, wants_rtcp;
  gboolean scheduled;           /* upstream orders and drops: little may wait here */
  gboolean starved;             /* the pacer found the queue empty: wake it when something comes */
  RcTime max_queue_time, stats_interval, stats_at;

  RcTime info_at, info_sent_at, media_sent_at;  /* RC_TIME_NONE: no need; never */
  RcTime told_srtt, told_interval;
  guint probes;                 /* since media stopped */
  RcTime probe_at;
  gboolean heard;               /* something of ours came from the receiver: it speaks RTCP */
  gboolean probing;             /* the next packet that comes is due as a probe */
  guint64 cookie;               /* that the receiver wants back; 0: none told */
  RcMediaFormat format;         /* told to the receiver */
  RcRefusal refusal;            /* of its last notice; none since a report came */

  RmcWork work;
  RcRateMeter encoder, sent;
  RmcStats stats;
};

extern const PacingClientFuncs rmc_session_pacing_funcs;

/* The law has spoken. */
void rmc_session_decide (RmcSession * self, RcDecision decision, RcTime now);
void rmc_session_send_rtcp (RmcSession * self, GstBuffer * buffer, RcTime now);
/* The receiver may be there again: ask at once. */
void rmc_session_probe_soon (RmcSession * self, RcTime now);
void rmc_session_wake_waiting (RmcSession * self);
RcTime rmc_session_queue_time (RmcSession * self);
/* Beyond it a source that can wait must. */
RcTime rmc_session_queue_limit (RmcSession * self);
/* Leaves the lock, which is never held while the owner is called, and tells of work. */
void rmc_session_unlock_and_tell (RmcSession * self);

/* rmcpath.c */
void rmc_session_note_sent (RmcSession * self, const UdpSendResult * result, RcTime now);
/* Something came from the receiver. */
void rmc_session_note_answer (RmcSession * self);
/* Nobody listens at its port. */
void rmc_session_note_refused (RmcSession * self, guint n, RcTime now);
/* Finds out whether it must be reached in another way now; before each attempt to send. Returns when to come again. */
RcTime rmc_session_watch_path (RmcSession * self, RcTime now);

G_END_DECLS
