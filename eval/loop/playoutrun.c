/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "playoutrun.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "jitterbuffer.h"

typedef struct
{
  RcTime made_at, whole_at;
  RcTime due_at;                /* with a latency of 0; once its first packet came */
} Frame;

typedef struct
{
  const PlayoutConfig *config;
  PlayoutSums *sums;
  RcTime from;
  Frame *frames;
  unsigned n_frames, begun, shown;      /* the frames before these */
  JitterBuffer buffer;
  RcPlayout law;
  RcTime latency;
} Play;

static unsigned
flow_of (const LoopConfig *config)
{
  unsigned flow = 0;

  while (config->flows[flow].kind != LOOP_MEDIA)
    flow++;
  return flow;
}

/* A frame is whole with its last packet; links keep the order. */
static void
find_frames (Play *self, const LoopArrival *arrivals, unsigned n, unsigned flow)
{
  self->frames = calloc (n + 1, sizeof *self->frames);
  for (unsigned i = 0; i < n; i++) {
    if (arrivals[i].flow != flow)
      continue;
    if (self->n_frames == 0 || arrivals[i].made_at > self->frames[self->n_frames - 1].made_at)
      self->frames[self->n_frames++] = (Frame) { .made_at = arrivals[i].made_at };
    self->frames[self->n_frames - 1].whole_at = arrivals[i].came_at;
  }
}

static void
count (Play *self, const Frame *frame, RcTime due_at)
{
  PlayoutSums *sums = self->sums;
  bool late = frame->whole_at > due_at;
  double glass_ms = (double) ((late ? frame->whole_at : due_at) - frame->made_at) / RC_MSEC;

  if (frame->made_at < self->from)
    return;
  if (sums->frames == sums->capacity) {
    sums->capacity = sums->capacity ? 2 * sums->capacity : 4096;
    sums->glasses_ms = realloc (sums->glasses_ms, sums->capacity * sizeof *sums->glasses_ms);
  }
  sums->glasses_ms[sums->frames++] = (float) glass_ms;
  sums->late += late;
  sums->glass_ms += glass_ms;
  sums->latency_ms += (double) self->latency / RC_MSEC;
}

/* The base is known when a frame leaves the jitter buffer, which waits for the screen. */
static void
show_until (Play *self, RcTime now)
{
  for (; self->shown < self->begun; self->shown++) {
    const Frame *frame = &self->frames[self->shown];

    if (frame->due_at + self->latency > now)
      return;
    count (self, frame, frame->due_at + self->latency);
    if (self->config->is_told_base)
      rc_playout_on_base (&self->law, frame->due_at - frame->made_at);
  }
}

static void
set_latency (Play *self, RcTime latency)
{
  if (latency == self->latency)
    return;
  self->sums->changes++;
  if (latency > self->latency)
    self->sums->grown_ms += (double) (latency - self->latency) / RC_MSEC;
  self->latency = latency;
}

/* The latency grows before the packet that showed the need reaches the jitter buffer. */
static void
take (Play *self, RcTime made_at, RcTime now)
{
  show_until (self, now);
  if (self->config->adapts) {
    rc_playout_on_packet (&self->law, made_at, now, false);
    set_latency (self, rc_playout_latency (&self->law, now));
  }
  if (self->begun < self->n_frames && made_at == self->frames[self->begun].made_at) {
    self->frames[self->begun].due_at = jitter_buffer_on_frame (&self->buffer, made_at, now,
        self->latency);
    self->begun++;
  }
}

void
playout_run (const Loop *loop, const LoopConfig *config, const PlayoutConfig *playout,
    RcTime from, PlayoutSums *sums)
{
  unsigned n, flow = flow_of (config);
  const LoopArrival *arrivals = loop_arrivals (loop, &n);
  Play *self = calloc (1, sizeof *self);

  assert (config->notes_arrivals);
  *self = (Play) { playout, sums, from, .latency = playout->latency };
  find_frames (self, arrivals, n, flow);
  jitter_buffer_init (&self->buffer);
  rc_playout_init (&self->law, &playout->params, playout->latency);
  for (unsigned i = 0; i < n; i++)
    if (arrivals[i].flow == flow)
      take (self, arrivals[i].made_at, arrivals[i].came_at);
  sums->resets += (unsigned) self->buffer.resets;
  free (self->frames);
  free (self);
}

static int
compare (const void *a, const void *b)
{
  float x = *(const float *) a, y = *(const float *) b;

  return (x > y) - (x < y);
}

double
playout_glass_ms (PlayoutSums *sums, double q)
{
  if (sums->frames == 0)
    return NAN;
  qsort (sums->glasses_ms, sums->frames, sizeof *sums->glasses_ms, compare);
  return (double) sums->glasses_ms[(unsigned) (q * (sums->frames - 1))];
}
