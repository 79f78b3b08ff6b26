/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Live or not: whether frames may be dropped, and whether the clock is waited for.
 *
 * An application that pushes frames as it makes them (appsrc without is-live, OpenCV's VideoWriter)
 * is live and does not say so. It shows: any other source that is not live runs ahead until it is
 * held up, by the clock or by the network, and this one is not. So that a first frame that took
 * long does not look like that, a source may be ahead by LEAD. Frames of a source that keeps pace
 * by itself are dropped as those of a live one, while the clock is still waited for: so a file that
 * is only slow for a while runs no faster than its times.
 *
 * While no receiver can be reached, a source that waits shows no pace. So it is let go until it
 * runs ahead, and its frames are kept; then it waits. That is tried again after a while, and after
 * twice as long the next time. What counts here is from frame to frame, since a source that has
 * waited is late against the clock. */

#include "gstrmcsinkprivate.h"

#include "base/clockglue.h"

/* Preroll lasts as long as the first frame takes to be made: 60 to 100 ms at 1080p. The others are
 * ahead of the clock by what they take less. */
#define LEAD (200 * GST_MSECOND)
/* Shorter than media goes on without a receiver (`stop`, 5 s). */
#define OWN_PACE_US (2 * G_USEC_PER_SEC)
#define HELD_UP_US 5000         /* a push that takes so long has waited */
#define FIRST_WAIT_US (2 * G_USEC_PER_SEC)
#define MOST_WAIT_US (64 * G_USEC_PER_SEC)
/* Frames with one timestamp: a camera that ends each slice with a marker makes fewer. */
#define MOST_SAME_STAMPS 30
/* A longer step of the timestamps is a pause, not speed. */
#define MOST_STEP_US (100 * G_USEC_PER_SEC / 1000)

gboolean
gst_rmc_sink_keeps_pace (GstRmcSink * self)
{
  return g_atomic_int_get (&self->live) || g_atomic_int_get (&self->own_pace);
}

static void
tell_session (GstRmcSink * self)
{
  /* One of many receivers must not keep the others waiting. */
  session_host_set_live (&self->host, self->served || gst_rmc_sink_keeps_pace (self));
}

static void
set_live (GstRmcSink * self, gboolean live)
{
  if (live != g_atomic_int_get (&self->live))
    GST_INFO_OBJECT (self, "upstream is %slive", live ? "" : "not ");
  g_atomic_int_set (&self->live, live);
  tell_session (self);
  if (!g_atomic_int_get (&self->sync_by_user))
    gst_base_sink_set_sync (GST_BASE_SINK (self), !live);
  if (!g_atomic_int_get (&self->ts_offset_by_user))
    gst_base_sink_set_ts_offset (GST_BASE_SINK (self), live ? 0 : -(GstClockTimeDiff) LEAD);
}

void
gst_rmc_sink_begin_pace (GstRmcSink * self)
{
  g_atomic_int_set (&self->live, FALSE);
  g_atomic_int_set (&self->own_pace, FALSE);
  self->paced_ts = GST_CLOCK_TIME_NONE;
  age_watch_init (&self->ages);
  self->same_stamps = 0;
  self->held_up_at = 0;
  self->told_own_pace = FALSE;
  self->let_go = TRUE;
  self->ahead_us = 0;
  self->most_wait_us = FIRST_WAIT_US;
}

gboolean
gst_rmc_sink_waits (GstRmcSink * self)
{
  return !gst_rmc_sink_keeps_pace (self) && !self->let_go;
}

void
gst_rmc_sink_let_go (GstRmcSink * self)
{
  self->let_go = TRUE;
  self->ahead_us = 0;
  self->held_up_at = self->paced_at = g_get_monotonic_time ();
  self->most_wait_us = MIN (2 * self->most_wait_us, MOST_WAIT_US);
}

void
gst_rmc_sink_note_push (GstRmcSink * self, gint64 began_at)
{
  gint64 now = g_get_monotonic_time ();

  if (now - began_at >= HELD_UP_US && !g_atomic_int_get (&self->own_pace))
    self->held_up_at = now;
}

static void
set_own_pace (GstRmcSink * self, gboolean own)
{
  if (own == g_atomic_int_get (&self->own_pace))
    return;
  g_atomic_int_set (&self->own_pace, own);
  tell_session (self);
  GST_INFO_OBJECT (self, "upstream, which is not live, %s", own ? "keeps pace by itself"
      : "runs ahead");
  if (own && !self->told_own_pace)
    gst_rmc_sink_inform (self, g_strdup ("the source says that it is not live, and its frames come "
            "in time by themselves: they are dropped rather than hold it up, as those of a live "
            "source. Set is-live=true do-timestamp=true of appsrc where that is right"));
  self->told_own_pace |= own;
}

/* Of a live source. */
static void
judge_age (GstRmcSink * self, GstClockTime running, GstClockTime clock)
{
  RcTime more;

  if (GST_STATE (self) != GST_STATE_PLAYING || !GST_CLOCK_TIME_IS_VALID (running)
      || !GST_CLOCK_TIME_IS_VALID (clock) || !age_watch_on_frame (&self->ages,
          (RcTime) clock - (RcTime) running, clock_glue_monotonic (), &more))
    return;
  GST_ELEMENT_WARNING (self, STREAM, ENCODE, ("frames come %u ms later than they did at best: this "
          "machine is too slow for what is upstream, or timestamps run slow. Use a faster preset "
          "of the encoder, a smaller picture, or fewer frames; if an application numbers its "
          "frames instead of timing them, set do-timestamp=true of its appsrc",
          (guint) (more / RC_MSEC)), (NULL));
}

/* Of one that is let go: at the first frame by which it runs ahead it waits again. */
static void
judge_let_go (GstRmcSink * self, GstClockTime last_ts, GstClockTime ts, gint64 now)
{
  gint64 step_us = GST_CLOCK_TIME_IS_VALID (last_ts) && ts > last_ts
      ? (gint64) ((ts - last_ts) / GST_USECOND) : 0;

  self->ahead_us += MIN (step_us, MOST_STEP_US) - (now - self->paced_at);
  self->ahead_us = MAX (self->ahead_us, 0);
  if (self->ahead_us <= (gint64) (LEAD / GST_USECOND))
    return;
  self->let_go = FALSE;
  self->held_up_at = now;
}

/* The first buffer of each frame. */
static void
judge_pace (GstRmcSink * self, GstBuffer * buffer)
{
  GstClockTime ts = GST_BUFFER_PTS_IS_VALID (buffer) ? GST_BUFFER_PTS (buffer)
      : GST_BUFFER_DTS (buffer), last_ts = self->paced_ts, running, clock;
  gint64 now;

  self->let_go &= GST_CLOCK_TIME_IS_VALID (ts);
  if (self->served || ts == last_ts)
    return;
  self->paced_ts = ts;
  running = gst_segment_to_running_time (&GST_BASE_SINK (self)->segment, GST_FORMAT_TIME, ts);
  clock = gst_element_get_current_running_time (GST_ELEMENT (self));
  if (g_atomic_int_get (&self->live)) {
    judge_age (self, running, clock);
    return;
  }
  now = g_get_monotonic_time ();
  if (self->let_go)
    judge_let_go (self, last_ts, ts, now);
  self->paced_at = now;
  if (GST_STATE (self) != GST_STATE_PLAYING || self->held_up_at == 0
      || !GST_CLOCK_TIME_IS_VALID (running) || !GST_CLOCK_TIME_IS_VALID (clock)
      || running > clock + LEAD)
    self->held_up_at = now;
  set_own_pace (self, now - self->held_up_at >= OWN_PACE_US);
}

static void
warn_of_one_stamp (GstRmcSink * self)
{
  GST_ELEMENT_WARNING (self, STREAM, FORMAT, ("%u frames have the same timestamp, so the receiver "
          "takes them for one, and its picture stands still. Where an application makes the "
          "frames, set do-timestamp=true is-live=true format=time of its appsrc, or the PTS of "
          "each buffer", MOST_SAME_STAMPS), (NULL));
}

/* The last buffer of what came together: frames are told apart by the timestamp alone. */
static void
judge_stamp (GstRmcSink * self, GstBuffer * buffer)
{
  guint8 head[12];
  guint32 stamp, ssrc;

  if (self->served || self->same_stamps > MOST_SAME_STAMPS
      || gst_buffer_extract (buffer, 0, head, sizeof head) != sizeof head || !(head[1] & 0x80))
    return;
  stamp = GST_READ_UINT32_BE (head + 4);
  ssrc = GST_READ_UINT32_BE (head + 8);
  if (stamp != self->stamp || ssrc != self->stamp_ssrc)
    self->same_stamps = 0;
  self->stamp = stamp;
  self->stamp_ssrc = ssrc;
  if (++self->same_stamps <= MOST_SAME_STAMPS)
    return;
  warn_of_one_stamp (self);
}

gboolean
gst_rmc_sink_ask_live (GstRmcSink * self)
{
  gboolean live, known = session_host_ask_live (&self->host, &live);

  if (known)
    set_live (self, live);
  return known;
}

/* Before the base class waits for the clock: it must know by then whether it shall. */
static void
prepare (GstRmcSink * self, GstBuffer * first, GstBuffer * last)
{
  gboolean live = g_atomic_int_get (&self->live);

  if (session_host_learn_live (&self->host, &live))
    set_live (self, live);
  judge_pace (self, first);
  judge_stamp (self, last);
}

static GstFlowReturn
gst_rmc_sink_prepare (GstBaseSink * sink, GstBuffer * buffer)
{
  prepare (GST_RMC_SINK_CAST (sink), buffer, buffer);
  return GST_FLOW_OK;
}

static GstFlowReturn
gst_rmc_sink_prepare_list (GstBaseSink * sink, GstBufferList * list)
{
  prepare (GST_RMC_SINK_CAST (sink), gst_buffer_list_get (list, 0),
      gst_buffer_list_get (list, gst_buffer_list_length (list) - 1));
  return GST_FLOW_OK;
}

/* What the user sets `sync` and `ts-offset` to holds. */
static void
gst_rmc_sink_notify (GObject * object, GParamSpec * pspec)
{
  if (g_str_equal (pspec->name, "sync"))
    g_atomic_int_set (&GST_RMC_SINK_CAST (object)->sync_by_user, TRUE);
  if (g_str_equal (pspec->name, "ts-offset"))
    g_atomic_int_set (&GST_RMC_SINK_CAST (object)->ts_offset_by_user, TRUE);
  session_host_on_notify (&GST_RMC_SINK_CAST (object)->host, pspec);
}

/* Latency is distributed anew: perhaps a stream has joined, or an encoder did not know before. */
static gboolean
gst_rmc_sink_send_event (GstElement * element, GstEvent * event)
{
  gpointer parent_class = g_type_class_peek_parent (G_OBJECT_GET_CLASS (element));

  if (GST_EVENT_TYPE (event) == GST_EVENT_LATENCY)
    g_atomic_int_set (&GST_RMC_SINK_CAST (element)->host.live_known, FALSE);
  return GST_ELEMENT_CLASS (parent_class)->send_event (element, event);
}

void
gst_rmc_sink_install_live (GstRmcSinkClass * klass)
{
  GstBaseSinkClass *sink_class = GST_BASE_SINK_CLASS (klass);

  G_OBJECT_CLASS (klass)->notify = gst_rmc_sink_notify;
  GST_ELEMENT_CLASS (klass)->send_event = gst_rmc_sink_send_event;
  sink_class->prepare = gst_rmc_sink_prepare;
  sink_class->prepare_list = gst_rmc_sink_prepare_list;
}
