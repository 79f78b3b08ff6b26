/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* ECN bits over real sockets: what arcsrc sees of them, which packets of rmcsink have them, and
 * both together. */

#include <arcsrc/gstarcsrc.h>
#include <rmcsink/gstrmcsink.h>
#include <net/ecnbits.h>
#include <gst/net/net.h>
#include <netinet/in.h>
#include <netinet/ip.h>
#include <rc/sender/ecn.h>
#include <sys/socket.h>

#include "rmcsinkfixture.h"
#include "readstat.h"

#define ECN_MASK 3
#define NOT_ECT 0
#define ECT_0 2
#define CE 3
#define DSCP_BITS 0xb8

/* --- arcsrc --- */

/* The type of a message is of what is linked: the plugin has one of the same name. */
BEFORE_ALL
{
  GST_ELEMENT_REGISTER (arcsrc, NULL);
  GST_ELEMENT_REGISTER (rmcsink, NULL);
}

typedef struct
{
  GstElement *pipeline, *src;
  gint port;
} Receiver;

static void
receiver_open (Receiver * r, const gchar * address)
{
  r->pipeline = gst_parse_launch ("arcsrc name=src port=0 ! fakesink sync=false async=false", NULL);
  fail_unless (r->pipeline != NULL);
  r->src = gst_bin_get_by_name (GST_BIN (r->pipeline), "src");
  g_object_set (r->src, "address", address, NULL);
  fail_if (gst_element_set_state (r->pipeline, GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE);
  g_object_get (r->src, "port", &r->port, NULL);
}

static void
receiver_close (Receiver * r)
{
  gst_element_set_state (r->pipeline, GST_STATE_NULL);
  gst_object_unref (r->src);
  gst_object_unref (r->pipeline);
}

static guint64
receiver_stat (Receiver * r, const gchar * name)
{
  return read_stat (r->src, name);
}

static GSocket *
sender_new (Receiver * r, const gchar * address)
{
  g_autoptr (GSocketAddress) to = g_inet_socket_address_new_from_string (address, r->port);
  GSocket *socket = g_socket_new (g_socket_address_get_family (to), G_SOCKET_TYPE_DATAGRAM,
      G_SOCKET_PROTOCOL_UDP, NULL);

  fail_unless (g_socket_connect (socket, to, NULL, NULL));
  return socket;
}

static void
sender_send (GSocket * socket, guint16 seq, gint tos)
{
  gboolean v6 = g_socket_get_family (socket) == G_SOCKET_FAMILY_IPV6;
  g_autoptr (GstBuffer) buffer = rtp_new (SSRC, seq, 0, FALSE, 100);
  GstMapInfo map;

  fail_unless (g_socket_set_option (socket, v6 ? IPPROTO_IPV6 : IPPROTO_IP,
          v6 ? IPV6_TCLASS : IP_TOS, tos, NULL));
  gst_buffer_map (buffer, &map, GST_MAP_READ);
  fail_unless_equals_int (g_socket_send (socket, (gchar *) map.data, map.size, NULL, NULL),
      map.size);
  gst_buffer_unmap (buffer, &map);
}

/* So many that did not want it, ECT(1), ECT(0), CE; each with one more than the one before. */
static void
send_all_kinds (GSocket * socket)
{
  guint16 seq = 0;
  gint ecn, i;

  for (ecn = 0; ecn <= CE; ecn++)
    for (i = 0; i <= ecn; i++)
      sender_send (socket, seq++, DSCP_BITS | ecn);
}

static const struct
{
  const gchar *listen, *send;
} addresses[] = { { "127.0.0.1", "127.0.0.1" }, { "::1", "::1" }, { "::", "127.0.0.1" },
    { "::", "::1" } };

CLAIMS (test_marks_are_counted_over_ipv4_and_ipv6, G_N_ELEMENTS (addresses))
{
  AT_END (receiver_close) Receiver r;
  g_autoptr (GSocket) sender = NULL;

  receiver_open (&r, addresses[__i__].listen);
  sender = sender_new (&r, addresses[__i__].send);
  send_all_kinds (sender);
  wait_until (receiver_stat (&r, "packets-received") == 10);
  fail_unless_equals_uint64 (receiver_stat (&r, "packets-ecn"), 2 + 3 + 4);
  fail_unless_equals_uint64 (receiver_stat (&r, "packets-ce"), 4);
}

CLAIM (test_each_of_several_receivers_counts_its_own_marks)
{
  enum { N = 3, PACKETS = 60 };
  Receiver r[N];
  GSocket *senders[N];
  guint16 seq;

  for (gint i = 0; i < N; i++) {
    receiver_open (&r[i], "127.0.0.1");
    senders[i] = sender_new (&r[i], "127.0.0.1");
  }
  for (seq = 0; seq < PACKETS; seq++)
    for (gint i = 0; i < N; i++)
      sender_send (senders[i], seq, seq % 3 < i ? CE : ECT_0);
  for (gint i = 0; i < N; i++) {
    wait_until (receiver_stat (&r[i], "packets-received") == PACKETS);
    fail_unless_equals_uint64 (receiver_stat (&r[i], "packets-ce"), PACKETS * i / 3);
    fail_unless_equals_uint64 (receiver_stat (&r[i], "packets-ecn"), PACKETS);
    g_object_unref (senders[i]);
    receiver_close (&r[i]);
  }
}

CLAIM (test_report_tells_what_could_be_read)
{
  AT_END (receiver_close) Receiver r;
  g_autoptr (GSocket) sender = NULL;
  RtcpMessage feedback;
  guint8 bytes[2048];

  receiver_open (&r, "127.0.0.1");
  sender = sender_new (&r, "127.0.0.1");
  g_socket_set_timeout (sender, 30);
  send_all_kinds (sender);
  do {
    gssize size = g_socket_receive (sender, (gchar *) bytes, sizeof bytes, NULL, NULL);
    GstBuffer *report = gst_buffer_new_memdup (bytes, (gsize) MAX (size, 0));

    fail_unless_equals_int (rtcp_message_read_buffer (&feedback, report), RTCP_VALID);
    gst_buffer_unref (report);
    /* A notice comes first. */
    fail_unless (feedback.n_reports == 0 || feedback.reports[0].ecn_read);
  } while (feedback.n_reports == 0 || feedback.reports[0].received_pkts < 10);
  fail_unless_equals_int (feedback.reports[0].ecn_pkts, 9);
  fail_unless_equals_int (feedback.reports[0].ce_pkts, 4);
}

static gboolean
attach (GstBuffer * buffer, EcnBitsCache * cache, guint8 byte)
{
  union
  {
    struct cmsghdr header;
    guint8 bytes[ECN_BITS_CONTROL_BYTES];
  } control = {.header = {.cmsg_level = IPPROTO_IP,.cmsg_type = IP_TOS,.cmsg_len = CMSG_LEN (1) } };

  *CMSG_DATA (&control.header) = byte;
  return ecn_bits_attach (buffer, cache, &control.header);
}

static GSocketControlMessage *
attached (GstBuffer * buffer)
{
  return gst_buffer_get_net_control_message_meta (buffer)->message;
}

CLAIM (test_packets_of_one_class_share_an_object_and_others_have_their_own)
{
  static const guint8 classes[] = { CE, CE, DSCP_BITS | CE, NOT_ECT, CE };
  GstBuffer *received[G_N_ELEMENTS (classes)];
  AT_END (ecn_bits_cache_clear) EcnBitsCache cache = { 0 };
  RcEcnBits bits;
  guint8 byte;

  for (guint i = 0; i < G_N_ELEMENTS (classes); i++) {
    received[i] = gst_buffer_new ();
    fail_unless (attach (received[i], &cache, classes[i]));
  }
  fail_unless (attached (received[0]) == attached (received[1]));
  for (guint i = 0; i < G_N_ELEMENTS (classes); i++) {
    fail_unless (ecn_bits_of_buffer (received[i], &bits));
    fail_unless_equals_int (bits, classes[i] & ECN_MASK);
    g_socket_control_message_serialize (attached (received[i]), &byte);
    fail_unless_equals_int (byte, classes[i]);
    gst_buffer_unref (received[i]);
  }
}

/* --- rmcsink --- */

static gboolean
ecn_is (Fixture * f, const gchar * state)
{
  return stat_reads (f->sink, "ecn", state);
}

static void
sink_open (Fixture * f, const gchar * properties)
{
  const int on = 1;

  fixture_init (f, TRUE, properties);
  fail_unless (setsockopt (g_socket_get_fd (f->socket), IPPROTO_IP, IP_RECVTOS, &on, sizeof on)
      == 0);
  fixture_play (f);
}

#define ECN_SENDER(properties) Fixture, f, sink_open (f, properties), fixture_clear (f)

/* The traffic class of the next datagram; -1: none came. */
static gint
receive_class (Fixture * f, gboolean * rtcp)
{
  _Alignas (struct cmsghdr) guint8 control[64];
  guint8 bytes[2048];
  struct iovec vector = { bytes, sizeof bytes };
  struct msghdr message = {.msg_iov = &vector,.msg_iovlen = 1,.msg_control = control,
      .msg_controllen = sizeof control };
  struct sockaddr_in from;
  gssize size;

  message.msg_name = &from;
  message.msg_namelen = sizeof from;
  if (!g_socket_condition_timed_wait (f->socket, G_IO_IN, G_TIME_SPAN_SECOND, NULL, NULL))
    return -1;
  size = recvmsg (g_socket_get_fd (f->socket), &message, 0);
  fail_unless (size > 0);
  g_clear_object (&f->sender);
  f->sender = g_socket_address_new_from_native (&from, message.msg_namelen);
  *rtcp = rtcp_is_rtcp (bytes, (gsize) size);
  for (struct cmsghdr *c = CMSG_FIRSTHDR (&message); c; c = CMSG_NXTHDR (&message, c))
    if (c->cmsg_level == IPPROTO_IP && c->cmsg_type == IP_TOS)
      return *CMSG_DATA (c);
  ck_abort_msg ("no traffic class came");
  return -1;
}

/* Pushes so many packets and returns how many of them came as ECT(0). RTCP must never. */
static guint
pass (Fixture * f, guint n)
{
  guint ect = 0, i;
  gboolean rtcp;

  push_frame (f, f->seq, FALSE, n, 1000);
  for (i = 0; i < n; i += !rtcp) {
    gint traffic_class = receive_class (f, &rtcp);

    fail_unless (traffic_class >= 0, "%u of %u came", i, n);
    fail_unless ((traffic_class & ECN_MASK) == ECT_0 || (traffic_class & ECN_MASK) == NOT_ECT);
    fail_if (rtcp && (traffic_class & ECN_MASK) != NOT_ECT);
    fail_unless_equals_int (traffic_class & ~ECN_MASK, DSCP_BITS);
    ect += !rtcp && (traffic_class & ECN_MASK) == ECT_0;
  }
  return ect;
}

/* That all packets came, so many of them ECN-capable. Times as if each report were about what
 * came just now. */
static void
report_all (Fixture * f, guint number, guint ecn_pkts, guint ce_pkts)
{
  RcReport report = {
    .ssrc = SSRC,.number = number,.highest_seq = f->seq - 1u,
    .arrival_us_remote = (guint64) monotonic_ns () / RC_USEC,.bandwidth_bps = 2000000,
    .received_pkts = f->seq,.received_bytes = f->seq * 1000u,
    .ecn_read = TRUE,
    .ecn_pkts = ecn_pkts,.ce_pkts = ce_pkts
  };

  send_report (f, report);
  wait_until (stat_of (f, "reports-received") == number);
}

#define ECN_SINK \
    "congestion-control=fixed start-bitrate=8000000 max-queue-time=10000000000 qos-dscp=46"

TIMED_CLAIM_ON (test_packets_are_capable_in_a_trial_and_once_it_succeeded, ECN_SENDER (ECN_SINK))
{
  guint trial, all;

  fail_unless_equals_int (pass (f, 30), 0);
  fail_unless (ecn_is (f, "unknown"));
  report_all (f, 1, 0, 0);
  fail_unless (ecn_is (f, "trial"));
  trial = pass (f, 100);
  /* what left together with the tenth has the same fate */
  fail_unless (trial >= RC_ECN_TRIAL_PKTS && trial < 80, "%u", trial);
  report_all (f, 2, trial, 0);
  fail_unless (ecn_is (f, "on"));
  all = pass (f, 100);
  fail_unless_equals_int (all, 100);
  report_all (f, 3, trial + all, 7);
  fail_unless_equals_uint64 (stat_of (f, "packets-ce"), 7);
}

TIMED_CLAIM_ON (test_bleached_marks_turn_it_off, ECN_SENDER (ECN_SINK))
{
  guint trial;

  pass (f, 1);
  report_all (f, 1, 0, 0);
  trial = pass (f, 100);
  fail_unless (trial >= RC_ECN_TRIAL_PKTS, "%u", trial);
  report_all (f, 2, 0, 0);
  fail_unless (ecn_is (f, "failed"));
  fail_unless_equals_int (pass (f, 100), 0);
}

/* Perhaps the network drops such packets, now. */
TIMED_CLAIM_ON (test_silence_ends_it,
    ECN_SENDER (ECN_SINK " controller-params=\"params, stop=0.5\""))
{
  guint trial;

  pass (f, 1);
  report_all (f, 1, 0, 0);
  trial = pass (f, 100);
  report_all (f, 2, trial, 0);
  fail_unless (ecn_is (f, "on"));
  push_frame (f, f->seq, FALSE, 1, 1000);
  wait_until (state_is (f, "stopped"));
  fail_unless (ecn_is (f, "unknown"));
}

CLAIM_ON (test_nothing_is_capable_without_the_property, ECN_SENDER (ECN_SINK " ecn=false"))
{
  pass (f, 1);
  report_all (f, 1, 0, 0);
  fail_unless_equals_int (pass (f, 100), 0);
  fail_unless (ecn_is (f, "off"));
}

/* --- both --- */

static const gchar *const laws[] = { "fixed", "arc" };
static const gchar *const states[] = { "on", "l4s" };
static const gchar *const hosts[] = { "127.0.0.1", "::1" };

TIMED_CLAIMS (test_rmcsink_and_arcsrc_agree_by_themselves,
    G_N_ELEMENTS (hosts) * G_N_ELEMENTS (laws))
{
  AT_END (receiver_close) Receiver r;
  AT_END (fixture_clear) Fixture f;
  guint64 before;

  receiver_open (&r, hosts[__i__ % 2]);
  fixture_init (&f, TRUE, ECN_SINK);
  g_object_set (f.sink, "host", hosts[__i__ % 2], "port", r.port, NULL);
  gst_util_set_object_arg (G_OBJECT (f.sink), "congestion-control", laws[__i__ / 2]);
  fixture_play (&f);
  wait_until ((push_frame (&f, f.seq, FALSE, 5, 1000), g_usleep (10000),
          ecn_is (&f, states[__i__ / 2])));
  before = receiver_stat (&r, "packets-ecn");
  push_frame (&f, f.seq, FALSE, 100, 1000);
  wait_until (receiver_stat (&r, "packets-received") == f.seq);
  fail_unless (receiver_stat (&r, "packets-ecn") >= before + 100, "%" G_GUINT64_FORMAT,
      receiver_stat (&r, "packets-ecn") - before);
}
