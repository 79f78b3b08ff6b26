/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/keyframe/keyrequest.h>

void
rc_keyrequest_init (RcKeyRequest *self)
{
  *self = (RcKeyRequest) {.ordered_at = RC_TIME_NONE,.answered_at = RC_TIME_NONE,
    .keyframe_at = RC_TIME_NONE };
}

static RcTime
bounded (RcTime rtt, RcTime if_unknown)
{
  if (rtt == RC_TIME_NONE)
    return if_unknown;
  return rtt < RC_KEYREQUEST_MAX_RTT ? rtt : RC_KEYREQUEST_MAX_RTT;
}

/* RC_TIME_NONE: neither ordered nor made. */
static RcTime
last_at (const RcKeyRequest *self)
{
  if (self->ordered_at == RC_TIME_NONE || self->keyframe_at == RC_TIME_NONE)
    return self->ordered_at == RC_TIME_NONE ? self->keyframe_at : self->ordered_at;
  return self->ordered_at > self->keyframe_at ? self->ordered_at : self->keyframe_at;
}

static bool
want (RcKeyRequest *self, RcTime span, RcTime now)
{
  RcTime at = last_at (self);

  if (self->wanted || (at != RC_TIME_NONE && now - at < span))
    return false;
  self->wanted = true;
  return true;
}

bool
rc_keyrequest_on_pli (RcKeyRequest *self, RcTime rtt, RcTime now)
{
  return want (self, bounded (rtt, RC_KEYREQUEST_INTERVAL), now);
}

bool
rc_keyrequest_on_fir (RcKeyRequest *self, uint32_t from, uint8_t number, RcTime rtt, RcTime now)
{
  if (self->has_fir && self->fir_from == from && self->fir_number == number)
    return false;
  self->has_fir = true;
  self->fir_from = from;
  self->fir_number = number;
  return rc_keyrequest_on_pli (self, rtt, now);
}

/* Its first report left when its first packet came or a little later. */
bool
rc_keyrequest_on_newcomer (RcKeyRequest *self, RcTime rtt, RcTime now)
{
  return want (self, bounded (rtt, RC_KEYREQUEST_MAX_RTT) + RC_KEYREQUEST_INTERVAL, now);
}

void
rc_keyrequest_on_keyframe (RcKeyRequest *self, RcTime now)
{
  self->wanted = false;
  self->keyframe_at = now;
}

static RcTime
interval (RcTime took)
{
  if (took >= RC_KEYREQUEST_MAX_INTERVAL / 2)
    return RC_KEYREQUEST_MAX_INTERVAL;
  return 2 * took > RC_KEYREQUEST_INTERVAL ? 2 * took : RC_KEYREQUEST_INTERVAL;
}

RcTime
rc_keyrequest_due_at (const RcKeyRequest *self, bool needed, RcTime took, RcTime now)
{
  RcTime wanted_at = RC_TIME_NONE, needed_at = RC_TIME_NONE;

  if (self->wanted)
    wanted_at = self->answered_at == RC_TIME_NONE
        ? now : self->answered_at + interval (took);
  if (needed)
    needed_at = self->ordered_at == RC_TIME_NONE || last_at (self) != self->ordered_at
        ? now : self->ordered_at + RC_KEYREQUEST_NEED_INTERVAL;
  return rc_sooner (wanted_at, needed_at);
}

void
rc_keyrequest_on_ordered (RcKeyRequest *self, RcTime now)
{
  if (self->wanted)
    self->answered_at = now;
  self->wanted = false;
  self->ordered_at = now;
}
