/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The inside of the element. Its files use only those after them: gstrtparcbwe.c (states),
 * bweinput.c (the sink pad), bweoutput.c (the source pad), bwesession.c (opening and closing),
 * bwework.c (what must not happen on the pacing thread), bwepeer.c (the rtpsession that follows),
 * bwereports.c (RTCP that came to it), bweproperties.c, bwesettings.c. */
#pragma once

#include "base/workturns.h"
#include "encoder/encodersteering.h"
#include "gstrtparcbwe.h"
#include "pacing/rtxbudget.h"
#include "padtransport.h"
#include "pushtimes.h"
#include "session/rmcsession.h"
#include "rtp/rtpcodec.h"

G_BEGIN_DECLS

/* Custom query downstream: does another rtparcbwe follow? */
#define BWE_FOLLOWS "GstArcBweFollows"

#define GST_CAT_DEFAULT gst_rtp_arc_bwe_debug
GST_DEBUG_CATEGORY_EXTERN (gst_rtp_arc_bwe_debug);

/* For the files below gstrtparcbwe.c, which knows the type. */
#define GST_RTP_ARC_BWE_CAST(object) ((GstRtpArcBwe *) (object))

/* What the user sets; guarded by the object lock. */
typedef struct
{
  guint min_bps, start_bps, max_bps;
  gint law;                     /* place in rc_laws */
  gint profile;                 /* an RcProfile */
  GstStructure *controller_params;      /* or NULL */
  gboolean adapt_encoder, renumber;
  GstClockTime max_delay, max_queue_time;
} BweSettings;

struct _GstRtpArcBwe
{
  GstElement parent;
  GstPad *sinkpad, *srcpad;

  BweSettings settings;
  RmcSession *session;          /* object lock; from PAUSED to READY */
  GstStructure *last_stats;     /* object lock; of the session before */
  PadTransport transport;       /* of the session */
  PushTimes push_times;
  GstElement *rtp_session;      /* object lock: that follows, or NULL */
  GObject *rtp_inside;          /* object lock: its RTPSession, or NULL */
  gint meet_session;            /* atomic: perhaps another one follows now */
  gint passive;                 /* atomic: another rtparcbwe follows, which decides */
  EncoderSteering *steering;

  RtpCodec codec;               /* streaming thread of the sink pad */
  RtxBudget rtx;                /* the same thread */
  gint rtx_passed, rtx_dropped; /* atomic */
  gint live_known;              /* atomic */
  gint flow;                    /* atomic: GstFlowReturn of the last push */
  gint relinks;                 /* atomic: how often a link downstream was made */
  gint playing;                 /* atomic */
  WorkTurns turns;

  RcTime clock_offset;          /* our clock less the system clock; as long as the session */
  RcTime pushed_since;          /* object lock; of the first push; RC_TIME_NONE: none yet */
  gint header_bytes;            /* atomic: RTP header of the last packet, with its extensions */
  gint packets_pushed, packets_told, messages, messages_refused;        /* atomic */
  gint extended;                /* atomic: packets carry header extensions */
  gint unheard;                 /* atomic: no feedback came for UNHEARD_TIME */
  gint warned_unheard, warned_strangers;        /* atomic */
};

/* NULL: there is none now. */
static inline RmcSession *
gst_rtp_arc_bwe_dup_session (GstRtpArcBwe * self)
{
  RmcSession *session;

  GST_OBJECT_LOCK (self);
  session = self->session ? rmc_session_ref (self->session) : NULL;
  GST_OBJECT_UNLOCK (self);
  return session;
}

/* bweinput.c */
void gst_rtp_arc_bwe_init_sink_pad (GstRtpArcBwe * self);

/* bweoutput.c */
void gst_rtp_arc_bwe_init_src_pad (GstRtpArcBwe * self);
void gst_rtp_arc_bwe_start_task (GstRtpArcBwe * self, RmcSession * session);
/* Nothing more leaves. Those who wait return. */
void gst_rtp_arc_bwe_halt (GstRtpArcBwe * self, RmcSession * session);

/* bwesession.c: failures are posted */
gboolean gst_rtp_arc_bwe_open_session (GstRtpArcBwe * self);
void gst_rtp_arc_bwe_close_session (GstRtpArcBwe * self);

/* bwework.c */
/* Calls out, so one thread at a time: by the element's turns. */
void gst_rtp_arc_bwe_do_work (GstElement * element);
void gst_rtp_arc_bwe_warn_of_encoders (GObject * object, const gchar * sentence);

/* bwepeer.c */
/* Hears of RTCP from whatever rtpsession follows, if another one may follow now. */
void gst_rtp_arc_bwe_meet_session (GstRtpArcBwe * self);
void gst_rtp_arc_bwe_leave_session (GstRtpArcBwe * self);
/* Another rtparcbwe, side by side with this one, enters it too. */
gboolean gst_rtp_arc_bwe_shares_session (GstRtpArcBwe * self);

/* bwereports.c: handlers of signals */
void gst_rtp_arc_bwe_on_report (GstElement * rtp_session, guint ssrc, GstRtpArcBwe * self);
void gst_rtp_arc_bwe_on_feedback (GObject * rtp_inside, guint type, guint format,
    guint sender_ssrc, guint media_ssrc, GstBuffer * fci, GstRtpArcBwe * self);

/* bweproperties.c */
void gst_rtp_arc_bwe_install_properties (GObjectClass * klass);
GstStructure *gst_rtp_arc_bwe_create_stats (GstRtpArcBwe * self);
void gst_rtp_arc_bwe_describe_stats (GstElementClass * klass);

/* bwesettings.c */
void gst_rtp_arc_bwe_init_settings (GstRtpArcBwe * self);
/* With the object lock held; a sentence about bounds that contradict each other, or NULL. */
RcLimits gst_rtp_arc_bwe_get_limits (GstRtpArcBwe * self, gchar ** warning);

G_END_DECLS
