/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/sched/pid.h>

void
rc_pid_init (RcPid *self)
{
  *self = (RcPid) { 0, 0 };
}

double
rc_pid_step (RcPid *self, const RcPidParams *params, double input, double lo, double hi)
{
  double before = self->filtered, f, output;

  self->filtered = f = params->l_ratio * input + (1 - params->l_ratio) * before; /* [RAMP eq. 2] */
  /* [RAMP eq. 3] */
  output = params->p_gain * f + params->i_gain * (self->sum + f) + params->d_gain * (f - before);
  if ((output > hi && f > 0) || (output < lo && f < 0))
    output -= params->i_gain * f;
  else
    self->sum += f;
  return output;
}

void
rc_pid_preload (RcPid *self, const RcPidParams *params, double output)
{
  *self = (RcPid) { 0, output / params->i_gain };
}
