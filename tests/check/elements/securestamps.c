/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Stamps of relays behind SRTP: what leaves, what is believed, and a session through a relay. */
#include "securefixture.h"

#include <arcreceiver/gstarcreceiver.h>
#include <arcsrc/gstarcsrc.h>
#include <gst/check/gstharness.h>
#include <gst/net/net.h>
#include <rcprelay/gstrcprelay.h>
#include <rmcsink/gstrmcsink.h>
#include <rtp/ratestamp.h>
#include <rtp/stamptrailer.h>
#include <srtp/securetransport.h>

POINTER_END (secure_context_unref, SecureContext)

#define SSRC 0x1234
#define OFFERED_BPS 3000000
#define RELAY_PORT 15730
#define RECEIVER_PORT 15731
#define CAPACITY_BPS 1000000
#define PATIENCE_S 30

/* --- packet by packet --- */

/* What a transport sent last. */
static GstBuffer *left;

static TransportResult
keep (Transport * transport, GstBuffer ** packets, guint n, RcEcnBits ecn)
{
  gst_clear_buffer (&left);
  left = gst_buffer_copy_deep (packets[0]);
  return (TransportResult) {.sent = n };
}

static void
free_nothing (Transport * transport)
{
}

static const TransportFuncs keeping_funcs = {.send = keep,.free = free_nothing };

static Transport keeping = { &keeping_funcs, RC_OVERHEAD_IPV4_BYTES, -1 };

/* As a packet comes to the receiver. Takes the datagram's bytes. */
static guint64
offered_behind (SecureContext * receiver, const Sealed * datagram, gsize size, gboolean * taken)
{
  SecureArrival arrival;
  GstBuffer *buffer = gst_buffer_new_memdup (datagram->bytes, size);
  guint64 bps = 0;

  buffer = secure_transport_open (receiver, buffer, &arrival);
  *taken = buffer != NULL;
  if (buffer) {
    fail_unless_equals_int (gst_buffer_get_size (buffer), PACKET_BYTES);
    bps = rate_stamp_attached (buffer);
    gst_buffer_unref (buffer);
  }
  return bps;
}

/* A relay's work, done to a packet that was protected. Returns the new size. */
static gsize
append_offer (Sealed * datagram)
{
  stamp_trailer_write (datagram->bytes + datagram->size, 0);
  rate_stamp_offer (datagram->bytes + datagram->size, OFFERED_BPS);
  return datagram->size + STAMP_TRAILER_BYTES;
}

BEFORE_ALL
{
  GST_ELEMENT_REGISTER (rmcsink, NULL);
  GST_ELEMENT_REGISTER (arcreceiver, NULL);
  GST_ELEMENT_REGISTER (arcsrc, NULL);
  GST_ELEMENT_REGISTER (rcprelay, NULL);
}

CLAIM (test_stamp_counts_on_an_authentic_packet_that_comes_first)
{
  AT_END (secure_context_unref_at) SecureContext *sender = context_of (SECURE_TEST_KEY, TRUE),
      *receiver = context_of (SECURE_TEST_KEY, FALSE);
  Sealed packet = closed (sender, rtp_of (SSRC, 1)), forged = packet;
  gsize size = append_offer (&packet), plain = packet.size;
  gboolean taken;

  forged.bytes[40] ^= 1;
  append_offer (&forged);
  fail_unless_equals_uint64 (offered_behind (receiver, &forged, size, &taken), 0);
  fail_unless (!taken);
  fail_unless_equals_uint64 (offered_behind (receiver, &packet, size, &taken), OFFERED_BPS);
  fail_unless (taken);
  fail_unless_equals_uint64 (offered_behind (receiver, &packet, size, &taken), 0);
  fail_unless (!taken, "a replay");
  packet = closed (sender, rtp_of (SSRC, 2));
  fail_unless_equals_uint64 (offered_behind (receiver, &packet, plain, &taken), 0);
  fail_unless (taken, "without a trailer");
}

static void
send_one (Transport * transport, const Sealed * packet)
{
  g_autoptr (GstBuffer) buffer = gst_buffer_new_memdup (packet->bytes, packet->size);

  fail_unless_equals_int (transport->funcs->send (transport, &buffer, 1,
          RC_ECN_BITS_NOT_ECT).sent, 1);
}

/* Size of the trailer that the packet left with. */
static gsize
trailer_of_left (gboolean * found)
{
  GstMapInfo map;
  guint8 *trailer;

  gst_buffer_map (left, &map, GST_MAP_READWRITE);
  trailer = stamp_trailer_find (map.data, map.size);
  *found = trailer != NULL;
  if (trailer)
    fail_unless_equals_int64 (rate_stamp_rtt (trailer), 70 * RC_MSEC);
  gst_buffer_unmap (left, &map);
  return gst_buffer_get_size (left);
}

CLAIM (test_media_gets_a_trailer_when_told_and_rtcp_never)
{
  AT_END (secure_context_unref_at) SecureContext *context = context_of (SECURE_TEST_KEY, TRUE);
  Transport *transport = secure_transport_new (&keeping, context, TRUE);
  Sealed media = rtp_of (SSRC, 1), rtcp = rtcp_of (SSRC);
  gsize size;
  gboolean found;

  send_one (transport, &media);
  size = trailer_of_left (&found);
  fail_unless (!found);
  transport->funcs->set_stamped (transport, TRUE, 70 * RC_MSEC);
  media = rtp_of (SSRC, 2);
  send_one (transport, &media);
  fail_unless_equals_int (trailer_of_left (&found), size + STAMP_TRAILER_BYTES);
  fail_unless (found);
  fail_unless_equals_int (size + STAMP_TRAILER_BYTES + RC_OVERHEAD_IPV4_BYTES,
      PACKET_BYTES + transport->overhead_bytes);
  send_one (transport, &rtcp);
  trailer_of_left (&found);
  fail_unless (!found);
  transport->funcs->free (transport);
  gst_clear_buffer (&left);
}

/* --- through a relay --- */

static GstElement *
play (const gchar * format, ...)
{
  va_list args;
  g_autofree gchar *line = NULL;
  GstElement *pipeline;

  va_start (args, format);
  line = g_strdup_vprintf (format, args);
  va_end (args);
  pipeline = gst_parse_launch (line, NULL);
  fail_unless (pipeline != NULL, "%s", line);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  return pipeline;
}

static gdouble
stat_of (GstElement * pipeline, const gchar * name)
{
  GstElement *element = GST_IS_PIPELINE (pipeline) ? gst_bin_get_by_name (GST_BIN (pipeline), "e")
      : gst_object_ref (pipeline);
  g_autoptr (GstStructure) stats = NULL;
  guint64 count = 0;
  gdouble value = 0;

  g_object_get (element, "stats", &stats, NULL);
  if (gst_structure_get_uint64 (stats, name, &count))
    value = (gdouble) count;
  else
    gst_structure_get_double (stats, name, &value);
  gst_object_unref (element);
  return value;
}

static GstElement *
play_sender (void)
{
  return play ("audiotestsrc is-live=true samplesperbuffer=400 ! audio/x-raw,rate=44100,channels=2,"
      "format=S16BE ! rtpL16pay pt=96 ! rmcsink name=e host=127.0.0.1 port=%d "
      "congestion-control=piqi-rcp srtp-key=" SECURE_TEST_KEY, RELAY_PORT);
}

static GstElement *
play_relay (void)
{
  return play ("rcprelay name=e address=127.0.0.1 port=%d host=127.0.0.1 host-port=%d capacity=%d",
      RELAY_PORT, RECEIVER_PORT, CAPACITY_BPS);
}

CLAIM (test_sender_with_a_key_obeys_a_relay_without)
{
  GstElement *receiver = play ("arcsrc name=e address=127.0.0.1 port=%d srtp-key=" SECURE_TEST_KEY
      " ! fakesink sync=false async=false", RECEIVER_PORT);
  STOPPED GstElement *relay = play_relay (), *sender = play_sender ();
  gdouble offered = 0;

  for (guint i = 0; i < 100 * PATIENCE_S && offered <= 0; i++) {
    g_usleep (10 * 1000);
    offered = stat_of (sender, "law-explicit-rate");
  }
  fail_unless (offered > 0 && offered <= 0.95 * CAPACITY_BPS, "%g", offered);
  fail_unless (stat_of (relay, "packets-stamped") > 0);
  fail_unless (stat_of (receiver, "packets-received") > 0);
  fail_unless (stat_of (receiver, "rejected") <= 0, "%g", stat_of (receiver, "rejected"));
  fail_unless (stat_of (sender, "rejected") <= 0);
  claim_stop (receiver);
}

static GstCaps *
give_key (GstElement * decoder, guint ssrc, gpointer user_data)
{
  return gst_caps_from_string ("application/x-srtp,srtp-key=(buffer)" SECURE_TEST_KEY
      ",srtp-cipher=aes-128-icm,srtp-auth=hmac-sha1-80,srtcp-cipher=aes-128-icm,"
      "srtcp-auth=hmac-sha1-80");
}

/* It knows no trailers, and says nothing that would ask for them. */
CLAIM (test_stock_receiver_gets_packets_without_trailers)
{
  STOPPED GstElement *receiver = NULL, *relay = NULL, *sender = NULL;
  g_autoptr (GstElement) decoder = NULL, end = NULL;
  GstStructure *stats;
  guint64 rendered = 0;

  if (!gst_registry_check_feature_version (gst_registry_get (), "srtpdec", 1, 0, 0)) {
    g_printerr ("skipped: no srtpdec\n");
    return;
  }
  receiver = play ("udpsrc address=127.0.0.1 port=%d caps=\"application/x-srtp,media=audio,"
      "payload=96,clock-rate=44100,encoding-name=L16,channels=2\" ! srtpdec name=d "
      "! fakesink name=e sync=false async=false", RECEIVER_PORT);
  decoder = gst_bin_get_by_name (GST_BIN (receiver), "d");
  end = gst_bin_get_by_name (GST_BIN (receiver), "e");
  g_signal_connect (decoder, "request-key", G_CALLBACK (give_key), NULL);
  relay = play_relay ();
  sender = play_sender ();
  for (guint i = 0; i < 100 * PATIENCE_S && rendered < 50; i++) {
    g_usleep (10 * 1000);
    g_object_get (end, "stats", &stats, NULL);
    gst_structure_get_uint64 (stats, "rendered", &rendered);
    gst_structure_free (stats);
  }
  fail_unless (rendered >= 50);
  fail_unless (stat_of (relay, "packets-stamped") <= 0);
}
