/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The inside of the element. Its files use only those after them: gstrampscheduler.c (pads, states,
 * properties), rampdownstream.c (the source pad, and what comes by it), rampinput.c (what comes by
 * the sink pads), rampflush.c (flushes), rampoutput.c (the thread that sends), ramptell.c
 * (notifications), gstramppad.c (settings and readings of a pad). Things of their own, which know
 * nothing of the element: rampsource.h, ramppacing.h, rampevents.h. */
#pragma once

#include "base/workturns.h"
#include "gstramppad.h"
#include "gstrampscheduler.h"
#include "ramppacing.h"
#include "rampsource.h"

G_BEGIN_DECLS

/* A flush of what follows. */
typedef struct
{
  gboolean wanted, told;        /* whether it shall flush, and whether downstream does */
  gboolean busy;                /* a thread is pushing the events */
  gboolean reset_time;          /* by the flush that is under way */
  guint32 seek_seqnum, seqnum;  /* of the last seek that flushes, and of the last flush */
} RampFlush;

struct _GstRampScheduler
{
  GstElement parent;
  GstPad *srcpad;

  GMutex lock;                  /* below any GStreamer lock but the object locks */
  GCond work;                   /* for the sending thread */
  GCond room;                   /* for those that push into full queues */
  guint next_pad;               /* number of the next */
  RampSource source;            /* the packets of all pads */
  RampPacing pacing;            /* when they leave */
  gboolean adapt_encoder;
  guint64 told_bps;             /* what downstream can carry; 0: it does not say */
  RcCause told_cause;           /* why that is no more */
  GstClockTime latency, told_latency;   /* as set, and what downstream says; 0: nothing */
  gboolean max_queue_time_set;  /* by the user; else it follows the latency */
  gboolean sleeping;            /* the sending thread waits for a packet */
  gboolean woken;               /* it has something to look at, and may not sleep before */
  gboolean active;              /* the source pad is */
  RampFlush flush;              /* of what follows */
  GstFlowReturn flow_return;    /* of the last push */
  gboolean relinked;            /* since the last push began */
  gboolean need_start, need_segment, eos_sent;
  gint64 active_at;             /* when the last packet came */
  gboolean retell;              /* sample soon, though no packet comes */
  gboolean tell_overload;
  guint64 overloads;

  WorkTurns tellings;           /* of gst_ramp_scheduler_tell () */
};

/* rampinput.c */
void gst_ramp_scheduler_init_sink_pad (GstRampPad * pad);
/* A pad comes or goes; call them without the lock. */
void gst_ramp_scheduler_enter_pad (GstRampScheduler * self, GstRampPad * pad);
void gst_ramp_scheduler_leave_pad (GstRampScheduler * self, GstRampPad * pad);

/* rampflush.c; all but the last without the lock */
void gst_ramp_scheduler_flush_start (GstRampScheduler * self, GstRampPad * pad, GstEvent * event);
void gst_ramp_scheduler_flush_stop (GstRampScheduler * self, GstRampPad * pad, GstEvent * event);
/* The pad will not flush any more: it may have been the last one awaited. */
void gst_ramp_scheduler_flush_forget_pad (GstRampScheduler * self, GstRampPad * pad);
/* A seek that flushes comes from downstream; takes the event. */
gboolean gst_ramp_scheduler_seek (GstRampScheduler * self, GstEvent * event);
/* With the lock: the source pad begins anew. */
void gst_ramp_scheduler_flush_reset (GstRampScheduler * self);

/* rampdownstream.c */
void gst_ramp_scheduler_init_src_pad (GstRampScheduler * self);

/* rampoutput.c */
/* With the lock: the sending thread has something to look at. */
void gst_ramp_scheduler_wake (GstRampScheduler * self);
/* With the lock: pacing.budget_bps or told_bps has changed. */
void gst_ramp_scheduler_update_budget (GstRampScheduler * self);
/* With the lock: after EOS of all pads a new stream must begin, or downstream would reject it. */
void gst_ramp_scheduler_revive (GstRampScheduler * self);
/* With the lock: after a flush all begins anew. */
void gst_ramp_scheduler_restart (GstRampScheduler * self);
void gst_ramp_scheduler_start_task (GstRampScheduler * self);

/* ramptell.c */
/* With the lock: the latency within which a frame should leave has changed. */
void gst_ramp_scheduler_update_latency (GstRampScheduler * self);
/* Calls out, without the lock, one thread at a time: by the element's turns. */
void gst_ramp_scheduler_tell (gpointer scheduler);
/* Before the encoders upstream leave READY. */
void gst_ramp_scheduler_prepare_encoders (GstRampScheduler * self);
/* With the lock: after a sample. */
void gst_ramp_scheduler_take_targets (GstRampScheduler * self, RcTime now);

G_END_DECLS
