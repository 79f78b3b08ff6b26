/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* When packets leave: paced at a rate, or, while media is stopped, single ones as probes. Each lane
 * has one. A sender of one lane uses that one; before several lanes it has one of its own. */
#pragma once

#include <rc/pace/rmc.h>
#include <rc/sender/infoclock.h>

typedef struct
{
  RcRmc rmc;
  RcInfoClock infos;
  uint64_t rate_bps;
  double gain;                  /* frames leave at so many times the rate ... */
  double ahead_bytes;           /* ... and so far ahead of it ... */
  RcTime ahead_at;
  bool spent;                   /* ... until that is AHEAD of it: the mean is the rate */
  bool stopped;                 /* no media may leave */
} RcGate;

static inline void
rc_gate_init (RcGate *self, const RcRmcParams *pacing, uint64_t rate_bps, RcTime now)
{
  self->stopped = false;
  self->rate_bps = rate_bps;
  self->gain = 1;
  self->ahead_bytes = 0;
  self->ahead_at = now;
  self->spent = false;
  rc_infoclock_init (&self->infos);
  rc_rmc_init (&self->rmc, pacing, rate_bps, now);
}

/* Frames that are larger, and sources that always have more, go on at the rate. */
#define RC_GATE_AHEAD_S 0.1

static inline uint64_t
rc_gate_pace_bps (const RcGate *self)
{
  return (uint64_t) ((double) self->rate_bps * (self->spent ? 1 : self->gain));
}

static inline double
rc_gate_ahead (const RcGate *self, RcTime now)
{
  double earned_bytes = (double) self->rate_bps / 8 * rc_time_to_s (now - self->ahead_at);

  return self->ahead_bytes > earned_bytes ? self->ahead_bytes - earned_bytes : 0;
}

static inline void
rc_gate_look_ahead (RcGate *self, uint32_t network_bytes, RcTime now)
{
  double most_bytes, ahead_bytes;

  if (self->gain == 1 && !self->spent)
    return;
  most_bytes = (double) self->rate_bps / 8 * RC_GATE_AHEAD_S;
  ahead_bytes = rc_gate_ahead (self, now);
  if (ahead_bytes + network_bytes > most_bytes)
    self->spent = true;
  else if (ahead_bytes < most_bytes / 2)
    self->spent = false;
  rc_rmc_set_rate (&self->rmc, rc_gate_pace_bps (self), now);
}

static inline void
rc_gate_set_gain (RcGate *self, double gain, RcTime now)
{
  self->gain = gain;
  rc_rmc_set_rate (&self->rmc, rc_gate_pace_bps (self), now);
}

/* true: media has stopped, or flows again. */
static inline bool
rc_gate_set (RcGate *self, uint64_t rate_bps, bool stopped, RcTime now)
{
  bool was_stopped = self->stopped;

  self->ahead_bytes = rc_gate_ahead (self, now);
  self->ahead_at = now;
  self->rate_bps = rate_bps;
  self->stopped = stopped;
  rc_rmc_set_rate (&self->rmc, rc_gate_pace_bps (self), now);
  if (stopped == was_stopped)
    return false;
  if (!stopped)
    rc_rmc_reset (&self->rmc, now);
  rc_infoclock_on_stopped (&self->infos, now);
  return true;
}

/* When a waiting packet of so many bytes with all headers may leave; RC_TIME_NONE: not while
 * media is stopped. Before the first report, media goes on as single probes: infoclock.h. */
static inline RcTime
rc_gate_due_at (RcGate *self, uint32_t network_bytes, RcTime now)
{
  rc_gate_look_ahead (self, network_bytes, now);
  return self->stopped ? rc_infoclock_media_probe_at (&self->infos)
      : rc_rmc_due_at (&self->rmc, network_bytes, now);
}

/* The packet leaves now. */
static inline void
rc_gate_reserve (RcGate *self, uint32_t network_bytes, RcTime now)
{
  rc_rmc_on_sent (&self->rmc, network_bytes, now);
  self->ahead_bytes = rc_gate_ahead (self, now) + network_bytes;
  self->ahead_at = now;
  if (self->stopped)
    rc_infoclock_on_media_probe (&self->infos, network_bytes, now);
}

/* The transport did not take the packet after all: the charge is returned. */
static inline void
rc_gate_release (RcGate *self, uint32_t network_bytes)
{
  rc_rmc_on_unsent (&self->rmc, network_bytes);
  self->ahead_bytes -= network_bytes;
}

/* One that is sent again leaves now, ahead of what is earned; before rc_gate_reserve (). */
static inline void
rc_gate_lend (RcGate *self, uint32_t network_bytes, RcTime now)
{
  rc_rmc_lend (&self->rmc, network_bytes, now);
}

/* A stall left more than one burst to repay: the next packets are due in a moment. */
static inline bool
rc_gate_is_behind (const RcGate *self)
{
  return rc_rmc_is_behind (&self->rmc);
}

/* No packet waits. */
static inline void
rc_gate_on_idle (RcGate *self, RcTime now)
{
  rc_rmc_set_idle (&self->rmc, now);
}

/* The packet source was blocked and did not poll the pacer from `since` until now:
 * rc_rmc_on_blocked (). */
static inline void
rc_gate_on_blocked (RcGate *self, uint32_t network_bytes, RcTime since, RcTime now)
{
  rc_rmc_on_blocked (&self->rmc, network_bytes, since, now);
}

/* After a flush: the pacer forgets the credit that it has earned. */
static inline void
rc_gate_reset (RcGate *self, RcTime now)
{
  rc_rmc_reset (&self->rmc, now);
}
