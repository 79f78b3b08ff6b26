/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Tells what feeds one sink pad how much it may make: by the properties of the encoders found
 * upstream (encoderrate.h), by the upstream event GstArcTargetBitrate, and by notify of a property
 * of the object that owns it. Every rmcsink, rtparcbwe and sink pad of rampscheduler has
 * one. */
#pragma once

#include "encoder/encoderorders.h"

G_BEGIN_DECLS

typedef struct _EncoderSteering EncoderSteering;

/* The pad and the object, which may be the pad, outlive it. `property` (a literal) of the object
 * tells the target. needs_encoder: that no encoder was found is worth a warning. warn posts the
 * sentence and leaves it to the caller. */
EncoderSteering *encoder_steering_new (GstPad * sinkpad, GObject * told, const gchar * property,
    gboolean needs_encoder, void (*warn) (GObject * told, const gchar * sentence));
void encoder_steering_free (EncoderSteering * self);

/* Any thread. What feeds the pad may be something else by now: the next orders look for
 * encoders. */
void encoder_steering_look_again (EncoderSteering * self);
/* Any thread. A new run: what was warned of may be warned of again. */
void encoder_steering_begin (EncoderSteering * self);
/* Any thread. Other sinks no longer count us. */
void encoder_steering_forget (EncoderSteering * self);

/* Calls out: never with a lock held, and never from a streaming thread or the pacing thread. One
 * thread at a time. */
void encoder_steering_tell (EncoderSteering * self, const EncoderOrders * orders);
/* Names of the encoders that follow ("x264enc0, opusenc0"; g_free). */
gchar *encoder_steering_names (EncoderSteering * self);

G_END_DECLS
