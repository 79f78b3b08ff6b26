/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Applies a target bitrate upstream of one sink pad: through the properties of the encoders found
 * there (encoderrate.h), the upstream event GstArcTargetBitrate, and notify of a property of its
 * owner. Every rmcsink, rtparcbwe and sink pad of rampscheduler has one. */
#pragma once

#include "encoder/encoderorders.h"

G_BEGIN_DECLS

typedef struct _EncoderSteering EncoderSteering;

/* The pad and the owner, which may be the pad, outlive it. `property` (a literal) is the owner's
 * property that holds the target. needs_encoder: warn if no encoder was found. warn posts the
 * sentence, which stays the caller's. */
EncoderSteering *encoder_steering_new (GstPad * sinkpad, GObject * owner, const gchar * property,
    gboolean needs_encoder, void (*warn) (GObject * owner, const gchar * sentence));
/* Another one, before it begins. */
void encoder_steering_set_pad (EncoderSteering * self, GstPad * sinkpad);
void encoder_steering_free (EncoderSteering * self);

/* Any thread. The elements upstream may have changed: the next orders look for encoders. */
void encoder_steering_look_again (EncoderSteering * self);
/* Any thread. A new run: warnings may be posted again. */
void encoder_steering_begin (EncoderSteering * self);
/* Before the elements upstream leave READY: some settings of encoders count from the start only. */
void encoder_steering_prepare (EncoderSteering * self, GstClockTime latency);
/* Any thread. Withdraws the claims on shared encoders. */
void encoder_steering_forget (EncoderSteering * self);

/* Calls out: never with a lock held, and never from a streaming thread or the pacing thread. One
 * thread at a time. */
void encoder_steering_tell (EncoderSteering * self, const EncoderOrders * orders);
/* Any thread. encoder_rate_most_bps () */
guint64 encoder_steering_most_bps (EncoderSteering * self);
/* Any thread. As of the last search: encoders upstream follow, or an element that steers them. */
gboolean encoder_steering_follows (EncoderSteering * self);
/* Any thread. What they make instead of this target, because others steer them too. */
guint encoder_steering_agreed_bps (EncoderSteering * self, guint bps);
/* Any thread. Why the encoders make no more than this target, which has that cause: others that
 * steer them too, or they themselves, may be another. */
RcCause encoder_steering_cause (EncoderSteering * self, guint bps, RcCause cause);
/* Names of the encoders that follow ("x264enc0, opusenc0"; g_free). */
gchar *encoder_steering_names (EncoderSteering * self);

G_END_DECLS
