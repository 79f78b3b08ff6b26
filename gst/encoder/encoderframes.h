/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* How long the frames of an encoder last, and how long it takes them to last. An encoder divides
 * its bitrate by a frame rate: that of its caps, or that of the frames' times. A camera that makes
 * fewer frames in the dark, or an application that numbers frames instead of timing them, makes it
 * a clock that is fast: at a third of the frame rate it outputs a third of its bitrate. One per
 * encoder, whoever steers it. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

typedef struct _EncoderFrames EncoderFrames;

typedef struct
{
  /* So many seconds pass in one of the encoder: a bitrate has to be so much larger, and a span of
   * time so much shorter. 1 until it is known, and at frame rates that differ by a few percent. */
  gdouble slowness;
  /* Fewer come than the slowness makes up for, as of a screen that changes now and then: their
   * encoder cannot use its bitrate. */
  gboolean few;
  GstClockTime duration;        /* of a frame; 0: not known yet */
  GstClockTime declared;        /* the same by the caps; 0: they do not say */
  guint serial;                 /* another number: one of these has changed */
} FramesFound;

/* A new reference to that of this encoder, which watches the frames that enter it from now on. */
EncoderFrames *encoder_frames_of (GstElement * encoder);
void encoder_frames_unref (EncoderFrames * self);

FramesFound encoder_frames_get (EncoderFrames * self);

/* The measure itself: a frame of this time came at `now`. Caps say `declared`, 0: nothing. */
void encoder_frames_on_frame (EncoderFrames * self, GstClockTime pts, GstClockTime now);
void encoder_frames_on_caps (EncoderFrames * self, GstClockTime declared);

G_END_DECLS
