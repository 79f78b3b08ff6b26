/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Within which time a frame should leave, and what follows from it. */

#include "gstrampschedulerprivate.h"

#include "base/clockglue.h"

GstClockTime
gst_ramp_scheduler_latency (const GstRampScheduler * self)
{
  if (self->latency > 0)
    return self->latency;
  return self->told_latency > 0 ? self->told_latency : ENCODER_ORDERS_LATENCY;
}

void
gst_ramp_scheduler_update_latency (GstRampScheduler * self)
{
  GstClockTime latency = gst_ramp_scheduler_latency (self);

  if (!self->max_queue_time_set)
    self->source.max_queue_time =
        clock_glue_from_gst (ENCODER_ORDERS_QUEUE_LATENCIES * latency);
  for (guint i = 0; i < self->source.pads->len; i++) {
    GstRampPad *pad = self->source.pads->pdata[i];

    encoder_steering_look_again (pad->steering);
    pad->tell = pad->target_bps > 0;
  }
  work_turns_schedule (&self->tellings);
  g_cond_broadcast (&self->room);
}
