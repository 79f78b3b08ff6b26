/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Low-pass filter and PID controller at a fixed sampling rate: all gains are per sample. */
#pragma once

#include <rc/base/types.h>

typedef struct
{
  double l_ratio;               /* weight of the newest input, 0 < L <= 1; 1: no filter */
  /* Output per input, per sum of inputs, per difference of two inputs; >= 0. */
  double p_gain, i_gain, d_gain;
} RcPidParams;

typedef struct
{
  double filtered;              /* f */
  double sum;                   /* of f */
} RcPid;

void rc_pid_init (RcPid *self);
/* One sample. Returns the output as it is; outside [lo, hi], where the actuator ends, the
 * integral does not grow further (anti-wind-up). */
double rc_pid_step (RcPid *self, const RcPidParams *params, double input, double lo, double hi);
/* As if the input had been 0 for long and the output the integral's alone. i_gain must not be 0. */
void rc_pid_preload (RcPid *self, const RcPidParams *params, double output);
