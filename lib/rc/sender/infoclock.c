/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/sender/infoclock.h>

#include <math.h>

void
rc_infoclock_init (RcInfoClock *self)
{
  *self = (RcInfoClock) {
    .wanted_at = RC_TIME_NONE, .sent_at = RC_TIME_NONE, .media_at = RC_TIME_NONE,
    .reported_at = RC_TIME_NONE,
    .told_srtt = RC_TIME_NONE, .told_interval = RC_TIME_NONE, .probe_at = RC_TIME_NONE,
  };
}

static bool
differs (RcTime a, RcTime b)
{
  if (a == RC_TIME_NONE || b == RC_TIME_NONE)
    return a != b;
  return fabs ((double) (a - b)) > RC_INFO_CHANGE_RATIO * (double) b;
}

void
rc_infoclock_want (RcInfoClock *self, RcTime now)
{
  RcTime soonest = self->sent_at == RC_TIME_NONE ? now : self->sent_at + RC_INFO_MIN_INTERVAL;

  self->wanted_at = rc_sooner (self->wanted_at, soonest > now ? soonest : now);
}

void
rc_infoclock_on_report (RcInfoClock *self, RcTime now)
{
  if (!self->heard)
    rc_infoclock_want (self, now);
  self->heard = true;
  self->reported_at = now;
}

void
rc_infoclock_on_media (RcInfoClock *self, RcTime now)
{
  self->media_at = now;
}

void
rc_infoclock_on_change (RcInfoClock *self, RcTime srtt, RcTime interval, RcTime now)
{
  if (differs (srtt, self->told_srtt) || differs (interval, self->told_interval))
    rc_infoclock_want (self, now);
}

void
rc_infoclock_on_stopped (RcInfoClock *self, RcTime now)
{
  self->probes = self->probe_bytes = 0;
  self->probe_at = now + RC_INFO_INTERVAL;
  rc_infoclock_want (self, now);
}

void
rc_infoclock_probe_soon (RcInfoClock *self, RcTime now)
{
  self->probe_at = now;
  rc_infoclock_want (self, now);
}

static RcTime
probe_interval (const RcInfoClock *self)
{
  unsigned outage = self->heard ? RC_INFO_OUTAGE_PROBES : 0;

  if (self->probes < outage)
    return RC_INFO_OUTAGE_INTERVAL;
  return self->probes < outage + RC_INFO_FIRST_PROBES
      ? RC_INFO_INTERVAL : RC_INFO_LATER_PROBE_INTERVAL;
}

RcTime
rc_infoclock_media_probe_at (const RcInfoClock *self)
{
  return self->heard ? RC_TIME_NONE : self->probe_at;
}

void
rc_infoclock_on_media_probe (RcInfoClock *self, uint32_t network_bytes, RcTime now)
{
  self->probe_bytes += network_bytes;
  if (self->probe_bytes < RC_INFO_MEDIA_PROBE_BYTES)
    return;
  self->probe_bytes = 0;
  self->probes++;
  self->probe_at = now + probe_interval (self);
}

RcTime
rc_infoclock_due_at (const RcInfoClock *self, bool stopped)
{
  bool idle = !stopped && self->media_at <= self->sent_at;
  bool lapsed = self->sent_at - self->reported_at > RC_INFO_IDLE_LAPSE;

  if (!self->heard || self->media_at == RC_TIME_NONE)
    return RC_TIME_NONE;
  if (self->wanted_at != RC_TIME_NONE)
    return self->wanted_at;
  if (idle && lapsed)
    return RC_TIME_NONE;
  if (self->sent_at == RC_TIME_NONE)
    return self->media_at;
  return self->sent_at + (stopped ? probe_interval (self) : RC_INFO_INTERVAL);
}

void
rc_infoclock_on_sent (RcInfoClock *self, RcTime srtt, RcTime interval, bool stopped,
    RcTime now)
{
  self->told_srtt = srtt;
  self->told_interval = interval;
  self->sent_at = now;
  self->wanted_at = RC_TIME_NONE;
  self->probes += stopped;
}
