/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Two different packets under one key, SSRC and number give away what both contain, so none may
 * leave: not after a restart, not by another sink, not under a key that comes back. */
#include "securefixture.h"
#include "readstat.h"

#include <arcreceiver/gstarcreceiver.h>
#include <arcsrc/gstarcsrc.h>
#include <gst/check/gstharness.h>
#include <rmcsink/gstrmcsink.h>
#include <srtp/securetransport.h>

POINTER_END (secure_context_unref, SecureContext)

#define SSRC 0x1234
#define PORT "15733"

static SecureContext *sender;

BEFORE_EACH
{
  sender = context_of (SECURE_TEST_KEY, TRUE);
}

AFTER_EACH
{
  secure_context_unref (sender);
}

static gboolean
leaves (SecureContext * context, Sealed packet)
{
  SecureDeparture departure;
  gsize size = secure_context_protect (context, packet.bytes, packet.size, &departure, 0);

  if (size > 0)
    secure_context_note_sent (context, &departure, 1);
  return size > 0;
}

static gboolean
fits (const gchar * key, const gchar * mki)
{
  SecureSettings settings = settings_of (key, mki);
  gboolean fits = secure_context_fits (sender, &settings);

  settings_clear (&settings);
  return fits;
}

BEFORE_ALL
{
  GST_ELEMENT_REGISTER (rmcsink, NULL);
  GST_ELEMENT_REGISTER (arcreceiver, NULL);
  GST_ELEMENT_REGISTER (arcsrc, NULL);
}

CLAIM (test_context_that_rested_goes_on_where_it_was)
{
  Sealed other = rtp_of (SSRC, 5);

  fail_unless (leaves (sender, rtp_of (SSRC, 5)));
  secure_context_rest (sender);
  fail_unless (fits (SECURE_TEST_KEY, NULL));
  fail_if (fits (SECURE_OTHER_KEY, NULL));
  fail_if (fits (SECURE_TEST_KEY, "01"));
  other.bytes[100] ^= 1;
  fail_if (leaves (sender, other));
  fail_unless (leaves (sender, rtp_of (SSRC, 6)));
}

CLAIM (test_one_ssrc_is_sent_by_one_key_once)
{
  SecureContext *second_sender = context_of (SECURE_TEST_KEY, TRUE),
      *third_sender = context_of (SECURE_OTHER_KEY, TRUE);

  fail_unless (leaves (sender, rtp_of (SSRC, 1)));
  fail_if (leaves (second_sender, rtp_of (SSRC, 2)));
  fail_unless (leaves (second_sender, rtp_of (SSRC + 1, 2)), "another SSRC");
  fail_unless (leaves (third_sender, rtp_of (SSRC, 1)), "another key");
  fail_if (leaves (sender, rtp_of (SSRC + 1, 3)), "it is the second one's");
  secure_context_rest (sender);
  fail_unless (leaves (second_sender, rtp_of (SSRC, 2)));
  fail_if (leaves (sender, rtp_of (SSRC, 3)), "it was taken over");
  secure_context_unref (second_sender);
  fail_unless (leaves (sender, rtp_of (SSRC, 3)));
  secure_context_unref (third_sender);
}

/* Its numbers begin at 0 in each context. */
CLAIM (test_one_ssrc_sends_rtcp_by_one_key_once)
{
  SecureContext *second_sender = context_of (SECURE_TEST_KEY, TRUE);

  fail_unless (leaves (sender, rtcp_of (SSRC)));
  fail_if (leaves (second_sender, rtcp_of (SSRC)));
  fail_if (leaves (second_sender, rtp_of (SSRC, 1)));
  fail_unless_equals_uint64 (secure_stat (second_sender, "srtp-unsent"), 2);
  fail_unless (leaves (second_sender, rtp_of (SSRC + 1, 1)));
  fail_if (leaves (sender, rtcp_of (SSRC + 1)));
  fail_unless (leaves (sender, rtcp_of (SSRC)));
  secure_context_unref (second_sender);
}

static guint32
srtcp_index (Sealed packet)
{
  guint32 index;

  memcpy (&index, packet.bytes + packet.size - 14, sizeof index);
  return GUINT32_FROM_BE (index) & 0x7fffffff;
}

/* As an application that puts another rmcsink in the place of one, behind the same payloader. The
 * receiver, which knows what came, takes all that it sends. */
CLAIM (test_successor_goes_on_after_what_was_sent)
{
  AT_END (secure_context_unref_at) SecureContext *successor = NULL,
      *receiver = context_of (SECURE_TEST_KEY, FALSE);
  const guint64 last = 70000;
  Sealed packet;

  for (guint64 i = 60000; i <= last; i += 100)
    fail_unless (opens (receiver, closed (sender, rtp_of (SSRC, i))));
  for (guint i = 1; i <= 300; i++) {
    packet = closed (sender, rtcp_of (SSRC));
    fail_unless_equals_int (srtcp_index (packet), i);
  }
  fail_unless (opens (receiver, packet));
  secure_context_unref (sender);
  successor = context_of (SECURE_TEST_KEY, TRUE);
  sender = context_of (SECURE_TEST_KEY, TRUE);
  for (guint i = 0; i < 3; i++)
    fail_if (leaves (successor, rtp_of (SSRC, last - i)));
  fail_unless (opens (receiver, closed (successor, rtp_of (SSRC, last + 1))));
  packet = closed (successor, rtcp_of (SSRC));
  fail_unless_equals_int (srtcp_index (packet), 301);
  fail_unless (opens (receiver, packet));
  /* And back to one that knows of some. */
  secure_context_rest (successor);
  packet = closed (sender, rtcp_of (SSRC));
  fail_unless_equals_int (srtcp_index (packet), 302);
  fail_unless (opens (receiver, closed (sender, rtp_of (SSRC, last + 2))));
  secure_context_rest (sender);
  packet = closed (successor, rtcp_of (SSRC));
  fail_unless_equals_int (srtcp_index (packet), 303);
  fail_if (leaves (successor, rtp_of (SSRC, last + 2)));
  fail_unless (opens (receiver, closed (successor, rtp_of (SSRC, last + 3))));
}

/* It would take seconds to catch up. */
CLAIM (test_successor_of_one_that_sent_much_sends_nothing)
{
  AT_END (secure_context_unref_at) SecureContext *successor = NULL;

  fail_unless (leaves (sender, rtcp_of (SSRC)));
  secure_context_skip_rtcp (sender, SSRC, 1u << 20);
  secure_context_rest (sender);
  successor = context_of (SECURE_TEST_KEY, TRUE);
  fail_if (leaves (successor, rtcp_of (SSRC)));
  fail_if (leaves (successor, rtp_of (SSRC, 1)));
  fail_unless_equals_uint64 (secure_stat (successor, "srtp-unsent"), 2);
  fail_unless (leaves (sender, rtcp_of (SSRC)));
}

/* A key that was replaced is not free to begin anew. */
CLAIM (test_replaced_key_is_not_forgotten)
{
  AT_END (secure_context_unref_at) SecureContext *second_sender = NULL;

  fail_unless (leaves (sender, rtp_of (SSRC, 100)) && leaves (sender, rtcp_of (SSRC)));
  rekey (sender, SECURE_OTHER_KEY, NULL);
  rekey (sender, SECURE_THIRD_KEY, NULL);
  second_sender = context_of (SECURE_TEST_KEY, TRUE);
  fail_if (leaves (second_sender, rtp_of (SSRC, 100)));
  fail_if (leaves (second_sender, rtp_of (SSRC, 99)));
  fail_unless_equals_int (srtcp_index (closed (second_sender, rtcp_of (SSRC))), 2);
}

/* RTCP would be numbered from 0 again. */
CLAIM (test_key_does_not_come_back)
{
  static const gchar *const mkis[] = { NULL, "0102" };

  rekey (sender, SECURE_OTHER_KEY, NULL);
  rekey (sender, SECURE_OTHER_KEY, NULL);       /* nothing changes */
  for (guint i = 0; i < G_N_ELEMENTS (mkis); i++) {
    AT_END (settings_clear) SecureSettings settings = settings_of (SECURE_TEST_KEY, mkis[i]);
    g_autoptr (GError) error = NULL;

    fail_if (secure_context_rekey (sender, &settings, &error));
    fail_unless (strstr (error->message, "used in this session before") != NULL);
  }
  fail_unless (fits (SECURE_OTHER_KEY, NULL));
  rekey (sender, SECURE_THIRD_KEY, NULL);
}

/* RTP with a header extension (one word, that says `number`) and a payload of `payload`. */
static gboolean
leaves_with (SecureContext * context, guint8 number, guint8 payload)
{
  guint8 packet[120 + SECURE_MAX_TRAILER_BYTES] = { 0x90, 96, 0, 7,[11] = 1,[12] = 0xbe, 0xde, 0, 1,
      0x51, number };
  SecureDeparture departure;
  gsize size;

  memset (packet + 20, payload, 100);
  size = secure_context_protect (context, packet, 120, &departure, 0);
  if (size > 0)
    secure_context_note_sent (context, &departure, 1);
  return size > 0;
}

/* A lost packet comes again with another number of TWCC. */
CLAIM (test_header_may_change_in_counter_mode_and_not_in_gcm)
{
  SecureSettings settings = {.cipher = SECURE_CIPHER_AES_128_GCM,.key = key_of_bytes (28) };
  SecureContext *gcm = secure_context_new (&settings, TRUE, NULL);

  fail_unless (leaves_with (sender, 1, 0xaa));
  fail_unless (leaves_with (sender, 2, 0xaa));
  fail_if (leaves_with (sender, 1, 0xab));
  if (gcm) {                    /* libsrtp may be without */
    fail_unless (leaves_with (gcm, 1, 0xaa));
    fail_unless (leaves_with (gcm, 1, 0xaa));
    fail_if (leaves_with (gcm, 2, 0xaa));
    secure_context_unref (gcm);
  }
  settings_clear (&settings);
}

static TransportResult
take_all (Transport * transport, GstBuffer ** packets, guint n, RcEcnBits ecn)
{
  return (TransportResult) {.sent = n };
}

static void
free_nothing (Transport * transport)
{
}

/* Where the context knows of neither yet. */
CLAIM (test_two_packets_of_one_number_do_not_leave_in_one_batch)
{
  static const TransportFuncs funcs = {.send = take_all,.free = free_nothing };
  Transport inner = { &funcs, RC_OVERHEAD_IPV4_BYTES, -1 };
  Transport *transport = secure_transport_new (&inner, sender, FALSE);
  Sealed packets[] = { rtp_of (SSRC, 1), rtp_of (SSRC, 1), rtp_of (SSRC, 1), rtp_of (SSRC, 2) };
  GstBuffer *batch[G_N_ELEMENTS (packets)];
  TransportResult result;

  packets[2].bytes[100] ^= 1;
  for (guint i = 0; i < G_N_ELEMENTS (packets); i++)
    batch[i] = gst_buffer_new_memdup (packets[i].bytes, packets[i].size);
  result = transport->funcs->send (transport, batch, 4, RC_ECN_BITS_NOT_ECT);
  fail_unless_equals_int (result.sent, 2);
  fail_unless_equals_int (result.errors, 0);
  result = transport->funcs->send (transport, batch + 2, 2, RC_ECN_BITS_NOT_ECT);
  fail_unless_equals_int (result.sent, 1);
  fail_unless_equals_int (result.errors, 1);
  result = transport->funcs->send (transport, batch + 3, 1, RC_ECN_BITS_NOT_ECT);
  fail_unless_equals_int (result.sent - result.errors, 1);
  for (guint i = 0; i < G_N_ELEMENTS (packets); i++)
    gst_buffer_unref (batch[i]);
  transport->funcs->free (transport);
}

static void
wait_for_packets (GstElement * receiver, guint64 n)
{
  for (guint i = 0; i < 3000 && read_stat (receiver, "packets-received") < n; i++)
    g_usleep (10 * 1000);
  fail_unless (read_stat (receiver, "packets-received") >= n);
  fail_unless_equals_uint64 (read_stat (receiver, "rejected"), 0);
}

static GstPadProbeReturn
block (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  g_atomic_int_set ((gint *) user_data, TRUE);
  return GST_PAD_PROBE_OK;
}

/* The payloader goes on, and its numbers have overflowed: a receiver that knows that takes no
 * packet of a sender that does not. */
CLAIM (test_sink_that_is_started_again_goes_on_under_its_key)
{
  GstElement *receiver = gst_parse_launch ("arcsrc address=127.0.0.1 name=r port=" PORT " srtp-key="
      SECURE_TEST_KEY " ! fakesink sync=false async=false", NULL), *source, *sink;
  STOPPED GstElement *pipeline = gst_parse_launch ("audiotestsrc is-live=true samplesperbuffer=80 "
      "! audio/x-raw,rate=8000,channels=1 ! rtpL16pay name=p seqnum-offset=65500 "
      "! rmcsink name=s async=false port=" PORT " srtp-key=" SECURE_TEST_KEY, NULL);
  g_autoptr (GstElement) payloader = gst_bin_get_by_name (GST_BIN (pipeline), "p");
  g_autoptr (GstPad) pad = gst_element_get_static_pad (payloader, "src");
  gint blocked = FALSE;
  gulong probe;

  source = gst_bin_get_by_name (GST_BIN (receiver), "r");
  sink = gst_bin_get_by_name (GST_BIN (pipeline), "s");
  gst_element_set_state (receiver, GST_STATE_PLAYING);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  wait_for_packets (source, 100);
  probe = gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BLOCK_DOWNSTREAM, block, &blocked, NULL);
  while (!g_atomic_int_get (&blocked))
    g_usleep (1000);
  gst_element_set_state (sink, GST_STATE_NULL);
  gst_element_sync_state_with_parent (sink);
  gst_pad_remove_probe (pad, probe);
  wait_for_packets (source, 200);
  gst_element_set_state (receiver, GST_STATE_NULL);
  gst_object_unref (sink);
  gst_object_unref (source);
  gst_object_unref (receiver);
}

/* As two receivers of one camera are served. */
CLAIM (test_second_sink_behind_a_tee_says_that_it_needs_another_key)
{
  static const gchar line[] = "audiotestsrc is-live=true ! audio/x-raw,rate=8000,channels=1 "
      "! rtpL16pay ! tee name=t ! queue ! rmcsink name=first port=" PORT " srtp-key="
      SECURE_TEST_KEY " t. ! queue ! rmcsink port=" PORT " name=second srtp-key=" SECURE_TEST_KEY
      " controller-params=\"params,stop=(double)0.5\"";
  GstElement *pipeline = gst_parse_launch (line, NULL), *sinks[2];
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  gboolean told = FALSE;

  sinks[0] = gst_bin_get_by_name (GST_BIN (pipeline), "first");
  sinks[1] = gst_bin_get_by_name (GST_BIN (pipeline), "second");
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  while (!told) {
    GstMessage *message = gst_bus_timed_pop_filtered (bus, 30 * GST_SECOND, GST_MESSAGE_WARNING);
    g_autoptr (GError) error = NULL;

    fail_unless (message != NULL, "no such warning");
    gst_message_parse_warning (message, &error, NULL);
    told = strstr (error->message, "a key of its own") != NULL;
    gst_message_unref (message);
  }
  fail_unless ((read_stat (sinks[0], "srtp-unsent") > 0)
      != (read_stat (sinks[1], "srtp-unsent") > 0));
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (sinks[0]);
  gst_object_unref (sinks[1]);
  gst_object_unref (pipeline);
}
