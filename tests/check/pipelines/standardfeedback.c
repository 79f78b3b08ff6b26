/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* rmcsink and arcsrc over loopback, with each format of feedback, and with a change of it. */
#include "launch.h"
#include "readstat.h"

#define PATIENCE_S 60
#define MEDIA "application/x-rtp,media=audio,encoding-name=L16,clock-rate=48000,payload=96," \
    "extmap-1=(string)http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01"
#define SENDER \
    "audiotestsrc is-live=true ! audio/x-raw,format=S16BE,rate=48000,channels=1 " \
    "! rtpL16pay mtu=500 pt=96 auto-header-extension=false ! capssetter caps=\"%s\" replace=true " \
    "! rmcsink name=sink host=127.0.0.1 port=%d min-bitrate=1000000 start-bitrate=2000000"
#define RECEIVER "arcsrc name=src address=127.0.0.1 port=0 feedback=%s caps=\"%s\" ! fakesink"

typedef struct
{
  GstElement *sender, *sink, *receiver, *src;
} Pair;

static void
open_pair (Pair * pair, const gchar * feedback)
{
  gchar *text = g_strdup_printf (RECEIVER, feedback, MEDIA);
  gint port;

  pair->receiver = launch (text);
  g_free (text);
  pair->src = gst_bin_get_by_name (GST_BIN (pair->receiver), "src");
  gst_element_set_state (pair->receiver, GST_STATE_PLAYING);
  g_object_get (pair->src, "port", &port, NULL);
  text = g_strdup_printf (SENDER, MEDIA, port);
  pair->sender = launch (text);
  g_free (text);
  pair->sink = gst_bin_get_by_name (GST_BIN (pair->sender), "sink");
  gst_element_set_state (pair->sender, GST_STATE_PLAYING);
}

static void
close_pair (Pair * pair)
{
  gst_element_set_state (pair->sender, GST_STATE_NULL);
  gst_element_set_state (pair->receiver, GST_STATE_NULL);
  gst_object_unref (pair->sink);
  gst_object_unref (pair->src);
  gst_object_unref (pair->sender);
  gst_object_unref (pair->receiver);
}

static guint64
stat_of (GstElement * element, const gchar * name)
{
  g_autoptr (GstStructure) stats = read_stats (element);
  guint64 value;

  fail_unless (gst_structure_get_uint64 (stats, name, &value), "no field %s", name);
  return value;
}

static gboolean
stat_is (GstElement * element, const gchar * name, const gchar * expected)
{
  g_autoptr (GstStructure) stats = read_stats (element);
  gboolean is = g_strcmp0 (gst_structure_get_string (stats, name), expected) == 0;

  return is;
}

/* Ten more reports, in this format. */
static void
wait_for_reports (Pair * pair, const gchar * format)
{
  gint64 end = g_get_monotonic_time () + PATIENCE_S * G_TIME_SPAN_SECOND;
  guint64 before;

  while (!stat_is (pair->sink, "feedback-format", format)) {
    fail_if (g_get_monotonic_time () > end, "no report in the format %s", format);
    g_usleep (20000);
  }
  before = stat_of (pair->sink, "reports-received");
  while (stat_of (pair->sink, "reports-received") < before + 10) {
    fail_if (g_get_monotonic_time () > end, "no more reports in the format %s", format);
    g_usleep (20000);
  }
  fail_unless (stat_is (pair->sink, "feedback-format", format));
  fail_unless (stat_is (pair->sink, "state", "running"));
  fail_unless (stat_of (pair->sink, "rtt") > 0);
}

static void
fail_if_malformed (Pair * pair)
{
  fail_unless_equals_uint64 (stat_of (pair->sink, "rtcp-malformed"), 0);
  fail_unless_equals_uint64 (stat_of (pair->src, "rtcp-malformed"), 0);
  fail_unless_equals_uint64 (stat_of (pair->src, "arrivals-unreported"), 0);
}

static const gchar *const formats[] = { "arc", "ccfb", "twcc" };

CLAIM_TIMEOUT_S (6 * PATIENCE_S)

CLAIMS (test_sender_runs_by_each_format, G_N_ELEMENTS (formats))
{
  AT_END (close_pair) Pair pair;

  open_pair (&pair, formats[__i__]);
  wait_for_reports (&pair, formats[__i__]);
  fail_if_malformed (&pair);
}

CLAIM (test_sender_follows_a_change_of_the_format)
{
  static const gchar *const changes[] = { "twcc", "ccfb", "arc", "twcc", "ccfb" };
  AT_END (close_pair) Pair pair;

  open_pair (&pair, "arc");
  for (guint i = 0; i < G_N_ELEMENTS (changes); i++) {
    gst_util_set_object_arg (G_OBJECT (pair.src), "feedback", changes[i]);
    wait_for_reports (&pair, changes[i]);
  }
  fail_if_malformed (&pair);
}

/* The caps offer TWCC, but rmcsink answers our own report. */
CLAIM (test_automatic_choice_is_our_own_report_for_rmcsink)
{
  AT_END (close_pair) Pair pair;

  open_pair (&pair, "auto");
  wait_for_reports (&pair, "arc");
  g_usleep (2 * G_USEC_PER_SEC);        /* twice as long as a new sender is asked */
  fail_unless (stat_is (pair.src, "feedback", "arc"));
  wait_for_reports (&pair, "arc");
  fail_if_malformed (&pair);
}
