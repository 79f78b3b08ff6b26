/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The timeline of GStreamer's rtpjitterbuffer (mode slave): when a frame would be shown if the
 * latency were 0. The model is in jitterbuffer.c. */
#pragma once

#include <rc/base/types.h>

#define JITTER_BUFFER_WINDOW 512

typedef struct
{
  RcTime begin_media, begin_at; /* of the frame by which it began; begin_media RC_TIME_NONE: none */
  RcTime delta[JITTER_BUFFER_WINDOW], least, skew;
  unsigned n, at;               /* of the window; the next place */
  bool filling;
  RcTime media, due_at;         /* of the last frame */
  uint64_t resets;
} JitterBuffer;

void jitter_buffer_init (JitterBuffer *self);
/* The first packet of a frame comes. Returns when it would be shown. */
RcTime jitter_buffer_on_frame (JitterBuffer *self, RcTime media, RcTime came_at, RcTime latency);
