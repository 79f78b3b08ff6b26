/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* rcp-relay-cost [flows | rate [PACKETS-IN-A-TRAIN]]: what a packet costs rcprelay: CPU time of its
 * thread, kernel included, over packets.
 *   flows  by their number: one thread sends on loopback at PACKETS_PER_S, stamped, round robin;
 *          another takes what comes out
 *   rate   as a share of a CPU at RATE_BPS, three flows, packets of 1500 bytes, by the packets of
 *          a flow that come together; senders and sink are other processes */
#include "flows.h"
#include "relayload.h"
#include "rtp/ratestamp.h"
#include "rcprelay/relay.h"
#include "rcprelay/relayflow.h"

#include <gio/gio.h>
#include <stdlib.h>
#include <sys/resource.h>

#define PACKETS_PER_S 20000
#define BATCH 20
#define SECONDS 5
#define PACKET_BYTES 1200
#define RATE_BPS G_GUINT64_CONSTANT (1000000000)
#define RATE_FLOWS 3
#define FILL_RATIO 0.95         /* of the link: as gamma leaves it */

static gint done;

static GSocket *
socket_new (guint * port)
{
  GSocket *socket = g_socket_new (G_SOCKET_FAMILY_IPV4, G_SOCKET_TYPE_DATAGRAM,
      G_SOCKET_PROTOCOL_UDP, NULL);
  GSocketAddress *address = g_inet_socket_address_new_from_string ("127.0.0.1", 0), *bound;

  if (!socket || !g_socket_bind (socket, address, FALSE, NULL))
    g_error ("no socket: raise the limit of open files (ulimit -n)");
  bound = g_socket_get_local_address (socket, NULL);
  *port = g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (bound));
  g_object_unref (bound);
  g_object_unref (address);
  return socket;
}

static gpointer
drain (gpointer data)
{
  gchar packet[2048];

  while (!g_atomic_int_get (&done))
    g_socket_receive_with_blocking (data, packet, sizeof packet, TRUE, NULL, NULL);
  return NULL;
}

static void
send_all (GSocket ** senders, guint n, GSocketAddress * to, guint packets)
{
  guint8 packet[PACKET_BYTES] = { 0x90, 96, [12] = 0xbe, 0xde, 0, 3, RATE_STAMP_ID << 4 | 7 };
  gint64 began = g_get_monotonic_time ();

  rate_stamp_write (packet + 17, 50 * RC_MSEC);
  for (guint i = 0; i < packets; i++) {
    gint64 due = began + (gint64) i * G_USEC_PER_SEC / PACKETS_PER_S;

    if (i % BATCH == 0 && due > g_get_monotonic_time ())
      g_usleep ((gulong) (due - g_get_monotonic_time ()));
    g_socket_send_to (senders[i % n], to, (gchar *) packet, sizeof packet, NULL, NULL);
  }
}

static Relay *
relay_open (guint port, guint host_port, guint max_flows, gboolean plain)
{
  RelayConfig config = {.address = "127.0.0.1",.port = port,.n_ports = 1,.host = "127.0.0.1",
      .host_port = host_port,.capacity_bps = RATE_BPS,
      .router = RC_ROUTER_PARAMS_DEFAULT,.max_queue_time = RC_SECOND,
      .stamp_id = RATE_STAMP_ID,.max_flows = max_flows,.one_by_one = plain };
  GError *error = NULL;
  Relay *relay = relay_new (&config, &error);

  if (!relay)
    g_error ("%s", error->message);
  return relay;
}

static void
measure (guint n, guint port, guint host_port, GSocket ** senders)
{
  GSocketAddress *to = g_inet_socket_address_new_from_string ("127.0.0.1", port);
  Relay *relay = relay_open (port, host_port, n, FALSE);
  RelayStats before, after;
  gdouble cpu;

  /* The flows are there then. */
  send_all (senders, n, to, (n / RELAY_FLOW_NEW_PER_S + 1) * PACKETS_PER_S);
  g_usleep (G_USEC_PER_SEC / 5);
  relay_get_stats (relay, &before);
  cpu = flows_pacing_cpu_s ();
  send_all (senders, n, to, SECONDS * PACKETS_PER_S);
  g_usleep (G_USEC_PER_SEC / 5);
  cpu = flows_pacing_cpu_s () - cpu;
  relay_get_stats (relay, &after);
  g_print ("%u flows: %.2f us a packet; %"
      G_GUINT64_FORMAT " of %u packets came, %" G_GUINT64_FORMAT " left\n", after.flows,
      cpu * 1e6 / (after.packets_in - before.packets_in), after.packets_in - before.packets_in,
      SECONDS * PACKETS_PER_S, after.packets_out - before.packets_out);
  relay_free (relay);
  g_object_unref (to);
}

static void
measure_rate (guint port, guint host_port, guint train_pkts, gboolean whole, gboolean plain)
{
  RelayLoad load = { port, host_port, RATE_FLOWS, (guint64) (RATE_BPS * FILL_RATIO), train_pkts,
      whole, SECONDS + 2 };
  pid_t sink = relay_load_sink (&load), sender = relay_load_send (&load);
  Relay *relay = relay_open (port, host_port, RATE_FLOWS, plain);
  RelayStats before, after;
  gdouble cpu;
  gint64 span;

  g_usleep (G_USEC_PER_SEC);
  relay_get_stats (relay, &before);
  cpu = flows_pacing_cpu_s ();
  span = g_get_monotonic_time ();
  g_usleep (SECONDS * G_USEC_PER_SEC);
  cpu = flows_pacing_cpu_s () - cpu;
  span = g_get_monotonic_time () - span;
  relay_get_stats (relay, &after);
  relay_load_stop (sender);
  relay_load_stop (sink);
  g_print ("trains of %u, sink takes %s%s: %.1f %% of a CPU, %.2f us a packet; %.0f Mbit/s out, "
      "queue up to %u packets, %" G_GUINT64_FORMAT " dropped, %" G_GUINT64_FORMAT
      " lost before\n", train_pkts, whole ? "trains" : "packets",
      plain ? ", relay without trains" : "", cpu * 1e8 / span,
      cpu * 1e6 / MAX (after.packets_out - before.packets_out, 1),
      (after.bytes_out - before.bytes_out) * 8.0 / span, after.max_queue_packets,
      after.packets_dropped, after.packets_overflow);
  relay_free (relay);
}

static void
measure_rates (guint port, guint host_port, guint only)
{
  static const guint trains[] = { 1, 3, 10 };

  for (guint i = 0; i < G_N_ELEMENTS (trains); i++) {
    if (only > 0 && trains[i] != only)
      continue;
    measure_rate (port, host_port, trains[i], TRUE, FALSE);
    measure_rate (port, host_port, trains[i], FALSE, FALSE);
    measure_rate (port, host_port, trains[i], TRUE, TRUE);
  }
}

static void
measure_flows (guint port)
{
  static const guint ns[] = { 1, 10, 100, 1000 };
  static GSocket *senders[1000];
  guint host_port, any;
  GSocket *host = socket_new (&host_port);
  GThread *thread;

  g_socket_set_timeout (host, 1);
  for (guint i = 0; i < G_N_ELEMENTS (senders); i++)
    senders[i] = socket_new (&any);
  thread = g_thread_new ("drain", drain, host);
  for (guint i = 0; i < G_N_ELEMENTS (ns); i++)
    measure (ns[i], port, host_port, senders);
  g_atomic_int_set (&done, TRUE);
  g_thread_join (thread);
  for (guint i = 0; i < G_N_ELEMENTS (senders); i++)
    g_object_unref (senders[i]);
  g_object_unref (host);
}

int
main (int argc, char **argv)
{
  const gchar *only = argc > 1 ? argv[1] : "";
  struct rlimit files;
  guint port, host_port;

  gst_init (&argc, &argv);
  getrlimit (RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  setrlimit (RLIMIT_NOFILE, &files);
  g_object_unref (socket_new (&port));
  g_object_unref (socket_new (&host_port));
  if (!g_str_equal (only, "flows"))
    measure_rates (port, host_port, argc > 2 ? (guint) atoi (argv[2]) : 0);
  if (!g_str_equal (only, "rate"))
    measure_flows (port);
  return 0;
}
