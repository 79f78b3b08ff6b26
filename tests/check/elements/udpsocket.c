/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A socket whose machine gets another address. */

#define _GNU_SOURCE             /* setns */
#include "vethpair.h"

#include <net/udpsocket.h>
#include <net/udptransport.h>
#include <netinet/in.h>
#include <netinet/ip.h>
#include <sys/socket.h>

static VethPair net;
static GSocket *receiver;
static guint port;

BEFORE_EACH
{
  veth_pair_init (&net);
  port = 0;
  receiver = veth_receiver_socket (&net, VETH_RECEIVER, &port);
}

AFTER_EACH
{
  g_object_unref (receiver);
  veth_pair_clear (&net);
}

static GSocket *
open_to (const gchar * host, const gchar * bind_address, guint bind_port)
{
  UdpSocketConfig config = { host, port, bind_address, bind_port, -1 };
  GError *error = NULL;
  GSocket *socket = udp_socket_open (&config, NULL, &error);

  fail_unless (socket != NULL, "%s", error ? error->message : "");
  return socket;
}

static gboolean
send_one (GSocket * socket)
{
  return g_socket_send (socket, "x", 1, NULL, NULL) == 1;
}

/* Returns the port that it came from. */
static guint
assert_arrives_from (GSocket * socket, const gchar * address)
{
  guint from_port;
  g_autofree gchar *from = NULL;

  fail_unless (send_one (socket));
  from = veth_next_sender (receiver, &from_port);
  fail_unless_equals_string (from, address);
  return from_port;
}

static void
assert_answers_arrive (GSocket * socket)
{
  g_autoptr (GSocketAddress) to = g_socket_get_local_address (socket, NULL);
  guint8 data[8];

  fail_unless (g_socket_send_to (receiver, to, "answer", 6, NULL, NULL) == 6);
  /* An ARP request of a young veth may be lost, and is repeated each second. */
  fail_unless (g_socket_condition_timed_wait (socket, G_IO_IN, 5 * G_TIME_SPAN_SECOND, NULL, NULL));
  fail_unless_equals_int (udp_socket_receive (socket, data, sizeof data), 6);
}

static void
assert_follows (guint bind_port)
{
  g_autoptr (GSocket) socket = open_to (VETH_RECEIVER, NULL, bind_port);
  guint from_port = assert_arrives_from (socket, VETH_SENDER);
  int fd = g_socket_get_fd (socket);

  fail_unless_equals_int (udp_socket_follow_route (socket), TRANSPORT_ROUTE_SAME);
  veth_ip ("address del " VETH_SENDER "/24 dev veth0");
  fail_if (send_one (socket));
  fail_unless_equals_int (udp_socket_follow_route (socket), TRANSPORT_ROUTE_NONE);
  veth_ip ("address add " VETH_SENDER_2 "/24 dev veth0");
  fail_if (send_one (socket), "the kernel follows by itself: what is this for?");
  fail_unless_equals_int (udp_socket_follow_route (socket), TRANSPORT_ROUTE_MOVED);
  fail_unless_equals_int (g_socket_get_fd (socket), fd);
  fail_unless_equals_int (assert_arrives_from (socket, VETH_SENDER_2), from_port);
  assert_answers_arrive (socket);
  fail_unless_equals_int (udp_socket_follow_route (socket), TRANSPORT_ROUTE_SAME);
  if (bind_port > 0)
    fail_unless_equals_int (from_port, bind_port);
  veth_ip ("address del " VETH_SENDER_2 "/24 dev veth0");
  veth_ip ("address add " VETH_SENDER "/24 dev veth0");
}

CLAIM (test_socket_follows_a_changed_address_with_its_port)
{
  assert_follows (0);
  assert_follows (7123);
}

/* The old address is still there, but the way to the peer leads from another: a VPN came up. */
CLAIM (test_socket_follows_a_route_that_moved)
{
  g_autoptr (GSocket) socket = open_to (VETH_RECEIVER, NULL, 0);

  assert_arrives_from (socket, VETH_SENDER);
  veth_ip ("address add 10.80.0.1/24 dev veth0");
  veth_ip ("route add " VETH_RECEIVER "/32 dev veth0 src 10.80.0.1");
  assert_arrives_from (socket, VETH_SENDER);
  fail_unless_equals_int (udp_socket_follow_route (socket), TRANSPORT_ROUTE_MOVED);
  assert_arrives_from (socket, "10.80.0.1");
}

CLAIM (test_after_a_change_only_the_peer_is_heard)
{
  g_autoptr (GSocket) socket = open_to (VETH_RECEIVER, NULL, 0), stranger = NULL;
  guint stranger_port = 0;
  g_autoptr (GSocketAddress) to = NULL;
  guint8 data[8];

  veth_swap_sender_address (0);
  fail_unless_equals_int (udp_socket_follow_route (socket), TRANSPORT_ROUTE_MOVED);
  to = g_socket_get_local_address (socket, NULL);
  stranger = veth_receiver_socket (&net, VETH_RECEIVER, &stranger_port);
  g_socket_send_to (stranger, to, "me too", 6, NULL, NULL);
  assert_answers_arrive (socket);
  fail_unless_equals_int (udp_socket_receive (socket, data, sizeof data), -1);
}

CLAIM (test_peer_that_cannot_be_reached_is_not_taken)
{
  g_autoptr (GSocket) socket = open_to (VETH_RECEIVER, NULL, 0);
  g_autoptr (GSocketAddress) far = g_inet_socket_address_new_from_string ("192.0.2.1", 5000);

  assert_arrives_from (socket, VETH_SENDER);
  fail_if (udp_socket_set_peer (socket, far));
  assert_arrives_from (socket, VETH_SENDER);
  assert_answers_arrive (socket);
}

CLAIM (test_socket_that_lost_its_peer_hears_nobody_and_finds_it_again)
{
  const struct sockaddr nobody = {.sa_family = AF_UNSPEC };
  g_autoptr (GSocket) socket = open_to (VETH_RECEIVER, NULL, 7124);
  g_autoptr (GSocketAddress) to = g_inet_socket_address_new_from_string (VETH_SENDER, 7124);
  guint8 data[8];

  fail_unless (connect (g_socket_get_fd (socket), &nobody, sizeof nobody) == 0);
  fail_unless (g_socket_send_to (receiver, to, "answer", 6, NULL, NULL) == 6);
  /* An ARP request of a young veth may be lost, and is repeated each second. */
  fail_unless (g_socket_condition_timed_wait (socket, G_IO_IN, 5 * G_TIME_SPAN_SECOND, NULL, NULL));
  fail_unless_equals_int (udp_socket_receive (socket, data, sizeof data), -1);
  fail_unless_equals_int (udp_socket_follow_route (socket), TRANSPORT_ROUTE_MOVED);
  fail_unless_equals_int (assert_arrives_from (socket, VETH_SENDER), 7124);
  assert_answers_arrive (socket);
}

/* It does not ask the socket for each datagram. */
CLAIM (test_a_transport_whose_socket_has_no_peer_reads_nothing_until_it_has_one)
{
  const struct sockaddr nobody = {.sa_family = AF_UNSPEC };
  g_autoptr (GSocket) socket = open_to (VETH_RECEIVER, NULL, 7125);
  g_autoptr (GSocketAddress) to = g_inet_socket_address_new_from_string (VETH_SENDER, 7125);
  Transport *transport;
  guint8 data[8];

  fail_unless (connect (g_socket_get_fd (socket), &nobody, sizeof nobody) == 0);
  transport = udp_transport_new (socket);
  fail_unless (g_socket_send_to (receiver, to, "answer", 6, NULL, NULL) == 6);
  /* An ARP request of a young veth may be lost, and is repeated each second. */
  fail_unless (g_socket_condition_timed_wait (socket, G_IO_IN, 5 * G_TIME_SPAN_SECOND, NULL, NULL));
  fail_unless_equals_int (transport->funcs->receive (transport, data, sizeof data), -1);
  fail_unless_equals_int (transport->funcs->follow_route (transport), TRANSPORT_ROUTE_MOVED);
  fail_unless (g_socket_send_to (receiver, to, "answer", 6, NULL, NULL) == 6);
  fail_unless (g_socket_condition_timed_wait (socket, G_IO_IN, 5 * G_TIME_SPAN_SECOND, NULL, NULL));
  fail_unless_equals_int (transport->funcs->receive (transport, data, sizeof data), 6);
  transport->funcs->close (transport);
  transport->funcs->free (transport);
}

CLAIM (test_link_local_addresses_bind_with_their_interface)
{
  UdpSocketConfig config = { VETH_RECEIVER_IPV6 "%veth0", 0, VETH_SENDER_IPV6 "%nowhere", 0, -1 };
  g_autoptr (GError) error = NULL;
  GSocket *socket;

  g_object_unref (receiver);
  port = 0;
  receiver = veth_receiver_socket (&net, "::", &port);
  socket = open_to (VETH_RECEIVER_IPV6 "%veth0", VETH_SENDER_IPV6 "%veth0", 0);
  assert_arrives_from (socket, VETH_SENDER_IPV6);
  g_object_unref (socket);

  config.port = port;
  fail_unless (udp_socket_open (&config, NULL, &error) == NULL);
  fail_unless (strstr (error->message, "interface of this machine") != NULL,
      "says: %s", error->message);
}

static gint
tos_of (gint qos_dscp)
{
  UdpSocketConfig config = { VETH_RECEIVER, port, NULL, 0, qos_dscp };
  g_autoptr (GSocket) socket = udp_socket_open (&config, NULL, NULL);
  gint tos = -1;

  fail_unless (socket != NULL);
  fail_unless (g_socket_get_option (socket, IPPROTO_IP, IP_TOS, &tos, NULL));
  return tos;
}

CLAIM (test_packets_have_the_dscp_that_is_set_or_that_of_the_system)
{
  fail_unless_equals_int (tos_of (-1), 0);
  fail_unless_equals_int (tos_of (0), 0);
  fail_unless_equals_int (tos_of (46), 46 << 2);
}

CLAIM (test_look_up_keeps_an_address_that_is_still_right)
{
  UdpSocketConfig config = { "localhost", 5000, NULL, 0, -1 };
  GSocketAddress *right = g_inet_socket_address_new_from_string ("127.0.0.1", 5000), *found;
  GSocketAddress *wrong = g_inet_socket_address_new_from_string ("127.0.0.2", 5000);

  fail_unless (udp_socket_has_name (&config));
  fail_unless (udp_socket_look_up (&config, right) == NULL);
  found = udp_socket_look_up (&config, wrong);
  fail_unless (found != NULL);
  fail_unless_equals_int (g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (found)), 5000);
  g_object_unref (found);
  g_object_unref (right);
  g_object_unref (wrong);
  config.host = "fe80::1%veth0";
  fail_if (udp_socket_has_name (&config));
  config.host = "10.0.0.1";
  fail_if (udp_socket_has_name (&config));
}
