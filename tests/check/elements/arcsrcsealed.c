/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* An arcsrc without a key, a sender that has one, and what looks like that. */

#include "arcsrcfixture.h"
#include "arcsrc/sealwatch.h"
#include "securefixture.h"
#include "bustext.h"

#define PACKETS 100

static GstBuffer *
buffer_of (Sealed packet)
{
  return gst_buffer_new_memdup (packet.bytes, packet.size);
}

static Sealed
srtcp_new (void)
{
  SecureContext *key = context_of (SECURE_TEST_KEY, TRUE);
  Sealed packet = closed (key, rtcp_of (SSRC));

  secure_context_unref (key);
  return packet;
}

static void
send_srtcp (Receiver * r, GSocket * socket)
{
  sender_send (socket, "127.0.0.1", receiver_port (r), buffer_of (srtcp_new ()));
}

static void
send_media (Receiver * r, GSocket * socket, guint16 seq)
{
  send_rtp (socket, r, SSRC, seq);
  check_media_comes (r, seq);
}

static void
check_warning (Receiver * r, const gchar * has)
{
  bus_says (r->bus, ANSWER_TIMEOUT_S * GST_SECOND, GST_MESSAGE_WARNING, has);
}

static void
check_no_warning_of_srtp (Receiver * r)
{
  fail_if (bus_count (r->bus, GST_MESSAGE_WARNING, "SRTP") > 0);
}

CLAIM_ON (test_rmcsink_with_a_key_is_told_and_nothing_goes_on, RECEIVER ("127.0.0.1", 0))
{
  g_autoptr (GstElement) sink = gst_element_factory_make ("rmcsink", NULL);
  TORN_DOWN GstHarness *h = harness_to (r, sink, SECURE_TEST_KEY);

  for (guint i = 0; i < PACKETS; i++)
    fail_unless_equals_int (gst_harness_push (h, media_new (SSRC, (guint16) i)), GST_FLOW_OK);
  check_warning (r, "encrypts (SRTP)");
  for (guint i = 0; i < 1000 * ANSWER_TIMEOUT_S
      && receiver_stat (r, "packets-encrypted") <= PACKETS; i++)
    g_usleep (1000);
  fail_unless (receiver_stat (r, "packets-encrypted") > PACKETS);
  fail_unless_equals_uint64 (receiver_stat (r, "packets-received"), 0);
  fail_unless_equals_int (gst_harness_buffers_received (r->media), 0);
  check_no_warning_of_srtp (r);        /* once */
}

static const struct
{
  gboolean tells;               /* the sender sends RTCP that is not sealed */
  guint sealed;
} forged[] = {
  {FALSE, SEAL_REPEATS - 1},    /* one that is forged stops no media */
  {TRUE, 10 * SEAL_REPEATS},    /* whoever sent plain RTCP is never held */
};

CLAIMS (test_forged_packets_do_not_stop_plain_media, G_N_ELEMENTS (forged))
{
  g_autoptr (GSocket) socket = sender_new ("127.0.0.1");
  guint16 seq = 0;
  AT_END (receiver_close) Receiver r;

  receiver_open (&r, "127.0.0.1", 0);
  send_media (&r, socket, seq++);
  if (forged[__i__].tells)
    sender_send (socket, "127.0.0.1", receiver_port (&r), sender_report_new (SSRC, 1));
  for (guint i = 0; i < forged[__i__].sealed; i++)
    send_srtcp (&r, socket);
  while (seq < 10)
    send_media (&r, socket, seq++);
  fail_unless_equals_uint64 (receiver_stat (&r, "packets-encrypted"), 0);
  check_no_warning_of_srtp (&r);
}

/* From another address than the sender's. */
CLAIM_ON (test_strangers_stop_nothing, RECEIVER ("127.0.0.1", 0))
{
  g_autoptr (GSocket) socket = sender_new ("127.0.0.1"), stranger = sender_new ("127.0.0.1");
  guint16 seq = 0;

  for (guint i = 0; i < 10 * SEAL_REPEATS; i++) {
    send_srtcp (r, stranger);
    send_media (r, socket, seq++);
  }
}

/* --- the rule, in made-up time --- */

static SealWatch watch;
static GSocketAddress *sender;

BEFORE_EACH
{
  watch = (SealWatch) { 0 };
  sender = g_inet_socket_address_new_from_string ("192.0.2.1", 5000);
}

AFTER_EACH
{
  seal_watch_clear (&watch);
  g_object_unref (sender);
}

static gboolean
goes_on (SealKind kind, RcTime now)
{
  gboolean held = seal_watch_holds (&watch, sender, kind, now);

  if (!held)
    seal_watch_on_admitted (&watch, sender, kind);
  return !held;
}

CLAIM (test_forged_packet_before_the_start_delays_for_the_hold_only)
{
  fail_if (goes_on (SEAL_SEALED, 0));
  fail_if (goes_on (SEAL_OTHER, SEAL_HOLD - 1));
  fail_unless (goes_on (SEAL_OTHER, SEAL_HOLD));
  fail_unless (goes_on (SEAL_SEALED, SEAL_HOLD + 1), "the second");
  fail_unless (goes_on (SEAL_OTHER, SEAL_HOLD + 2));
}

CLAIM (test_plain_rtcp_ends_the_hold)
{
  fail_if (goes_on (SEAL_SEALED, 0));
  fail_unless (goes_on (SEAL_PLAIN, 1));
  fail_unless (goes_on (SEAL_OTHER, 2));
  for (guint i = 0; i < 2 * SEAL_REPEATS; i++)
    fail_unless (goes_on (SEAL_SEALED, 3 + i));
}

/* A receiver that starts amid the media of a sender that encrypts. */
CLAIM (test_repeats_hold_media_that_went_on)
{
  fail_unless (goes_on (SEAL_OTHER, 0));
  for (guint i = 1; i < SEAL_REPEATS; i++)
    fail_unless (goes_on (SEAL_SEALED, i * SEAL_MEMORY));
  fail_unless (goes_on (SEAL_SEALED, 2 * SEAL_REPEATS * SEAL_MEMORY), "long after the others");
  for (guint i = 1; i < SEAL_REPEATS; i++)
    goes_on (SEAL_SEALED, 2 * SEAL_REPEATS * SEAL_MEMORY + i);
  fail_if (goes_on (SEAL_OTHER, 2 * SEAL_REPEATS * SEAL_MEMORY + SEAL_REPEATS));
}
