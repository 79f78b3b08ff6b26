/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Keyframes on demand between real pipelines. The encoder makes none by itself for 100 s. */
#include <gst/video/video.h>

#include "claim.h"
#include "readstat.h"

#define SEND \
    "videotestsrc is-live=true ! video/x-raw,width=160,height=96,framerate=30/1 ! " \
    "x264enc tune=zerolatency speed-preset=ultrafast key-int-max=3000 ! " \
    "rtph264pay config-interval=-1 mtu=1200 ! rmcsink name=sink port=15762"
#define RECEIVE_RTCP " udpsrc port=15763 caps=application/x-rtcp ! sink.recv_rtcp_sink"
#define CAPS \
    "application/x-rtp,media=video,encoding-name=H264,payload=96,clock-rate=90000"
#define RECEIVE \
    "arcsrc port=15762 caps=" CAPS " ! rtpjitterbuffer ! rtph264depay ! h264parse ! " \
    "video/x-h264,alignment=au ! identity name=pictures ! fakesink sync=false"
/* Here only rtpbin asks. Its RTCP goes to a port of its own: through arcsrc the graph would be a
 * loop. */
#define RECEIVE_BY_RTPBIN \
    "rtpbin name=bin rtp-profile=avpf " \
    "arcsrc name=src port=15762 request-keyframes=false " \
    "caps=" CAPS ",rtcp-fb-nack-pli=(boolean)true ! bin.recv_rtp_sink_0 " \
    "bin.send_rtcp_src_0 ! udpsink host=127.0.0.1 port=15763 sync=false async=false " \
    "bin. ! rtph264depay ! h264parse ! identity name=pictures ! fakesink name=end sync=false"
#define PATIENCE_US (30 * G_TIME_SPAN_SECOND)

#define wait_until(condition)                                                  \
  G_STMT_START {                                                               \
    gint64 end_at = g_get_monotonic_time () + PATIENCE_US;                     \
    while (!(condition)) {                                                     \
      fail_unless (g_get_monotonic_time () < end_at, "waited for: " #condition);\
      g_usleep (1000);                                                         \
    }                                                                          \
  } G_STMT_END

static gboolean
have_encoder (void)
{
  if (gst_registry_check_feature_version (gst_registry_get (), "x264enc", 1, 0, 0)
      && gst_registry_check_feature_version (gst_registry_get (), "h264parse", 1, 0, 0))
    return TRUE;
  g_printerr ("skipped: x264enc or h264parse is not installed\n");
  return FALSE;
}

static GstElement *
play (const gchar * line)
{
  GError *error = NULL;
  GstElement *pipeline = gst_parse_launch (line, &error);

  fail_unless (error == NULL, "%s", error ? error->message : "");
  fail_if (gst_element_set_state (pipeline, GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE);
  return pipeline;
}

static void
end (GstElement * pipeline)
{
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
}

static GstPadProbeReturn
on_picture (GstPad * pad, GstPadProbeInfo * info, gpointer keyframes)
{
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (info);

  if (!GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_DELTA_UNIT))
    g_atomic_int_inc ((gint *) keyframes);
  return GST_PAD_PROBE_OK;
}

static void
count_keyframes (GstElement * pipeline, gint * keyframes)
{
  g_autoptr (GstElement) element = gst_bin_get_by_name (GST_BIN (pipeline), "pictures");
  g_autoptr (GstPad) pad = gst_element_get_static_pad (element, "src");

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, on_picture, keyframes, NULL);
}

CLAIM (test_a_receiver_that_starts_late_gets_a_keyframe)
{
  GstElement *sender, *receiver;
  gint keyframes = 0;

  if (!have_encoder ())
    return;
  sender = play (SEND);
  wait_until (read_stat_in (sender, "sink", "frames-in") >= 30);
  receiver = play (RECEIVE);
  count_keyframes (receiver, &keyframes);
  wait_until (g_atomic_int_get (&keyframes) > 0);
  fail_unless (read_stat_in (sender, "sink", "keyframe-requests-received") > 0);
  end (receiver);
  end (sender);
}

CLAIM (test_what_a_decoder_behind_rtpbin_asks_for_comes)
{
  GstElement *sender, *receiver, *sink;
  guint64 requests;
  gint keyframes = 0;

  if (!have_encoder ())
    return;
  receiver = play (RECEIVE_BY_RTPBIN);
  count_keyframes (receiver, &keyframes);
  sender = play (SEND RECEIVE_RTCP);
  wait_until (g_atomic_int_get (&keyframes) > 0);
  wait_until (read_stat_in (sender, "sink", "reports-received") > 3);
  requests = read_stat_in (sender, "sink", "keyframe-requests-received");
  g_usleep (G_TIME_SPAN_SECOND);        /* the last keyframe answers nothing any more */
  g_atomic_int_set (&keyframes, 0);
  sink = gst_bin_get_by_name (GST_BIN (receiver), "end");
  gst_element_send_event (sink, gst_video_event_new_upstream_force_key_unit (GST_CLOCK_TIME_NONE,
          TRUE, 1));
  gst_object_unref (sink);
  wait_until (g_atomic_int_get (&keyframes) > 0);
  fail_unless (read_stat_in (sender, "sink", "keyframe-requests-received") > requests);
  end (receiver);
  end (sender);
}
