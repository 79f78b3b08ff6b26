/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "tunrelay.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "device.h"
#include "ipheader.h"
#include "eventloop.h"
#include "netns.h"

#define MAX_PKTS 64             /* reads in a row from one end: deliveries wait meanwhile */
#define MAX_PACKET_BYTES 65536

enum
{
  END_SENDER,
  END_RECEIVER,
  N_ENDS,
};

struct _TunRelay
{
  Options *options;
  Loop loop;
  int home_fd;
  Device ends[N_ENDS];
  guint8 bytes[MAX_PACKET_BYTES];
  guint64 refused_pkts, oversize_pkts;
};

static void
on_output (Packet *packet, gboolean reverse, gpointer user_data)
{
  TunRelay *self = user_data;

  if (packet->link.ecn == LINK_ECN_CE)
    ip_set_ce (packet->bytes);
  loop_sent (&self->loop, packet,
      device_write (&self->ends[reverse ? END_SENDER : END_RECEIVER], packet->bytes, packet->len));
  g_free (packet);
}

/* Number of an address at that end (1, 2), from 1; 0: not one of ours. */
static guint
number_of (const IpHeader *header, const guint8 *address, guint8 end)
{
  const guint8 ipv4[] = { 10, 77, end }, ipv6[15] = { 0xfd, 0x77, 0, end };
  const guint8 *prefix = header->version == 4 ? ipv4 : ipv6;
  gsize len = header->version == 4 ? sizeof ipv4 : sizeof ipv6;

  return memcmp (address, prefix, len) == 0
      && address[len] <= TOPOLOGY_MAX_PATHS ? address[len] : 0;
}

/* Of the receiver's address, from 0. FALSE: the packet is not from one end to the other. */
static gboolean
find_path (const IpHeader *header, gboolean reverse, guint *path)
{
  guint source = number_of (header, header->source, reverse ? 2 : 1);
  guint destination = number_of (header, header->destination, reverse ? 1 : 2);

  *path = (reverse ? source : destination) - 1;
  return source > 0 && destination > 0;
}

static Packet *
packet_new (const TunRelay *self, const IpHeader *header, guint path, guint len)
{
  const gboolean logged = self->options->packets || self->options->reverse_packets;
  Packet *packet = g_malloc (sizeof (Packet) + len);

  *packet = (Packet) {
    .link = { .size_bytes = len + self->options->overhead_bytes, .ecn = ip_ecn (self->bytes) },
    .path = path, .flow = logged ? ip_header_flow (header) : NULL, .len = len,
  };
  memcpy (packet->bytes, self->bytes, len);
  return packet;
}

static void
on_packet (TunRelay *self, gboolean reverse, guint len)
{
  IpHeader header;
  guint path;

  if (len > DEVICE_MTU_BYTES) {
    self->oversize_pkts++;
    return;
  }
  if (!ip_header_parse (&header, self->bytes, len) || !find_path (&header, reverse, &path)) {
    self->refused_pkts++;
    return;
  }
  loop_begin (&self->loop, loop_clock ());
  network_arrive (&self->loop.network, packet_new (self, &header, path, len), reverse,
      loop_time_of (&self->loop, RC_TIME_NONE));
}

static void
on_readable (guint key, gpointer user_data)
{
  TunRelay *self = user_data;
  guint len;

  for (guint i = 0; i < MAX_PKTS
      && (len = device_read (&self->ends[key], self->bytes, sizeof self->bytes)) > 0; i++)
    on_packet (self, key == END_RECEIVER, len);
}

static gboolean
open_ends (TunRelay *self, GError **error)
{
  self->home_fd = netns_new (error);
  if (self->home_fd < 0)
    return FALSE;
  for (guint i = 0; i < N_ENDS; i++) {
    if (!device_open (&self->ends[i], i + 1, TOPOLOGY_MAX_PATHS, self->home_fd, error))
      return FALSE;
    loop_watch (&self->loop, self->ends[i].fd, i);
  }
  /* As the first process of a PID namespace we inherit the lab's orphans, and wait for none. */
  signal (SIGCHLD, SIG_IGN);
  return TRUE;
}

TunRelay *
tun_relay_new (Options *options, GError **error)
{
  TunRelay *self = g_new0 (TunRelay, 1);

  self->options = options;
  self->home_fd = -1;
  for (guint i = 0; i < N_ENDS; i++)
    self->ends[i] = (Device) { .fd = -1, .ns_fd = -1 };
  if (!loop_init (&self->loop, options, on_output, on_readable, self, error)) {
    g_free (self);
    return NULL;
  }
  if (open_ends (self, error))
    return self;
  tun_relay_free (self);
  return NULL;
}

void
tun_relay_free (TunRelay *self)
{
  loop_clear (&self->loop);
  for (guint i = 0; i < N_ENDS; i++)
    device_close (&self->ends[i]);
  if (self->home_fd >= 0)
    close (self->home_fd);
  g_free (self);
}

gchar *
tun_relay_namespaces (const TunRelay *self)
{
  gchar *sender = netns_path (self->ends[END_SENDER].ns_fd),
      *receiver = netns_path (self->ends[END_RECEIVER].ns_fd);
  gchar *text = g_strdup_printf ("sender %s receiver %s", sender, receiver);

  g_free (sender);
  g_free (receiver);
  return text;
}

gboolean
tun_relay_run (TunRelay *self, int stop_fd, GError **error)
{
  return loop_run (&self->loop, stop_fd, self->options->start_on_traffic, error);
}

void
tun_relay_print_summary (TunRelay *self, FILE *file)
{
  const LoopFact facts[] = {
    {"device overflows", device_overflow_pkts (&self->ends[END_SENDER])
        + device_overflow_pkts (&self->ends[END_RECEIVER])},
    {"refused for their addresses", self->refused_pkts},
    {"larger than the MTU", self->oversize_pkts},
  };

  loop_print_summary (&self->loop, facts, G_N_ELEMENTS (facts), file);
}
