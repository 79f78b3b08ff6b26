/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* rampscheduler between real encoders and a rmcsink that blocks: in preroll, and while nobody
 * answers it. x264enc with its lookahead gives nothing for a second of video, and both encoders
 * send tags and answer requests for keyframes. */
#include <gst/video/video.h>
#include <glib/gstdio.h>

#include "claim.h"

#define VIDEO \
    "videotestsrc name=v is-live=%s ! video/x-raw,width=160,height=96,framerate=25/1 ! " \
    "x264enc name=x %s ! rtph264pay mtu=1200 ! s.sink_0 "
#define AUDIO "audiotestsrc name=a is-live=%s ! opusenc ! rtpopuspay pt=98 ! s.sink_1 "
#define SINK \
    "rampscheduler name=s ! rmcsink name=sink port=15734 congestion-control=fixed " \
    "start-bitrate=2000000 controller-params=\"params,stop=0.5\" "
#define PATIENCE (30 * GST_SECOND)

static gboolean
have_encoders (void)
{
  GstRegistry *registry = gst_registry_get ();

  if (gst_registry_check_feature_version (registry, "x264enc", 1, 0, 0)
      && gst_registry_check_feature_version (registry, "opusenc", 1, 0, 0))
    return TRUE;
  g_printerr ("skipped: x264enc or opusenc is not installed\n");
  return FALSE;
}

static GstElement *
launch (const gchar * live, const gchar * x264enc)
{
  g_autofree gchar *line = g_strdup_printf (SINK VIDEO AUDIO, live, x264enc, live);
  GError *error = NULL;
  GstElement *pipeline = gst_parse_launch (line, &error);

  fail_unless (error == NULL, "%s", error ? error->message : "");
  return pipeline;
}

static GstPadProbeReturn
count (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  g_atomic_int_inc ((gint *) user_data);
  return GST_PAD_PROBE_OK;
}

static void
probe (GstElement * pipeline, const gchar * name, const gchar * pad_name, GstPadProbeType type,
    gint * counter)
{
  g_autoptr (GstElement) element = gst_bin_get_by_name (GST_BIN (pipeline), name);
  g_autoptr (GstPad) pad = gst_element_get_static_pad (element, pad_name);

  g_atomic_int_set (counter, 0);
  gst_pad_add_probe (pad, type, count, counter, NULL);
}

CLAIM_TIMEOUT_S (120)

/* Fails by the test's time limit where it hangs. */
CLAIM (test_preroll_and_seeks_in_it_end_with_an_encoder_that_looks_ahead)
{
  GstElement *pipeline;
  gint flushes;

  if (!have_encoders ())
    return;
  for (guint run = 0; run < 3; run++) {
    pipeline = launch ("false", "rc-lookahead=40");
    probe (pipeline, "sink", "sink", GST_PAD_PROBE_TYPE_EVENT_FLUSH, &flushes);
    gst_element_set_state (pipeline, GST_STATE_PAUSED);
    fail_unless_equals_int (gst_element_get_state (pipeline, NULL, NULL, PATIENCE),
        GST_STATE_CHANGE_SUCCESS);
    for (gint round = 1; round < 4; round++) {
      fail_unless (gst_element_seek_simple (pipeline, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH,
              round * GST_SECOND));
      fail_unless_equals_int (gst_element_get_state (pipeline, NULL, NULL, PATIENCE),
          GST_STATE_CHANGE_SUCCESS);
      fail_unless_equals_int (g_atomic_int_get (&flushes), 2 * round);
    }
    gst_element_set_state (pipeline, GST_STATE_NULL);
    gst_object_unref (pipeline);
  }
}

static void
ask_for_keyframe (GstElement * pipeline)
{
  g_autoptr (GstElement) encoder = gst_bin_get_by_name (GST_BIN (pipeline), "x");

  gst_element_send_event (encoder,
      gst_video_event_new_upstream_force_key_unit (GST_CLOCK_TIME_NONE, TRUE, 1));
}

static void
release_sink_pad (GstElement * pipeline, const gchar * name)
{
  g_autoptr (GstElement) scheduler = gst_bin_get_by_name (GST_BIN (pipeline), "s");
  g_autoptr (GstPad) pad = gst_element_get_static_pad (scheduler, name),
      peer = gst_pad_get_peer (pad);

  gst_pad_unlink (peer, pad);
  gst_element_release_request_pad (scheduler, pad);
}

/* Media stops half a second after the start; the sources must not. */
CLAIM (test_input_goes_on_and_pads_leave_while_nobody_answers)
{
  STOPPED GstElement *pipeline = NULL;
  gint video, audio;

  if (!have_encoders ())
    return;
  pipeline = launch ("true", "tune=zerolatency speed-preset=ultrafast");
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  for (guint i = 0; i < 15; i++) {
    g_usleep (100 * 1000);
    ask_for_keyframe (pipeline);
  }
  probe (pipeline, "v", "src", GST_PAD_PROBE_TYPE_BUFFER, &video);
  probe (pipeline, "a", "src", GST_PAD_PROBE_TYPE_BUFFER, &audio);
  for (guint i = 0; i < 3000; i++) {
    if (g_atomic_int_get (&video) > 10 && g_atomic_int_get (&audio) > 10)
      break;
    g_usleep (10 * 1000);
  }
  fail_unless (g_atomic_int_get (&video) > 10, "%d frames in 30 s", g_atomic_int_get (&video));
  fail_unless (g_atomic_int_get (&audio) > 10,
      "%d buffers of sound in 30 s", g_atomic_int_get (&audio));
  release_sink_pad (pipeline, "sink_1");
  release_sink_pad (pipeline, "sink_0");
}

/* --- the recipe --- */

static gchar *
read_recipe (const gchar * camera, const gchar * file)
{
  gchar *text, **lines, **parts, *joined;

  fail_unless (g_file_get_contents (EXAMPLES_DIR "/camera-and-file-send.launch", &text, NULL,
          NULL));
  lines = g_strsplit (text, "\n", -1);
  for (gchar ** line = lines; *line; line++)
    if (**line == '#')
      **line = '\0';
  g_free (text);
  text = g_strjoinv (" ", lines);
  g_strfreev (lines);
  parts = g_strsplit (text, "v4l2src device=/dev/video0", 2);
  joined = g_strjoinv (camera, parts);
  g_free (text);
  g_strfreev (parts);
  parts = g_strsplit (joined, "/tmp/file.bin", 2);
  text = g_strjoinv (file, parts);
  g_free (joined);
  g_strfreev (parts);
  return text;
}

/* A critical fails a test by itself. */
CLAIM (test_camera_and_file_recipe_runs_without_criticals)
{
  GstElement *pipeline;
  GError *error = NULL;
  g_autofree gchar *file = NULL, *text = NULL, *bytes = NULL;
  gint packets;

  if (!have_encoders ())
    return;
  g_close (g_file_open_tmp ("ramp-XXXXXX", &file, NULL), NULL);
  bytes = g_malloc0 (40000);
  fail_unless (g_file_set_contents (file, bytes, 40000, NULL));
  text = read_recipe ("videotestsrc is-live=true", file);
  pipeline = gst_parse_launch (text, &error);
  if (g_error_matches (error, GST_PARSE_ERROR, GST_PARSE_ERROR_NO_SUCH_ELEMENT)) {
    g_printerr ("skipped: %s\n", error->message);
  } else {
    fail_unless (error == NULL, "%s", error ? error->message : "");
    probe (pipeline, "scheduler", "src", GST_PAD_PROBE_TYPE_BUFFER, &packets);
    gst_element_set_state (pipeline, GST_STATE_PLAYING);
    for (guint i = 0; i < 30000 && g_atomic_int_get (&packets) < 40; i++)
      g_usleep (1000);
    fail_unless (g_atomic_int_get (&packets) >= 40);
    gst_element_set_state (pipeline, GST_STATE_NULL);
  }
  g_clear_error (&error);
  gst_clear_object (&pipeline);
  g_unlink (file);
}
