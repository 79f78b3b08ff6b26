/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "encoder/encodersteering.h"

#include "encoder/encoderrate.h"
#include "encoder/encodersettings.h"
#include "encoder/encodertable.h"
#include "encoder/encoderwalk.h"
#include "encoder/fecsteering.h"

#include <gst/arc/arc.h>
#include <gst/video/video.h>

struct _EncoderSteering
{
  GstPad *sinkpad;
  GObject *owner;
  const gchar *property;
  gboolean needs_encoder;
  void (*warn) (GObject * owner, const gchar * sentence);
  EncoderRate *encoders;
  FecSteering *fec;
  gint look_again, warned;      /* atomic */
  guint keyframes;              /* asked for so far */
};

EncoderSteering *
encoder_steering_new (GstPad * sinkpad, GObject * owner, const gchar * property,
    gboolean needs_encoder, void (*warn) (GObject *, const gchar *))
{
  EncoderSteering *self = g_new0 (EncoderSteering, 1);

  self->sinkpad = sinkpad;
  self->owner = owner;
  self->property = property;
  self->needs_encoder = needs_encoder;
  self->warn = warn;
  self->encoders = encoder_rate_new ();
  self->fec = fec_steering_new ();
  self->look_again = TRUE;
  return self;
}

void
encoder_steering_set_pad (EncoderSteering * self, GstPad * sinkpad)
{
  self->sinkpad = sinkpad;
}

void
encoder_steering_free (EncoderSteering * self)
{
  encoder_rate_free (self->encoders);
  fec_steering_free (self->fec);
  g_free (self);
}

void
encoder_steering_look_again (EncoderSteering * self)
{
  g_atomic_int_set (&self->look_again, TRUE);
}

void
encoder_steering_begin (EncoderSteering * self)
{
  g_atomic_int_set (&self->warned, FALSE);
  encoder_steering_look_again (self);
}

void
encoder_steering_prepare (EncoderSteering * self, GstClockTime latency)
{
  EncoderWalk walk = encoder_walk (self->sinkpad);

  for (guint i = 0; i < walk.encoders->len; i++)
    if (encoder_row_lookup (walk.encoders->pdata[i]))
      encoder_settings_improve (walk.encoders->pdata[i], latency);
  g_ptr_array_unref (walk.encoders);
}

void
encoder_steering_forget (EncoderSteering * self)
{
  encoder_rate_forget (self->encoders);
  fec_steering_forget (self->fec);
  encoder_steering_look_again (self);
}

guint64
encoder_steering_most_bps (EncoderSteering * self)
{
  return encoder_rate_most_bps (self->encoders);
}

gboolean
encoder_steering_follows (EncoderSteering * self)
{
  return encoder_rate_follows (self->encoders);
}

guint
encoder_steering_agreed_bps (EncoderSteering * self, guint bps)
{
  return encoder_rate_agreed_bps (self->encoders, bps);
}

RcCause
encoder_steering_cause (EncoderSteering * self, guint bps, RcCause cause)
{
  return encoder_rate_cause (self->encoders, bps, cause);
}

gchar *
encoder_steering_names (EncoderSteering * self)
{
  return encoder_rate_names (self->encoders);
}

/* Takes the sentence, or NULL. Only the first problem with the encoders is reported. */
static void
warn_once (EncoderSteering * self, const EncoderOrders * orders, gchar * sentence)
{
  if (sentence && orders->may_warn
      && g_atomic_int_compare_and_exchange (&self->warned, FALSE, TRUE))
    self->warn (self->owner, sentence);
  g_free (sentence);
}

/* Once for the encoder, not for each of those that steer it. */
static void
warn_of_sharing (EncoderSteering * self, const EncoderOrders * orders)
{
  gchar *sentence = orders->may_warn ? encoder_rate_take_sharing_warning (self->encoders) : NULL;

  if (sentence)
    self->warn (self->owner, sentence);
  g_free (sentence);
}

static void
find_encoders (EncoderSteering * self, const EncoderOrders * orders)
{
  gchar *sentence = NULL;
  EncoderRateResult result = encoder_rate_find (self->encoders, self->sinkpad, orders->latency,
      &sentence);

  fec_steering_find (self->fec, self->sinkpad);
  if (!self->needs_encoder && result != ENCODER_RATE_STUCK)
    g_clear_pointer (&sentence, g_free);
  warn_once (self, orders, sentence);
}

static void
set_encoders (EncoderSteering * self, const EncoderOrders * orders)
{
  if (!orders->adapt) {
    encoder_steering_forget (self);
    return;
  }
  if (g_atomic_int_compare_and_exchange (&self->look_again, TRUE, FALSE))
    find_encoders (self, orders);
  encoder_rate_set_terms (self->encoders, orders->steady_bps, orders->host);
  encoder_rate_set (self->encoders, orders->bps, orders->voice);
  warn_of_sharing (self, orders);
}

/* One event for each flow, since rtpfunnel routes by SSRC. What follows it, such as a scaler before
 * an encoder that others steer too, goes by what that makes and not by whose event came last. */
static void
push_events (EncoderSteering * self, const EncoderOrders * orders)
{
  guint total_bps = encoder_rate_agreed_bps (self->encoders, orders->bps), i;
  RcCause cause = encoder_steering_cause (self, orders->bps, orders->cause);

  for (i = 0; i < orders->n_flows; i++) {
    guint bps = (guint) (total_bps * orders->shares[i]);
    GstStructure *s = gst_structure_new (GST_ARC_TARGET_BITRATE, "bitrate", G_TYPE_UINT,
        MAX (bps, 1), "ssrc", G_TYPE_UINT, orders->ssrcs[i], "latency", G_TYPE_UINT64,
        orders->latency, "answers", G_TYPE_BOOLEAN, orders->living, "cause", G_TYPE_STRING,
        rc_cause_name (cause), NULL);

    if (orders->host != 0)
      gst_structure_set (s, "host", G_TYPE_UINT64, orders->host, NULL);
    if (orders->network_bps > 0)
      gst_structure_set (s, "network-bitrate", G_TYPE_UINT, orders->network_bps, NULL);
    gst_pad_push_event (self->sinkpad, gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM, s));
  }
}

/* With the field `ssrc` of rtpsession's, by which rtpfunnel and rampscheduler find the stream. */
static void
ask_for_keyframe (EncoderSteering * self, guint32 ssrc)
{
  GstEvent *event = gst_video_event_new_upstream_force_key_unit (GST_CLOCK_TIME_NONE, TRUE,
      self->keyframes++);

  gst_structure_set (gst_event_writable_structure (event), "ssrc", G_TYPE_UINT, ssrc, NULL);
  gst_pad_push_event (self->sinkpad, event);
}

void
encoder_steering_tell (EncoderSteering * self, const EncoderOrders * orders)
{
  if (orders->target) {
    set_encoders (self, orders);
    push_events (self, orders);
    g_object_notify (self->owner, self->property);
  }
  if (orders->adapt)
    fec_steering_set (self->fec, orders->fec_percentage);
  if (orders->made_bps > 0
      && encoder_steering_cause (self, orders->bps, orders->cause) != RC_CAUSE_OTHER_SINK)
    warn_once (self, orders, encoder_rate_describe_misfit (self->encoders, orders->made_bps,
            orders->told_bps));
  for (guint i = 0; i < orders->n_keyframes; i++)
    ask_for_keyframe (self, orders->keyframes[i]);
  if (orders->n_keyframes > 0 && orders->adapt)
    encoder_rate_make_keyframes (self->encoders);
}
