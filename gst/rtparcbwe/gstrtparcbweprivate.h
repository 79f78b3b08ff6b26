/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The inside of the element. Its files use only those after them: gstrtparcbwe.c (states and
 * properties), bweinput.c (the sink pad), bweoutput.c (the source pad), bwesession.c (what it adds
 * to a session and its host), bwepeer.c (the rtpsession that follows), bwereports.c (RTCP that came
 * to it). */
#pragma once

#include "gstrtparcbwe.h"
#include "pacing/rtxbudget.h"
#include "padtransport.h"
#include "pushtimes.h"
#include "session/sessionhost.h"

G_BEGIN_DECLS

/* Custom query downstream: does another rtparcbwe follow? */
#define BWE_FOLLOWS "GstArcBweFollows"

#define GST_CAT_DEFAULT gst_rtp_arc_bwe_debug
GST_DEBUG_CATEGORY_EXTERN (gst_rtp_arc_bwe_debug);

/* For the files below gstrtparcbwe.c, which knows the type. */
#define GST_RTP_ARC_BWE_CAST(object) ((GstRtpArcBwe *) (object))

struct _GstRtpArcBwe
{
  GstElement parent;
  GstPad *sinkpad, *srcpad;

  SessionHost host;
  PadTransport transport;       /* of the session */
  PushTimes push_times;
  GstElement *rtp_session;      /* object lock: that follows, or NULL */
  GObject *rtp_inside;          /* object lock: its RTPSession, or NULL */
  gint meet_session;            /* atomic: perhaps another one follows now */

  RtxBudget rtx;                /* streaming thread of the sink pad */
  gint rtx_passed, rtx_dropped; /* atomic */
  gint flow;                    /* atomic: GstFlowReturn of the last push */
  gint relinks;                 /* atomic: how often a link downstream was made */

  RcTime clock_offset;          /* our clock less the system clock; as long as the session */
  RcTime pushed_since;          /* object lock; of the first push; RC_TIME_NONE: none yet */
  gint header_bytes;            /* atomic: RTP header of the last packet, with its extensions */
  gint packets_pushed, packets_told, messages, messages_refused;        /* atomic */
  gint extended;                /* atomic: packets carry header extensions */
  gint unheard;                 /* atomic: no feedback came for UNHEARD_TIME */
  gint warned_unheard, warned_strangers;        /* atomic */
};

/* bweinput.c */
void gst_rtp_arc_bwe_init_sink_pad (GstRtpArcBwe * self);

/* bweoutput.c */
void gst_rtp_arc_bwe_init_src_pad (GstRtpArcBwe * self);
void gst_rtp_arc_bwe_start_task (GstRtpArcBwe * self, SendSession * session);
/* Nothing more leaves. Calls that wait return. */
void gst_rtp_arc_bwe_halt (GstRtpArcBwe * self, SendSession * session);

/* bwesession.c */
extern const SessionHostFuncs gst_rtp_arc_bwe_host_funcs;
void gst_rtp_arc_bwe_describe_stats (GstElementClass * klass);
/* Failures are posted. */
gboolean gst_rtp_arc_bwe_open_session (GstRtpArcBwe * self);
void gst_rtp_arc_bwe_close_session (GstRtpArcBwe * self);

/* bwepeer.c */
/* Hears of RTCP from whatever rtpsession follows, if another one may follow now. */
void gst_rtp_arc_bwe_meet_session (GstRtpArcBwe * self);
void gst_rtp_arc_bwe_leave_session (GstRtpArcBwe * self);
/* Another rtparcbwe, side by side with this one, enters it too. */
gboolean gst_rtp_arc_bwe_shares_session (GstRtpArcBwe * self);

/* bwereports.c: handlers of signals */
void gst_rtp_arc_bwe_on_rtcp (GObject * rtp_inside, GstBuffer * buffer, GstRtpArcBwe * self);
void gst_rtp_arc_bwe_on_feedback (GObject * rtp_inside, guint type, guint format,
    guint sender_ssrc, guint media_ssrc, GstBuffer * fci, GstRtpArcBwe * self);


G_END_DECLS
