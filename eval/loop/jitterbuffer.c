/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What the documentation and the behaviour of rtpjitterbuffer (1.22) show:
 *
 *   d(i) = (t(i) - t(0)) - (m(i) - m(0)),  due(i) = t(0) + m(i) - m(0) + skew
 *
 * t is when the first packet of frame i came, m its time by the RTP clock. The skew follows the
 * least d of the last two seconds, or 512 frames: by 1/125 of the distance each frame, and while
 * the window fills for the first time by the square of the share that is full. A frame that comes
 * later than the latency after its time begins anew: it is due at once, and the window is empty. */
#include "jitterbuffer.h"

#define WINDOW (2 * RC_SECOND)
#define AVERAGE 125

void
jitter_buffer_init (JitterBuffer *self)
{
  *self = (JitterBuffer) { .begin_media = RC_TIME_NONE };
}

static void
begin (JitterBuffer *self, RcTime media, RcTime came_at)
{
  self->begin_media = media;
  self->begin_at = came_at;
  self->skew = self->least = 0;
  self->n = self->at = 0;
  self->filling = true;
  self->media = self->due_at = RC_TIME_NONE;
}

static void
fill (JitterBuffer *self, RcTime sent, RcTime delta)
{
  int64_t by_time = sent * 100 / WINDOW, by_number = self->at * 100 / JITTER_BUFFER_WINDOW;
  int64_t full = by_time > by_number ? by_time : by_number;

  self->delta[self->at++] = delta;
  if (self->at == 1 || delta < self->least)
    self->least = delta;
  self->n = self->at;
  if (sent < WINDOW && self->at < JITTER_BUFFER_WINDOW) {
    self->skew = (full * full * self->least + (10000 - full * full) * self->skew) / 10000;
    return;
  }
  self->skew = self->least;
  self->filling = false;
  self->at = 0;
}

static void
slide (JitterBuffer *self, RcTime delta)
{
  self->delta[self->at] = delta;
  self->at = (self->at + 1) % self->n;
  self->least = delta;
  for (unsigned i = 0; i < self->n; i++)
    if (self->delta[i] < self->least)
      self->least = self->delta[i];
  self->skew = (self->least + (AVERAGE - 1) * self->skew) / AVERAGE;
}

RcTime
jitter_buffer_on_frame (JitterBuffer *self, RcTime media, RcTime came_at, RcTime latency)
{
  RcTime sent, delta, due_at;

  if (self->begin_media == RC_TIME_NONE)
    begin (self, media, came_at);
  sent = media - self->begin_media;
  delta = came_at - self->begin_at - sent;
  if (delta - self->skew > RC_SECOND || delta - self->skew < -RC_SECOND) {
    begin (self, media, came_at);
    self->resets++;
    sent = delta = 0;
  }
  if (self->filling)
    fill (self, sent, delta);
  else
    slide (self, delta);
  due_at = self->begin_at + sent + self->skew;
  if (self->due_at != RC_TIME_NONE && due_at < self->due_at)
    due_at = self->due_at;
  if (due_at + latency < came_at) {
    begin (self, media, came_at);
    self->resets++;
    due_at = came_at;
  }
  self->media = media;
  self->due_at = due_at;
  return due_at;
}
