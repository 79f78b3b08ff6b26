/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Addresses that change while media plays: the sender's, its route, the receiver's name. In real
 * time. */

#define _GNU_SOURCE             /* setns */
#include "camerafixture.h"
#include "fakeresolver.h"
#include "vethpair.h"
#include "bustext.h"
#include "boundsocket.h"

#define BACK_WITHIN (3 * G_TIME_SPAN_SECOND)

static VethPair net;

BEFORE_EACH
{
  veth_pair_init (&net);
}

AFTER_EACH
{
  veth_pair_clear (&net);
}

static void
receiver_start_behind_veth (Receiver * receiver)
{
  veth_in (net.receiver);
  receiver_start (receiver, VETH_RECEIVER, 0);
  veth_in (net.sender);
}

#define VETH_RECEIVER_OF_MEDIA Receiver, receiver, \
    receiver_start_behind_veth (receiver), receiver_stop (receiver)

/* --- addresses of this machine --- */

CLAIM_ON (test_media_is_back_after_the_local_address_changed, VETH_RECEIVER_OF_MEDIA)
{
  AT_END (camera_stop) Camera camera;

  camera_start (&camera, VETH_RECEIVER, receiver->port, "");
  assert_media (receiver, 20, BACK_WITHIN, "first");
  wait_until (stat_of (&camera.fixture, "reports-received") > 5);
  veth_swap_sender_address (0);
  g_atomic_int_set (&receiver->packets, 0);
  assert_media (receiver, 20, BACK_WITHIN, "after the change");
  fail_unless_equals_uint64 (stat_of (&camera.fixture, "path-changes"), 1);
  wait_until (state_is (&camera.fixture, "running"));
}

/* Nothing leaves meanwhile, and media stops for silence: it is back with the network. */
CLAIM_ON (test_media_is_back_after_a_time_without_any_address, VETH_RECEIVER_OF_MEDIA)
{
  AT_END (camera_stop) Camera camera;

  camera_start (&camera, VETH_RECEIVER, receiver->port, "controller-params=\"params,stop=1.0\"");
  assert_media (receiver, 20, BACK_WITHIN, "first");
  veth_ip ("address del " VETH_SENDER "/24 dev veth0");
  wait_until (state_is (&camera.fixture, "stopped"));
  bus_says (camera.fixture.bus, PATIENCE, GST_MESSAGE_WARNING, g_strerror (ENETUNREACH));
  g_usleep (1500000);
  veth_ip ("address add " VETH_SENDER_2 "/24 dev veth0");
  g_atomic_int_set (&receiver->packets, 0);
  assert_media (receiver, 20, BACK_WITHIN, "with the network");
}

/* As a machine that boots before its network. */
CLAIM_ON (test_a_sender_without_a_network_warns_once_and_begins_with_it, VETH_RECEIVER_OF_MEDIA)
{
  GstMessage *message;
  g_autoptr (GError) error = NULL;
  AT_END (camera_stop) Camera camera;

  veth_ip ("address del " VETH_SENDER "/24 dev veth0");
  camera_start (&camera, VETH_RECEIVER, receiver->port, "");
  message = gst_bus_timed_pop_filtered (camera.fixture.bus, PATIENCE,
      GST_MESSAGE_WARNING | GST_MESSAGE_ERROR);
  fail_unless (message && GST_MESSAGE_TYPE (message) == GST_MESSAGE_WARNING);
  gst_message_parse_warning (message, &error, NULL);
  fail_unless (strstr (error->message, "cannot send to " VETH_RECEIVER) != NULL, "says: %s",
      error->message);
  gst_message_unref (message);
  g_usleep (1200000);           /* two more attempts */
  fail_unless (gst_bus_pop_filtered (camera.fixture.bus, GST_MESSAGE_WARNING | GST_MESSAGE_ERROR)
      == NULL);
  veth_ip ("address add " VETH_SENDER_2 "/24 dev veth0");
  assert_media (receiver, 20, 2 * BACK_WITHIN, "with the network");
  fail_unless (stat_of (&camera.fixture, "packets-unreachable") > 0);
}

CLAIM_ON (test_a_bind_address_may_come_later, VETH_RECEIVER_OF_MEDIA)
{
  AT_END (camera_stop) Camera camera;

  camera_start (&camera, VETH_RECEIVER, receiver->port, "bind-address=" VETH_SENDER_2);
  g_usleep (200000);
  veth_ip ("address add " VETH_SENDER_2 "/24 dev veth0");
  assert_media (receiver, 20, 2 * BACK_WITHIN, "from the address");
}

typedef struct
{
  Fixture fixture;
  gint pushed;                  /* atomic */
} File;

static gpointer
push_file (gpointer file)
{
  File *self = file;

  for (guint i = 0; i < 20; i++) {
    push_frame (&self->fixture, i * 900, i > 0, 1, 500);
    g_atomic_int_inc (&self->pushed);
  }
  return NULL;
}

CLAIM_ON (test_a_file_waits_for_the_network_and_loses_nothing, VETH_RECEIVER_OF_MEDIA)
{
  gchar *line = g_strdup_printf ("adapt-encoder=false sync=false host=" VETH_RECEIVER " port=%u",
      receiver->port);
  File file = { 0 };
  GThread *thread;

  veth_ip ("address del " VETH_SENDER "/24 dev veth0");
  fixture_init (&file.fixture, FALSE, line);
  g_free (line);
  fixture_play (&file.fixture);
  thread = g_thread_new ("file", push_file, &file);
  g_usleep (700000);
  fail_unless_equals_int (g_atomic_int_get (&file.pushed), 0);
  veth_ip ("address add " VETH_SENDER "/24 dev veth0");
  assert_media (receiver, 20, 2 * BACK_WITHIN, "with the network");
  fail_unless_equals_uint64 (stat_of (&file.fixture, "packets-unreachable"), 0);
  g_thread_join (thread);
  fixture_clear (&file.fixture);
}

/* The old address is still there and sending does not fail, but nothing arrives: another network
 * took the route. */
CLAIM_ON (test_media_is_back_after_the_route_moved_and_nobody_answers, VETH_RECEIVER_OF_MEDIA)
{
  AT_END (camera_stop) Camera camera;
  QuietWatch *watch;
  guint64 before;

  camera_start (&camera, VETH_RECEIVER, receiver->port, "");
  assert_media (receiver, 20, BACK_WITHIN, "first");
  wait_until (stat_of (&camera.fixture, "reports-received") > 5);
  veth_ip ("address add 10.80.0.1/24 dev veth0");
  veth_ip ("route add " VETH_RECEIVER "/32 dev veth0 src 10.80.0.1");
  watch = quiet_watch_new ();
  g_usleep (700000);
  before = stat_of (&camera.fixture, "path-changes");
  quiet_figure (watch, before == 0, "what works is left alone, unless reports are late");
  veth_in (net.receiver);
  veth_ip ("route add 10.80.0.0/24 dev veth1");
  veth_ip ("route add blackhole " VETH_SENDER "/32");
  veth_in (net.sender);
  wait_until (stat_of (&camera.fixture, "path-changes") == before + 1);
  g_atomic_int_set (&receiver->packets, 0);
  assert_media (receiver, 20, BACK_WITHIN, "on the other route");
}

/* So short that media does not stop for silence. */
TIMED_CLAIM_ON (test_rate_is_back_2_s_after_an_interface_was_down, VETH_RECEIVER_OF_MEDIA)
{
  AT_END (camera_stop) Camera camera;
  guint64 before;

  camera_start_with (&camera, VETH_RECEIVER, receiver->port,
      "min-bitrate=50000 max-bitrate=4000000 start-bitrate=1000000", 4, 1200);
  wait_until (stat_of (&camera.fixture, "rate") > 3900000);
  g_usleep (2 * G_USEC_PER_SEC);
  before = stat_of (&camera.fixture, "rate");
  veth_ip ("link set veth0 down");
  g_usleep (2 * G_USEC_PER_SEC);
  veth_ip ("link set veth0 up");
  g_usleep (2 * G_USEC_PER_SEC);
  fail_unless (stat_of (&camera.fixture, "rate") >= 0.8 * before, "%" G_GUINT64_FORMAT " of %"
      G_GUINT64_FORMAT " bit/s", stat_of (&camera.fixture, "rate"), before);
  fail_unless (state_is (&camera.fixture, "running"));
}

CLAIM (test_bound_address_stays)
{
  guint port = 0, from_port;
  g_autoptr (GSocket) receiver = NULL;
  AT_END (camera_stop) Camera camera;

  receiver = veth_receiver_socket (&net, VETH_RECEIVER, &port);
  camera_start (&camera, VETH_RECEIVER, port, "bind-address=" VETH_SENDER);
  g_free (veth_next_sender (receiver, &from_port));
  veth_swap_sender_address (0);
  g_usleep (500000);
  fail_unless_equals_uint64 (stat_of (&camera.fixture, "path-changes"), 0);
  veth_ip ("address add " VETH_SENDER "/24 dev veth0");
  g_usleep (100000);
  for (gint64 end = g_get_monotonic_time () + 300000; g_get_monotonic_time () < end;) {
    g_autofree gchar *from = veth_next_sender (receiver, &from_port);

    fail_unless_equals_string (from, VETH_SENDER);
  }
}

/* --- the receiver's name --- */

static const gchar *named_address;      /* atomic */
static gint look_up_us, look_ups;       /* atomic */

static GList *
fake_lookup (GResolver * resolver, const gchar * name, GCancellable * cancellable, GError ** error)
{
  g_atomic_int_inc (&look_ups);
  g_usleep ((gulong) g_atomic_int_get (&look_up_us));
  return g_list_append (NULL,
      g_inet_address_new_from_string (g_atomic_pointer_get (&named_address)));
}

static void
drain (GSocket * socket)
{
  gchar data[2048];

  g_socket_set_blocking (socket, FALSE);
  while (g_socket_receive (socket, data, sizeof data, NULL, NULL) >= 0);
  g_socket_set_blocking (socket, TRUE);
}

CLAIM (test_media_follows_the_name_and_flows_while_it_is_looked_up)
{
  g_autoptr (GResolver) resolver = g_object_new (fake_resolver_get_type (), NULL);
  GSocket *old, *new;
  AT_END (receiver_stop) Receiver receiver;
  AT_END (camera_stop) Camera camera;
  QuietWatch *watch;
  guint port, from_port;

  g_resolver_set_default (resolver);
  g_atomic_pointer_set (&named_address, "127.0.0.1");
  g_atomic_int_set (&look_up_us, 0);
  old = socket_new (G_SOCKET_FAMILY_IPV4, &port);
  new = bound_socket ("127.0.0.2", port);
  camera_start (&camera, "camera.example", port, "");
  g_free (veth_next_sender (old, &from_port));
  fail_unless_equals_int (g_atomic_int_get (&look_ups), 1);
  g_atomic_int_set (&look_up_us, 1000000);
  wait_until (g_atomic_int_get (&look_ups) == 2);
  watch = quiet_watch_new ();
  drain (old);                  /* while the look-up blocks for a second */
  g_usleep (500000);
  drain (old);
  g_free (veth_next_sender (old, &from_port));
  quiet_figure (watch, g_atomic_int_get (&look_ups) == 2, "media waits for the look-up");
  g_object_unref (new);
  g_object_unref (old);

  receiver_start (&receiver, "127.0.0.2", port);
  g_atomic_pointer_set (&named_address, "127.0.0.2");
  assert_media (&receiver, 20, 2 * BACK_WITHIN, "at the name's new address");
  fail_unless_equals_uint64 (stat_of (&camera.fixture, "path-changes"), 1);
}
