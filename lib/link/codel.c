/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "codel.h"

#include <math.h>

/* Dropping that ended less long ago resumes at its rate (RFC 8289 5.6). */
#define RESUME_INTERVALS 16

void
link_codel_init (LinkCodel *self)
{
  *self = (LinkCodel) { .ok_at = RC_TIME_NONE };
}

static bool
is_above_for_an_interval (LinkCodel *self, const LinkCodelParams *params, RcTime wait,
    uint64_t waiting_bytes, RcTime now)
{
  if (wait < params->target || waiting_bytes <= LINK_CODEL_MTU_BYTES) {
    self->ok_at = RC_TIME_NONE;
    return false;
  }
  if (self->ok_at == RC_TIME_NONE) {
    self->ok_at = now + params->interval;
    return false;
  }
  return now >= self->ok_at;
}

static RcTime
control_law (const LinkCodel *self, const LinkCodelParams *params, RcTime t)
{
  return t + (RcTime) ((double) params->interval / sqrt (self->count));
}

static void
begin_dropping (LinkCodel *self, const LinkCodelParams *params, RcTime now)
{
  uint32_t delta = self->count - self->last_count;

  self->count = delta > 1 && now - self->next_at < RESUME_INTERVALS * params->interval ? delta : 1;
  self->last_count = self->count;
  self->dropping = true;
  self->next_at = control_law (self, params, now);
}

LinkAqmVerdict
link_codel_on_head (LinkCodel *self, const LinkCodelParams *params, RcTime wait,
    uint64_t waiting_bytes, bool ect, RcTime now)
{
  bool above = is_above_for_an_interval (self, params, wait, waiting_bytes, now);
  bool marks = params->marks && ect;

  if (self->owes_next && above)
    self->next_at = control_law (self, params, self->next_at);
  self->owes_next = false;
  if (!above) {
    self->dropping = false;
    return LINK_AQM_PASS;
  }
  if (!self->dropping) {
    begin_dropping (self, params, now);
    return marks ? LINK_AQM_MARK : LINK_AQM_DROP;
  }
  if (now < self->next_at)
    return LINK_AQM_PASS;
  self->count++;
  if (marks) {
    self->next_at = control_law (self, params, self->next_at);
    return LINK_AQM_MARK;
  }
  self->owes_next = true;
  return LINK_AQM_DROP;
}
