/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* An arcsrc without caps takes the format that its sender announces, and a URI brings a jitter
 * buffer. */
#include "arcsrcfixture.h"

#include "rtp/mediaformat.h"

#define N_PKTS 30
#define CAPS "application/x-rtp,media=audio,encoding-name=L16,payload=96,clock-rate=8000"

typedef struct
{
  GstElement *receiver, *src, *sender;
  GstBus *bus;
  GMutex lock;
  GCond changed;
  guint packets;                /* that came out of the pad that is watched */
  guint16 first_seq, last_seq;
  GstCaps *caps;                /* of the last of them */
} Call;

static GstPadProbeReturn
on_packet (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  Call *call = user_data;

  fail_unless (gst_rtp_buffer_map (GST_PAD_PROBE_INFO_BUFFER (info), GST_MAP_READ, &rtp));
  g_mutex_lock (&call->lock);
  if (call->packets++ == 0)
    call->first_seq = gst_rtp_buffer_get_seq (&rtp);
  call->last_seq = gst_rtp_buffer_get_seq (&rtp);
  gst_clear_caps (&call->caps);
  call->caps = gst_pad_get_current_caps (pad);
  g_cond_broadcast (&call->changed);
  g_mutex_unlock (&call->lock);
  gst_rtp_buffer_unmap (&rtp);
  return GST_PAD_PROBE_OK;
}

/* line: what is behind an arcsrc of the name src. */
static void
call_receive (Call * call, const gchar * line)
{
  GstPad *pad;

  *call = (Call) { 0 };
  g_mutex_init (&call->lock);
  g_cond_init (&call->changed);
  call->receiver = gst_parse_launch (line, NULL);
  fail_unless (call->receiver != NULL);
  call->bus = gst_element_get_bus (call->receiver);
  call->src = gst_bin_get_by_name (GST_BIN (call->receiver), "src");
  pad = gst_element_get_static_pad (call->src, "src");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, on_packet, call, NULL);
  gst_object_unref (pad);
  gst_element_set_state (call->receiver, GST_STATE_PLAYING);
}

static gint
port_of (GstElement * src)
{
  gint port;

  g_object_get (src, "port", &port, NULL);
  return port;
}

static void
call_send (Call * call, const gchar * payloader)
{
  gchar *text = g_strdup_printf ("audiotestsrc is-live=true ! audio/x-raw,rate=8000,channels=1 "
      "! %s seqnum-offset=1000 ! rmcsink host=127.0.0.1 port=%d adapt-encoder=false", payloader,
      port_of (call->src));

  call->sender = gst_parse_launch (text, NULL);
  fail_unless (call->sender != NULL);
  gst_element_set_state (call->sender, GST_STATE_PLAYING);
  g_free (text);
}

#define L16 "audioconvert ! audio/x-raw,format=S16BE ! rtpL16pay pt=96"

static void
call_await_packets (Call * call, guint n)
{
  gint64 end = g_get_monotonic_time () + ANSWER_TIMEOUT_S * G_TIME_SPAN_SECOND;

  g_mutex_lock (&call->lock);
  while (call->packets < n)
    fail_unless (g_cond_wait_until (&call->changed, &call->lock, end), "%u packets", call->packets);
  g_mutex_unlock (&call->lock);
}

static void
call_assert_caps (Call * call, const gchar * text)
{
  GstCaps *expected = text ? gst_caps_from_string (text) : NULL;

  g_mutex_lock (&call->lock);
  fail_unless ((call->caps == NULL) == (expected == NULL)
      && (!expected || gst_caps_is_equal (call->caps, expected)), "%" GST_PTR_FORMAT, call->caps);
  g_mutex_unlock (&call->lock);
  gst_clear_caps (&expected);
}

static void
call_assert_silence (Call * call, GstMessageType types)
{
  GstMessage *message = gst_bus_pop_filtered (call->bus, types);

  fail_unless (message == NULL, "%" GST_PTR_FORMAT, message);
}

static void
call_end_sender (Call * call)
{
  if (call->sender)
    gst_element_set_state (call->sender, GST_STATE_NULL);
  gst_clear_object (&call->sender);
}

static void
call_end (Call * call)
{
  call_end_sender (call);
  gst_element_set_state (call->receiver, GST_STATE_NULL);
  gst_object_unref (call->src);
  gst_object_unref (call->bus);
  gst_object_unref (call->receiver);
  gst_clear_caps (&call->caps);
  g_cond_clear (&call->changed);
  g_mutex_clear (&call->lock);
}

#define CALL(line) Call, call, call_receive (call, line), call_end (call)
#define PLAYS "arcsrc name=src address=127.0.0.1 port=0 ! rtpjitterbuffer latency=50 " \
    "! rtpL16depay ! fakesink"

CLAIM_ON (test_without_caps_those_of_the_sender_hold_from_its_first_packet_on, CALL (PLAYS))
{
  call_send (call, L16);
  call_await_packets (call, N_PKTS);
  call_assert_caps (call, CAPS);
  fail_unless_equals_int (call->first_seq, 1000);
  fail_unless_equals_int (call->last_seq, 1000 + call->packets - 1);
  call_assert_silence (call, GST_MESSAGE_WARNING | GST_MESSAGE_ERROR);
}

/* Also with another sender, of another format. */
CLAIM (test_the_next_start_asks_the_sender_anew)
{
  Call call;

  call_receive (&call, "arcsrc name=src address=127.0.0.1 port=0 ! rtpjitterbuffer latency=50 "
      "! fakesink");
  call_send (&call, L16);
  call_await_packets (&call, N_PKTS);
  call_assert_caps (&call, CAPS);
  call_end_sender (&call);
  gst_element_set_state (call.receiver, GST_STATE_READY);
  call.packets = 0;
  gst_element_set_state (call.receiver, GST_STATE_PLAYING);
  call_send (&call, "mulawenc ! rtppcmupay");
  call_await_packets (&call, N_PKTS);
  call_assert_caps (&call,
      "application/x-rtp,media=audio,encoding-name=PCMU,payload=0,clock-rate=8000");
  call_assert_silence (&call, GST_MESSAGE_WARNING | GST_MESSAGE_ERROR);
  call_end (&call);
}

CLAIM_ON (test_caps_of_the_user_hold, CALL ("arcsrc name=src address=127.0.0.1 port=0 "
        "caps=application/x-rtp,clock-rate=8000,payload=96 ! rtpjitterbuffer latency=50 "
        "! fakesink"))
{
  call_send (call, L16);
  call_await_packets (call, N_PKTS);
  call_assert_caps (call, "application/x-rtp,clock-rate=8000,payload=96");
}

static guint64
misfits (Call * call)
{
  GstStructure *stats;
  guint64 packets = 0;

  g_object_get (call->src, "stats", &stats, NULL);
  gst_structure_get_uint64 (stats, "packets-misfit", &packets);
  gst_structure_free (stats);
  return packets;
}

static void
assert_misfit (Call * call, const gchar * says)
{
  GstMessage *message = gst_bus_timed_pop_filtered (call->bus, ANSWER_TIMEOUT_S * GST_SECOND,
      GST_MESSAGE_WARNING | GST_MESSAGE_ERROR);
  GError *error;

  fail_unless (message && GST_MESSAGE_TYPE (message) == GST_MESSAGE_WARNING);
  gst_message_parse_warning (message, &error, NULL);
  fail_unless (strstr (error->message, says) != NULL, "%s", error->message);
  g_error_free (error);
  gst_message_unref (message);
}

/* A sender must not end the stream by what it says. */
CLAIM_ON (test_a_format_that_nothing_takes_is_dropped_until_one_comes_that_fits, CALL (PLAYS))
{
  guint tries;

  g_object_set (call->src, "sender-timeout", 10 * GST_MSECOND, NULL);
  call_send (call, "mulawenc ! rtppcmupay");
  assert_misfit (call, "PCMU with clock rate 8000, which what is behind arcsrc does not take");
  for (tries = 0; tries < 1000 * ANSWER_TIMEOUT_S && misfits (call) < N_PKTS; tries++)
    g_usleep (1000);
  fail_unless (misfits (call) >= N_PKTS);
  fail_unless_equals_int (call->packets, 0);
  call_end_sender (call);
  call_send (call, L16);
  call_await_packets (call, N_PKTS);
  call_assert_caps (call, CAPS);
  call_assert_silence (call, GST_MESSAGE_WARNING | GST_MESSAGE_ERROR);
}

CLAIM_ON (test_a_sender_that_says_nothing_is_heard_after_a_second, CALL (
        "arcsrc name=src address=127.0.0.1 port=0 ! capsfilter caps=application/x-rtp ! fakesink"))
{
  GSocket *sender = sender_new ("127.0.0.1");
  gint64 began = g_get_monotonic_time ();
  guint16 seq;

  for (seq = 0; call->packets == 0; seq++) {
    sender_send (sender, "127.0.0.1", port_of (call->src), rtp_new (SSRC, seq));
    g_usleep (20 * 1000);
    fail_unless (g_get_monotonic_time () - began < ANSWER_TIMEOUT_S * G_USEC_PER_SEC);
  }
  fail_unless (g_get_monotonic_time () - began > 900 * 1000);
  call_await_packets (call, seq);
  fail_unless_equals_int (call->first_seq, 0);
  call_assert_caps (call, NULL);
  g_object_unref (sender);
}

static const struct
{
  RcMediaFormat format;
  const gchar *caps;            /* NULL: refused */
} formats[] = {
  {{"H264", 96, RC_MEDIA_VIDEO, 90000},
      "application/x-rtp,media=video,encoding-name=H264,payload=96,clock-rate=90000"},
  {{"OPUS", 111, RC_MEDIA_AUDIO, 48000},
      "application/x-rtp,media=audio,encoding-name=OPUS,payload=111,clock-rate=48000"},
  /* A text, though it looks like a number. */
  {{"42", 96, RC_MEDIA_VIDEO, 90000},
      "application/x-rtp,media=video,encoding-name=(string)42,payload=96,clock-rate=90000"},
  {{"", 96, RC_MEDIA_VIDEO, 90000}, NULL},
  {{"H264", 96, RC_MEDIA_OTHER, 90000}, NULL},
  {{"H264", 96, 200, 90000}, NULL},
  {{"H264", 96, RC_MEDIA_VIDEO, 0}, NULL},
  {{"H264", 96, RC_MEDIA_VIDEO, 1}, NULL},
  {{"H264", 96, RC_MEDIA_VIDEO, 4000000000}, NULL},
  {{"RAW", 96, RC_MEDIA_VIDEO, 90000}, NULL},
};

CLAIMS (test_only_formats_that_can_be_are_taken, G_N_ELEMENTS (formats))
{
  GstCaps *caps = media_format_to_caps (&formats[__i__].format), *expected;

  fail_unless_equals_int (caps != NULL, formats[__i__].caps != NULL);
  if (!caps)
    return;
  expected = gst_caps_from_string (formats[__i__].caps);
  fail_unless (gst_caps_is_equal (caps, expected), "%" GST_PTR_FORMAT, caps);
  gst_caps_unref (expected);
  gst_caps_unref (caps);
}

/* --- URIs --- */

/* -1: there is none. */
static gint
latency_of_buffer (GstElement * src)
{
  GstElement *buffer = gst_bin_get_by_name (GST_BIN (src), "buffer");
  gboolean repairs;
  guint latency;

  if (!buffer)
    return -1;
  g_object_get (buffer, "latency", &latency, "do-retransmission", &repairs, NULL);
  fail_unless (repairs);
  gst_object_unref (buffer);
  return (gint) latency;
}

static const struct
{
  const gchar *uri;
  gint latency_ms;
} uris[] = {
  {"arc://127.0.0.1:0", 200},
  {"arc://127.0.0.1:0?latency=80", 80},
  {"arc://127.0.0.1:0?latency=0", -1},
};

CLAIMS (test_a_source_of_a_uri_has_a_jitter_buffer, G_N_ELEMENTS (uris))
{
  GstElement *src = gst_element_make_from_uri (GST_URI_SRC, uris[__i__].uri, NULL, NULL);
  gchar *uri = gst_uri_handler_get_uri (GST_URI_HANDLER (src));

  fail_unless_equals_string (uri, uris[__i__].uri);
  fail_unless_equals_int (gst_element_set_state (src, GST_STATE_READY), GST_STATE_CHANGE_SUCCESS);
  fail_unless_equals_int (latency_of_buffer (src), uris[__i__].latency_ms);
  if (uris[__i__].latency_ms > 0) {
    g_object_set (src, "latency", 120 * GST_MSECOND, NULL);
    fail_unless_equals_int (latency_of_buffer (src), 120);
  }
  gst_element_set_state (src, GST_STATE_NULL);
  g_object_set (src, "latency", G_GUINT64_CONSTANT (0), NULL);
  gst_element_set_state (src, GST_STATE_READY);
  fail_unless_equals_int (latency_of_buffer (src), -1);
  gst_element_set_state (src, GST_STATE_NULL);
  gst_object_unref (src);
  g_free (uri);
}

CLAIM (test_an_arcsrc_of_a_launch_line_has_none_by_itself)
{
  GstElement *src = gst_parse_launch ("arcsrc uri=arc://127.0.0.1:0", NULL);

  gst_object_ref_sink (src);
  gst_element_set_state (src, GST_STATE_READY);
  fail_unless_equals_int (latency_of_buffer (src), -1);
  gst_element_set_state (src, GST_STATE_NULL);
  gst_object_unref (src);
}

static GstElement *source_set_up;

static void
on_source (GstElement * decoder, GstElement * source, gpointer user_data)
{
  source_set_up = source;
}

static void
on_decoded (GstElement * decoder, GstPad * pad, gpointer sink)
{
  GstPad *to = gst_element_get_static_pad (sink, "sink");

  fail_unless (gst_pad_link (pad, to) == GST_PAD_LINK_OK);
  gst_object_unref (to);
}

static void
on_handoff (GstElement * sink, GstBuffer * buffer, GstPad * pad, gpointer count)
{
  g_atomic_int_inc ((gint *) count);
}

CLAIM (test_uridecodebin_plays_a_uri_without_caps)
{
  GstElement *pipeline = gst_parse_launch ("uridecodebin name=decoder uri=arc://127.0.0.1:0 "
      "fakesink name=sink signal-handoffs=true sync=false", NULL);
  GstElement *decoder = gst_bin_get_by_name (GST_BIN (pipeline), "decoder"),
      *sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  Call call = { 0 };
  gint count = 0;
  guint tries;

  g_signal_connect (decoder, "source-setup", G_CALLBACK (on_source), NULL);
  g_signal_connect (decoder, "pad-added", G_CALLBACK (on_decoded), sink);
  g_signal_connect (sink, "handoff", G_CALLBACK (on_handoff), &count);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  call.src = source_set_up;
  call_send (&call, "mulawenc ! rtppcmupay");
  for (tries = 0; tries < 1000 * ANSWER_TIMEOUT_S && g_atomic_int_get (&count) < N_PKTS; tries++)
    g_usleep (1000);
  fail_unless (g_atomic_int_get (&count) >= N_PKTS, "%d buffers", count);
  call_end_sender (&call);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (decoder);
  gst_object_unref (sink);
  gst_object_unref (pipeline);
}
