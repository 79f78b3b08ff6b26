/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "dualpi2.h"

#define P_CMAX (1 / (LINK_DUALPI2_K * LINK_DUALPI2_K))
#define P_LMAX 1.0
#define TH_LEN 1                /* a queue of one packet is never too long */
#define C_WEIGHT 1              /* of the scheduler, in tenths */
#define L_WEIGHT 9

void
link_dualpi2_init (LinkDualpi2 *self)
{
  *self = (LinkDualpi2) { .p = 0 };
}

bool
link_dualpi2_is_l (LinkEcn ecn)
{
  return ecn % 2 == 1;
}

static RcTime
t_update (const LinkDualpi2Params *params)
{
  return params->target < params->rtt_max / 3 ? params->target : params->rtt_max / 3;
}

static void
update_once (LinkDualpi2 *self, const LinkDualpi2Params *params, RcTime curq)
{
  double rtt_max_s = rc_time_to_s (params->rtt_max);
  double alpha = 0.1 * rc_time_to_s (t_update (params)) / (rtt_max_s * rtt_max_s);
  double beta = 0.3 / rtt_max_s;
  double change = alpha * rc_time_to_s (curq - params->target)
      + beta * rc_time_to_s (curq - self->prevq);

  self->p = rc_clampd (self->p + change, 0, 1);
  self->prevq = curq;
}

void
link_dualpi2_update (LinkDualpi2 *self, const LinkDualpi2Params *params, RcTime first_arrived_at,
    RcTime now)
{
  RcTime step = t_update (params), at;

  while ((at = self->updated_at + step) <= now) {
    bool waits = first_arrived_at != RC_TIME_NONE && first_arrived_at <= at;

    if (!waits && self->p <= 0 && self->prevq == 0) {   /* nothing changes until one waits */
      RcTime until = first_arrived_at != RC_TIME_NONE ? first_arrived_at : now;

      self->updated_at += (until - self->updated_at) / step * step;
      if (first_arrived_at == RC_TIME_NONE || self->updated_at + step > now)
        return;
      continue;
    }
    update_once (self, params, waits ? at - first_arrived_at : 0);
    self->updated_at = at;
  }
}

bool
link_dualpi2_serves_l (LinkDualpi2 *self, const LinkPacket *l, const LinkPacket *c)
{
  if (!l || !c)
    return l != NULL;
  if (self->credit <= 0) {
    self->credit += C_WEIGHT * (int64_t) l->size_bytes;
    return true;
  }
  self->credit -= L_WEIGHT * (int64_t) c->size_bytes;
  return false;
}

static bool
recur (double *count, double likelihood)
{
  *count += likelihood;
  if (*count <= 1)
    return false;
  *count -= 1;
  return true;
}

/* laqm() */
static double
ramp (const LinkDualpi2Params *params, RcTime wait)
{
  if (wait >= params->min_th + params->range)
    return 1;
  return wait > params->min_th ? (double) (wait - params->min_th) / (double) params->range : 0;
}

LinkAqmVerdict
link_dualpi2_on_l (LinkDualpi2 *self, const LinkDualpi2Params *params, RcTime wait, uint32_t behind)
{
  double coupled = LINK_DUALPI2_K * self->p, native;

  if (coupled >= P_LMAX) {      /* saturated */
    if (recur (&self->l_count, self->p * self->p))
      return LINK_AQM_DROP;
    return LINK_AQM_MARK;
  }
  native = behind >= TH_LEN ? ramp (params, wait) : 0;
  if (recur (&self->l_count, native > coupled ? native : coupled))
    return LINK_AQM_MARK;
  return LINK_AQM_PASS;
}

LinkAqmVerdict
link_dualpi2_on_c (LinkDualpi2 *self, LinkEcn ecn)
{
  double p_c = self->p * self->p;

  if (!recur (&self->c_count, p_c))
    return LINK_AQM_PASS;
  return ecn == LINK_ECN_NOT_ECT || p_c >= P_CMAX ? LINK_AQM_DROP : LINK_AQM_MARK;
}
