/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "fecrate.h"

#include <rc/fec/fecplan.h>

#define INTERVAL RC_SECOND      /* some tens of frames */
/* The jitter buffer waits for so long before it asks (lib/rc/receiver/repairtime.c). */
#define ASK_TIME (20 * RC_MSEC)
/* Above it the budget of repair (pacing/rtxbudget.h) has room for one only. */
#define MOST_LOSS_FOR_TWO 0.1
/* Points by which it changes at least, for each change moves the target of the encoder. */
#define LEAST_CHANGE 8

void
fec_rate_init (FecRate * self)
{
  *self = (FecRate) {.looked_at = RC_TIME_NONE,.is_asked = TRUE };
}

/* Where a second request comes too late, each repair leaves twice (resender.h). The receiver does
 * not report its latency: the time for which packets are kept stands for it. */
static guint
repairs (const FecRate * self, const FecPath * path)
{
  if (!self->is_asked || path->rtt == RC_TIME_NONE || path->rtt + ASK_TIME > path->repair_time)
    return 0;
  return rc_lossshape_ratio (path->loss) > MOST_LOSS_FOR_TWO ? 1 : 2;
}

static void
remember (FecRate * self, const SendQueueStats * queue, guint64 asked, const FecPath * path)
{
  guint64 frames = queue->frames_in - self->queue.frames_in;
  guint64 packets = queue->packets_in - self->queue.packets_in;

  if (frames > 0)
    self->frame_pkts = (gdouble) packets / frames;
  if (asked > self->asked)
    self->is_asked = TRUE;
  else if (path->lost > self->lost)
    self->is_asked = FALSE;
  self->queue = *queue;
  self->asked = asked;
  self->lost = path->lost;
}

gboolean
fec_rate_is_due (const FecRate * self, RcTime now)
{
  return self->looked_at == RC_TIME_NONE || now - self->looked_at >= INTERVAL;
}

gboolean
fec_rate_look (FecRate * self, const SendQueueStats * queue, guint64 asked, const FecPath * path,
    RcTime now)
{
  RcFecCase of = {.loss_ratio = rc_lossshape_ratio (path->loss),
    .burst_pkts = rc_lossshape_burst_pkts (path->loss) };
  guint percentage;

  self->looked_at = now;
  remember (self, queue, asked, path);
  of.frame_pkts = self->frame_pkts;
  of.repairs = repairs (self, path);
  percentage = self->frame_pkts > 0 ? rc_fecplan_percentage (&of) : 0;
  if (percentage == self->percentage || (percentage > 0 && self->percentage > 0
          && ABS ((gint) percentage - (gint) self->percentage) < LEAST_CHANGE))
    return FALSE;
  self->percentage = percentage;
  return TRUE;
}
