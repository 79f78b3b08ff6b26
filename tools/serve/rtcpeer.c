/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "rtcpeer.h"

#include "common/launch.h"

#define GST_USE_UNSTABLE_API
#include <gst/sdp/sdp.h>
#include <gst/webrtc/webrtc.h>
#include <string.h>

#define TWCC "http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01"
#define WATCH_S 5
#define SILENCE_S 15            /* of who never came, or left without a word */
#define ALONE_S 10              /* without a candidate; those of this machine come at once */
#define WEBRTC "webrtcbin name=webrtc bundle-policy=max-bundle latency=100"
/* As rtph264pay packs it. */
#define H264 "application/x-rtp,media=video,encoding-name=H264,clock-rate=90000," \
    "packetization-mode=(string)1"
#define VP8 "application/x-rtp,media=video,encoding-name=VP8,clock-rate=90000"
#define OPUS "application/x-rtp,media=audio,encoding-name=OPUS,clock-rate=48000," \
    "encoding-params=(string)2"

static const struct
{
  const gchar *sent, *received; /* forms of RTP */
  const gchar *payloader, *shown;
} kinds[TRACKS] = {
  {H264, H264 ";" VP8, "rtph264pay config-interval=-1 aggregate-mode=zero-latency mtu=1200",
      "videoconvert ! videoscale ! videorate ! video/x-raw,format=I420,width=1280,height=720,"
      "framerate=30/1 ! intervideosink"},
  {OPUS, OPUS, "rtpopuspay", "audioconvert ! audioresample ! audio/x-raw,format=S16LE,"
      "layout=interleaved,rate=48000,channels=2 ! interaudiosink"},
};

/* Handlers run in threads of GStreamer: they only schedule a look in the main loop. Each handler
 * and each look has a reference. */
struct _Peer
{
  GstElement *pipeline, *webrtc, *estimator;    /* estimator: NULL: it receives */
  LiveStream *stream;
  GstElement *taps[TRACKS];     /* what it sends; none: it receives */
  GstPad *pads[TRACKS];         /* of webrtc, by which it sends */
  GstSDPMessage *offer;         /* of the other end, until it is taken; NULL: the offer is ours */
  /* Of the description. With the number of the extension TWCC; without it reports of the receiver
   * are all the feedback. NULL: there is none of this kind. */
  GstCaps *forms[TRACKS];
  guint lines[TRACKS];
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

  for (guint i = 0; i < TRACKS; i++) {
    gst_clear_object (&self->pads[i]);
    gst_clear_caps (&self->forms[i]);
  }
  gst_clear_object (&self->estimator);
  gst_clear_object (&self->webrtc);
  gst_clear_object (&self->pipeline);
  g_clear_pointer (&self->offer, gst_sdp_message_free);
}

static void
peer_unref (gpointer self)
{
  g_atomic_rc_box_release_full (self, peer_clear);
}

void
peer_end (Peer * self)
{
  self->is_over = TRUE;
  g_clear_handle_id (&self->watching, g_source_remove);
  if (self->pipeline) {
    for (guint i = 0; i < TRACKS; i++)
      if (self->pads[i])
        g_signal_handlers_disconnect_by_data (self->pads[i], self);
    g_signal_handlers_disconnect_by_data (self->webrtc, self);
    launch_stop (self->pipeline);
  }
  live_stream_untap (self->stream, self->taps);
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

/* --- offers --- */

/* In caps the profile is a word if the SDP had level-asymmetry-allowed=1. */
static gboolean
is_constrained_baseline (const GstStructure * s)
{
  const gchar *profile = gst_structure_get_string (s, "profile");
  const gchar *level = gst_structure_get_string (s, "profile-level-id");

  return !g_strcmp0 (profile, "constrained-baseline")
      || (level && !g_ascii_strncasecmp (level, "42e0", 4));
}

/* All that the line offers; first the profile of H.264 that we make. */
static GstCaps *
forms_of (const GstSDPMedia * media)
{
  GstCaps *forms = gst_caps_new_empty ();

  for (guint i = 0; i < gst_sdp_media_formats_len (media); i++) {
    gint pt = (gint) g_ascii_strtoll (gst_sdp_media_get_format (media, i), NULL, 10);
    GstCaps *form = gst_sdp_media_get_caps_from_media (media, pt);

    if (!form)
      continue;
    gst_sdp_media_attributes_to_caps (media, form);
    gst_structure_set_name (gst_caps_get_structure (form, 0), "application/x-rtp");
    forms = is_constrained_baseline (gst_caps_get_structure (form, 0))
        ? gst_caps_merge (form, forms) : gst_caps_merge (forms, form);
  }
  return forms;
}

/* The level is the encoder's, which need not be the one that the other end wrote. TWCC is without
 * direction, and of a number that the short header has. */
static gboolean
is_of_form (GQuark field, GValue * value, gpointer wanted)
{
  const gchar *name = g_quark_to_string (field);
  g_autofree gchar *text = gst_value_serialize (value);

  if (!g_str_has_prefix (name, "extmap-"))
    return gst_structure_has_field (wanted, name) || g_str_equal (name, "payload");
  g_value_unset (value);
  g_value_init (value, G_TYPE_STRING);
  g_value_set_static_string (value, TWCC);
  return strstr (text, TWCC) && g_ascii_strtoull (name + strlen ("extmap-"), NULL, 10) <= 14;
}

/* NULL: none that is wanted. */
static GstCaps *
common_form (const GstSDPMedia * media, const gchar * wanted)
{
  g_autoptr (GstCaps) ours = gst_caps_from_string (wanted), offered = forms_of (media);
  GstCaps *form = gst_caps_intersect_full (ours, offered, GST_CAPS_INTERSECT_FIRST);

  if (gst_caps_is_empty (form)) {
    gst_caps_unref (form);
    return NULL;
  }
  form = gst_caps_truncate (form);
  gst_structure_filter_and_map_in_place (gst_caps_get_structure (form, 0), is_of_form,
      gst_caps_get_structure (ours, 0));
  return form;
}

/* Else webrtcbin has all sent that it knows, which nothing shows. */
static void
refuse (GstSDPMedia * media)
{
  static const gchar *const directions[] = { "sendrecv", "sendonly", "recvonly", NULL };

  for (guint i = gst_sdp_media_attributes_len (media); i-- > 0;)
    if (g_strv_contains (directions, gst_sdp_media_get_attribute (media, i)->key))
      gst_sdp_media_remove_attribute (media, i);
  gst_sdp_media_add_attribute (media, "inactive", NULL);
}

/* Takes the first line of each kind that both ends can do. */
static gboolean
take_line (Peer * self, guint line, const GstSDPMedia * media)
{
  gboolean sends = self->taps[PICTURE] != NULL;

  for (guint i = 0; i < TRACKS; i++) {
    if (self->forms[i] || (sends && !self->taps[i]))
      continue;
    self->forms[i] = common_form (media, sends ? kinds[i].sent : kinds[i].received);
    self->lines[i] = line;
    if (self->forms[i])
      return TRUE;
  }
  return FALSE;
}

static void
read_offer (Peer * self, const gchar * text)
{
  if (!*text || gst_sdp_message_new_from_text (text, &self->offer) != GST_SDP_OK)
    return;
  for (guint i = 0; i < gst_sdp_message_medias_len (self->offer); i++) {
    GstSDPMedia *media = (GstSDPMedia *) gst_sdp_message_get_media (self->offer, i);

    if (!take_line (self, i, media))
      refuse (media);
  }
}

static void
make_offer (Peer * self)
{
  for (guint i = 0; i < TRACKS; i++)
    if (self->taps[i]) {
      self->lines[i] = i;
      self->forms[i] = gst_caps_from_string (kinds[i].sent);
      gst_caps_set_simple (self->forms[i], "payload", G_TYPE_INT, 96 + (gint) i, "extmap-1",
          G_TYPE_STRING, TWCC, NULL);
    }
}

/* --- descriptions --- */

/* Left alone, webrtcbin 1.22 describes no extension, and who sends gets no feedback. */
static void
prefer (Peer * self, guint track, GstWebRTCRTPTransceiver * transceiver)
{
  g_object_set (transceiver, "codec-preferences", self->forms[track], "do-nack", track == PICTURE,
      NULL);
}

/* In a thread of webrtcbin. */
static void
on_new_transceiver (GstElement * webrtc, GstWebRTCRTPTransceiver * transceiver, gpointer data)
{
  Peer *self = data;
  guint line;

  g_object_get (transceiver, "mlineindex", &line, NULL);
  for (guint i = 0; i < TRACKS; i++)
    if (self->forms[i] && self->lines[i] == line)
      prefer (self, i, transceiver);
}

/* Waits for webrtcbin's own thread. *made: of that field; NULL: nothing is asked for. */
static gboolean
ask (Peer * self, const gchar * action, GstWebRTCSessionDescription * with, const gchar * field,
    GstWebRTCSessionDescription ** made)
{
  g_autoptr (GstPromise) promise = gst_promise_new ();
  const GstStructure *reply;

  g_signal_emit_by_name (self->webrtc, action, with, promise);
  if (gst_promise_wait (promise) != GST_PROMISE_RESULT_REPLIED)
    return FALSE;
  reply = gst_promise_get_reply (promise);
  if (made && reply)
    gst_structure_get (reply, field, GST_TYPE_WEBRTC_SESSION_DESCRIPTION, made, NULL);
  return !reply || !gst_structure_has_field (reply, "error");
}

static gboolean
set_remote (Peer * self, GstWebRTCSDPType type, GstSDPMessage * sdp)
{
  g_autoptr (GstWebRTCSessionDescription) remote = gst_webrtc_session_description_new (type, sdp);

  return ask (self, "set-remote-description", remote, NULL, NULL);
}

gboolean
peer_take_answer (Peer * self, const gchar * answer)
{
  GstSDPMessage *sdp = NULL;

  return *answer && gst_sdp_message_new_from_text (answer, &sdp) == GST_SDP_OK
      && set_remote (self, GST_WEBRTC_SDP_TYPE_ANSWER, sdp);
}

static void
begin (Peer * self)
{
  gboolean answers = self->offer != NULL;
  g_autoptr (GstWebRTCSessionDescription) made = NULL;

  self->begun = TRUE;
  if (answers)
    set_remote (self, GST_WEBRTC_SDP_TYPE_OFFER, g_steal_pointer (&self->offer));
  ask (self, answers ? "create-answer" : "create-offer", NULL, answers ? "answer" : "offer", &made);
  if (made)
    g_signal_emit_by_name (self->webrtc, "set-local-description", made, NULL);
  else
    end_by_itself (self, "there is nothing in the offer that both ends can do");
}

/* --- the call --- */

/* Before the caps are there a description lacks the extension and the format. */
static gboolean
is_ready (Peer * self)
{
  gboolean ready = TRUE;

  for (guint i = 0; i < TRACKS; i++)
    ready &= !self->pads[i] || gst_pad_has_current_caps (self->pads[i]);
  return ready;
}

/* Nobody could call back who has no candidate. */
static void
describe (Peer * self)
{
  g_autoptr (GstWebRTCSessionDescription) description = NULL;
  g_autofree gchar *text = NULL;

  g_object_get (self->webrtc, "local-description", &description, NULL);
  text = description ? gst_sdp_message_as_text (description->sdp) : NULL;
  self->is_described = text && strstr (text, "a=candidate:");
  if (self->is_described)
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

/* Its caps do not tell yet what it has. */
static void
on_pad_added (GstElement * webrtc, GstPad * pad, gpointer data)
{
  Peer *self = data;
  g_autoptr (GstWebRTCRTPTransceiver) transceiver = NULL;
  g_autoptr (GstElement) decoder = NULL;
  g_autoptr (GstPad) sink = NULL;
  guint line;

  if (GST_PAD_DIRECTION (pad) != GST_PAD_SRC)
    return;
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, on_media, g_atomic_rc_box_acquire (self),
      peer_unref);
  g_object_get (pad, "transceiver", &transceiver, NULL);
  g_object_get (transceiver, "mlineindex", &line, NULL);
  decoder = gst_bin_get_by_name (GST_BIN (self->pipeline),
      line == self->lines[PICTURE] ? "track0" : "track1");
  sink = gst_element_get_static_pad (decoder, "sink");
  gst_pad_link (pad, sink);
}

static gboolean
on_message (GstBus * bus, GstMessage * message, gpointer data)
{
  g_autoptr (GError) error = NULL;

  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR) {
    gst_message_parse_error (message, &error, NULL);
    end_by_itself (data, error->message);
  }
  return G_SOURCE_CONTINUE;
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
  /* webrtcbin 1.22 does not always tell that it has gathered all. */
  if (self->begun && !self->is_described)
    describe (self);
  if (self->silent_s < (self->begun && !self->is_described ? ALONE_S : SILENCE_S))
    return G_SOURCE_CONTINUE;
  self->watching = 0;
  end_by_itself (self, !self->begun ? "the source has given no picture for 15 s"
      : self->is_described ? "nothing was heard of it for 15 s"
      : "no ICE candidates within 10 s: the machine of gst-arc-serve needs an address beside "
      "loopback");
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

static gchar *
line_of (Peer * self)
{
  GString *line = g_string_new (WEBRTC);

  for (guint i = 0; i < TRACKS; i++) {
    g_autofree gchar *form = self->forms[i] ? gst_caps_to_string (self->forms[i]) : NULL;

    if (form && self->taps[i])
      g_string_append_printf (line, " proxysrc name=track%u ! %s ! %s ! webrtc.sink_%u", i,
          kinds[i].payloader, form, self->lines[i]);
    else if (form)
      g_string_append_printf (line, " decodebin name=track%u ! %s channel=%s", i, kinds[i].shown,
          self->stream->name);
  }
  return g_string_free (line, FALSE);
}

static void
prepare_track (Peer * self, guint track)
{
  g_autofree gchar *name = g_strdup_printf ("track%u", track);
  g_autofree gchar *sink = g_strdup_printf ("sink_%u", self->lines[track]);
  g_autoptr (GstElement) source = gst_bin_get_by_name (GST_BIN (self->pipeline), name);
  g_autoptr (GstWebRTCRTPTransceiver) transceiver = NULL;
  GstPad *pad = self->pads[track] = gst_element_get_static_pad (self->webrtc, sink);

  g_object_set (source, "proxysink", self->taps[track], NULL);
  g_object_set (pad, "msid", self->stream->name, NULL);
  g_object_get (pad, "transceiver", &transceiver, NULL);
  g_object_set (transceiver, "direction", GST_WEBRTC_RTP_TRANSCEIVER_DIRECTION_SENDONLY, NULL);
  prefer (self, track, transceiver);
  peer_connect (self, pad, "notify::caps", G_CALLBACK (look_soon), G_CONNECT_SWAPPED);
}

static void
prepare_sending (Peer * self, const PeerSettings * settings)
{
  self->estimator = gst_object_ref_sink (gst_element_factory_make ("rtparcbwe", NULL));
  g_object_set (self->estimator, "max-bitrate", (guint) settings->max_bps, NULL);
  peer_connect (self, self->webrtc, "request-aux-sender", G_CALLBACK (on_request_aux_sender), 0);
  for (guint i = 0; i < TRACKS; i++)
    if (self->forms[i])
      prepare_track (self, i);
  /* The proxies need the same running time at both ends. */
  gst_element_set_start_time (self->pipeline, GST_CLOCK_TIME_NONE);
  gst_element_set_base_time (self->pipeline, gst_element_get_base_time (self->stream->camera));
}

static gboolean
make_pipeline (Peer * self, const PeerSettings * settings)
{
  g_autofree gchar *line = line_of (self);
  g_autoptr (GError) error = NULL;

  self->pipeline = launch (line, on_message, self, &error);
  if (!self->pipeline) {
    g_printerr ("%s\n", error->message);
    return FALSE;
  }
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
  return TRUE;
}

Peer *
peer_new (const PeerSettings * settings, LiveStream * stream, gboolean sends, const gchar * offer,
    PeerDescribed described, PeerEnded ended, gpointer data, const gchar ** why)
{
  Peer *self = g_atomic_rc_box_new0 (Peer);

  self->stream = stream;
  self->described = described;
  self->ended = ended;
  self->data = data;
  if (sends)
    live_stream_tap (stream, self->taps);
  if (offer)
    read_offer (self, offer);
  else
    make_offer (self);
  *why = sends ? "the offer has no video in H.264 with packetization-mode=1"
      : "the offer has no video in H.264 (with packetization-mode=1) or VP8";
  if (!self->forms[PICTURE] || !make_pipeline (self, settings)) {
    peer_end (self);
    return NULL;
  }
  if (sends)
    prepare_sending (self, settings);
  self->watching = g_timeout_add_seconds (WATCH_S, watch, self);
  gst_element_set_state (self->pipeline, GST_STATE_PLAYING);
  look_soon (self);
  return self;
}
