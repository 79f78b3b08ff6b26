/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The session host: what an element has around its session, that is the settings, the encoders
 * upstream, the workers, and whether its source is live. rmcsink and rtparcbwe embed one each, and
 * add what is their own: pads, a transport, and SessionHostFuncs. CONTRIBUTING.md has the recipe
 * for a further element. Calls come from any thread and without a lock, unless another one is
 * named. (A host in the network is something else: the property `host`.) */
#pragma once

#include "base/workturns.h"
#include "encoder/encodersteering.h"
#include "sendsession.h"
#include "sessionsettings.h"

#include <rc/keyframe/keybudget.h>

G_BEGIN_DECLS

/* What differs between the elements. No pointer is NULL. */
typedef struct
{
  const gchar *stats_name;      /* of the structure of statistics */
  const gchar *target_property; /* notified when the target changes */
  gboolean needs_encoder;       /* that none was found is worth a warning */
  gboolean renumber;            /* default of the property */
  GstDebugCategory **log;       /* what the session logs to */
  /* Adds the element's own statistics. */
  void (*add_stats) (GstElement * element, const SessionStats * stats, GstStructure * s);
  /* On a worker, one thread at a time, while there is a session; may take its time. work is NULL
   * when the session has none; else its encoders have been steered, and its RTCP is to be taken. */
  void (*do_work) (GstElement * element, SendSession * session, SessionWork * work);
} SessionHostFuncs;

typedef struct
{
  GstElement *element;
  const SessionHostFuncs *funcs;
  GstPad *sinkpad;              /* behind which the encoders are */
  GstPad *others;               /* the same, if it is another element's; with a reference */
  SessionSettings settings;     /* object lock */
  SendSession *session;          /* object lock; from PAUSED to READY, once it can begin */
  GstStructure *last_stats;     /* object lock; of the session before */
  guint64 bound_bps;            /* object lock; that the receiver called with; 0: none */
  guint64 receiver_host;        /* object lock; EncoderOrders.host */
  gboolean is_shared;           /* one of many receivers of the same encoder, whom nobody chose */
  RcKeyBudget keys;             /* of such a one; on the worker */
  gint keys_refused;            /* atomic: what was beyond it */
  gchar *limits_warning;        /* object lock; posted last, or NULL */
  gchar *unposted[2];           /* object lock; session_host_warn () posts them */
  guint overhead_bytes;         /* of all below RTP, a packet; as long as the session */
  EncoderSteering *steering;
  WorkTurns turns;
  gint live_known;              /* atomic */
  gint64 ask_live_at;           /* streaming thread, us; not before */
  gint playing;                 /* atomic */
  gint passive;                 /* atomic: another element decides, and this one lets all pass */
  guint32 ssrc_mask;            /* SSRCs of the session are those upstream by XOR with it */
} SessionHost;

/* --- life --- */

/* The host is a part of the element, which has the pad. */
void session_host_init (SessionHost * self, GstElement * element, GstPad * sinkpad,
    const SessionHostFuncs * funcs);
void session_host_clear (SessionHost * self);
/* In NULL or READY: media does not come by the element's own pad, but from behind this one. */
void session_host_set_upstream (SessionHost * self, GstPad * pad);
/* From READY to PAUSED. */
void session_host_begin (SessionHost * self);
/* With the object lock held. The host fills in the controller, limits, pacing, max_queue_time,
 * renumber, ssrc_mask, work_due and user_data of *config; the rest is the element's. */
gboolean session_host_open (SessionHost * self, SendSessionConfig * config, GError ** error);
/* Then without: posts what is wrong with the settings. */
void session_host_warn (SessionHost * self);
/* From PAUSED to READY; also if there is no session. */
void session_host_close (SessionHost * self);

/* NULL: there is none now. */
SendSession *session_host_dup_session (SessionHost * self);

/* --- stream --- */

/* FALSE: upstream does not know yet, and *live is as it was. */
gboolean session_host_ask_live (SessionHost * self, gboolean * live);
/* The same on the streaming thread, for each buffer. TRUE: upstream was asked, and *live is to be
 * set. What does not know yet is asked again: a funnel answers once all of its branches do. */
gboolean session_host_learn_live (SessionHost * self, gboolean * live);
/* Whether frames may be dropped. */
void session_host_set_live (SessionHost * self, gboolean live);
void session_host_set_caps (SessionHost * self, const GstCaps * caps);
/* What feeds the pad may be something else by now: looks for encoders and sets them anew. */
void session_host_find_encoders (SessionHost * self);
/* While there is a session. FALSE: it was so already. */
gboolean session_host_set_passive (SessionHost * self, gboolean passive);

/* --- properties --- */

void session_host_set (SessionHost * self, SessionProperty property, const GValue * value,
    const GParamSpec * pspec);
void session_host_get (SessionHost * self, SessionProperty property, GValue * value);
/* A property of the element was set: warns if that comes too late for the session. */
void session_host_warn_if_late (SessionHost * self, const GParamSpec * pspec);
/* GObjectClass.notify, and not where bounds are set: of several set at a time this comes after the
 * last. Warns of bounds that begin to contradict each other. */
void session_host_on_notify (SessionHost * self, const GParamSpec * pspec);
/* The receiver called and takes no more, whatever max-bitrate says; 0: no limit. Its reports go on
 * with that. */
void session_host_set_bound (SessionHost * self, guint64 bps);
/* 0: not begun */
guint session_host_get_target_bps (SessionHost * self);
/* Of the session, or of the last one. */
GstStructure *session_host_create_stats (SessionHost * self);

G_END_DECLS
