/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The thread that sends: asks RAMP whose packet is next, pushes it, and samples each 10 ms.
 *
 * Rejected: gst/pacing/pacedegress.c, by which sessions and relays send. It looks at the next n
 * packets of a source and sends together what is due together. RAMP knows its second packet only
 * once the first is taken, and the pacer that the sink lends is asked without the lock, after which
 * the first packet may be another one or gone: it is looked at again. What is left in common is one
 * loop around peek, due_at and take. */

#include "gstrampschedulerprivate.h"

#include "base/clockglue.h"

#define MAX_LIST 64             /* packets that leave together: rmcsink takes as many at once */
/* Without packets, until all has decayed; then nothing is sampled. */
#define AWAKE_TIME (2 * RC_SECOND)

void
gst_ramp_scheduler_wake (GstRampScheduler * self)
{
  self->woken = TRUE;
  if (self->sleeping)
    g_cond_signal (&self->work);
}

void
gst_ramp_scheduler_update_budget (GstRampScheduler * self)
{
  guint64 set_bps = self->pacing.budget_bps, told_bps = self->told_bps;
  guint64 budget_bps = set_bps > 0 && told_bps > 0 ? MIN (set_bps, told_bps) : set_bps + told_bps;

  rc_ramp_set_budget (&self->source.ramp, budget_bps, clock_glue_monotonic ());
  self->retell = TRUE;
  gst_ramp_scheduler_wake (self);
}

void
gst_ramp_scheduler_restart (GstRampScheduler * self)
{
  self->flow_return = GST_FLOW_OK;
  self->need_segment = TRUE;
  self->eos_sent = FALSE;
  ramp_pacing_reset (&self->pacing, clock_glue_monotonic ());
}

void
gst_ramp_scheduler_revive (GstRampScheduler * self)
{
  if (!self->eos_sent)
    return;
  self->need_start = self->need_segment = TRUE;
  self->eos_sent = FALSE;
}

/* --- what is due --- */

static void
sample_if_due (GstRampScheduler * self, RcTime now)
{
  if (!self->retell && now < rc_ramp_sample_at (&self->source.ramp))
    return;
  self->retell = FALSE;
  if (rc_ramp_sample (&self->source.ramp, now)) {
    self->overloads += self->source.ramp.overloaded;
    self->tell_overload = TRUE;
    work_turns_schedule (&self->tellings);
  }
  gst_ramp_scheduler_take_targets (self, now);
}

static gboolean
all_ended (GstRampScheduler * self)
{
  guint i;

  for (i = 0; i < self->source.pads->len; i++)
    if (!GST_RAMP_PAD (self->source.pads->pdata[i])->eos)
      return FALSE;
  return self->source.pads->len > 0;
}

/* Not if the thread was woken since it began to look: meanwhile it may have released the lock. */
static void
sleep_until (GstRampScheduler * self, RcTime at)
{
  if (self->woken)
    return;
  self->sleeping = TRUE;
  if (at == RC_TIME_NONE)
    g_cond_wait (&self->work, &self->lock);
  else
    g_cond_wait_until (&self->work, &self->lock, (at + RC_USEC - 1) / RC_USEC);
  self->sleeping = FALSE;
}

static gboolean
is_halted (const GstRampScheduler * self)
{
  return !self->active || self->flush.told;
}

/* What follows a flush is of the seek that flushed. */
static GstEvent *
number_event (GstRampScheduler * self, GstEvent * event)
{
  if (self->flush.seqnum != GST_SEQNUM_INVALID)
    gst_event_set_seqnum (event, self->flush.seqnum);
  return event;
}

static GstBuffer *
take_packet (GstRampScheduler * self, guint size_bytes, RcTime now)
{
  PacketSource *packets = &self->source.source;
  GstBuffer *buffer;

  packets->funcs->make_ready (packets, 1, &buffer);
  gst_buffer_ref (buffer);
  packets->funcs->take (packets, now);
  if (self->source.chosen->waiting > 0)
    g_cond_broadcast (&self->room);
  ramp_pacing_pay (&self->pacing, size_bytes, now);
  return buffer;
}

/* The packet that goes now, or NULL and when to look again. It is chosen when it is due and not
 * before: a more urgent packet that arrives meanwhile precedes it. */
static GstBuffer *
due_packet (GstRampScheduler * self, RcTime * at)
{
  PacketSource *packets = &self->source.source;
  RcTime now = clock_glue_monotonic ();
  PacedPacket packet;

  *at = RC_TIME_NONE;
  if (!packets->funcs->peek (packets, 0, now, &packet))
    return NULL;
  *at = ramp_pacing_due_at (&self->pacing, packet.size_bytes, now);
  if (*at == RC_TIME_NONE || *at > now || self->woken || is_halted (self))
    return NULL;
  now = clock_glue_monotonic ();        /* the lock was left, and time must not run backwards */
  if (!packets->funcs->peek (packets, 0, now, &packet))
    return NULL;                /* it was flushed meanwhile */
  return take_packet (self, packet.size_bytes, now);
}

/* What goes now, or NULL. A sink that paces gets all that is due as one list, which it sends as one
 * batch; others get each packet alone. */
static GstMiniObject *
next_packets (GstRampScheduler * self, RcTime now, RcTime * at)
{
  GstBuffer *buffer = due_packet (self, at), *more;
  GstBufferList *list = NULL;

  if (!buffer && ramp_source_is_empty (&self->source))
    ramp_pacing_on_idle (&self->pacing, now);
  if (!buffer || !self->pacing.lent)
    return (GstMiniObject *) buffer;
  for (guint n = 1; n < MAX_LIST && !ramp_source_has_event (&self->source); n++) {
    more = due_packet (self, at);
    if (!more)
      break;
    if (!list) {
      list = gst_buffer_list_new ();
      gst_buffer_list_add (list, buffer);
    }
    gst_buffer_list_add (list, more);
  }
  return list ? GST_MINI_OBJECT (list) : GST_MINI_OBJECT (buffer);
}

/* RAMP is sampled while packets come, and until all has decayed; while some wait, the pacers are
 * asked as often, since they may know more by then. */
static RcTime
next_sample_at (GstRampScheduler * self, RcTime now)
{
  PacketSource *packets = &self->source.source;

  if (now - self->active_at >= AWAKE_TIME && packets->funcs->get_waiting_bytes (packets) == 0)
    return RC_TIME_NONE;
  return rc_ramp_sample_at (&self->source.ramp);
}

/* Waits for what goes next, a packet or an event; NULL: flushing. */
static GstMiniObject *
wait_for_next (GstRampScheduler * self)
{
  GstMiniObject *packets;
  GstEvent *event;
  RcTime now, at;

  while (!is_halted (self)) {
    self->woken = FALSE;
    now = clock_glue_monotonic ();
    sample_if_due (self, now);
    event = ramp_source_take_event (&self->source);
    if (event)
      return GST_MINI_OBJECT (event);
    packets = next_packets (self, now, &at);
    if (packets)
      return packets;
    if (!self->eos_sent && !self->woken && all_ended (self)
        && ramp_source_is_empty (&self->source)) {
      GST_DEBUG_OBJECT (self, "all streams have ended");
      self->eos_sent = TRUE;
      return GST_MINI_OBJECT (number_event (self, gst_event_new_eos ()));
    }
    sleep_until (self, rc_sooner (at, next_sample_at (self, now)));
  }
  return NULL;
}

/* --- the thread --- */

static void
push_start_events (GstRampScheduler * self)
{
  GstEvent *segment_event = NULL;
  GstSegment segment;
  gboolean start;
  GstCaps *caps;
  gchar *id;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  g_mutex_lock (&self->lock);
  start = self->need_start;
  if (self->need_segment)
    segment_event = number_event (self, gst_event_new_segment (&segment));
  self->need_start = self->need_segment = FALSE;
  g_mutex_unlock (&self->lock);
  if (start) {
    id = g_strdup_printf ("ramp-%08x%08x", g_random_int (), g_random_int ());
    gst_pad_push_event (self->srcpad, gst_event_new_stream_start (id));
    g_free (id);
    caps = gst_caps_new_empty_simple ("application/x-rtp");
    gst_pad_push_event (self->srcpad, gst_event_new_caps (caps));
    gst_caps_unref (caps);
  }
  if (segment_event)
    gst_pad_push_event (self->srcpad, segment_event);
}

/* With the lock. The next push returns the error; TRUE: no further push will come. */
static gboolean
take_failure (GstRampScheduler * self, GstFlowReturn ret)
{
  gst_pad_pause_task (self->srcpad);
  g_cond_broadcast (&self->room);
  if (is_halted (self))         /* by a flush that is ours */
    return FALSE;
  if (ret == GST_FLOW_NOT_LINKED && self->relinked) {   /* while the push failed */
    gst_ramp_scheduler_start_task (self);
    return FALSE;
  }
  self->flow_return = ret;
  return (ret == GST_FLOW_NOT_LINKED || ret < GST_FLOW_EOS) && all_ended (self);
}

/* Takes a buffer or a list of them. */
static void
push (GstRampScheduler * self, GstMiniObject * packets)
{
  GstBufferList *list = GST_IS_BUFFER_LIST (packets) ? GST_BUFFER_LIST (packets) : NULL;
  guint n = list ? gst_buffer_list_length (list) : 1;
  gsize rtp_bytes = list ? gst_buffer_list_calculate_size (list) :
      gst_buffer_get_size (GST_BUFFER (packets));
  RcTime since = clock_glue_monotonic ();
  GstFlowReturn ret = list ? gst_pad_push_list (self->srcpad, list) :
      gst_pad_push (self->srcpad, GST_BUFFER (packets));
  gboolean unheard;

  g_mutex_lock (&self->lock);
  ramp_pacing_on_pushed (&self->pacing, (guint) rtp_bytes + n * self->source.overhead_bytes, since,
      clock_glue_monotonic ());
  unheard = ret != GST_FLOW_OK && take_failure (self, ret);
  g_mutex_unlock (&self->lock);
  if (unheard)
    GST_ELEMENT_FLOW_ERROR (self, ret);
}

static void
src_loop (gpointer user_data)
{
  GstRampScheduler *self = user_data;
  GstMiniObject *next;

  g_mutex_lock (&self->lock);
  next = wait_for_next (self);
  if (!next)
    gst_pad_pause_task (self->srcpad);
  self->relinked = FALSE;
  g_mutex_unlock (&self->lock);
  if (!next)
    return;
  push_start_events (self);
  if (GST_IS_EVENT (next))
    gst_pad_push_event (self->srcpad, GST_EVENT (next));
  else
    push (self, next);
}

void
gst_ramp_scheduler_start_task (GstRampScheduler * self)
{
  gst_pad_start_task (self->srcpad, src_loop, self, NULL);
}

