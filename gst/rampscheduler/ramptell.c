/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What the sending thread must not do, since it may block: events upstream, encoders, messages. */

#include "gstrampschedulerprivate.h"

#include <gst/arc/arc.h>
#include <gst/video/video.h>

typedef struct
{
  GstRampPad *pad;
  guint bps, made_bps, told_bps;        /* made_bps: 0, or so much more than told */
  guint32 ssrc;
  gboolean target, adapt, keyframe;
} Telling;

static void
telling_clear (gpointer data)
{
  gst_object_unref (((Telling *) data)->pad);
}

/* Bits of media, headers and standing queue taken off; only when there is a budget to divide. */
void
gst_ramp_scheduler_take_targets (GstRampScheduler * self, RcTime now)
{
  gboolean any = FALSE;
  guint i, bps;

  for (i = 0; self->ramp.budget_bps > 0 && i < self->pads->len; i++) {
    GstRampPad *pad = self->pads->pdata[i];

    rc_mediatarget_on_queue (&pad->target, pad->flow.waiting_bytes, now);
    if (rc_mediatarget_take (&pad->target, (guint64) pad->flow.share_bps, now, &bps)) {
      pad->target_bps = bps;
      pad->tell = any = TRUE;
    }
    any |= rc_mediatarget_take_excess (&pad->target, now, &pad->made_bps, &pad->told_bps);
  }
  if (any)
    gst_ramp_scheduler_schedule_tell (self);
}

static GArray *
take_tellings (GstRampScheduler * self, GstStructure ** overload)
{
  GArray *tellings = g_array_new (FALSE, FALSE, sizeof (Telling));
  guint i;

  g_array_set_clear_func (tellings, telling_clear);
  g_mutex_lock (&self->lock);
  for (i = 0; i < self->pads->len; i++) {
    GstRampPad *pad = self->pads->pdata[i];
    Telling telling = { pad, pad->target_bps, pad->made_bps, pad->told_bps, pad->ssrc, pad->tell,
      self->adapt_encoder && !pad->audio && pad->flow.params.flow_class == RC_RAMP_REAL_RATE, pad->keyframe
    };

    if (!pad->tell && !pad->keyframe && pad->made_bps == 0)
      continue;
    pad->tell = pad->keyframe = FALSE;
    pad->made_bps = 0;
    gst_object_ref (pad);
    g_array_append_val (tellings, telling);
  }
  if (self->tell_overload)
    *overload = gst_structure_new (GST_RAMP_SCHEDULER_OVERLOAD, "overloaded", G_TYPE_BOOLEAN, self->ramp.overloaded,
        "requirement", G_TYPE_UINT64, (guint64) self->ramp.need_bps, "budget", G_TYPE_UINT64, self->ramp.budget_bps,
        NULL);
  self->tell_overload = FALSE;
  g_mutex_unlock (&self->lock);
  return tellings;
}

/* Streams without an encoder, such as retransmissions, are nobody's mistake. */
static void
set_encoder (GstRampScheduler * self, const Telling * telling)
{
  GstRampPad *pad = telling->pad;
  gchar *warning = NULL;
  gboolean wanted;

  GST_OBJECT_LOCK (pad);
  wanted = pad->settings.adapt_encoder;
  GST_OBJECT_UNLOCK (pad);
  if (!wanted) {
    encoder_rate_forget (pad->encoders);
    g_atomic_int_set (&pad->find_encoders, TRUE);
    return;
  }
  if (g_atomic_int_compare_and_exchange (&pad->find_encoders, TRUE, FALSE)) {
    EncoderRateResult result = encoder_rate_find (pad->encoders, GST_PAD (pad), &warning);

    if (result == ENCODER_RATE_STUCK && g_atomic_int_compare_and_exchange (&pad->warned, FALSE, TRUE))
      GST_ELEMENT_WARNING (self, STREAM, ENCODE, ("%s: %s", GST_OBJECT_NAME (pad), warning), (NULL));
    g_free (warning);
  }
  encoder_rate_set (pad->encoders, telling->bps, TRUE);
}

static void
tell_target (GstRampScheduler * self, const Telling * telling)
{
  GstStructure *s = gst_structure_new (GST_TARGET_BITRATE, "bitrate", G_TYPE_UINT, MAX (telling->bps, 1),
      "ssrc", G_TYPE_UINT, telling->ssrc, NULL);

  GST_LOG_OBJECT (telling->pad, "target %u bit/s", telling->bps);
  if (telling->adapt)
    set_encoder (self, telling);
  gst_pad_push_event (GST_PAD (telling->pad), gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM, s));
  g_object_notify (G_OBJECT (telling->pad), "target-bitrate");
}

static void
warn_of_excess (GstRampScheduler * self, const Telling * telling)
{
  GstRampPad *pad = telling->pad;
  gchar *warning = encoder_rate_describe_excess (pad->encoders, telling->made_bps, telling->told_bps);

  if (g_atomic_int_compare_and_exchange (&pad->warned, FALSE, TRUE))
    GST_ELEMENT_WARNING (self, STREAM, ENCODE, ("%s: %s", GST_OBJECT_NAME (pad), warning), (NULL));
  g_free (warning);
}

static void
tell (GstRampScheduler * self, const Telling * telling)
{
  if (telling->target)
    tell_target (self, telling);
  if (telling->made_bps > 0 && telling->adapt)
    warn_of_excess (self, telling);
  if (telling->keyframe)
    gst_pad_push_event (GST_PAD (telling->pad),
        gst_video_event_new_upstream_force_key_unit (GST_CLOCK_TIME_NONE, TRUE, 0));
}

static void
tell_once (GstRampScheduler * self)
{
  GstStructure *overload = NULL;
  GArray *tellings = take_tellings (self, &overload);
  guint i;

  for (i = 0; i < tellings->len; i++)
    tell (self, &g_array_index (tellings, Telling, i));
  g_array_unref (tellings);
  if (overload)
    gst_element_post_message (GST_ELEMENT (self), gst_message_new_element (GST_OBJECT (self), overload));
}

static void
do_tell (GstElement * element, gpointer user_data)
{
  GstRampScheduler *self = GST_RAMP_SCHEDULER (element);
  gboolean again;

  do {
    tell_once (self);
    g_mutex_lock (&self->lock);
    self->telling = again = self->tell_again;
    self->tell_again = FALSE;
    g_mutex_unlock (&self->lock);
  } while (again);
}

void
gst_ramp_scheduler_schedule_tell (GstRampScheduler * self)
{
  if (self->telling) {
    self->tell_again = TRUE;
  } else {
    self->telling = TRUE;
    gst_element_call_async (GST_ELEMENT (self), do_tell, NULL, NULL);
  }
}
