/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* arcsrc sets the latency of the jitter buffers behind it. Time is the test's. */
#include "arcsrc/playoutsteering.h"

#include <gst/check/gsttestclock.h>

#include "arcsrc/gstarcsrc.h"
#include "arcsrc/sharedlatency.h"
#include "quiet.h"
#include "rtpmedia.h"

#define SSRC 0x11111111
#define FRAME ((GstClockTime) (GST_SECOND / 30))
#define FRAME_RTP 3000
#define BEGIN ((GstClockTime) (100 * GST_SECOND))
#define LATENCY_MS 200
#define JITTER_BUFFER "rtpjitterbuffer name=buffer latency=200"
#define PLAIN JITTER_BUFFER " ! fakesink async=false"
#define CAPS "application/x-rtp,media=video,clock-rate=90000,encoding-name=H264,payload=0"

typedef struct
{
  GstElement *owner, *pipeline, *buffer;
  GstBus *bus;
  GstClock *clock;
  GstPad *srcpad;               /* from which packets go to the jitter buffer */
  Meter meter;
  PlayoutSteering steering;
  guint frames, changes;
  gboolean answers;             /* the application */
} Steered;

static void
set_bounds (Steered * s, gboolean adapt, guint least_ms, guint most_ms)
{
  GST_OBJECT_LOCK (s->owner);
  s->steering.adapt = adapt;
  s->steering.least = least_ms * GST_MSECOND;
  s->steering.most = most_ms * GST_MSECOND;
  GST_OBJECT_UNLOCK (s->owner);
  playout_steering_renew (&s->steering);
}

static void
open_with (Steered * s, const gchar * behind)
{
  g_autofree gchar *line = g_strdup_printf ("identity name=from ! %s", behind);
  GstElement *from;
  GstSegment segment;
  g_autoptr (GstCaps) caps = gst_caps_from_string (CAPS);

  *s = (Steered) {.answers = TRUE };
  fail_unless (GST_ELEMENT_REGISTER (arcsrc, NULL));
  s->owner = gst_object_ref_sink (gst_element_factory_make ("arcsrc", NULL));
  s->bus = gst_bus_new ();
  gst_element_set_bus (s->owner, s->bus);
  s->pipeline = gst_parse_launch (line, NULL);
  s->buffer = gst_bin_get_by_name (GST_BIN (s->pipeline), "buffer");
  from = gst_bin_get_by_name (GST_BIN (s->pipeline), "from");
  s->srcpad = gst_element_get_static_pad (from, "src");
  gst_object_unref (from);
  s->clock = gst_test_clock_new_with_start_time (BEGIN);
  gst_pipeline_use_clock (GST_PIPELINE (s->pipeline), s->clock);
  gst_element_set_base_time (s->pipeline, 0);
  gst_element_set_start_time (s->pipeline, GST_CLOCK_TIME_NONE);
  gst_element_set_base_time (s->owner, 0);
  gst_element_set_state (s->pipeline, GST_STATE_PLAYING);
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_push_event (s->srcpad, gst_event_new_stream_start ("test"));
  gst_pad_push_event (s->srcpad, gst_event_new_caps (caps));
  gst_pad_push_event (s->srcpad, gst_event_new_segment (&segment));
  meter_init (&s->meter);
  meter_set_clock (&s->meter, s->clock);
  meter_set_caps (&s->meter, caps);
  playout_steering_init (&s->steering, s->owner, &s->meter, s->srcpad);
  set_bounds (s, TRUE, 20, 500);
}

static void
close_all (Steered * s)
{
  gst_element_set_state (s->pipeline, GST_STATE_NULL);
  playout_steering_stop (&s->steering);
  playout_steering_clear (&s->steering);
  meter_clear (&s->meter);
  gst_object_unref (s->clock);
  gst_object_unref (s->srcpad);
  gst_object_unref (s->buffer);
  gst_object_unref (s->pipeline);
  gst_element_set_bus (s->owner, NULL);
  gst_object_unref (s->owner);
  gst_object_unref (s->bus);
}

#define STEERED(behind) Steered, s, open_with (s, behind), close_all (s)

static guint
latency_ms (GstElement * element)
{
  guint ms;

  g_object_get (element, "latency", &ms, NULL);
  return ms;
}

static void
take (Steered * s, guint seq, GstClockTime at)
{
  GstBuffer *buffer = rtp_new (SSRC, (guint16) seq, s->frames * FRAME_RTP, FALSE, 500);
  guint before = latency_ms (s->buffer);
  MeterMedia media = { buffer, at };

  gst_test_clock_set_time (GST_TEST_CLOCK (s->clock), at);
  meter_take_rtp (&s->meter, &media, 1);
  fail_unless (media.is_rtp);
  GST_BUFFER_DTS (buffer) = at;
  gst_pad_push (s->srcpad, buffer);
  if (latency_ms (s->buffer) == before)
    return;
  s->changes++;
  if (s->answers)
    meter_set_latency (&s->meter, latency_ms (s->buffer) * GST_MSECOND);
}

/* A frame of two packets, of which the second comes so much later. */
static void
come (Steered * s, guint late_ms)
{
  GstClockTime at = MAX (BEGIN + s->frames * FRAME, gst_clock_get_time (s->clock));

  take (s, 2 * s->frames, at);
  take (s, 2 * s->frames + 1, MAX (at, BEGIN + s->frames * FRAME + late_ms * GST_MSECOND));
  s->frames++;
}

static void
come_for (Steered * s, guint seconds, guint late_ms)
{
  for (guint i = 0; i < seconds * 30; i++)
    come (s, late_ms);
}

CLAIM_ON (test_latency_shrinks_to_what_frames_need, STEERED (PLAIN))
{
  come_for (s, 10, 30);
  fail_unless (latency_ms (s->buffer) >= 45, "%u ms", latency_ms (s->buffer));
  fail_unless (latency_ms (s->buffer) < 60, "%u ms", latency_ms (s->buffer));
  fail_unless_equals_uint64 (s->steering.changes, s->changes);
}

CLAIM_ON (test_it_grows_before_the_late_packet_reaches_the_jitter_buffer,
    STEERED (PLAIN))
{
  come_for (s, 10, 0);
  fail_unless (latency_ms (s->buffer) < 40);
  come (s, 150);
  fail_unless (latency_ms (s->buffer) > 150);
}

CLAIM_ON (test_jitter_buffer_behind_other_elements_and_bins_is_found,
    STEERED ("queue ! tee ! ( identity ! queue ! " JITTER_BUFFER " ) ! fakesink async=false"))
{
  come_for (s, 10, 0);
  fail_unless (latency_ms (s->buffer) < 40);
}

CLAIM_ON (test_without_an_answer_of_the_application_it_is_taken_back,
    STEERED (PLAIN))
{
  g_autoptr (GstMessage) message = NULL;

  s->answers = FALSE;
  come_for (s, 10, 0);
  fail_unless_equals_int (latency_ms (s->buffer), LATENCY_MS);
  fail_unless_equals_int (s->changes, 2);
  message = gst_bus_timed_pop_filtered (s->bus, 30 * GST_SECOND, GST_MESSAGE_WARNING);
  fail_unless (message != NULL);
}

CLAIM_ON (test_latency_that_the_user_sets_meanwhile_stays, STEERED (PLAIN))
{
  come_for (s, 2, 0);
  fail_unless (latency_ms (s->buffer) < LATENCY_MS);
  g_object_set (s->buffer, "latency", 333, NULL);
  come_for (s, 10, 0);
  fail_unless_equals_int (latency_ms (s->buffer), 333);
  playout_steering_stop (&s->steering);
  fail_unless_equals_int (latency_ms (s->buffer), 333);
}

CLAIM_ON (test_at_the_end_the_latency_is_what_it_was, STEERED (PLAIN))
{
  come_for (s, 10, 0);
  fail_unless (latency_ms (s->buffer) < 40);
  set_bounds (s, FALSE, 0, 1000);
  come (s, 0);
  fail_unless_equals_int (latency_ms (s->buffer), LATENCY_MS);
}

CLAIM_ON (test_new_bounds_take_effect_at_once, STEERED (PLAIN))
{
  come_for (s, 10, 0);
  set_bounds (s, TRUE, 120, 500);
  come (s, 0);
  come (s, 0);
  fail_unless_equals_int (latency_ms (s->buffer), 120);
  come (s, 1000);
  fail_unless_equals_int (latency_ms (s->buffer), 500);
}

/* The first packets make the jitter buffer. */
CLAIM_ON (test_rtpbin_has_the_latency_for_all_of_its_jitter_buffers,
    STEERED ("capsfilter caps=" CAPS " ! buffer.recv_rtp_sink_0 rtpbin name=buffer latency=200"))
{
  come_for (s, 1, 0);
  come_for (s, 10, 0);
  fail_unless (latency_ms (s->buffer) < 40, "%u ms", latency_ms (s->buffer));
  fail_unless_equals_int (s->steering.buffers->len, 1);
}

/* Wakes threads that wait for a time that has come. */
static gboolean
get_base (Steered * s, RcTime * base)
{
  GstClockID id = gst_test_clock_process_next_clock_id (GST_TEST_CLOCK (s->clock));
  const RcPlayout *playout = &s->meter.sources.sources[0].playout;
  gboolean has_base;

  if (id)
    gst_clock_id_unref (id);
  g_mutex_lock (&s->meter.lock);
  has_base = playout->has_base;
  *base = playout->base;
  g_mutex_unlock (&s->meter.lock);
  return has_base;
}

CLAIM_ON (test_base_is_that_of_the_jitter_buffer, STEERED (PLAIN))
{
  RcTime base;

  for (guint i = 0; i < 10; i++)
    come (s, 0);
  wait_until (get_base (s, &base));
  fail_unless (ABS (base - (RcTime) BEGIN) < RC_MSEC, "%" G_GINT64_FORMAT, base);
}

CLAIM (test_largest_wish_of_several_counts)
{
  GstElement *buffer = gst_object_ref_sink (gst_element_factory_make ("rtpjitterbuffer", NULL));
  gint a, b;
  gboolean changed;

  fail_unless (shared_latency_wish (buffer, &a, 80, &changed) && changed);
  fail_unless (shared_latency_wish (buffer, &b, 60, &changed) && !changed);
  fail_unless_equals_int (latency_ms (buffer), 80);
  fail_unless (shared_latency_wish (buffer, &b, 90, &changed) && changed);
  shared_latency_leave (buffer, &b);
  fail_unless (shared_latency_wish (buffer, &a, 80, &changed) && changed);
  fail_unless_equals_int (latency_ms (buffer), 80);
  shared_latency_leave (buffer, &a);
  fail_unless_equals_int (latency_ms (buffer), LATENCY_MS);
  gst_object_unref (buffer);
}

CLAIM (test_arcsrc_adapts_no_latency_unless_it_is_told_to)
{
  g_autoptr (GstElement) src = NULL;
  gboolean adapt;
  guint64 least, most;

  fail_unless (GST_ELEMENT_REGISTER (arcsrc, NULL));
  src = gst_object_ref_sink (gst_element_factory_make ("arcsrc", NULL));
  g_object_get (src, "adapt-latency", &adapt, "min-latency", &least, "max-latency", &most, NULL);
  fail_unless (!adapt);
  fail_unless_equals_uint64 (least, 20 * GST_MSECOND);
  fail_unless_equals_uint64 (most, 500 * GST_MSECOND);
  g_object_set (src, "adapt-latency", TRUE, "max-latency", GST_SECOND, NULL);
  g_object_get (src, "adapt-latency", &adapt, "min-latency", &least, "max-latency", &most, NULL);
  fail_unless (adapt && least == 20 * GST_MSECOND && most == GST_SECOND);
}
