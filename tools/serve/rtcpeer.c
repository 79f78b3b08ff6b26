/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "rtcpeer.h"

#define GST_USE_UNSTABLE_API
#include <gst/sdp/sdp.h>
#include <gst/webrtc/webrtc.h>
#include <string.h>

#define TWCC "http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01"
#define OFFERED_PT 96           /* and the next */
#define OFFERED_EXTENSION 1
#define WATCH_S 5
#define SILENCE_S 15            /* of who never came, or left without a word */
#define WEBRTC "webrtcbin name=webrtc bundle-policy=max-bundle latency=100"

/* What both ends can do of an offer. extension: the number of TWCC; 0: none, and reports of the
 * receiver are all the feedback. encoding: NULL: there is none of this kind. */
typedef struct
{
  const gchar *encoding;
  guint line, payload_type, extension;
} Common;

static const struct
{
  const gchar *media, *encodings[2];    /* the second is only received */
  gint clock_rate;
  const gchar *sent, *shown;    /* LINE: of the description; NAME: of the channel */
} kinds[TRACKS] = {
  {"video", {"H264", "VP8"}, 90000, "proxysrc name=in0 ! rtph264pay config-interval=-1 "
      "aggregate-mode=zero-latency mtu=1200 ! capsfilter name=form0 ! webrtc.sink_LINE ",
    "decodebin name=first ! videoconvert ! videoscale ! videorate ! video/x-raw,format=I420,"
      "width=1280,height=720,framerate=30/1 ! intervideosink channel=NAME"},
  {"audio", {"OPUS", NULL}, 48000,
      "proxysrc name=in1 ! rtpopuspay ! capsfilter name=form1 ! webrtc.sink_LINE ",
    "decodebin name=first ! audioconvert ! audioresample ! audio/x-raw,format=S16LE,"
      "layout=interleaved,rate=48000,channels=2 ! interaudiosink channel=NAME"},
};

/* Handlers run in threads of GStreamer: they only schedule a look in the main loop. Each handler
 * and each look has a reference. */
struct _Peer
{
  GstElement *pipeline, *webrtc, *estimator;    /* estimator: NULL: it receives */
  LiveStream *stream;
  gboolean offers;              /* else the other end does */
  GstSDPMessage *offer;         /* its, until it is taken */
  Common common[TRACKS];        /* of the offer */
  gboolean begun, is_described, is_over;
  PeerDescribed described;
  PeerEnded ended;
  gpointer data;
  guint watching, silent_s;
  guint64 heard;                /* at the last watch */
  gint packets;                 /* received; atomic */
};

static void
peer_clear (gpointer data)
{
  Peer *self = data;

  gst_clear_object (&self->estimator);
  gst_object_unref (self->webrtc);
  gst_object_unref (self->pipeline);
  if (self->offer)
    gst_sdp_message_free (self->offer);
}

static void
peer_unref (gpointer self)
{
  g_atomic_rc_box_release_full (self, peer_clear);
}

/* Of the line of that track; NULL: there is none. */
static GstPad *
sending_pad (Peer * self, guint track)
{
  g_autofree gchar *name = g_strdup_printf ("sink_%u", self->common[track].line);

  return self->common[track].encoding ? gst_element_get_static_pad (self->webrtc, name) : NULL;
}

void
peer_end (Peer * self)
{
  GstBus *bus = gst_element_get_bus (self->pipeline);

  self->is_over = TRUE;
  g_clear_handle_id (&self->watching, g_source_remove);
  for (guint i = 0; i < TRACKS; i++) {
    GstPad *pad = sending_pad (self, i);

    if (pad)
      g_signal_handlers_disconnect_by_data (pad, self);
    gst_clear_object (&pad);
  }
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

  g_atomic_rc_box_acquire (self);
  peer_end (self);
  ended (why, data);
  peer_unref (self);
}

/* --- offers of others --- */

/* H.264 as rtph264pay packs it. */
static gboolean
is_known (const GstStructure * s, const gchar * encoding)
{
  return !g_strcmp0 (gst_structure_get_string (s, "encoding-name"), encoding)
      && (!g_str_equal (encoding, "H264")
      || !g_strcmp0 (gst_structure_get_string (s, "packetization-mode"), "1"));
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

/* Of several of them that of the profile that we make. */
static gboolean
find_payload_type (const GstSDPMedia * media, const gchar * encoding, guint * payload_type)
{
  gboolean found = FALSE;

  for (guint i = 0; i < gst_sdp_media_formats_len (media); i++) {
    gint pt = (gint) g_ascii_strtoll (gst_sdp_media_get_format (media, i), NULL, 10);
    g_autoptr (GstCaps) caps = gst_sdp_media_get_caps_from_media (media, pt);
    const GstStructure *s = caps ? gst_caps_get_structure (caps, 0) : NULL;

    if (s && is_known (s, encoding) && (!found || is_constrained_baseline (s))) {
      *payload_type = (guint) pt;
      found = TRUE;
    }
  }
  return found;
}

static guint
find_extension (const GstSDPMedia * media)
{
  const gchar *value;

  for (guint i = 0; (value = gst_sdp_media_get_attribute_val_n (media, "extmap", i)); i++)
    if (strstr (value, TWCC))
      return (guint) CLAMP (g_ascii_strtoll (value, NULL, 10), 0, 14);
  return 0;
}

/* The first of the kind with that encoding. */
static void
find_common (const GstSDPMessage * sdp, const gchar * media, const gchar * encoding,
    Common * common)
{
  for (guint i = 0; encoding && !common->encoding && i < gst_sdp_message_medias_len (sdp); i++) {
    const GstSDPMedia *line = gst_sdp_message_get_media (sdp, i);

    if (g_str_equal (gst_sdp_media_get_media (line), media)
        && find_payload_type (line, encoding, &common->payload_type))
      *common = (Common) { encoding, i, common->payload_type, find_extension (line) };
  }
}

/* Else webrtcbin has all sent that it knows, which nothing shows. */
static void
refuse_others (GstSDPMessage * offer, const Common * common)
{
  for (guint i = 0; i < gst_sdp_message_medias_len (offer); i++) {
    GstSDPMedia *media = (GstSDPMedia *) gst_sdp_message_get_media (offer, i);
    gboolean wanted = common[PICTURE].line == i || (common[SOUND].encoding
        && common[SOUND].line == i);

    for (guint k = 0; !wanted && k < gst_sdp_media_attributes_len (media); k++)
      if (g_str_has_prefix (gst_sdp_media_get_attribute (media, k)->key, "send")
          || g_str_equal (gst_sdp_media_get_attribute (media, k)->key, "recvonly")) {
        GstSDPAttribute inactive = { g_strdup ("inactive"), g_strdup ("") };

        gst_sdp_media_replace_attribute (media, k, &inactive);
      }
  }
}

/* NULL: it has no video that both ends can do. taps: NULL: it is received.
 * What is no common track is refused in it. */
static GstSDPMessage *
read_offer (const gchar * text, GstElement ** taps, Common * common)
{
  GstSDPMessage *sdp = NULL;

  if (!*text || gst_sdp_message_new_from_text (text, &sdp) != GST_SDP_OK)
    return NULL;
  for (guint i = 0; i < TRACKS; i++)
    for (guint k = 0; k < (taps ? taps[i] ? 1 : 0 : G_N_ELEMENTS (kinds[i].encodings)); k++)
      find_common (sdp, kinds[i].media, kinds[i].encodings[k], &common[i]);
  if (!common[PICTURE].encoding)
    g_clear_pointer (&sdp, gst_sdp_message_free);
  else
    refuse_others (sdp, common);
  return sdp;
}

/* --- descriptions --- */

/* Left alone, webrtcbin 1.22 describes no extension, and who sends gets no feedback. */
static GstCaps *
make_caps (const Common * common, guint track)
{
  GstCaps *caps = gst_caps_new_simple ("application/x-rtp", "media", G_TYPE_STRING,
      kinds[track].media, "encoding-name", G_TYPE_STRING, common->encoding, "clock-rate",
      G_TYPE_INT, kinds[track].clock_rate, "payload", G_TYPE_INT, (gint) common->payload_type,
      NULL);
  g_autofree gchar *field = g_strdup_printf ("extmap-%u", common->extension);

  if (common->extension)
    gst_caps_set_simple (caps, field, G_TYPE_STRING, TWCC, NULL);
  if (g_str_equal (common->encoding, "H264"))
    gst_caps_set_simple (caps, "packetization-mode", G_TYPE_STRING, "1", NULL);
  if (track == SOUND)
    gst_caps_set_simple (caps, "encoding-params", G_TYPE_STRING, "2", NULL);
  return caps;
}

static void
prefer_common (Peer * self, guint track, GstWebRTCRTPTransceiver * transceiver)
{
  g_autoptr (GstCaps) caps = make_caps (&self->common[track], track);

  g_object_set (transceiver, "codec-preferences", caps, "do-nack", track == PICTURE, NULL);
}

/* In a thread of webrtcbin. */
static void
on_new_transceiver (GstElement * webrtc, GstWebRTCRTPTransceiver * transceiver, gpointer data)
{
  Peer *self = data;
  guint line;

  g_object_get (transceiver, "mlineindex", &line, NULL);
  for (guint i = 0; i < TRACKS; i++)
    if (self->common[i].encoding && self->common[i].line == line)
      prefer_common (self, i, transceiver);
}

/* Waits for webrtcbin's own thread. *made: NULL: nothing is asked for. */
static void
ask (Peer * self, const gchar * action, GstWebRTCSessionDescription * with, const gchar * field,
    GstWebRTCSessionDescription ** made)
{
  g_autoptr (GstPromise) promise = gst_promise_new ();
  const GstStructure *reply;

  g_signal_emit_by_name (self->webrtc, action, with, promise);
  reply = gst_promise_wait (promise) == GST_PROMISE_RESULT_REPLIED
      ? gst_promise_get_reply (promise) : NULL;
  if (made && reply)
    gst_structure_get (reply, field, GST_TYPE_WEBRTC_SESSION_DESCRIPTION, made, NULL);
}

static void
set_remote (Peer * self, GstWebRTCSDPType type, GstSDPMessage * sdp)
{
  GstWebRTCSessionDescription *remote = gst_webrtc_session_description_new (type, sdp);

  ask (self, "set-remote-description", remote, NULL, NULL);
  gst_webrtc_session_description_free (remote);
}

gboolean
peer_take_answer (Peer * self, const gchar * answer)
{
  GstSDPMessage *sdp = NULL;

  if (!*answer || gst_sdp_message_new_from_text (answer, &sdp) != GST_SDP_OK)
    return FALSE;
  if (gst_sdp_message_medias_len (sdp) == 0) {
    gst_sdp_message_free (sdp);
    return FALSE;
  }
  set_remote (self, GST_WEBRTC_SDP_TYPE_ANSWER, sdp);
  return TRUE;
}

/* The level in the caps is the encoder's, which need not be the one that the other end wrote. */
static void
begin (Peer * self)
{
  GstWebRTCSessionDescription *made = NULL;

  self->begun = TRUE;
  for (guint i = 0; i < TRACKS; i++) {
    GstWebRTCRTPTransceiver *transceiver = NULL;
    GstPad *pad = sending_pad (self, i);

    if (pad)
      g_object_get (pad, "transceiver", &transceiver, NULL);
    if (transceiver) {
      g_object_set (transceiver, "direction", GST_WEBRTC_RTP_TRANSCEIVER_DIRECTION_SENDONLY, NULL);
      prefer_common (self, i, transceiver);
    }
    gst_clear_object (&transceiver);
    gst_clear_object (&pad);
  }
  if (!self->offers)
    set_remote (self, GST_WEBRTC_SDP_TYPE_OFFER, g_steal_pointer (&self->offer));
  ask (self, self->offers ? "create-offer" : "create-answer", NULL,
      self->offers ? "offer" : "answer", &made);
  if (made) {
    g_signal_emit_by_name (self->webrtc, "set-local-description", made, NULL);
    gst_webrtc_session_description_free (made);
  } else {
    end_by_itself (self, "there is nothing in the offer that both ends can do");
  }
}

/* --- the call --- */

/* Before the caps are there a description lacks the extension and the format. */
static gboolean
is_ready (Peer * self)
{
  gboolean ready = TRUE;

  for (guint i = 0; i < TRACKS; i++) {
    GstPad *pad = sending_pad (self, i);

    ready &= !pad || gst_pad_has_current_caps (pad);
    gst_clear_object (&pad);
  }
  return ready;
}

static void
describe (Peer * self)
{
  GstWebRTCSessionDescription *description = NULL;
  g_autofree gchar *text = NULL;

  g_object_get (self->webrtc, "local-description", &description, NULL);
  if (!description)
    return;
  text = gst_sdp_message_as_text (description->sdp);
  gst_webrtc_session_description_free (description);
  self->is_described = TRUE;
  self->described (text, self->data);
}

static gboolean
look (gpointer data)
{
  Peer *self = data;
  GstWebRTCPeerConnectionState connection;
  GstWebRTCICEGatheringState gathering;

  if (!self->is_over && !self->begun && is_ready (self))
    begin (self);
  if (self->is_over || !self->begun)
    return G_SOURCE_REMOVE;
  g_object_get (self->webrtc, "connection-state", &connection, "ice-gathering-state", &gathering,
      NULL);
  if (connection == GST_WEBRTC_PEER_CONNECTION_STATE_FAILED
      || connection == GST_WEBRTC_PEER_CONNECTION_STATE_CLOSED)
    end_by_itself (self, "the connection failed or was closed");
  else if (connection == GST_WEBRTC_PEER_CONNECTION_STATE_CONNECTED)
    gst_bin_recalculate_latency (GST_BIN (self->pipeline));     /* else sender reports lack times */
  else if (!self->is_described && gathering == GST_WEBRTC_ICE_GATHERING_STATE_COMPLETE)
    describe (self);
  return G_SOURCE_REMOVE;
}

static void
look_soon (Peer * self)
{
  g_idle_add_full (G_PRIORITY_DEFAULT, look, g_atomic_rc_box_acquire (self), peer_unref);
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
show (Peer * self, GstPad * pad, guint track)
{
  g_autoptr (GString) line = g_string_new (kinds[track].shown);
  GstElement *shown, *first;
  GstPad *sink;

  g_string_replace (line, "NAME", live_stream_name (self->stream), 0);
  shown = gst_parse_bin_from_description (line->str, FALSE, NULL);
  gst_bin_add (GST_BIN (GST_OBJECT_PARENT (self->webrtc)), shown);
  first = gst_bin_get_by_name (GST_BIN (shown), "first");
  sink = gst_element_get_static_pad (first, "sink");
  gst_pad_link_maybe_ghosting (pad, sink);
  gst_element_sync_state_with_parent (shown);
  gst_object_unref (sink);
  gst_object_unref (first);
}

/* Its caps do not tell yet what it has. */
static void
on_pad_added (GstElement * webrtc, GstPad * pad, gpointer data)
{
  Peer *self = data;
  GstWebRTCRTPTransceiver *transceiver;
  guint line;

  if (GST_PAD_DIRECTION (pad) != GST_PAD_SRC)
    return;
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, on_media, g_atomic_rc_box_acquire (self),
      peer_unref);
  g_object_get (pad, "transceiver", &transceiver, NULL);
  g_object_get (transceiver, "mlineindex", &line, NULL);
  gst_object_unref (transceiver);
  show (self, pad, line == self->common[PICTURE].line ? PICTURE : SOUND);
}

static void
on_error (GstBus * bus, GstMessage * message, gpointer data)
{
  g_autoptr (GError) error = NULL;

  gst_message_parse_error (message, &error, NULL);
  end_by_itself (data, error->message);
}

/* Of the estimator; 0: it receives. */
static guint64
stat_of (Peer * self, const gchar * field)
{
  g_autoptr (GstStructure) stats = NULL;
  guint64 value = 0;

  if (self->estimator)
    g_object_get (self->estimator, "stats", &stats, NULL);
  if (stats)
    gst_structure_get_uint64 (stats, field, &value);
  return value;
}

static gboolean
watch (gpointer data)
{
  Peer *self = data;
  guint64 now = (guint) g_atomic_int_get (&self->packets) + stat_of (self, "reports-received")
      + stat_of (self, "receiver-reports");

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
  return (guint) stat_of (self, "rate");
}

/* --- both kinds --- */

static void
peer_connect (Peer * self, gpointer object, const gchar * signal, GCallback callback,
    GConnectFlags flags)
{
  g_signal_connect_data (object, signal, callback, g_atomic_rc_box_acquire (self),
      (GClosureNotify) (void (*) (void)) peer_unref, flags);
}

static void
set_form (Peer * self, guint track, GstElement * tap)
{
  static const gchar *const sources[] = { "in0", "in1" }, *const forms[] = { "form0", "form1" };
  GstElement *source = gst_bin_get_by_name (GST_BIN (self->pipeline), sources[track]);
  GstElement *form = gst_bin_get_by_name (GST_BIN (self->pipeline), forms[track]);
  g_autoptr (GstCaps) caps = make_caps (&self->common[track], track);
  GstPad *pad = sending_pad (self, track);

  g_object_set (form, "caps", caps, NULL);
  g_object_set (source, "proxysink", tap, NULL);
  g_object_set (pad, "msid", live_stream_name (self->stream), NULL);
  peer_connect (self, pad, "notify::caps", G_CALLBACK (look_soon), G_CONNECT_SWAPPED);
  gst_object_unref (pad);
  gst_object_unref (form);
  gst_object_unref (source);
}

static void
prepare_sending (Peer * self, const PeerSettings * settings, GstElement ** taps)
{
  self->estimator = gst_object_ref_sink (gst_element_factory_make ("rtparcbwe", NULL));
  g_object_set (self->estimator, "max-bitrate", settings->max_bps, NULL);
  peer_connect (self, self->webrtc, "request-aux-sender", G_CALLBACK (on_request_aux_sender), 0);
  for (guint i = 0; i < TRACKS; i++)
    if (self->common[i].encoding)
      set_form (self, i, taps[i]);
  /* The proxies need the same running time at both ends. */
  gst_element_set_start_time (self->pipeline, GST_CLOCK_TIME_NONE);
  gst_element_set_base_time (self->pipeline, gst_element_get_base_time (taps[PICTURE]));
}

static void
make_pipeline (Peer * self, const PeerSettings * settings, GstElement ** taps)
{
  g_autoptr (GString) line = g_string_new (NULL);
  GstBus *bus;

  for (guint i = 0; taps && i < TRACKS; i++) {
    g_autofree gchar *number = g_strdup_printf ("%u ", self->common[i].line);

    g_string_append (line, self->common[i].encoding ? kinds[i].sent : "");
    g_string_replace (line, "LINE ", number, 0);
  }
  g_string_append (line, WEBRTC);
  self->pipeline = gst_object_ref_sink (gst_pipeline_new (NULL));
  gst_bin_add (GST_BIN (self->pipeline), gst_parse_bin_from_description (line->str, FALSE, NULL));
  self->webrtc = gst_bin_get_by_name (GST_BIN (self->pipeline), "webrtc");
  if (settings->stun)
    g_object_set (self->webrtc, "stun-server", settings->stun, NULL);
  if (settings->turn)
    g_object_set (self->webrtc, "turn-server", settings->turn, NULL);
  peer_connect (self, self->webrtc, "notify::ice-gathering-state", G_CALLBACK (look_soon),
      G_CONNECT_SWAPPED);
  peer_connect (self, self->webrtc, "notify::connection-state", G_CALLBACK (look_soon),
      G_CONNECT_SWAPPED);
  peer_connect (self, self->webrtc, "on-new-transceiver", G_CALLBACK (on_new_transceiver), 0);
  peer_connect (self, self->webrtc, "pad-added", G_CALLBACK (on_pad_added), 0);
  bus = gst_element_get_bus (self->pipeline);
  gst_bus_add_signal_watch (bus);
  peer_connect (self, bus, "message::error", G_CALLBACK (on_error), 0);
  gst_object_unref (bus);
}

Peer *
peer_new (const PeerSettings * settings, LiveStream * stream, GstElement ** taps,
    const gchar * offer, PeerDescribed described, PeerEnded ended, gpointer data,
    const gchar ** why)
{
  Peer *self;
  Common common[TRACKS] = { 0 };
  GstSDPMessage *sdp = offer ? read_offer (offer, taps, common) : NULL;

  if (offer && !sdp) {
    *why = taps ? "the offer has no video in H.264 with packetization-mode=1"
        : "the offer has no video in H.264 (with packetization-mode=1) or VP8";
    return NULL;
  }
  for (guint i = 0; !offer && i < TRACKS; i++)
    if (taps[i])
      common[i] = (Common) { kinds[i].encodings[0], i, OFFERED_PT + i, OFFERED_EXTENSION };
  self = g_atomic_rc_box_new0 (Peer);
  memcpy (self->common, common, sizeof (common));
  self->stream = stream;
  self->offers = !offer;
  self->offer = sdp;
  self->described = described;
  self->ended = ended;
  self->data = data;
  make_pipeline (self, settings, taps);
  if (taps)
    prepare_sending (self, settings, taps);
  self->watching = g_timeout_add_seconds (WATCH_S, watch, self);
  gst_element_set_state (self->pipeline, GST_STATE_PLAYING);
  look_soon (self);
  return self;
}
