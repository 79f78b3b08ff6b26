/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* rcprelay's addresses, ports and settings, and what it says of wrong ones. */
#include "rcprelayfixture.h"
#include "bustext.h"

#include <math.h>
#include <rc/router/rates.h>
#include <rc/router/rcprouter.h>

/* Without the right to it, which root always has. */
CLAIM (test_priority_that_is_not_permitted_is_one_clear_warning)
{
  const struct rlimit none = { 0, 0 };
  gboolean root = geteuid () == 0;
  g_autoptr (GstBus) bus = gst_bus_new ();
  STOPPED GstElement *relay = NULL;

  fail_unless (setrlimit (RLIMIT_RTPRIO, &none) == 0);
  relay = gst_element_factory_make ("rcprelay", NULL);
  g_object_set (relay, "address", "127.0.0.1", "port", free_port (), "host", "127.0.0.1",
      "host-port", free_port (), "pacing-priority", 10, NULL);
  gst_element_set_bus (relay, bus);
  fail_if (root && seteuid (65534) != 0);
  fail_unless (gst_element_set_state (relay, GST_STATE_PLAYING) == GST_STATE_CHANGE_SUCCESS);
  fail_if (root && seteuid (0) != 0);
  bus_says (bus, 0, GST_MESSAGE_WARNING, "ulimit -r");
}

CLAIM (test_errors_say_what_to_do)
{
  GstElement *pipeline = gst_pipeline_new (NULL), *relay;
  guint port;
  GSocket *other = socket_new (&port);
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);

  relay = gst_element_factory_make ("rcprelay", NULL);
  g_object_set (relay, "address", "127.0.0.1", "port", port, "host", "127.0.0.1",
      "host-port", free_port (), NULL);
  gst_bin_add (GST_BIN (pipeline), relay);
  fail_unless (gst_element_set_state (pipeline, GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE);
  bus_says (bus, 0, GST_MESSAGE_ERROR, "choose another port");
  gst_element_set_state (pipeline, GST_STATE_NULL);
  g_object_unref (other);
  fail_unless (gst_element_set_state (pipeline, GST_STATE_PLAYING) == GST_STATE_CHANGE_SUCCESS,
      "the port is free now");
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
}

/* What the relay says when it cannot start (g_free), NULL: it starts. */
static gchar *
refusal_of (const gchar * address, const gchar * host, guint port, guint host_port, guint n_ports)
{
  g_autoptr (GstElement) relay = NULL;
  g_autoptr (GstBus) bus = gst_bus_new ();
  gboolean starts;
  gchar *text;

  relay = gst_element_factory_make ("rcprelay", NULL);
  g_object_set (relay, "address", address, "host", host, "port", port, "host-port", host_port,
      "n-ports", n_ports, NULL);
  gst_element_set_bus (relay, bus);
  starts = gst_element_set_state (relay, GST_STATE_PLAYING) == GST_STATE_CHANGE_SUCCESS;
  text = bus_text (bus, 0, GST_MESSAGE_ERROR);
  fail_unless (starts == (text == NULL));
  gst_element_set_state (relay, GST_STATE_NULL);
  return text;
}

static gboolean
has_ipv6 (void)
{
  GSocket *socket = g_socket_new (G_SOCKET_FAMILY_IPV6, G_SOCKET_TYPE_DATAGRAM,
      G_SOCKET_PROTOCOL_UDP, NULL);
  g_autoptr (GSocketAddress) address = g_inet_socket_address_new_from_string ("::1", 0);
  gboolean ok = socket && g_socket_bind (socket, address, FALSE, NULL);

  g_clear_object (&socket);
  return ok;
}

CLAIM (test_relay_without_a_host_says_so)
{
  g_autofree gchar *text = refusal_of ("127.0.0.1", NULL, free_port (), 5004, 1);

  fail_unless (text && strstr (text, "set host"), "%s", text);
}

CLAIM (test_relay_refuses_to_send_to_itself)
{
  static const struct
  {
    const gchar *address, *host;
    gint host_port;             /* less the port that it listens on */
    guint n_ports;
    gboolean ipv6, refused;
  } cases[] = {
    {"127.0.0.1", "127.0.0.1", 0, 1, FALSE, TRUE},
    {"0.0.0.0", "127.0.0.1", 0, 1, FALSE, TRUE},
    {"0.0.0.0", "localhost", 0, 1, FALSE, TRUE},
    {"0.0.0.0", "127.0.0.2", 0, 1, FALSE, TRUE},
    {"0.0.0.0", "0.0.0.0", 0, 1, FALSE, TRUE},
    {"127.0.0.1", "127.0.0.1", 2, 3, FALSE, TRUE},
    {"127.0.0.1", "127.0.0.1", -2, 3, FALSE, TRUE},
    {"127.0.0.1", "127.0.0.1", 3, 3, FALSE, FALSE},
    {"127.0.0.1", "127.0.0.2", 0, 1, FALSE, FALSE},
    {"0.0.0.0", "192.0.2.1", 0, 1, FALSE, FALSE},       /* another machine's; none has this one */
    {"::", "::1", 0, 1, TRUE, TRUE},
    {"::", "127.0.0.1", 0, 1, TRUE, TRUE},
    {"::", "::ffff:127.0.0.1", 0, 1, TRUE, TRUE},
    {"0.0.0.0", "::1", 0, 1, TRUE, FALSE},
    {"127.0.0.1", "::ffff:127.0.0.1", 0, 1, TRUE, TRUE},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    guint port = free_port ();
    gchar *text;

    if (cases[i].ipv6 && !has_ipv6 ())
      continue;
    text = refusal_of (cases[i].address, cases[i].host, port, port + (guint) cases[i].host_port,
        cases[i].n_ports);
    /* no network, no route */
    if (!cases[i].refused && text && strstr (text, "cannot send to"))
      g_clear_pointer (&text, g_free);
    fail_unless ((text != NULL) == cases[i].refused,
        "%s to %s: %s", cases[i].address, cases[i].host, text);
    fail_unless (!text || strstr (text, "send to itself"),
        "%s to %s: %s", cases[i].address, cases[i].host, text);
    g_free (text);
  }
}

static GSocket *
bind_to (const gchar * address, guint port)
{
  g_autoptr (GSocketAddress) local = g_inet_socket_address_new_from_string (address, port);
  GSocket *socket = g_socket_new (g_socket_address_get_family (local), G_SOCKET_TYPE_DATAGRAM,
      G_SOCKET_PROTOCOL_UDP, NULL);

  if (!g_socket_bind (socket, local, FALSE, NULL))
    g_clear_object (&socket);
  else
    g_socket_set_timeout (socket, 30);
  return socket;
}

static void
open_neighbours (GSocket ** sockets, guint n, guint * first)
{
  guint have = 0;

  while (have < n) {
    while (have > 0)
      g_object_unref (sockets[--have]);
    *first = free_port ();
    while (have < n && *first + have <= G_MAXUINT16
        && (sockets[have] = bind_to ("127.0.0.1", *first + have)))
      have++;
  }
}

#define PORTS 3

/* One sender to all of them. */
CLAIM (test_each_of_n_ports_goes_to_its_own_and_answers_from_it)
{
  GSocket *hosts[PORTS], *listeners[PORTS], *sender;
  guint8 rtp[12] = { 0x80, 96 };
  gchar *properties, got[64];
  guint port, host_port, any;
  GSocketAddress *from, *to;
  Fixture f;

  open_neighbours (hosts, PORTS, &host_port);
  open_neighbours (listeners, PORTS, &port);
  for (guint i = 0; i < PORTS; i++)
    g_object_unref (listeners[i]);
  properties = g_strdup_printf ("n-ports=%u port=%u host-port=%u", PORTS, port, host_port);
  fixture_init (&f, properties);
  sender = socket_new (&any);
  for (guint i = 0; i < PORTS; i++) {
    to = g_inet_socket_address_new_from_string ("127.0.0.1", port + i);
    rtp[11] = (guint8) i;
    fail_unless (g_socket_send_to (sender, to, (gchar *) rtp, sizeof rtp, NULL, NULL)
        == sizeof rtp);
    fail_unless (g_socket_receive_from (hosts[i], &from, got, sizeof got, NULL, NULL) == sizeof rtp
        && got[11] == (gchar) i);
    fail_unless (g_socket_send_to (hosts[i], from, "yes", 3, NULL, NULL) == 3);
    g_object_unref (from);
    fail_unless (g_socket_receive_from (sender, &from, got, sizeof got, NULL, NULL) == 3);
    fail_unless_equals_int (g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (from)),
        port + i);
    g_object_unref (from);
    g_object_unref (to);
  }
  fail_unless_equals_uint64 (stat_of (&f, "flows"), PORTS);
  fixture_clear (&f);
  for (guint i = 0; i < PORTS; i++)
    g_object_unref (hosts[i]);
  g_object_unref (sender);
  g_free (properties);
}

/* All that may change in READY, on the ports of the run before. */
CLAIM_ON (test_what_is_set_in_ready_holds_in_the_next_run, RELAY (""))
{
  guint8 packet[32] = { 0x90, 96,[12] = 0xbe, 0xde, 0, 3, 3 << 4 | 7, 0xff, 0xff, 0xff, 0xff };
  guint8 got[64];
  g_autoptr (GSocketAddress) old_address = NULL;
  guint port, host_port;
  g_autoptr (GSocket) old_host = NULL;

  send_bytes (f, 0, packet, sizeof packet);
  fail_unless_equals_int (g_socket_receive (f->host, (gchar *) got, sizeof got, NULL, NULL),
      sizeof packet);
  for (guint i = 0; i < 5; i++) {
    fail_unless (gst_element_set_state (f->relay, GST_STATE_READY) == GST_STATE_CHANGE_SUCCESS);
    fail_unless (gst_element_set_state (f->relay, GST_STATE_PLAYING) == GST_STATE_CHANGE_SUCCESS,
        "run %u", i);
    send_bytes (f, 0, packet, sizeof packet);
    fail_unless_equals_int (g_socket_receive (f->host, (gchar *) got, sizeof got, NULL, NULL),
        sizeof packet);
  }
  fail_unless (gst_element_set_state (f->relay, GST_STATE_READY) == GST_STATE_CHANGE_SUCCESS);
  old_host = f->host;
  old_address = f->relay_address;
  f->host = socket_new (&host_port);
  port = free_port ();
  f->relay_address = g_inet_socket_address_new_from_string ("127.0.0.2", port);
  g_object_set (f->relay, "address", "127.0.0.2", "port", port, "host-port", host_port,
      "max-flows", 1, "extension-id", 3, NULL);
  fail_unless (gst_element_set_state (f->relay, GST_STATE_PLAYING) == GST_STATE_CHANGE_SUCCESS);
  for (guint i = 0; i < 2; i++)
    send_bytes (f, i, packet, sizeof packet);
  fail_unless_equals_int (g_socket_receive (f->host, (gchar *) got, sizeof got, NULL, NULL),
      sizeof packet);
  fail_unless (rate_stamp_bps (rate_stamp_find (got, sizeof packet, 3)) > 0);
  wait_for (f, "packets-refused", 1);
  fail_unless_equals_uint64 (stat_of (f, "packets-in"), 2);
}

CLAIM (test_groups_are_refused)
{
  gchar *text = refusal_of ("239.1.1.1", "127.0.0.1", free_port (), free_port (), 1);

  fail_unless (text && strstr (text, "set address"), "%s", text);
  g_free (text);
  text = refusal_of ("127.0.0.1", "239.1.1.1", free_port (), free_port (), 1);
  fail_unless (text && strstr (text, "udpsink") && !strstr (text, "rmcsink"), "%s", text);
  g_free (text);
}

/* 127.0.0.2 is this machine, and not what the system answers from by itself. */
static void
check_answers_come_from (const gchar * listen_on)
{
  GSocketAddress *from;
  guint8 rtp[12] = { 0x80, 96 };
  gchar *properties, got[64];
  g_autoptr (GSocket) sender = NULL;
  guint any, port;
  g_autoptr (GSocketAddress) to = NULL;
  AT_END (fixture_clear) Fixture f;

  properties = g_strdup_printf ("address=%s", listen_on);
  fixture_init (&f, properties);
  port = g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (f.relay_address));
  sender = socket_new (&any);
  to = g_inet_socket_address_new_from_string ("127.0.0.2", port);
  fail_unless (g_socket_connect (sender, to, NULL, NULL));
  for (guint i = 0; i < 2; i++) {
    fail_unless (g_socket_send (sender, (gchar *) rtp, sizeof rtp, NULL, NULL) == sizeof rtp);
    fail_unless (g_socket_receive_from (f.host, &from, got, sizeof got, NULL, NULL) == sizeof rtp);
    fail_unless (g_socket_send_to (f.host, from, "yes", 3, NULL, NULL) == 3);
    fail_unless (g_socket_receive (sender, got, sizeof got, NULL, NULL) == 3,
        "the answer came from elsewhere");
    g_object_unref (from);
  }
  fail_unless_equals_uint64 (stat_of (&f, "send-errors"), 0);
  g_free (properties);
}

CLAIM (test_answers_leave_from_the_address_that_was_sent_to)
{
  check_answers_come_from ("0.0.0.0");
  if (has_ipv6 ())
    check_answers_come_from ("\"::\"");
}

static gdouble
gain_of (GstElement * relay)
{
  g_autoptr (GstStructure) stats = read_stats (relay);
  gdouble gain = -1;

  fail_unless (gst_structure_get_double (stats, "gain", &gain));
  return gain;
}

static void
next_step (void)
{
  g_usleep (20000);
}

/* Nobody has claimed a round-trip time: the loop is taken for the longest one and T. */
CLAIM (test_kappa_is_a_share_of_the_bound)
{
  const RcRouterParams usual = RC_ROUTER_PARAMS_DEFAULT;
  gdouble bound = rc_piqircp_simple_bound ((double) usual.interval,
      (double) (usual.max_rtt + usual.interval)), gain = 0;
  Fixture f;

  fixture_init (&f, "kappa=0.2");
  for (guint i = 0; i < 500 && gain <= 0; i++, next_step ())
    gain = gain_of (f.relay);
  fail_unless (fabs (gain / (0.2 * bound) - 1) < 1e-6, "%g of %g", gain, bound);
  fixture_clear (&f);
}

/* R begins at a twentieth; with 0.4 it would take 7 s to come to the capacity. */
CLAIM (test_alpha_is_how_fast_rcp_offers_what_is_spare)
{
  gint64 begin = g_get_monotonic_time ();
  Fixture f;

  fixture_init (&f, "algorithm=rcp alpha=10");
  while (read_stat (f.relay, "rate") < CAPACITY * 9 / 10
      && g_get_monotonic_time () - begin < 5 * G_USEC_PER_SEC)
    next_step ();
  fail_unless (read_stat (f.relay, "rate") >= CAPACITY * 9 / 10);
  fixture_clear (&f);
}
