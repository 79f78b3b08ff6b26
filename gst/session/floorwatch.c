/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "session/floorwatch.h"

#define SPAN (5 * RC_SECOND)
/* A fade of the link is over by then. */
#define SHORT_SPANS 2
/* Random loss alone takes less from a stream that min-bitrate bounds. */
#define CARRIED_SHARE .9
#define LOST_SHARE .05

void
floor_watch_init (FloorWatch * self)
{
  *self = (FloorWatch) {.looked_at = RC_TIME_NONE };
}

gboolean
floor_watch_is_due (const FloorWatch * self, RcTime now)
{
  return !self->told && (self->looked_at == RC_TIME_NONE || now - self->looked_at >= SPAN);
}

/* What is sent counts too: a source that makes less than min-bitrate is not bound by it. */
static gboolean
is_short (const FloorWatch * self, const RcSenderStats * stats, guint64 min_bps, RcTime span)
{
  gdouble sent_bps = 8. * (gdouble) (stats->bytes - self->sent_bytes) / rc_time_to_s (span);
  guint64 sent = stats->packets - self->sent_pkts;
  guint64 lost = stats->reports.lost_pkts - self->lost_pkts;

  return sent_bps >= CARRIED_SHARE * (gdouble) min_bps && stats->bandwidth_bps > 0
      && (gdouble) stats->bandwidth_bps < CARRIED_SHARE * (gdouble) min_bps
      && stats->reports.lost_pkts > self->lost_pkts
      && (gdouble) lost > LOST_SHARE * (gdouble) sent;
}

gboolean
floor_watch_look (FloorWatch * self, const RcSenderStats * stats, guint64 min_bps, RcTime now,
    FloorShortage * shortage)
{
  if (self->looked_at != RC_TIME_NONE) {
    self->spans = is_short (self, stats, min_bps, now - self->looked_at) ? self->spans + 1 : 0;
    self->told = self->spans >= SHORT_SPANS;
    *shortage = (FloorShortage) {.min_bps = (guint) MIN (min_bps, G_MAXUINT),
      .link_bps = (guint) MIN (stats->bandwidth_bps, G_MAXUINT),
      .sent_pkts = (guint) (stats->packets - self->sent_pkts),
      .lost_pkts = (guint) (stats->reports.lost_pkts - self->lost_pkts)
    };
  }
  self->looked_at = now;
  self->sent_bytes = stats->bytes;
  self->sent_pkts = stats->packets;
  self->lost_pkts = stats->reports.lost_pkts;
  return self->told;
}

gchar *
floor_shortage_describe (const FloorShortage * self)
{
  return g_strdup_printf ("the link carries %u kbit/s, less than min-bitrate=%u: %u of %u packets "
      "are lost, and this goes on. Lower min-bitrate, and have the encoder make less (a smaller "
      "picture, fewer frames), or use another link", self->link_bps / 1000, self->min_bps,
      self->lost_pkts, self->sent_pkts);
}
