/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Finds the encoders that feed a pad and sets their bitrate in their own property and unit, so
 * that a plain gst-launch-1.0 line adapts without application code. One table; see
 * encoderrate.c. */
#pragma once

#include <gst/gst.h>
#include <rc/base/types.h>

G_BEGIN_DECLS

typedef struct _EncoderRate EncoderRate;

typedef enum
{
  ENCODER_RATE_OK,              /* at least one encoder follows */
  ENCODER_RATE_NO_ENCODER,      /* nothing upstream that we know how to set */
  ENCODER_RATE_STUCK, /* found, but it cannot follow as configured: see the warning text */
} EncoderRateResult;

EncoderRate *encoder_rate_new (void);
void encoder_rate_free (EncoderRate * self);

/* Walks upstream from the sink pad through bins, tees, funnels and rtpbin, and remembers
 * (weakly) the nearest encoder of each branch. Sets what an encoder needs to follow and the user
 * left at its default (encodersettings.h). warning: NULL or a newly allocated sentence that says
 * what to change (g_free); with ENCODER_RATE_OK too, when one of several encoders does not
 * follow, or follows badly. Call again after the pipeline changed. */
EncoderRateResult encoder_rate_find (EncoderRate * self, GstPad * sinkpad, gchar ** warning);

/* Shares bitrate_bps of media among the encoders found: all video equally; audio encoders keep
 * theirs (subtracted) unless there is no video, and never get more than the user set. Clamped to
 * each property's range. An encoder that others steer too makes the smallest of what the living
 * among them want (encoderclaims.h). When a change is worth telling is the caller's to decide:
 * this one sets what it is told. Returns the number of encoders set in this call. Any thread,
 * but it may block on an encoder's lock: never call it from the pacing thread, a streaming
 * thread, or with a lock held. */
guint encoder_rate_set (EncoderRate * self, guint bitrate_bps, gboolean living);

/* No longer steers what it found. */
void encoder_rate_forget (EncoderRate * self);

/* An encoder that others steer too: once, a new sentence that says so (g_free); else NULL. */
gchar *encoder_rate_take_sharing_warning (EncoderRate * self);

/* A new sentence about encoders that make far more than they are told, and what to do (g_free). */
gchar *encoder_rate_describe_excess (EncoderRate * self, guint made_bps, guint told_bps);

/* Number of encoders that are being followed, and their names ("x264enc0, opusenc0") for
 * statistics (g_free). */
guint encoder_rate_count (EncoderRate * self);
gchar *encoder_rate_names (EncoderRate * self);

G_END_DECLS
