/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* One end of a call of two: camera and microphone go to the other end, whose picture and sound are
 * shown. Each way is one flow: rampscheduler lets sound go first and gives the picture the rest.
 *
 *   conference [--test] [--seconds=N] PORT HOST:PORT
 *
 * Each way is a pipeline of its own: in one pipeline, what shows the other end would wait for its
 * first picture, and the sender with it.
 *
 * PORT is where this end listens, HOST:PORT where the other end does. With --test the media is made
 * up, and only counted. Sound and picture take the same way and wait the same time, so they are in
 * step within a few frames; for the sender's own clock take rtpbin (docs/guide/recipes.md). */
#include <gst/gst.h>
#include <stdio.h>
#include <stdlib.h>

#define CAMERA "v4l2src ! videoconvert ! videoscale ! videorate"
#define TEST_CAMERA "videotestsrc is-live=true pattern=smpte horizontal-speed=3"
#define MICROPHONE "autoaudiosrc"
#define TEST_MICROPHONE "audiotestsrc is-live=true"
#define SENDER \
    "rampscheduler name=scheduler ! rmcsink name=sink max-bitrate=3000000  " \
    "%s ! video/x-raw,format=I420,width=640,height=360,framerate=30/1 ! x264enc tune=zerolatency " \
    "speed-preset=superfast key-int-max=300 ! rtph264pay config-interval=-1 " \
    "aggregate-mode=zero-latency mtu=1200 pt=96 ! scheduler.sink_0  " \
    "%s ! audioconvert ! audioresample ! opusenc bitrate=32000 ! rtpopuspay pt=97 ! " \
    "scheduler.sink_1"
#define VIDEO_CAPS "application/x-rtp,media=video,encoding-name=H264,clock-rate=90000"
#define AUDIO_CAPS "application/x-rtp,media=audio,encoding-name=OPUS,clock-rate=48000"
#define BUFFER \
    "rtpjitterbuffer latency=200 do-retransmission=true"
#define RECEIVER \
    "arcsrc name=source port=%s caps=application/x-rtp ! rtpptdemux name=streams  " \
    "streams.src_96 ! capssetter caps=" VIDEO_CAPS " ! " BUFFER " ! rtph264depay ! " \
    "avdec_h264 name=pictures ! videoconvert ! %s  " \
    "streams.src_97 ! capssetter caps=" AUDIO_CAPS " ! " BUFFER " ! rtpopusdepay ! " \
    "opusdec name=sounds ! audioconvert ! audioresample ! %s"

typedef struct
{
  GstElement *sender, *receiver, *sink, *source;
  GMainLoop *loop;
  gint pictures, sounds;        /* atomic: buffers that were decoded */
} App;

static gboolean test;
static gint seconds;
static const GOptionEntry options[] = {
  {"test", 0, 0, G_OPTION_ARG_NONE, &test, "no devices", NULL},
  {"seconds", 0, 0, G_OPTION_ARG_INT, &seconds, "end after", "N"},
  {NULL}
};

static GstPadProbeReturn
on_decoded (GstPad * pad, GstPadProbeInfo * info, gpointer number)
{
  g_atomic_int_inc ((gint *) number);
  return GST_PAD_PROBE_OK;
}

static void
count (App * app, const gchar * decoder_name, gint * number)
{
  GstElement *decoder = gst_bin_get_by_name (GST_BIN (app->receiver), decoder_name);
  GstPad *pad = gst_element_get_static_pad (decoder, "src");

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, on_decoded, number, NULL);
  gst_object_unref (pad);
  gst_object_unref (decoder);
}

static gboolean
on_message (GstBus * bus, GstMessage * message, gpointer user_data)
{
  App *app = user_data;
  GError *error = NULL;

  switch (GST_MESSAGE_TYPE (message)) {
    case GST_MESSAGE_LATENCY:
      gst_bin_recalculate_latency (GST_BIN (app->receiver));
      break;
    case GST_MESSAGE_WARNING:  /* such as: the peer does not listen yet */
      gst_message_parse_warning (message, &error, NULL);
      g_printerr ("warning: %s\n", error->message);
      break;
    case GST_MESSAGE_ERROR:
      gst_message_parse_error (message, &error, NULL);
      g_printerr ("%s\n", error->message);
      g_main_loop_quit (app->loop);
      break;
    default:
      break;
  }
  g_clear_error (&error);
  return G_SOURCE_CONTINUE;
}

static gboolean
print_stats (gpointer user_data)
{
  App *app = user_data;
  GstStructure *sent, *received;
  guint target = 0;
  guint64 bandwidth = 0;

  g_object_get (app->sink, "stats", &sent, NULL);
  g_object_get (app->source, "stats", &received, NULL);
  gst_structure_get_uint (sent, "target-bitrate", &target);
  gst_structure_get_uint64 (received, "received-bitrate", &bandwidth);
  g_print ("%s: target %u kbit/s; received: %" G_GUINT64_FORMAT " kbit/s, "
      "%d pictures, %d sounds\n",
      gst_structure_get_string (sent, "state"), target / 1000, bandwidth / 1000,
      g_atomic_int_get (&app->pictures), g_atomic_int_get (&app->sounds));
  gst_structure_free (sent);
  gst_structure_free (received);
  return G_SOURCE_CONTINUE;
}

static gboolean
quit (gpointer user_data)
{
  g_main_loop_quit (user_data);
  return G_SOURCE_REMOVE;
}

/* Takes the text. NULL, and the reason is printed, if it is no pipeline. */
static GstElement *
parse (gchar * text)
{
  GError *error = NULL;
  GstElement *pipeline =
      gst_parse_launch_full (text, NULL, GST_PARSE_FLAG_FATAL_ERRORS, &error);

  if (pipeline == NULL)
    g_printerr ("%s\n", error->message);
  g_clear_error (&error);
  g_free (text);
  return pipeline;
}

static gboolean
make_pipelines (App * app, const gchar * port, const gchar * address)
{
  gchar *uri = g_strdup_printf ("arc://%s", address);
  GError *error = NULL;
  gboolean ok = FALSE;

  app->sender = parse (g_strdup_printf (SENDER, test ? TEST_CAMERA : CAMERA,
          test ? TEST_MICROPHONE : MICROPHONE));
  app->receiver = parse (g_strdup_printf (RECEIVER, port,
          test ? "fakesink sync=true" : "autovideosink",
          test ? "fakesink sync=true" : "autoaudiosink"));
  if (app->sender && app->receiver) {
    app->sink = gst_bin_get_by_name (GST_BIN (app->sender), "sink");
    app->source = gst_bin_get_by_name (GST_BIN (app->receiver), "source");
    count (app, "pictures", &app->pictures);
    count (app, "sounds", &app->sounds);
    ok = gst_uri_handler_set_uri (GST_URI_HANDLER (app->sink), uri, &error);
  }
  if (error)
    g_printerr ("%s\n", error->message);
  g_clear_error (&error);
  g_free (uri);
  return ok;
}

static void
play (App * app, GstElement * pipeline)
{
  GstBus *bus = gst_element_get_bus (pipeline);

  gst_bus_add_watch (bus, on_message, app);
  gst_object_unref (bus);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
}

static void
stop (GstElement * pipeline)
{
  GstBus *bus = gst_element_get_bus (pipeline);

  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_bus_remove_watch (bus);
  gst_object_unref (bus);
}

static void
run (App * app)
{
  app->loop = g_main_loop_new (NULL, FALSE);
  play (app, app->receiver);
  play (app, app->sender);
  g_timeout_add_seconds (1, print_stats, app);
  if (seconds > 0)
    g_timeout_add_seconds ((guint) seconds, quit, app->loop);
  g_main_loop_run (app->loop);
  stop (app->sender);
  stop (app->receiver);
  g_main_loop_unref (app->loop);
}

int
main (int argc, char **argv)
{
  App app = { NULL };
  GOptionContext *context = g_option_context_new ("PORT HOST:PORT - one end of a call of two");
  GError *error = NULL;
  gboolean ok;

  g_option_context_add_main_entries (context, options, NULL);
  g_option_context_add_group (context, gst_init_get_option_group ());
  if (!g_option_context_parse (context, &argc, &argv, &error) || argc != 3) {
    g_printerr ("%s; usage: %s [--test] [--seconds=N] PORT HOST:PORT\n",
        error ? error->message : "no address", argv[0]);
    return 2;
  }
  g_option_context_free (context);
  setvbuf (stdout, NULL, _IOLBF, 0);
  ok = make_pipelines (&app, argv[1], argv[2]);
  if (ok)
    run (&app);
  gst_clear_object (&app.sink);
  gst_clear_object (&app.source);
  gst_clear_object (&app.sender);
  gst_clear_object (&app.receiver);
  return ok ? 0 : 1;
}
