/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "inputwatch.h"

/* A keyframe comes in no time: what came is taken for that of a second at least. */
#define START_SPAN RC_SECOND
/* Two intervals between the keyframes of most cameras. */
#define LOOK_SPAN (5 * RC_SECOND)
/* Fewer are a fade of the link. */
#define SHORT_SHARE .05

void
input_watch_init (InputWatch * self)
{
  *self = (InputWatch) {.since = RC_TIME_NONE,.looked_at = RC_TIME_NONE };
}

guint64
input_watch_on_packet (InputWatch * self, guint bytes, RcTime now)
{
  if (self->since == RC_TIME_NONE)
    self->since = now;
  self->bytes += bytes;
  if (now - self->since > START_SPAN)
    return 0;
  return (guint64) (8. * (gdouble) self->bytes / rc_time_to_s (START_SPAN));
}

void
input_watch_forget (InputWatch * self)
{
  self->looked_at = RC_TIME_NONE;
}

gboolean
input_watch_look (InputWatch * self, SendQueue * queue, guint link_bps, RcTime now,
    InputShortage * shortage)
{
  SendQueueStats stats;
  RcTime span = now - self->looked_at;

  if (self->told || (self->looked_at != RC_TIME_NONE && span < LOOK_SPAN))
    return FALSE;
  send_queue_get_counts (queue, &stats);
  if (self->looked_at != RC_TIME_NONE) {
    *shortage = (InputShortage) {.link_bps = link_bps,
      .frames_in = (guint) (stats.frames_in - self->looked.frames_in),
      .frames_dropped = (guint) (stats.frames_dropped - self->looked.frames_dropped),
      .in_bps = (guint) (8. * (gdouble) (self->bytes - self->looked_bytes) / rc_time_to_s (span))
    };
    /* Frames of a source that pauses are dropped for their size, not for their rate. */
    self->told = shortage->frames_dropped > SHORT_SHARE * shortage->frames_in
        && shortage->in_bps > link_bps;
  }
  if (self->told) {
    send_queue_get_stats (queue, &stats);
    shortage->key_interval = stats.key_interval;
    shortage->held = stats.held_p95;
  }
  self->looked_at = now;
  self->looked_bytes = self->bytes;
  self->looked = stats;
  return self->told;
}

gchar *
input_shortage_describe (const InputShortage * self)
{
  gdouble held_s = self->held == RC_TIME_NONE ? 0 : rc_time_to_s (self->held);

  return g_strdup_printf ("the link carries %u kbit/s of the %u that come in, and no encoder "
      "follows: %u of %u frames are dropped. What is seen are those behind each keyframe (one in "
      "%.1f s), up to %.1f s late: give the receiver that latency, lower the bitrate of the "
      "source, or transcode (docs/guide/ip-camera.md)", self->link_bps / 1000, self->in_bps / 1000,
      self->frames_dropped, self->frames_in, rc_time_to_s (self->key_interval), held_s);
}
