/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What leaves, when, and what the sink makes of the answers. */

#include "rmcsinkfixture.h"

#define OVERHEAD 28

TIMED_CLAIM_ON (test_rate_on_the_network_is_the_rate_of_the_law,
    SINK (TRUE, "congestion-control=fixed start-bitrate=2000000 max-queue-time=10000000000"))
{
  enum { FIRST = 20, N = 320, BYTES = 1000 };  /* the first ones may catch up for a slow start */
  Datagram d;
  RcTime first_at = 0, last_at = 0;
  gdouble bps;

  fixture_play (f);
  push_frame (f, 0, FALSE, N, BYTES);
  for (guint i = 0; i < N; i++) {
    fail_unless (receive_rtp (f, &d, PATIENCE));
    last_at = d.at;
    if (i == FIRST)
      first_at = d.at;
  }
  bps = (N - 1 - FIRST) * (BYTES + OVERHEAD) * 8.0 / rc_time_to_s (last_at - first_at);
  fail_unless (bps > 0.97 * 2e6 && bps < 1.03 * 2e6, "%.0f bit/s", bps);
}

TIMED_CLAIM_ON (test_packets_leave_one_by_one,
    SINK (TRUE, "congestion-control=fixed start-bitrate=1000000 max-queue-time=10000000000"))
{
  enum { N = 40, BYTES = 1000 };
  Datagram d;
  RcTime at[N];
  guint i, apart = 0;

  fixture_play (f);
  push_frame (f, 0, FALSE, N, BYTES);
  for (i = 0; i < N; i++) {
    fail_unless (receive_rtp (f, &d, PATIENCE));
    at[i] = d.at;
    apart += i > 0 && at[i] - at[i - 1] > 4 * RC_MSEC;
  }
  /* 8.2 ms each; a late wake-up may let some follow each other closely */
  fail_unless (apart > N * 3 / 4, "only %u of %u gaps", apart, N - 1);
}

TIMED_CLAIM_ON (test_non_live_input_waits_and_loses_nothing_until_eos,
    SINK (FALSE, "congestion-control=fixed start-bitrate=2000000 max-queue-time=100000000"))
{
  enum { N = 300, BYTES = 500 };
  Datagram d;
  RcTime began_at, pushed;
  GstMessage *eos;

  fixture_play (f);
  began_at = monotonic_ns ();
  for (guint i = 0; i < N; i++)
    fail_unless_equals_int (push_frame (f, i, i % 30 > 0, 1, BYTES), GST_FLOW_OK);
  pushed = monotonic_ns () - began_at;
  /* 0.63 s of media, of which 0.1 s may wait */
  fail_unless (pushed > 450 * RC_MSEC, "%" G_GINT64_FORMAT, pushed);
  fail_unless (stat_of (f, "queue-bytes") > 0, "all left within %" G_GINT64_FORMAT, pushed);
  fail_unless (gst_pad_push_event (f->src, gst_event_new_eos ()));
  eos = gst_bus_timed_pop_filtered (f->bus, 0, GST_MESSAGE_EOS);
  fail_unless (eos != NULL);
  gst_message_unref (eos);
  fail_unless_equals_uint64 (stat_of (f, "queue-bytes"), 0);
  for (guint i = 0; i < N; i++) {
    fail_unless (receive_rtp (f, &d, PATIENCE), "%u came", i);
    fail_unless_equals_int (d.seq, i);
  }
}

TIMED_CLAIM_ON (test_live_input_drops_frames_up_to_a_keyframe_that_it_asks_for,
    SINK (TRUE, "congestion-control=fixed start-bitrate=800000 max-queue-time=100000000"))
{
  Datagram d;
  guint16 expect = 0;
  gboolean saw[200] = { FALSE };
  guint i;

  fixture_play (f);
  push_frame (f, 0, FALSE, 4, 1000);
  for (i = 1; i < 40; i++)      /* 4 s of media at once */
    push_frame (f, i, TRUE, 10, 1000);
  wait_until (g_atomic_int_get (&f->keyframe_events) == 1);
  push_frame (f, 100, FALSE, 4, 1000);
  push_frame (f, 101, TRUE, 2, 1000);
  while (receive_rtp (f, &d, RC_SECOND / 3)) {
    fail_unless_equals_int (d.seq, expect++);
    saw[d.timestamp] = TRUE;
  }
  fail_unless (saw[0] && saw[100] && saw[101] && !saw[39], "%u packets", expect);
  fail_unless_equals_uint64 (stat_of (f, "frames-in"), 42);
  fail_unless_equals_uint64 (stat_of (f, "packets-dropped") + expect, f->seq);
  fail_unless (stat_of (f, "frames-dropped") >= 37, "%u frames dropped, %u packets came",
      (guint) stat_of (f, "frames-dropped"), expect);
  fail_unless_equals_int (g_atomic_int_get (&f->keyframe_events), 1);
}

CLAIM (test_gaps_stay_without_renumbering)
{
  AT_END (fixture_clear) Fixture f;
  Datagram d;
  guint16 last = 0;

  fixture_init (&f, TRUE,
      "congestion-control=fixed start-bitrate=800000 max-queue-time=50000000 renumber=false");
  fixture_play (&f);
  push_frame (&f, 0, FALSE, 2, 1000);
  push_frame (&f, 1, TRUE, 20, 1000);
  push_frame (&f, 2, TRUE, 20, 1000);
  push_frame (&f, 3, FALSE, 1, 1000);
  while (receive_rtp (&f, &d, RC_SECOND / 3))
    last = d.seq;
  fail_unless_equals_int (last, f.seq - 1);
  fail_unless (stat_of (&f, "packets-dropped") > 0);
}

static RcReport
report_about (guint number, guint highest, guint received)
{
  RcReport report = {
    .ssrc = SSRC,.number = number,.highest_seq = highest,
    .arrival_us_remote = 5000000 + number * 50000,.hold_us = 1,
    .bandwidth_bps = 700000,.received_pkts = received,
    .received_bytes = received * 1000,
  };
  return report;
}

CLAIM_ON (test_reports_are_believed_only_when_they_can_be_true, SINK (TRUE, ""))
{
  Datagram d;
  GstBuffer *truncated;
  RcReport report;
  GSocket *stranger;
  guint i, port;

  fixture_play (f);
  push_frame (f, 0, FALSE, 5, 1000);
  for (i = 0; i < 5; i++)
    fail_unless (receive_rtp (f, &d, PATIENCE));

  send_report (f, report_about (1, 2, 3));
  wait_until (stat_of (f, "reports-received") == 1);
  fail_unless (stat_of (f, "rtt") > 0);
  fail_unless (stat_of (f, "received-bitrate") > 700000);

  send_report (f, report_about (1, 2, 3));
  wait_until (stat_of (f, "reports-old") == 1);
  send_report (f, report_about (2, 4000, 3));
  wait_until (stat_of (f, "reports-never-sent") == 1);
  send_report (f, report_about (3, 4, 5000));
  wait_until (stat_of (f, "reports-impossible") == 1);
  report = report_about (4, 4, 5);
  report.ssrc = 1;
  send_report (f, report);
  wait_until (stat_of (f, "reports-foreign") == 1);
  report.ssrc = SSRC;
  truncated = rtcp_new_reports (RECEIVER_SSRC, &report, 1);
  gst_buffer_resize (truncated, 0, gst_buffer_get_size (truncated) - 4);
  send_buffer (f, truncated);
  wait_until (stat_of (f, "rtcp-malformed") == 1);
  send_buffer (f, gst_buffer_new_memdup ("not RTCP", 8));
  wait_until (stat_of (f, "not-rtcp") == 1);

  stranger = f->socket;          /* the kernel keeps out who is not the peer */
  f->socket = socket_new (G_SOCKET_FAMILY_IPV4, &port);
  send_report (f, report_about (5, 4, 5));
  g_object_unref (f->socket);
  f->socket = stranger;
  send_report (f, report_about (6, 4, 4));
  wait_until (stat_of (f, "reports-received") == 2);
  fail_unless_equals_uint64 (stat_of (f, "reports-old"), 1);
}

static guint
count_messages (Fixture * f, const gchar * name, guint * bps)
{
  GstMessage *message;
  guint n = 0;

  while ((message = gst_bus_pop_filtered (f->bus, GST_MESSAGE_ELEMENT))) {
    const GstStructure *s = gst_message_get_structure (message);

    if (gst_structure_has_name (s, name)) {
      n++;
      if (bps)
        gst_structure_get_uint (s, "bitrate", bps);
    }
    gst_message_unref (message);
  }
  return n;
}

static void
on_notify (GObject * object, GParamSpec * pspec, gint * count)
{
  g_atomic_int_inc (count);
}

CLAIM_ON (test_target_is_told_by_event_notification_and_message,
    SINK (TRUE, "congestion-control=fixed start-bitrate=1000000"))
{
  Datagram d;
  guint told = 0, now, start;
  gint notified = 0;

  g_signal_connect (f->sink, "notify::target-bitrate", G_CALLBACK (on_notify), &notified);
  fixture_play (f);
  push_frame (f, 0, FALSE, 1, 1000);
  fail_unless (receive_rtp (f, &d, PATIENCE));
  wait_until (g_atomic_int_get (&f->target_events) > 0 && f->target_ssrc == SSRC);
  g_object_get (f->sink, "target-bitrate", &start, NULL);
  fail_unless_equals_int (f->target_bps, start);
  fail_unless (start > 950000 && start < 980000, "%u", start);
  fail_unless (g_atomic_int_get (&notified) > 0);
  wait_until (count_messages (f, GST_RMC_SINK_TARGET_BITRATE, &told) > 0);
  fail_unless_equals_int (told, start);

  g_object_set (f->sink, "start-bitrate", 400000, NULL); /* a lower limit acts on the running law */
  wait_until (f->target_bps < 400000);
  g_object_get (f->sink, "target-bitrate", &now, NULL);
  fail_unless (now > 370000 && now < 400000, "%u", now);
}

TIMED_CLAIM_ON (test_statistics_are_posted_at_their_interval,
    SINK (TRUE, "stats-interval=20000000"))
{
  fixture_play (f);
  wait_until (count_messages (f, GST_RMC_SINK_STATS, NULL) > 0);
  wait_until (count_messages (f, GST_RMC_SINK_STATS, NULL) > 0);
  g_object_set (f->sink, "stats-interval", G_GUINT64_CONSTANT (0), NULL);
  g_usleep (50000);
  count_messages (f, GST_RMC_SINK_STATS, NULL);
  g_usleep (100000);
  fail_unless_equals_int (count_messages (f, GST_RMC_SINK_STATS, NULL), 0);
}

/* The thread that paces must not be kept busy with it. */
CLAIM_ON (test_statistics_are_posted_a_hundred_times_a_second_at_most,
    SINK (TRUE, "stats-interval=1"))
{
  guint64 interval = 0;
  gint64 begin, us;
  guint n;

  fixture_play (f);
  begin = g_get_monotonic_time ();
  wait_until (count_messages (f, GST_RMC_SINK_STATS, NULL) > 0);
  g_usleep (500000);
  n = count_messages (f, GST_RMC_SINK_STATS, NULL);
  us = g_get_monotonic_time () - begin;
  fail_unless (n <= us / 10000 + 50, "%u messages in %d ms", n, (gint) us / 1000);
  g_object_get (f->sink, "stats-interval", &interval, NULL);
  fail_unless_equals_uint64 (interval, 10 * GST_MSECOND);
}

TIMED_CLAIM (test_media_stops_without_answers_and_starts_again_with_one)
{
  AT_END (fixture_clear) Fixture f;
  Datagram d;
  RtcpMessage info;
  GstBuffer *buffer;
  guint rtp = 0;
  RcReport hello = {.ssrc = SSRC,.number = 1 };

  fixture_init (&f, TRUE,
      "congestion-control=fixed start-bitrate=1000000 controller-params=\"params,stop=0.3\"");
  fixture_play (&f);
  push_frame (&f, 0, FALSE, 3, 1000);
  fail_unless (receive_rtp (&f, &d, PATIENCE));
  send_report (&f, hello);
  fail_unless (receive (&f, &d, PATIENCE));
  rtp = 1 + !d.rtcp;
  push_frame (&f, 0, FALSE, 1, 1000);
  wait_until (state_is (&f, "stopped"));
  while (receive (&f, &d, 0))
    rtp += !d.rtcp;
  fail_unless_equals_int (rtp, 4);
  push_frame (&f, 1, TRUE, 3, 1000);
  fail_unless_equals_uint64 (stat_of (&f, "packets-dropped"), 3);
  fail_unless (receive (&f, &d, PATIENCE) && d.rtcp);      /* the next probe */
  buffer = gst_buffer_new_memdup (d.data, (gsize) d.size);
  fail_unless_equals_int (rtcp_message_read_buffer (&info, buffer), RTCP_VALID);
  fail_unless (info.n_infos == 1 && info.infos[0].ssrc == SSRC && info.infos[0].srtt_us == 0);
  gst_buffer_unref (buffer);

  send_report (&f, hello);
  wait_until (state_is (&f, "running"));
  push_frame (&f, 2, TRUE, 1, 1000);
  wait_until (g_atomic_int_get (&f.keyframe_events) == 1);
  push_frame (&f, 3, FALSE, 1, 1000);
  fail_unless (receive_rtp (&f, &d, PATIENCE));
  fail_unless_equals_int (d.timestamp, 3);
  fail_unless_equals_int (d.seq, 4);
}

TIMED_CLAIM (test_eos_does_not_wait_for_a_receiver_that_is_silent)
{
  AT_END (fixture_clear) Fixture f;
  Datagram d;
  guint n = 0, warnings = 0;
  GstMessage *message;

  fixture_init (&f, FALSE, "congestion-control=fixed min-bitrate=20000 start-bitrate=20000 "
      "max-queue-time=5000000000 controller-params=\"params,stop=1.0\"");
  fixture_play (&f);
  push_frame (&f, 0, FALSE, 5, 1000);   /* 2 s */
  fail_unless (gst_pad_push_event (f.src, gst_event_new_eos ()));
  while ((message = gst_bus_pop_filtered (f.bus, GST_MESSAGE_EOS | GST_MESSAGE_WARNING))
      && GST_MESSAGE_TYPE (message) == GST_MESSAGE_WARNING) {
    g_autoptr (GError) error = NULL;

    gst_message_parse_warning (message, &error, NULL);
    warnings += strstr (error->message, "unsent") != NULL;
    gst_message_unref (message);
  }
  fail_unless (message != NULL && warnings == 1);
  gst_message_unref (message);
  while (receive_rtp (&f, &d, RC_SECOND / 3))
    fail_unless (n++ < 4, "the fifth came at %" G_GINT64_FORMAT, d.at);
  fail_unless (stat_of (&f, "packets-sent") < 5 && stat_of (&f, "queue-bytes") > 0,
      "all left until %" G_GINT64_FORMAT, monotonic_ns ());
}

/* A flush costs the state, which a pipeline would then restore. */
static void
end_flush (Fixture * f)
{
  fail_unless (gst_pad_push_event (f->src, gst_event_new_flush_stop (TRUE)));
  gst_element_set_state (f->sink, GST_STATE_PLAYING);
  push_first_events (f);
}

TIMED_CLAIM_ON (test_flush_forgets_what_waits,
    SINK (FALSE, "congestion-control=fixed start-bitrate=400000"))
{
  Datagram d;
  guint n = 0;

  fixture_play (f);
  push_frame (f, 0, FALSE, 15, 1000);  /* 0.3 s */
  wait_until (stat_of (f, "packets-sent") > 0);
  fail_unless (gst_pad_push_event (f->src, gst_event_new_flush_start ()));
  fail_unless_equals_uint64 (stat_of (f, "queue-bytes"), 0);
  end_flush (f);
  push_frame (f, 1, FALSE, 2, 1000);
  while (receive_rtp (f, &d, RC_SECOND / 5))
    fail_unless_equals_int (d.seq, n++);
  fail_unless (n >= 3 && n < 15, "%u", n);
  fail_unless_equals_int (d.timestamp, 1);
}

static gpointer
push_many (gpointer data)
{
  return GINT_TO_POINTER (push_frame (data, 0, FALSE, 100, 1000));
}

TIMED_CLAIM_ON (test_waiting_input_is_released_by_flush_and_by_stopping,
    SINK (FALSE, "congestion-control=fixed start-bitrate=100000"))
{
  GThread *thread;

  fixture_play (f);
  thread = g_thread_new ("push", push_many, f);
  wait_until (stat_of (f, "queue-time") > 400 * GST_MSECOND);
  fail_unless (gst_pad_push_event (f->src, gst_event_new_flush_start ()));
  fail_unless_equals_int (GPOINTER_TO_INT (g_thread_join (thread)), GST_FLOW_FLUSHING);
  end_flush (f);

  thread = g_thread_new ("push", push_many, f);
  wait_until (stat_of (f, "queue-time") > 400 * GST_MSECOND);
  gst_element_set_state (f->sink, GST_STATE_PAUSED);
  gst_element_set_state (f->sink, GST_STATE_PLAYING);    /* what waited goes on */
  wait_until (stat_of (f, "packets-sent") >= 7);
  gst_element_set_state (f->sink, GST_STATE_READY);
  fail_unless_equals_int (GPOINTER_TO_INT (g_thread_join (thread)), GST_FLOW_FLUSHING);
}

CLAIM_ON (test_sync_follows_the_source_unless_it_is_set, SINK (TRUE, ""))
{
  gboolean sync;

  fixture_play (f);
  push_frame (f, 0, FALSE, 1, 100);
  g_object_get (f->sink, "sync", &sync, NULL);
  fail_if (sync);
  fixture_stop (f);
  f->live = FALSE;
  fixture_play (f);
  push_frame (f, 0, FALSE, 1, 100);
  g_object_get (f->sink, "sync", &sync, NULL);
  fail_unless (sync);
  fixture_stop (f);
  g_object_set (f->sink, "sync", TRUE, NULL);
  f->live = TRUE;
  fixture_play (f);
  push_frame (f, 0, FALSE, 1, 100);
  g_object_get (f->sink, "sync", &sync, NULL);
  fail_unless (sync);
}

/* A pipeline distributes latency anew when a stream joins, or when an encoder could not tell
 * before. */
CLAIM_ON (test_sync_is_chosen_anew_with_the_latency, SINK (FALSE, ""))
{
  gboolean sync;

  fixture_play (f);
  push_frame (f, 0, FALSE, 1, 100);
  g_object_get (f->sink, "sync", &sync, NULL);
  fail_unless (sync);
  f->live = TRUE;
  gst_element_send_event (f->sink, gst_event_new_latency (0));
  push_frame (f, 1, FALSE, 1, 100);
  g_object_get (f->sink, "sync", &sync, NULL);
  fail_if (sync);
}
