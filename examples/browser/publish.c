/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* One picture for browsers: open http://HOST:8080/ (viewer.html, in the folder of --page). The same
 * as publish.py: each viewer has an encoder and a webrtcbin, and in it an rtparcbwe that adapts the
 * bitrate to the viewer's own network.
 *
 *   publish [--port PORT] [--all-interfaces] [--source PIPELINE] [--page FILE]
 *
 *   cc publish.c -o publish \
 *       $(pkg-config --cflags --libs gstreamer-webrtc-1.0 gstreamer-sdp-1.0 libsoup-3.0)
 *
 * Debian: libgstreamer-plugins-bad1.0-dev libsoup-3.0-dev, and at run time gstreamer1.0-nice and
 * gstreamer1.0-plugins-bad and -ugly. */
#define GST_USE_UNSTABLE_API
#define _DEFAULT_SOURCE
#include <gst/gst.h>
#include <gst/sdp/sdp.h>
#include <gst/webrtc/webrtc.h>
#include <libsoup/soup.h>
#include <stdio.h>

#define MOST_VIEWERS 16         /* each costs an encoder */
#define WATCH_S 5
#define SILENCE_S 15
#define TEST_SOURCE "videotestsrc is-live=true pattern=smpte horizontal-speed=3"
/* The camera runs once, and each viewer takes its frames. */
#define CAMERA "%s ! videoscale ! videorate ! video/x-raw,format=I420,width=640,height=360," \
    "framerate=30/1 ! intervideosink channel=camera"
/* Without the header extension in the caps no feedback comes. Browsers take
 * constrained-baseline. */
#define VIEWER "intervideosrc channel=camera ! video/x-raw,format=I420,framerate=30/1 ! queue " \
    "! x264enc tune=zerolatency speed-preset=superfast key-int-max=300 " \
    "! video/x-h264,profile=constrained-baseline " \
    "! rtph264pay config-interval=-1 aggregate-mode=zero-latency mtu=1200 " \
    "! application/x-rtp,media=(string)video,encoding-name=(string)H264,payload=(int)96," \
    "clock-rate=(int)90000,extmap-1=(string)http://www.ietf.org/id/" \
    "draft-holmer-rmcat-transport-wide-cc-extensions-01 " \
    "! webrtcbin name=webrtc bundle-policy=max-bundle"

typedef struct
{
  GHashTable *viewers;          /* path: Viewer */
  const gchar *page;
  guint last;
} Publisher;

/* A call. Handlers run in threads of GStreamer: they only schedule work of the main loop. Each
 * handler and each work has a reference. */
typedef struct
{
  gatomicrefcount refs;
  Publisher *publisher;
  gchar *path;
  GstElement *pipeline, *webrtc, *estimator;
  SoupServerMessage *asking;    /* waits for the offer */
  gboolean is_offering;
  guint watching, silent_s;
  guint64 reports;              /* of feedback, so far */
} Viewer;

static void
viewer_unref (gpointer data)
{
  Viewer *self = data;

  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  g_clear_object (&self->asking);
  gst_object_unref (self->estimator);
  gst_object_unref (self->webrtc);
  gst_object_unref (self->pipeline);
  g_free (self->path);
  g_free (self);
}

static Viewer *
viewer_ref (Viewer * self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

static void
viewer_connect (Viewer * self, gpointer object, const gchar * signal, GCallback callback)
{
  g_signal_connect_data (object, signal, callback, viewer_ref (self),
      (GClosureNotify) (void (*) (void)) viewer_unref, 0);
}

static void
viewer_do (Viewer * self, GSourceFunc work)
{
  g_idle_add_full (G_PRIORITY_DEFAULT, work, viewer_ref (self), viewer_unref);
}

static void
viewer_end (Viewer * self)
{
  GHashTable *viewers = self->publisher->viewers;
  GstBus *bus = gst_element_get_bus (self->pipeline);
  GstPad *pad = gst_element_get_static_pad (self->webrtc, "sink_0");

  g_clear_handle_id (&self->watching, g_source_remove);
  g_signal_handlers_disconnect_by_data (pad, self);
  g_signal_handlers_disconnect_by_data (self->webrtc, self);
  g_signal_handlers_disconnect_by_data (bus, self);
  gst_bus_remove_signal_watch (bus);
  gst_object_unref (pad);
  gst_object_unref (bus);
  gst_element_set_state (self->pipeline, GST_STATE_NULL);
  g_print ("%s ended: %u viewers\n", self->path, g_hash_table_size (viewers) - 1);
  g_hash_table_remove (viewers, self->path);
}

/* The offer, once all candidates are in it. */
static gboolean
tell_offer (gpointer data)
{
  Viewer *self = data;
  GstWebRTCSessionDescription *description = NULL;
  GstWebRTCICEGatheringState state;
  gchar *text;

  g_object_get (self->webrtc, "local-description", &description, "ice-gathering-state", &state,
      NULL);
  if (self->asking && description && state == GST_WEBRTC_ICE_GATHERING_STATE_COMPLETE) {
    text = gst_sdp_message_as_text (description->sdp);
    soup_message_headers_append (soup_server_message_get_response_headers (self->asking),
        "Location", self->path);
    soup_server_message_set_response (self->asking, "application/sdp", SOUP_MEMORY_TAKE, text,
        strlen (text));
    soup_server_message_set_status (self->asking, SOUP_STATUS_CREATED, NULL);
    soup_server_message_unpause (self->asking);
    g_clear_object (&self->asking);
  }
  if (description)
    gst_webrtc_session_description_free (description);
  return G_SOURCE_REMOVE;
}

static void
on_created (GstPromise * promise, gpointer data)
{
  Viewer *self = data;
  GstWebRTCSessionDescription *offer = NULL;

  if (gst_promise_wait (promise) == GST_PROMISE_RESULT_REPLIED)
    gst_structure_get (gst_promise_get_reply (promise), "offer",
        GST_TYPE_WEBRTC_SESSION_DESCRIPTION, &offer, NULL);
  if (offer) {
    g_signal_emit_by_name (self->webrtc, "set-local-description", offer, NULL);
    gst_webrtc_session_description_free (offer);
    viewer_do (self, tell_offer);
  }
  gst_promise_unref (promise);
}

static gboolean
make_offer (gpointer data)
{
  Viewer *self = data;
  GstWebRTCRTPTransceiver *transceiver = NULL;

  if (self->is_offering)
    return G_SOURCE_REMOVE;
  self->is_offering = TRUE;
  g_signal_emit_by_name (self->webrtc, "get-transceiver", 0, &transceiver);
  g_object_set (transceiver, "direction", GST_WEBRTC_RTP_TRANSCEIVER_DIRECTION_SENDONLY,
      "do-nack", TRUE, NULL);
  gst_object_unref (transceiver);
  g_signal_emit_by_name (self->webrtc, "create-offer", NULL,
      gst_promise_new_with_change_func (on_created, viewer_ref (self), viewer_unref));
  return G_SOURCE_REMOVE;
}

/* An offer that is made before the caps are there lacks the extension and the format. */
static void
on_caps (GObject * pad, GParamSpec * pspec, gpointer data)
{
  viewer_do (data, make_offer);
}

static void
on_gathering (GObject * webrtc, GParamSpec * pspec, gpointer data)
{
  viewer_do (data, tell_offer);
}

static GstElement *
on_request_aux_sender (GstElement * webrtc, GObject * transport, gpointer data)
{
  return gst_object_ref (((Viewer *) data)->estimator);
}

static void
on_error (GstBus * bus, GstMessage * message, gpointer data)
{
  GError *error;

  gst_message_parse_error (message, &error, NULL);
  g_printerr ("%s\n", error->message);
  g_error_free (error);
  viewer_end (data);
}

/* A viewer that never came, or left without a word, does not answer. */
static gboolean
watch (gpointer data)
{
  Viewer *self = data;
  GstStructure *stats;
  guint64 bps = 0, lists = 0, blocks = 0;

  g_object_get (self->estimator, "stats", &stats, NULL);
  gst_structure_get (stats, "rate", G_TYPE_UINT64, &bps, "reports-received", G_TYPE_UINT64, &lists,
      "receiver-reports", G_TYPE_UINT64, &blocks, NULL);
  if (lists + blocks > self->reports) {
    self->reports = lists + blocks;
    g_print ("%s: %u kbit/s, feedback %s\n", self->path, (guint) (bps / 1000),
        gst_structure_get_string (stats, "feedback-format"));
    self->silent_s = 0;
  } else {
    self->silent_s += WATCH_S;
  }
  gst_structure_free (stats);
  if (self->silent_s < SILENCE_S)
    return G_SOURCE_CONTINUE;
  self->watching = 0;
  viewer_end (self);
  return G_SOURCE_REMOVE;
}

static Viewer *
viewer_new (Publisher * publisher, SoupServerMessage * asking)
{
  Viewer *self = g_new0 (Viewer, 1);
  GstPad *pad;
  GstBus *bus;

  g_atomic_ref_count_init (&self->refs);
  self->publisher = publisher;
  self->path = g_strdup_printf ("/viewer/%u", ++publisher->last);
  self->asking = g_object_ref (asking);
  self->estimator = gst_object_ref_sink (gst_element_factory_make ("rtparcbwe", NULL));
  g_object_set (self->estimator, "max-bitrate", 4000000, NULL);
  self->pipeline = gst_object_ref_sink (gst_parse_launch (VIEWER, NULL));
  self->webrtc = gst_bin_get_by_name (GST_BIN (self->pipeline), "webrtc");
  viewer_connect (self, self->webrtc, "request-aux-sender", G_CALLBACK (on_request_aux_sender));
  viewer_connect (self, self->webrtc, "notify::ice-gathering-state", G_CALLBACK (on_gathering));
  pad = gst_element_get_static_pad (self->webrtc, "sink_0");
  viewer_connect (self, pad, "notify::caps", G_CALLBACK (on_caps));
  gst_object_unref (pad);
  bus = gst_element_get_bus (self->pipeline);
  gst_bus_add_signal_watch (bus);
  viewer_connect (self, bus, "message::error", G_CALLBACK (on_error));
  gst_object_unref (bus);
  self->watching = g_timeout_add_seconds (WATCH_S, watch, self);
  gst_element_set_state (self->pipeline, GST_STATE_PLAYING);
  return self;
}

/* FALSE if it is no answer. */
static gboolean
viewer_take_answer (Viewer * self, SoupMessageBody * body)
{
  GstWebRTCSessionDescription *answer;
  GBytes *bytes = soup_message_body_flatten (body);
  GstSDPMessage *sdp;
  gboolean is_answer;
  gsize size;
  gconstpointer data = g_bytes_get_data (bytes, &size);

  gst_sdp_message_new (&sdp);
  is_answer = gst_sdp_message_parse_buffer (data, size, sdp) == GST_SDP_OK
      && gst_sdp_message_medias_len (sdp) == 1;
  answer = gst_webrtc_session_description_new (GST_WEBRTC_SDP_TYPE_ANSWER, sdp);
  if (is_answer)
    g_signal_emit_by_name (self->webrtc, "set-remote-description", answer, NULL);
  gst_webrtc_session_description_free (answer);
  g_bytes_unref (bytes);
  return is_answer;
}

static void
begin (Publisher * self, SoupServerMessage * message)
{
  Viewer *viewer;

  if (g_hash_table_size (self->viewers) == MOST_VIEWERS) {
    soup_server_message_set_status (message, SOUP_STATUS_SERVICE_UNAVAILABLE, NULL);
    return;
  }
  soup_server_message_pause (message);
  viewer = viewer_new (self, message);
  g_hash_table_insert (self->viewers, viewer->path, viewer);
  g_print ("%s: %u viewers\n", viewer->path, g_hash_table_size (self->viewers));
}

static void
serve_viewer (SoupServer * server, SoupServerMessage * message, const char *path,
    GHashTable * query, gpointer data)
{
  Publisher *self = data;
  Viewer *viewer = g_hash_table_lookup (self->viewers, path);
  const char *method = soup_server_message_get_method (message);
  guint status = SOUP_STATUS_NOT_FOUND;

  if (g_str_equal (path, "/viewer") && method == SOUP_METHOD_POST) {
    begin (self, message);
    return;
  }
  if (viewer && method == SOUP_METHOD_POST)
    status = viewer_take_answer (viewer, soup_server_message_get_request_body (message))
        ? SOUP_STATUS_NO_CONTENT : SOUP_STATUS_BAD_REQUEST;
  if (viewer && method == SOUP_METHOD_DELETE) {
    viewer_end (viewer);
    status = SOUP_STATUS_NO_CONTENT;
  }
  soup_server_message_set_status (message, status, NULL);
}

static void
serve_page (SoupServer * server, SoupServerMessage * message, const char *path, GHashTable * query,
    gpointer data)
{
  Publisher *self = data;
  gchar *text;
  gsize size;

  if (!g_str_equal (path, "/") || !g_file_get_contents (self->page, &text, &size, NULL)) {
    soup_server_message_set_status (message, SOUP_STATUS_NOT_FOUND, NULL);
    return;
  }
  soup_server_message_set_response (message, "text/html", SOUP_MEMORY_TAKE, text, size);
  soup_server_message_set_status (message, SOUP_STATUS_OK, NULL);
}

static GstElement *
start_camera (const gchar * source, GError ** error)
{
  gchar *text = g_strdup_printf (CAMERA, source);
  GstElement *camera = gst_parse_launch (text, error);

  if (camera)
    gst_element_set_state (camera, GST_STATE_PLAYING);
  g_free (text);
  return camera;
}

int
main (int argc, char **argv)
{
  gchar *source = g_strdup (TEST_SOURCE), *page = g_strdup ("viewer.html");
  gboolean all_interfaces = FALSE;
  gint port = 8080;
  GOptionEntry entries[] = {
    { "port", 0, 0, G_OPTION_ARG_INT, &port, "Of the page (8080)", "PORT" },
    { "all-interfaces", 0, 0, G_OPTION_ARG_NONE, &all_interfaces,
        "Not this machine only: anybody who reaches the port can watch", NULL },
    { "source", 0, 0, G_OPTION_ARG_STRING, &source, "Of the picture", "PIPELINE" },
    { "page", 0, 0, G_OPTION_ARG_FILENAME, &page, "viewer.html", "FILE" },
    { NULL }
  };
  GOptionContext *context = g_option_context_new (NULL);
  Publisher publisher = { 0 };
  GError *error = NULL;
  SoupServer *server;
  gboolean listens;

  setlinebuf (stdout);
  g_option_context_add_main_entries (context, entries, NULL);
  g_option_context_add_group (context, gst_init_get_option_group ());
  if (!g_option_context_parse (context, &argc, &argv, &error) || !start_camera (source, &error)) {
    g_printerr ("%s\n", error->message);
    return 1;
  }
  publisher.page = page;
  publisher.viewers = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, viewer_unref);
  server = soup_server_new (NULL, NULL);
  soup_server_add_handler (server, "/", serve_page, &publisher, NULL);
  soup_server_add_handler (server, "/viewer", serve_viewer, &publisher, NULL);
  listens = all_interfaces
      ? soup_server_listen_all (server, port, SOUP_SERVER_LISTEN_IPV4_ONLY, &error)
      : soup_server_listen_local (server, port, SOUP_SERVER_LISTEN_IPV4_ONLY, &error);
  if (!listens) {
    g_printerr ("%s\n", error->message);
    return 1;
  }
  g_print ("http://127.0.0.1:%d/\n", port);
  g_main_loop_run (g_main_loop_new (NULL, FALSE));
  return 0;
}
