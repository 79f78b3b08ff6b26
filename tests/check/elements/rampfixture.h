/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A rampscheduler between harnesses that feed its pads and one that takes what leaves. The SSRC
 * is the pad's index. */
#pragma once

#include <gst/arc/arc.h>
#include <gst/check/gstharness.h>
#include <gst/video/video.h>

#include "quiet.h"
#include "rtpmedia.h"
#include "readstat.h"

#define MAX_PADS 4
#define VIDEO_CAPS "application/x-rtp, media=video, encoding-name=X-TEST, clock-rate=90000"
#define AUDIO_CAPS "application/x-rtp, media=audio, encoding-name=X-TEST, clock-rate=48000"

typedef struct
{
  GstElement *scheduler;
  GstHarness *out, *in[MAX_PADS];       /* in: NULL once released */
  GstPad *pads[MAX_PADS];
  guint n;
  gboolean live;                /* of pads to add */
  GstBus *bus;
  guint16 seq[MAX_PADS];
  gint told_bps[MAX_PADS];      /* atomic: of the last GstArcTargetBitrate */
  guint told_ssrc[MAX_PADS];
  gint keyframe_events, keyframe_events_of[MAX_PADS];   /* atomic */
} Fixture;

/* What it counts ends here: such events come on a thread of their own, and a harness that is torn
 * down meanwhile has no event function for what a probe held. */
static inline GstPadProbeReturn
on_upstream_event (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  Fixture *f = user_data;
  GstEvent *event = GST_PAD_PROBE_INFO_EVENT (info);
  guint bps, i = (guint) GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (pad), "index"));

  if (gst_event_has_name (event, GST_ARC_TARGET_BITRATE)
      && gst_structure_get_uint (gst_event_get_structure (event), "bitrate", &bps)) {
    gst_structure_get_uint (gst_event_get_structure (event), "ssrc", &f->told_ssrc[i]);
    g_atomic_int_set (&f->told_bps[i], (gint) bps);
    return GST_PAD_PROBE_DROP;
  }
  if (gst_video_event_is_force_key_unit (event)) {
    g_atomic_int_inc (&f->keyframe_events);
    g_atomic_int_inc (&f->keyframe_events_of[i]);
    return GST_PAD_PROBE_DROP;
  }
  return GST_PAD_PROBE_OK;
}

static inline void
send_segment (Fixture * f, guint i, GstClockTime start)
{
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  segment.start = segment.time = segment.position = start;
  gst_harness_push_event (f->in[i], gst_event_new_segment (&segment));
}

/* A live source of 20 ms that can hold 100 ms. */
static inline gboolean
answer_live (GstPad * pad, GstObject * parent, GstQuery * query)
{
  if (GST_QUERY_TYPE (query) != GST_QUERY_LATENCY)
    return gst_pad_query_default (pad, parent, query);
  gst_query_set_latency (query, TRUE, 20 * GST_MSECOND, 100 * GST_MSECOND);
  return TRUE;
}

static inline gboolean
answer_not_live (GstPad * pad, GstObject * parent, GstQuery * query)
{
  if (GST_QUERY_TYPE (query) != GST_QUERY_LATENCY)
    return gst_pad_query_default (pad, parent, query);
  gst_query_set_latency (query, FALSE, 0, GST_CLOCK_TIME_NONE);
  return TRUE;
}

/* Live or not, as f->live says. */
static inline void
add_pad (Fixture * f, const gchar * caps_text)
{
  guint i = f->n++;
  GstHarness *h = gst_harness_new_with_element (f->scheduler, "sink_%u", NULL);
  g_autofree gchar *caps = g_strdup_printf ("%s, ssrc=(uint)%u", caps_text, i);

  f->in[i] = h;
  f->pads[i] = gst_pad_get_peer (h->srcpad);
  g_object_set_data (G_OBJECT (h->srcpad), "index", GUINT_TO_POINTER (i));
  gst_pad_add_probe (h->srcpad, GST_PAD_PROBE_TYPE_EVENT_UPSTREAM, on_upstream_event, f, NULL);
  gst_pad_set_query_function (h->srcpad, f->live ? answer_live : answer_not_live);
  gst_harness_set_src_caps_str (h, caps);
}

/* properties: as in a launch line. */
static inline void
fixture_init (Fixture * f, guint n_pads, const gchar * properties)
{
  g_autofree gchar *line = g_strdup_printf ("rampscheduler %s", properties);

  memset (f, 0, sizeof *f);
  f->scheduler = gst_parse_launch_full (line, NULL, GST_PARSE_FLAG_NONE, NULL);
  fail_unless (f->scheduler != NULL);
  gst_object_ref_sink (f->scheduler);
  f->bus = gst_bus_new ();
  gst_element_set_bus (f->scheduler, f->bus);
  f->out = gst_harness_new_with_element (f->scheduler, NULL, "src");
  while (n_pads-- > 0)
    add_pad (f, VIDEO_CAPS);
  gst_harness_play (f->out);
}

static inline void
release_pad (Fixture * f, guint i)
{
  gst_harness_teardown (f->in[i]);
  f->in[i] = NULL;
  gst_clear_object (&f->pads[i]);
}

static inline void
fixture_clear (Fixture * f)
{
  gst_element_set_state (f->scheduler, GST_STATE_NULL);
  for (guint i = 0; i < f->n; i++) {
    g_clear_pointer (&f->in[i], gst_harness_teardown);
    gst_clear_object (&f->pads[i]);
  }
  gst_harness_teardown (f->out);
  gst_element_set_bus (f->scheduler, NULL);
  gst_object_unref (f->bus);
  /* What was to be told on another thread is told. */
  wait_until (GST_OBJECT_REFCOUNT_VALUE (f->scheduler) == 1);
  gst_object_unref (f->scheduler);
}

#define SCHEDULER(n_pads, properties) Fixture, f, \
    fixture_init (f, n_pads, properties), fixture_clear (f)

/* Each packet a frame. */
static inline void
push_packets (Fixture * f, guint i, guint n, guint rtp_bytes)
{
  for (; n > 0; n--, f->seq[i]++)
    fail_unless_equals_int (gst_harness_push (f->in[i],
            rtp_new (i, f->seq[i], f->seq[i], FALSE, rtp_bytes)), GST_FLOW_OK);
}

static inline void
push_frame (Fixture * f, guint i, guint32 timestamp, gboolean delta, guint packets)
{
  for (; packets > 0; packets--)
    fail_unless_equals_int (gst_harness_push (f->in[i],
            rtp_new (i, f->seq[i]++, timestamp, delta, 1200)), GST_FLOW_OK);
}

/* So many bit/s, headers counted, into each of the first n pads. */
static inline void
feed_for (Fixture * f, guint ms, guint bps, guint n)
{
  gint64 begin = g_get_monotonic_time (), now;
  guint64 pushed_bits = 0;

  while ((now = g_get_monotonic_time ()) < begin + ms * 1000) {
    for (; pushed_bits < (guint64) (now - begin) * bps / 1000000; pushed_bits += 1228 * 8)
      for (guint i = 0; i < n; i++)
        push_packets (f, i, 1, 1200);
    g_usleep (2000);
  }
}

static inline gpointer
push_n (GstHarness * h, guint n)
{
  GstFlowReturn ret = GST_FLOW_OK;

  for (guint16 seq = 0; seq < n && ret == GST_FLOW_OK; seq++)
    ret = gst_harness_push (h, rtp_new (0, seq, seq, FALSE, 1200));
  return GINT_TO_POINTER (ret);
}

static inline gpointer
push_200 (gpointer harness)
{
  return push_n (harness, 200);
}

static inline gpointer
push_until_refused (gpointer harness)
{
  return push_n (harness, G_MAXUINT16);
}

static inline void
tell_budget (Fixture * f, guint bps)
{
  GstStructure *s = gst_structure_new (GST_ARC_TARGET_BITRATE, "bitrate", G_TYPE_UINT, bps / 2,
      "network-bitrate", G_TYPE_UINT, bps, NULL);

  fail_unless (gst_harness_push_upstream_event (f->out,
          gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM, s)));
}

/* --- what came out --- */

/* Takes the buffer. */
static inline RtpHeader
look_into (GstBuffer * buffer)
{
  RtpHeader header = rtp_header_of (buffer);

  gst_buffer_unref (buffer);
  return header;
}

static inline guint32
ssrc_of_next (Fixture * f)
{
  return look_into (gst_harness_pull (f->out)).ssrc;
}

static inline guint16
seq_of_next (Fixture * f)
{
  return look_into (gst_harness_pull (f->out)).seq;
}

/* Within ms; takes the events before it. */
static inline gboolean
saw_event_within (Fixture * f, GstEventType type, guint ms)
{
  gint64 end = g_get_monotonic_time () + ms * 1000;
  GstEvent *event;

  do {
    while ((event = gst_harness_try_pull_event (f->out))) {
      gboolean is = GST_EVENT_TYPE (event) == type;

      gst_event_unref (event);
      if (is)
        return TRUE;
    }
    g_usleep (1000);
  } while (g_get_monotonic_time () < end);
  return FALSE;
}

static inline gboolean
saw_event (Fixture * f, GstEventType type)
{
  return saw_event_within (f, type, 30000);
}

/* What probes of the output have written can be read then: they are under its lock of streaming. */
static inline gboolean
saw_eos (Fixture * f)
{
  gboolean saw = saw_event (f, GST_EVENT_EOS);

  GST_PAD_STREAM_LOCK (f->out->sinkpad);
  GST_PAD_STREAM_UNLOCK (f->out->sinkpad);
  return saw;
}

static inline guint64
element_stat (Fixture * f, const gchar * field)
{
  return read_stat (f->scheduler, field);
}

static inline guint64
pad_stat (Fixture * f, guint i, const gchar * field)
{
  g_autoptr (GstStructure) stats = NULL;
  guint64 value;

  g_object_get (f->scheduler, "stats", &stats, NULL);
  fail_unless (gst_structure_get_uint64 (gst_value_get_structure (gst_structure_get_value (stats,
                  GST_OBJECT_NAME (f->pads[i]))), field, &value), "no field %s", field);
  return value;
}
