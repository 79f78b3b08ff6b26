/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A frame lasts as long as its times say or as it took to come, whichever is longer. Times that
 * are numbered frames say too little, and frames from a file, or behind a queue, come too fast. */

#include "encoder/encoderframes.h"

#include "base/clockglue.h"
#include "encoder/encodershared.h"
#include "encoder/encodertable.h"

/* A frame rate is measured over so much of it, and the higher one of two such spans counts: frames
 * that come as the picture changes have no rate. The longest interval does not count: the machine
 * may have stalled. */
#define WINDOW GST_SECOND
#define LEAST_FRAMES 5
/* Longer is a pause, which says nothing. */
#define PAUSE (3 * GST_SECOND / 2)
/* More frames than before make an encoder exceed its bitrate: a few in a row are believed. */
#define RUN 3
#define SHORT_RATIO .7
/* Frames over which the mean of all spans goes, pauses too; and what it may exceed. */
#define MEAN_FRAMES 16
#define FEW_RATIO 1.25
/* Differences that are no worth a change: two clocks, and what a measure errs. */
#define SAME_RATIO 1.06
/* What a bitrate is multiplied by at most: a stream of single frames is not a slow camera. */
#define MOST_SLOWNESS 4.
#define LEAST_SLOWNESS .25

typedef struct
{
  guint n;
  gdouble sum, longest;
} Spans;

struct _EncoderFrames
{
  GMutex lock;
  gboolean by_caps;             /* what the encoder goes by */
  GstClockTime declared, last_pts, last_now;
  Spans times, arrivals;        /* ns */
  Spans run_times, run;         /* of frames in a row that are shorter than `measured` */
  gdouble before_timed, before; /* what the last span said, ns; 0: there was none */
  gdouble measured, timed;      /* a frame's duration and what its times say, ns; 0: not known */
  gdouble slowness;
  gdouble mean;                 /* of all spans, ns; 0: none yet */
  guint serial;
};

static void
frames_clear (gpointer data)
{
  g_mutex_clear (&((EncoderFrames *) data)->lock);
}

void
encoder_frames_unref (EncoderFrames * self)
{
  g_atomic_rc_box_release_full (self, frames_clear);
}

static void
spans_add (Spans * self, gdouble span)
{
  self->n++;
  self->sum += span;
  self->longest = MAX (self->longest, span);
}

static gdouble
spans_usual (const Spans * self)
{
  return (self->sum - self->longest) / (self->n - 1);
}

static gboolean
is_same (gdouble a, gdouble b)
{
  return a < SAME_RATIO * b && b < SAME_RATIO * a;
}

static void
begin (EncoderFrames * self)
{
  self->times = self->arrivals = self->run_times = self->run = (Spans) { 0 };
  self->before = 0;
}

/* What the encoder takes a frame to last; 0: not known. */
static gdouble
assumed (const EncoderFrames * self)
{
  return self->by_caps && self->declared > 0 ? (gdouble) self->declared : self->timed;
}

static void
conclude (EncoderFrames * self, gdouble timed, gdouble measured)
{
  gdouble slowness = 1;

  if (self->measured > 0 && is_same (timed, self->timed) && is_same (measured, self->measured))
    return;
  if (is_same (measured, (gdouble) self->declared))
    measured = (gdouble) self->declared;
  self->timed = timed;
  if (assumed (self) > 0 && !is_same (measured, assumed (self)))
    slowness = CLAMP (measured / assumed (self), LEAST_SLOWNESS, MOST_SLOWNESS);
  if (slowness != self->slowness
      || measured != (self->measured > 0 ? self->measured : (gdouble) self->declared))
    self->serial++;
  self->measured = measured;
  self->slowness = slowness;
}

static void
end_window (EncoderFrames * self)
{
  gdouble timed = spans_usual (&self->times), measured = MAX (timed, spans_usual (&self->arrivals));

  if (self->before > measured)
    conclude (self, timed, measured);
  else if (self->before > 0)
    conclude (self, self->before_timed, self->before);
  begin (self);
  self->before_timed = timed;
  self->before = measured;
}

/* With the lock held. */
static void
measure (EncoderFrames * self, gdouble time, gdouble arrival)
{
  gdouble span = MAX (time, arrival), known = self->measured > 0 ? self->measured : assumed (self);

  spans_add (&self->times, time);
  spans_add (&self->arrivals, arrival);
  if (span < SHORT_RATIO * known) {
    spans_add (&self->run, span);
    spans_add (&self->run_times, time);
  } else {
    self->run = self->run_times = (Spans) { 0 };
  }
  if (self->run.n >= RUN) {
    conclude (self, self->run_times.sum / RUN, self->run.sum / RUN);
    begin (self);
  } else if (self->times.n >= LEAST_FRAMES
      && MAX (self->times.sum, self->arrivals.sum) >= (gdouble) WINDOW) {
    end_window (self);
  }
}

static void
follow_mean (EncoderFrames * self, gdouble span)
{
  self->mean += self->mean > 0 ? (span - self->mean) / MEAN_FRAMES : span;
}

void
encoder_frames_on_frame (EncoderFrames * self, GstClockTime pts, GstClockTime now)
{
  g_mutex_lock (&self->lock);
  if (!GST_CLOCK_TIME_IS_VALID (pts))
    pts = now;
  if (GST_CLOCK_TIME_IS_VALID (self->last_pts) && pts > self->last_pts)
    follow_mean (self, (gdouble) MAX (pts - self->last_pts, now - self->last_now));
  if (GST_CLOCK_TIME_IS_VALID (self->last_pts) && pts > self->last_pts
      && pts - self->last_pts < PAUSE && now - self->last_now < PAUSE)
    measure (self, (gdouble) (pts - self->last_pts), (gdouble) (now - self->last_now));
  else
    begin (self);
  self->last_pts = pts;
  self->last_now = now;
  g_mutex_unlock (&self->lock);
}

void
encoder_frames_on_caps (EncoderFrames * self, GstClockTime declared)
{
  g_mutex_lock (&self->lock);
  if (declared != self->declared) {
    begin (self);
    self->declared = declared;
    self->measured = self->timed = 0;
    self->slowness = 1;
    self->serial++;
  }
  g_mutex_unlock (&self->lock);
}

static void
read_caps (EncoderFrames * self, GstCaps * caps)
{
  gint frames, seconds;
  GstClockTime declared = 0;

  if (caps && gst_structure_get_fraction (gst_caps_get_structure (caps, 0), "framerate", &frames,
          &seconds) && frames > 0)
    declared = gst_util_uint64_scale (GST_SECOND, (guint64) seconds, (guint64) frames);
  encoder_frames_on_caps (self, declared);
}

static GstPadProbeReturn
on_data (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  GstCaps *caps;

  if (GST_PAD_PROBE_INFO_TYPE (info) & GST_PAD_PROBE_TYPE_BUFFER) {
    encoder_frames_on_frame (data, GST_BUFFER_PTS (GST_PAD_PROBE_INFO_BUFFER (info)),
        clock_glue_to_gst (clock_glue_monotonic ()));
  } else if (GST_EVENT_TYPE (GST_PAD_PROBE_INFO_EVENT (info)) == GST_EVENT_CAPS) {
    gst_event_parse_caps (GST_PAD_PROBE_INFO_EVENT (info), &caps);
    read_caps (data, caps);
  }
  return GST_PAD_PROBE_OK;
}

static gpointer
frames_new (GstElement * encoder, gconstpointer data)
{
  EncoderFrames *self = g_atomic_rc_box_new0 (EncoderFrames);
  const EncoderRow *row = encoder_row_lookup (encoder);
  GstPad *pad = gst_element_get_static_pad (encoder, "sink");
  GstCaps *caps = pad ? gst_pad_get_current_caps (pad) : NULL;

  g_mutex_init (&self->lock);
  self->by_caps = row && row->by_caps;
  self->last_pts = GST_CLOCK_TIME_NONE;
  self->slowness = 1;
  read_caps (self, caps);
  if (pad)
    gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM,
        on_data, g_atomic_rc_box_acquire (self), (GDestroyNotify) encoder_frames_unref);
  gst_clear_caps (&caps);
  g_clear_object (&pad);
  return self;
}

EncoderFrames *
encoder_frames_of (GstElement * encoder)
{
  return encoder_shared_of (encoder, "gst-arc-encoder-frames", frames_new, NULL,
      (GDestroyNotify) encoder_frames_unref);
}

FramesFound
encoder_frames_get (EncoderFrames * self)
{
  FramesFound found;

  g_mutex_lock (&self->lock);
  found = (FramesFound) {.slowness = self->slowness,
    .few = assumed (self) > 0 && self->mean > FEW_RATIO * self->slowness * assumed (self),
    .duration = self->measured > 0 ? (GstClockTime) self->measured : self->declared,
    .declared = self->declared,.serial = self->serial
  };
  g_mutex_unlock (&self->lock);
  return found;
}
