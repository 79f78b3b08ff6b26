/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A sender that is not ours: a stock rtpbin, RTP and RTCP on one port (RFC 5761), which is told by
 * arcsrc what arrives. */
#include <gio/gio.h>

#include "launch.h"
#include "readstat.h"

#define PATIENCE_S 60
#define TWCC "http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01"
#define MEDIA "application/x-rtp,media=audio,encoding-name=L16,clock-rate=48000,payload=96"

#define SENDER \
    "rtpbin name=bin rtp-profile=avpf audiotestsrc is-live=true " \
    "! audio/x-raw,format=S16BE,rate=48000,channels=1 ! rtpL16pay mtu=500 pt=96 ssrc=1234 " \
    "! application/x-rtp,extmap-1=(string)" TWCC " ! bin.send_rtp_sink_0 " \
    "bin.send_rtp_src_0 ! udpsink name=rtp host=127.0.0.1 port=%d close-socket=false " \
    "bin.send_rtcp_src_0 ! udpsink name=rtcp host=127.0.0.1 port=%d close-socket=false " \
    "sync=false async=false " \
    "udpsrc name=back close-socket=false caps=application/x-rtcp ! bin.recv_rtcp_sink_0"
#define RECEIVER "arcsrc name=src address=127.0.0.1 port=0 feedback=%s caps=\"%s\" ! fakesink"

typedef struct
{
  GstElement *sender, *receiver;
  GSocket *socket;
  GObject *session;             /* the sender's RTPSession ... */
  GObject *element;             /* ... and the rtpsession that holds it */
  gint fmt;                     /* atomic: of the last feedback message of RFC 4585 */
} Pair;

static void
on_feedback (GObject * session, guint type, guint fmt, guint sender_ssrc, guint media_ssrc,
    GstBuffer * fci, gpointer user_data)
{
  Pair *pair = user_data;

  if (type == 205)
    g_atomic_int_set (&pair->fmt, (gint) fmt);
}

static void
share_socket (Pair * pair)
{
  static const gchar *const names[] = { "rtp", "rtcp", "back" };
  GSocketAddress *any = g_inet_socket_address_new_from_string ("127.0.0.1", 0);

  pair->socket = g_socket_new (G_SOCKET_FAMILY_IPV4, G_SOCKET_TYPE_DATAGRAM,
      G_SOCKET_PROTOCOL_UDP, NULL);
  fail_unless (g_socket_bind (pair->socket, any, FALSE, NULL));
  g_object_unref (any);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autoptr (GstElement) element = gst_bin_get_by_name (GST_BIN (pair->sender), names[i]);

    g_object_set (element, "socket", pair->socket, NULL);
  }
}

static void
open_pair (Pair * pair, const gchar * feedback, const gchar * caps)
{
  gchar *text = g_strdup_printf (RECEIVER, feedback, caps);
  GstElement *bin, *src;
  gint port;

  *pair = (Pair) { 0 };
  pair->receiver = launch (text);
  gst_element_set_state (pair->receiver, GST_STATE_PLAYING);
  src = gst_bin_get_by_name (GST_BIN (pair->receiver), "src");
  g_object_get (src, "port", &port, NULL);
  gst_object_unref (src);
  g_free (text);

  text = g_strdup_printf (SENDER, port, port);
  pair->sender = launch (text);
  g_free (text);
  share_socket (pair);
  bin = gst_bin_get_by_name (GST_BIN (pair->sender), "bin");
  g_signal_emit_by_name (bin, "get-internal-session", 0, &pair->session);
  g_signal_emit_by_name (bin, "get-session", 0, &pair->element);
  gst_object_unref (bin);
  fail_unless (pair->session != NULL && pair->element != NULL);
  g_object_set (pair->session, "rtcp-min-interval", 100 * GST_MSECOND, NULL);
  g_signal_connect (pair->session, "on-feedback-rtcp", G_CALLBACK (on_feedback), pair);
  gst_element_set_state (pair->sender, GST_STATE_PLAYING);
}

static void
close_pair (Pair * pair)
{
  gst_element_set_state (pair->sender, GST_STATE_NULL);
  gst_element_set_state (pair->receiver, GST_STATE_NULL);
  g_object_unref (pair->session);
  g_object_unref (pair->element);
  g_object_unref (pair->socket);
  gst_object_unref (pair->sender);
  gst_object_unref (pair->receiver);
}

/* What arcsrc counted as the sender's. */
static guint64
receiver_stat (Pair * pair, const gchar * name)
{
  return read_stat_in (pair->receiver, "src", name);
}

static gboolean
within_patience (gboolean (*holds) (Pair *), Pair * pair)
{
  gint64 end = g_get_monotonic_time () + PATIENCE_S * G_TIME_SPAN_SECOND;

  while (!holds (pair)) {
    if (g_get_monotonic_time () > end)
      return FALSE;
    g_usleep (20000);
  }
  return TRUE;
}

/* The sender's own source has a report block about itself, with a time of its sender report. */
static gboolean
knows_its_round_trip (Pair * pair)
{
  g_autoptr (GstStructure) stats = NULL;
  GValueArray *sources;
  const GValue *value;
  gboolean found = FALSE;

  g_object_get (pair->session, "stats", &stats, NULL);
  value = gst_structure_get_value (stats, "source-stats");
  sources = g_value_get_boxed (value);
  for (guint i = 0; i < sources->n_values; i++) {
    const GstStructure *source = g_value_get_boxed (&sources->values[i]);
    guint lsr = 0, loss = 1;
    gboolean has_block = FALSE;

    gst_structure_get_boolean (source, "have-rb", &has_block);
    gst_structure_get_uint (source, "rb-lsr", &lsr);
    gst_structure_get_uint (source, "rb-fractionlost", &loss);
    found = found || (has_block && lsr != 0 && loss == 0);
  }
  return found;
}

static gboolean
counts_received_packets (Pair * pair)
{
  g_autoptr (GstStructure) stats = NULL;
  guint received = 0;
  gdouble loss = 100;

  g_object_get (pair->element, "twcc-stats", &stats, NULL);
  if (!stats)
    return FALSE;
  gst_structure_get_uint (stats, "packets-recv", &received);
  gst_structure_get_double (stats, "packet-loss-pct", &loss);
  return received > 0 && loss == 0;
}

static gboolean
got_ccfb (Pair * pair)
{
  return g_atomic_int_get (&pair->fmt) == 11;
}

CLAIM_TIMEOUT_S (2 * PATIENCE_S)

CLAIM (test_rtpbin_learns_loss_and_round_trip_from_receiver_reports)
{
  AT_END (close_pair) Pair pair;

  open_pair (&pair, "auto", MEDIA ",rtcp-fb-nack=(boolean)true");
  fail_unless (within_patience (knows_its_round_trip, &pair));
  fail_unless (receiver_stat (&pair, "sender-reports") > 0);
  fail_unless_equals_uint64 (receiver_stat (&pair, "rtcp-malformed"), 0);
}

CLAIM (test_rtpbin_reads_transport_wide_feedback)
{
  AT_END (close_pair) Pair pair;

  open_pair (&pair, "auto", MEDIA ",extmap-1=(string)" TWCC);
  fail_unless (within_patience (counts_received_packets, &pair));
  fail_unless_equals_int (g_atomic_int_get (&pair.fmt), 15);
}

CLAIM (test_rtpbin_hands_feedback_of_rfc_8888_to_the_application)
{
  AT_END (close_pair) Pair pair;

  open_pair (&pair, "auto", MEDIA ",rtcp-fb-ack-ccfb=(boolean)true");
  fail_unless (within_patience (got_ccfb, &pair));
}
