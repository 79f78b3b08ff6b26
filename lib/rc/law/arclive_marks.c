/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Live ARC: the marks of an L4S queue [RFC 9331, 9332]. The model is in arclive.c. */
#include "arclive_marks.h"

#include "arclive_rate.h"

#include <math.h>

/* An L4S queue marks every packet from 1.2 ms on [RFC 9332 A.2]. CoDel marks none below 5 ms. */
#define SCALABLE_DELAY_S 0.003
#define ALPHA_GAIN (1 / 16.0)   /* [RFC 8257 4.2] */
/* Shorter paths answer as if they were so long, else they starve the others [RFC 9331 4.3]. */
#define ROUND_LEAST_S 0.025
#define SEGMENT_BITS (1500 * 8.0)       /* of the flows beside ours */

static double
round_s (const RcArcLive *self)
{
  return fmax (rc_path_srtt_s (&self->path), ROUND_LEAST_S);
}

static bool
are_scalable (const RcArcLive *self, const RcFeedback *feedback)
{
  return feedback->ce_pkts > 0 && feedback->left_as_ect1
      && fmax (self->queueing.delay_s, self->queueing.before_s) <= SCALABLE_DELAY_S;
}

static void
begin_round (RcArcLive *self, RcTime now)
{
  self->round_pkts = self->round_marked_pkts = 0;
  self->round_at = now;
}

/* [RFC 8257 eq. 1, 2] with x for the window. The first round tells alpha. */
static void
end_round (RcArcLive *self, RcTime now)
{
  double share = self->round_marked_pkts / fmax (self->round_pkts, 1);

  self->alpha = self->alpha < 0 ? share : self->alpha + ALPHA_GAIN * (share - self->alpha);
  if (self->round_marked_pkts > 0) {
    rc_arclive_set_x (self, self->x_bps * (1 - self->alpha / 2));
    self->growth_gain = 1;
    self->known_bps = 0;
  }
  begin_round (self, now);
}

bool
rc_arclive_answer_marks (RcArcLive *self, const RcFeedback *feedback, RcTime now)
{
  bool scalable = are_scalable (self, feedback);

  if (!rc_arclive_may_cut (self, now)) {
    begin_round (self, now);
  } else if (scalable || self->alpha >= 0) {
    self->round_pkts += feedback->received_pkts;
    self->round_marked_pkts += feedback->ce_pkts;
    if (rc_time_to_s (now - self->round_at) >= round_s (self))
      end_round (self, now);
  }
  return scalable;
}

void
rc_arclive_forget_marks (RcArcLive *self)
{
  self->alpha = -1;
}

double
rc_arclive_scalable_growth_bps_s (const RcArcLive *self)
{
  return self->alpha < 0 ? 0 : SEGMENT_BITS / (round_s (self) * round_s (self));
}
