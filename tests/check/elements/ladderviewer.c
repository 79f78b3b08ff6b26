/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* arcladder between two encoders that the test plays: frames with numbers in them, keyframes when
 * they are asked for, one of them ahead or behind. */
#include <gst/arc/arc.h>
#include <gst/check/gstharness.h>
#include <gst/rtp/rtp.h>
#include <gst/video/video.h>

#include "claim.h"

#define FRAME (40 * GST_MSECOND)
#define CLOCK_RATE 90000
#define TICKS_OF_FRAME (CLOCK_RATE / 25)
#define LOW 0
#define HIGH 1
#define LOW_BPS 300000
#define HIGH_BPS 2000000
#define MOST_FRAMES 3000
#define RTP_CAPS "application/x-rtp,media=video,encoding-name=X-TEST,clock-rate=90000,payload=96"
#define ES_CAPS "video/x-vp8"
#define PACKETS 2               /* of a frame in RTP */

typedef struct
{
  GstHarness *h;
  guint lag;                    /* frames behind the source */
  gboolean deaf;                /* makes no keyframe but the first */
  GstClockTime key_at;          /* GST_CLOCK_TIME_NONE: not asked */
  guint asked;
  guint16 seq;
} Encoder;

static GstElement *element;
static Encoder encoders[2];
static guint n_now;             /* frame of the source */
static gboolean is_rtp;
static gboolean layered;        /* no frame needs those with odd numbers */

static GstHarness *
add_viewer (void)
{
  return gst_harness_new_with_element (element, NULL, "src_%u");
}

static void
begin (gboolean rtp)
{
  static const gchar *const pads[] = { "sink_0", "sink_1" };
  static const guint bps[] = { LOW_BPS, HIGH_BPS };

  is_rtp = rtp;
  layered = FALSE;
  n_now = 10;
  element = gst_element_factory_make ("arcladder", NULL);
  g_object_set (element, "rungs", 0, NULL);
  for (guint i = 0; i < 2; i++) {
    g_autoptr (GstPad) pad = NULL;

    encoders[i] = (Encoder) { gst_harness_new_with_element (element, pads[i], NULL), 0, FALSE, 0,
        0, (guint16) (1000 * i) };
    gst_harness_set_src_caps_str (encoders[i].h, rtp ? RTP_CAPS : ES_CAPS);
    pad = gst_element_get_static_pad (element, pads[i]);
    g_object_set (pad, "bitrate", bps[i], NULL);
  }
}

static void
end (void)
{
  for (guint i = 0; i < 2; i++)
    gst_harness_teardown (encoders[i].h);
  gst_object_unref (element);
}

static void
hear_requests (Encoder * encoder)
{
  GstEvent *event;
  GstClockTime at;

  while ((event = gst_harness_try_pull_upstream_event (encoder->h))) {
    if (gst_video_event_is_force_key_unit (event)) {
      gst_video_event_parse_upstream_force_key_unit (event, &at, NULL, NULL);
      encoder->asked++;
      if (!encoder->deaf)
        encoder->key_at = at;
    }
    gst_event_unref (event);
  }
}

/* The payload says which frame of which encoder, and whether it is a keyframe. */
static GstBuffer *
packet_of (guint which, guint n, gboolean key, guint part)
{
  GstBuffer *buffer = is_rtp ? gst_rtp_buffer_new_allocate (8, 0, 0)
      : gst_buffer_new_allocate (NULL, 8, NULL);
  guint32 content[2] = { n, which << 1 | key };
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  GST_BUFFER_PTS (buffer) = n * FRAME;
  gst_buffer_fill (buffer, is_rtp ? 12 : 0, content, sizeof content);
  if (!key || part > 0)
    GST_BUFFER_FLAG_SET (buffer, GST_BUFFER_FLAG_DELTA_UNIT);
  if (layered && n % 2 == 1)
    GST_BUFFER_FLAG_SET (buffer, GST_BUFFER_FLAG_DROPPABLE);
  if (is_rtp && gst_rtp_buffer_map (buffer, GST_MAP_WRITE, &rtp)) {
    gst_rtp_buffer_set_payload_type (&rtp, 96);
    gst_rtp_buffer_set_seq (&rtp, encoders[which].seq++);
    gst_rtp_buffer_set_timestamp (&rtp, n * TICKS_OF_FRAME + 777 * which);
    gst_rtp_buffer_set_ssrc (&rtp, which);
    gst_rtp_buffer_set_marker (&rtp, part == PACKETS - 1);
    gst_rtp_buffer_unmap (&rtp);
  }
  return buffer;
}

static void
encode (guint which, guint n)
{
  Encoder *encoder = &encoders[which];
  gboolean key;

  hear_requests (encoder);
  key = GST_CLOCK_TIME_IS_VALID (encoder->key_at) && n * FRAME >= encoder->key_at;
  if (key)
    encoder->key_at = GST_CLOCK_TIME_NONE;
  for (guint part = 0; part < (is_rtp ? PACKETS : 1); part++)
    fail_unless_equals_int (gst_harness_push (encoder->h, packet_of (which, n, key, part)),
        GST_FLOW_OK);
}

/* The source makes the next frame, each encoder the one that is due there. */
static void
step (void)
{
  for (guint which = 0; which < 2; which++)
    encode (which, n_now - encoders[which].lag);
  n_now++;
  g_usleep (8000);
}

static void
set_target (GstHarness * viewer, guint bps)
{
  gst_harness_push_upstream_event (viewer, gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM,
          gst_structure_new (GST_ARC_TARGET_BITRATE, "bitrate", G_TYPE_UINT, bps, NULL)));
}

/* What a viewer has been sent. */
typedef struct
{
  guint n, which[MOST_FRAMES], frame[MOST_FRAMES];
  gboolean key[MOST_FRAMES];
  guint switches;
} Shown;

static void
fail_unless_continued (GstBuffer * before, GstBuffer * buffer, gboolean same_frame)
{
  AT_END (gst_rtp_buffer_unmap) GstRTPBuffer a = GST_RTP_BUFFER_INIT, b = GST_RTP_BUFFER_INIT;

  fail_unless (gst_rtp_buffer_map (before, GST_MAP_READ, &a)
      && gst_rtp_buffer_map (buffer, GST_MAP_READ, &b));
  fail_unless (gst_rtp_buffer_get_ssrc (&a) == gst_rtp_buffer_get_ssrc (&b));
  fail_unless ((guint16) (gst_rtp_buffer_get_seq (&a) + 1) == gst_rtp_buffer_get_seq (&b));
  fail_unless_equals_int (gst_rtp_buffer_get_timestamp (&b) - gst_rtp_buffer_get_timestamp (&a),
      same_frame ? 0 : TICKS_OF_FRAME);
}

/* Each frame once, in order, none missing; another encoder only from its keyframe on. */
static void
look (GstHarness * viewer, Shown * shown)
{
  GstBuffer *buffer, *before = NULL;
  guint32 content[2];

  while ((buffer = gst_harness_try_pull (viewer))) {
    gst_buffer_extract (buffer, is_rtp ? 12 : 0, content, sizeof content);
    if (before && is_rtp)
      fail_unless_continued (before, buffer, shown->frame[shown->n - 1] == content[0]);
    if (!is_rtp || before == NULL || shown->frame[shown->n - 1] != content[0]) {
      shown->frame[shown->n] = content[0];
      shown->which[shown->n] = content[1] >> 1;
      shown->key[shown->n] = content[1] & 1;
      shown->n++;
    }
    gst_clear_buffer (&before);
    before = buffer;
  }
  gst_clear_buffer (&before);
  fail_unless (shown->n > 0 && shown->key[0]);
  for (guint i = 1; i < shown->n; i++) {
    fail_unless_equals_int (shown->frame[i], shown->frame[i - 1] + 1);
    fail_unless (shown->which[i] == shown->which[i - 1] || shown->key[i]);
    shown->switches += shown->which[i] != shown->which[i - 1];
  }
}

static gint
rung_of (GstHarness * viewer)
{
  g_autoptr (GstPad) pad = gst_pad_get_peer (viewer->sinkpad);
  gint rung;

  g_object_get (pad, "rung", &rung, NULL);
  return rung;
}

/* Frames until the viewer is sent this rung; fails if that never comes. */
static guint
run_until (GstHarness * viewer, gint rung)
{
  guint n = 0;

  for (; rung_of (viewer) != rung; n++) {
    fail_unless (n < MOST_FRAMES);
    step ();
  }
  return n;
}

static void
run (guint n)
{
  while (n-- > 0)
    step ();
}

static void
switch_both_ways (GstHarness * viewer)
{
  set_target (viewer, LOW_BPS + 50000);
  run_until (viewer, LOW);
  run (5);
  set_target (viewer, HIGH_BPS + 200000);
  run_until (viewer, HIGH);
  run (5);
  set_target (viewer, HIGH_BPS / 2);
  run_until (viewer, LOW);
  run (5);
}

static const struct
{
  gboolean rtp;
  guint lag[2];
} ways[] = { { FALSE, { 0, 0 } }, { FALSE, { 0, 2 } }, { FALSE, { 2, 0 } }, { TRUE, { 0, 0 } },
  { TRUE, { 0, 2 } }, { TRUE, { 3, 0 } } };

CLAIMS (test_a_switch_misses_no_frame_and_repeats_none, G_N_ELEMENTS (ways))
{
  static Shown shown;
  GstHarness *viewer;

  shown = (Shown) { 0 };
  begin (ways[__i__].rtp);
  encoders[LOW].lag = ways[__i__].lag[LOW];
  encoders[HIGH].lag = ways[__i__].lag[HIGH];
  viewer = add_viewer ();
  switch_both_ways (viewer);
  look (viewer, &shown);
  fail_unless (shown.switches >= 2);    /* a machine that stalls may cause more */
  gst_harness_teardown (viewer);
  end ();
}

CLAIM (test_a_viewer_without_a_target_gets_the_lowest_rung)
{
  GstHarness *viewer;

  begin (FALSE);
  viewer = add_viewer ();
  run_until (viewer, LOW);
  gst_harness_teardown (viewer);
  end ();
}

CLAIM (test_without_a_keyframe_nobody_switches)
{
  static Shown shown;
  GstHarness *viewer;

  shown = (Shown) { 0 };
  begin (FALSE);
  viewer = add_viewer ();
  run_until (viewer, LOW);
  encoders[HIGH].deaf = TRUE;
  encoders[HIGH].key_at = GST_CLOCK_TIME_NONE;
  set_target (viewer, 2 * HIGH_BPS);
  for (guint n = 0; encoders[HIGH].asked < 3; n++) {
    fail_unless (n < MOST_FRAMES);
    step ();
  }
  fail_unless_equals_int (rung_of (viewer), LOW);
  look (viewer, &shown);
  fail_unless_equals_int (shown.switches, 0);
  gst_harness_teardown (viewer);
  end ();
}

CLAIM (test_many_viewers_share_a_keyframe)
{
  GstHarness *viewers[50];

  begin (TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (viewers); i++)
    viewers[i] = add_viewer ();
  run_until (viewers[0], LOW);
  run (20);
  for (guint i = 0; i < G_N_ELEMENTS (viewers); i++)
    set_target (viewers[i], 2 * HIGH_BPS);
  for (guint i = 0; i < G_N_ELEMENTS (viewers); i++)
    run_until (viewers[i], HIGH);
  hear_requests (&encoders[HIGH]);
  hear_requests (&encoders[LOW]);
  fail_unless (encoders[LOW].asked <= 3, "%u", encoders[LOW].asked);
  fail_unless (encoders[HIGH].asked <= 3, "%u", encoders[HIGH].asked);
  for (guint i = 0; i < G_N_ELEMENTS (viewers); i++)
    gst_harness_teardown (viewers[i]);
  end ();
}

CLAIM (test_viewers_have_streams_of_their_own)
{
  GstHarness *a, *b;
  g_autoptr (GstCaps) caps = NULL, other = NULL;
  guint ssrc, other_ssrc;

  begin (TRUE);
  a = add_viewer ();
  b = add_viewer ();
  run_until (a, LOW);
  run_until (b, LOW);
  caps = gst_pad_get_current_caps (a->sinkpad);
  other = gst_pad_get_current_caps (b->sinkpad);
  fail_unless (gst_structure_get_uint (gst_caps_get_structure (caps, 0), "ssrc", &ssrc));
  fail_unless (gst_structure_get_uint (gst_caps_get_structure (other, 0), "ssrc", &other_ssrc));
  fail_unless (ssrc != other_ssrc);
  gst_harness_teardown (a);
  gst_harness_teardown (b);
  end ();
}

CLAIM (test_what_a_viewer_asks_for_reaches_its_encoder_once)
{
  GstHarness *viewer;
  guint before;

  begin (FALSE);
  viewer = add_viewer ();
  run_until (viewer, LOW);
  run (5);
  before = encoders[LOW].asked;
  gst_harness_push_upstream_event (viewer,
      gst_video_event_new_upstream_force_key_unit (GST_CLOCK_TIME_NONE, TRUE, 0));
  for (guint n = 0; encoders[LOW].asked == before; n++) {
    fail_unless (n < MOST_FRAMES);
    step ();
  }
  run (100);
  fail_unless_equals_int (encoders[LOW].asked, before + 1);
  gst_harness_teardown (viewer);
  end ();
}

CLAIM (test_a_viewer_that_asks_all_the_time_gets_two_keyframes_a_second)
{
  GstHarness *viewer;
  gint64 began, us;
  guint before, asked;

  begin (FALSE);
  viewer = add_viewer ();
  run_until (viewer, LOW);
  run (5);
  before = encoders[LOW].asked;
  began = g_get_monotonic_time ();
  for (guint n = 0; n < 250; n++) {
    gst_harness_push_upstream_event (viewer,
        gst_video_event_new_upstream_force_key_unit (GST_CLOCK_TIME_NONE, TRUE, 0));
    step ();
  }
  us = g_get_monotonic_time () - began;
  asked = encoders[LOW].asked - before;
  fail_unless (asked >= 2 && asked <= 1 + us / 500000, "%u in %" G_GINT64_FORMAT " us", asked, us);
  gst_harness_teardown (viewer);
  end ();
}

CLAIM (test_a_network_below_all_rungs_is_told_and_served_again)
{
  GstHarness *viewer;
  GstBus *bus = gst_bus_new ();
  GstMessage *message;
  gboolean served;

  begin (FALSE);
  gst_element_set_bus (element, bus);
  viewer = add_viewer ();
  set_target (viewer, LOW_BPS + 1000);
  run_until (viewer, LOW);
  set_target (viewer, LOW_BPS / 4);
  run_until (viewer, -1);
  message = gst_bus_timed_pop_filtered (bus, 0, GST_MESSAGE_ELEMENT);
  fail_unless (message && gst_message_has_name (message, GST_ARC_LADDER_VIEWER_STATE));
  gst_structure_get_boolean (gst_message_get_structure (message), "served", &served);
  fail_unless (!served);
  gst_message_unref (message);
  set_target (viewer, 2 * LOW_BPS);
  run_until (viewer, LOW);
  message = gst_bus_timed_pop_filtered (bus, 0, GST_MESSAGE_ELEMENT);
  gst_structure_get_boolean (gst_message_get_structure (message), "served", &served);
  fail_unless (served);
  gst_message_unref (message);
  gst_element_set_bus (element, NULL);
  gst_object_unref (bus);
  gst_harness_teardown (viewer);
  end ();
}

static gboolean
is_thinned (GstHarness * viewer)
{
  g_autoptr (GstPad) pad = gst_pad_get_peer (viewer->sinkpad);
  GstStructure *stats, *s;
  const GValue *viewers;
  gboolean thinned = FALSE;

  g_object_get (element, "stats", &stats, NULL);
  viewers = gst_structure_get_value (stats, "viewer-list");
  for (guint i = 0; i < gst_value_array_get_size (viewers); i++) {
    s = g_value_get_boxed (gst_value_array_get_value (viewers, i));
    if (g_str_equal (gst_structure_get_string (s, "pad"), GST_OBJECT_NAME (pad)))
      gst_structure_get_boolean (s, "thinned", &thinned);
  }
  gst_structure_free (stats);
  return thinned;
}

static void
run_until_thinned (GstHarness * viewer, gboolean thinned)
{
  for (guint n = 0; is_thinned (viewer) != thinned; n++) {
    fail_unless (n < MOST_FRAMES);
    step ();
  }
}

/* How many packets came, without a gap in RTP; of odd frames. */
static guint
count_packets (GstHarness * viewer, guint * odd)
{
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  guint n = 0, seq = 0;
  GstBuffer *buffer;
  guint32 frame;

  *odd = 0;
  for (; (buffer = gst_harness_try_pull (viewer)); n++) {
    gst_buffer_extract (buffer, 12, &frame, sizeof frame);
    fail_unless (gst_rtp_buffer_map (buffer, GST_MAP_READ, &rtp));
    fail_unless (n == 0 || gst_rtp_buffer_get_seq (&rtp) == (guint16) (seq + 1));
    seq = gst_rtp_buffer_get_seq (&rtp);
    gst_rtp_buffer_unmap (&rtp);
    gst_buffer_unref (buffer);
    *odd += frame % 2;
  }
  return n;
}

CLAIM (test_below_the_lowest_rung_frames_that_no_other_needs_are_left_out)
{
  guint odd, asked;
  GstHarness *viewer;

  begin (TRUE);
  layered = TRUE;
  viewer = add_viewer ();
  set_target (viewer, LOW_BPS + 50000);
  run_until (viewer, LOW);
  run (30);
  asked = encoders[LOW].asked;
  set_target (viewer, LOW_BPS * 3 / 4);         /* half of it is the base */
  run_until_thinned (viewer, TRUE);
  count_packets (viewer, &odd);
  run (20);
  fail_unless_equals_int (count_packets (viewer, &odd), 10 * PACKETS);
  fail_unless_equals_int (odd, 0);
  fail_unless_equals_int (rung_of (viewer), LOW);
  set_target (viewer, LOW_BPS + 50000);
  run_until_thinned (viewer, FALSE);
  count_packets (viewer, &odd);
  run (20);
  fail_unless_equals_int (count_packets (viewer, &odd), 20 * PACKETS);
  fail_unless_equals_int (odd, 10 * PACKETS);
  fail_unless_equals_int (encoders[LOW].asked, asked);
  set_target (viewer, LOW_BPS / 4);     /* less than the base */
  run_until (viewer, -1);
  gst_harness_teardown (viewer);
  end ();
}

CLAIM (test_viewers_leave_an_encoder_that_ends)
{
  GstHarness *viewer;

  begin (TRUE);
  viewer = add_viewer ();
  set_target (viewer, 2 * HIGH_BPS);
  run_until (viewer, HIGH);
  run (5);
  gst_harness_push_event (encoders[HIGH].h, gst_event_new_eos ());
  for (guint n = 0; rung_of (viewer) != LOW; n++) {
    fail_unless (n < MOST_FRAMES);
    encode (LOW, n_now++);
    g_usleep (8000);
  }
  fail_unless (gst_harness_buffers_in_queue (viewer) > 0);
  gst_harness_push_event (encoders[LOW].h, gst_event_new_eos ());
  fail_unless (viewer->sinkpad != NULL && GST_PAD_IS_EOS (viewer->sinkpad));
  gst_harness_teardown (viewer);
  end ();
}

CLAIM (test_after_a_flush_a_viewer_begins_at_a_keyframe)
{
  GstHarness *viewer;
  GstBuffer *buffer;
  GstSegment segment;

  begin (FALSE);
  viewer = add_viewer ();
  run_until (viewer, LOW);
  run (3);
  while ((buffer = gst_harness_try_pull (viewer)))
    gst_buffer_unref (buffer);
  for (guint i = 0; i < 2; i++) {
    gst_harness_push_event (encoders[i].h, gst_event_new_flush_start ());
    gst_harness_push_event (encoders[i].h, gst_event_new_flush_stop (TRUE));
    gst_segment_init (&segment, GST_FORMAT_TIME);
    gst_harness_push_event (encoders[i].h, gst_event_new_segment (&segment));
  }
  run_until (viewer, LOW);
  buffer = gst_harness_pull (viewer);
  fail_unless (!GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_DELTA_UNIT));
  gst_buffer_unref (buffer);
  gst_harness_teardown (viewer);
  end ();
}

static gpointer
play (gpointer user_data)
{
  gint *stop = user_data;

  while (!g_atomic_int_get (stop))
    step ();
  return NULL;
}

CLAIM (test_viewers_come_and_go_while_it_plays)
{
  GThread *thread;
  gint stop = FALSE;
  g_autoptr (GstStructure) stats = NULL;
  guint viewers;
  guint64 left;

  begin (TRUE);
  thread = g_thread_new ("encoders", play, &stop);
  for (guint i = 0; i < 200; i++) {
    g_autoptr (GstPad) pad = gst_element_request_pad_simple (element, "src_%u");
    STOPPED GstElement *sink = gst_element_factory_make ("fakesink", NULL);
    g_autoptr (GstPad) sinkpad = gst_element_get_static_pad (sink, "sink");

    g_object_set (sink, "async", FALSE, "sync", FALSE, NULL);
    gst_element_set_state (sink, GST_STATE_PLAYING);
    fail_unless_equals_int (gst_pad_link (pad, sinkpad), GST_PAD_LINK_OK);
    g_usleep (1000 * (i % 7));
    gst_element_release_request_pad (element, pad);
  }
  g_atomic_int_set (&stop, TRUE);
  g_thread_join (thread);
  g_object_get (element, "stats", &stats, NULL);
  gst_structure_get (stats, "viewers", G_TYPE_UINT, &viewers, "viewers-left", G_TYPE_UINT64, &left,
      NULL);
  fail_unless (viewers == 0 && left == 200);
  end ();
}

CLAIM (test_a_viewer_that_fails_does_not_stop_the_others)
{
  GstHarness *viewer;
  GstElement *sink = gst_element_factory_make ("fakesink", NULL);
  GstPad *pad, *sinkpad = gst_element_get_static_pad (sink, "sink");

  begin (FALSE);
  pad = gst_element_request_pad_simple (element, "src_%u");
  gst_pad_link (pad, sinkpad);
  gst_util_set_object_arg (G_OBJECT (sink), "state-error", "none");
  viewer = add_viewer ();
  run_until (viewer, LOW);      /* the sink is in NULL: it refuses all */
  run (10);
  fail_unless (gst_harness_buffers_in_queue (viewer) > 5);
  gst_element_release_request_pad (element, pad);
  gst_object_unref (pad);
  gst_object_unref (sinkpad);
  gst_object_unref (sink);
  gst_harness_teardown (viewer);
  end ();
}

CLAIM (test_viewers_are_numbered_on_beside_one_of_the_highest_number)
{
  g_autoptr (GstElement) select = gst_element_factory_make ("arcladder", NULL);
  GstPad *pad;

  for (guint i = 0; i < 4; i++) {
    pad = gst_element_request_pad_simple (select, i == 0 ? "src_4294967294" : "src_%u");
    fail_unless (pad != NULL, "pad %u", i);
    gst_object_unref (pad);
  }
}

/* --- what the encoders' streams are like --- */

static void
measure_bitrates (void)
{
  for (guint i = 0; i < 2; i++) {
    GstPad *pad = gst_pad_get_peer (encoders[i].h->srcpad);

    g_object_set (pad, "bitrate", 0, NULL);
    gst_object_unref (pad);
    encoders[i].deaf = TRUE;
  }
}

/* It takes 300 ms until a bitrate is known. */
CLAIM (test_sources_that_make_one_keyframe_are_seen_from_it_on)
{
  static Shown shown;
  GstHarness *viewer;

  begin (TRUE);
  measure_bitrates ();
  viewer = add_viewer ();
  run (80);
  look (viewer, &shown);
  fail_unless_equals_int (shown.frame[0], 10);
  fail_unless_equals_int (shown.n, 80);
  fail_unless_equals_int (encoders[shown.which[0]].asked, 0);
  gst_harness_teardown (viewer);
  end ();
}

CLAIM (test_a_stream_without_times_passes)
{
  GstSegment segment;
  GstHarness *viewer;

  begin (FALSE);
  gst_segment_init (&segment, GST_FORMAT_BYTES);
  for (guint i = 0; i < 2; i++)
    fail_unless (gst_harness_push_event (encoders[i].h, gst_event_new_segment (&segment)));
  viewer = add_viewer ();
  run (20);
  fail_unless (gst_harness_buffers_received (viewer) >= 15);
  gst_harness_teardown (viewer);
  end ();
}

CLAIM (test_after_its_end_a_stream_may_begin_anew)
{
  GstHarness *viewer;
  GstEvent *event;
  guint begun = 0, before;

  begin (TRUE);
  viewer = add_viewer ();
  run_until (viewer, LOW);
  for (guint i = 0; i < 2; i++)
    fail_unless (gst_harness_push_event (encoders[i].h, gst_event_new_eos ()));
  for (guint i = 0; i < 2; i++) {
    gst_harness_push_event (encoders[i].h, gst_event_new_stream_start ("another"));
    gst_harness_set_src_caps_str (encoders[i].h, RTP_CAPS);
    encoders[i].key_at = 0;
  }
  before = gst_harness_buffers_received (viewer);
  run (20);
  fail_unless (gst_harness_buffers_received (viewer) > before);
  while ((event = gst_harness_try_pull_event (viewer))) {
    begun += GST_EVENT_TYPE (event) == GST_EVENT_STREAM_START;
    fail_if (GST_EVENT_TYPE (event) == GST_EVENT_EOS && begun != 1);
    gst_event_unref (event);
  }
  fail_unless_equals_int (begun, 2);
  gst_harness_teardown (viewer);
  end ();
}
