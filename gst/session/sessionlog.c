/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "sessionlog.h"

#include <rc/law/controller.h>

#define RATE_CHANGE 0.05        /* a smaller one is not told at DEBUG */
#define KBPS(bps) ((guint) ((bps) / 1000))
#define MS(time) ((time) == RC_TIME_NONE ? -1.0 : (gdouble) (time) / RC_MSEC)

static void
log_change (SessionLog * self, GstDebugLevel level, const gchar ** known, const gchar * now,
    const gchar * what)
{
  if (g_strcmp0 (*known, now) == 0)
    return;
  GST_CAT_LEVEL_LOG (self->category, level, self->element, "%s: %s, before: %s", what, now,
      *known ? *known : "none");
  *known = now;
}

static void
log_changes (SessionLog * self, const RcSender * sender, const RcSenderStats * stats)
{
  gboolean stopped = rc_sender_is_stopped (sender);
  const RcLane *lane = rc_sender_lead (sender);

  if (stopped != self->stopped)
    SESSION_LOG (self, INFO, stopped ? "media stops" : "media flows again");
  self->stopped = stopped;
  log_change (self, GST_LEVEL_INFO, &self->format, rc_format_name (stats->format), "feedback");
  if (!lane)
    return;
  log_change (self, GST_LEVEL_INFO, &self->law, rc_lane_law (lane)->law->name, "law");
  log_change (self, GST_LEVEL_INFO, &self->ecn, rc_lane_ecn_name (lane), "ECN");
  log_change (self, GST_LEVEL_DEBUG, &self->state, rc_controller_state_name (rc_lane_law (lane)),
      "state of the law");
}

static void
log_rate (SessionLog * self, const RcSender * sender, const RcSenderStats * stats)
{
  guint64 rate_bps = rc_sender_rate_bps (sender);
  gdouble change = self->rate_bps > 0 ? (gdouble) rate_bps / self->rate_bps - 1 : 1;

  if (ABS (change) < RATE_CHANGE)
    return;
  SESSION_LOG (self, DEBUG, "rate %u kbit/s, before: %u: %s; received %u kbit/s, round trip %.1f "
      "ms, queueing delay %.1f ms, %" G_GUINT64_FORMAT " packets lost in all", KBPS (rate_bps),
      KBPS (self->rate_bps), rc_cause_text (rc_sender_cause (sender)),
      KBPS (stats->bandwidth_bps), MS (rc_sender_srtt (sender)),
      MS (rc_sender_queueing_delay (sender)), (guint64) stats->reports.lost_pkts);
  self->rate_bps = rate_bps;
}

void
session_log_on_report (SessionLog * self, RcSender * sender, SendQueue * queue, RcTime now)
{
  RcSenderStats stats;

  if (!session_log_wants (self, GST_LEVEL_INFO))
    return;
  rc_sender_get_stats (sender, now, &stats);
  log_changes (self, sender, &stats);
  log_rate (self, sender, &stats);
  SESSION_LOG (self, LOG, "report %" G_GUINT64_FORMAT ": rate %u kbit/s, %s, sent %u, received %u, "
      "round trip %.1f ms, queueing delay %.1f ms, lost %" G_GUINT64_FORMAT " in all, %"
      G_GUINT64_FORMAT " bytes wait", (guint64) stats.reports.accepted,
      KBPS (rc_sender_rate_bps (sender)), rc_cause_name (rc_sender_cause (sender)),
      KBPS (stats.sent_bps), KBPS (stats.bandwidth_bps),
      MS (rc_sender_srtt (sender)), MS (rc_sender_queueing_delay (sender)),
      (guint64) stats.reports.lost_pkts, send_queue_bytes (queue));
}

void
session_log_on_drops (SessionLog * self, const RcSender * sender, SendQueue * queue,
    RcTime queue_time, RcTime max_queue_time)
{
  SendQueueStats stats;

  if (!session_log_wants (self, GST_LEVEL_DEBUG))
    return;
  send_queue_get_counts (queue, &stats);
  if (stats.frames_dropped == self->frames_dropped)
    return;
  if (rc_sender_is_stopped (sender))
    SESSION_LOG (self, DEBUG, "%" G_GUINT64_FORMAT " frames dropped: media is stopped",
        stats.frames_dropped - self->frames_dropped);
  else
    SESSION_LOG (self, DEBUG, "%" G_GUINT64_FORMAT " frames dropped: the queue was longer than "
        "max-queue-time, %.0f ms, at %u kbit/s; %.0f ms wait", stats.frames_dropped
        - self->frames_dropped, MS (max_queue_time), KBPS (rc_sender_rate_bps (sender)),
        MS (queue_time));
  self->frames_dropped = stats.frames_dropped;
}
