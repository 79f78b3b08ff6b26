/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* arcladder with real encoders of a small picture: what the viewers are sent, decoded. */
#include <gst/arc/arc.h>
#include <gst/check/gstharness.h>
#include <gst/rtp/rtp.h>
#include <gst/video/video.h>

#include "bustext.h"
#include "rtpmedia.h"

#define WIDTH 160
#define HEIGHT 96
#define FRAME (40 * GST_MSECOND)
#define MOST_FRAMES 2500
#define ENCODER "x264enc tune=zerolatency speed-preset=ultrafast threads=1"

static GstElement *ladder;
static GstHarness *camera;
static GstBus *bus;
static guint n_frames;

static void
set_size (gint width, gint height)
{
  GstCaps *caps = gst_caps_new_simple ("video/x-raw", "format", G_TYPE_STRING, "I420", "width",
      G_TYPE_INT, width, "height", G_TYPE_INT, height, "framerate", GST_TYPE_FRACTION, 25, 1, NULL);

  gst_harness_set_src_caps (camera, caps);
}

static void
begin (const gchar * settings)
{
  g_autofree gchar *line = g_strdup_printf ("arcladder %s", settings);

  ladder = gst_parse_launch (line, NULL);
  gst_object_ref_sink (ladder);
  if (strstr (settings, "encoder=") == NULL)
    g_object_set (ladder, "encoder", ENCODER, NULL);
  bus = gst_bus_new ();
  gst_element_set_bus (ladder, bus);
  n_frames = 0;
}

static void
begin_camera (void)
{
  camera = gst_harness_new_with_element (ladder, "sink", NULL);
  gst_harness_set_live (camera, TRUE);
  set_size (WIDTH, HEIGHT);
}

static void
end (void)
{
  gst_harness_teardown (camera);
  gst_element_set_bus (ladder, NULL);
  gst_object_unref (bus);
  gst_object_unref (ladder);
}

static GstHarness *
add_viewer (guint bps)
{
  GstHarness *viewer = gst_harness_new_with_element (ladder, NULL, "src_%u");

  if (bps > 0)
    gst_harness_push_upstream_event (viewer, gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM,
            gst_structure_new (GST_ARC_TARGET_BITRATE, "bitrate", G_TYPE_UINT, bps, NULL)));
  return viewer;
}

/* A gray frame that becomes brighter. */
static void
step_size (gsize size)
{
  GstBuffer *frame = gst_buffer_new_allocate (NULL, size, NULL);

  gst_buffer_memset (frame, 0, (guint8) (n_frames * 7), size);
  GST_BUFFER_PTS (frame) = n_frames++ * FRAME;
  GST_BUFFER_DURATION (frame) = FRAME;
  fail_unless_equals_int (gst_harness_push (camera, frame), GST_FLOW_OK);
  g_usleep (10000);
}

static void
step (void)
{
  step_size (WIDTH * HEIGHT * 3 / 2);
}

/* Of the last move; of a rung that nobody needs 0. */
static gboolean
take_rungs (guint * bps, guint n)
{
  GstMessage *message;
  gboolean found = FALSE;

  while ((message = gst_bus_pop_filtered (bus, GST_MESSAGE_ELEMENT))) {
    if (gst_message_has_name (message, GST_ARC_LADDER_RUNGS)) {
      const GValue *array = gst_structure_get_value (gst_message_get_structure (message),
          "bitrates");

      fail_unless_equals_int (gst_value_array_get_size (array), n);
      for (guint k = 0; k < n; k++)
        bps[k] = g_value_get_uint (gst_value_array_get_value (array, k));
      found = TRUE;
    }
    gst_message_unref (message);
  }
  return found;
}

static gboolean
has (const guint * bps, guint n, guint wanted)
{
  for (guint k = 0; k < n; k++)
    if (bps[k] == wanted)
      return TRUE;
  return FALSE;
}

static gint
rung_of (GstHarness * viewer)
{
  g_autoptr (GstPad) pad = gst_pad_get_peer (viewer->sinkpad);
  gint rung;

  g_object_get (pad, "rung", &rung, NULL);
  return rung;
}

/* Fails if that never ends. */
#define STEP_WHILE(condition) \
  for (guint steps = 0; condition; step ()) \
    fail_unless (steps++ < MOST_FRAMES)

static void
run_until_served (GstHarness * viewer)
{
  STEP_WHILE (rung_of (viewer) < 0);
}

/* That are served. */
typedef struct
{
  GstHarness *slow, *fast;      /* fast: NULL: there is one only */
} Viewers;

static void
viewers_begin (Viewers * v, const gchar * settings, guint slow_bps, guint fast_bps)
{
  begin (settings);
  v->slow = add_viewer (slow_bps);
  v->fast = fast_bps > 0 ? add_viewer (fast_bps) : NULL;
  begin_camera ();
  run_until_served (v->slow);
  if (v->fast)
    run_until_served (v->fast);
}

static void
viewers_end (Viewers * v)
{
  gst_harness_teardown (v->slow);
  if (v->fast)
    gst_harness_teardown (v->fast);
  end ();
}

#define ONE(settings, bps) Viewers, v, viewers_begin (v, settings, bps, 0), viewers_end (v)
#define TWO(settings) Viewers, v, viewers_begin (v, settings, 300000, 2000000), viewers_end (v)

static GstMessage *
run_until_message (GstMessageType type)
{
  GstMessage *message;

  STEP_WHILE ((message = gst_bus_pop_filtered (bus, type)) == NULL);
  return message;
}

CLAIM (test_rungs_are_where_the_viewers_are)
{
  GstHarness *slow, *fast;
  guint bps[3] = { 0 };

  begin ("");
  slow = add_viewer (300000);
  fast = add_viewer (2000000);
  begin_camera ();
  for (guint n = 0; !has (bps, 3, 300000) || !has (bps, 3, 2000000); n++) {
    fail_unless (n < MOST_FRAMES);
    step ();
    take_rungs (bps, 3);
  }
  fail_unless (has (bps, 3, 0));        /* nobody needs the third */
  run_until_served (slow);
  run_until_served (fast);
  fail_unless (rung_of (slow) != rung_of (fast));
  fail_unless (bps[rung_of (slow)] == 300000 && bps[rung_of (fast)] == 2000000);
  gst_harness_teardown (slow);
  gst_harness_teardown (fast);
  end ();
}

/* They call, and their receivers never report. */
CLAIM (test_viewers_that_do_not_answer_move_no_rung_and_are_sent_what_there_is)
{
  GstHarness *viewer, *strangers[5];
  guint bps[1] = { 0 };

  begin ("rungs=1");
  viewer = add_viewer (2000000);
  begin_camera ();
  run_until_served (viewer);
  for (guint i = 0; i < G_N_ELEMENTS (strangers); i++) {
    strangers[i] = add_viewer (0);
    gst_harness_push_upstream_event (strangers[i], gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM,
            gst_structure_new (GST_ARC_TARGET_BITRATE, "bitrate", G_TYPE_UINT, 100000 + 50000 * i,
                "answers", G_TYPE_BOOLEAN, FALSE, NULL)));
  }
  for (guint n = 0; n < 40; n++) {
    step ();
    take_rungs (bps, 1);
    fail_unless_equals_int (bps[0], 2000000);
  }
  for (guint i = 0; i < G_N_ELEMENTS (strangers); i++) {
    run_until_served (strangers[i]);
    gst_harness_teardown (strangers[i]);
  }
  gst_harness_teardown (viewer);
  end ();
}

/* 20 of one host beside two of others. */
CLAIM (test_viewers_of_one_host_count_as_one)
{
  GstHarness *viewers[22];
  guint bps[2] = { 0 };

  begin ("rungs=2");
  for (guint i = 0; i < G_N_ELEMENTS (viewers); i++) {
    viewers[i] = add_viewer (0);
    gst_harness_push_upstream_event (viewers[i], gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM,
            gst_structure_new (GST_ARC_TARGET_BITRATE, "bitrate", G_TYPE_UINT,
                i < 20 ? 100000 + 10000 * i : 2000000 * (i - 19), "host", G_TYPE_UINT64,
                (guint64) (i < 20 ? 7 : i), NULL)));
  }
  begin_camera ();
  for (guint n = 0; !has (bps, 2, 2000000); n++) {
    fail_unless (n < MOST_FRAMES);
    step ();
    take_rungs (bps, 2);
  }
  fail_unless (has (bps, 2, 100000));
  for (guint i = 0; i < G_N_ELEMENTS (viewers); i++)
    gst_harness_teardown (viewers[i]);
  end ();
}

static guint64
keyframes_of_rung (guint number)
{
  g_autoptr (GstStructure) stats = NULL;
  const GValue *rungs;
  guint64 keyframes = 0;

  g_object_get (ladder, "stats", &stats, NULL);
  rungs = gst_structure_get_value (stats, "rungs");
  if (number < gst_value_array_get_size (rungs))
    gst_structure_get_uint64 (gst_value_get_structure (gst_value_array_get_value (rungs, number)),
        "keyframes", &keyframes);
  return keyframes;
}

CLAIM_ON (test_encoders_that_nobody_needs_make_nothing, ONE ("", 300000))
{
  for (guint n = 0; n < 20; n++)
    step ();
  fail_unless (keyframes_of_rung (0) > 0);
  fail_unless (keyframes_of_rung (1) == 0 && keyframes_of_rung (2) == 0);
}

CLAIM_ON (test_a_sink_that_tells_no_target_is_served, ONE ("start-bitrate=400000", 0))
{
  fail_unless (rung_of (v->slow) >= 0);
}

/* Frames that a decoder makes of what a viewer got: each at its time, without a gap in the numbers
 * of the packets. The PTS of two encoders differ, as their segments do, if they began
 * with different frames: a receiver goes by the timestamps of RTP. */
static guint
decode (GstHarness * viewer, gint * last_height)
{
  GstHarness *decoder = gst_harness_new_parse ("rtph264depay ! avdec_h264");
  GstCaps *caps = gst_pad_get_current_caps (viewer->sinkpad);
  GstBuffer *buffer;
  GstVideoInfo info;
  guint n = 0;
  gint seq = -1;
  guint32 begin = 0;

  gst_harness_set_src_caps (decoder, caps);
  while ((buffer = gst_harness_try_pull (viewer))) {
    RtpHeader header = rtp_header_of (buffer);

    fail_unless (seq < 0 || header.seq == (guint16) (seq + 1));
    begin = seq < 0 ? header.timestamp : begin;
    seq = header.seq;
    buffer = gst_buffer_make_writable (buffer);
    GST_BUFFER_PTS (buffer) = gst_util_uint64_scale (header.timestamp - begin, GST_SECOND, 90000);
    GST_BUFFER_DTS (buffer) = GST_CLOCK_TIME_NONE;
    fail_unless_equals_int (gst_harness_push (decoder, buffer), GST_FLOW_OK);
  }
  gst_harness_push_event (decoder, gst_event_new_eos ());
  for (GstClockTime last = 0; (buffer = gst_harness_try_pull (decoder)); n++) {
    fail_unless (n == 0 || GST_BUFFER_PTS (buffer) > last, "frame %u: %" GST_TIME_FORMAT " after %"
        GST_TIME_FORMAT, n, GST_TIME_ARGS (GST_BUFFER_PTS (buffer)), GST_TIME_ARGS (last));
    fail_unless (!GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_CORRUPTED));
    last = GST_BUFFER_PTS (buffer);
    gst_buffer_unref (buffer);
  }
  caps = gst_pad_get_current_caps (decoder->sinkpad);
  fail_unless (caps && gst_video_info_from_caps (&info, caps));
  *last_height = info.height;
  gst_caps_unref (caps);
  gst_harness_teardown (decoder);
  return n;
}

static void
set_target (GstHarness * viewer, guint bps)
{
  gst_harness_push_upstream_event (viewer, gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM,
          gst_structure_new (GST_ARC_TARGET_BITRATE, "bitrate", G_TYPE_UINT, bps, NULL)));
}

CLAIM (test_a_viewer_that_falls_and_rises_has_one_decodable_stream)
{
  GstHarness *slow, *fast, *viewer;
  guint n;
  gint height, low, high;

  begin ("rungs=2");
  slow = add_viewer (300000);
  fast = add_viewer (2000000);
  viewer = add_viewer (2500000);
  begin_camera ();
  run_until_served (slow);
  run_until_served (fast);
  run_until_served (viewer);
  low = rung_of (slow);
  high = rung_of (fast);
  STEP_WHILE (rung_of (viewer) != high);
  set_target (viewer, 310000);
  STEP_WHILE (rung_of (viewer) != low);
  set_target (viewer, 2500000);
  STEP_WHILE (rung_of (viewer) != high);
  n = decode (viewer, &height);
  fail_unless (n > 10 && n <= n_frames, "%u of %u frames", n, n_frames);
  gst_harness_teardown (slow);
  gst_harness_teardown (fast);
  gst_harness_teardown (viewer);
  end ();
}

CLAIM_ON (test_another_size_of_the_camera_reaches_the_viewers, ONE ("", 2000000))
{
  gint height;

  for (guint n = 0; n < 10; n++)
    step ();
  set_size (2 * WIDTH, 2 * HEIGHT);
  for (guint n = 0; n < 20; n++)
    step_size (4 * WIDTH * HEIGHT * 3 / 2);
  decode (v->slow, &height);
  fail_unless_equals_int (height, 2 * HEIGHT);
}

static gint
is_encoder (gconstpointer value, gconstpointer user_data)
{
  GstElementFactory *factory = gst_element_get_factory (g_value_get_object (value));

  return !factory || !g_str_equal (GST_OBJECT_NAME (factory), "x264enc");
}

static GstPadProbeReturn
fail_frame (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  GST_ELEMENT_ERROR (user_data, STREAM, ENCODE, ("The encoder has failed."), (NULL));
  gst_buffer_unref (GST_PAD_PROBE_INFO_BUFFER (info));
  GST_PAD_PROBE_INFO_FLOW_RETURN (info) = GST_FLOW_ERROR;
  return GST_PAD_PROBE_HANDLED;
}

/* An encoder fails with its next frame. */
static void
break_encoder (void)
{
  g_autoptr (GstIterator) all = gst_bin_iterate_recurse (GST_BIN (ladder));
  AT_END (g_value_unset) GValue found = G_VALUE_INIT;
  g_autoptr (GstPad) pad = NULL;

  fail_unless (gst_iterator_find_custom (all, is_encoder, &found, NULL));
  pad = gst_element_get_static_pad (g_value_get_object (&found), "src");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, fail_frame, g_value_get_object (&found), NULL);
}

CLAIM_ON (test_an_encoder_that_fails_is_a_warning_and_the_others_go_on, TWO ("rungs=2"))
{
  GstMessage *message;
  guint bps[2] = { 0 };

  take_rungs (bps, 2);
  break_encoder ();
  message = run_until_message (GST_MESSAGE_WARNING | GST_MESSAGE_ERROR);
  fail_unless_equals_int (GST_MESSAGE_TYPE (message), GST_MESSAGE_WARNING);
  gst_message_unref (message);
  STEP_WHILE (rung_of (v->slow) < 0 || rung_of (v->slow) != rung_of (v->fast));
  fail_unless (gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR) == NULL);
}

CLAIM_ON (test_a_bitrate_in_kbit_is_one_clear_warning,
    ONE ("rungs=1 max-bitrate=6000", 300000))
{
  g_autofree gchar *text = bus_text (bus, 0, GST_MESSAGE_WARNING);

  fail_unless (text && strstr (text, "write max-bitrate=6000000 for 6000 kbit/s"), "%s", text);
}

CLAIM_ON (test_a_number_of_rungs_that_is_set_while_it_plays_counts_from_the_next_start,
    ONE ("rungs=1", 300000))
{
  GstHarness *guest;

  g_object_set (ladder, "rungs", 3, NULL);
  g_object_set (ladder, "max-bitrate", 5000000, NULL);
  guest = add_viewer (3000000);
  for (guint n = 0; n < 100; n++)
    step ();
  run_until_served (guest);
  fail_unless (gst_harness_buffers_received (guest) > 0);
  gst_harness_teardown (guest);
}

CLAIM_ON (test_viewers_come_and_go_while_it_plays, ONE ("", 500000))
{
  GstHarness *guest;

  for (guint i = 0; i < 20; i++) {
    guest = add_viewer (100000 * (i + 2));
    run_until_served (guest);
    gst_harness_teardown (guest);
  }
  fail_unless (rung_of (v->slow) >= 0);
}

/* Each of its frames is dropped: a keyframe that is asked for never comes. */
static GstPadProbeReturn
drop_frame (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  return GST_PAD_PROBE_DROP;
}

/* Behind its encoder: what comes from a viewer goes there. */
static GstPad *
pad_of_rung (GstHarness * viewer, gint rung)
{
  g_autofree gchar *name = g_strdup_printf ("sink_%d", rung);
  GstPad *src = gst_pad_get_peer (viewer->sinkpad), *pad = NULL;
  GstIterator *all = gst_pad_iterate_internal_links (src);
  GValue value = G_VALUE_INIT;

  while (!pad && gst_iterator_next (all, &value) == GST_ITERATOR_OK) {
    if (g_str_equal (GST_OBJECT_NAME (g_value_get_object (&value)), name))
      pad = g_value_dup_object (&value);
    g_value_reset (&value);
  }
  g_value_unset (&value);
  gst_iterator_free (all);
  gst_object_unref (src);
  fail_unless (pad != NULL);
  return pad;
}

static guint
take_frames (GstHarness * viewer)
{
  guint n = 0;

  for (GstBuffer * buffer; (buffer = gst_harness_try_pull (viewer)); n++)
    gst_buffer_unref (buffer);
  return n;
}

/* All viewers carry the same: one rung is enough, but it has no keyframe for the viewer of the
 * other one, which must go on. */
CLAIM (test_a_rung_stays_open_until_its_viewers_have_another)
{
  GstHarness *slow, *other, *fast;    /* two keep the number of their rung */
  guint bps[2] = { 0 };
  gint low, high;
  gulong probe;
  GstPad *pad;

  begin ("rungs=2");
  slow = add_viewer (300000);
  other = add_viewer (300000);
  fast = add_viewer (2000000);
  begin_camera ();
  STEP_WHILE (rung_of (slow) < 0 || rung_of (fast) < 0 || rung_of (slow) == rung_of (fast));
  low = rung_of (slow);
  high = rung_of (fast);
  pad = pad_of_rung (slow, low);
  probe = gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_BUFFER_LIST,
      drop_frame, NULL, NULL);
  set_target (slow, 400000);
  set_target (other, 400000);
  set_target (fast, 400000);
  STEP_WHILE (!take_rungs (bps, 2) || bps[high] > 0);
  for (guint n = 0; n < 10; n++)
    step ();
  take_frames (fast);
  for (guint n = 0; n < 30; n++)
    step ();
  fail_unless (rung_of (fast) == high && take_frames (fast) > 10);
  gst_pad_remove_probe (pad, probe);
  STEP_WHILE (rung_of (fast) != low);
  gst_object_unref (pad);
  gst_harness_teardown (slow);
  gst_harness_teardown (other);
  gst_harness_teardown (fast);
  end ();
}

CLAIM_ON (test_after_a_flush_all_viewers_go_on, TWO ("rungs=2"))
{
  GstSegment segment;

  gst_harness_push_event (camera, gst_event_new_flush_start ());
  gst_harness_push_event (camera, gst_event_new_flush_stop (TRUE));
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_harness_push_event (camera, gst_event_new_segment (&segment));
  take_frames (v->slow);
  take_frames (v->fast);
  run_until_served (v->slow);
  run_until_served (v->fast);
  for (guint n = 0; take_frames (v->slow) == 0 || take_frames (v->fast) == 0; n++) {
    fail_unless (n < MOST_FRAMES);
    for (guint i = 0; i < 10; i++)
      step ();
  }
}

CLAIM_ON (test_the_end_reaches_each_viewer, TWO (""))
{
  gst_harness_push_event (camera, gst_event_new_eos ());
  for (guint n = 0; !GST_PAD_IS_EOS (v->slow->sinkpad) || !GST_PAD_IS_EOS (v->fast->sinkpad); n++) {
    fail_unless (n < MOST_FRAMES);
    g_usleep (10000);
  }
}

CLAIM (test_an_encoder_that_is_not_there_is_one_error)
{
  GstMessage *message;

  begin ("encoder=\"nosuchenc bitrate=1\"");
  fail_unless_equals_int (gst_element_set_state (ladder, GST_STATE_PAUSED),
      GST_STATE_CHANGE_FAILURE);
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  fail_unless (message != NULL);
  gst_message_unref (message);
  fail_unless (gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR) == NULL);
  gst_element_set_state (ladder, GST_STATE_NULL);
  gst_element_set_bus (ladder, NULL);
  gst_object_unref (bus);
  gst_object_unref (ladder);
}

/* --- encodings that are made elsewhere --- */

static gchar *
take_text (GstMessageType type)
{
  gchar *text = bus_text (bus, 0, type);

  fail_unless (text != NULL);
  return text;
}

static gboolean
has_pad (const gchar * name)
{
  GstPad *pad = gst_element_get_static_pad (ladder, name);
  gboolean found = pad != NULL;

  gst_clear_object (&pad);
  return found;
}

CLAIM (test_encodings_come_by_pads_of_a_ladder_without_encoders_only)
{
  GstPad *pad;
  gchar *text;

  begin ("rungs=2");
  fail_unless (has_pad ("sink"));
  fail_unless (gst_element_request_pad_simple (ladder, "sink_0") == NULL);
  text = take_text (GST_MESSAGE_WARNING);
  fail_unless (strstr (text, "set rungs=0 first") != NULL, "%s", text);
  g_free (text);
  g_object_set (ladder, "rungs", 0, NULL);
  fail_if (has_pad ("sink"));
  pad = gst_element_request_pad_simple (ladder, "sink_%u");
  fail_unless (pad && has_pad ("sink_0"));
  g_object_set (ladder, "rungs", 2, NULL);
  fail_unless (gst_element_set_state (ladder, GST_STATE_PAUSED) == GST_STATE_CHANGE_FAILURE);
  text = take_text (GST_MESSAGE_ERROR);
  fail_unless (strstr (text, "sink_0 takes an encoding that is made elsewhere") != NULL, "%s",
      text);
  g_free (text);
  gst_element_release_request_pad (ladder, pad);
  gst_object_unref (pad);
  fail_unless (has_pad ("sink"));
  fail_unless (gst_element_set_state (ladder, GST_STATE_PAUSED) != GST_STATE_CHANGE_FAILURE);
  gst_element_set_state (ladder, GST_STATE_NULL);
  gst_element_set_bus (ladder, NULL);
  gst_object_unref (bus);
  gst_object_unref (ladder);
}

/* One of much weight gets its own bitrate, beside many of little. */
CLAIM (test_the_weight_of_a_viewer_moves_rungs)
{
  GstHarness *viewers[6];
  guint bps[1] = { 0 };
  GstPad *pad;

  begin ("rungs=1");
  for (guint i = 0; i < G_N_ELEMENTS (viewers); i++)
    viewers[i] = add_viewer (i == 0 ? 2000000 : 300000);
  pad = gst_pad_get_peer (viewers[0]->sinkpad);
  g_object_set (pad, "weight", 10000.0, NULL);
  gst_object_unref (pad);
  begin_camera ();
  for (guint n = 0; bps[0] != 2000000; n++) {
    fail_unless (n < MOST_FRAMES);
    step ();
    take_rungs (bps, 1);
  }
  for (guint i = 0; i < G_N_ELEMENTS (viewers); i++)
    gst_harness_teardown (viewers[i]);
  end ();
}
