/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* An RTSP server whose viewers each get the rate that their network carries. Viewers are stock RTSP
 * clients: `gst-launch-1.0 rtspsrc location=rtsp://HOST:8554/live latency=200 ! ...`.
 *
 *   rtspserver [PORT [LAUNCH]]       an encoder for each viewer
 *   rtspserver PORT ladder [CAMERA]  a few encoders for all
 *
 * Problem: gst-rtsp-server makes its own rtpbin and its own sinks, so that rmcsink cannot stand at
 * the end of a factory. Rule: each viewer has a media of its own (not shared), and rtparcbwe stands
 * in its rtpbin as the aux sender of the first stream, `pay0`. The payloader adds the header
 * extension of transport-wide congestion control (TWCC). The server offers it in the SDP, and
 * rtspsrc then tells when each packet arrived. A client without TWCC is adapted to by its receiver
 * reports, slowly.
 *
 * A shared media sends all viewers the same packets, so the ladder is shared instead: one pipeline
 * has the camera and arcladder, and the media of each viewer, not shared, takes a pad of it through
 * proxysink and proxysrc, and has a payloader of its own. The target of rtparcbwe goes the same way
 * upstream. */
#include <gst/rtp/gstrtphdrext.h>
#include <gst/rtp/gstrtpbasepayload.h>
#include <gst/rtsp-server/rtsp-server.h>
#include <stdlib.h>

#define TWCC_URI "http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01"
#define TWCC_ID 1               /* any from 1 to 14 that no other extension of the payloader has */
#define MAX_BPS 4000000
#define START_BPS 500000

#define LAUNCH "( videotestsrc is-live=true pattern=smpte horizontal-speed=3 " \
    "! video/x-raw,width=640,height=360,framerate=30/1 ! x264enc tune=zerolatency " \
    "speed-preset=superfast key-int-max=300 ! rtph264pay name=pay0 pt=96 " \
    "config-interval=-1 aggregate-mode=zero-latency mtu=1200 )"

/* Parameter sets have to be in the stream: viewers change from one encoder to another. */
#define CAMERA "videotestsrc is-live=true pattern=smpte horizontal-speed=3 " \
    "! video/x-raw,format=I420,width=640,height=360,framerate=30/1 " \
    "! arcladder name=ladder payloader=\"\" encoder=\"x264enc tune=zerolatency " \
    "speed-preset=superfast key-int-max=300 " \
    "! capsfilter caps=video/x-h264,stream-format=byte-stream\""

#define VIEWER "( proxysrc name=camera ! rtph264pay name=pay0 pt=96 config-interval=-1 " \
    "aggregate-mode=zero-latency mtu=1200 )"

/* Between DESCRIBE and PLAY the media is blocked: frames are dropped, and the others go on. */
#define BRANCH "queue leaky=downstream max-size-buffers=0 max-size-bytes=0 " \
    "max-size-time=300000000 ! proxysink name=out"

static GstElement *camera;      /* the pipeline with the ladder; NULL: an encoder for each viewer */

/* --- the media of one viewer --- */

G_DECLARE_FINAL_TYPE (AdaptedMedia, adapted_media, ADAPTED, MEDIA, GstRTSPMedia);

struct _AdaptedMedia
{
  GstRTSPMedia parent;
  GstElement *bwe;
  GstElement *branch;           /* of the camera's pipeline, with a reference; NULL: none */
};

G_DEFINE_TYPE (AdaptedMedia, adapted_media, GST_TYPE_RTSP_MEDIA);

static void
add_twcc (GstElement * payloader)
{
  GstRTPHeaderExtension *extension = gst_rtp_header_extension_create_from_uri (TWCC_URI);

  if (!extension) {
    g_printerr ("no rtphdrexttwcc: install gstreamer1.0-plugins-good; the rate follows "
        "receiver reports, slowly\n");
    return;
  }
  gst_rtp_header_extension_set_id (extension, TWCC_ID);
  g_signal_emit_by_name (payloader, "add-extension", extension);
  gst_object_unref (extension);
}

/* rtpbin finds the session of a pad by its name. */
static void
add_ghost (GstElement * bin, GstElement * element, const gchar * pad_name, guint session)
{
  GstPad *pad = gst_element_get_static_pad (element, pad_name);
  gchar *name = g_strdup_printf ("%s_%u", pad_name, session);

  gst_element_add_pad (bin, gst_ghost_pad_new (name, pad));
  g_free (name);
  gst_object_unref (pad);
}

/* rtparcbwe paces. A sink that waits for the clock would hold packets back that count as sent, and
 * make bursts of what was spread. gst_rtsp_media_set_rate_control() is of no use here: it reaches
 * the sinks of TCP only. */
static void
on_element_added (GstBin * pipeline, GstElement * element, gpointer user_data)
{
  if (GST_OBJECT_FLAG_IS_SET (element, GST_ELEMENT_FLAG_SINK)
      && g_object_class_find_property (G_OBJECT_GET_CLASS (element), "sync"))
    g_object_set (element, "sync", FALSE, NULL);
}

/* Each stream of the media is a session. Sound needs little and keeps its rate. */
static GstElement *
on_request_aux_sender (GstElement * rtpbin, guint session, AdaptedMedia * self)
{
  GstObject *pipeline;
  GstElement *bin;

  if (session != 0 || !self->bwe)
    return NULL;
  pipeline = gst_object_get_parent (GST_OBJECT (rtpbin));
  g_signal_connect (pipeline, "element-added", G_CALLBACK (on_element_added), NULL);
  if (camera) {                 /* the proxies need the same running time in both pipelines */
    gst_element_set_start_time (GST_ELEMENT (pipeline), GST_CLOCK_TIME_NONE);
    gst_element_set_base_time (GST_ELEMENT (pipeline), gst_element_get_base_time (camera));
  }
  gst_object_unref (pipeline);

  bin = gst_bin_new (NULL);
  gst_bin_add (GST_BIN (bin), self->bwe);
  add_ghost (bin, self->bwe, "sink", session);
  add_ghost (bin, self->bwe, "src", session);
  return bin;
}

static gboolean
join_ladder (AdaptedMedia * self, GstElement * top)
{
  GstElement *ladder = gst_bin_get_by_name (GST_BIN (camera), "ladder");
  GstElement *source = gst_bin_get_by_name (GST_BIN (top), "camera");
  GstElement *branch = gst_parse_bin_from_description (BRANCH, TRUE, NULL);
  GstElement *out = gst_bin_get_by_name (GST_BIN (branch), "out");
  gboolean joined;

  self->branch = gst_object_ref_sink (branch);
  g_object_set (source, "proxysink", out, NULL);
  gst_bin_add (GST_BIN (camera), branch);
  gst_element_sync_state_with_parent (branch);
  joined = gst_element_link (ladder, branch);
  gst_object_unref (out);
  gst_object_unref (source);
  gst_object_unref (ladder);
  return joined;
}

/* The pad of arcladder that is the viewer's, or NULL. */
static GstPad *
pad_of_ladder (AdaptedMedia * self)
{
  GstPad *sink = self->branch ? gst_element_get_static_pad (self->branch, "sink") : NULL;
  GstPad *pad = sink ? gst_pad_get_peer (sink) : NULL;

  gst_clear_object (&sink);
  return pad;
}

static void
leave_ladder (AdaptedMedia * self)
{
  GstPad *pad = pad_of_ladder (self);

  if (pad) {
    GstElement *ladder = gst_pad_get_parent_element (pad);

    gst_element_release_request_pad (ladder, pad);
    gst_object_unref (ladder);
    gst_object_unref (pad);
  }
  if (self->branch) {
    gst_element_set_locked_state (self->branch, TRUE);
    gst_element_set_state (self->branch, GST_STATE_NULL);
    gst_bin_remove (GST_BIN (camera), self->branch);
  }
  gst_clear_object (&self->branch);
}

static void
adapted_media_unprepared (GstRTSPMedia * media)
{
  leave_ladder (ADAPTED_MEDIA (media));
}

/* What came before PLAY was not sent: the viewer needs a keyframe to begin with. */
static void
adapted_media_new_state (GstRTSPMedia * media, GstState state)
{
  GstPad *pad = state == GST_STATE_PLAYING ? pad_of_ladder (ADAPTED_MEDIA (media)) : NULL;

  if (pad)
    gst_pad_send_event (pad, gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM,
            gst_structure_new_empty ("GstForceKeyUnit")));
  gst_clear_object (&pad);
}

static gboolean
adapted_media_setup_rtpbin (GstRTSPMedia * media, GstElement * rtpbin)
{
  AdaptedMedia *self = ADAPTED_MEDIA (media);
  GstElement *top = gst_rtsp_media_get_element (media);
  GstElement *payloader = gst_bin_get_by_name_recurse_up (GST_BIN (top), "pay0");
  gboolean joined;

  if (GST_IS_RTP_BASE_PAYLOAD (payloader))
    add_twcc (payloader);
  g_clear_object (&payloader);
  joined = !camera || join_ladder (self, top);
  gst_object_unref (top);
  if (!joined)
    return FALSE;

  self->bwe = gst_element_factory_make ("rtparcbwe", NULL);
  if (!self->bwe) {
    g_printerr ("no rtparcbwe: set GST_PLUGIN_PATH to where the plugin is\n");
    return FALSE;
  }
  gst_object_ref_sink (self->bwe);
  g_object_set (self->bwe, "estimated-bitrate", START_BPS, "max-bitrate", MAX_BPS, NULL);
  g_signal_connect_object (rtpbin, "request-aux-sender", G_CALLBACK (on_request_aux_sender), self,
      0);
  return TRUE;                  /* the class above has no such method to go on with */
}

static void
adapted_media_finalize (GObject * object)
{
  leave_ladder (ADAPTED_MEDIA (object));
  g_clear_object (&ADAPTED_MEDIA (object)->bwe);
  G_OBJECT_CLASS (adapted_media_parent_class)->finalize (object);
}

static void
adapted_media_class_init (AdaptedMediaClass * klass)
{
  G_OBJECT_CLASS (klass)->finalize = adapted_media_finalize;
  GST_RTSP_MEDIA_CLASS (klass)->setup_rtpbin = adapted_media_setup_rtpbin;
  GST_RTSP_MEDIA_CLASS (klass)->unprepared = adapted_media_unprepared;
  GST_RTSP_MEDIA_CLASS (klass)->new_state = adapted_media_new_state;
}

static void
adapted_media_init (AdaptedMedia * self)
{
}

/* --- a line a second for each viewer --- */

/* Which encoder the viewer gets. */
static void
print_rung (AdaptedMedia * self)
{
  GstPad *pad = pad_of_ladder (self);
  gint rung;

  if (pad) {
    g_object_get (pad, "rung", &rung, NULL);
    g_print (", rung %d", rung);
  }
  gst_clear_object (&pad);
}

static GstRTSPFilterResult
print_media (GstRTSPSession * session, GstRTSPSessionMedia * media, gpointer client)
{
  AdaptedMedia *self = ADAPTED_MEDIA (gst_rtsp_session_media_get_media (media));
  GstRTSPConnection *connection = gst_rtsp_client_get_connection (client);
  GstStructure *stats = NULL;
  guint target;
  guint64 sent, told, lost;

  if (self->bwe)
    g_object_get (self->bwe, "stats", &stats, NULL);
  if (stats && gst_structure_get (stats, "target-bitrate", G_TYPE_UINT, &target, "sent-bitrate",
          G_TYPE_UINT64, &sent, "feedback-messages", G_TYPE_UINT64, &told, "packets-lost",
          G_TYPE_UINT64, &lost, NULL)) {
    g_print ("%s: target %u kbit/s, sent %" G_GUINT64_FORMAT " kbit/s, feedback %"
        G_GUINT64_FORMAT ", lost %" G_GUINT64_FORMAT, gst_rtsp_connection_get_ip (connection),
        target / 1000, sent / 1000, told, lost);
    print_rung (self);
    g_print ("\n");
  }
  g_clear_pointer (&stats, gst_structure_free);
  return GST_RTSP_FILTER_KEEP;
}

static GstRTSPFilterResult
print_session (GstRTSPClient * client, GstRTSPSession * session, gpointer user_data)
{
  gst_rtsp_session_filter (session, print_media, client);
  return GST_RTSP_FILTER_KEEP;
}

static GstRTSPFilterResult
print_client (GstRTSPServer * server, GstRTSPClient * client, gpointer user_data)
{
  gst_rtsp_client_session_filter (client, print_session, NULL);
  return GST_RTSP_FILTER_KEEP;
}

static gboolean
print_all (gpointer server)
{
  gst_rtsp_server_client_filter (server, print_client, NULL);
  return G_SOURCE_CONTINUE;
}

static void
add_factory (GstRTSPServer * server, const gchar * launch)
{
  GstRTSPMountPoints *mounts = gst_rtsp_server_get_mount_points (server);
  GstRTSPMediaFactory *factory = gst_rtsp_media_factory_new ();

  gst_rtsp_media_factory_set_launch (factory, launch);
  gst_rtsp_media_factory_set_media_gtype (factory, adapted_media_get_type ());
  gst_rtsp_media_factory_set_shared (factory, FALSE);   /* each viewer has a rate of its own */
  /* Over TCP (interleaved) four of ten streams used 17 to 65 % of their link; perhaps because TCP's
   * own congestion control, queue and retransmissions look like a queue in the network. A viewer
   * that asks for TCP is told "461 Unsupported transport". */
  gst_rtsp_media_factory_set_protocols (factory, GST_RTSP_LOWER_TRANS_UDP);
  gst_rtsp_mount_points_add_factory (mounts, "/live", factory);
  g_object_unref (mounts);
}

static gboolean
on_camera_error (GstBus * bus, GstMessage * message, gpointer user_data)
{
  GError *error = NULL;

  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR) {
    gst_message_parse_error (message, &error, NULL);
    g_printerr ("camera: %s\n", error->message);
    exit (1);
  }
  return G_SOURCE_CONTINUE;
}

static gboolean
start_camera (const gchar * launch)
{
  GError *error = NULL;
  GstBus *bus;

  camera = gst_parse_launch (launch, &error);
  if (error) {
    g_printerr ("camera: %s\n", error->message);
    g_clear_error (&error);
    return FALSE;
  }
  bus = gst_element_get_bus (camera);
  gst_bus_add_watch (bus, on_camera_error, NULL);
  gst_object_unref (bus);
  /* A failure comes as a message. */
  gst_element_set_state (camera, GST_STATE_PLAYING);
  return TRUE;
}

int
main (int argc, char **argv)
{
  GMainLoop *loop;
  GstRTSPServer *server;
  const gchar *launch;

  gst_init (&argc, &argv);
  launch = argc > 2 ? argv[2] : LAUNCH;
  if (g_str_equal (launch, "ladder")) {
    launch = VIEWER;
    if (!start_camera (argc > 3 ? argv[3] : CAMERA))
      return 1;
  }
  loop = g_main_loop_new (NULL, FALSE);
  server = gst_rtsp_server_new ();
  gst_rtsp_server_set_service (server, argc > 1 ? argv[1] : "8554");
  add_factory (server, launch);
  if (gst_rtsp_server_attach (server, NULL) == 0) {
    g_printerr ("port %s cannot be used\n", argc > 1 ? argv[1] : "8554");
    return 1;
  }
  g_timeout_add_seconds (1, print_all, server);
  g_print ("ready: rtsp://HOST:%d/live\n", gst_rtsp_server_get_bound_port (server));
  g_main_loop_run (loop);
  return 0;
}
