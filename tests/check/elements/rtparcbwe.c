/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What goes through an rtparcbwe, in which order and when. */

#include "rtparcbwefixture.h"
#include "bustext.h"

#include <glib/gstdio.h>

static Bwe bwe;

static void
push (guint n)
{
  for (guint i = 0; i < n; i++)
    fail_unless_equals_int (gst_harness_push (bwe.h, bwe_packet (&bwe)), GST_FLOW_OK);
}

/* --- packets --- */

CLAIM (test_packets_leave_in_order_and_unchanged)
{
  bwe_init (&bwe, "estimated-bitrate=20000000");
  push (50);
  for (guint i = 0; i < 50; i++) {
    g_autoptr (GstBuffer) buffer = gst_harness_pull (bwe.h);

    fail_unless (buffer != NULL);
    fail_unless_equals_int (rtp_header_of (buffer).seq, i);
    fail_unless_equals_int (gst_buffer_get_size (buffer), PAYLOAD + 12);
  }
  fail_unless_equals_uint64 (bwe_stat (&bwe, "packets-sent"), 50);
  bwe_clear (&bwe);
}

static gint lists;              /* atomic */

static GstPadProbeReturn
count_list (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  g_atomic_int_inc (&lists);
  return GST_PAD_PROBE_OK;
}

/* rtpsession numbers and times each packet, but has one time for all of a list. */
CLAIM (test_lists_leave_as_single_packets)
{
  GstBufferList *list = gst_buffer_list_new ();
  GstPad *src;

  bwe_init (&bwe, "estimated-bitrate=20000000");
  lists = 0;
  src = gst_element_get_static_pad (bwe.h->element, "src");
  gst_pad_add_probe (src, GST_PAD_PROBE_TYPE_BUFFER_LIST, count_list, NULL, NULL);
  gst_object_unref (src);
  for (guint i = 0; i < 100; i++)
    gst_buffer_list_add (list, bwe_packet (&bwe));
  fail_unless_equals_int (gst_pad_push_list (bwe.h->srcpad, list), GST_FLOW_OK);
  for (guint i = 0; i < 100; i++) {
    g_autoptr (GstBuffer) buffer = gst_harness_pull (bwe.h);

    fail_unless_equals_int (rtp_header_of (buffer).seq, i);
  }
  fail_unless_equals_int (g_atomic_int_get (&lists), 0);
  bwe_clear (&bwe);
}

/* 50 packets of 1050 bytes at 1 Mbit/s are 420 ms, less the burst that may leave at once. */
CLAIM (test_burst_is_paced_at_the_rate)
{
  gint64 begun, took;

  bwe_init (&bwe, "estimated-bitrate=1000000 max-queue-time=2000000000");
  begun = monotonic_ns ();
  push (50);
  for (guint i = 0; i < 50; i++)
    gst_buffer_unref (gst_harness_pull (bwe.h));
  took = (monotonic_ns () - begun) / 1000000;
  fail_unless (took > 350, "%" G_GINT64_FORMAT " ms", took);
  bwe_clear (&bwe);
}

CLAIM (test_other_buffers_are_refused_with_one_warning)
{
  g_autoptr (GstBus) bus = gst_bus_new ();
  GstMessage *message;

  bwe_init (&bwe, "");
  gst_element_set_bus (bwe.h->element, bus);
  for (guint i = 0; i < 3; i++)
    gst_harness_push (bwe.h, gst_buffer_new_memdup ("no", 2));
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING);
  fail_unless (message != NULL);
  gst_message_unref (message);
  fail_if (gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING));
  fail_unless_equals_uint64 (bwe_stat (&bwe, "non-rtp-buffers"), 3);
  gst_element_set_bus (bwe.h->element, NULL);
  bwe_clear (&bwe);
}

static gchar *
take_warning (GstBus * bus)
{
  return bus_text (bus, 0, GST_MESSAGE_WARNING);
}

/* As those of rmcsink (rmcsinklimits.c): they have one host. */
CLAIM (test_settings_are_those_of_every_session)
{
  g_autoptr (GstBus) bus = gst_bus_new ();
  gchar *text;

  bwe_init (&bwe, "estimated-bitrate=60000000");
  gst_element_set_bus (bwe.h->element, bus);
  fail_unless_equals_uint64 (bwe_stat (&bwe, "rate"), 60000000);
  text = take_warning (bus);
  fail_unless (text == NULL, "says: %s", text);
  g_object_set (bwe.h->element, "profile", 0, NULL);
  text = take_warning (bus);
  fail_unless (text && g_str_has_prefix (text, "profile is set while rtparcbwe runs"), "says: %s",
      text);
  g_free (text);
  g_object_set (bwe.h->element, "min-bitrate", 5000, "max-bitrate", 1, NULL);
  fail_unless_equals_uint64 (bwe_stat (&bwe, "rate"), 8000);
  gst_element_set_bus (bwe.h->element, NULL);
  bwe_clear (&bwe);
}

/* A congested path makes requests without end. */
CLAIM (test_retransmissions_are_bounded_and_media_is_not)
{
  bwe_init (&bwe, "estimated-bitrate=1000000");
  for (guint i = 0; i < 100; i++) {
    GstBuffer *buffer = bwe_packet (&bwe);

    GST_BUFFER_FLAG_SET (buffer, GST_RTP_BUFFER_FLAG_RETRANSMISSION);
    fail_unless_equals_int (gst_harness_push (bwe.h, buffer), GST_FLOW_OK);
  }
  push (5);
  for (guint16 seq = 0; seq != 104;) {
    g_autoptr (GstBuffer) buffer = gst_harness_pull (bwe.h);

    fail_unless (buffer != NULL);
    seq = rtp_header_of (buffer).seq;
  }
  fail_unless (bwe_stat (&bwe, "retransmissions-dropped") > 50);
  fail_unless_equals_uint64 (bwe_stat (&bwe, "retransmissions") + bwe_stat (&bwe,
          "retransmissions-dropped"), 100);
  fail_unless_equals_uint64 (bwe_stat (&bwe, "packets-dropped"), 0);
  bwe_clear (&bwe);
}

/* --- numbers --- */

/* Its payload begins with its number, as that of a retransmission does with the original's. */
static GstBuffer *
numbered_packet (void)
{
  guint8 number[2];
  GstBuffer *buffer;

  GST_WRITE_UINT16_BE (number, bwe.seq);
  buffer = bwe_packet (&bwe);
  gst_buffer_fill (buffer, 12, number, sizeof number);
  return buffer;
}

static guint16
payload_number (GstBuffer * buffer)
{
  guint8 number[2];

  gst_buffer_extract (buffer, 12, number, sizeof number);
  return GST_READ_UINT16_BE (number);
}

/* More than the queue takes. Returns the last one that leaves. */
static GstBuffer *
push_and_drop (void)
{
  GstBuffer *last = NULL;
  guint16 out = 0;

  for (guint i = 0; i < 200; i++)
    gst_harness_push (bwe.h, numbered_packet ());
  fail_unless (bwe_stat (&bwe, "packets-dropped") > 0);
  while (bwe_stat (&bwe, "queue-bytes") > 0)
    g_usleep (10000);
  for (guint i = 0; i < 3; i++)
    gst_harness_push (bwe.h, numbered_packet ());
  do {
    gst_clear_buffer (&last);
    last = gst_harness_pull (bwe.h);
    fail_unless (last != NULL);
    fail_unless_equals_int (rtp_header_of (last).seq, out++);
  } while (payload_number (last) != 202);
  fail_unless (out < 202);
  return last;
}

static guint
requested_upstream (guint out)
{
  GstEvent *event = gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM,
      gst_structure_new ("GstRTPRetransmissionRequest", "ssrc", G_TYPE_UINT, SSRC, "seqnum",
          G_TYPE_UINT, out, NULL));
  guint in = G_MAXUINT;

  gst_harness_push_upstream_event (bwe.h, event);
  while (in == G_MAXUINT && (event = gst_harness_try_pull_upstream_event (bwe.h))) {
    if (gst_event_has_name (event, "GstRTPRetransmissionRequest"))
      gst_structure_get_uint (gst_event_get_structure (event), "seqnum", &in);
    gst_event_unref (event);
  }
  return in;
}

/* A gap would be a loss to a browser, which asks for what was dropped on purpose. */
CLAIM (test_dropped_frames_leave_no_gap_and_repairs_find_their_packets)
{
  GstBuffer *last, *repair;
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  guint16 out;

  bwe_init (&bwe, "estimated-bitrate=1000000 max-queue-time=50000000");
  last = push_and_drop ();
  out = rtp_header_of (last).seq;
  fail_unless_equals_int (requested_upstream (out), 202);
  fail_unless_equals_int (requested_upstream (out + 1), G_MAXUINT);
  repair = gst_buffer_copy_deep (last);
  GST_BUFFER_FLAG_SET (repair, GST_RTP_BUFFER_FLAG_RETRANSMISSION);
  fail_unless (gst_rtp_buffer_map (repair, GST_MAP_WRITE, &rtp));
  gst_rtp_buffer_set_ssrc (&rtp, SSRC + 1);
  gst_rtp_buffer_unmap (&rtp);
  gst_harness_push (bwe.h, repair);
  gst_buffer_unref (last);
  last = gst_harness_pull (bwe.h);
  fail_unless (last != NULL);
  fail_unless_equals_int (payload_number (last), out);
  gst_buffer_unref (last);
  bwe_clear (&bwe);
}

CLAIM (test_gaps_stay_where_the_user_wants_them)
{
  GstBuffer *buffer;
  guint16 in;

  bwe_init (&bwe, "estimated-bitrate=1000000 max-queue-time=50000000 renumber=false");
  for (guint i = 0; i < 200; i++)
    gst_harness_push (bwe.h, numbered_packet ());
  while (bwe_stat (&bwe, "queue-bytes") > 0)
    g_usleep (10000);
  gst_harness_push (bwe.h, numbered_packet ());
  do {
    buffer = gst_harness_pull (bwe.h);
    in = payload_number (buffer);
    fail_unless_equals_int (rtp_header_of (buffer).seq, in);
    gst_buffer_unref (buffer);
  } while (in != 200);
  bwe_clear (&bwe);
}

/* --- events --- */

static void
push_marker (const gchar * name)
{
  fail_unless (gst_harness_push_event (bwe.h, gst_event_new_custom (GST_EVENT_CUSTOM_DOWNSTREAM,
              gst_structure_new_empty (name))));
}

/* While nothing leaves they must not pile up. */
CLAIM (test_events_that_are_dropped_are_counted)
{
  g_autoptr (GstPad) src = NULL;
  gulong probe;

  bwe_init (&bwe, "");
  src = gst_element_get_static_pad (bwe.h->element, "src");
  probe = gst_pad_add_probe (src, GST_PAD_PROBE_TYPE_BLOCK_DOWNSTREAM, NULL, NULL, NULL);
  for (guint i = 0; i < 150; i++)
    push_marker ("marker");
  fail_unless (bwe_stat (&bwe, "events-dropped") >= 40);
  gst_pad_remove_probe (src, probe);
  bwe_clear (&bwe);
}

/* The order of what left: packets as their number, events as their name. */
static GMutex log_lock;
static GString *order;

static GstPadProbeReturn
note (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  g_mutex_lock (&log_lock);
  if (info->type & GST_PAD_PROBE_TYPE_BUFFER)
    g_string_append_printf (order, "%u ", rtp_header_of (GST_PAD_PROBE_INFO_BUFFER (info)).seq);
  else if (GST_EVENT_TYPE (GST_PAD_PROBE_INFO_EVENT (info)) == GST_EVENT_CUSTOM_DOWNSTREAM)
    g_string_append_printf (order, "%s ",
        gst_structure_get_name (gst_event_get_structure (GST_PAD_PROBE_INFO_EVENT (info))));
  else if (GST_EVENT_TYPE (GST_PAD_PROBE_INFO_EVENT (info)) == GST_EVENT_EOS)
    g_string_append (order, "eos");
  g_mutex_unlock (&log_lock);
  return GST_PAD_PROBE_OK;
}

static void
note_order (void)
{
  g_autoptr (GstPad) src = gst_element_get_static_pad (bwe.h->element, "src");

  order = g_string_new ("");     /* until the process ends, since the pad may still be noted */
  gst_pad_add_probe (src, GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, note,
      NULL, NULL);
}

static void
fail_unless_order_becomes (const gchar * expected)
{
  gboolean same = FALSE;

  for (gint64 waited = 0; !same && waited < PATIENCE_US; waited += 10000) {
    g_usleep (10000);
    g_mutex_lock (&log_lock);
    same = g_str_equal (order->str, expected);
    g_mutex_unlock (&log_lock);
  }
  fail_unless (same, "%s", order->str);
}

CLAIM (test_events_keep_their_place_among_waiting_packets)
{
  bwe_init (&bwe, "estimated-bitrate=1000000 max-queue-time=2000000000");
  note_order ();
  push_marker ("a");
  push (5);
  push_marker ("b");
  push_marker ("c");
  push (2);
  push_marker ("d");
  fail_unless_order_becomes ("a 0 1 2 3 4 b c 5 6 d ");
  bwe_clear (&bwe);
}

CLAIM (test_end_of_stream_comes_behind_all_packets)
{
  bwe_init (&bwe, "estimated-bitrate=1000000 max-queue-time=2000000000");
  note_order ();
  push (8);
  fail_unless (gst_harness_push_event (bwe.h, gst_event_new_eos ()));
  fail_unless_order_becomes ("0 1 2 3 4 5 6 7 eos");
  bwe_clear (&bwe);
}

CLAIM (test_flush_forgets_what_waits_and_media_flows_again)
{
  bwe_init (&bwe, "estimated-bitrate=100000 max-queue-time=20000000000 renumber=false");
  push (100);
  fail_unless (gst_harness_push_event (bwe.h, gst_event_new_flush_start ()));
  fail_unless (gst_harness_push_event (bwe.h, gst_event_new_flush_stop (TRUE)));
  gst_harness_set_src_caps_str (bwe.h, RTP_CAPS);
  bwe.seq = 1000;
  push (1);
  for (guint16 seq = 0; seq != 1000;) {
    g_autoptr (GstBuffer) buffer = gst_harness_pull (bwe.h);

    fail_unless (buffer != NULL);
    seq = rtp_header_of (buffer).seq;
    fail_unless (seq < 50 || seq == 1000, "%u", seq);
  }
  bwe_clear (&bwe);
}

CLAIM (test_latency_grows_by_the_queue_only_at_most)
{
  g_autoptr (GstQuery) query = gst_query_new_latency ();
  GstClockTime min, max;
  gboolean live;

  bwe_init (&bwe, "max-queue-time=300000000");
  gst_harness_set_upstream_latency (bwe.h, 20 * GST_MSECOND);
  fail_unless (gst_pad_peer_query (bwe.h->sinkpad, query));
  gst_query_parse_latency (query, &live, &min, &max);
  fail_unless (live);
  fail_unless_equals_uint64 (min, 20 * GST_MSECOND);
  fail_unless (!GST_CLOCK_TIME_IS_VALID (max) || max >= min + 300 * GST_MSECOND);
  bwe_clear (&bwe);
}

static GstPadProbeReturn
hold (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  return GST_PAD_PROBE_OK;
}

/* ICE may take seconds. What waits meanwhile shall neither leave as one burst, nor lower the target
 * with which the call begins. */
CLAIM (test_a_path_that_is_not_open_yet_holds_media_in_the_queue)
{
  guint before, after;
  GstPad *pad;
  gulong id;

  bwe_init (&bwe, "estimated-bitrate=500000 max-queue-time=400000000");
  g_object_get (bwe.h->element, "estimated-bitrate", &before, NULL);
  pad = gst_element_get_static_pad (bwe.h->element, "src");
  id = gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BLOCK_DOWNSTREAM, hold, NULL, NULL);
  for (guint i = 0; i < 100; i++) {
    gst_harness_push (bwe.h, bwe_packet (&bwe));
    g_usleep (15000);
  }
  fail_unless (bwe_stat (&bwe, "packets-sent") <= 30, "%" G_GUINT64_FORMAT,
      bwe_stat (&bwe, "packets-sent"));
  fail_unless (bwe_stat (&bwe, "packets-dropped") > 0);
  g_object_get (bwe.h->element, "estimated-bitrate", &after, NULL);
  fail_unless (after > before * 9 / 10, "from %u to %u", before, after);
  gst_pad_remove_probe (pad, id);
  gst_object_unref (pad);
  while (bwe_stat (&bwe, "queue-bytes") > 0)
    g_usleep (10000);
  bwe_clear (&bwe);
}

CLAIM (test_restart_while_packets_wait)
{
  bwe_init (&bwe, "estimated-bitrate=100000 max-queue-time=20000000000");
  push (100);
  gst_element_set_state (bwe.h->element, GST_STATE_NULL);
  gst_element_set_state (bwe.h->element, GST_STATE_PLAYING);
  bwe_clear (&bwe);
}

/* --- names --- */

static gboolean
exists (const gchar * name, const gchar * value)
{
  const gchar *argv[] = { "gst-inspect-1.0", name, NULL };
  gchar **env = g_get_environ ();
  gint status = -1;

  env = g_environ_setenv (env, "GST_PLUGIN_SYSTEM_PATH_1_0", "", TRUE);
  env = g_environ_setenv (env, "GST_REGISTRY_1_0", "rtpgccbwe-registry.bin", TRUE);
  env = g_environ_setenv (env, "GST_ARC_AS_RTPGCCBWE", value, TRUE);
  fail_unless (g_spawn_sync (NULL, (gchar **) argv, env, G_SPAWN_SEARCH_PATH
          | G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, NULL, NULL,
          &status, NULL));
  g_strfreev (env);
  return status == 0;
}

/* The registry is the same each time: what it remembers must not outlive the variable. A program
 * without a sanitizer cannot load a plugin with one. */
CLAIM (test_name_of_rtpgccbwe_is_taken_only_on_request)
{
#if defined (__SANITIZE_ADDRESS__) || defined (__SANITIZE_THREAD__)
  return;
#endif
  fail_unless (exists ("rtparcbwe", "0"));
  fail_if (exists ("rtpgccbwe", "0"));
  fail_unless (exists ("rtpgccbwe", "1"));
  fail_unless (exists ("rtparcbwe", "1"));
  fail_if (exists ("rtpgccbwe", "0"));
  g_unlink ("rtpgccbwe-registry.bin");
}
