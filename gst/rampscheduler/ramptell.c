/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What the sending thread must not do, since it may block: events upstream, encoders, messages; and
 * within which time a frame should leave, which encoders are told.
 *
 * VBV and `max-queue-time` follow the sink's `latency`; RAMP's target delay does not. Frames
 * wait the same with targets of 33 to 200 ms, since what waits borrows what the link has left,
 * and a target of 20 ms gives cameras the period of audio. */

#include "gstrampschedulerprivate.h"

#include "base/clockglue.h"

#include <gst/arc/arc.h>

typedef struct
{
  GstRampPad *pad;
  EncoderOrders orders;
} Telling;

static void
telling_clear (gpointer data)
{
  gst_object_unref (((Telling *) data)->pad);
}

/* --- latency --- */

/* With the lock: within so long a frame should leave. */
static GstClockTime
latency_of (const GstRampScheduler * self)
{
  if (self->latency > 0)
    return self->latency;
  return self->told_latency > 0 ? self->told_latency : ENCODER_ORDERS_LATENCY;
}

void
gst_ramp_scheduler_update_latency (GstRampScheduler * self)
{
  GstClockTime latency = latency_of (self);

  if (!self->max_queue_time_set)
    self->source.max_queue_time =
        clock_glue_from_gst (ENCODER_ORDERS_QUEUE_LATENCIES * latency);
  for (guint i = 0; i < self->source.pads->len; i++) {
    GstRampPad *pad = self->source.pads->pdata[i];

    encoder_steering_look_again (pad->steering);
    pad->tell = pad->target_bps > 0;
  }
  work_turns_schedule (&self->tellings);
  g_cond_broadcast (&self->room);
}

/* --- what to tell --- */

/* Why the stream gets no more: its own bound, the other streams, or what bounds the budget. */
static RcCause
cause_for (const GstRampScheduler * self, const GstRampPad * pad)
{
  const RcRamp *ramp = &self->source.ramp;
  guint64 set_bps = self->pacing.budget_bps;

  if (pad->flow.share_bps >= (gdouble) pad->flow.params.max_bps)
    return RC_CAUSE_USER;
  if (ramp->overloaded && self->source.pads->len > 1)
    return RC_CAUSE_OTHER_SINK;
  return set_bps > 0 && set_bps == ramp->budget_bps ? RC_CAUSE_USER : self->told_cause;
}

/* Bits of media, headers and standing queue taken off; only when there is a budget to divide. */
void
gst_ramp_scheduler_take_targets (GstRampScheduler * self, RcTime now)
{
  gboolean any = FALSE;
  guint i, bps;

  for (i = 0; self->source.ramp.budget_bps > 0 && i < self->source.pads->len; i++) {
    GstRampPad *pad = self->source.pads->pdata[i];

    rc_mediatarget_on_queue (&pad->target, pad->flow.waiting_bytes, now);
    if (rc_mediatarget_take (&pad->target, (guint64) pad->flow.share_bps, now, &bps)) {
      pad->target_bps = bps;
      pad->target_cause = rc_cause_name (cause_for (self, pad));
      pad->tell = any = TRUE;
    }
    any |= rc_mediatarget_take_misfit (&pad->target, now, &pad->made_bps, &pad->told_bps);
  }
  for (i = 0; i < self->source.pads->len; i++)
    any |= gst_ramp_pad_is_keyframe_due (self->source.pads->pdata[i], now);
  if (any)
    work_turns_schedule (&self->tellings);
}

/* Streams without an encoder, such as retransmissions, are no misconfiguration. */
static EncoderOrders
orders_for (const GstRampScheduler * self, GstRampPad * pad, RcTime now)
{
  EncoderOrders orders = {.target = pad->tell,.bps = pad->target_bps,
    .cause = cause_for (self, pad),.n_flows = 1,
    .ssrcs = {pad->ssrc},.shares = {1},.living = TRUE,.voice = ENCODER_VOICE_OWN,.may_warn = TRUE,
    .latency = latency_of (self),
    .adapt = self->adapt_encoder && !pad->audio
        && pad->flow.params.flow_class == RC_RAMP_REAL_RATE
  };

  orders.steady_bps = rc_mediatarget_get_steady_bps (&pad->target,
      (guint64) pad->flow.share_bps, now);
  if (orders.adapt) {
    orders.made_bps = pad->made_bps;
    orders.told_bps = pad->told_bps;
  }
  return orders;
}

static gboolean
prepare (GstElement * element, GstPad * sinkpad, gpointer latency)
{
  GstRampPad *pad = GST_RAMP_PAD (sinkpad);
  gboolean adapt;

  GST_OBJECT_LOCK (pad);
  adapt = pad->settings.adapt_encoder;
  GST_OBJECT_UNLOCK (pad);
  if (adapt)
    encoder_steering_prepare (pad->steering, *(GstClockTime *) latency);
  return TRUE;
}

void
gst_ramp_scheduler_prepare_encoders (GstRampScheduler * self)
{
  GstClockTime latency;
  gboolean adapt;

  g_mutex_lock (&self->lock);
  latency = latency_of (self);
  adapt = self->adapt_encoder;
  g_mutex_unlock (&self->lock);
  if (adapt)
    gst_element_foreach_sink_pad (GST_ELEMENT (self), prepare, &latency);
}

static GArray *
take_tellings (GstRampScheduler * self, GstStructure ** overload)
{
  GArray *tellings = g_array_new (FALSE, FALSE, sizeof (Telling));
  RcTime now = clock_glue_monotonic ();
  guint i;

  g_array_set_clear_func (tellings, telling_clear);
  g_mutex_lock (&self->lock);
  for (i = 0; i < self->source.pads->len; i++) {
    GstRampPad *pad = self->source.pads->pdata[i];
    Telling telling = { pad, orders_for (self, pad, now) };
    EncoderOrders *orders = &telling.orders;

    orders->n_keyframes = gst_ramp_pad_take_keyframes (pad, now, orders->keyframes);
    if (!orders->target && orders->n_keyframes == 0 && pad->made_bps == 0)
      continue;
    pad->tell = FALSE;
    pad->made_bps = 0;
    gst_object_ref (pad);
    g_array_append_val (tellings, telling);
  }
  if (self->tell_overload)
    *overload = gst_structure_new (GST_RAMP_SCHEDULER_OVERLOAD,
        "overloaded", G_TYPE_BOOLEAN, self->source.ramp.overloaded,
        "requirement", G_TYPE_UINT64, (guint64) self->source.ramp.need_bps,
        "budget", G_TYPE_UINT64, self->source.ramp.budget_bps, NULL);
  self->tell_overload = FALSE;
  g_mutex_unlock (&self->lock);
  return tellings;
}

static void
notify (Telling * telling)
{
  GstRampPad *pad = telling->pad;
  EncoderOrders *orders = &telling->orders;

  GST_OBJECT_LOCK (pad);
  orders->adapt &= pad->settings.adapt_encoder;
  GST_OBJECT_UNLOCK (pad);
  if (orders->target)
    GST_DEBUG_OBJECT (pad, "target %u bit/s: %s", orders->bps, rc_cause_text (orders->cause));
  encoder_steering_tell (pad->steering, orders);
}

void
gst_ramp_scheduler_tell (gpointer scheduler)
{
  GstRampScheduler *self = scheduler;
  GstStructure *overload = NULL;
  GArray *tellings = take_tellings (self, &overload);
  guint i;

  for (i = 0; i < tellings->len; i++)
    notify (&g_array_index (tellings, Telling, i));
  g_array_unref (tellings);
  if (overload)
    gst_element_post_message (GST_ELEMENT (self),
        gst_message_new_element (GST_OBJECT (self), overload));
}
