/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Examples as a user runs them: sound and picture with the RTCP of rtpbin, and as MPEG-TS, a stream
 * over several paths, and the program in C. */
#include <gio/gio.h>
#include <stdio.h>

#include "quiet.h"

#define NEEDS "x264enc", "opusenc", "avdec_h264", "rtpbin", "rtpptdemux", "capssetter"

static gboolean
is_missing (const gchar * const *elements)
{
  for (; *elements; elements++) {
    g_autoptr (GstElementFactory) factory = gst_element_factory_find (*elements);

    if (!factory) {
      GST_WARNING ("skipped: this machine has no %s", *elements);
      return TRUE;
    }
  }
  return FALSE;
}

static void
replace (GString * text, const gchar * what, const gchar * with)
{
  g_auto (GStrv) parts = g_strsplit (text->str, what, -1);
  g_autofree gchar *joined = g_strjoinv (with, parts);

  g_string_assign (text, joined);
}

/* Without comments, on a port of its own, and nothing is shown. */
static GstElement *
play_example (const gchar * name)
{
  gchar *path = g_build_filename (EXAMPLES_DIR, name, NULL), *contents, **lines;
  GString *text = g_string_new (NULL);
  GError *error = NULL;
  GstElement *pipeline;

  fail_unless (g_file_get_contents (path, &contents, NULL, NULL), "%s", path);
  lines = g_strsplit (contents, "\n", -1);
  for (gchar ** line = lines; *line; line++)
    if (**line != '#')
      g_string_append_printf (text, "%s ", *line);
  replace (text, "port=5004", "port=15806");
  replace (text, "autovideosink", "fakesink");
  replace (text, "autoaudiosink", "fakesink");
  pipeline = gst_parse_launch (text->str, &error);
  fail_unless (error == NULL, "%s: %s", name, error ? error->message : "");
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  g_string_free (text, TRUE);
  g_strfreev (lines);
  g_free (contents);
  g_free (path);
  return pipeline;
}

/* GValueArray is what rtpsession gives. */
G_GNUC_BEGIN_IGNORE_DEPRECATIONS
static gboolean
any_source_reported (const GstStructure * stats)
{
  GValueArray *sources = g_value_get_boxed (gst_structure_get_value (stats, "source-stats"));
  gboolean has_sr, any = FALSE;
  guint64 packets;

  for (guint i = 0; i < sources->n_values; i++) {
    const GstStructure *source = gst_value_get_structure (g_value_array_get_nth (sources, i));

    fail_unless (gst_structure_get (source, "packets-received", G_TYPE_UINT64, &packets,
            "have-sr", G_TYPE_BOOLEAN, &has_sr, NULL));
    any |= packets > 0 && has_sr;
  }
  return any;
}
G_GNUC_END_IGNORE_DEPRECATIONS

/* Sender reports came to this session of rtpbin from whom RTP came. */
static gboolean
has_sender_report (GstElement * pipeline, guint id)
{
  g_autoptr (GstElement) bin = gst_bin_get_by_name (GST_BIN (pipeline), "rtpbin");
  GstStructure *stats = NULL;
  GObject *session = NULL;
  gboolean has = FALSE;

  g_signal_emit_by_name (bin, "get-internal-session", id, &session);
  if (session) {
    g_object_get (session, "stats", &stats, NULL);
    has = any_source_reported (stats);
    gst_structure_free (stats);
    g_object_unref (session);
  }
  return has;
}

CLAIM_TIMEOUT_S (120)

/* A warning of GLib, as for a loop in the graph, ends the test. */
CLAIM (test_sender_reports_reach_the_receiver_without_a_loop)
{
  static const gchar *const needs[] = { NEEDS, NULL };
  gint64 end = g_get_monotonic_time () + 60 * G_TIME_SPAN_SECOND;
  STOPPED GstElement *sender = NULL, *receiver = NULL;

  if (is_missing (needs))
    return;
  receiver = play_example ("audio-video-receive.launch");
  sender = play_example ("audio-video-send.launch");
  while (!has_sender_report (receiver, 0) || !has_sender_report (receiver, 1)) {
    fail_unless (g_get_monotonic_time () < end, "no sender report");
    g_usleep (100000);
  }
}

/* How many buffers the sink that shows least has shown; 0 before all `n` sinks are there. */
static guint64
least_shown (GstElement * pipeline, guint n)
{
  g_autoptr (GstIterator) sinks = gst_bin_iterate_sinks (GST_BIN (pipeline));
  guint64 shown, least = G_MAXUINT64;
  AT_END (g_value_unset) GValue item = G_VALUE_INIT;
  GstStructure *stats;
  guint found = 0;

  for (; gst_iterator_next (sinks, &item) == GST_ITERATOR_OK; g_value_reset (&item)) {
    g_object_get (g_value_get_object (&item), "stats", &stats, NULL);
    fail_unless (gst_structure_get (stats, "rendered", G_TYPE_UINT64, &shown, NULL));
    gst_structure_free (stats);
    least = MIN (least, shown);
    found++;
  }
  return found == n ? least : 0;
}

static gchar *
encoders_of_sender (GstElement * sender)
{
  g_autoptr (GstIterator) sinks = gst_bin_iterate_sinks (GST_BIN (sender));
  AT_END (g_value_unset) GValue item = G_VALUE_INIT;
  g_autoptr (GstStructure) stats = NULL;
  gchar *encoders;

  fail_unless (gst_iterator_next (sinks, &item) == GST_ITERATOR_OK);
  g_object_get (g_value_get_object (&item), "stats", &stats, NULL);
  encoders = g_strdup (gst_structure_get_string (stats, "encoders"));
  return encoders;
}

/* The muxer hides neither the encoder from rmcsink, nor the picture from a receiver that starts
 * later, which has to ask for a keyframe. */
CLAIM (test_mpeg_ts_has_sound_and_picture_and_an_encoder_that_follows)
{
  static const gchar *const needs[] = { "x264enc", "avenc_aac", "avdec_h264", "mpegtsmux",
    "tsdemux", "h264parse", "aacparse", NULL
  };
  gint64 end = g_get_monotonic_time () + 60 * G_TIME_SPAN_SECOND;
  GstElement *sender, *receiver;
  gchar *encoders;

  if (is_missing (needs))
    return;
  sender = play_example ("mpegts-send.launch");
  g_usleep (G_USEC_PER_SEC);
  receiver = play_example ("mpegts-receive.launch");
  while (least_shown (receiver, 2) < 30) {
    fail_unless (g_get_monotonic_time () < end, "no picture, or no sound");
    g_usleep (100000);
  }
  encoders = encoders_of_sender (sender);
  fail_unless (strstr (encoders, "x264enc") != NULL, "rmcsink steers '%s'", encoders);
  g_free (encoders);
  claim_stop (sender);
  claim_stop (receiver);
}

static GstElement *
sink_of (GstElement * pipeline)
{
  g_autoptr (GstIterator) sinks = gst_bin_iterate_sinks (GST_BIN (pipeline));
  AT_END (g_value_unset) GValue item = G_VALUE_INIT;
  GstElement *sink;

  fail_unless (gst_iterator_next (sinks, &item) == GST_ITERATOR_OK);
  sink = g_value_dup_object (&item);
  return sink;
}

/* How many paths of rmcsink carry, and how many it has. */
static guint
carrying_paths (GstElement * sink, guint * n)
{
  const GValue *paths;
  g_autoptr (GstStructure) stats = NULL;
  guint carrying = 0;

  g_object_get (sink, "stats", &stats, NULL);
  paths = gst_structure_get_value (stats, "paths");
  *n = paths ? gst_value_array_get_size (paths) : 0;
  for (guint i = 0; i < *n; i++) {
    const GstStructure *path = gst_value_get_structure (gst_value_array_get_value (paths, i));
    guint64 packets = 0;

    gst_structure_get_uint64 (path, "packets-sent", &packets);
    carrying += packets > 20 && g_str_equal (gst_structure_get_string (path, "state"), "carrying");
  }
  return carrying;
}

CLAIM (test_several_paths_carry_one_stream_and_one_can_be_taken_off)
{
  static const gchar *const needs[] = { "x264enc", "avdec_h264", NULL };
  gint64 end = g_get_monotonic_time () + 60 * G_TIME_SPAN_SECOND;
  GstElement *sink;
  STOPPED GstElement *sender = NULL, *receiver = NULL;
  guint64 shown;
  guint n;

  if (is_missing (needs))
    return;
  receiver = play_example ("receive-display.launch");
  sender = play_example ("several-paths-send.launch");
  sink = sink_of (sender);
  while (carrying_paths (sink, &n) < 2 || least_shown (receiver, 1) < 30) {
    fail_unless (g_get_monotonic_time () < end, "%u of %u paths carry", carrying_paths (sink, &n),
        n);
    g_usleep (100000);
  }
  g_object_set (sink, "paths", "127.0.0.2", NULL);
  while (carrying_paths (sink, &n) != 1 || n != 1) {
    fail_unless (g_get_monotonic_time () < end, "%u paths are there", n);
    g_usleep (100000);
  }
  shown = least_shown (receiver, 1);
  while (least_shown (receiver, 1) < shown + 30) {
    fail_unless (g_get_monotonic_time () < end, "the picture stands still");
    g_usleep (100000);
  }
  gst_object_unref (sink);
}

TIMED_CLAIM (test_the_program_tells_what_it_sent)
{
  static const gchar *const needs[] = { "x264enc", "rtph264pay", NULL };
  guint lines = 0, most = 0, sent;
  g_autoptr (GSubprocess) process = NULL;
  gchar *out = NULL, **line, **all;
  GError *error = NULL;

  if (is_missing (needs))
    return;
  process = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error, EMBED_SEND, "127.0.0.1",
      "15808", "4", NULL);
  fail_unless (process != NULL, "%s", error ? error->message : "");
  fail_unless (g_subprocess_communicate_utf8 (process, NULL, NULL, &out, NULL, &error));
  all = g_strsplit (out, "\n", -1);
  for (line = all; *line; line++) {
    const gchar *at = strstr (*line, "sent ");

    if (at && sscanf (at, "sent %u kbit/s", &sent) == 1) {
      lines++;
      most = MAX (most, sent);
    }
  }
  fail_unless (lines >= 2 && most > 50 && most < 5000,
      "%u kbit/s at most in %u lines: %s", most, lines, out);
  g_strfreev (all);
  g_free (out);
}
