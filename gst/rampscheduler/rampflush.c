/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Flushes. One stream's is not the others', but a seek from downstream reaches all: independent
 * sources then flush one after the other, each to its end. What follows is flushed once, from the
 * first of these flushes until the last has ended, as GstAggregator does it; meanwhile the streams
 * that are through may fill their queues. So it is if all flush at once, as behind one demuxer, or
 * one after the other with the same seqnum. */

#include "gstrampschedulerprivate.h"

/* --- what follows --- */

/* With the lock, which it releases meanwhile; so the next two. */
static void
push_flush (GstRampScheduler * self, GstEvent * event)
{
  gst_event_set_seqnum (event, self->flush.seqnum);
  g_mutex_unlock (&self->lock);
  gst_pad_push_event (self->srcpad, event);
  g_mutex_lock (&self->lock);
}

static void
start_downstream (GstRampScheduler * self)
{
  self->flush.told = TRUE;
  gst_ramp_scheduler_wake (self);
  push_flush (self, gst_event_new_flush_start ());
  g_mutex_unlock (&self->lock);
  gst_pad_pause_task (self->srcpad); /* waits until it sleeps; nothing that follows holds it now */
  g_mutex_lock (&self->lock);
}

static void
stop_downstream (GstRampScheduler * self)
{
  gst_ramp_scheduler_restart (self);
  push_flush (self, gst_event_new_flush_stop (self->flush.reset_time));
  self->flush.told = self->flush.reset_time = FALSE;
}

/* Without the lock. Events must not overtake each other: one thread pushes them, and checks for
 * new ones before it leaves. */
static void
tell_downstream (GstRampScheduler * self)
{
  g_mutex_lock (&self->lock);
  if (!self->flush.busy && self->flush.wanted != self->flush.told) {
    self->flush.busy = TRUE;
    while (self->flush.wanted != self->flush.told) {
      if (self->flush.wanted)
        start_downstream (self);
      else
        stop_downstream (self);
    }
    self->flush.busy = FALSE;
    if (self->active && !self->flush.told)
      gst_ramp_scheduler_start_task (self);
  }
  g_mutex_unlock (&self->lock);
}

/* --- which pads flush --- */

static void
begin (GstRampScheduler * self, guint32 seqnum)
{
  self->flush.wanted = TRUE;
  self->flush.seqnum = seqnum;
  self->flow_return = GST_FLOW_OK; /* those that are through must not hear of the time before */
}

static void
end_unless_awaited (GstRampScheduler * self)
{
  guint i;

  for (i = 0; i < self->source.pads->len; i++)
    if (GST_RAMP_PAD (self->source.pads->pdata[i])->flush_awaited)
      return;
  self->flush.wanted = FALSE;
}

/* seqnum: also those count whose last flush had it; GST_SEQNUM_INVALID: only those that flush now.
 * */
static gboolean
all_flush (GstRampScheduler * self, guint32 seqnum)
{
  guint i;

  for (i = 0; i < self->source.pads->len; i++) {
    GstRampPad *pad = self->source.pads->pdata[i];
    gboolean had = seqnum != GST_SEQNUM_INVALID && pad->flush_seqnum == seqnum;

    if (!pad->flushing && !had && gst_pad_is_linked (GST_PAD (pad)))
      return FALSE;
  }
  return TRUE;
}

static void
await_all_that_flush (GstRampScheduler * self)
{
  guint i;

  for (i = 0; i < self->source.pads->len; i++) {
    GstRampPad *pad = self->source.pads->pdata[i];

    pad->flush_awaited = pad->flushing && gst_pad_is_linked (GST_PAD (pad));
  }
}

void
gst_ramp_scheduler_flush_start (GstRampScheduler * self, GstRampPad * pad, GstEvent * event)
{
  guint32 seqnum = gst_event_get_seqnum (event);

  gst_event_unref (event);
  g_mutex_lock (&self->lock);
  pad->flushing = TRUE;
  pad->flush_seqnum = seqnum;
  ramp_source_forget_waiting (&self->source, pad);
  if (pad->flush_awaited) {
    begin (self, self->flush.seek_seqnum);
  } else if (!self->flush.wanted && (all_flush (self, GST_SEQNUM_INVALID)
      || (seqnum != self->flush.seqnum && all_flush (self, seqnum)))) {
    await_all_that_flush (self);
    begin (self, seqnum);
  }
  g_cond_broadcast (&self->room);
  g_mutex_unlock (&self->lock);
  tell_downstream (self);
}

void
gst_ramp_scheduler_flush_stop (GstRampScheduler * self, GstRampPad * pad, GstEvent * event)
{
  gboolean reset_time;

  gst_event_parse_flush_stop (event, &reset_time);
  gst_event_unref (event);
  gst_segment_init (&pad->segment, GST_FORMAT_TIME);
  g_mutex_lock (&self->lock);
  pad->flushing = pad->flush_awaited = pad->eos = FALSE;
  if (self->flush.wanted) {
    self->flush.reset_time |= reset_time;
    end_unless_awaited (self);
  } else {
    gst_ramp_scheduler_revive (self);
  }
  g_mutex_unlock (&self->lock);
  tell_downstream (self);
}

void
gst_ramp_scheduler_flush_forget_pad (GstRampScheduler * self, GstRampPad * pad)
{
  g_mutex_lock (&self->lock);
  pad->flush_awaited = FALSE;
  end_unless_awaited (self);
  g_mutex_unlock (&self->lock);
  tell_downstream (self);
}

void
gst_ramp_scheduler_flush_reset (GstRampScheduler * self)
{
  guint i;

  self->flush.wanted = self->flush.told = self->flush.reset_time = FALSE;
  self->flush.seqnum = self->flush.seek_seqnum = GST_SEQNUM_INVALID;
  for (i = 0; i < self->source.pads->len; i++)
    GST_RAMP_PAD (self->source.pads->pdata[i])->flush_awaited = FALSE;
}

/* --- seeks --- */

typedef struct
{
  GstRampScheduler *self;
  GstEvent *event;
  gboolean taken;               /* by any */
} Seek;

static gboolean
forward_seek (GstPad * pad, gpointer user_data)
{
  Seek *seek = user_data;

  if (gst_pad_push_event (pad, gst_event_ref (seek->event)))
    seek->taken = TRUE;
  else
    gst_ramp_scheduler_flush_forget_pad (seek->self, GST_RAMP_PAD (pad));
  return FALSE;                 /* on to the next */
}

/* The pads that handle the seek will flush, most of them before the event handler returns. */
gboolean
gst_ramp_scheduler_seek (GstRampScheduler * self, GstEvent * event)
{
  Seek seek = { self, event, FALSE };
  guint i;

  g_mutex_lock (&self->lock);
  self->flush.seek_seqnum = gst_event_get_seqnum (event);
  for (i = 0; i < self->source.pads->len; i++)
    GST_RAMP_PAD (self->source.pads->pdata[i])->flush_awaited = TRUE;
  g_mutex_unlock (&self->lock);
  gst_pad_forward (self->srcpad, forward_seek, &seek);
  gst_event_unref (event);
  return seek.taken;
}
