/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Silence of the receiver
 * =======================
 *
 * In a nutshell: the first media that leaves after a report starts a watch, and any report ends it.
 * When the watch has run for stop_s, media stops until the receiver answers a probe. So a
 * sender never floods a host that is gone or never was there.
 *
 *   running --- media unanswered for stop_s ---> stopped --- any report ---> running
 *
 * A source that pauses sends nothing and starts no watch, so its pause is never taken for silence.
 *
 * Source: RFC 8083 section 4.1 (RTCP timeout), RFC 8085 section 3.1. RFC 8083 waits for 3 RTCP
 * reporting intervals of at least 5 s each. Our reports come every 20 to 250 ms. The default stop_s
 * of 5 s is therefore many of our intervals, and sooner than RFC 8083 asks.
 */
#include <rc/path/silence.h>

void
rc_silence_init (RcSilence *self, double stop_s)
{
  self->stop_s = stop_s;
  self->since = RC_TIME_NONE;
  self->stopped = false;
}

bool
rc_silence_on_feedback (RcSilence *self, RcTime now)
{
  bool was_stopped = self->stopped;

  self->since = RC_TIME_NONE;
  self->stopped = false;
  return was_stopped;
}

void
rc_silence_on_sent (RcSilence *self, RcTime now)
{
  if (self->since == RC_TIME_NONE)
    self->since = now;
}

void
rc_silence_stop (RcSilence *self)
{
  self->stopped = true;
}

RcTime
rc_silence_next_at (const RcSilence *self)
{
  if (self->stopped || self->since == RC_TIME_NONE || self->stop_s <= 0)
    return RC_TIME_NONE;
  return self->since + rc_time_from_s (self->stop_s);
}

bool
rc_silence_update (RcSilence *self, RcTime now)
{
  RcTime at = rc_silence_next_at (self);

  if (at != RC_TIME_NONE && now >= at)
    self->stopped = true;
  return self->stopped;
}
