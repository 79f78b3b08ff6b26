/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* rcp-relay-cost: what a packet costs rcprelay, by the number of flows: CPU time of its thread,
 * kernel included, over packets. One thread sends on loopback at PACKETS_PER_S, stamped, round
 * robin; another takes what comes out. */
#include "rtp/ratestamp.h"
#include "rcprelay/relay.h"
#include "rcprelay/relayflow.h"

#include <gio/gio.h>
#include <string.h>
#include <sys/resource.h>

#define PACKETS_PER_S 20000
#define BATCH 20
#define SECONDS 5
#define PACKET_BYTES 1200

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

/* Of the thread of the pacing engine, s. */
static gdouble
relay_cpu_s (void)
{
  GDir *dir = g_dir_open ("/proc/self/task", 0, NULL);
  guint64 ns = 0;
  const gchar *id;

  while ((id = g_dir_read_name (dir))) {
    gchar *name = g_strdup_printf ("/proc/self/task/%s/comm", id), *comm = NULL, *stat = NULL;
    gchar *path = g_strdup_printf ("/proc/self/task/%s/schedstat", id);

    if (g_file_get_contents (name, &comm, NULL, NULL) && g_str_has_prefix (comm, "rmc-pacing")
        && g_file_get_contents (path, &stat, NULL, NULL))
      ns = g_ascii_strtoull (stat, NULL, 10);
    g_free (name);
    g_free (path);
    g_free (comm);
    g_free (stat);
  }
  g_dir_close (dir);
  return ns / 1e9;
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

static void
measure (guint n, guint port, guint host_port, GSocket ** senders)
{
  RelayConfig config = {.address = "127.0.0.1",.port = port,.n_ports = 1,.host = "127.0.0.1",
      .host_port = host_port, .capacity_bps = G_GUINT64_CONSTANT (1000000000),
      .router = RC_ROUTER_PARAMS_DEFAULT,.max_queue_time = RC_SECOND,
      .stamp_id = RATE_STAMP_ID,.max_flows = n };
  GSocketAddress *to = g_inet_socket_address_new_from_string ("127.0.0.1", port);
  GError *error = NULL;
  Relay *relay = relay_new (&config, &error);
  RelayStats before, after;
  gdouble cpu;

  if (!relay)
    g_error ("%s", error->message);
  /* The flows are there then. */
  send_all (senders, n, to, (n / RELAY_FLOW_NEW_PER_S + 1) * PACKETS_PER_S);
  g_usleep (G_USEC_PER_SEC / 5);
  relay_get_stats (relay, &before);
  cpu = relay_cpu_s ();
  send_all (senders, n, to, SECONDS * PACKETS_PER_S);
  g_usleep (G_USEC_PER_SEC / 5);
  cpu = relay_cpu_s () - cpu;
  relay_get_stats (relay, &after);
  g_print ("%u flows: %.2f us a packet; %"
      G_GUINT64_FORMAT " of %u packets came, %" G_GUINT64_FORMAT " left\n", after.flows,
      cpu * 1e6 / (after.packets_in - before.packets_in), after.packets_in - before.packets_in,
      SECONDS * PACKETS_PER_S, after.packets_out - before.packets_out);
  relay_free (relay);
  g_object_unref (to);
}

int
main (int argc, char **argv)
{
  static const guint ns[] = { 1, 10, 100, 1000 };
  static GSocket *senders[1000];
  struct rlimit files;
  guint port, host_port, any;
  GSocket *host;
  GThread *thread;

  gst_init (&argc, &argv);
  getrlimit (RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  setrlimit (RLIMIT_NOFILE, &files);
  host = socket_new (&host_port);
  g_socket_set_timeout (host, 1);
  g_object_unref (socket_new (&port));
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
  return 0;
}
