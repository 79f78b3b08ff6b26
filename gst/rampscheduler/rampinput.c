/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What comes in by the sink pads: packets into the pad's queue, events.
 *
 * No thread of a sink pad calls downstream, except to flush: rmcsink blocks in preroll and in
 * silence. Serialized events wait in the pad's queue, serialized queries get no answer. */

#include "gstrampschedulerprivate.h"

#include "base/clockglue.h"

#define SCHEDULER(parent) ((GstRampScheduler *) (parent))
#define ASK_LIVE_INTERVAL (100 * RC_MSEC)

/* --- queue --- */

/* As for rmcsink: what does not know yet is asked again. */
static void
ask_live (GstRampScheduler * self, GstRampPad * pad)
{
  GstQuery *query = gst_query_new_latency ();
  gboolean live = FALSE, known = gst_pad_peer_query (GST_PAD (pad), query);

  if (known)
    gst_query_parse_latency (query, &live, NULL, NULL);
  gst_query_unref (query);
  g_mutex_lock (&self->lock);
  if (known)
    pad->live = live;
  pad->live_known = known;
  pad->ask_live_at = clock_glue_monotonic () + ASK_LIVE_INTERVAL;
  g_mutex_unlock (&self->lock);
}

static gboolean
is_gone (const GstRampScheduler * self, const GstRampPad * pad)
{
  return !self->active || pad->flushing || !pad->queue;
}

static void
wait_for_room (GstRampScheduler * self, GstRampPad * pad)
{
  while (!is_gone (self, pad) && self->flow_return == GST_FLOW_OK
      && !ramp_source_has_room (&self->source, pad)) {
    pad->waiting++;
    g_cond_wait (&self->room, &self->lock);
    pad->waiting--;
  }
}

/* Takes the buffer. */
static void
enqueue (GstRampScheduler * self, GstRampPad * pad, GstBuffer * buffer, RcTime now)
{
  guint64 foreign = pad->non_rtp_buffers;

  ramp_source_push (&self->source, pad, buffer, now);
  if (gst_ramp_pad_is_keyframe_due (pad, now))
    work_turns_schedule (&self->tellings);
  if (pad->non_rtp_buffers == foreign)
    self->active_at = now;
}

/* Upstream and the receiver's clock know only this pad's segment; what leaves is in one. */
static GstBuffer *
to_running_time (GstRampPad * pad, GstBuffer * buffer)
{
  const GstSegment *s = &pad->segment;

  if (s->format != GST_FORMAT_TIME
      || (s->rate == 1.0 && s->start == 0 && s->base == 0 && s->offset == 0))
    return buffer;
  buffer = gst_buffer_make_writable (buffer);
  GST_BUFFER_PTS (buffer) = gst_segment_to_running_time (s, GST_FORMAT_TIME,
      GST_BUFFER_PTS (buffer));
  GST_BUFFER_DTS (buffer) = gst_segment_to_running_time (s, GST_FORMAT_TIME,
      GST_BUFFER_DTS (buffer));
  return buffer;
}

static GstFlowReturn
gst_ramp_scheduler_chain (GstPad * gst_pad, GstObject * parent, GstBuffer * buffer)
{
  GstRampScheduler *self = SCHEDULER (parent);
  GstRampPad *pad = GST_RAMP_PAD (gst_pad);
  GstFlowReturn ret;
  guint64 foreign;

  buffer = to_running_time (pad, buffer);
  g_mutex_lock (&self->lock);
  if (!pad->live_known && clock_glue_monotonic () >= pad->ask_live_at) {
    g_mutex_unlock (&self->lock);
    ask_live (self, pad);
    g_mutex_lock (&self->lock);
  }
  foreign = pad->non_rtp_buffers;
  wait_for_room (self, pad);
  ret = is_gone (self, pad) ? GST_FLOW_FLUSHING : pad->eos ? GST_FLOW_EOS : self->flow_return;
  if (ret == GST_FLOW_OK) {
    enqueue (self, pad, buffer, clock_glue_monotonic ());
    gst_ramp_scheduler_wake (self);
  } else {
    gst_buffer_unref (buffer);
  }
  foreign = pad->non_rtp_buffers - foreign;
  g_mutex_unlock (&self->lock);
  if (foreign > 0 && pad->non_rtp_buffers == 1)
    GST_ELEMENT_WARNING (self, STREAM, FORMAT, ("a buffer at %s is not an RTP packet and "
            "is not sent; put a payloader before rampscheduler", GST_OBJECT_NAME (pad)), (NULL));
  return ret;
}

/* --- settings --- */

/* The settings of the pad have changed. */
static void
update_pad (GstRampScheduler * self, GstRampPad * pad)
{
  g_mutex_lock (&self->lock);
  ramp_source_update (&self->source, pad, clock_glue_monotonic ());
  self->retell = TRUE;
  gst_ramp_scheduler_wake (self);
  g_cond_broadcast (&self->room);
  g_mutex_unlock (&self->lock);
}

static void
on_setting (GstPad * pad, GParamSpec * pspec, gpointer user_data)
{
  GstObject *parent = gst_object_get_parent (GST_OBJECT (pad));

  if (parent && pspec->owner_type == GST_TYPE_RAMP_PAD && (pspec->flags & G_PARAM_WRITABLE))
    update_pad (SCHEDULER (parent), GST_RAMP_PAD (pad));
  gst_clear_object (&parent);
}

/* --- events --- */

static void
set_caps (GstRampScheduler * self, GstRampPad * pad, GstCaps * caps)
{
  const GstStructure *s = gst_caps_get_structure (caps, 0);

  g_mutex_lock (&self->lock);
  pad->codec = rtp_codec_from_caps (caps);
  pad->audio = g_strcmp0 (gst_structure_get_string (s, "media"), "audio") == 0;
  pad->ssrc = 0;
  gst_structure_get_uint (s, "ssrc", &pad->ssrc);
  pad->tell = pad->target_bps > 0;      /* perhaps another encoder, not yet configured */
  encoder_steering_look_again (pad->steering);
  work_turns_schedule (&self->tellings);
  g_mutex_unlock (&self->lock);
  update_pad (self, pad);
}

static void
set_eos (GstRampScheduler * self, GstRampPad * pad, gboolean eos)
{
  g_mutex_lock (&self->lock);
  pad->eos = eos;
  if (!eos) {
    pad->live_known = FALSE;    /* perhaps it is another source */
    pad->ask_live_at = 0;
    gst_ramp_scheduler_revive (self);
  }
  gst_ramp_scheduler_wake (self);
  g_mutex_unlock (&self->lock);
}

/* Takes the event, which leaves by the sending thread in its place among the packets, if it means
 * anything there. */
static gboolean
keep_event (GstRampScheduler * self, GstRampPad * pad, GstEvent * event)
{
  if (ramp_events_matter (event)) {
    g_mutex_lock (&self->lock);
    if (pad->queue && !pad->flushing)
      ramp_source_push_event (&self->source, pad, event);
    gst_ramp_scheduler_wake (self);
    g_mutex_unlock (&self->lock);
  }
  gst_event_unref (event);
  return TRUE;
}

static gboolean
gst_ramp_scheduler_sink_event (GstPad * gst_pad, GstObject * parent, GstEvent * event)
{
  GstRampScheduler *self = SCHEDULER (parent);
  GstRampPad *pad = GST_RAMP_PAD (gst_pad);
  GstCaps *caps;

  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_STREAM_START:
      set_eos (self, pad, FALSE);
      break;
    case GST_EVENT_EOS:
      set_eos (self, pad, TRUE);
      break;
    case GST_EVENT_CAPS:
      gst_event_parse_caps (event, &caps);
      set_caps (self, pad, caps);
      break;
    case GST_EVENT_SEGMENT:
      gst_event_copy_segment (event, &pad->segment);    /* only this thread reads it */
      break;
    case GST_EVENT_FLUSH_START:
      gst_ramp_scheduler_flush_start (self, pad, event);
      return TRUE;
    case GST_EVENT_FLUSH_STOP:
      gst_ramp_scheduler_flush_stop (self, pad, event);
      return TRUE;
    default:
      if (GST_EVENT_IS_SERIALIZED (event))
        return keep_event (self, pad, event);
      return gst_pad_event_default (gst_pad, parent, event);
  }
  gst_event_unref (event);
  return TRUE;
}

/* The answer to a serialized query, such as ALLOCATION or DRAIN, would have to wait for what
 * follows. */
static gboolean
gst_ramp_scheduler_sink_query (GstPad * pad, GstObject * parent, GstQuery * query)
{
  return GST_QUERY_IS_SERIALIZED (query) ? FALSE : gst_pad_query_default (pad, parent, query);
}

static gboolean
gst_ramp_scheduler_activate_sink (GstPad * gst_pad, GstObject * parent, GstPadMode mode,
    gboolean active)
{
  GstRampScheduler *self = SCHEDULER (parent);
  GstRampPad *pad = GST_RAMP_PAD (gst_pad);

  if (mode != GST_PAD_MODE_PUSH)
    return FALSE;
  g_mutex_lock (&self->lock);
  pad->flushing = !active;
  pad->eos = pad->live_known = pad->live = FALSE;
  pad->ask_live_at = 0;
  if (!active)
    ramp_source_forget_waiting (&self->source, pad);
  g_cond_broadcast (&self->room);
  g_mutex_unlock (&self->lock);
  if (active)
    gst_segment_init (&pad->segment, GST_FORMAT_TIME);
  return TRUE;
}

static void
on_linked (GstPad * pad, GstPad * peer, gpointer user_data)
{
  encoder_steering_look_again (GST_RAMP_PAD (pad)->steering);
}

static void
on_unlinked (GstPad * pad, GstPad * peer, gpointer user_data)
{
  GstObject *parent = gst_object_get_parent (GST_OBJECT (pad));

  if (parent)
    gst_ramp_scheduler_flush_forget_pad (SCHEDULER (parent), GST_RAMP_PAD (pad));
  gst_clear_object (&parent);
}

void
gst_ramp_scheduler_init_sink_pad (GstRampPad * pad)
{
  GstPad *gst_pad = GST_PAD (pad);

  gst_pad_set_chain_function (gst_pad, gst_ramp_scheduler_chain);
  gst_pad_set_event_function (gst_pad, gst_ramp_scheduler_sink_event);
  gst_pad_set_query_function (gst_pad, gst_ramp_scheduler_sink_query);
  gst_pad_set_activatemode_function (gst_pad, gst_ramp_scheduler_activate_sink);
  g_signal_connect (pad, "notify", G_CALLBACK (on_setting), NULL);
  g_signal_connect (pad, "linked", G_CALLBACK (on_linked), NULL);
  g_signal_connect (pad, "unlinked", G_CALLBACK (on_unlinked), NULL);
}

/* --- pads --- */

void
gst_ramp_scheduler_enter_pad (GstRampScheduler * self, GstRampPad * pad)
{
  g_mutex_lock (&self->lock);
  ramp_source_add (&self->source, pad, clock_glue_monotonic ());
  g_mutex_unlock (&self->lock);
}

void
gst_ramp_scheduler_leave_pad (GstRampScheduler * self, GstRampPad * pad)
{
  g_mutex_lock (&self->lock);
  ramp_source_remove (&self->source, pad);
  g_cond_broadcast (&self->room);
  gst_ramp_scheduler_wake (self);       /* the others may all be at their end */
  g_mutex_unlock (&self->lock);
  gst_ramp_scheduler_flush_forget_pad (self, pad);
}
