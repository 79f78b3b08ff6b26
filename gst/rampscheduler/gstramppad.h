/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A sink pad of rampscheduler: its settings, its queue and its flow. */
#pragma once

#include "base/fields.h"
#include "encoder/encodersteering.h"
#include <rc/sender/mediatarget.h>
#include "pacing/sendqueue.h"
#include "rampevents.h"

#include <gst/base/base.h>
#include <gst/gst.h>
#include <rc/law/limits.h>
#include <rc/sched/ramp.h>

G_BEGIN_DECLS

#define GST_CAT_DEFAULT gst_ramp_scheduler_debug
GST_DEBUG_CATEGORY_EXTERN (gst_ramp_scheduler_debug);

#define GST_TYPE_RAMP_PAD (gst_ramp_pad_get_type ())
G_DECLARE_FINAL_TYPE (GstRampPad, gst_ramp_pad, GST, RAMP_PAD, GstPad)

/* What the user sets; guarded by the object lock of the pad. */
typedef struct
{
  RcRampClass flow_class;
  gdouble weight;
  guint min_bps, max_bps;
  gboolean adapt_encoder;
  gboolean class_set;           /* by the user; else the profile decides */
  RcProfile profile;
} RampPadSettings;

struct _GstRampPad
{
  GstPad parent;
  RampPadSettings settings;

  GMutex *lock;                 /* of the scheduler, as long as that is the parent; of all below */
  RcRampFlow flow;
  SendQueue *queue;             /* NULL: the pad is not, or no longer, part of the scheduler */
  RampEvents events;            /* serialized ones, which wait among the packets */
  RtpCodec codec;
  guint32 ssrc;                 /* of the caps; 0: not known */
  gboolean audio, live, live_known, flushing, eos;
  RcTime ask_live_at;           /* not before */
  gboolean flush_awaited;       /* one is to end here before what follows goes on */
  guint32 flush_seqnum;         /* of the last */
  guint waiting;                /* threads that wait for room */
  GstSegment segment;
  RcMediaTarget target;
  guint target_bps;             /* notified last; 0: never */
  const gchar *target_cause;    /* NULL: not known yet */
  gboolean tell;                /* a notification of target_bps is pending */
  guint made_bps, told_bps;     /* output and target of a pending overshoot report; 0: none */
  guint64 non_rtp_buffers;

  EncoderSteering *steering;
};

/* Of the scheduler: what the user has not set follows it. */
void gst_ramp_pad_set_profile (GstRampPad * self, RcProfile profile);
/* Settings as the law wants them. */
RcRampFlowParams gst_ramp_pad_get_params (GstRampPad * self);
/* Keyframes: the stream that needs one, or of which one is requested, is the only one whose encoder
 * is asked. When, the queue of the pad says. With the lock of the scheduler: is a request due? */
gboolean gst_ramp_pad_is_keyframe_due (GstRampPad * self, RcTime now);
/* The same: the SSRCs to ask now. Returns how many. */
guint gst_ramp_pad_take_keyframes (GstRampPad * self, RcTime now,
    guint32 ssrcs[ENCODER_ORDERS_MAX_FLOWS]);
/* Statistics; call it with the lock of the scheduler. */
GstStructure *gst_ramp_pad_create_stats (GstRampPad * self);
/* Their fields: of the pad, and of its queue. */
extern const FieldRow gst_ramp_pad_fields[], gst_ramp_pad_queue_fields[];

G_END_DECLS
