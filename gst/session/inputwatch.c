/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "inputwatch.h"

/* A keyframe comes in no time: what came is taken for that of a second at least. */
#define START_SPAN RC_SECOND
/* Two intervals between the keyframes of most cameras. */
#define LOOK_SPAN (5 * RC_SECOND)
/* Fewer are a fade of the link. */
#define SHORT_SHARE .05
/* What waits grows for some spans: it is told again where it has doubled, so often at most. */
#define MOST_TOLD 4
/* The part of the time for which frames may wait that they come to wait (eval/lab/ipcamera). */
#define USUAL_WAIT_RATIO .75
#define LATENCY_STEP (100 * RC_MSEC)

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

/* Frames of a source that pauses are dropped for their size, not for their rate. */
static gboolean
is_short (const InputShortage * self)
{
  return self->frames_dropped > SHORT_SHARE * self->frames_in && self->in_bps > self->link_bps;
}

static void
measure_delay (InputShortage * self, SendQueue * queue, RcTime hold_time)
{
  SendQueueStats stats;
  RcTime wait = (RcTime) (USUAL_WAIT_RATIO * (gdouble) hold_time);

  send_queue_get_stats (queue, &stats);
  self->key_interval = stats.key_interval;
  self->held = stats.held_p95 == RC_TIME_NONE ? 0 : stats.held_p95;
  wait = MAX (wait, self->held) + LATENCY_STEP - 1;
  self->latency = wait - wait % LATENCY_STEP;
}

/* As told before, or not far from it. */
static gboolean
is_told (const InputWatch * self, const InputShortage * shortage)
{
  gdouble share = (gdouble) shortage->frames_dropped / shortage->frames_in;

  return self->n_told == MOST_TOLD || (self->n_told > 0 && share < 2 * self->told_share
      && shortage->latency < 2 * self->told_latency);
}

gboolean
input_watch_look (InputWatch * self, SendQueue * queue, guint link_bps, RcTime hold_time,
    RcTime now, InputShortage * shortage)
{
  SendQueueStats stats;
  RcTime span = now - self->looked_at;
  gboolean tell = FALSE;

  if (self->n_told == MOST_TOLD || (self->looked_at != RC_TIME_NONE && span < LOOK_SPAN))
    return FALSE;
  send_queue_get_counts (queue, &stats);
  if (self->looked_at != RC_TIME_NONE) {
    *shortage = (InputShortage) {.link_bps = link_bps,
      .frames_in = (guint) (stats.frames_in - self->looked.frames_in),
      .frames_dropped = (guint) (stats.frames_dropped - self->looked.frames_dropped),
      .in_bps = (guint) (8. * (gdouble) (self->bytes - self->looked_bytes) / rc_time_to_s (span))
    };
    if (is_short (shortage)) {
      measure_delay (shortage, queue, hold_time);
      tell = !is_told (self, shortage);
    }
  }
  if (tell) {
    self->n_told++;
    self->told_share = (gdouble) shortage->frames_dropped / shortage->frames_in;
    self->told_latency = shortage->latency;
  }
  self->looked_at = now;
  self->looked_bytes = self->bytes;
  self->looked = stats;
  return tell;
}

gchar *
input_shortage_describe (const InputShortage * self)
{
  return g_strdup_printf ("the link carries %u kbit/s of the %u that come in, and no encoder "
      "follows: %u of %u frames are dropped. What is seen are those behind each keyframe (one in "
      "%.1f s), up to %.1f s late so far: give the receiver %u ms of latency, lower the bitrate of "
      "the source, or transcode (docs/guide/ip-camera.md)", self->link_bps / 1000,
      self->in_bps / 1000, self->frames_dropped, self->frames_in,
      rc_time_to_s (self->key_interval), rc_time_to_s (self->held),
      (guint) (self->latency / RC_MSEC));
}
