/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/sched/ramp_monitor.h>

#include <math.h>

/* The output u of the PID counts bytes a sample, times g. */
static double
bps_per_output (const RcRampMonitorParams *params)
{
  return params->loop_gain * 8 / rc_time_to_s (params->interval);
}

static double
target_bytes (const RcRampMonitor *self, const RcRampTarget *target)
{
  return target->bytes > 0 ? target->bytes : rc_time_to_s (target->delay) * self->arrival_bps / 8;
}

void
rc_ramp_monitor_init (RcRampMonitor *self)
{
  *self = (RcRampMonitor) { .quiet = RC_TIME_NONE };
  rc_pid_init (&self->pid);
}

void
rc_ramp_monitor_preload (RcRampMonitor *self, const RcRampMonitorParams *params,
    const RcRampTarget *target, double rate_bps)
{
  rc_pid_preload (&self->pid, &params->pid, rate_bps / bps_per_output (params));
  self->arrival_bps = self->requirement_bps = rate_bps;
  self->fill_bytes = target_bytes (self, target);
  self->quiet = 0;
  self->age = params->learning + params->rate_tau;
}

static void
measure_arrivals (RcRampMonitor *self, const RcRampMonitorParams *params,
    const RcRampReading *reading)
{
  double bps = (double) reading->arrived_bytes * 8 / rc_time_to_s (reading->span);
  double weight = 1 - exp (-(double) reading->span / (double) params->rate_tau);

  if (self->quiet == RC_TIME_NONE && reading->arrived_bytes == 0)
    return;
  self->age += reading->span;
  weight = fmax (weight, (double) reading->span / (double) self->age); /* at first the plain mean */
  self->quiet = reading->arrived_bytes > 0 ? 0 : self->quiet + reading->span;
  if (self->quiet <= params->freeze_after)
    self->arrival_bps += weight * (bps - self->arrival_bps);
}

/* Packets that left early, on bandwidth that no other flow used, stay in the fill level until
 * the allocation would have sent them: else a flow that always finds spare bandwidth would seem
 * to need none. Returns the mean over the span: packets that come each 20 ms, right before each
 * second sample, would look like twice the rate. */
static double
measure_fill (RcRampMonitor *self, const RcRampReading *reading)
{
  double before = self->fill_bytes;
  double drained_bytes = reading->allocation_bps * rc_time_to_s (reading->span) / 8;
  double fill = self->fill_bytes + (double) reading->arrived_bytes - (double) reading->dropped_bytes
      - drained_bytes;

  self->fill_bytes = (double) reading->waiting_bytes;
  if (!reading->borrows)
    return self->fill_bytes;
  self->fill_bytes = fmax (fill, self->fill_bytes);
  return fmax (before + reading->mean_arrived_bytes
      - ((double) reading->dropped_bytes + drained_bytes) / 2, 0);
}

/* The integral alone knows the flow's rate; the filter would hold the emptiness against its next
 * packet. */
static double
freeze (RcRampMonitor *self, const RcRampMonitorParams *params, double unit_bps)
{
  self->pid.filtered = 0;
  self->requirement_bps = unit_bps * params->pid.i_gain * self->pid.sum;
  return self->requirement_bps;
}

/* The controller would take a while to get there, and a small flow cannot wait for it beside a
 * large one. */
static double
learn (RcRampMonitor *self, const RcRampMonitorParams *params, double unit_bps, double max_bps)
{
  self->requirement_bps = fmin (self->arrival_bps, max_bps);
  rc_pid_preload (&self->pid, &params->pid, self->requirement_bps / unit_bps);
  return self->requirement_bps;
}

double
rc_ramp_monitor_sample (RcRampMonitor *self, const RcRampMonitorParams *params,
    const RcRampTarget *target, const RcRampReading *reading, double max_bps)
{
  double unit_bps = bps_per_output (params), hi_bps = max_bps, fill_bytes;

  measure_arrivals (self, params, reading);
  fill_bytes = measure_fill (self, reading);
  if (self->quiet == RC_TIME_NONE || (self->quiet > params->freeze_after && self->fill_bytes <= 0))
    return freeze (self, params, unit_bps);
  if (self->age <= params->learning)
    return learn (self, params, unit_bps, max_bps);
  if (reading->limited && reading->allocation_bps < hi_bps)
    hi_bps = reading->allocation_bps;
  /* [RAMP eq. 1]. */
  self->requirement_bps = unit_bps * rc_pid_step (&self->pid, &params->pid,
      fill_bytes - target_bytes (self, target), 0, hi_bps / unit_bps);
  self->requirement_bps = rc_clampd (self->requirement_bps, 0, max_bps);
  return self->requirement_bps;
}
