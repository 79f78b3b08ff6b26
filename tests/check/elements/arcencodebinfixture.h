/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* arcencodebin in a harness: frames with timestamps, no clock. Encoders that are missing are
 * skipped. */
#pragma once

#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>

#include "quiet.h"

#define FPS 25
#define WIDTH 176
/* Half of it is 72: svtav1enc of GStreamer 1.28 takes no less than 64. */
#define HEIGHT 144

typedef struct
{
  const gchar *line, *decoder;
} Coder;

/* The last looks ahead by 40 frames: it stands for encoders such as svtav1enc, where they are not
 * installed. */
static const Coder coders[] = {
  {"avenc_h263p gop-size=300", "avdec_h263"},
  {"avenc_flv gop-size=300", "avdec_flv"},
  {"avenc_mjpeg", "jpegdec"},
  {"mpeg2enc format=3 ! mpegvideoparse", "avdec_mpeg2video"},
  {"svtav1enc", "av1parse ! av1dec"},
  {"rav1enc speed-preset=10", "av1parse ! av1dec"},
  {"x264enc bframes=0 speed-preset=ultrafast rc-lookahead=40 key-int-max=1000", "avdec_h264"},
};

typedef struct
{
  GstHarness *h;
  GstElement *bin;
  guint in, out, keyframes;
  guint jumps;                  /* of the running time, from frame to frame */
  GstClockTime last;
  guint height;
  gint64 begun;                 /* monotonic, µs */
} Run;

static inline gboolean
is_there (const gchar * line)
{
  gchar **words = g_strsplit (line, " ", 2);
  gboolean there = gst_registry_check_feature_version (gst_registry_get (), words[0], 1, 0, 0);

  g_strfreev (words);
  return there;
}

static inline void
set_caps (Run * self, guint height)
{
  gchar *text = g_strdup_printf ("video/x-raw,format=I420,width=%d,height=%u,framerate=%d/1", WIDTH,
      height, FPS);

  self->height = height;
  gst_harness_set_src_caps_str (self->h, text);
  g_free (text);
}

static inline GstPadProbeReturn
on_output (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  Run *self = user_data;
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (info);
  GstEvent *event = gst_pad_get_sticky_event (pad, GST_EVENT_SEGMENT, 0);
  GstClockTime running;
  const GstSegment *segment;

  gst_event_parse_segment (event, &segment);
  running = gst_segment_to_running_time (segment, GST_FORMAT_TIME, GST_BUFFER_PTS (buffer));
  gst_event_unref (event);
  self->out++;
  self->keyframes += !GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_DELTA_UNIT);
  if (GST_CLOCK_TIME_IS_VALID (self->last) && running != self->last + GST_SECOND / FPS)
    self->jumps++;
  self->last = running;
  return GST_PAD_PROBE_DROP;
}

static inline void
run_init (Run * self, const gchar * encoder, const gchar * behind)
{
  gchar *line = g_strdup_printf ("arcencodebin bitrate=400000 encoder=\"%s\"%s%s", encoder,
      behind ? " ! " : "", behind ? behind : "");

  *self = (Run) { gst_harness_new_parse (line), .last = GST_CLOCK_TIME_NONE,
      .begun = g_get_monotonic_time () };
  self->bin = gst_harness_find_element (self->h, "arcencodebin");
  gst_pad_add_probe (self->h->sinkpad, GST_PAD_PROBE_TYPE_BUFFER, on_output, self, NULL);
  gst_harness_play (self->h);
  set_caps (self, HEIGHT);
  g_free (line);
}

static inline gint
run_ms (const Run * self)
{
  return (gint) (g_get_monotonic_time () - self->begun) / 1000;
}

static inline guint64
stat_of (Run * self, const gchar * name)
{
  GstStructure *stats;
  guint64 value;

  g_object_get (self->bin, "stats", &stats, NULL);
  fail_unless (gst_structure_get_uint64 (stats, name, &value));
  gst_structure_free (stats);
  return value;
}

static inline GstBuffer *
new_frame (Run * self)
{
  GstBuffer *frame = gst_buffer_new_allocate (NULL, WIDTH * self->height * 3 / 2, NULL);

  gst_buffer_memset (frame, 0, 100, gst_buffer_get_size (frame));
  GST_BUFFER_PTS (frame) = self->in * (GST_SECOND / FPS);
  GST_BUFFER_DURATION (frame) = GST_SECOND / FPS;
  return frame;
}

static inline void
run_frames (Run * self, guint n)
{
  for (guint i = 0; i < n; i++, self->in++) {
    fail_unless_equals_int (gst_harness_push (self->h, new_frame (self)), GST_FLOW_OK);
    fail_unless (GST_BIN_NUMCHILDREN (self->bin) <= 2);
  }
}

static inline void
set_bitrate (Run * self, guint bps)
{
  g_object_set (self->bin, "bitrate", bps, NULL);
}

static inline void
run_end (Run * self)
{
  GstEvent *eos = NULL;

  gst_harness_push_event (self->h, gst_event_new_eos ());
  /* mpeg2enc gives its last frames on a thread of its own. */
  while (!(eos = gst_pad_get_sticky_event (self->h->sinkpad, GST_EVENT_EOS, 0)))
    g_usleep (1000);
  gst_event_unref (eos);
}

static inline void
run_free (Run * self)
{
  gst_object_unref (self->bin);
  gst_harness_teardown (self->h);
}
