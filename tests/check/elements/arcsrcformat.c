/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* An arcsrc without caps takes the format that its sender announces, and a URI brings a jitter
 * buffer. */
#include "arcsrcfixture.h"

#include "rtp/mediaformat.h"
#include "readstat.h"
#include "bustext.h"

#include <rc/base/bytes.h>

#define N_PKTS 30
#define CAPS "application/x-rtp,media=audio,encoding-name=L16,payload=96,clock-rate=8000"
#define L16_CAPS CAPS ",encoding-params=(string)1,channels=1"

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
  AT_END (gst_rtp_buffer_unmap) GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
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

static guint
call_packets (Call * call)
{
  guint packets;

  g_mutex_lock (&call->lock);
  packets = call->packets;
  g_mutex_unlock (&call->lock);
  return packets;
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
  call_assert_caps (call, L16_CAPS);
  fail_unless_equals_int (call->first_seq, 1000);
  g_mutex_lock (&call->lock);
  fail_unless_equals_int (call->last_seq, 1000 + call->packets - 1);
  g_mutex_unlock (&call->lock);
  call_assert_silence (call, GST_MESSAGE_WARNING | GST_MESSAGE_ERROR);
}

/* Also with another sender, of another format. */
CLAIM (test_the_next_start_asks_the_sender_anew)
{
  AT_END (call_end) Call call;

  call_receive (&call, "arcsrc name=src address=127.0.0.1 port=0 ! rtpjitterbuffer latency=50 "
      "! fakesink");
  call_send (&call, L16);
  call_await_packets (&call, N_PKTS);
  call_assert_caps (&call, L16_CAPS);
  call_end_sender (&call);
  gst_element_set_state (call.receiver, GST_STATE_READY);
  call.packets = 0;
  gst_element_set_state (call.receiver, GST_STATE_PLAYING);
  call_send (&call, "mulawenc ! rtppcmupay");
  call_await_packets (&call, N_PKTS);
  call_assert_caps (&call,
      "application/x-rtp,media=audio,encoding-name=PCMU,payload=0,clock-rate=8000");
  call_assert_silence (&call, GST_MESSAGE_WARNING | GST_MESSAGE_ERROR);
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
  return read_stat (call->src, "packets-misfit");
}

static void
assert_misfit (Call * call, const gchar * says)
{
  GstMessage *message = gst_bus_timed_pop_filtered (call->bus, ANSWER_TIMEOUT_S * GST_SECOND,
      GST_MESSAGE_WARNING | GST_MESSAGE_ERROR);
  g_autoptr (GError) error = NULL;

  fail_unless (message && GST_MESSAGE_TYPE (message) == GST_MESSAGE_WARNING);
  gst_message_parse_warning (message, &error, NULL);
  fail_unless (strstr (error->message, says) != NULL, "%s", error->message);
  gst_message_unref (message);
}

/* A sender must not end the stream by what it says. */
CLAIM_ON (test_a_format_that_nothing_takes_is_dropped_until_one_comes_that_fits, CALL (PLAYS))
{
  g_object_set (call->src, "sender-timeout", 10 * GST_MSECOND, NULL);
  call_send (call, "mulawenc ! rtppcmupay");
  assert_misfit (call, "PCMU with clock rate 8000, which what is behind arcsrc does not take");
  for (guint tries = 0; tries < 1000 * ANSWER_TIMEOUT_S && misfits (call) < N_PKTS; tries++)
    g_usleep (1000);
  fail_unless (misfits (call) >= N_PKTS);
  fail_unless_equals_int (call_packets (call), 0);
  call_end_sender (call);
  call_send (call, L16);
  call_await_packets (call, N_PKTS);
  call_assert_caps (call, L16_CAPS);
  call_assert_silence (call, GST_MESSAGE_WARNING | GST_MESSAGE_ERROR);
}

CLAIM_ON (test_a_sender_that_says_nothing_is_heard_after_a_second, CALL (
        "arcsrc name=src address=127.0.0.1 port=0 ! capsfilter caps=application/x-rtp ! fakesink"))
{
  g_autoptr (GSocket) sender = sender_new ("127.0.0.1");
  gint64 began = g_get_monotonic_time ();
  guint16 seq;

  for (seq = 0; call_packets (call) == 0; seq++) {
    sender_send (sender, "127.0.0.1", port_of (call->src), media_new (SSRC, seq));
    g_usleep (20 * 1000);
    fail_unless (g_get_monotonic_time () - began < ANSWER_TIMEOUT_S * G_USEC_PER_SEC);
  }
  fail_unless (g_get_monotonic_time () - began > 900 * 1000);
  call_await_packets (call, seq);
  fail_unless_equals_int (call->first_seq, 0);
  call_assert_caps (call, NULL);
}

static void
announce_l16 (GSocket * sender, gint port)
{
  const RcSenderInfo info = {.ssrc = SSRC,.srtt_us = 40000,.report_interval_us = 50000,
    .format = {"L16", 96, RC_MEDIA_AUDIO, 8000}
  };

  sender_send (sender, "127.0.0.1", port, rtcp_new_infos (SSRC, &info, 1));
}

/* Its infos are lost for longer than the gate waits, while media is not. */
CLAIM_ON (test_a_format_that_comes_late_is_taken, CALL ("arcsrc name=src address=127.0.0.1 port=0 "
        "! rtpjitterbuffer latency=50 ! rtpL16depay ! fakesink name=view"))
{
  g_autoptr (GstElement) view = gst_bin_get_by_name (GST_BIN (call->receiver), "view");
  g_autoptr (GSocket) sender = sender_new ("127.0.0.1");
  g_autoptr (GstSample) shown = NULL;
  gint64 began = g_get_monotonic_time ();
  gint port = port_of (call->src);

  for (guint16 seq = 0; !shown; seq++) {
    sender_send (sender, "127.0.0.1", port, media_new (SSRC, seq));
    if (call_packets (call) > 0 || misfits (call) > 0)
      announce_l16 (sender, port);
    g_usleep (20 * 1000);
    g_object_get (view, "last-sample", &shown, NULL);
    fail_unless (g_get_monotonic_time () - began < ANSWER_TIMEOUT_S * G_USEC_PER_SEC);
  }
  call_assert_caps (call, CAPS);
}

/* Between the announcement and the packet behind it. */
CLAIM_ON (test_caps_that_are_unset_meanwhile_are_those_of_the_sender, CALL (PLAYS))
{
  g_autoptr (GSocket) sender = sender_new ("127.0.0.1");
  gint port = port_of (call->src);

  sender_send (sender, "127.0.0.1", port, media_new (SSRC, 0));
  wait_until (read_stat (call->src, "packets-received") > 0);
  announce_l16 (sender, port);
  wait_until (read_stat (call->src, "sender-infos") > 0);
  g_object_set (call->src, "caps", NULL, NULL);
  sender_send (sender, "127.0.0.1", port, media_new (SSRC, 1));
  call_await_packets (call, 2);
  call_assert_caps (call, CAPS);
}

/* A sender of 5 Mbit/s that is 400 ms away; a depayloader errs on media without caps. */
CLAIM_ON (test_many_packets_wait_for_the_format, CALL ("arcsrc name=src address=127.0.0.1 port=0 "
        "! rtpL16depay ! fakesink"))
{
  g_autoptr (GSocket) sender = sender_new ("127.0.0.1");
  gint port = port_of (call->src);

  for (guint16 seq = 0; seq < 200; seq++) {
    sender_send (sender, "127.0.0.1", port, media_new (SSRC, seq));
    g_usleep (1000);
  }
  announce_l16 (sender, port);
  sender_send (sender, "127.0.0.1", port, media_new (SSRC, 200));
  call_await_packets (call, 201);
  call_assert_caps (call, CAPS);
  fail_unless_equals_int (call->first_seq, 0);
  call_assert_silence (call, GST_MESSAGE_WARNING | GST_MESSAGE_ERROR);
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
  g_autoptr (GstCaps) caps = media_format_to_caps (&formats[__i__].format, NULL), expected = NULL;

  fail_unless_equals_int (caps != NULL, formats[__i__].caps != NULL);
  if (!caps)
    return;
  expected = gst_caps_from_string (formats[__i__].caps);
  fail_unless (gst_caps_is_equal (caps, expected), "%" GST_PTR_FORMAT, caps);
}

/* --- what caps say beside the four fields --- */

/* told: what becomes of it; NULL: all. */
static const struct
{
  const gchar *caps, *told;
} told[] = {
  {CAPS ",encoding-params=(string)6,channels=(int)6", NULL},
  {CAPS ",config=(string)119056e500,mode=(string)AAC-hbr", NULL},
  {CAPS ",sprop-parameter-sets=(string)\"Z/QADZGbKCg\\=\\,aOvsRIRA\"", NULL},
  {CAPS ",rtcp-fb-nack=(boolean)true,channels=(int)-1", NULL},
  {CAPS ",extmap-1=(string)urn:x,extmap-2=(string)< \"\", urn:y, \"a b\" >", NULL},
  {CAPS ",extmap-1=(string)urn:x,ssrc=(uint)1,timestamp-offset=(uint)2,seqnum-offset=(uint)3,"
        "clock-base=(uint)4,npt-start=(guint64)5,srtp-cipher=(string)null,"
        "ssrc-7-cname=(string)me,a=(fraction)1/2", CAPS ",extmap-1=(string)urn:x"},
};

CLAIMS (test_all_that_caps_say_of_the_media_is_told, G_N_ELEMENTS (told))
{
  g_autoptr (GstCaps) caps = gst_caps_from_string (told[__i__].caps), expected = NULL,
      came = NULL, copied = NULL;
  RcMediaFormat format = media_format_from_caps (caps);
  g_autoptr (GBytes) fields = NULL;
  g_autofree gchar *text = NULL;

  expected = told[__i__].told ? gst_caps_from_string (told[__i__].told) : gst_caps_ref (caps);
  fail_unless (media_format_fields_of_caps (caps, &fields) && fields != NULL);
  came = media_format_to_caps (&format, fields);
  fail_unless (gst_caps_is_equal (came, expected), "%" GST_PTR_FORMAT, came);
  text = media_format_to_string (&format, fields);
  copied = gst_caps_from_string (text);
  fail_unless (gst_caps_is_equal (copied, expected), "%s", text);
}

/* completed: NULL: it is left as it is. */
static const struct
{
  const gchar *user, *completed;
} open_caps[] = {
  {CAPS, CAPS ",config=(string)1190,channels=(int)2"},
  {CAPS ",config=(string)1210", CAPS ",config=(string)1210,channels=(int)2"},
  {CAPS ",config=(string)1210,channels=(int)1", NULL},
  {"application/x-rtp,media=audio,clock-rate=8000,payload=96", NULL},
  {"application/x-rtp,media=audio,encoding-name=L16,clock-rate=8000", NULL},
  {"application/x-rtp,media=audio,encoding-name=L16,payload=97,clock-rate=8000", NULL},
  {CAPS ";application/x-rtp,media=video", NULL},
  {"ANY", NULL},
};

CLAIMS (test_what_the_users_caps_leave_open_is_completed, G_N_ELEMENTS (open_caps))
{
  g_autoptr (GstCaps) announced = gst_caps_from_string (CAPS ",config=(string)1190,channels=(int)2,"
      "extmap-1=(string)urn:x,rtcp-fb-nack=(boolean)true");
  GstCaps *user = gst_caps_from_string (open_caps[__i__].user), *completed, *expected;
  RcMediaFormat format = media_format_from_caps (announced);

  completed = media_format_complete (&format, announced, user);
  fail_unless ((completed != NULL) == (open_caps[__i__].completed != NULL),
      "%" GST_PTR_FORMAT, completed);
  if (completed) {
    expected = gst_caps_from_string (open_caps[__i__].completed);
    fail_unless (gst_caps_is_equal (completed, expected), "%" GST_PTR_FORMAT, completed);
    gst_caps_unref (expected);
  }
  gst_clear_caps (&completed);
  gst_caps_unref (user);
}

CLAIM (test_what_a_sender_must_not_say_does_not_become_caps)
{
  static guint8 bytes[RC_FIELDS_BYTES_MAX];
  static const gchar *const names[] = { "payload", "clock-base", "srtp-key", "mki", "media" };
  const RcMediaFormat format = { "L16", 96, RC_MEDIA_AUDIO, 8000 };
  GstCaps *caps, *expected = gst_caps_from_string (CAPS);
  GBytes *fields;
  gsize at = 0;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    RcField field = { RC_FIELD_STRING, (guint8) strlen (names[i]), 1, names[i],
      (const guint8 *) "x"
    };

    at = rc_fields_put (bytes, at, &field);
  }
  fields = g_bytes_new (bytes, rc_fields_end (bytes, at));
  caps = media_format_to_caps (&format, fields);
  fail_unless (gst_caps_is_equal (caps, expected), "%" GST_PTR_FORMAT, caps);
  gst_caps_unref (caps);
  gst_caps_unref (expected);
  g_bytes_unref (fields);
}

CLAIM (test_a_sender_whose_caps_say_too_much_is_warned)
{
  g_autofree gchar *config = g_strnfill (RC_FIELDS_BYTES_MAX, 'x'), *line = NULL;
  STOPPED GstElement *sender = NULL;
  g_autoptr (GstBus) bus = NULL;

  line = g_strdup_printf ("audiotestsrc is-live=true ! audio/x-raw,rate=8000,channels=1 ! " L16
      " ! capssetter caps=application/x-rtp,config=(string)%s ! rmcsink host=127.0.0.1 port=9",
      config);
  sender = gst_parse_launch (line, NULL);
  bus = gst_element_get_bus (sender);
  gst_element_set_state (sender, GST_STATE_PLAYING);
  bus_says (bus, ANSWER_TIMEOUT_S * GST_SECOND, GST_MESSAGE_WARNING,
      "more than a receiver can be told");
}

/* --- each payloader --- */

#define VIDEO(width, height) "videotestsrc is-live=true ! video/x-raw,width=" #width ",height=" \
    #height ",format=I420,framerate=25/1 ! videoconvert ! "
#define AUDIO(rate, channels) "audiotestsrc is-live=true samplesperbuffer=480 ! audioconvert " \
    "! audioresample ! audio/x-raw,rate=" #rate ",channels=" #channels " ! "

#define AVC "x264enc tune=zerolatency key-int-max=10 ! video/x-h264,stream-format=avc " \
    "! rtph264pay name=bare"

/* What encodes and payloads, and what takes it apart without a word about it. Two have no row:
 * rtpspeexdepay pushes before the segment, and rtph263ppay links to nothing that wants RTP. */
static const struct
{
  const gchar *sends, *receives;
} payloaders[] = {
  {AUDIO (48000, 2) "avenc_aac ! aacparse ! rtpmp4gpay", "! rtpmp4gdepay ! aacparse ! avdec_aac"},
  {AUDIO (48000, 2) "avenc_aac ! aacparse ! rtpmp4apay", "! rtpmp4adepay ! aacparse ! avdec_aac"},
  {AUDIO (48000, 2) "opusenc ! rtpopuspay", "! rtpopusdepay ! opusdec"},
  {"audiotestsrc is-live=true ! audio/x-raw,rate=48000,channels=6,"
        "channel-mask=(bitmask)0x3f ! opusenc ! rtpopuspay", "! rtpopusdepay ! opusdec "
        "! audio/x-raw,channels=6"},
  {AUDIO (44100, 2) "vorbisenc ! rtpvorbispay", "! rtpvorbisdepay ! vorbisdec"},
  {AUDIO (8000, 1) "mulawenc ! rtppcmupay", "! rtppcmudepay ! mulawdec"},
  {AUDIO (8000, 1) "alawenc ! rtppcmapay", "! rtppcmadepay ! alawdec"},
  {AUDIO (8000, 1) "gsmenc ! rtpgsmpay", "! rtpgsmdepay ! gsmdec"},
  {AUDIO (8000, 1) "amrnbenc ! rtpamrpay", "! rtpamrdepay ! amrnbdec"},
  {AUDIO (16000, 1) "avenc_g722 ! rtpg722pay", "! rtpg722depay ! avdec_g722"},
  {AUDIO (8000, 1) "avenc_g726 bitrate=32000 ! audio/x-adpcm,layout=g726 ! rtpg726pay",
      "! rtpg726depay"},
  {AUDIO (16000, 1) "sirenenc ! rtpsirenpay", "! rtpsirendepay ! sirendec"},
  {AUDIO (48000, 2) "sbcenc ! sbcparse ! rtpsbcpay", "! rtpsbcdepay ! sbcparse ! sbcdec"},
  {AUDIO (48000, 2) "lamemp3enc ! mpegaudioparse ! rtpmpapay",
      "! rtpmpadepay ! mpegaudioparse ! avdec_mp3"},
  {AUDIO (48000, 2) "avenc_ac3 ! ac3parse ! rtpac3pay", "! rtpac3depay ! ac3parse ! avdec_ac3"},
  {AUDIO (48000, 2) "audioconvert ! audio/x-raw,format=S16BE ! rtpL16pay",
      "! rtpL16depay ! audio/x-raw,channels=2"},
  {AUDIO (48000, 6) "audioconvert ! audio/x-raw,format=S24BE ! rtpL24pay mtu=1200",
      "! rtpL24depay ! audio/x-raw,channels=6"},
  {VIDEO (96, 64) "avenc_mpeg4 ! rtpmp4vpay", "! rtpmp4vdepay ! avdec_mpeg4"},
  {VIDEO (96, 64) "video/x-raw,format=UYVY ! rtpvrawpay mtu=1200", "! rtpvrawdepay ! videoconvert"},
  {VIDEO (96, 64) "openjpegenc ! rtpj2kpay", "! rtpj2kdepay"},
  {VIDEO (96, 64) "jpegenc ! rtpjpegpay", "! rtpjpegdepay ! jpegdec"},
  {VIDEO (96, 64) "theoraenc ! rtptheorapay", "! rtptheoradepay ! theoradec"},
  {VIDEO (96, 64) "vp8enc deadline=1 ! rtpvp8pay", "! rtpvp8depay ! vp8dec"},
  {VIDEO (96, 64) "vp9enc deadline=1 ! rtpvp9pay", "! rtpvp9depay ! vp9dec"},
  {VIDEO (96, 64) "av1enc usage-profile=realtime cpu-used=8 ! av1parse ! rtpav1pay",
      "! rtpav1depay ! av1dec"},
  {VIDEO (352, 288) "avenc_h263 ! rtph263pay", "! rtph263depay ! avdec_h263"},
  {VIDEO (352, 288) "avenc_h261 ! rtph261pay", "! rtph261depay ! avdec_h261"},
  {VIDEO (96, 64) "x264enc tune=zerolatency ! rtph264pay", "! rtph264depay ! avdec_h264"},
  /* The parameter sets are in the caps only. */
  {VIDEO (96, 64) AVC, "! rtph264depay ! avdec_h264"},
  {VIDEO (96, 64) "x265enc tune=zerolatency ! h265parse ! video/x-h265,stream-format=hvc1 "
        "! rtph265pay name=bare", "! rtph265depay ! h265parse ! avdec_h265"},
  /* And not in those of the user either. */
  {VIDEO (96, 64) AVC, "caps=application/x-rtp,media=video,encoding-name=H264,payload=96,"
        "clock-rate=90000 ! rtph264depay ! avdec_h264"},
  {VIDEO (96, 64) "jpegenc ! rtpgstpay", "! rtpgstdepay ! jpegdec"},
  {VIDEO (96, 64) "x264enc tune=zerolatency ! mpegtsmux ! rtpmp2tpay", "! rtpmp2tdepay"},
  {"appsrc name=klv is-live=true format=time do-timestamp=true caps=meta/x-klv,parsed=true "
        "! rtpklvpay", "! rtpklvdepay"},
};

#define N_FRAMES 3

typedef struct
{
  GstElement *receiver, *sender;        /* NULL: something is not installed */
  gint frames;                  /* atomic */
} Pair;

static gpointer
push_klv (GstElement * appsrc, guint wanted, gpointer user_data)
{
  static const guint8 klv[] = { 0x06, 0x0e, 0x2b, 0x34, 2, 11, 1, 1, 14, 1, 3, 1, 1, 0, 0, 0, 2,
    65, 66
  };
  GstBuffer *buffer = gst_buffer_new_memdup (klv, sizeof klv);
  GstFlowReturn ret;

  g_usleep (20 * 1000);
  g_signal_emit_by_name (appsrc, "push-buffer", buffer, &ret);
  gst_buffer_unref (buffer);
  return NULL;
}

static gboolean
is_parameter_set (guint8 first, gboolean h265)
{
  guint type = h265 ? first >> 1 & 0x3f : first & 0x1f;

  return h265 ? type >= 32 && type <= 34 : type == 7 || type == 8;
}

/* Each NAL unit has its length before it. */
static GstBuffer *
without_parameter_sets (GstBuffer * buffer, gboolean h265)
{
  GstBuffer *bare = gst_buffer_new ();
  GByteArray *kept = g_byte_array_new ();
  GstMapInfo map;

  gst_buffer_map (buffer, &map, GST_MAP_READ);
  for (gsize at = 0, size; at + 4 < map.size; at += size) {
    size = 4 + rc_get32 (map.data + at);
    if (!is_parameter_set (map.data[at + 4], h265))
      g_byte_array_append (kept, map.data + at, (guint) size);
  }
  gst_buffer_unmap (buffer, &map);
  gst_buffer_copy_into (bare, buffer, GST_BUFFER_COPY_FLAGS | GST_BUFFER_COPY_TIMESTAMPS, 0, -1);
  gst_buffer_append_memory (bare, gst_memory_new_wrapped (0, kept->data, kept->len, 0, kept->len,
          kept, (GDestroyNotify) g_byte_array_unref));
  gst_buffer_unref (buffer);
  return bare;
}

/* As of an encoder of hardware: parameter sets are in the caps only, and no keyframe that was asked
 * for has the payloader send them. */
static GstPadProbeReturn
strip (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  g_autoptr (GstCaps) caps = NULL;

  if (info->type & GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM)
    return GST_EVENT_TYPE (info->data) == GST_EVENT_CUSTOM_DOWNSTREAM ? GST_PAD_PROBE_DROP
        : GST_PAD_PROBE_OK;
  caps = gst_pad_get_current_caps (pad);
  info->data = without_parameter_sets (info->data,
      gst_structure_has_name (gst_caps_get_structure (caps, 0), "video/x-h265"));
  return GST_PAD_PROBE_OK;
}

static void
keep_bare (GstElement * sender)
{
  GstElement *payloader = gst_bin_get_by_name (GST_BIN (sender), "bare");
  GstPad *pad = payloader ? gst_element_get_static_pad (payloader, "sink") : NULL;

  if (pad)
    gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, strip,
        NULL, NULL);
  gst_clear_object (&pad);
  gst_clear_object (&payloader);
}

static GstElement *
line_if_installed (const gchar * format, const gchar * part, gint port)
{
  g_autofree gchar *line = g_strdup_printf (format, part, port);
  GError *error = NULL;
  GstElement *pipeline = gst_parse_launch_full (line, NULL, GST_PARSE_FLAG_FATAL_ERRORS, &error);

  fail_unless (pipeline || g_error_matches (error, GST_PARSE_ERROR,
          GST_PARSE_ERROR_NO_SUCH_ELEMENT), "%s: %s", line, error->message);
  g_clear_error (&error);
  return pipeline;
}

static void
count_frame (GstElement * sink, GstBuffer * buffer, GstPad * pad, gpointer frames)
{
  g_atomic_int_inc ((gint *) frames);
}

static void
pair_start (Pair * pair, guint i)
{
  GstElement *src, *sink, *klv;

  pair->receiver = line_if_installed ("arcsrc name=src address=127.0.0.1 port=0 %s "
      "! fakesink name=sink signal-handoffs=true sync=false async=false", payloaders[i].receives,
      0);
  if (!pair->receiver)
    return;
  sink = gst_bin_get_by_name (GST_BIN (pair->receiver), "sink");
  g_signal_connect (sink, "handoff", G_CALLBACK (count_frame), &pair->frames);
  gst_object_unref (sink);
  gst_element_set_state (pair->receiver, GST_STATE_PLAYING);
  src = gst_bin_get_by_name (GST_BIN (pair->receiver), "src");
  pair->sender = line_if_installed ("%s ! rmcsink host=127.0.0.1 port=%d adapt-encoder=false",
      payloaders[i].sends, port_of (src));
  gst_object_unref (src);
  if (!pair->sender)
    return;
  keep_bare (pair->sender);
  klv = gst_bin_get_by_name (GST_BIN (pair->sender), "klv");
  if (klv)
    g_signal_connect (klv, "need-data", G_CALLBACK (push_klv), NULL);
  gst_clear_object (&klv);
  gst_element_set_state (pair->sender, GST_STATE_PLAYING);
}

static void
pair_stop (Pair * pair)
{
  if (pair->sender)
    gst_element_set_state (pair->sender, GST_STATE_NULL);
  if (pair->receiver)
    gst_element_set_state (pair->receiver, GST_STATE_NULL);
  gst_clear_object (&pair->sender);
  gst_clear_object (&pair->receiver);
}

static void
pair_await (Pair * pair, guint i)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (pair->receiver);
  GstMessage *message;
  gint frames = 0;

  for (guint tries = 0; tries < 1000 * ANSWER_TIMEOUT_S
      && (frames = g_atomic_int_get (&pair->frames)) < N_FRAMES; tries++)
    g_usleep (1000);
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  fail_unless (frames >= N_FRAMES && !message, "%s: %d frames, %" GST_PTR_FORMAT,
      payloaders[i].sends, frames, message);
}

/* A few at a time. */
#define AT_ONCE 6

CLAIMS (test_each_payloader_is_understood_without_caps,
    (G_N_ELEMENTS (payloaders) + AT_ONCE - 1) / AT_ONCE)
{
  guint first = (guint) __i__ * AT_ONCE, i, tried = 0;
  guint n = MIN (AT_ONCE, G_N_ELEMENTS (payloaders) - first);
  Pair pairs[AT_ONCE] = { {NULL} };

  for (i = 0; i < n; i++)
    pair_start (&pairs[i], first + i);
  for (i = 0; i < n; i++) {
    if (!pairs[i].sender)
      continue;
    pair_await (&pairs[i], first + i);
    tried++;
  }
  for (i = 0; i < n; i++)
    pair_stop (&pairs[i]);
  fail_unless (tried > 0);
}

/* --- URIs --- */

/* -1: there is none. */
static gint
latency_of_buffer (GstElement * src)
{
  g_autoptr (GstElement) buffer = gst_bin_get_by_name (GST_BIN (src), "buffer");
  gboolean repairs;
  guint latency;

  if (!buffer)
    return -1;
  g_object_get (buffer, "latency", &latency, "do-retransmission", &repairs, NULL);
  fail_unless (repairs);
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
  g_autoptr (GstElement) src = gst_element_make_from_uri (GST_URI_SRC, uris[__i__].uri, NULL, NULL);
  g_autofree gchar *uri = gst_uri_handler_get_uri (GST_URI_HANDLER (src));

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
}

CLAIM (test_an_arcsrc_of_a_launch_line_has_none_by_itself)
{
  STOPPED GstElement *src = gst_parse_launch ("arcsrc uri=arc://127.0.0.1:0", NULL);

  gst_object_ref_sink (src);
  gst_element_set_state (src, GST_STATE_READY);
  fail_unless_equals_int (latency_of_buffer (src), -1);
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
  g_autoptr (GstPad) to = gst_element_get_static_pad (sink, "sink");

  fail_unless (gst_pad_link (pad, to) == GST_PAD_LINK_OK);
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
  g_autoptr (GstElement) decoder = gst_bin_get_by_name (GST_BIN (pipeline), "decoder"),
      sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
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
  gst_object_unref (pipeline);
}
