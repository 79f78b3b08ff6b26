/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "attacker.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/ip.h>
#include <netinet/udp.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define MAX_HEARD 20000
#define MAX_DATAGRAM 2048       /* GSO may show several datagrams as one: longer than that */
#define OWN_TTL 63              /* by which he knows his own packets */
#define BUFFER_BYTES (8 << 20)

static void
datagram_free (gpointer data)
{
  Datagram *datagram = data;

  g_free (datagram->data);
  g_free (datagram);
}

gboolean
attacker_open (Attacker * self)
{
  int on = 1, bytes = BUFFER_BYTES;

  self->heard = g_ptr_array_new_with_free_func (datagram_free);
  self->spoofing = socket (AF_INET, SOCK_RAW, IPPROTO_RAW);
  self->listening = socket (AF_INET, SOCK_RAW, IPPROTO_UDP);
  if (self->spoofing < 0 || self->listening < 0
      || setsockopt (self->spoofing, IPPROTO_IP, IP_HDRINCL, &on, sizeof on) < 0) {
    attacker_close (self);
    return FALSE;
  }
  /* Root of a user namespace may have to live with less. */
  if (setsockopt (self->listening, SOL_SOCKET, SO_RCVBUFFORCE, &bytes, sizeof bytes) < 0)
    setsockopt (self->listening, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
  return TRUE;
}

void
attacker_close (Attacker * self)
{
  if (self->spoofing >= 0)
    close (self->spoofing);
  if (self->listening >= 0)
    close (self->listening);
  g_ptr_array_unref (self->heard);
}

/* An IPv4 packet with its header. */
static void
note (Attacker * self, const guint8 * packet, gsize size)
{
  gsize header = 4 * (gsize) (packet[0] & 0x0f);
  Datagram *datagram;
  struct iphdr ip;
  struct udphdr udp;

  if (size < sizeof ip || size < header + sizeof udp || size > MAX_DATAGRAM
      || self->heard->len >= MAX_HEARD)
    return;
  memcpy (&ip, packet, sizeof ip);
  memcpy (&udp, packet + header, sizeof udp);
  if (ip.ttl == OWN_TTL)
    return;
  datagram = g_new0 (Datagram, 1);
  datagram->from = (Place) { ntohl (ip.saddr), ntohs (udp.source) };
  datagram->to = (Place) { ntohl (ip.daddr), ntohs (udp.dest) };
  datagram->size = size - header - sizeof udp;
  datagram->data = g_memdup2 (packet + header + sizeof udp, datagram->size);
  g_ptr_array_add (self->heard, datagram);
}

void
attacker_listen (Attacker * self)
{
  guint8 packet[65536];
  ssize_t size;

  while ((size = recv (self->listening, packet, sizeof packet, MSG_DONTWAIT)) >= 0)
    note (self, packet, (gsize) size);
}

void
attacker_send (Attacker * self, Place from, Place to, gconstpointer data, gsize size)
{
  guint8 packet[sizeof (struct iphdr) + sizeof (struct udphdr) + MAX_DATAGRAM];
  guint16 bytes = (guint16) (sizeof (struct iphdr) + sizeof (struct udphdr) + size);
  struct iphdr ip = {.version = 4,.ihl = 5,.ttl = OWN_TTL,.protocol = IPPROTO_UDP,
    .saddr = htonl (from.address),.daddr = htonl (to.address),.tot_len = htons (bytes)
  };
  struct udphdr udp = {.source = htons (from.port),.dest = htons (to.port),
    .len = htons ((guint16) (sizeof (struct udphdr) + size))
  };
  struct sockaddr_in at = {.sin_family = AF_INET,.sin_addr.s_addr = htonl (to.address) };

  g_return_if_fail (size <= MAX_DATAGRAM);
  memcpy (packet, &ip, sizeof ip);
  memcpy (packet + sizeof ip, &udp, sizeof udp);
  memcpy (packet + sizeof ip + sizeof udp, data, size);
  sendto (self->spoofing, packet, bytes, 0, (struct sockaddr *) &at, sizeof at);
}
