/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The inside of a session, shared by rmcsession.c (its owner's calls), rmcpacing.c (what the pacing thread does) and rmcpath.c
 * (where the receiver is).
 * All functions here want the lock held. */
#pragma once

#include "base/clockglue.h"
#include "net/pathwatch.h"
#include "pacing/pacedegress.h"
#include "rmcsession.h"
#include "senderpacer.h"
#include <rc/sender/sender.h>

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
  Transport *transport;
  RcSender sender;
  gboolean stopped;             /* as the queue was told last */

  PathWatch path;
  gboolean follows_route, has_name;     /* else the local address, or the receiver's, is fixed */
  gint send_error;              /* errno of the last packet; 0: it was sent */
  RcTime refused_since;         /* RC_TIME_NONE: not since the last answer */
  gboolean told_port_refused;   /* since then */

  guint8 stamp_id;              /* 0: packets get no stamp */
  SendQueue *queue;
  SenderPacer pacer;
  Pacer lent;                   /* the same, as a scheduler upstream sees it */
  PacedEgress egress;           /* of the queue, by the pacer, over the transport */
  gboolean living;              /* told last */

  gboolean live, interrupted, wants_rtcp;
  gboolean starved;             /* the pacer found the queue empty: wake it when something comes */
  RcTime max_queue_time, stats_interval, stats_at;

  gboolean probing;             /* the next packet that comes is due as a probe */

  RmcWork work;
  RmcStats stats;
};

extern const PacingClientFuncs rmc_session_pacing_funcs;
extern const PacedEgressFuncs rmc_session_egress_funcs;
extern const PacerFuncs rmc_session_lent_funcs;

/* After each input of the sender: media may have stopped, or flow again. */
void rmc_session_follow_sender (RmcSession * self, RcTime now);
void rmc_session_send_rtcp (RmcSession * self, GstBuffer * buffer, RcTime now);
void rmc_session_wake_waiting (RmcSession * self);
RcTime rmc_session_queue_time (RmcSession * self);
/* Leaves the lock, which is never held while the owner is called, and tells of work. */
void rmc_session_unlock_and_tell (RmcSession * self);

/* rmcpath.c */
void rmc_session_note_sent (RmcSession * self, const TransportResult * result, RcTime now);
/* Something came from the receiver. */
void rmc_session_note_answer (RmcSession * self);
/* Nobody listens at its port. */
void rmc_session_note_refused (RmcSession * self, guint n, RcTime now);
/* Finds out whether it must be reached in another way now; before each attempt to send. Returns when to come again. */
RcTime rmc_session_watch_path (RmcSession * self, RcTime now);

G_END_DECLS
