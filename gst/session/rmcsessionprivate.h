/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The inside of a session, shared by rmcsession.c (its owner's calls), rmctold.c (what
 * somebody else tells), rmckeyframes.c (who wants keyframes), rmcpacing.c (what the pacing thread
 * does) and lentpacer.c (what a
 * scheduler upstream does). Each uses only those after it. */
#pragma once

#include "base/clockglue.h"
#include "fecrate.h"
#include "listreader.h"
#include "rmcmedia.h"
#include "rmcpath.h"
#include "rmcsession.h"
#include <rc/sender/sender.h>

G_BEGIN_DECLS

struct _RmcSession
{
  gint refs;
  GMutex lock;                  /* of all below */
  void (*work_due) (gpointer user_data);
  gpointer user_data;

  PacingEngine *engine;
  PacingClient *client;         /* NULL: the session has stopped */
  RcTime next_at;               /* when the pacing thread comes again */
  Transport *transport;
  RcSender sender;
  RmcPath path;
  RmcMedia media;
  guint32 caps_ssrc;            /* 0: the caps name none */
  ListReader *lists;            /* NULL: the receiver has listed no packets yet */
  Pacer lent;                   /* the media's pacer, as a scheduler upstream sees it */

  gboolean living;              /* told last */
  gboolean told_plain;          /* that the receiver sends plain receiver reports only */
  gboolean told_silence;        /* that media has stopped */
  gboolean wants_rtcp;
  /* The receiver whose report held last; rmckeyframes.c. */
  gboolean has_receiver;
  guint32 receiver_instance;
  guint64 reports_accepted;
  RcTime stats_interval, stats_at;
  FecRate fec;
  RmcWork work;
  guint64 rtcp_malformed, not_rtcp, path_changes;

  RcToldNumbers told;           /* rmctold.c */
};

/* rmckeyframes.c; all with the lock */
/* Of RTCP: PLI and FIR. */
void rmc_session_take_keyframe_requests (RmcSession * self, const RtcpMessage * message,
    RcTime now);
/* A report of this receiver came. If it held, and the receiver is new, it needs a keyframe. */
void rmc_session_watch_newcomer (RmcSession * self, guint32 instance, RcTime now);

/* rmcpacing.c; all with the lock */
extern const PacingClientFuncs rmc_session_pacing_funcs;
/* After each input of the sender: media may have stopped, or flow again. */
void rmc_session_follow_sender (RmcSession * self, RcTime now);
/* Does what the pacing thread would do now, on the caller's. */
void rmc_session_serve_now (RmcSession * self, RcTime now);
/* To arcsrc, once after the last media: our cookie with a BYE, so that its place is free. */
void rmc_session_send_farewell (RmcSession * self, RcTime now);
/* bye: they are the last ones. */
void rmc_session_send_sender_reports (RmcSession * self, gboolean bye, RcTime now);
void rmc_session_send_rtcp (RmcSession * self, GstBuffer * buffer, RcTime now);
/* Another path leads to the receiver now: what was known is wrong, and the rate may be too much. */
void rmc_session_begin_anew (RmcSession * self, RcTime now);
gboolean rmc_session_has_work (const RmcSession * self);
/* Leaves the lock, which is never held while the owner is called, and tells of work. */
void rmc_session_unlock_and_tell (RmcSession * self);

/* lentpacer.c; without the lock */
RcTime rmc_session_lent_due_at (Pacer * pacer, guint size_bytes, RcTime now);
void rmc_session_lent_pay (Pacer * pacer, guint size_bytes, RcTime now);
void rmc_session_lent_on_idle (Pacer * pacer, RcTime now);
void rmc_session_lent_on_blocked (Pacer * pacer, guint size_bytes, RcTime since, RcTime now);

G_END_DECLS
