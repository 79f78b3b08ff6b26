/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* An arcscale in a harness, frames with timestamps, and targets from downstream: no clock. */
#pragma once

#include <gst/arc/arc.h>
#include <gst/check/gstharness.h>
#include <gst/video/video.h>

#include "claim.h"
#include "readstat.h"

#define FPS 30

typedef struct
{
  GstHarness *h;
  GstElement *scale;
  GstBus *bus;
  GstVideoInfo info;
  GstClockTime pts;
  guint warnings, steps, out;   /* seen so far */
  GstStructure *step;           /* the last */
  gboolean noise;               /* difficult content instead of grey */
  guint32 seed;
} Scaled;

static inline void
scaled_caps (Scaled * self, const gchar * format, guint width, guint height, const gchar * more)
{
  gchar *text = g_strdup_printf ("video/x-raw,format=%s,width=%u,height=%u,framerate=%d/1%s",
      format, width, height, FPS, more);
  GstCaps *caps = gst_caps_from_string (text);

  fail_unless (gst_video_info_from_caps (&self->info, caps));
  gst_harness_set_src_caps (self->h, caps);
  g_free (text);
}

/* line: an arcscale called scale, and what follows it. */
static inline void
scaled_init (Scaled * self, const gchar * line)
{
  *self = (Scaled) { .h = gst_harness_new_parse (line) };
  self->scale = gst_harness_find_element (self->h, "arcscale");
  self->bus = gst_bus_new ();
  gst_element_set_bus (self->h->element, self->bus);
  gst_harness_play (self->h);
}

static inline void
scaled_read_bus (Scaled * self)
{
  GstMessage *message;

  while ((message = gst_bus_pop (self->bus))) {
    const GstStructure *s = gst_message_get_structure (message);

    fail_if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR, "%" GST_PTR_FORMAT, s);
    if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_WARNING)
      self->warnings++;
    if (gst_message_has_name (message, GST_ARC_SCALE_STEP)) {
      g_clear_pointer (&self->step, gst_structure_free);
      self->step = gst_structure_copy (s);
      self->steps++;
    }
    gst_message_unref (message);
  }
}

static inline void
scaled_target (Scaled * self, guint bps)
{
  gst_harness_push_upstream_event (self->h, gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM,
          gst_structure_new (GST_ARC_TARGET_BITRATE, "bitrate", G_TYPE_UINT, bps, "ssrc",
              G_TYPE_UINT, 1, NULL)));
}

static inline GstBuffer *
scaled_frame (Scaled * self)
{
  GstBuffer *frame = gst_buffer_new_allocate (NULL, GST_VIDEO_INFO_SIZE (&self->info), NULL);
  GstMapInfo map;

  gst_buffer_map (frame, &map, GST_MAP_WRITE);
  for (gsize i = 0; i < map.size; i++)  /* noise, where it is wanted */
    map.data[i] = self->noise ? (guint8) ((self->seed = self->seed * 69069 + 1) >> 24) : 128;
  gst_buffer_unmap (frame, &map);
  GST_BUFFER_PTS (frame) = self->pts;
  GST_BUFFER_DURATION (frame) = GST_SECOND / FPS;
  self->pts += GST_SECOND / FPS;
  return frame;
}

static inline void
scaled_run (Scaled * self, guint frames)
{
  GstBuffer *buffer;

  for (guint i = 0; i < frames; i++) {
    fail_unless_equals_int (gst_harness_push (self->h, scaled_frame (self)), GST_FLOW_OK);
    while ((buffer = gst_harness_try_pull (self->h))) {
      gst_buffer_unref (buffer);
      self->out++;
    }
  }
  scaled_read_bus (self);
}

/* What leaves. */
static inline GstVideoInfo
scaled_output (Scaled * self)
{
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (self->h->sinkpad);
  GstVideoInfo info;

  fail_unless (caps && gst_video_info_from_caps (&info, caps));
  return info;
}

static inline gchar *
scaled_reason (Scaled * self)
{
  gchar *reason;

  g_object_get (self->scale, "reason", &reason, NULL);
  return reason;
}

static inline GstStructure *
scaled_stats (Scaled * self)
{
  return read_stats (self->scale);
}

static inline void
scaled_clear (Scaled * self)
{
  gst_element_set_bus (self->h->element, NULL);
  gst_object_unref (self->bus);
  gst_object_unref (self->scale);
  g_clear_pointer (&self->step, gst_structure_free);
  gst_harness_teardown (self->h);
}

#define SCALE(line) Scaled, s, scaled_init (s, line), scaled_clear (s)
