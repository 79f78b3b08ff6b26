/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/sender/mediatarget.h>

#include <math.h>

/* Until some were sent: usual ones; so many, that the first small ones count little. */
#define FIRST_PACKETS 16
#define FIRST_NETWORK_BYTES (FIRST_PACKETS * (1200 + RC_OVERHEAD_IPV4_BYTES))
#define FIRST_MEDIA_BYTES (FIRST_PACKETS * (1200 - 12))
/* Of network bytes: the ratio follows within some tens of packets. */
#define MEMORY_BYTES 50000
/* Time in which a standing queue should be gone; sooner, and encoders overshoot the other way. */
#define DRAIN_TIME_S 1.0
/* The same after a fall of the capacity: what waits is too much for sure. */
#define FALL_DRAIN_TIME_S 0.1
/* Longer than a frame: a frame that waits for its turn is no standing queue. */
#define SPAN (50 * RC_MSEC)
#define NOTICED_RATIO 0.1       /* of the rate: less is noise of single frames */
#define RISE_RATIO 0.02
#define FALL_RATIO 0.02
#define MADE_SPAN_S 2.0         /* longer than a rate control's own swings */
#define MADE_AIM_RATIO 0.98     /* so that the queue still empties between frames */
/* An encoder further off than this does not follow at all: nothing to correct. */
#define MAX_CORRECTION 1.10
#define MIN_CORRECTION 0.90
#define FOLLOWS_RATIO 1.25      /* target / output beyond which the picture needs no more */
#define RISE_INTERVAL (100 * RC_MSEC)
#define EXCESS_RATIO 1.5
#define EXCESS_TIME (3 * RC_SECOND)
#define SHORT_TIME (10 * RC_SECOND)     /* longer than most still scenes */

void
rc_mediatarget_init (RcMediaTarget *self)
{
  *self = (RcMediaTarget) {
    .media_bytes = FIRST_MEDIA_BYTES,.network_bytes = FIRST_NETWORK_BYTES,
    .made_since = RC_TIME_NONE,
    .excess_since = RC_TIME_NONE,.short_since = RC_TIME_NONE
  };
}

void
rc_mediatarget_on_sent (RcMediaTarget *self, uint32_t network_bytes, uint32_t media_bytes)
{
  self->media_bytes += media_bytes;
  self->network_bytes += network_bytes;
  if (self->network_bytes > MEMORY_BYTES) {
    self->media_bytes /= 2;
    self->network_bytes /= 2;
  }
}

void
rc_mediatarget_on_rtcp (RcMediaTarget *self, uint32_t network_bytes, RcTime now)
{
  rc_ratemeter_add (&self->rtcp, network_bytes, now);
}

void
rc_mediatarget_on_queue (RcMediaTarget *self, uint64_t queue_bytes, RcTime now)
{
  int64_t span = now / SPAN;

  if (span == self->span) {
    self->lowest_bytes = queue_bytes < self->lowest_bytes ? queue_bytes : self->lowest_bytes;
    return;
  }
  self->previous_lowest_bytes = span == self->span + 1 ? self->lowest_bytes : queue_bytes;
  self->lowest_bytes = queue_bytes;
  self->span = span;
}

static void
leak (RcMediaTarget *self, RcTime now)
{
  double dt = rc_time_to_s (now - self->made_at), keep;

  if (dt <= 0)
    return;
  keep = exp (-dt / MADE_SPAN_S);
  self->made_bits *= keep;
  self->told_bits = self->told_bits * keep + (double) self->told_bps * MADE_SPAN_S * (1 - keep);
  self->made_at = now;
}

/* The first span holds the first keyframe, which is large and says nothing. */
static bool
is_known (const RcMediaTarget *self, RcTime now)
{
  return self->made_since != RC_TIME_NONE && now - self->made_since >= rc_time_from_s (MADE_SPAN_S);
}

static void
watch (RcTime *since, bool so, RcTime now)
{
  if (!so)
    *since = RC_TIME_NONE;
  else if (*since == RC_TIME_NONE)
    *since = now;
}

void
rc_mediatarget_on_made (RcMediaTarget *self, uint32_t media_bytes, RcTime now)
{
  leak (self, now);
  if (self->made_since == RC_TIME_NONE) {
    self->made_since = now;
    self->told_bits = 0;
  }
  self->made_bits += media_bytes * 8.0;
  watch (&self->excess_since, is_known (self, now)
      && self->made_bits > EXCESS_RATIO * self->told_bits, now);
  watch (&self->short_since, is_known (self, now)
      && self->told_bits > FOLLOWS_RATIO * self->made_bits, now);
}

bool
rc_mediatarget_take_misfit (RcMediaTarget *self, RcTime now, uint32_t *made_bps, uint32_t *told_bps)
{
  if (!self->excess_told && self->excess_since != RC_TIME_NONE
      && now - self->excess_since >= EXCESS_TIME)
    self->excess_told = true;
  else if (self->short_since != RC_TIME_NONE && now - self->short_since >= SHORT_TIME)
    self->short_since = now;
  else
    return false;
  *made_bps = (uint32_t) (self->made_bits / MADE_SPAN_S);
  *told_bps = (uint32_t) (self->told_bits / MADE_SPAN_S);
  return true;
}

/* target = base * correction, output = g * target: the correction settles at MADE_AIM_RATIO / g. */
static double
correction (RcMediaTarget *self, RcTime now)
{
  double ratio;

  leak (self, now);
  if (!is_known (self, now))
    return 1;
  if (self->made_bits <= 0 || self->told_bits > FOLLOWS_RATIO * self->made_bits)
    return 1;
  ratio = MADE_AIM_RATIO * self->told_bits / self->made_bits;
  return rc_clampd (ratio, MIN_CORRECTION, MAX_CORRECTION);
}

void
rc_mediatarget_set_fallen (RcMediaTarget *self, bool fallen)
{
  self->fallen = fallen;
}

void
rc_mediatarget_set_most (RcMediaTarget *self, uint64_t most_bps)
{
  self->most_bps = most_bps;
}

/* What the target is lowered by, so that what waits steadily leaves. */
static double
drain_bps (const RcMediaTarget *self)
{
  double standing_bytes = fmin ((double) self->lowest_bytes, (double) self->previous_lowest_bytes);

  return standing_bytes * 8 / (self->fallen ? FALL_DRAIN_TIME_S : DRAIN_TIME_S);
}

bool
rc_mediatarget_drains (const RcMediaTarget *self, uint64_t rate_bps)
{
  return drain_bps (self) > NOTICED_RATIO * (double) rate_bps;
}

uint32_t
rc_mediatarget_get_bps (RcMediaTarget *self, uint64_t rate_bps, RcTime now)
{
  double rtcp_bps = (double) rc_ratemeter_get_bps (&self->rtcp, now);
  double free_bps = (double) rate_bps - rtcp_bps - drain_bps (self);
  double media_ratio = self->media_bytes / self->network_bytes;
  double bps = fmax (free_bps * correction (self, now) * media_ratio, (double) rate_bps / 4);

  if (self->most_bps > 0)
    bps = fmin (bps, (double) self->most_bps);
  return (uint32_t) rc_clampd (bps, 1, UINT32_MAX);
}

uint32_t
rc_mediatarget_get_steady_bps (RcMediaTarget *self, uint64_t rate_bps, RcTime now)
{
  double rtcp_bps = (double) rc_ratemeter_get_bps (&self->rtcp, now);
  double bps = ((double) rate_bps - rtcp_bps) * self->media_bytes / self->network_bytes;

  return (uint32_t) rc_clampd (bps, 1, UINT32_MAX);
}

bool
rc_mediatarget_take (RcMediaTarget *self, uint64_t rate_bps, RcTime now, uint32_t *bps)
{
  double told = (double) self->told_bps;
  bool report;

  *bps = rc_mediatarget_get_bps (self, rate_bps, now);
  if (told == 0)
    report = true;
  else if (*bps > told)
    report = *bps >= told * (1 + RISE_RATIO) && now - self->told_at >= RISE_INTERVAL;
  else
    report = *bps <= told * (1 - FALL_RATIO);
  if (report) {
    leak (self, now);
    self->told_bps = *bps;
    self->told_at = now;
  }
  return report;
}
