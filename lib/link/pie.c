/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "pie.h"

#include "random.h"

#define ALPHA 0.125
#define BETA 1.25
#define MOST_STEP 0.02          /* from FULL_STEP_FROM on */
#define FULL_STEP_FROM 0.1
#define IDLE_DECAY 0.98
#define SAFE_P 0.2
#define SAFE_BYTES (2 * 1500)
#define SURE_SUM 8.5
#define NEVER_SUM 0.85

void
link_pie_init (LinkPie *self)
{
  *self = (LinkPie) { .burst_left = LINK_PIE_MAX_BURST };
}

/* RFC 8033 4.2: a small probability changes in small steps. */
static double
step_scale (double p)
{
  static const struct
  {
    double below, scale;
  } rows[] = { { 1e-6, 1 / 2048.0 }, { 1e-5, 1 / 512.0 }, { 1e-4, 1 / 128.0 }, { 1e-3, 1 / 32.0 },
    { 1e-2, 1 / 8.0 }, { 1e-1, 1 / 2.0 } };

  for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
    if (p < rows[i].below)
      return rows[i].scale;
  return 1;
}

static void
update_once (LinkPie *self, const LinkPieParams *params, RcTime qdelay)
{
  double change = step_scale (self->p) * (ALPHA * rc_time_to_s (qdelay - params->target)
      + BETA * rc_time_to_s (qdelay - self->qdelay_old));
  bool was_short = self->qdelay_old < params->target / 2 && qdelay < params->target / 2;

  if (self->p >= FULL_STEP_FROM && change > MOST_STEP)
    change = MOST_STEP;
  self->p = rc_clampd (self->p + change, 0, 1);
  if (qdelay == 0 && self->qdelay_old == 0)
    self->p *= IDLE_DECAY;
  self->burst_left -= self->burst_left < LINK_PIE_T_UPDATE ? self->burst_left : LINK_PIE_T_UPDATE;
  if (self->p <= 0 && was_short)
    self->burst_left = LINK_PIE_MAX_BURST;
  self->qdelay_old = qdelay;
}

/* Until a packet waits, nothing changes. */
static bool
rests (const LinkPie *self)
{
  return self->p <= 0 && self->qdelay_old == 0 && self->burst_left == LINK_PIE_MAX_BURST;
}

void
link_pie_update (LinkPie *self, const LinkPieParams *params, RcTime first_arrived_at, RcTime now)
{
  RcTime until = first_arrived_at == RC_TIME_NONE ? now : first_arrived_at, at;

  while ((at = self->updated_at + LINK_PIE_T_UPDATE) <= now) {
    bool waits = first_arrived_at != RC_TIME_NONE && first_arrived_at <= at;

    if (!waits && rests (self)) {
      self->updated_at += (until - self->updated_at) / LINK_PIE_T_UPDATE * LINK_PIE_T_UPDATE;
      if (self->updated_at + LINK_PIE_T_UPDATE > now)
        return;
      at = self->updated_at + LINK_PIE_T_UPDATE;
      waits = first_arrived_at != RC_TIME_NONE && first_arrived_at <= at;
    }
    update_once (self, params, waits ? at - first_arrived_at : 0);
    self->updated_at = at;
  }
}

bool
link_pie_drops (LinkPie *self, const LinkPieParams *params, uint64_t waiting_bytes)
{
  bool is_safe = self->qdelay_old < params->target / 2 && self->p < SAFE_P;
  double random = link_random_uniform (&self->random);

  if (self->p <= 0)
    self->p_sum = 0;
  if (self->burst_left > 0 || is_safe || waiting_bytes <= SAFE_BYTES)
    return false;
  self->p_sum += self->p;
  if (self->p_sum < NEVER_SUM || (self->p_sum < SURE_SUM && random >= self->p))
    return false;
  self->p_sum = 0;
  return true;
}
