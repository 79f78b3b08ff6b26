/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* rcprelay on a machine whose addresses change. The sender is on the relay's machine, the host
 * behind a veth. */

#define _GNU_SOURCE             /* setns */
#include "vethpair.h"

#include "fakeresolver.h"
#include "quiet.h"

#define PORT 7100
#define BACK_WITHIN_US (3 * G_USEC_PER_SEC)

static VethPair net;
static GstElement *relay;
static GSocket *host, *sender;
static guint host_port;

BEFORE_EACH
{
  veth_pair_init (&net);
}

AFTER_EACH
{
  gst_element_set_state (relay, GST_STATE_NULL);
  gst_object_unref (relay);
  g_object_unref (host);
  g_object_unref (sender);
  veth_pair_clear (&net);
}

static void
start_relay (const gchar * address, const gchar * host_name)
{
  relay = gst_element_factory_make ("rcprelay", NULL);
  g_object_set (relay, "address", address, "port", PORT, "host", host_name,
      "host-port", host_port, NULL);
  fail_unless (gst_element_set_state (relay, GST_STATE_PLAYING) == GST_STATE_CHANGE_SUCCESS);
}

/* Connected: hears answers from there only. */
static void
connect_sender (const gchar * address)
{
  g_autoptr (GSocketAddress) to = g_inet_socket_address_new_from_string (address, PORT);

  sender = g_socket_new (g_socket_address_get_family (to), G_SOCKET_TYPE_DATAGRAM,
      G_SOCKET_PROTOCOL_UDP, NULL);
  fail_unless (g_socket_connect (sender, to, NULL, NULL));
}

static void
send_media (void)
{
  guint8 rtp[12] = { 0x80, 96 };

  g_socket_send (sender, (gchar *) rtp, sizeof rtp, NULL, NULL);
}

static gboolean
is_from (GSocketAddress * from, const gchar * address)
{
  g_autofree gchar *text =
      g_inet_address_to_string (g_inet_socket_address_get_address (G_INET_SOCKET_ADDRESS (from)));
  gboolean same = g_strcmp0 (text, address) == 0;

  return same;
}

/* Media flows, and what this host hears it answers; until media comes from there and an answer
 * has come back. Returns how long that took, us. */
static gint64
play_until (GSocket * at, const gchar * from_address)
{
  gint64 began = g_get_monotonic_time ();
  gboolean heard = FALSE, answered = FALSE;
  gchar data[64];

  g_socket_set_blocking (at, FALSE);
  g_socket_set_blocking (sender, FALSE);
  while (!(heard && answered) && g_get_monotonic_time () - began < 30 * G_USEC_PER_SEC) {
    GSocketAddress *from = NULL;

    send_media ();
    g_usleep (10000);
    while (g_socket_receive_from (at, &from, data, sizeof data, NULL, NULL) > 0) {
      heard = heard || is_from (from, from_address);
      g_socket_send_to (at, from, heard ? "new" : "old", 3, NULL, NULL);
      g_object_unref (from);
    }
    while (g_socket_receive (sender, data, sizeof data, NULL, NULL) == 3)
      answered = answered || memcmp (data, "new", 3) == 0;
  }
  fail_unless (heard, "nothing came from %s", from_address);
  fail_unless (answered, "no answer came back");
  return g_get_monotonic_time () - began;
}

/* Within 3 s. */
static void
check_back (GSocket * at, const gchar * from_address)
{
  QuietWatch *watch = quiet_watch_new ();
  gint64 us = play_until (at, from_address);

  quiet_figure (watch, us < BACK_WITHIN_US, "back after %d ms", (gint) (us / 1000));
}

static void
check_swap (gboolean host_answers_before)
{
  host = veth_receiver_socket (&net, VETH_RECEIVER, &host_port);
  connect_sender ("127.0.0.1");
  start_relay ("127.0.0.1", VETH_RECEIVER);
  if (host_answers_before) {
    play_until (host, VETH_SENDER);
  } else {
    send_media ();
    g_usleep (100000);
  }
  veth_swap_sender_address (300000);
  check_back (host, VETH_SENDER_2);
}

CLAIM_TIMEOUT_S (120)

CLAIM (test_flow_is_back_within_3_s_of_a_changed_address)
{
  check_swap (TRUE);
}

CLAIM (test_flow_that_was_never_answered_is_back_too)
{
  check_swap (FALSE);
}

/* The old address stays, but its packets end nowhere: a VPN came up. */
CLAIM (test_flow_follows_a_route_when_the_old_way_is_silent)
{
  host = veth_receiver_socket (&net, VETH_RECEIVER, &host_port);
  connect_sender ("127.0.0.1");
  start_relay ("127.0.0.1", VETH_RECEIVER);
  play_until (host, VETH_SENDER);
  veth_ip ("address add 10.80.0.1/24 dev veth0");
  veth_ip ("rule add from " VETH_SENDER " to " VETH_RECEIVER " blackhole");
  veth_ip ("route add " VETH_RECEIVER "/32 dev veth0 src 10.80.0.1");
  veth_in (net.receiver);
  veth_ip ("route add 10.80.0.0/24 dev veth1");
  veth_in (net.sender);
  check_back (host, "10.80.0.1");
}

/* It would else change its source while all is well, and a receiver would take it for another
 * sender. */
CLAIM (test_way_that_works_is_left_alone)
{
  GSocketAddress *from;
  QuietWatch *watch;
  guint others = 0;
  gchar data[64];

  host = veth_receiver_socket (&net, VETH_RECEIVER, &host_port);
  connect_sender ("127.0.0.1");
  start_relay ("127.0.0.1", VETH_RECEIVER);
  play_until (host, VETH_SENDER);
  watch = quiet_watch_new ();
  veth_ip ("address add 10.80.0.1/24 dev veth0");
  veth_ip ("route add " VETH_RECEIVER "/32 dev veth0 src 10.80.0.1");
  for (guint i = 0; i < 150; i++) {
    send_media ();
    g_usleep (10000);
    while (g_socket_receive_from (host, &from, data, sizeof data, NULL, NULL) > 0) {
      others += !is_from (from, VETH_SENDER);
      g_socket_send_to (host, from, "yes", 3, NULL, NULL);
      g_object_unref (from);
    }
  }
  quiet_figure (watch, others == 0, "%u packets came from elsewhere", others);
}

CLAIM (test_link_local_host_and_listener_keep_their_interface)
{
  host = veth_receiver_socket (&net, "::", &host_port);
  connect_sender (VETH_SENDER_IPV6 "%veth0");
  start_relay (VETH_SENDER_IPV6 "%veth0", VETH_RECEIVER_IPV6 "%veth0");
  play_until (host, VETH_SENDER_IPV6);
}

/* --- a name that gets another address --- */

static gint moved;              /* atomic */
static gint look_ups;           /* atomic */
static guint64 capacity_meanwhile;      /* to set during a look-up; 0: none */

static GList *
fake_lookup (GResolver * resolver, const gchar * name, GCancellable * cancellable, GError ** error)
{
  g_atomic_int_inc (&look_ups);
  if (capacity_meanwhile > 0)
    g_object_set (relay, "capacity", capacity_meanwhile, NULL);
  return g_list_append (NULL,
      g_inet_address_new_from_string (g_atomic_int_get (&moved) ? VETH_SENDER_2 : VETH_RECEIVER));
}

/* The new host is on the relay's own machine. */
CLAIM (test_silent_host_is_looked_up_again)
{
  g_autoptr (GResolver) resolver = g_object_new (fake_resolver_get_type (), NULL);
  GSocketAddress *local = g_inet_socket_address_new_from_string (VETH_SENDER_2, 0);
  QuietWatch *watch;
  g_autoptr (GSocket) new_host = NULL;

  g_resolver_set_default (resolver);
  watch = quiet_watch_new ();
  host = veth_receiver_socket (&net, VETH_RECEIVER, &host_port);
  connect_sender ("127.0.0.1");
  start_relay ("127.0.0.1", "host.test");
  play_until (host, VETH_SENDER);
  fail_unless_equals_int (g_atomic_int_get (&look_ups), 1);
  veth_ip ("address add " VETH_SENDER_2 "/24 dev veth0");
  g_object_unref (local);
  local = g_inet_socket_address_new_from_string (VETH_SENDER_2, host_port);
  new_host = g_socket_new (G_SOCKET_FAMILY_IPV4, G_SOCKET_TYPE_DATAGRAM, G_SOCKET_PROTOCOL_UDP,
      NULL);
  fail_unless (g_socket_bind (new_host, local, FALSE, NULL));
  g_atomic_int_set (&moved, 1);
  check_back (new_host, VETH_SENDER);
  quiet_figure (watch, g_atomic_int_get (&look_ups) <= 3, "%d look-ups",
      g_atomic_int_get (&look_ups));
  g_object_unref (local);
}

/* Then, too, it must not send to itself. Two silent flows are one question to the name server. */
CLAIM (test_host_that_moves_to_the_relay_is_not_followed)
{
  g_autoptr (GResolver) resolver = g_object_new (fake_resolver_get_type (), NULL);
  g_autoptr (GstStructure) stats = NULL;
  QuietWatch *watch;
  GSocket *other;
  guint flows = 0;

  g_resolver_set_default (resolver);
  host_port = PORT;
  host = veth_receiver_socket (&net, VETH_RECEIVER, &host_port);
  connect_sender ("127.0.0.1");
  other = sender;
  connect_sender ("127.0.0.1");
  start_relay ("0.0.0.0", "host.test");
  play_until (host, VETH_SENDER);
  veth_ip ("address add " VETH_SENDER_2 "/24 dev veth0");
  g_atomic_int_set (&moved, 1);
  for (guint i = 0; i < 3000 && g_atomic_int_get (&look_ups) < 2; i++) {
    send_media ();
    g_usleep (10000);
  }
  fail_unless (g_atomic_int_get (&look_ups) >= 2);
  watch = quiet_watch_new ();
  for (guint i = 0; i < 200; i++) {
    send_media ();
    g_socket_send (other, "\x80\x60          ", 12, NULL, NULL);
    g_usleep (10000);
  }
  quiet_figure (watch, g_atomic_int_get (&look_ups) == 2, "%d look-ups",
      g_atomic_int_get (&look_ups));
  g_object_unref (other);
  g_object_get (relay, "stats", &stats, NULL);
  gst_structure_get_uint (stats, "flows", &flows);
  fail_unless_equals_int (flows, 2);
}

/* 20 packets of 40 bytes are 80 ms at 80 kbit/s, and nothing at the 10 Mbit/s before. */
CLAIM (test_what_is_set_during_the_look_up_holds)
{
  g_autoptr (GResolver) resolver = g_object_new (fake_resolver_get_type (), NULL);
  gint64 began;
  gchar data[64];

  g_resolver_set_default (resolver);
  capacity_meanwhile = 80000;
  host = veth_receiver_socket (&net, VETH_RECEIVER, &host_port);
  connect_sender ("127.0.0.1");
  start_relay ("127.0.0.1", "host.test");
  g_socket_set_timeout (host, 30);
  began = g_get_monotonic_time ();
  for (guint i = 0; i < 20; i++)
    send_media ();
  for (guint i = 0; i < 20; i++)
    fail_unless (g_socket_receive (host, data, sizeof data, NULL, NULL) > 0);
  fail_unless (g_get_monotonic_time () - began > 50000,
      "%d us", (gint) (g_get_monotonic_time () - began));
}
