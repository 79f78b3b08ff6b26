/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "pacing/rtxbudget.h"

#define LARGEST_PACKET 1500.0   /* bytes: at low rates one may go now and then */
#define SPARE_RATIO 0.5         /* a burst of losses may follow */
#define SPAN_S 0.5              /* the window of libwebrtc's limit of retransmissions */

void
rtx_budget_init (RtxBudget * self, gdouble share)
{
  *self = (RtxBudget) {.share = share,.at = RC_TIME_NONE };
}

/* FALSE: then less than keep_ratio of what may be saved would be left. */
static gboolean
take (RtxBudget * self, guint bytes, gdouble keep_ratio, guint64 rate_bps, RcTime now)
{
  gdouble bytes_per_s = self->share * (gdouble) rate_bps / 8;
  gdouble most = MAX (SPAN_S * bytes_per_s, LARGEST_PACKET);

  if (self->at == RC_TIME_NONE)
    self->credit_bytes = most;
  else
    self->credit_bytes += bytes_per_s * rc_time_to_s (now - self->at);
  self->credit_bytes = MIN (self->credit_bytes, most);
  self->at = now;
  if (self->credit_bytes < bytes + keep_ratio * most)
    return FALSE;
  self->credit_bytes -= bytes;
  return TRUE;
}

gboolean
rtx_budget_take (RtxBudget * self, guint bytes, guint64 rate_bps, RcTime now)
{
  return take (self, bytes, 0, rate_bps, now);
}

gboolean
rtx_budget_take_spare (RtxBudget * self, guint bytes, guint64 rate_bps, RcTime now)
{
  return take (self, bytes, SPARE_RATIO, rate_bps, now);
}
