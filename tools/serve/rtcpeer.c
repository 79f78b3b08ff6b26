/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "rtcpeer.h"

#define GST_USE_UNSTABLE_API
#include <gst/sdp/sdp.h>
#include <gst/webrtc/webrtc.h>
#include <string.h>

#define TWCC "http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01"
#define OFFERED_PT 96
#define OFFERED_EXTENSION 1
#define WATCH_S 5
#define SILENCE_S 15            /* of who never came, or left without a word */
#define SENDER "proxysrc name=in ! rtph264pay config-interval=-1 aggregate-mode=zero-latency " \
    "mtu=1200 ! capsfilter name=form ! webrtcbin name=webrtc bundle-policy=max-bundle"
#define RECEIVER "webrtcbin name=webrtc bundle-policy=max-bundle latency=100"
#define SHOWN "decodebin name=first ! videoconvert ! videoscale ! videorate " \
    "! video/x-raw,format=I420,width=1280,height=720,framerate=30/1 ! intervideosink channel=%s"

/* What both ends can do of an offer. extension: the number of TWCC; 0: none, and reports of the
 * receiver are all the feedback. */
typedef struct
{
  const gchar *encoding;
  guint line, payload_type, extension;
} Common;

/* Handlers run in threads of GStreamer: they only schedule work of the main loop. Each handler and
 * each work has a reference. */
struct _Peer
{
  GstElement *pipeline, *webrtc, *estimator;    /* estimator: NULL: it receives */
  gchar *offer;                 /* the other end's, until it is taken; NULL: we make one */
  Common common;                /* of the offer */
  gchar *channel;
  gboolean begun, is_described, is_over;
  PeerDescribed described;
  PeerEnded ended;
  gpointer data;
  guint watching, silent_s;
  guint64 heard;                /* at the last look */
  gint packets;                 /* received; atomic */
};

static void
peer_clear (gpointer data)
{
  Peer *self = data;

  gst_clear_object (&self->estimator);
  gst_object_unref (self->webrtc);
  gst_object_unref (self->pipeline);
  g_free (self->offer);
  g_free (self->channel);
}

static void
peer_unref (gpointer self)
{
  g_atomic_rc_box_release_full (self, peer_clear);
}

static void
peer_connect (Peer * self, gpointer object, const gchar * signal, GCallback callback)
{
  g_signal_connect_data (object, signal, callback, g_atomic_rc_box_acquire (self),
      (GClosureNotify) (void (*) (void)) peer_unref, 0);
}

static void
peer_do (Peer * self, GSourceFunc work)
{
  g_idle_add_full (G_PRIORITY_DEFAULT, work, g_atomic_rc_box_acquire (self), peer_unref);
}

void
peer_end (Peer * self)
{
  GstBus *bus = gst_element_get_bus (self->pipeline);
  GstPad *pad = gst_element_get_static_pad (self->webrtc, "sink_0");

  self->is_over = TRUE;
  g_clear_handle_id (&self->watching, g_source_remove);
  if (pad)
    g_signal_handlers_disconnect_by_data (pad, self);
  gst_clear_object (&pad);
  g_signal_handlers_disconnect_by_data (self->webrtc, self);
  g_signal_handlers_disconnect_by_data (bus, self);
  gst_bus_remove_signal_watch (bus);
  gst_object_unref (bus);
  gst_element_set_state (self->pipeline, GST_STATE_NULL);
  peer_unref (self);
}

static void
end_by_itself (Peer * self, const gchar * why)
{
  PeerEnded ended = self->ended;
  gpointer data = self->data;

  if (self->is_over)
    return;
  g_atomic_rc_box_acquire (self);
  peer_end (self);
  ended (self, why, data);
  peer_unref (self);
}

/* --- descriptions --- */

static gboolean
tell_description (gpointer data)
{
  Peer *self = data;
  GstWebRTCSessionDescription *description = NULL;
  GstWebRTCICEGatheringState state;

  g_object_get (self->webrtc, "local-description", &description, "ice-gathering-state", &state,
      NULL);
  if (!self->is_over && !self->is_described && description
      && state == GST_WEBRTC_ICE_GATHERING_STATE_COMPLETE) {
    gchar *text = gst_sdp_message_as_text (description->sdp);

    self->is_described = TRUE;
    self->described (self, text, self->data);
    g_free (text);
  }
  if (description)
    gst_webrtc_session_description_free (description);
  return G_SOURCE_REMOVE;
}

static gboolean
tell_none (gpointer data)
{
  end_by_itself (data, "there is nothing in the offer that both ends can do");
  return G_SOURCE_REMOVE;
}

static void
on_made (GstPromise * promise, gpointer data)
{
  Peer *self = data;
  GstWebRTCSessionDescription *made = NULL;
  const GstStructure *reply = gst_promise_wait (promise) == GST_PROMISE_RESULT_REPLIED
      ? gst_promise_get_reply (promise) : NULL;

  if (reply && !gst_structure_get (reply, "offer", GST_TYPE_WEBRTC_SESSION_DESCRIPTION, &made,
          NULL))
    gst_structure_get (reply, "answer", GST_TYPE_WEBRTC_SESSION_DESCRIPTION, &made, NULL);
  if (made) {
    g_signal_emit_by_name (self->webrtc, "set-local-description", made, NULL);
    gst_webrtc_session_description_free (made);
  }
  peer_do (self, made ? tell_description : tell_none);
  gst_promise_unref (promise);
}

static void
make (Peer * self, const gchar * what)
{
  g_signal_emit_by_name (self->webrtc, what, NULL,
      gst_promise_new_with_change_func (on_made, g_atomic_rc_box_acquire (self), peer_unref));
}

/* In caps the profile is a word if the SDP had level-asymmetry-allowed=1. */
static gboolean
is_constrained_baseline (const GstStructure * s)
{
  const gchar *profile = gst_structure_get_string (s, "profile");
  const gchar *level = gst_structure_get_string (s, "profile-level-id");

  return !g_strcmp0 (profile, "constrained-baseline")
      || (level && !g_ascii_strncasecmp (level, "42e0", 4));
}

/* H.264 as rtph264pay packs it, and of the profile that we make first. */
static gboolean
find_payload_type (const GstSDPMedia * media, const gchar * encoding, guint * payload_type)
{
  gboolean found = FALSE;

  for (guint i = 0; i < gst_sdp_media_formats_len (media); i++) {
    gint pt = (gint) g_ascii_strtoll (gst_sdp_media_get_format (media, i), NULL, 10);
    GstCaps *caps = gst_sdp_media_get_caps_from_media (media, pt);
    const GstStructure *s = caps ? gst_caps_get_structure (caps, 0) : NULL;

    if (s && !g_strcmp0 (gst_structure_get_string (s, "encoding-name"), encoding)
        && (!g_str_equal (encoding, "H264")
            || !g_strcmp0 (gst_structure_get_string (s, "packetization-mode"), "1"))
        && (!found || is_constrained_baseline (s))) {
      *payload_type = (guint) pt;
      found = TRUE;
    }
    gst_clear_caps (&caps);
  }
  return found;
}

static gboolean
read_offer (const gchar * text, const gchar * encoding, Common * common)
{
  GstSDPMessage *sdp;
  const GstSDPMedia *media = NULL;
  gboolean found = FALSE;
  guint i;

  if (!*text || gst_sdp_message_new_from_text (text, &sdp) != GST_SDP_OK)
    return FALSE;
  for (i = 0; i < gst_sdp_message_medias_len (sdp) && !found; i++) {
    media = gst_sdp_message_get_media (sdp, i);
    found = g_str_equal (gst_sdp_media_get_media (media), "video")
        && find_payload_type (media, encoding, &common->payload_type);
  }
  common->encoding = encoding;
  common->line = i - 1;
  common->extension = 0;
  for (i = 0; found && i < gst_sdp_media_attributes_len (media); i++) {
    const GstSDPAttribute *attribute = gst_sdp_media_get_attribute (media, i);

    if (g_str_equal (attribute->key, "extmap") && strstr (attribute->value, TWCC))
      common->extension = (guint) CLAMP (g_ascii_strtoll (attribute->value, NULL, 10), 0, 14);
  }
  gst_sdp_message_free (sdp);
  return found;
}

/* Left alone, webrtcbin 1.22 describes no extension, and who sends gets no feedback. */
static GstCaps *
make_caps (const Common * common)
{
  GstCaps *caps = gst_caps_new_simple ("application/x-rtp", "media", G_TYPE_STRING, "video",
      "encoding-name", G_TYPE_STRING, common->encoding, "clock-rate", G_TYPE_INT, 90000, "payload",
      G_TYPE_INT, (gint) common->payload_type, NULL);
  gchar *field = g_strdup_printf ("extmap-%u", common->extension);

  if (common->extension)
    gst_caps_set_simple (caps, field, G_TYPE_STRING, TWCC, NULL);
  if (g_str_equal (common->encoding, "H264"))
    gst_caps_set_simple (caps, "packetization-mode", G_TYPE_STRING, "1", NULL);
  g_free (field);
  return caps;
}

static void
prefer_common (const Common * common, GstWebRTCRTPTransceiver * transceiver)
{
  GstCaps *caps = make_caps (common);

  g_object_set (transceiver, "codec-preferences", caps, "do-nack", TRUE, NULL);
  gst_caps_unref (caps);
}

/* In a thread of webrtcbin. */
static void
on_new_transceiver (GstElement * webrtc, GstWebRTCRTPTransceiver * transceiver, gpointer data)
{
  Peer *self = data;
  guint line;

  g_object_get (transceiver, "mlineindex", &line, NULL);
  if (line == self->common.line)
    prefer_common (&self->common, transceiver);
}

static gboolean
make_answer (gpointer data)
{
  Peer *self = data;

  if (!self->is_over)
    make (self, "create-answer");
  return G_SOURCE_REMOVE;
}

static void
on_remote_set (GstPromise * promise, gpointer data)
{
  peer_do (data, make_answer);
  gst_promise_unref (promise);
}

/* Else webrtcbin has sound sent, which nothing shows. */
static void
refuse_all_but (GstSDPMessage * offer, guint line)
{
  for (guint i = 0; i < gst_sdp_message_medias_len (offer); i++) {
    GstSDPMedia *media = (GstSDPMedia *) gst_sdp_message_get_media (offer, i);

    for (guint k = 0; i != line && k < gst_sdp_media_attributes_len (media); k++)
      if (g_str_has_prefix (gst_sdp_media_get_attribute (media, k)->key, "send")) {
        GstSDPAttribute inactive = { g_strdup ("inactive"), g_strdup ("") };

        gst_sdp_media_replace_attribute (media, k, &inactive);
      }
  }
}

static gboolean
set_remote (Peer * self, GstWebRTCSDPType type, const gchar * text, GstPromise * promise)
{
  GstWebRTCSessionDescription *remote;
  GstSDPMessage *sdp;
  gboolean good;

  if (!*text || gst_sdp_message_new_from_text (text, &sdp) != GST_SDP_OK)
    return FALSE;
  good = gst_sdp_message_medias_len (sdp) > 0;
  if (type == GST_WEBRTC_SDP_TYPE_OFFER)
    refuse_all_but (sdp, self->common.line);
  remote = gst_webrtc_session_description_new (type, sdp);
  if (good)
    g_signal_emit_by_name (self->webrtc, "set-remote-description", remote, promise);
  gst_webrtc_session_description_free (remote);
  return good;
}

static void
take_offer (Peer * self)
{
  GstPromise *promise = gst_promise_new_with_change_func (on_remote_set,
      g_atomic_rc_box_acquire (self), peer_unref);

  if (!set_remote (self, GST_WEBRTC_SDP_TYPE_OFFER, self->offer, promise)) {
    gst_promise_unref (promise);
    end_by_itself (self, "the offer is no SDP with media");
  }
}

gboolean
peer_take_answer (Peer * self, const gchar * answer)
{
  return set_remote (self, GST_WEBRTC_SDP_TYPE_ANSWER, answer, NULL);
}

/* --- the call --- */

/* Before the caps are there a description lacks the extension and the format. The level in them is
 * the encoder's, which need not be the one that the other end wrote. */
static gboolean
begin_sending (gpointer data)
{
  Peer *self = data;
  GstWebRTCRTPTransceiver *transceiver = NULL;

  if (self->begun || self->is_over)
    return G_SOURCE_REMOVE;
  self->begun = TRUE;
  g_signal_emit_by_name (self->webrtc, "get-transceiver", 0, &transceiver);
  g_object_set (transceiver, "direction", GST_WEBRTC_RTP_TRANSCEIVER_DIRECTION_SENDONLY, "do-nack",
      TRUE, NULL);
  if (self->offer) {
    prefer_common (&self->common, transceiver);
    take_offer (self);
  } else {
    make (self, "create-offer");
  }
  gst_object_unref (transceiver);
  return G_SOURCE_REMOVE;
}

static gboolean
begin_receiving (gpointer data)
{
  Peer *self = data;

  if (!self->is_over)
    take_offer (self);
  return G_SOURCE_REMOVE;
}

static void
on_caps (GObject * pad, GParamSpec * pspec, gpointer data)
{
  peer_do (data, begin_sending);
}

static void
on_gathering (GObject * webrtc, GParamSpec * pspec, gpointer data)
{
  peer_do (data, tell_description);
}

static gboolean
look_at_state (gpointer data)
{
  Peer *self = data;
  GstWebRTCPeerConnectionState state;

  g_object_get (self->webrtc, "connection-state", &state, NULL);
  if (state == GST_WEBRTC_PEER_CONNECTION_STATE_FAILED
      || state == GST_WEBRTC_PEER_CONNECTION_STATE_CLOSED)
    end_by_itself (self, "the connection failed or was closed");
  return G_SOURCE_REMOVE;
}

static void
on_state (GObject * webrtc, GParamSpec * pspec, gpointer data)
{
  peer_do (data, look_at_state);
}

static GstElement *
on_request_aux_sender (GstElement * webrtc, GObject * transport, gpointer data)
{
  return gst_object_ref (((Peer *) data)->estimator);
}

static GstPadProbeReturn
on_media (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  g_atomic_int_inc (&((Peer *) data)->packets);
  return GST_PAD_PROBE_OK;
}

static void
on_pad_added (GstElement * webrtc, GstPad * pad, gpointer data)
{
  Peer *self = data;
  GstElement *shown, *first;
  GstPad *inner, *sink;
  gchar *line;

  if (GST_PAD_DIRECTION (pad) != GST_PAD_SRC)
    return;
  line = g_strdup_printf (SHOWN, self->channel);
  shown = gst_parse_bin_from_description (line, FALSE, NULL);
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, on_media, g_atomic_rc_box_acquire (self),
      peer_unref);
  first = gst_bin_get_by_name (GST_BIN (shown), "first");
  inner = gst_element_get_static_pad (first, "sink");
  sink = gst_ghost_pad_new ("sink", inner);
  gst_element_add_pad (shown, sink);
  gst_bin_add (GST_BIN (GST_OBJECT_PARENT (webrtc)), shown);
  gst_pad_link (pad, sink);
  gst_object_unref (inner);
  gst_object_unref (first);
  gst_element_sync_state_with_parent (shown);
  g_free (line);
}

static void
on_error (GstBus * bus, GstMessage * message, gpointer data)
{
  GError *error;

  gst_message_parse_error (message, &error, NULL);
  end_by_itself (data, error->message);
  g_error_free (error);
}

/* Reports, or packets of media. */
static guint64
heard_so_far (Peer * self)
{
  GstStructure *stats;
  guint64 lists = 0, blocks = 0;

  if (!self->estimator)
    return (guint) g_atomic_int_get (&self->packets);
  g_object_get (self->estimator, "stats", &stats, NULL);
  gst_structure_get (stats, "reports-received", G_TYPE_UINT64, &lists, "receiver-reports",
      G_TYPE_UINT64, &blocks, NULL);
  gst_structure_free (stats);
  return lists + blocks;
}

static gboolean
watch (gpointer data)
{
  Peer *self = data;
  guint64 now = heard_so_far (self);

  self->silent_s = now != self->heard ? 0 : self->silent_s + WATCH_S;
  self->heard = now;
  if (self->silent_s < SILENCE_S)
    return G_SOURCE_CONTINUE;
  self->watching = 0;
  end_by_itself (self, self->is_described ? "nothing was heard of it for 15 s"
      : "no ICE candidates within 15 s: the server's machine needs an address beside loopback");
  return G_SOURCE_REMOVE;
}

guint
peer_rate_bps (Peer * self)
{
  GstStructure *stats;
  guint64 bps = 0;

  if (!self->estimator)
    return 0;
  g_object_get (self->estimator, "stats", &stats, NULL);
  gst_structure_get_uint64 (stats, "rate", &bps);
  gst_structure_free (stats);
  return (guint) bps;
}

/* --- both kinds --- */

static Peer *
peer_new (const gchar * line, const PeerSettings * settings, const gchar * offer,
    PeerDescribed described, PeerEnded ended, gpointer data)
{
  Peer *self = g_atomic_rc_box_new0 (Peer);
  GstBus *bus;

  self->offer = g_strdup (offer);
  self->described = described;
  self->ended = ended;
  self->data = data;
  self->pipeline = gst_object_ref_sink (gst_pipeline_new (NULL));
  gst_bin_add (GST_BIN (self->pipeline), gst_parse_bin_from_description (line, FALSE, NULL));
  self->webrtc = gst_bin_get_by_name (GST_BIN (self->pipeline), "webrtc");
  if (settings->stun)
    g_object_set (self->webrtc, "stun-server", settings->stun, NULL);
  if (settings->turn)
    g_object_set (self->webrtc, "turn-server", settings->turn, NULL);
  peer_connect (self, self->webrtc, "notify::ice-gathering-state", G_CALLBACK (on_gathering));
  peer_connect (self, self->webrtc, "notify::connection-state", G_CALLBACK (on_state));
  bus = gst_element_get_bus (self->pipeline);
  gst_bus_add_signal_watch (bus);
  peer_connect (self, bus, "message::error", G_CALLBACK (on_error));
  gst_object_unref (bus);
  self->watching = g_timeout_add_seconds (WATCH_S, watch, self);
  return self;
}

Peer *
peer_new_sender (const PeerSettings * settings, GstElement * proxysink, const gchar * offer,
    PeerDescribed described, PeerEnded ended, gpointer data, const gchar ** why)
{
  Common common = { "H264", 0, OFFERED_PT, OFFERED_EXTENSION };
  GstElement *source, *form;
  GstCaps *caps;
  Peer *self;
  GstPad *pad;

  if (offer && !read_offer (offer, "H264", &common)) {
    *why = "the offer has no video in H.264 with packetization-mode=1";
    return NULL;
  }
  self = peer_new (SENDER, settings, offer, described, ended, data);
  self->common = common;
  caps = make_caps (&common);
  form = gst_bin_get_by_name (GST_BIN (self->pipeline), "form");
  g_object_set (form, "caps", caps, NULL);
  gst_object_unref (form);
  gst_caps_unref (caps);
  self->estimator = gst_object_ref_sink (gst_element_factory_make ("rtparcbwe", NULL));
  g_object_set (self->estimator, "max-bitrate", settings->max_bps, NULL);
  peer_connect (self, self->webrtc, "request-aux-sender", G_CALLBACK (on_request_aux_sender));
  pad = gst_element_get_static_pad (self->webrtc, "sink_0");
  peer_connect (self, pad, "notify::caps", G_CALLBACK (on_caps));
  gst_object_unref (pad);
  source = gst_bin_get_by_name (GST_BIN (self->pipeline), "in");
  g_object_set (source, "proxysink", proxysink, NULL);
  gst_object_unref (source);
  /* The proxies need the same running time at both ends. */
  gst_element_set_start_time (self->pipeline, GST_CLOCK_TIME_NONE);
  gst_element_set_base_time (self->pipeline, gst_element_get_base_time (proxysink));
  gst_element_set_state (self->pipeline, GST_STATE_PLAYING);
  return self;
}

Peer *
peer_new_receiver (const PeerSettings * settings, const gchar * channel, const gchar * offer,
    PeerDescribed described, PeerEnded ended, gpointer data, const gchar ** why)
{
  Common common = { 0 };
  Peer *self;

  if (!read_offer (offer, "H264", &common) && !read_offer (offer, "VP8", &common)) {
    *why = "the offer has no video in H.264 (with packetization-mode=1) or VP8";
    return NULL;
  }
  self = peer_new (RECEIVER, settings, offer, described, ended, data);
  self->common = common;
  self->channel = g_strdup (channel);
  peer_connect (self, self->webrtc, "on-new-transceiver", G_CALLBACK (on_new_transceiver));
  peer_connect (self, self->webrtc, "pad-added", G_CALLBACK (on_pad_added));
  gst_element_set_state (self->pipeline, GST_STATE_PLAYING);
  peer_do (self, begin_receiving);
  return self;
}
