/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The inside of a session, shared by sendsession.c (calls of its owner), sessionguest.c
 * (feedback of an enclosing RTP session), sessionkeyframes.c (keyframe requests), sessionpacing.c
 * (the pacing thread) and lentpacer.c (a scheduler upstream). Each uses only those after it. */
#pragma once

#include "base/clockglue.h"
#include "fecrate.h"
#include "listreader.h"
#include "sendmedia.h"
#include "sendpath.h"
#include "sendsession.h"
#include <rc/sender/sender.h>

G_BEGIN_DECLS

struct _SendSession
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
  SendPath path;
  SendMedia media;
  guint32 caps_ssrc;            /* 0: the caps name none */
  ListReader *lists;            /* NULL: the receiver has listed no packets yet */
  Pacer lent;                   /* the media's pacer, as a scheduler upstream sees it */

  gboolean living;              /* told last */
  gboolean told_plain;          /* that the receiver sends plain receiver reports only */
  gboolean told_silence;        /* that media has stopped */
  gboolean wants_rtcp;
  /* The receiver whose report held last; sessionkeyframes.c. */
  gboolean has_receiver;
  guint32 receiver_instance;
  guint64 reports_accepted;
  RcTime stats_interval, stats_at;
  FecRate fec;
  SessionWork work;
  guint64 rtcp_malformed, not_rtcp, path_changes;

  RcToldNumbers told;           /* sessionguest.c */
};

/* sessionkeyframes.c; all with the lock */
/* Of RTCP: PLI and FIR. */
void send_session_take_keyframe_requests (SendSession * self, const RtcpMessage * message,
    RcTime now);
/* A report of this receiver came. If it held, and the receiver is new, it needs a keyframe. */
void send_session_watch_newcomer (SendSession * self, guint32 instance, RcTime now);

/* sessionpacing.c; all with the lock */
extern const PacingClientFuncs send_session_pacing_funcs;
/* After each input of the sender: media may have stopped, or flow again. */
void send_session_follow_sender (SendSession * self, RcTime now);
/* Does what the pacing thread would do now, on the caller's. */
void send_session_serve_now (SendSession * self, RcTime now);
/* To arcsrc, once after the last media: our cookie with a BYE, so that its place is free. */
void send_session_send_farewell (SendSession * self, RcTime now);
/* bye: they are the last ones. */
void send_session_send_sender_reports (SendSession * self, gboolean bye, RcTime now);
void send_session_send_rtcp (SendSession * self, GstBuffer * buffer, RcTime now);
/* Another path leads to the receiver now: what was known is wrong, and the rate may be too much. */
void send_session_begin_anew (SendSession * self, RcTime now);
gboolean send_session_has_work (const SendSession * self);
/* Leaves the lock, which is never held while the owner is called, and tells of work. */
void send_session_unlock_and_tell (SendSession * self);

/* lentpacer.c; without the lock */
RcTime send_session_lent_due_at (Pacer * pacer, guint size_bytes, RcTime now);
void send_session_lent_pay (Pacer * pacer, guint size_bytes, RcTime now);
void send_session_lent_on_idle (Pacer * pacer, RcTime now);
void send_session_lent_on_blocked (Pacer * pacer, guint size_bytes, RcTime since, RcTime now);

G_END_DECLS
