/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A jitter buffer shows a frame at
 *
 *   m + b + L
 *
 * m is the frame's time by the sender's RTP clock, b the base of the jitter buffer, which follows
 * the fastest packets, and L its latency. A packet of the frame that comes at t has the transit
 * t - m, and the frame is late if a transit is larger than b + L.
 *
 *   wanted = max (D, x + lead [x - x']⁺) - b + margin,  at least what repair needs
 *
 * D is the largest transit of the last `window`, x that of the newest frame, x' the largest of the
 * frames just before: frames that come by two paths in turn show no queue that grows. A packet that
 * was lost and repaired counts in D alone.
 *
 * - L grows to `wanted` at once, when less than `guard` is left of the margin. Queues grow over
 *   several frames. So with the extrapolation L grows before a frame is late: a screen that shows
 *   one frame for longer is a smaller fault than a frame that misses its time, after which the
 *   jitter buffer takes a new base and the whole stream jumps.
 * - L shrinks towards `wanted` by a step each interval. A step is less than the time between two
 *   frames, so no frame that waits is late by it.
 * - The base: in a queue that stays, the jitter buffer moves its base by itself, and L must not
 *   grow by the same once more. Without the jitter buffer's word b is the least transit of 30 s.
 * - The pipeline behind has time of its own, `spare`: GStreamer's sinks give 15 or 20 ms to what
 *   processes a frame. What a decoder leaves of it (PROCESSING) is a margin already, so that much
 *   less of `margin` and `guard` is added. L stays at D - b at least: a decoder that needs all of
 *   the spare time is in time, without a margin.
 * - Repair: what rc/receiver/repairtime.h says is needed counts for REPAIR_HOLD after each loss.
 *   Transits alone do not show it, since a jitter buffer does not ask for what would be too late.
 *
 * Inputs: packets, the base, losses. Output: a latency.
 * Source: ours. A maximum and not a quantile: frames are late in bunches, so the frames that a
 * quantile gives up are neighbours.
 * Limits: delays that rise within one frame time by more than the margin, and a stall of the whole
 * network, make frames late.
 *
 * The window is 2 s: a longer one costs delay, a shorter one makes the screen stand more often.
 * A step of 10 ms each 0.2 s: GstVideoSink drops what is 5 ms late, and GstAudioBaseSink makes
 * up for more than 40 ms in one jump, however slowly it comes. */
#include <rc/receiver/playout.h>

#define FASTEST_WINDOW (30 * RC_SECOND) /* clocks run apart by up to 100 ppm: 3 ms */
#define PROCESSING (5 * RC_MSEC)        /* avdec_h264 takes 1 to 5 ms: docs/guide/latency.md */
#define REPAIR_HOLD (30 * RC_SECOND)    /* a path that lost a packet will lose another */
/* Timestamps that jump are a new stream. A base so far off is of a jitter buffer that does not
 * follow arrivals. */
#define MOST_STEP (10 * RC_SECOND)

void
rc_playout_init (RcPlayout *self, const RcPlayoutParams *params, RcTime latency)
{
  *self = (RcPlayout) { .params = *params, .latency = latency };
}

static RcTime
distance (RcTime a, RcTime b)
{
  return a < b ? b - a : a - b;
}

static void
begin (RcPlayout *self, RcTime media, RcTime transit, RcTime now)
{
  rc_winmin_init (&self->latest, self->params.window);
  rc_winmin_init (&self->fastest, FASTEST_WINDOW);
  self->begun = true;
  self->has_base = false;
  self->media = media;
  self->late_media = media - 1;
  self->transit = transit;
  for (unsigned i = 0; i < RC_PLAYOUT_BEFORE; i++)
    self->before[i] = transit;
  self->shrink_at = now + self->params.interval;
  self->frames++;
}

static RcTime
base (const RcPlayout *self)
{
  int64_t fastest;

  if (!rc_winmin_get (&self->fastest, &fastest))
    return self->base;
  return self->has_base && distance (self->base, fastest) < MOST_STEP ? self->base : fastest;
}

static void
count_frame (RcPlayout *self, RcTime media, RcTime transit)
{
  if (media > self->media) {
    self->before[self->frames++ % RC_PLAYOUT_BEFORE] = self->transit;
    self->media = media;
    self->transit = transit;
  } else if (media == self->media && transit > self->transit) {
    self->transit = transit;
  }
}

void
rc_playout_on_packet (RcPlayout *self, RcTime media, RcTime came_at, bool repair)
{
  RcTime transit = came_at - media;

  if (!self->begun || distance (transit, self->transit) > MOST_STEP)
    begin (self, media, transit, came_at);
  if (!repair)
    count_frame (self, media, transit);
  rc_winmin_add (&self->fastest, transit, came_at);
  rc_winmin_add (&self->latest, -transit, came_at);
  if (transit > base (self) + self->latency && media > self->late_media) {
    self->late_frames++;
    self->late_media = media;
  }
}

void
rc_playout_on_base (RcPlayout *self, RcTime base)
{
  self->base = base;
  self->has_base = true;
}

void
rc_playout_on_lost (RcPlayout *self, RcTime now)
{
  self->repair_until = now + REPAIR_HOLD;
}

void
rc_playout_set_repair (RcPlayout *self, RcTime needed)
{
  self->repair = needed;
}

void
rc_playout_set_spare (RcPlayout *self, RcTime spare)
{
  self->spare = spare;
}

/* A margin, less what the pipeline has of it. */
static RcTime
rest (const RcPlayout *self, RcTime margin)
{
  RcTime behind = self->spare > PROCESSING ? self->spare - PROCESSING : 0;

  return margin > behind ? margin - behind : 0;
}

static RcTime
bounded (const RcPlayout *self, RcTime latency)
{
  latency = latency < self->params.least ? self->params.least : latency;
  return latency > self->params.most ? self->params.most : latency;
}

/* x - x' */
static RcTime
growth (const RcPlayout *self)
{
  RcTime before = self->before[0];

  for (unsigned i = 1; i < RC_PLAYOUT_BEFORE; i++)
    before = self->before[i] > before ? self->before[i] : before;
  return self->transit - before;
}

/* Without a margin. */
static RcTime
needed (const RcPlayout *self)
{
  double ahead = self->params.lead * (double) growth (self);
  RcTime next = self->transit + (ahead > 0 ? (RcTime) ahead : 0);
  int64_t latest = -next;

  rc_winmin_get (&self->latest, &latest);
  return (-latest > next ? -latest : next) - base (self);
}

RcTime
rc_playout_latency (RcPlayout *self, RcTime now)
{
  RcTime repair = now < self->repair_until ? self->repair : 0, least, wanted;

  if (!self->begun)
    return self->latency;
  least = needed (self);
  wanted = least + rest (self, self->params.margin);
  least += rest (self, self->params.guard);
  least = bounded (self, repair > least ? repair : least);
  wanted = bounded (self, repair > wanted ? repair : wanted);
  if (least > self->latency) {
    self->latency = wanted;
    self->shrink_at = now + self->params.interval;
  } else if (now >= self->shrink_at && self->latency - wanted >= self->params.step) {
    self->latency -= self->params.step;
    self->shrink_at = now + self->params.interval;
  }
  return self->latency;
}
