/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The time until a frame is whole.
 *
 *   d(i) = t(i) - s(i) / f,  delay of frame i = d(i) - min d
 *
 * t is when the last packet of the frame came, s its RTP timestamp, f the clock rate. The minimum
 * is over WINDOW: clocks run apart by up to 100 ppm, 3 ms in that time. The unknown distance of the
 * clocks cancels out, and with it the delay of the fastest frame: the propagation, and what any
 * frame needs to be encoded and sent. The rest is what varies: large frames, queues in the
 * sender and in the network, jitter and repair. A jitter buffer whose latency is a quantile of the
 * delay shows that share of the frames in time.
 *
 * Packets with one timestamp are one frame. It counts when OPEN later ones have begun; until then
 * its repairs count with it. What never comes does not count: that is loss, not delay.
 *
 * Timestamps may run slow: of a source that makes fewer frames than it says, and counts them (12 of
 * 30 a second: d grows by 0.6 s each second). So if the earliest packets come later and later, by
 * the same 10 % or more in two TREND_SPANs, that is taken off. No queue grows so steadily for so
 * long: it would be a second long.
 *
 * Inputs: packets. Output: quantiles of the delay.
 * Source: as RFC 3550 6.4.1 compares arrivals with timestamps; the rest is ours. */
#include <rc/receiver/frametimes.h>

#define WINDOW (30 * RC_SECOND)
#define EARLIEST_WINDOW (2 * RC_SECOND)        /* rtpjitterbuffer's */
#define TREND_SPAN (5 * RC_SECOND)
#define LEAST_SLOWNESS .1
#define SAME_TREND .25          /* of it; frames come by ones */
#define EXACT_TREND .02         /* of it: 60 ms in TREND_SPAN at most */
#define MOST_STEP_S 10          /* of timestamps; a larger one is a new stream */

void
rc_frametimes_init (RcFrameTimes *self)
{
  *self = (RcFrameTimes) { .begun = 0 };
  rc_winmin_init (&self->fastest, WINDOW);
  rc_winmin_init (&self->earliest, EARLIEST_WINDOW);
  rc_recent_init (&self->delays);
}

static RcOpenFrame *
find (RcFrameTimes *self, int64_t timestamp)
{
  uint32_t n = self->begun < RC_FRAMETIMES_OPEN ? self->begun : RC_FRAMETIMES_OPEN;

  for (uint32_t i = 0; i < n; i++)
    if (self->open[i].timestamp == timestamp)
      return &self->open[i];
  return NULL;
}

static RcTime
media_time (const RcFrameTimes *self, int64_t timestamp)
{
  return rc_time_from_s ((double) timestamp / self->clock_rate_hz);
}

static bool
is_within (double share, double a, double b)
{
  return a - b < share * b && b - a < share * b;
}

static void
set_slowness (RcFrameTimes *self, double slowness, RcTime now)
{
  self->slowness = slowness;
  self->slow_from = now;
  rc_winmin_init (&self->fastest, slowness > 0 ? TREND_SPAN : WINDOW);
  rc_recent_init (&self->delays);
}

static void
follow_trend (RcFrameTimes *self, RcTime now)
{
  int64_t earliest;
  double trend;

  if (now - self->trend_at < TREND_SPAN || !rc_winmin_get (&self->earliest, &earliest))
    return;
  trend = (double) (earliest - self->trend_from) / (double) (now - self->trend_at);
  if (trend > LEAST_SLOWNESS && is_within (SAME_TREND, self->last_trend, trend)) {
    if (!is_within (EXACT_TREND, self->slowness, trend))
      set_slowness (self, trend, now);
  } else if (self->slowness > 0 && !is_within (SAME_TREND, self->slowness, trend)) {
    set_slowness (self, 0, now);
  }
  self->last_trend = trend;
  self->trend_from = earliest;
  self->trend_at = now;
}

static void
close_frame (RcFrameTimes *self, const RcOpenFrame *frame)
{
  RcTime transit = frame->came_at - media_time (self, frame->timestamp);
  int64_t fastest;

  transit -= (RcTime) (self->slowness * (double) (frame->came_at - self->slow_from));
  rc_winmin_add (&self->fastest, transit, frame->came_at);
  if (rc_winmin_get (&self->fastest, &fastest))
    rc_recent_add (&self->delays, transit - fastest);
}

static void
begin (RcFrameTimes *self, int64_t timestamp, RcTime arrived_at)
{
  RcOpenFrame *frame = &self->open[self->begun % RC_FRAMETIMES_OPEN];

  if (self->begun >= RC_FRAMETIMES_OPEN)
    close_frame (self, frame);
  *frame = (RcOpenFrame) { timestamp, arrived_at };
  self->begun++;
}

/* Before all that are open: a late repair of a frame that is closed. */
static bool
is_closed (const RcFrameTimes *self, int64_t timestamp)
{
  for (uint32_t i = 0; i < RC_FRAMETIMES_OPEN; i++)
    if (self->begun <= i || self->open[i].timestamp < timestamp)
      return false;
  return true;
}

static void
restart (RcFrameTimes *self, uint32_t timestamp, uint32_t clock_rate_hz, RcTime now)
{
  rc_frametimes_init (self);
  self->clock_rate_hz = clock_rate_hz;
  self->newest_rtp = timestamp;
  self->trend_at = self->trend_from = now;
}

void
rc_frametimes_on_packet (RcFrameTimes *self, uint32_t timestamp, uint32_t clock_rate_hz,
    RcTime arrived_at)
{
  int64_t step = (int32_t) (timestamp - self->newest_rtp);
  int64_t most = (int64_t) MOST_STEP_S * clock_rate_hz;
  RcOpenFrame *frame;

  if (clock_rate_hz == 0)
    return;
  if (self->begun == 0 || clock_rate_hz != self->clock_rate_hz || step > most || step < -most) {
    restart (self, timestamp, clock_rate_hz, arrived_at);
    step = 0;
  }
  rc_winmin_add (&self->earliest, arrived_at - media_time (self, self->newest + step), arrived_at);
  follow_trend (self, arrived_at);
  frame = find (self, self->newest + step);
  if (frame)
    frame->came_at = arrived_at;
  else if (!is_closed (self, self->newest + step))
    begin (self, self->newest + step, arrived_at);
  if (step > 0) {
    self->newest += step;
    self->newest_rtp = timestamp;
  }
}

RcTime
rc_frametimes_media (const RcFrameTimes *self, uint32_t timestamp)
{
  int64_t media = self->newest + (int32_t) (timestamp - self->newest_rtp);

  return self->begun > 0 ? rc_time_from_s ((double) media / self->clock_rate_hz) : 0;
}

RcTime
rc_frametimes_due_at (const RcFrameTimes *self, uint32_t timestamp)
{
  int64_t step = (int32_t) (timestamp - self->newest_rtp), earliest;

  if (self->begun == 0 || !rc_winmin_get (&self->earliest, &earliest))
    return RC_TIME_NONE;
  return media_time (self, self->newest + step) + earliest;
}

RcTime
rc_frametimes_delay (const RcFrameTimes *self, double q)
{
  return rc_recent_quantile (&self->delays, q);
}
