/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What rmcsink protects the stock srtpdec opens, and arcsrc opens what the stock srtpenc protects:
 * each cipher, with the same key. */

#include "arcsrcfixture.h"
#include "securefixture.h"

#define N_PACKETS 20
#define RTP_CAPS "application/x-rtp, media=video, payload=96, clock-rate=90000, " \
    "encoding-name=X-TEST, ssrc=(uint)286331153"

static const struct
{
  const gchar *cipher, *auth;
  const gchar *stock_auth, *stock_rtcp_auth;    /* GCM takes none there */
  gint key_bytes;
} kinds[] = {
  {"aes-128-icm", "hmac-sha1-80", "hmac-sha1-80", "hmac-sha1-80", 30},
  {"aes-128-icm", "hmac-sha1-32", "hmac-sha1-32", "hmac-sha1-80", 30},
  {"aes-256-icm", "hmac-sha1-80", "hmac-sha1-80", "hmac-sha1-80", 46},
  {"aes-128-gcm", "hmac-sha1-80", "null", "null", 28},
  {"aes-256-gcm", "hmac-sha1-80", "null", "null", 44},
};

static GstHarness *
enc_new (guint kind)
{
  gchar *line = g_strdup_printf ("identity ! srtpenc rtp-cipher=%s rtcp-cipher=%s rtp-auth=%s "
      "rtcp-auth=%s key=%.*s ! identity", kinds[kind].cipher, kinds[kind].cipher,
      kinds[kind].stock_auth, kinds[kind].stock_rtcp_auth, 2 * kinds[kind].key_bytes,
      SECURE_LONGEST_KEY);
  GstHarness *h = gst_harness_new_parse (line);

  gst_harness_set_src_caps_str (h, RTP_CAPS);
  g_free (line);
  return h;
}

static void
set_key (GstElement * element, guint kind, GstBuffer * key)
{
  gst_util_set_object_arg (G_OBJECT (element), "srtp-cipher", kinds[kind].cipher);
  gst_util_set_object_arg (G_OBJECT (element), "srtp-auth", kinds[kind].auth);
  g_object_set (element, "srtp-key", key, NULL);
}

CLAIMS (test_arcsrc_opens_what_srtpenc_protects,
    is_installed ("srtpenc") ? G_N_ELEMENTS (kinds) : 0)
{
  g_autoptr (GstBuffer) key = key_of_bytes ((guint) kinds[__i__].key_bytes);
  g_autoptr (GSocket) socket = sender_new ("127.0.0.1");
  TORN_DOWN GstHarness *enc = enc_new (__i__);
  AT_END (receiver_close) Receiver r;

  r.src = gst_element_factory_make ("arcsrc", NULL);
  g_object_set (r.src, "address", "127.0.0.1", "port", 0, NULL);
  set_key (r.src, __i__, key);
  r.bus = gst_bus_new ();
  gst_element_set_bus (r.src, r.bus);
  r.media = gst_harness_new_with_element (r.src, NULL, "src");
  gst_harness_use_systemclock (r.media);
  gst_harness_play (r.media);
  for (guint16 i = 0; i < N_PACKETS; i++) {
    fail_unless_equals_int (gst_harness_push (enc, media_new (SSRC, i)), GST_FLOW_OK);
    sender_send (socket, "127.0.0.1", receiver_port (&r), gst_harness_pull (enc));
    check_media_comes (&r, i);
  }
  fail_unless_equals_uint64 (receiver_stat (&r, "rejected"), 0);
}

static GstHarness *
sink_new (guint kind, GstBuffer * key, gint port)
{
  GstElement *sink = gst_element_factory_make ("rmcsink", NULL);
  GstHarness *h;

  g_object_set (sink, "port", port, "async", FALSE, "sync", FALSE, NULL);
  gst_util_set_object_arg (G_OBJECT (sink), "congestion-control", "fixed");
  set_key (sink, kind, key);
  h = gst_harness_new_with_element (sink, "sink", NULL);
  gst_object_unref (sink);
  gst_harness_set_src_caps_str (h, RTP_CAPS);
  gst_harness_play (h);
  return h;
}

/* As its user says it. */
static void
set_srtp_caps (GstHarness * dec, guint kind, GstBuffer * key)
{
  GstCaps *caps = gst_caps_new_simple ("application/x-srtp", "ssrc", G_TYPE_UINT, SSRC,
      "payload", G_TYPE_INT, 96, "srtp-key", GST_TYPE_BUFFER, key,
      "srtp-cipher", G_TYPE_STRING, kinds[kind].cipher,
      "srtp-auth", G_TYPE_STRING, kinds[kind].stock_auth,
      "srtcp-cipher", G_TYPE_STRING, kinds[kind].cipher,
      "srtcp-auth", G_TYPE_STRING, kinds[kind].stock_rtcp_auth, NULL);

  gst_harness_set_src_caps (dec, caps);
}

/* The empty RTCP ahead of the media (securetransport.c): srtpdec drops it. Other RTCP would go to a
 * pad that may not be linked, and end the pipeline. */
static void
push_to_srtpdec (GstHarness * dec, GSocket * socket)
{
  gboolean rtcp = TRUE;
  gint from_port;

  while (rtcp) {
    GstBuffer *buffer = sender_receive (socket, &from_port);
    guint8 start[2];

    gst_buffer_extract (buffer, 0, start, sizeof start);
    rtcp = rtcp_is_rtcp (start, sizeof start);
    fail_unless_equals_int (gst_harness_push (dec, buffer), GST_FLOW_OK);
  }
}

CLAIMS (test_srtpdec_opens_what_rmcsink_protects,
    is_installed ("srtpenc") ? G_N_ELEMENTS (kinds) : 0)
{
  g_autoptr (GstBuffer) key = key_of_bytes ((guint) kinds[__i__].key_bytes);
  g_autoptr (GSocket) socket = sender_new ("127.0.0.1");
  TORN_DOWN GstHarness *sink = sink_new (__i__, key, sender_port (socket));
  TORN_DOWN GstHarness *dec = gst_harness_new_with_padnames ("srtpdec", "rtp_sink", "rtp_src");

  set_srtp_caps (dec, __i__, key);
  for (guint16 i = 0; i < N_PACKETS; i++) {
    g_autoptr (GstBuffer) plain = media_new (SSRC, i), opened = NULL;
    GstMapInfo map;

    fail_unless_equals_int (gst_harness_push (sink, gst_buffer_ref (plain)), GST_FLOW_OK);
    push_to_srtpdec (dec, socket);
    opened = gst_harness_pull (dec);
    gst_buffer_map (plain, &map, GST_MAP_READ);
    gst_check_buffer_data (opened, map.data, map.size);
    gst_buffer_unmap (plain, &map);
  }
}
