/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Packets that fit the path, over links whose MTU is small or changes. */

#define _GNU_SOURCE             /* setns */
#include "vethpair.h"
#include "readstat.h"
#include "bustext.h"
#include "net/udpsocket.h"

#define PATIENCE_S 30

static VethPair net;
static GSocket *receiver;
static GstElement *pipeline, *payloader, *sink;
static GstBus *bus;
static guint port;

BEFORE_EACH
{
  veth_pair_init (&net);
  port = 0;
}

AFTER_EACH
{
  veth_pair_clear (&net);
}

/* Within the test: what still plays when it returns is waited for. */
static void
stop (void)
{
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (bus);
  gst_object_unref (sink);
  gst_object_unref (payloader);
  gst_clear_object (&pipeline);
  g_object_unref (receiver);
}

static void
set_mtu (guint mtu)
{
  veth_in (net.receiver);
  veth_ip ("link set veth1 mtu %u", mtu);
  veth_in (net.sender);
  veth_ip ("link set veth0 mtu %u", mtu);
}

/* Sound whose packets are as large as they may be. */
static void
play (const gchar * host, const gchar * payloader_properties)
{
  g_autofree gchar *line = NULL;

  receiver = veth_receiver_socket (&net, host, &port);
  line = g_strdup_printf ("audiotestsrc is-live=true samplesperbuffer=4800 "
      "! audio/x-raw,rate=48000,channels=2,format=S16BE ! rtpL16pay name=payloader %s "
      "! rmcsink name=sink host=%s port=%u congestion-control=fixed start-bitrate=5000000",
      payloader_properties, host, port);
  pipeline = gst_parse_launch (line, NULL);
  fail_unless (pipeline != NULL);
  payloader = gst_bin_get_by_name (GST_BIN (pipeline), "payloader");
  sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  bus = gst_element_get_bus (pipeline);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
}

static void
await_mtu (guint expected)
{
  guint mtu = 0;

  for (guint tries = 0; tries < 100 * PATIENCE_S && mtu != expected; tries++) {
    g_object_get (payloader, "mtu", &mtu, NULL);
    g_usleep (10 * 1000);
  }
  fail_unless_equals_int (mtu, expected);
}

/* The text of the next message of this type that begins so. */
static void
assert_told (GstMessageType type, const gchar * part)
{
  gboolean found = FALSE;

  while (!found) {
    g_autofree gchar *text = bus_text (bus, PATIENCE_S * GST_SECOND, type);

    fail_unless (text != NULL, "nothing says: %s", part);
    found = strstr (text, part) != NULL;
  }
}

static guint64
oversize (void)
{
  return read_stat (sink, "packets-oversize");
}

/* Once what was made before has come: packets of this size come, and none that is larger. */
static void
assert_arrive (gssize bytes)
{
  gchar data[4096];
  gssize size = 0, got;

  g_socket_set_timeout (receiver, PATIENCE_S);
  for (guint tries = 0; tries < 20 && (size > bytes || size <= bytes - 8); tries++) {
    size = 0;
    for (guint i = 0; i < 50; i++) {
      got = g_socket_receive (receiver, data, sizeof data, NULL, NULL);
      size = MAX (size, got);
    }
  }
  /* Whole frames of sound, in a packet that may be as large. */
  fail_unless (size <= bytes && size > bytes - 8, "%d bytes", (gint) size);
}

CLAIM (test_packets_fit_a_tunnel_and_grow_with_the_link)
{
  set_mtu (1280);
  play (VETH_RECEIVER, "");
  assert_told (GST_MESSAGE_INFO, "RTP packets of 1250 bytes in one piece: mtu is payloader 1250");
  await_mtu (1250);
  assert_arrive (1250);
  fail_unless_equals_uint64 (read_stat (sink, "max-packet-size"), 1250);
  set_mtu (1500);
  await_mtu (1400);
  assert_arrive (1400);
  stop ();
}

CLAIM (test_a_link_that_shrinks_while_playing_is_followed_over_ipv6)
{
  play (VETH_RECEIVER_IPV6 "%veth0", "");
  await_mtu (1400);
  assert_arrive (1400);
  set_mtu (1280);
  await_mtu (1230);
  assert_arrive (1230);
  stop ();
}

CLAIM (test_the_size_that_the_link_carries_is_advised)
{
  set_mtu (1000);
  play (VETH_RECEIVER, "mtu=1200");
  assert_told (GST_MESSAGE_WARNING, "set the payloader's mtu to 970");
  stop ();
}

/* Nothing is sent, as by a path in doubt: the next packet would find that there is no route. */
CLAIM (test_a_link_that_went_down_has_no_size)
{
  UdpSocketConfig config = {.host = VETH_RECEIVER,.port = 5004,.qos_dscp = -1 };
  g_autoptr (GSocket) socket = udp_socket_open (&config, NULL, NULL);
  guint mtu = 0;

  fail_unless_equals_int (udp_socket_mtu (socket), 1500);
  veth_ip ("link set veth0 down");
  for (guint tries = 0; tries < 200 && (mtu = udp_socket_mtu (socket)) == 1500; tries++)
    g_usleep (10 * 1000);
  fail_unless_equals_int (mtu, 0);
}

CLAIM (test_an_mtu_of_the_user_stays_and_is_warned_of)
{
  set_mtu (1280);
  play (VETH_RECEIVER, "mtu=1300");
  assert_told (GST_MESSAGE_WARNING, "travel in fragments");
  await_mtu (1300);
  fail_unless (oversize () >= 100);
  stop ();
}

/* What only ICMP tells: the small link is behind a router. */
CLAIM (test_a_narrow_link_behind_a_router_is_found)
{
  int router = net.receiver, far;

  veth_in (router);
  far = veth_new_namespace ();
  veth_in (router);
  veth_ip ("link add veth2 type veth peer name veth3 netns /proc/%d/fd/%d", getpid (), far);
  veth_ip ("address add 10.81.0.1/24 dev veth2");
  veth_ip ("link set veth2 mtu 1280 up");
  write_file ("/proc/sys/net/ipv4/ip_forward", "1");
  veth_in (far);
  veth_ip ("address add 10.81.0.9/24 dev veth3");
  veth_ip ("link set veth3 mtu 1280 up");
  veth_ip ("route add default via 10.81.0.1");
  veth_in (net.sender);
  veth_ip ("route add 10.81.0.0/24 via " VETH_RECEIVER);
  net.receiver = far;
  play ("10.81.0.9", "");
  await_mtu (1250);
  assert_arrive (1250);
  stop ();
  close (router);
}
