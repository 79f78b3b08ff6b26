/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* One sending session: queue, pacer, law and ledgers over one socket. It lives from PAUSED to
 * READY of its element and knows nothing of elements. One lock inside; every call may come from
 * any thread. What must not be done on the pacing thread (pads, events, messages) becomes work,
 * which the owner takes when `work_due` is called. */
#pragma once

#include "encoder/encoderorders.h"
#include <gio/gio.h>
#include "pacing/mediafeed.h"
#include "pacing/packetpacer.h"
#include "pacing/pacingengine.h"
#include <gst/gst.h>
#include "floorwatch.h"
#include "inputwatch.h"
#include "sessionstats.h"
#include "rtp/rtcpmessage.h"
#include "sendlanes.h"
#include <rc/feedback/wire.h>
#include <rc/law/controller.h>
#include <rc/feedback/reports.h>
#include <rc/ledger/toldnumbers.h>
#include <rc/pace/rmc.h>

G_BEGIN_DECLS

typedef struct _SendSession SendSession;

typedef struct
{
  RcController controller;      /* initialised, parameters set; started by the session */
  RcLimits limits;
  RcRmcParams pacing;
  guint64 bound_bps;            /* as send_session_set_bound () */
  RcTime max_queue_time;
  gboolean renumber, ecn;
  Feed *feed;                   /* media comes by it; NULL: it is pushed */
  guint32 ssrc_mask;            /* packets leave with their SSRC XOR this */
  RcTime rtx_time;              /* how long packets are kept to be sent again; 0: not at all */
  const GstStructure *rtx_payload_types;        /* as rtx_streams_init(), or NULL */
  /* Where no encoder follows the start bitrate gives way to what comes. */
  gboolean starts_by_input;
  gboolean guest;               /* inside an enclosing RTP session: as RcSenderConfig.guest */
  /* When the way to the receiver leads from another local address, send from that. */
  gboolean follows_route;
  /* The receiver's address was looked up and may change: work.look_up asks for it. */
  gboolean has_name;
  GstDebugCategory *log;        /* of the element that has the session, with it; NULL: none */
  GstElement *element;          /* must live as user_data */
  /* The session's from now on: it closes it when it stops, and frees it. NULL: those of `lanes`. */
  Transport *transport;
  const SendLanesConfig *lanes; /* NULL: there is one path, which has no name */
  /* Called from any thread, without a lock: send_session_take_work() has something. Must not
   * block. */
  void (*work_due) (gpointer user_data);
  gpointer user_data;           /* must live until send_session_stop() has returned */
} SendSessionConfig;

typedef enum
{
  SEND_PUSH_OK,
  SEND_PUSH_NOT_RTP,             /* buffers[*taken] */
  SEND_PUSH_INTERRUPTED,         /* call again for the rest */
} SendPushResult;

typedef enum
{
  SEND_DRAIN_DONE,
  SEND_DRAIN_SILENT,             /* the receiver does not respond: what waits will not leave */
  SEND_DRAIN_INTERRUPTED,
} SendDrainResult;

/* What the owner shall do. */
typedef struct
{
  EncoderOrders encoders;       /* the element adds its permissions */
  gboolean fec;                 /* their fec_percentage is another one */
  gboolean is_short;            /* the link carries less than what comes and no encoder follows */
  InputShortage shortage;       /* then */
  gboolean below_floor;         /* the link carries less than the least rate */
  FloorShortage floor;          /* then */
  gboolean stopped;             /* media stopped for silence just now */
  gboolean answered;            /* a receiver, the first or another one, has reported */
  gboolean resumed;             /* it flows again, and the stop was reported */
  gboolean heard;               /* the receiver ever reported in this session */
  RcRefusal refusal;            /* why the receiver takes no media of ours */
  gboolean port_refused;        /* no program listens at the receiver's port, for a while */
  gboolean told_port_refused;   /* ... which was reported before, and no answer came since */
  gint send_error;              /* errno of the last packet; 0: it was sent */
  /* Look the receiver's name up, and send_session_set_peer() if it has another address. */
  gboolean look_up;
  gboolean wants_paths;         /* look for the paths that are not there, and add them */
  gboolean plain;               /* the receiver sends plain receiver reports only; reported once */
  gboolean stats;               /* the statistics interval is over */
  GQueue rtcp;                  /* GstBuffer that came and is not ours; take them */
} SessionWork;

/* Of all below RTP, a packet. */
guint send_session_overhead_bytes (const SendSessionConfig * config);
/* NULL and *error if the system refuses. */
SendSession *send_session_new (const SendSessionConfig * config, GError ** error);
SendSession *send_session_ref (SendSession * self);
void send_session_unref (SendSession * self);
/* The media has ended: RTCP BYE, for arcsrc and for a receiver that hears our sender reports. */
void send_session_say_bye (SendSession * self);
/* Says BYE. Nothing is sent, received or reported after it returns. Not from within work_due. */
void send_session_stop (SendSession * self);

/* Of the pacing thread, which all sessions share: 1..99, SCHED_FIFO; 0: as other threads. FALSE:
 * not permitted. */
gboolean send_session_set_priority (SendSession * self, gint priority);
/* Of the packets to come: the id of the header extension in which relays stamp their rate, for
 * laws that obey it (default: RATE_STAMP_ID), their codec, and what the receiver learns of the
 * media. FALSE: the receiver cannot be told what they say: it is too much. Packets of red_type are
 * RED; -1: none are. */
gboolean send_session_set_caps (SendSession * self, const GstCaps * caps, gint red_type);
/* Of the largest RTP packet from upstream that the path carries in one piece, with all that is
 * added to it; 0: unknown. Cheap. */
guint send_session_get_max_rtp_bytes (SendSession * self);
/* For a scheduler upstream, which decides what goes next and asks this when: what it has paid
 * for leaves at once. As long as the session. */
Pacer *send_session_get_pacer (SendSession * self);
/* live: drop what is too late, never block. Default FALSE. */
void send_session_set_live (SendSession * self, gboolean live);
void send_session_set_limits (SendSession * self, const RcLimits * limits);
/* That the receiver called with, until a REMB takes its place; 0: none. */
void send_session_set_bound (SendSession * self, guint64 bps);
void send_session_set_max_queue_time (SendSession * self, RcTime max_queue_time);
/* No encoder follows what the link carries: what comes waits for so long at most, and a keyframe
 * always. 0: one does. */
void send_session_set_hold_time (SendSession * self, RcTime hold_time);
/* As rtx_time of the configuration. */
void send_session_set_rtx_time (SendSession * self, RcTime rtx_time);
/* 0: off */
void send_session_set_stats_interval (SendSession * self, RcTime interval);
/* Whether foreign RTCP becomes work. */
void send_session_set_wants_rtcp (SendSession * self, gboolean wants);
/* TRUE: pushes and drains that wait return, and further ones do not wait. */
void send_session_set_interrupted (SendSession * self, gboolean interrupted);

/* From buffers[*taken] on, which it counts up; takes references of its own. Not live: waits
 * while the queue is full or media is stopped. Call it for few buffers at a time: the pacing
 * thread waits meanwhile. */
SendPushResult send_session_push (SendSession * self, GstBuffer ** buffers, guint n, guint * taken);
/* What came for a transport that does not receive by itself. */
void send_session_take_datagram (SendSession * self, const guint8 * data, gsize size);
/* Feedback of an enclosing RTP session about packets that it numbered after the transport.
 * `instance`: which receiver. Returns how many of them are reported for the first time. */
guint send_session_take_told (SendSession * self, const RcTold * told, guint n, guint32 instance);
/* The blocks of one receiver report of RTP that the enclosing session received. */
void send_session_take_blocks (SendSession * self, const RcReportBlock * blocks, guint n);
/* A message of RFC 8888 that the enclosing session received, as rc_ccfb_decode () reads it. FALSE:
 * malformed. */
gboolean send_session_take_ccfb (SendSession * self, const guint8 * data, gsize size,
    guint32 sender_ssrc);
/* What follows the transport let this packet go at left_at, later than the transport took it. */
void send_session_on_left (SendSession * self, guint32 ssrc, guint16 seq, RcTime left_at);
/* As send_queue_number_in () and send_queue_number_out (). */
gboolean send_session_number_in (SendSession * self, guint32 ssrc, guint16 out, guint16 * in);
guint16 send_session_number_out (SendSession * self, guint32 but_ssrc, guint32 timestamp,
    guint16 in);
/* Of all packets that came: the number of the next one to come, and of the next one to leave. */
guint64 send_session_get_count (SendSession * self);
guint64 send_session_get_next (SendSession * self);
/* An RTP session behind the transport was asked for a keyframe. FALSE: there is no such stream. */
gboolean send_session_request_keyframe (SendSession * self, guint32 ssrc);
/* Leaves at once, at the cost of media. */
void send_session_push_rtcp (SendSession * self, GstBuffer * buffer);
/* Calls it with the session's transport and lock, unless the session has stopped. */
void send_session_with_transport (SendSession * self,
    void (*func) (Transport * transport, gpointer user_data), gpointer user_data);
/* Of a session with `lanes`: removes paths whose names are not among these, which end with NULL.
 * Returns how many of the names are not there: those at missing[0] and so on. */
guint send_session_survey_paths (SendSession * self, const gchar * const *names, guint * missing);
/* Takes the transport. */
void send_session_add_path (SendSession * self, const SendLanesPath * path);
/* Waits until all that waits has left, or the session has stopped. */
SendDrainResult send_session_drain (SendSession * self);
/* Forgets what waits. */
void send_session_flush (SendSession * self);

/* g_object_unref; NULL: the session has stopped. */
GSocketAddress *send_session_get_peer (SendSession * self);
/* The receiver is there now; of the same family. */
void send_session_set_peer (SendSession * self, GSocketAddress * peer);

/* The encoders get the target bitrate again. */
void send_session_retell_target (SendSession * self);
guint send_session_get_target_bps (SendSession * self);
/* The receiver does not report: no media leaves. */
gboolean send_session_is_stopped (SendSession * self);
/* Media has left, and no receiver has ever reported. */
gboolean send_session_is_unheard (SendSession * self);
guint64 send_session_get_rate_bps (SendSession * self);
/* FALSE: nothing to do. */
gboolean send_session_take_work (SendSession * self, SessionWork * work);
/* There is an event trace (sessiontrace.h), to which the owner adds what the encoders were told. */
gboolean send_session_is_traced (SendSession * self);
void send_session_on_encoders (SendSession * self, guint bps, RcCause cause);
void send_session_get_stats (SendSession * self, SessionStats * stats);
/* Those of the paths alone, RC_LANES_MAX at most. Returns how many. */
guint send_session_get_lane_stats (SendSession * self, LaneStats * lanes);

G_END_DECLS
