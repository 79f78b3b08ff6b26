/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "laddersfu.h"

#define GST_USE_UNSTABLE_API
#include <gst/video/video.h>
#include <gst/webrtc/webrtc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CAPS_INTERVAL_MS 100    /* an offer made before the caps are known names no SSRC */
#define RTCP_PSFB 206
#define PLI 1

typedef struct
{
  gchar *name;
  GstElement *pipeline, *webrtc;
  gint payload;
  gboolean told;
} Peer;

static GHashTable *peers;
static void (*begin_run) (void);

static gboolean
is_publisher (const Peer * peer)
{
  return g_str_equal (peer->name, SFU_PUBLISHER);
}

/* --- what this end says --- */

static gboolean
tell (gpointer user_data)
{
  Peer *peer = user_data;
  GstWebRTCICEGatheringState state;
  GstWebRTCSessionDescription *description;

  g_object_get (peer->webrtc, "ice-gathering-state", &state, "local-description", &description,
      NULL);
  if (state == GST_WEBRTC_ICE_GATHERING_STATE_COMPLETE && description && !peer->told) {
    gchar *text = gst_sdp_message_as_text (description->sdp);
    gchar *coded = g_base64_encode ((guchar *) text, strlen (text));

    printf ("%s %s %s\n", is_publisher (peer) ? "offer" : "answer", peer->name, coded);
    fflush (stdout);
    peer->told = TRUE;
    g_free (coded);
    g_free (text);
  }
  if (description)
    gst_webrtc_session_description_free (description);
  return G_SOURCE_REMOVE;
}

static void
on_gathering (GObject * webrtc, GParamSpec * pspec, gpointer peer)
{
  g_idle_add (tell, peer);
}

static void
set_local (GstPromise * promise, gpointer user_data)
{
  Peer *peer = user_data;
  GstWebRTCSessionDescription *description = NULL;

  gst_promise_wait (promise);
  gst_structure_get (gst_promise_get_reply (promise), is_publisher (peer) ? "offer" : "answer",
      GST_TYPE_WEBRTC_SESSION_DESCRIPTION, &description, NULL);
  g_signal_emit_by_name (peer->webrtc, "set-local-description", description, NULL);
  gst_webrtc_session_description_free (description);
  gst_promise_unref (promise);
  g_idle_add (tell, peer);
}

static gboolean
offer (gpointer user_data)
{
  Peer *peer = user_data;
  GstPad *pad = gst_element_get_static_pad (peer->webrtc, "sink_0");
  gboolean ready = gst_pad_has_current_caps (pad);
  GstWebRTCRTPTransceiver *transceiver;

  gst_object_unref (pad);
  if (!ready)
    return G_SOURCE_CONTINUE;
  g_signal_emit_by_name (peer->webrtc, "get-transceiver", 0, &transceiver);
  g_object_set (transceiver, "direction", GST_WEBRTC_RTP_TRANSCEIVER_DIRECTION_SENDONLY, NULL);
  gst_object_unref (transceiver);
  g_signal_emit_by_name (peer->webrtc, "create-offer", NULL,
      gst_promise_new_with_change_func (set_local, peer, NULL));
  return G_SOURCE_REMOVE;
}

/* --- what the other end says --- */

/* rtpfunnel inside webrtcbin knows one SSRC of the three, so a request for another finds no
 * encoder. */
static void
on_feedback (GObject * session, guint type, guint fbtype, guint sender_ssrc, guint media_ssrc,
    GstBuffer * fci, gpointer user_data)
{
  gchar *name = g_strdup_printf ("encoder%u", media_ssrc - SFU_FIRST_SSRC);
  GstElement *encoder = gst_bin_get_by_name (GST_BIN (((Peer *) user_data)->pipeline), name);

  if (type == RTCP_PSFB && fbtype == PLI && encoder)
    gst_element_send_event (encoder,
        gst_video_event_new_upstream_force_key_unit (GST_CLOCK_TIME_NONE, TRUE, 0));
  gst_clear_object (&encoder);
  g_free (name);
}

static void
watch_feedback (Peer * peer)
{
  GstElement *rtpbin = gst_bin_get_by_name (GST_BIN (peer->webrtc), "rtpbin");
  GObject *session = NULL;

  g_signal_emit_by_name (rtpbin, "get-internal-session", 0, &session);
  g_signal_connect (session, "on-feedback-rtcp", G_CALLBACK (on_feedback), peer);
  g_object_unref (session);
  gst_object_unref (rtpbin);
}

static void
answer (GstPromise * promise, gpointer user_data)
{
  Peer *peer = user_data;

  gst_promise_wait (promise);
  gst_promise_unref (promise);
  if (is_publisher (peer))
    watch_feedback (peer);
  else
    g_signal_emit_by_name (peer->webrtc, "create-answer", NULL,
        gst_promise_new_with_change_func (set_local, peer, NULL));
}

static void
prefer_codec (GstElement * webrtc, GstWebRTCRTPTransceiver * transceiver, gpointer user_data)
{
  GstCaps *caps = gst_caps_new_simple ("application/x-rtp", "media", G_TYPE_STRING, "video",
      "encoding-name", G_TYPE_STRING, "H264", "clock-rate", G_TYPE_INT, 90000, "payload",
      G_TYPE_INT, ((Peer *) user_data)->payload, NULL);

  g_object_set (transceiver, "codec-preferences", caps, "do-nack", TRUE, NULL);
  gst_caps_unref (caps);
}

static void
set_remote (Peer * peer, GstWebRTCSDPType type, const gchar * coded)
{
  gsize length;
  guchar *text = g_base64_decode (coded, &length);
  gchar *whole = g_strndup ((gchar *) text, length);
  const gchar *map = strstr (whole, "a=rtpmap:");
  GstWebRTCSessionDescription *description;
  GstSDPMessage *sdp;

  peer->payload = map ? atoi (map + strlen ("a=rtpmap:")) : 0;
  gst_sdp_message_new_from_text (whole, &sdp);
  description = gst_webrtc_session_description_new (type, sdp);
  g_signal_emit_by_name (peer->webrtc, "set-remote-description", description,
      gst_promise_new_with_change_func (answer, peer, NULL));
  gst_webrtc_session_description_free (description);
  g_free (whole);
  g_free (text);
}

static gboolean
on_line (GIOChannel * channel, GIOCondition condition, gpointer user_data)
{
  gchar *line = NULL, **words;
  Peer *peer;

  if (g_io_channel_read_line (channel, &line, NULL, NULL, NULL) != G_IO_STATUS_NORMAL)
    exit (1);
  words = g_strsplit (g_strstrip (line), " ", 3);
  peer = g_strv_length (words) == 3 ? g_hash_table_lookup (peers, words[1]) : NULL;
  if (peer)
    set_remote (peer, g_str_equal (words[0], "offer") ? GST_WEBRTC_SDP_TYPE_OFFER
        : GST_WEBRTC_SDP_TYPE_ANSWER, words[2]);
  else if (g_str_equal (line, "begin"))
    begin_run ();
  g_strfreev (words);
  g_free (line);
  return G_SOURCE_CONTINUE;
}

void
sfu_listen (void (*begin) (void))
{
  GIOChannel *channel = g_io_channel_unix_new (STDIN_FILENO);

  begin_run = begin;
  g_io_add_watch (channel, G_IO_IN | G_IO_HUP, on_line, NULL);
}

/* --- peers --- */

static void
on_pad (GstElement * webrtc, GstPad * pad, gpointer user_data)
{
  GstElement *depay = gst_bin_get_by_name (GST_BIN (((Peer *) user_data)->pipeline), "depay");
  GstPad *sink = gst_element_get_static_pad (depay, "sink");

  if (GST_PAD_IS_SRC (pad) && !gst_pad_is_linked (sink))
    gst_pad_link (pad, sink);
  gst_object_unref (sink);
  gst_object_unref (depay);
}

void
sfu_add (GstElement * pipeline, const gchar * name)
{
  Peer *peer = g_new0 (Peer, 1);

  if (peers == NULL)
    peers = g_hash_table_new (g_str_hash, g_str_equal);
  peer->name = g_strdup (name);
  peer->pipeline = pipeline;
  peer->webrtc = gst_bin_get_by_name (GST_BIN (pipeline), "webrtc");
  g_hash_table_insert (peers, peer->name, peer);
  g_signal_connect (peer->webrtc, "notify::ice-gathering-state", G_CALLBACK (on_gathering), peer);
  if (is_publisher (peer)) {
    g_timeout_add (CAPS_INTERVAL_MS, offer, peer);
    return;
  }
  g_signal_connect (peer->webrtc, "on-new-transceiver", G_CALLBACK (prefer_codec), peer);
  g_signal_connect (peer->webrtc, "pad-added", G_CALLBACK (on_pad), peer);
}

typedef struct
{
  GstPadProbeCallback callback;
  gpointer user_data;
} Counter;

static void
count_at (GstBin * bin, GstBin * sub_bin, GstElement * element, gpointer user_data)
{
  const Counter *counter = user_data;
  GstElementFactory *factory = gst_element_get_factory (element);
  GstPad *pad;

  if (factory == NULL || !g_str_equal (GST_OBJECT_NAME (factory), "nicesrc"))
    return;
  pad = gst_element_get_static_pad (element, "src");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, counter->callback, counter->user_data, NULL);
  gst_object_unref (pad);
}

void
sfu_count_packets (GstElement * pipeline, GstPadProbeCallback on_packet, gpointer user_data)
{
  Counter *counter = g_new (Counter, 1);

  *counter = (Counter) { on_packet, user_data };
  g_signal_connect (pipeline, "deep-element-added", G_CALLBACK (count_at), counter);
}
