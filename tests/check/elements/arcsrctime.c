/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The times that arcsrc gives to media, and the messages that it posts when media stays away.
 * Over real sockets on the loopback interface. */
#include "arcsrcfixture.h"

#include "bustext.h"

typedef struct
{
  Receiver r;
  GSocket *sender;
  gint done;
} Stall;

/* The second packet comes while the receiving thread is busy with the first. */
static GstPadProbeReturn
stall (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  Stall *s = user_data;

  if (!g_atomic_int_compare_and_exchange (&s->done, FALSE, TRUE))
    return GST_PAD_PROBE_OK;
  send_rtp (s->sender, &s->r, SSRC, 2);
  g_usleep (200 * 1000);
  return GST_PAD_PROBE_OK;
}

TIMED_CLAIM (test_kernel_arrival_time_becomes_the_dts)
{
  Stall s = {.sender = sender_new ("127.0.0.1") };
  GstClockTime dts[2];
  GstPad *pad;

  receiver_open (&s.r, "127.0.0.1", 0);
  pad = gst_element_get_static_pad (s.r.src, "src");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, stall, &s, NULL);
  send_rtp (s.sender, &s.r, SSRC, 1);
  for (guint i = 0; i < 2; i++) {
    g_autoptr (GstBuffer) buffer = gst_harness_pull (s.r.media);

    dts[i] = GST_BUFFER_DTS (buffer);
  }
  fail_unless (dts[1] >= dts[0] && dts[1] - dts[0] < 150 * GST_MSECOND, "%" G_GINT64_FORMAT " ns",
      GST_CLOCK_DIFF (dts[0], dts[1]));
  gst_object_unref (pad);
  g_object_unref (s.sender);
  receiver_close (&s.r);
}

/* Times of media, in the pipeline's running time. */
static void
check_times (Receiver * r, GstBuffer * buffer, GstClockTime * last)
{
  GstClockTime now = gst_element_get_current_running_time (r->src);

  fail_unless (GST_BUFFER_DTS (buffer) <= now, "DTS %" GST_TIME_FORMAT " at %" GST_TIME_FORMAT,
      GST_TIME_ARGS (GST_BUFFER_DTS (buffer)), GST_TIME_ARGS (now));
  fail_unless (!GST_BUFFER_PTS_IS_VALID (buffer) || GST_BUFFER_PTS (buffer) <= now,
      "PTS %" GST_TIME_FORMAT " at %" GST_TIME_FORMAT, GST_TIME_ARGS (GST_BUFFER_PTS (buffer)),
      GST_TIME_ARGS (now));
  fail_unless (GST_BUFFER_DTS (buffer) >= *last, "DTS %" GST_TIME_FORMAT " after %"
      GST_TIME_FORMAT, GST_TIME_ARGS (GST_BUFFER_DTS (buffer)), GST_TIME_ARGS (*last));
  *last = GST_BUFFER_DTS (buffer);
}

CLAIM_ON (test_media_that_came_before_playing_has_a_time_of_the_stream, RECEIVER ("127.0.0.1", 0))
{
  g_autoptr (GSocket) sender = sender_new ("127.0.0.1");
  GstClockTime last = 0;
  GstBuffer *buffer;
  guint16 seq;

  gst_element_set_state (r->src, GST_STATE_READY);
  send_rtp (sender, r, SSRC, 1);
  send_rtp (sender, r, SSRC, 2);
  g_usleep (20 * 1000);
  gst_element_set_base_time (r->src, gst_clock_get_time (GST_ELEMENT_CLOCK (r->src)));
  send_rtp (sender, r, SSRC, 3);
  gst_element_set_state (r->src, GST_STATE_PLAYING);
  for (seq = 1; seq <= 3; seq++) {
    buffer = gst_harness_pull (r->media);
    check_times (r, buffer, &last);
    gst_buffer_unref (buffer);
  }
  fail_unless (last > 0, "what came after the base time keeps its own");
}

/* While paused the socket goes on to fill; running time stands still. */
CLAIM_ON (test_media_that_came_in_a_pause_is_not_from_before_it, RECEIVER ("127.0.0.1", 0))
{
  g_autoptr (GSocket) sender = sender_new ("127.0.0.1");
  g_autoptr (GstClock) clock = NULL;
  GstClockTime last = 0;
  GstBuffer *buffer;

  clock = gst_element_get_clock (r->src);
  g_usleep (50 * 1000);
  send_rtp (sender, r, SSRC, 1);
  buffer = gst_harness_pull (r->media);
  check_times (r, buffer, &last);
  gst_buffer_unref (buffer);
  gst_element_set_state (r->src, GST_STATE_PAUSED);
  send_rtp (sender, r, SSRC, 2);
  g_usleep (200 * 1000);
  gst_element_set_base_time (r->src, gst_clock_get_time (clock) - last - 10 * GST_MSECOND);
  gst_element_set_state (r->src, GST_STATE_PLAYING);
  buffer = gst_harness_pull (r->media);
  check_times (r, buffer, &last);
  gst_buffer_unref (buffer);
}

TIMED_CLAIM_ON (test_timeout_message_comes_once_and_resumed_after_it,
    RECEIVER ("127.0.0.1", 100 * GST_MSECOND))
{
  g_autoptr (GSocket) sender = sender_new ("127.0.0.1");
  GstMessage *message;
  g_autofree gchar *name = g_strdup_printf ("127.0.0.1:%d", sender_port (sender));
  guint64 timeout, silence;

  send_rtp (sender, r, SSRC, 1);
  check_media_comes (r, 1);
  message = wait_message (r, GST_ARC_SRC_TIMEOUT);
  fail_unless (gst_structure_get (gst_message_get_structure (message),
          "timeout", G_TYPE_UINT64, &timeout, "silence", G_TYPE_UINT64, &silence, NULL));
  fail_unless_equals_uint64 (timeout, 100 * GST_MSECOND);
  fail_unless (silence >= timeout, "%" G_GUINT64_FORMAT " ns", silence);
  fail_unless_equals_string (gst_structure_get_string (gst_message_get_structure (message),
          "sender"), name);
  gst_message_unref (message);

  fail_unless (gst_bus_timed_pop_filtered (r->bus, 300 * GST_MSECOND, GST_MESSAGE_ELEMENT) == NULL);
  send_rtp (sender, r, SSRC, 2);
  gst_message_unref (wait_message (r, GST_ARC_SRC_RESUMED));
  gst_message_unref (wait_message (r, GST_ARC_SRC_TIMEOUT));
}

static void
send_stream (Receiver * r, GSocket * sender, guint16 first_seq)
{
  for (guint16 i = 0; i < 10; i++) {
    send_rtp (sender, r, SSRC, (guint16) (first_seq + i));
    check_media_comes (r, (guint16) (first_seq + i));
  }
}

TIMED_CLAIM_ON (test_a_stream_that_stops_is_told_in_words_and_so_is_its_return,
    RECEIVER ("127.0.0.1", 100 * GST_MSECOND))
{
  const GstMessageType words = GST_MESSAGE_WARNING | GST_MESSAGE_INFO;
  g_autoptr (GSocket) sender = sender_new ("127.0.0.1");
  g_autofree gchar *stopped = g_strdup_printf ("no media has come from 127.0.0.1:%d for ",
      sender_port (sender));
  g_autofree gchar *returned = g_strdup_printf ("127.0.0.1:%d sends again, after ",
      sender_port (sender));

  send_rtp (sender, r, SSRC, 1);        /* no stream yet */
  check_media_comes (r, 1);
  gst_message_unref (wait_message (r, GST_ARC_SRC_TIMEOUT));
  send_stream (r, sender, 2);
  bus_says (r->bus, 5 * GST_SECOND, words, stopped, "Media goes on when it sends again");
  send_stream (r, sender, 20);
  bus_says (r->bus, 5 * GST_SECOND, words, returned, " s without media");
  gst_message_unref (wait_message (r, GST_ARC_SRC_TIMEOUT));
  fail_unless (bus_text (r->bus, 500 * GST_MSECOND, words) == NULL, "again within 30 timeouts");
  bus_says (r->bus, 5 * GST_SECOND, words, stopped);
}

TIMED_CLAIM_ON (test_a_sender_that_says_bye_is_not_missed, RECEIVER ("127.0.0.1",
        100 * GST_MSECOND))
{
  g_autoptr (GSocket) sender = sender_new ("127.0.0.1");
  RcSenderInfo info = {.ssrc = SSRC };

  send_stream (r, sender, 1);
  info.cookie = sender_wait_notice (sender).cookie;
  sender_send (sender, "127.0.0.1", receiver_port (r), rtcp_new_farewell (SSRC, &info, 1));
  gst_message_unref (wait_message (r, GST_ARC_SRC_TIMEOUT));
  fail_unless (bus_text (r->bus, 300 * GST_MSECOND, GST_MESSAGE_WARNING) == NULL);
}

/* A screen on which nothing changes. */
TIMED_CLAIM_ON (test_a_sender_that_sends_infos_pauses_and_is_there,
    RECEIVER ("127.0.0.1", 400 * GST_MSECOND))
{
  g_autoptr (GSocket) sender = sender_new ("127.0.0.1");
  gint64 begin;

  send_rtp (sender, r, SSRC, 1);
  check_media_comes (r, 1);
  begin = g_get_monotonic_time ();
  for (guint i = 0; i < 10; i++) {
    sender_send (sender, "127.0.0.1", receiver_port (r), info_new (0));
    fail_unless (gst_bus_timed_pop_filtered (r->bus, 100 * GST_MSECOND, GST_MESSAGE_ELEMENT)
        == NULL, "a message after %" G_GINT64_FORMAT " us", g_get_monotonic_time () - begin);
  }
  gst_message_unref (wait_message (r, GST_ARC_SRC_TIMEOUT));
}

TIMED_CLAIM_ON (test_statistics_come_as_messages_in_silence_too, RECEIVER ("127.0.0.1", 0))
{
  GstClockTime begin, end;
  GstMessage *message;

  fail_unless (gst_bus_timed_pop_filtered (r->bus, 100 * GST_MSECOND, GST_MESSAGE_ELEMENT) == NULL,
      "0 is never");
  begin = gst_util_get_timestamp ();
  g_object_set (r->src, "stats-interval", 50 * GST_MSECOND, NULL);
  for (guint i = 0; i < 4; i++) {
    message = wait_message (r, GST_ARC_SRC_STATS);
    fail_unless (gst_structure_has_field (gst_message_get_structure (message), "packets-foreign"));
    fail_unless (gst_structure_has_field (gst_message_get_structure (message), "sources"));
    gst_message_unref (message);
  }
  end = gst_util_get_timestamp ();
  fail_unless (end - begin >= 190 * GST_MSECOND, "%" GST_TIME_FORMAT, GST_TIME_ARGS (end - begin));
  /* Restarts, and an end while the next is far away. */
  g_object_set (r->src, "stats-interval", GST_SECOND * 3600, NULL);
  gst_element_set_state (r->src, GST_STATE_READY);
  g_object_set (r->src, "stats-interval", (guint64) 1, NULL);
  gst_element_set_state (r->src, GST_STATE_PLAYING);
  gst_message_unref (wait_message (r, GST_ARC_SRC_STATS));
  g_object_get (r->src, "stats-interval", &begin, NULL);
  fail_unless_equals_uint64 (begin, 10 * GST_MSECOND);
  g_object_set (r->src, "stats-interval", (guint64) 0, NULL);
}

/* As that of a sound card with nothing to play. */
typedef GstSystemClock StoppedClock;
typedef GstSystemClockClass StoppedClockClass;
GType stopped_clock_get_type (void);
G_DEFINE_TYPE (StoppedClock, stopped_clock, GST_TYPE_SYSTEM_CLOCK);

static GstClockTime
stand_still (GstClock * clock)
{
  return GST_SECOND;
}

static void
stopped_clock_class_init (StoppedClockClass * klass)
{
  GST_CLOCK_CLASS (klass)->get_internal_time = stand_still;
}

static void
stopped_clock_init (StoppedClock * self)
{
}

CLAIM_ON (test_statistics_come_while_the_clock_of_the_pipeline_stands_still,
    RECEIVER ("127.0.0.1", 0))
{
  g_autoptr (GstClock) clock = g_object_new (stopped_clock_get_type (), NULL);

  gst_object_ref_sink (clock);
  gst_element_set_clock (r->src, clock);
  g_object_set (r->src, "stats-interval", 20 * GST_MSECOND, NULL);
  for (guint i = 0; i < 3; i++)
    gst_message_unref (wait_message (r, GST_ARC_SRC_STATS));
  gst_element_set_state (r->src, GST_STATE_NULL);
  gst_element_set_clock (r->src, NULL);
}

CLAIM_ON (test_one_thread_does_all_that_is_due, RECEIVER ("127.0.0.1", 0))
{
  for (guint i = 0; i < 500 && count_threads ("arc-reports") == 0; i++)
    g_usleep (10000);
  g_usleep (50000);
  fail_unless_equals_int (count_threads ("arc-reports"), 1);
}

CLAIM_ON (test_timeout_message_comes_where_nobody_ever_sends,
    RECEIVER ("127.0.0.1", 50 * GST_MSECOND))
{
  g_autoptr (GstMessage) message = wait_message (r, GST_ARC_SRC_TIMEOUT);

  fail_if (gst_structure_has_field (gst_message_get_structure (message), "sender"));
}

CLAIM_ON (test_where_nothing_comes_a_user_is_told_once_what_to_check,
    RECEIVER ("127.0.0.1", 20 * GST_MSECOND))
{
  GstMessage *message;
  g_autoptr (GError) error = NULL;
  g_autofree gchar *port = NULL;

  message = gst_bus_timed_pop_filtered (r->bus, 30 * GST_SECOND, GST_MESSAGE_WARNING);
  fail_unless (message != NULL);
  gst_message_parse_warning (message, &error, NULL);
  port = g_strdup_printf ("UDP port %u yet", receiver_port (r));
  fail_unless (strstr (error->message, port) && strstr (error->message, "set mode=caller here"),
      "%s", error->message);
  gst_message_unref (message);
  fail_unless (gst_bus_timed_pop_filtered (r->bus, 200 * GST_MSECOND, GST_MESSAGE_WARNING) == NULL);
}

CLAIM (test_where_nothing_authentic_comes_a_user_is_told_of_the_key)
{
  STOPPED GstElement *src = gst_element_factory_make ("arcsrc", NULL);
  g_autoptr (GstBus) bus = gst_bus_new ();
  g_autoptr (GSocket) sender = sender_new ("127.0.0.1");
  GstMessage *message = NULL;
  gint port;

  gst_element_set_bus (src, bus);
  g_object_set (src, "address", "127.0.0.1", "port", 0, "timeout", 20 * GST_MSECOND, NULL);
  gst_util_set_object_arg (G_OBJECT (src), "srtp-key",
      "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d");
  if (gst_element_set_state (src, GST_STATE_PLAYING) != GST_STATE_CHANGE_FAILURE) {
    g_object_get (src, "port", &port, NULL);
    for (guint i = 0; i < 3000 && !message; i++) {
      sender_send (sender, "127.0.0.1", (guint16) port, media_new (SSRC, (guint16) i));
      message = gst_bus_timed_pop_filtered (bus, 10 * GST_MSECOND, GST_MESSAGE_WARNING);
    }
    fail_unless (message != NULL);
    fail_unless (gst_bus_timed_pop_filtered (bus, 0, GST_MESSAGE_WARNING) == NULL);
    gst_message_unref (message);
  }                             /* else: a build without SRTP */
}

CLAIM_ON (test_where_media_came_silence_is_not_taken_for_a_wrong_port, RECEIVER ("127.0.0.1", 0))
{
  g_autoptr (GSocket) sender = sender_new ("127.0.0.1");

  g_object_set (r->src, "sender-timeout", (guint64) GST_MSECOND, NULL);
  send_rtp (sender, r, SSRC, 1);
  check_media_comes (r, 1);
  g_object_set (r->src, "timeout", 20 * GST_MSECOND, NULL);
  send_rtp (sender, r, SSRC, 2);       /* udpsrc waits as it was told before */
  fail_unless (gst_bus_timed_pop_filtered (r->bus, 300 * GST_MSECOND, GST_MESSAGE_WARNING) == NULL);
}

/* 5 ms apart, so that udpsrc, which hears them, never times out itself. */
static gpointer
intrude (gpointer user_data)
{
  Receiver *r = user_data;
  g_autoptr (GSocket) intruder = sender_new ("127.0.0.1");
  static const guint8 noise[] = { 0, 1, 2, 3 };

  while (!GPOINTER_TO_INT (g_object_get_data (G_OBJECT (r->src), "stop"))) {
    sender_send (intruder,
        "127.0.0.1", receiver_port (r), gst_buffer_new_memdup (noise, sizeof (noise)));
    g_usleep (5000);
  }
  return NULL;
}

CLAIM_ON (test_noise_from_elsewhere_does_not_hide_a_timeout,
    RECEIVER ("127.0.0.1", 200 * GST_MSECOND))
{
  GThread *thread = g_thread_new ("intruder", intrude, r);

  gst_message_unref (wait_message (r, GST_ARC_SRC_TIMEOUT));
  g_object_set_data (G_OBJECT (r->src), "stop", GINT_TO_POINTER (TRUE));
  g_thread_join (thread);
  fail_unless (receiver_stat (r, "packets-foreign") > 0);
}
