/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What GST_DEBUG shows of a sender, and the messages about its state. */

#include "rmcsinkfixture.h"

/* As many packets as reports have arrived. */
static RcReport
report (guint number)
{
  return (RcReport) {.ssrc = SSRC,.number = number,.highest_seq = number - 1,
    .arrival_us_remote = 5000000 + number * 50000,.hold_us = 1,.bandwidth_bps = 700000,
    .received_pkts = number,.received_bytes = number * 500
  };
}

static GMutex lock;
static GPtrArray *lines;        /* of the category rmcsink, under the lock */

static void
take_line (GstDebugCategory * category, GstDebugLevel level, const gchar * file,
    const gchar * function, gint line, GObject * object, GstDebugMessage * message,
    gpointer user_data)
{
  g_autofree gchar *name = NULL;

  if (!g_str_equal (gst_debug_category_get_name (category), "rmcsink"))
    return;
  name = g_strchomp (g_strdup (gst_debug_level_get_name (level)));      /* padded */
  g_mutex_lock (&lock);
  g_ptr_array_add (lines, g_strdup_printf ("%s %s", name, gst_debug_message_get (message)));
  g_mutex_unlock (&lock);
}

/* How many begin so. */
static guint
count_lines (const gchar * beginning)
{
  guint n = 0;

  g_mutex_lock (&lock);
  for (guint i = 0; i < lines->len; i++)
    n += g_str_has_prefix (lines->pdata[i], beginning);
  g_mutex_unlock (&lock);
  return n;
}

BEFORE_EACH
{
  lines = g_ptr_array_new_with_free_func (g_free);
  gst_debug_remove_log_function (gst_debug_log_default);
  gst_debug_add_log_function (take_line, NULL, NULL);
}

AFTER_EACH
{
  gst_debug_remove_log_function (take_line);
  gst_debug_set_threshold_for_name ("rmcsink", GST_LEVEL_NONE);
  g_ptr_array_unref (lines);
}

CLAIM_ON (test_a_sender_logs_its_decisions_and_reports_but_no_packet,
    SINK (TRUE, "adapt-encoder=false start-bitrate=20000000 max-queue-time=10000000000"))
{
  guint before;
  Datagram d;

  gst_debug_set_threshold_for_name ("rmcsink", GST_LEVEL_LOG);
  fixture_play (f);
  push_frame (f, 0, FALSE, 3, 500);
  fail_unless (receive_rtp (f, &d, PATIENCE));
  fail_unless (receive_rtp (f, &d, PATIENCE));
  send_report (f, report (1));
  send_report (f, report (2));
  wait_until (count_lines ("INFO a receiver answers") == 1);
  wait_until (count_lines ("LOG report 2: rate ") == 1);
  fail_unless_equals_int (count_lines ("INFO feedback: arc, before: none"), 1);
  fail_unless_equals_int (count_lines ("INFO law: arc"), 1);
  fail_unless (count_lines ("DEBUG rate ") > 0);
  fail_unless (count_lines ("DEBUG target ") > 0);
  before = count_lines ("");
  for (guint i = 1; i <= 100; i++)
    push_frame (f, i * 900, TRUE, 5, 100);
  wait_until (stat_of (f, "packets-sent") >= 503);
  fail_unless (count_lines ("") - before < 50, "%u lines for 500 packets",
      count_lines ("") - before);
}

CLAIM_ON (test_dropped_frames_are_logged_with_their_cause,
    SINK (TRUE, "adapt-encoder=false start-bitrate=150000 max-queue-time=50000000"))
{
  gst_debug_set_threshold_for_name ("rmcsink", GST_LEVEL_DEBUG);
  fixture_play (f);
  for (guint i = 0; i < 50; i++)
    push_frame (f, i * 900, i > 0, 2, 1000);
  fail_unless (stat_of (f, "frames-dropped") > 0);
  g_mutex_lock (&lock);
  for (guint i = 0; i < lines->len; i++)
    if (strstr (lines->pdata[i], "frames dropped: the queue was longer than max-queue-time, 50 ms"))
      break;
    else
      fail_unless (i + 1 < lines->len, "nothing is said of the frames");
  g_mutex_unlock (&lock);
}

CLAIM_ON (test_nothing_is_logged_unless_asked_for, SINK (TRUE, "adapt-encoder=false"))
{
  Datagram d;

  fixture_play (f);
  push_frame (f, 0, FALSE, 3, 500);
  fail_unless (receive_rtp (f, &d, PATIENCE));
  send_report (f, report (1));
  wait_until (stat_of (f, "reports-received") == 1);
  fail_unless_equals_int (count_lines (""), 0);
}

/* The next message about the state; its words. */
static void
assert_state (Fixture * f, const gchar * state, const gchar * reason)
{
  GstMessage *message;
  const GstStructure *s;

  for (;;) {
    message = gst_bus_timed_pop_filtered (f->bus, PATIENCE, GST_MESSAGE_ELEMENT);
    fail_unless (message != NULL, "no message says %s", state);
    s = gst_message_get_structure (message);
    if (gst_structure_has_name (s, GST_RMC_SINK_STATE))
      break;
    gst_message_unref (message);
  }
  fail_unless_equals_string (gst_structure_get_string (s, "state"), state);
  fail_unless_equals_string (gst_structure_get_string (s, "reason"), reason);
  gst_message_unref (message);
}

CLAIM_ON (test_messages_say_when_media_flows_stops_and_flows_again,
    SINK (TRUE, "adapt-encoder=false controller-params=\"params,stop=0.3\""))
{
  Datagram d;

  fixture_play (f);
  push_frame (f, 0, FALSE, 1, 500);
  fail_unless (receive_rtp (f, &d, PATIENCE));
  send_report (f, report (1));
  assert_state (f, "running", "");
  for (guint i = 1; !state_is (f, "stopped"); i++) {
    push_frame (f, i * 900, TRUE, 1, 500);
    g_usleep (20000);
  }
  assert_state (f, "stopped", "silence");
  send_report (f, report (2));
  assert_state (f, "running", "");
}
