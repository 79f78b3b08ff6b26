/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Receivers that do not report, or not yet. */

#include "rmcsinkfixture.h"

#define PLAIN_CAPS \
    "application/x-rtp, media=video, encoding-name=X-TEST, payload=0, clock-rate=90000"
#define STOPS "controller-params=\"params,stop=0.3\" "

static const RcReport hello = {.ssrc = SSRC,.number = 1 };

typedef struct
{
  guint rtp, rtcp;
} Count;

/* What comes in `span`, while a live source pushes a frame of one packet each 50 ms. */
static Count
count_datagrams (Fixture * f, RcTime span)
{
  RcTime end = monotonic_ns () + span, now, next = 0;
  static guint32 timestamp;
  Count count = { 0 };
  Datagram d;

  while ((now = monotonic_ns ()) < end) {
    if (now >= next) {
      push_frame (f, ++timestamp, TRUE, 1, 500);
      next = now + 50 * RC_MSEC;
    }
    if (receive (f, &d, next - now)) {
      count.rtcp += d.rtcp;
      count.rtp += !d.rtcp;
    }
  }
  return count;
}

static gboolean
receive_rtcp (Fixture * f, RcTime timeout)
{
  RcTime until = monotonic_ns () + timeout, now;
  Datagram d;

  while ((now = monotonic_ns ()) < until)
    if (receive (f, &d, until - now) && d.rtcp)
      return TRUE;
  return FALSE;
}

CLAIM_TIMEOUT_S (120)

/* Infos tell the RTT and how often to report: nobody who does not report needs them. */
TIMED_CLAIM_ON (test_no_rtcp_leaves_before_a_report_came, SINK (TRUE, "adapt-encoder=false"))
{
  Count count;

  fixture_play (f);
  count = count_datagrams (f, 2500 * RC_MSEC);
  fail_unless (count.rtp > 20, "%u packets of media", count.rtp);
  fail_unless_equals_int (count.rtcp, 0);
  send_report (f, hello);
  fail_unless (receive_rtcp (f, PATIENCE), "the first report is answered at once");
  count = count_datagrams (f, 2500 * RC_MSEC);
  fail_unless (count.rtcp >= 2, "%u infos", count.rtcp);
}

TIMED_CLAIM_ON (test_a_receiver_that_never_reported_is_asked_with_media,
    SINK (TRUE, "adapt-encoder=false " STOPS))
{
  Count count;

  fixture_play (f);
  count_datagrams (f, 350 * RC_MSEC);
  wait_until (state_is (f, "stopped"));
  count = count_datagrams (f, 3500 * RC_MSEC);
  fail_unless_equals_int (count.rtcp, 0);
  fail_unless (count.rtp >= 2 && count.rtp <= 5, "%u packets in 3.5 s", count.rtp);
  send_report (f, hello);
  wait_until (state_is (f, "running"));
}

static guint
count_answers (Fixture * f)
{
  GstMessage *message;
  guint n = 0;

  while ((message = gst_bus_pop_filtered (f->bus, GST_MESSAGE_INFO))) {
    g_autofree gchar *debug = NULL;

    gst_message_parse_info (message, NULL, &debug);
    n += strstr (debug, "answers again: media flows") != NULL;
    gst_message_unref (message);
  }
  return n;
}

/* Reports until one message more has come. */
static void
wait_for_answer_told (Fixture * f, guint32 * number)
{
  guint tries;

  for (tries = 0; tries < 300 && count_answers (f) == 0; tries++) {
    send_report (f, (RcReport) {.ssrc = SSRC,.number = ++*number});
    count_datagrams (f, 100 * RC_MSEC);
  }
  fail_unless (tries < 300, "nothing is said");
}

static void
wait_for_warning (Fixture * f)
{
  g_autoptr (GstMessage) message = NULL;

  for (guint tries = 0; tries < 300 && !message; tries++) {
    count_datagrams (f, 100 * RC_MSEC);
    message = gst_bus_pop_filtered (f->bus, GST_MESSAGE_WARNING);
  }
  fail_unless (message != NULL, "no warning");
}

CLAIM_ON (test_that_the_receiver_answers_again_is_told_once_an_outage,
    SINK (TRUE, "adapt-encoder=false " STOPS))
{
  guint32 number = 0;

  fixture_play (f);
  for (guint outage = 0; outage < 2; outage++) {
    wait_for_warning (f);
    fail_unless_equals_int (count_answers (f), 0);
    wait_for_answer_told (f, &number);
    send_report (f, (RcReport) {.ssrc = SSRC,.number = ++number});
    fail_unless_equals_int (count_answers (f), 0);
  }
}

static gpointer
push_fifty (gpointer user_data)
{
  push_frame (user_data, 0, FALSE, 50, 500);
  return NULL;
}

/* What the file's thread waits with is what asks, in its order, and the rest leaves when
 * somebody answers. */
TIMED_CLAIM (test_a_file_asks_with_its_next_packets)
{
  GThread *thread;
  guint16 seq = 0;
  AT_END (fixture_clear) Fixture f;
  Datagram d;
  RcTime until;

  fixture_init (&f, FALSE, "adapt-encoder=false sync=false start-bitrate=100000 min-bitrate=100000 "
      "max-queue-time=1 " STOPS);
  fixture_play (&f);
  thread = g_thread_new ("file", push_fifty, &f);
  wait_until (state_is (&f, "stopped"));
  while (receive (&f, &d, 0))
    fail_unless_equals_int (d.seq, seq++);
  fail_unless (seq < 20, "%u packets in 0.3 s", seq);
  until = monotonic_ns () + 2500 * RC_MSEC;
  while (monotonic_ns () < until)
    if (receive (&f, &d, 100 * RC_MSEC)) {
      fail_if (d.rtcp);
      fail_unless_equals_int (d.seq, seq++);
    }
  fail_unless (seq >= 2 && seq < 25, "%u packets", seq);
  fail_unless (state_is (&f, "stopped"));
  send_report (&f, hello);
  while (seq < 50) {
    fail_unless (receive (&f, &d, PATIENCE));
    if (!d.rtcp)
      fail_unless_equals_int (d.seq, seq++);
    send_report (&f, hello);
  }
  g_thread_join (thread);
}

TIMED_CLAIM (test_fixed_stops_only_where_a_parameter_says_so)
{
  AT_END (fixture_clear) Fixture plain, strict;
  Count count;
  gint64 end;

  fixture_init (&plain, TRUE, "adapt-encoder=false congestion-control=fixed");
  fixture_init (&strict, TRUE,
      "adapt-encoder=false congestion-control=fixed controller-params=params,stop=5.0");
  fixture_play (&plain);
  fixture_play (&strict);
  end = g_get_monotonic_time () + 6 * G_TIME_SPAN_SECOND;
  push_frame (&strict, 0, FALSE, 1, 500);
  count = count_datagrams (&plain, 6 * RC_SECOND);
  fail_unless (count.rtp > 80, "%u packets in 6 s", count.rtp);
  fail_unless_equals_int (count.rtcp, 0);
  fail_unless (state_is (&plain, "running"));
  fail_unless (g_get_monotonic_time () >= end, "%" G_GINT64_FORMAT " us too early",
      end - g_get_monotonic_time ());
  fail_unless (state_is (&strict, "stopped"));
}

/* rtpjitterbuffer warns of each packet that is no RTP. */
TIMED_CLAIM_ON (test_a_plain_receiver_gets_media_and_no_warning,
    SINK (TRUE, "adapt-encoder=false congestion-control=fixed"))
{
  GstElement *out;
  STOPPED GstElement *receiver = NULL;
  gint64 end = g_get_monotonic_time () + 3 * G_TIME_SPAN_SECOND;
  guint32 timestamp = 0;
  GstMessage *message;
  guint64 rendered = 0;
  g_autoptr (GstStructure) stats = NULL;
  g_autofree gchar *line = NULL;
  g_autoptr (GstBus) bus = NULL;

  g_socket_close (f->socket, NULL);
  line = g_strdup_printf ("udpsrc address=127.0.0.1 port=%u caps=\"" PLAIN_CAPS "\" "
      "! rtpjitterbuffer latency=50 ! fakesink name=out sync=false async=false", f->port);
  receiver = gst_parse_launch (line, NULL);
  fail_unless (gst_element_set_state (receiver, GST_STATE_PLAYING) != GST_STATE_CHANGE_FAILURE);
  fixture_play (f);
  while (g_get_monotonic_time () < end) {
    push_frame (f, timestamp += 4500, FALSE, 1, 500);
    g_usleep (50000);
  }
  out = gst_bin_get_by_name (GST_BIN (receiver), "out");
  g_object_get (out, "stats", &stats, NULL);
  fail_unless (gst_structure_get_uint64 (stats, "rendered", &rendered) && rendered > 30,
      "%d buffers", (gint) rendered);
  gst_object_unref (out);
  bus = gst_element_get_bus (receiver);
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING | GST_MESSAGE_ERROR);
  fail_unless (message == NULL, "%s", message ? GST_MESSAGE_TYPE_NAME (message) : "");
}

/* --- a source that says that it is not live, and nobody there --- */

#define NOBODY(stop) "rmcsink name=sink host=127.0.0.1 port=9 adapt-encoder=false " \
    "controller-params=\"params,stop=" stop "\""
/* An address that this machine may get later. */
#define UNREACHABLE "rmcsink name=sink host=127.0.0.1 bind-address=192.0.2.9 port=9 " \
    "adapt-encoder=false"
#define FRAME_US 20000

static GstElement *
play_line (const gchar * line)
{
  GstElement *pipeline;

  pipeline = gst_parse_launch (line, NULL);
  fail_unless (pipeline != NULL);
  fail_if (gst_element_set_state (pipeline, GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE);
  return pipeline;
}

/* us. The application makes a packet each 20 ms, and makes up for those that it could not push. */
static gint64
longest_push (GstElement * source, gint64 span_us)
{
  gint64 begin = g_get_monotonic_time (), before, longest = 0;
  GstFlowReturn flow;

  for (gint64 n = 0; n * FRAME_US < span_us; n++) {
    GstBuffer *buffer = gst_rtp_buffer_new_allocate (160, 0, 0);
    GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

    fail_unless (gst_rtp_buffer_map (buffer, GST_MAP_WRITE, &rtp));
    gst_rtp_buffer_set_seq (&rtp, (guint16) n);
    gst_rtp_buffer_set_timestamp (&rtp, (guint32) n * 160);
    gst_rtp_buffer_unmap (&rtp);
    GST_BUFFER_PTS (buffer) = (GstClockTime) n * FRAME_US * GST_USECOND;
    before = g_get_monotonic_time ();
    g_signal_emit_by_name (source, "push-buffer", buffer, &flow);
    gst_buffer_unref (buffer);
    fail_unless_equals_int (flow, GST_FLOW_OK);
    longest = MAX (longest, g_get_monotonic_time () - before);
    g_usleep ((gulong) CLAMP (begin + (n + 1) * FRAME_US - g_get_monotonic_time (), 0, FRAME_US));
  }
  return longest;
}

/* As OpenCV's VideoWriter. */
static void
fail_if_held_up (const gchar * sink)
{
  gchar *line = g_strconcat ("appsrc name=source format=time block=true max-bytes=1 caps="
      "\"application/x-rtp,media=audio,encoding-name=PCMU,clock-rate=8000,payload=0\" ! ", sink,
      NULL);
  g_autoptr (GstElement) pipeline = play_line (line);
  g_autoptr (GstElement) source = gst_bin_get_by_name (GST_BIN (pipeline), "source");
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  gint64 longest_us = longest_push (source, 6 * G_USEC_PER_SEC);
  g_autoptr (GstMessage) message = gst_bus_pop_filtered (bus, GST_MESSAGE_INFO);

  fail_unless (longest_us < G_USEC_PER_SEC, "%d ms", (gint) (longest_us / 1000));
  fail_unless (message != NULL);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  g_free (line);
}

/* Each call waited for two seconds. */
CLAIM (test_an_application_that_keeps_pace_is_not_held_up_and_told_that_it_is_live)
{
  fail_if_held_up (NOBODY ("3"));
}

/* The first one waited for ever. */
CLAIM (test_an_application_whose_receiver_cannot_be_reached_is_not_held_up)
{
  fail_if_held_up (UNREACHABLE);
}

/* A file whose first frames were taken to see its pace. */
CLAIM (test_a_source_that_runs_ahead_waits_for_a_receiver_that_cannot_be_reached)
{
  STOPPED GstElement *pipeline = play_line ("audiotestsrc name=source samplesperbuffer=160 "
      "! audio/x-raw,rate=8000 ! mulawenc ! rtppcmupay min-ptime=20000000 max-ptime=20000000 ! "
      UNREACHABLE);
  g_autoptr (GstElement) source = gst_bin_get_by_name (GST_BIN (pipeline), "source");
  gint64 position;

  g_usleep (3 * G_USEC_PER_SEC);
  fail_unless (gst_element_query_position (source, GST_FORMAT_TIME, &position));
  fail_unless (position < GST_SECOND, "%d ms", (gint) (position / GST_MSECOND));
}

/* A file is as fast as it may be: it waits for a receiver. */
CLAIM (test_a_source_that_runs_ahead_waits_for_a_receiver_and_loses_nothing)
{
  STOPPED GstElement *pipeline = play_line ("audiotestsrc name=source samplesperbuffer=160 "
      "! audio/x-raw,rate=8000 ! mulawenc ! rtppcmupay min-ptime=20000000 max-ptime=20000000 ! "
      NOBODY ("0.5"));
  g_autoptr (GstElement) source = gst_bin_get_by_name (GST_BIN (pipeline), "source");
  g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  g_autoptr (GstStructure) stats = NULL;
  guint64 dropped = 1;
  gint64 position;

  g_usleep (4 * G_USEC_PER_SEC);
  fail_unless (gst_element_query_position (source, GST_FORMAT_TIME, &position));
  fail_unless (position < 3 * GST_SECOND, "%d ms", (gint) (position / GST_MSECOND));
  g_object_get (sink, "stats", &stats, NULL);
  fail_unless (gst_structure_get_uint64 (stats, "frames-dropped", &dropped) && dropped == 0);
}
