/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The thread that sends: asks RAMP whose packet is next, pushes it, and samples each 10 ms. */

#include "gstrampschedulerprivate.h"

#include "base/clockglue.h"
#include "encoder/encoderwalk.h"

#include <gst/arc/arc.h>

#define AWAKE_TIME (2 * RC_SECOND)      /* without packets, until all has decayed; then nothing is sampled */
/* A sink that paces gets its packets so much before they are due: late wake-ups then cost it no rate, and little is
 * chosen too early. */
#define LEAD_TIME (2 * RC_MSEC)
#define MIN_SLEEP (500 * RC_USEC)       /* at high rates, several packets a wake-up; a part of the lead */
#define BLOCKED_TIME RC_MSEC    /* a push never takes so long by itself */

void
gst_ramp_scheduler_wake (GstRampScheduler * self)
{
  if (self->sleeping)
    g_cond_signal (&self->work);
}

void
gst_ramp_scheduler_update_budget (GstRampScheduler * self)
{
  guint64 budget_bps = self->budget_bps > 0 && self->told_bps > 0 ? MIN (self->budget_bps, self->told_bps) :
      self->budget_bps + self->told_bps;
  RcTime now = clock_glue_monotonic ();

  rc_ramp_set_budget (&self->ramp, budget_bps, now);
  rc_rmc_set_rate (&self->rmc, budget_bps, now);
  self->retell = TRUE;
  gst_ramp_scheduler_wake (self);
}

void
gst_ramp_scheduler_restart (GstRampScheduler * self)
{
  self->flow_return = GST_FLOW_OK;
  self->need_segment = TRUE;
  self->eos_sent = FALSE;
  rc_rmc_reset (&self->rmc, clock_glue_monotonic ());
}

/* --- what is due --- */

static GstRampPad *
pad_of (RcRampFlow * flow)
{
  return (GstRampPad *) ((guint8 *) flow - G_STRUCT_OFFSET (GstRampPad, flow));
}

static void
sample_if_due (GstRampScheduler * self, RcTime now)
{
  if (!self->retell && now < rc_ramp_sample_at (&self->ramp))
    return;
  self->retell = FALSE;
  if (rc_ramp_sample (&self->ramp, now)) {
    self->overloads += self->ramp.overloaded;
    self->tell_overload = TRUE;
    gst_ramp_scheduler_schedule_tell (self);
  }
  gst_ramp_scheduler_take_targets (self, now);
}

static gboolean
downstream_paces (const GstRampScheduler * self)
{
  return self->sink_follows && self->told_bps == self->ramp.budget_bps;
}

/* The pad whose packet goes now, or NULL and when to look again. It is chosen when it is due and not before: whoever
 * is more urgent and comes meanwhile goes first. */
static GstRampPad *
next_pad (GstRampScheduler * self, RcTime now, RcTime * at)
{
  RcRampFlow *flow = rc_ramp_next (&self->ramp, now);
  GstRampPad *pad = flow ? pad_of (flow) : NULL;

  *at = RC_TIME_NONE;
  if (!pad)
    rc_rmc_set_idle (&self->rmc, now);
  if (!pad || self->ramp.budget_bps == 0 || (self->budget_bps == 0 && !self->sink_follows))
    return pad;
  *at = rc_rmc_due_at (&self->rmc, gst_ramp_scheduler_size (self, send_queue_peek (pad->queue, 0)), now);
  if (downstream_paces (self))
    *at -= LEAD_TIME;
  if (*at <= now)
    return pad;
  if (downstream_paces (self))
    *at = MAX (*at, now + MIN_SLEEP);
  return NULL;
}

static GstBuffer *
take_packet (GstRampScheduler * self, GstRampPad * pad, RcTime now)
{
  const SendPacket *packet;
  guint size_bytes;
  GstBuffer *buffer;

  send_queue_number (pad->queue, 1);
  packet = send_queue_peek (pad->queue, 0);
  size_bytes = gst_ramp_scheduler_size (self, packet);
  buffer = gst_buffer_ref (packet->buffer);
  rc_ramp_on_sent (&self->ramp, &pad->flow, size_bytes, now);
  rc_rmc_on_sent (&self->rmc, size_bytes, now);
  rc_mediatarget_on_sent (&pad->target, size_bytes, packet->payload_bytes);
  self->packets++;
  self->bytes += size_bytes;
  send_queue_pop (pad->queue);
  if (pad->waiting > 0)
    g_cond_broadcast (&self->room);
  return buffer;
}

static gboolean
all_ended (GstRampScheduler * self)
{
  guint i;

  for (i = 0; i < self->pads->len; i++)
    if (!GST_RAMP_PAD (self->pads->pdata[i])->eos)
      return FALSE;
  return self->pads->len > 0;
}

static gboolean
nothing_waits (GstRampScheduler * self)
{
  guint i;

  for (i = 0; i < self->pads->len; i++) {
    GstRampPad *pad = self->pads->pdata[i];

    if (pad->flow.waiting_bytes > 0 || !gst_queue_array_is_empty (pad->events))
      return FALSE;
  }
  return TRUE;
}

static void
sleep_until (GstRampScheduler * self, RcTime at)
{
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
  return !self->active || self->flush_told;
}

/* What follows a flush is of the seek that flushed. */
static GstEvent *
number_event (GstRampScheduler * self, GstEvent * event)
{
  if (self->flush_seqnum != GST_SEQNUM_INVALID)
    gst_event_set_seqnum (event, self->flush_seqnum);
  return event;
}

/* Waits for what goes next, a packet or an event; NULL: flushing. */
static GstMiniObject *
wait_for_next (GstRampScheduler * self)
{
  GstEvent *event;
  GstRampPad *pad;
  RcTime now, at;

  while (!is_halted (self)) {
    now = clock_glue_monotonic ();
    sample_if_due (self, now);
    event = gst_ramp_scheduler_take_event (self);
    if (event)
      return GST_MINI_OBJECT (event);
    pad = next_pad (self, now, &at);
    if (pad)
      return GST_MINI_OBJECT (take_packet (self, pad, now));
    if (!self->eos_sent && all_ended (self) && nothing_waits (self)) {
      GST_DEBUG_OBJECT (self, "all streams have ended");
      self->eos_sent = TRUE;
      return GST_MINI_OBJECT (number_event (self, gst_event_new_eos ()));
    }
    if (now - self->active_at < AWAKE_TIME)
      at = at == RC_TIME_NONE ? rc_ramp_sample_at (&self->ramp) : MIN (at, rc_ramp_sample_at (&self->ramp));
    sleep_until (self, at);
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

/* A sink that blocks is behind us: all that waits in it is now this packet. */
static void
take_blocking (GstRampScheduler * self, gsize rtp_bytes, RcTime began_at)
{
  RcTime now = clock_glue_monotonic ();

  if (now - began_at < BLOCKED_TIME)
    return;
  rc_rmc_on_blocked (&self->rmc, (guint32) rtp_bytes + self->overhead_bytes, now);
}

/* With the lock. Whoever pushes next hears of it; TRUE: nobody will. */
static gboolean
take_failure (GstRampScheduler * self, GstFlowReturn ret)
{
  gst_pad_pause_task (self->srcpad);
  g_cond_broadcast (&self->room);
  if (is_halted (self))         /* by a flush that is ours */
    return FALSE;
  self->flow_return = ret;
  return (ret == GST_FLOW_NOT_LINKED || ret < GST_FLOW_EOS) && all_ended (self);
}

static void
push (GstRampScheduler * self, GstBuffer * buffer)
{
  gsize rtp_bytes = gst_buffer_get_size (buffer);
  RcTime began_at = clock_glue_monotonic ();
  GstFlowReturn ret = gst_pad_push (self->srcpad, buffer);
  gboolean unheard;

  g_mutex_lock (&self->lock);
  take_blocking (self, rtp_bytes, began_at);
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
  g_mutex_unlock (&self->lock);
  if (!next)
    return;
  push_start_events (self);
  if (GST_IS_BUFFER (next))
    push (self, GST_BUFFER (next));
  else
    gst_pad_push_event (self->srcpad, GST_EVENT (next));
}

void
gst_ramp_scheduler_start_task (GstRampScheduler * self)
{
  gst_pad_start_task (self->srcpad, src_loop, self, NULL);
}

/* What it said may not hold for the next. */
static void
forget_sink (GstRampScheduler * self)
{
  self->told_bps = 0;
  self->sink_follows = FALSE;
  gst_ramp_scheduler_update_budget (self);
}

static void
on_unlinked (GstPad * pad, GstPad * peer, gpointer user_data)
{
  GstRampScheduler *self = user_data;

  g_mutex_lock (&self->lock);
  forget_sink (self);
  g_mutex_unlock (&self->lock);
}

static gboolean
gst_ramp_scheduler_activate_src (GstPad * pad, GstObject * parent, GstPadMode mode, gboolean active)
{
  GstRampScheduler *self = GST_RAMP_SCHEDULER (parent);

  if (mode != GST_PAD_MODE_PUSH)
    return FALSE;
  g_mutex_lock (&self->lock);
  self->active = active;
  if (active) {
    gst_ramp_scheduler_flush_reset (self);
    gst_ramp_scheduler_restart (self);
    self->need_start = TRUE;
    forget_sink (self);
  } else {
    g_cond_broadcast (&self->room);
    g_cond_broadcast (&self->work);
  }
  g_mutex_unlock (&self->lock);
  if (!active)
    return gst_pad_stop_task (pad);
  gst_ramp_scheduler_start_task (self);
  return TRUE;
}

/* --- from downstream --- */

/* Of rmcsink: what the network carries, headers included. Of others: what all streams may make. */
static void
take_target (GstRampScheduler * self, const GstStructure * s)
{
  guint bps = 0;

  if (!gst_structure_get_uint (s, "network-bitrate", &bps))
    gst_structure_get_uint (s, "bitrate", &bps);
  g_mutex_lock (&self->lock);
  if (bps > 0 && bps != self->told_bps) {
    self->told_bps = bps;
    gst_ramp_scheduler_update_budget (self);
  }
  g_mutex_unlock (&self->lock);
}

/* Another element follows now, or the same again: as GstQueue does. */
static void
begin_anew_if_unlinked (GstRampScheduler * self)
{
  g_mutex_lock (&self->lock);
  if (self->active && !self->flush_told && self->flow_return == GST_FLOW_NOT_LINKED) {
    self->flow_return = GST_FLOW_OK;
    gst_ramp_scheduler_start_task (self);
  }
  g_mutex_unlock (&self->lock);
}

static gboolean
seek_flushes (GstEvent * event)
{
  GstSeekFlags flags;

  gst_event_parse_seek (event, NULL, NULL, &flags, NULL, NULL, NULL, NULL);
  return (flags & GST_SEEK_FLAG_FLUSH) != 0;
}

static gboolean
gst_ramp_scheduler_src_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  if (GST_EVENT_TYPE (event) == GST_EVENT_CUSTOM_UPSTREAM && gst_event_has_name (event, GST_TARGET_BITRATE)) {
    take_target (GST_RAMP_SCHEDULER (parent), gst_event_get_structure (event));
    gst_event_unref (event);
    return TRUE;
  }
  if (GST_EVENT_TYPE (event) == GST_EVENT_SEEK && seek_flushes (event))
    return gst_ramp_scheduler_seek (GST_RAMP_SCHEDULER (parent), event);
  if (GST_EVENT_TYPE (event) == GST_EVENT_RECONFIGURE)
    begin_anew_if_unlinked (GST_RAMP_SCHEDULER (parent));
  return gst_pad_event_default (pad, parent, event);
}

/* As gst_pad_query_default(), which says nothing at all when one stream cannot tell yet. */
static gboolean
add_latency (GstPad * pad, GstQuery * sum)
{
  GstQuery *query = gst_query_new_latency ();
  gboolean known = gst_pad_peer_query (pad, query), live, sum_live;
  GstClockTime min, max, sum_min, sum_max;

  gst_query_parse_latency (query, &live, &min, &max);
  gst_query_unref (query);
  if (!known || !live)
    return known;
  gst_query_parse_latency (sum, &sum_live, &sum_min, &sum_max);
  gst_query_set_latency (sum, TRUE, MAX (min, sum_min), MIN (max, sum_max));
  return TRUE;
}

/* A packet waits here for at most the queue's time. */
static gboolean
query_latency (GstRampScheduler * self, GstQuery * query)
{
  GstClockTime min, max = GST_CLOCK_TIME_NONE;
  gboolean live, known = FALSE;
  GPtrArray *pads = g_ptr_array_new_with_free_func (gst_object_unref);

  g_mutex_lock (&self->lock);
  for (guint i = 0; i < self->pads->len; i++)
    g_ptr_array_add (pads, gst_object_ref (self->pads->pdata[i]));
  g_mutex_unlock (&self->lock);
  gst_query_set_latency (query, FALSE, 0, GST_CLOCK_TIME_NONE);
  for (guint i = 0; i < pads->len; i++)
    known |= add_latency (pads->pdata[i], query);
  g_ptr_array_unref (pads);
  gst_query_parse_latency (query, &live, &min, &max);
  g_mutex_lock (&self->lock);
  if (GST_CLOCK_TIME_IS_VALID (max))
    max += self->max_queue_time;
  g_mutex_unlock (&self->lock);
  gst_query_set_latency (query, live, min, max);
  return known;
}

/* A sink that says what a packet costs beside RTP follows our pace; another's blocking is all that we know of it. */
static gboolean
meet_sink (GstRampScheduler * self, const GstStructure * s)
{
  guint overhead_bytes;

  g_mutex_lock (&self->lock);
  self->sink_follows = gst_structure_get_uint (s, "overhead", &overhead_bytes);
  if (self->sink_follows)
    gst_ramp_scheduler_set_overhead (self, overhead_bytes);
  g_mutex_unlock (&self->lock);
  return TRUE;
}

static gboolean
gst_ramp_scheduler_src_query (GstPad * pad, GstObject * parent, GstQuery * query)
{
  if (GST_QUERY_TYPE (query) == GST_QUERY_LATENCY)
    return query_latency (GST_RAMP_SCHEDULER (parent), query);
  if (GST_QUERY_TYPE (query) == GST_QUERY_CUSTOM
      && gst_structure_has_name (gst_query_get_structure (query), GST_ARC_QUEUES_UPSTREAM))
    return meet_sink (GST_RAMP_SCHEDULER (parent), gst_query_get_structure (query));
  return gst_pad_query_default (pad, parent, query);
}

void
gst_ramp_scheduler_init_src_pad (GstRampScheduler * self)
{
  gst_pad_set_activatemode_function (self->srcpad, gst_ramp_scheduler_activate_src);
  gst_pad_set_event_function (self->srcpad, gst_ramp_scheduler_src_event);
  gst_pad_set_query_function (self->srcpad, gst_ramp_scheduler_src_query);
  g_signal_connect (self->srcpad, "unlinked", G_CALLBACK (on_unlinked), self);
  encoder_walk_mark_steered (GST_ELEMENT (self));
  gst_pad_use_fixed_caps (self->srcpad);
}
