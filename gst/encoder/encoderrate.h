/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Finds the encoders that feed a pad and sets their bitrate in their own property and unit, so
 * that a plain gst-launch-1.0 line adapts without application code. One table; see
 * encoderrate.c. */
#pragma once

#include "encoder/encoderorders.h"
#include <rc/base/types.h>

G_BEGIN_DECLS

typedef struct _EncoderRate EncoderRate;

typedef enum
{
  ENCODER_RATE_OK,              /* at least one encoder follows */
  ENCODER_RATE_NO_ENCODER,      /* no known encoder upstream */
  ENCODER_RATE_STUCK, /* found, but it cannot follow as configured: see the warning text */
} EncoderRateResult;

EncoderRate *encoder_rate_new (void);
void encoder_rate_free (EncoderRate * self);

/* Walks upstream from the sink pad through bins, tees, funnels and rtpbin, and keeps a weak
 * reference to the nearest encoder of each branch. Changes settings at their defaults that keep an
 * encoder from following (encodersettings.h). warning: NULL or a new sentence with the cure
 * (g_free); also with ENCODER_RATE_OK, if one of several encoders does not follow, or follows
 * badly. Call again after the pipeline has changed. */
EncoderRateResult encoder_rate_find (EncoderRate * self, GstPad * sinkpad,
    GstClockTime latency, gchar ** warning);

/* Shares bitrate_bps of media among the encoders found: equally among video encoders; audio
 * encoders keep their bitrate (subtracted) unless there is no video, and never exceed the bitrate
 * that the user set. Clamped to each property's range. For an encoder with several claimants see
 * encoderclaims.h. The caller decides which changes are significant. Returns the number of encoders
 * set in this call. Any thread, but it may block on an encoder's lock: never call it from the
 * pacing thread, a streaming thread, or with a lock held. */
guint encoder_rate_set (EncoderRate * self, guint bitrate_bps, EncoderVoice voice);

/* What the encoders make instead of this bitrate, which was set, because others steer them too. */
guint encoder_rate_agreed_bps (EncoderRate * self, guint bitrate_bps);

/* Why they make no more than this bitrate, which was set for that cause: others steer them too, or
 * their range or what the user set at them ends there. */
RcCause encoder_rate_cause (EncoderRate * self, guint bitrate_bps, RcCause cause);

/* Of the bitrates that are set from now on, by the same thread. steady_bps: what those that begin
 * anew with each bitrate go by instead, the same without what empties a queue (encoderrestart.h);
 * 0: nothing else. host: of the receiver (EncoderOrders.host). */
void encoder_rate_set_terms (EncoderRate * self, guint steady_bps, guint64 host);

/* No longer steers what it found. */
void encoder_rate_forget (EncoderRate * self);

/* For an encoder with several claimants, once: a new sentence (g_free); else NULL. */
gchar *encoder_rate_take_sharing_warning (EncoderRate * self);

/* A new sentence about encoders that far exceed their target, with the cure (g_free); or about one
 * that stays below it although its picture is coarse. NULL: the picture needs no more, or that is
 * not known, since it is no H.264 or nobody has asked before. */
gchar *encoder_rate_describe_misfit (EncoderRate * self, guint made_bps, guint told_bps);

/* As of the last search: what the pictures of all encoders found can use on the network, bit/s; 0:
 * unknown, or something else feeds the pad too. */
guint64 encoder_rate_most_bps (EncoderRate * self);

/* Of encoders that make no keyframe for GstForceKeyUnit. As encoder_rate_set (). */
void encoder_rate_make_keyframes (EncoderRate * self);

/* The last search found something that follows, and was not withdrawn. */
gboolean encoder_rate_follows (EncoderRate * self);

/* Of the encoders that are being followed, for statistics ("x264enc0, opusenc0"; g_free). */
gchar *encoder_rate_names (EncoderRate * self);

G_END_DECLS
