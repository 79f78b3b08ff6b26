/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "ipheader.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#define IPV4_BYTES 20
#define IPV6_BYTES 40
#define ECN_MASK 3

static gboolean
parse_ipv4 (IpHeader *self, const guint8 *bytes, guint len)
{
  guint header_bytes = (bytes[0] & 15) * 4;
  gboolean later_fragment = (bytes[6] & 0x1f) != 0 || bytes[7] != 0;

  if (len < IPV4_BYTES || header_bytes < IPV4_BYTES || len < header_bytes
      || (guint) (bytes[2] << 8 | bytes[3]) != len)
    return FALSE;
  *self = (IpHeader) { .version = 4, .protocol = bytes[9], .source = bytes + 12,
      .destination = bytes + 16 };
  if (!later_fragment && len >= header_bytes + 4)
    self->ports = bytes + header_bytes;
  return TRUE;
}

static gboolean
parse_ipv6 (IpHeader *self, const guint8 *bytes, guint len)
{
  if (len < IPV6_BYTES || (guint) (bytes[4] << 8 | bytes[5]) + IPV6_BYTES != len)
    return FALSE;
  *self = (IpHeader) { .version = 6, .protocol = bytes[6], .source = bytes + 8,
      .destination = bytes + 24 };
  if (len >= IPV6_BYTES + 4)
    self->ports = bytes + IPV6_BYTES;
  return TRUE;
}

gboolean
ip_header_parse (IpHeader *self, const guint8 *bytes, guint len)
{
  if (len < IPV4_BYTES)
    return FALSE;
  switch (bytes[0] >> 4) {
    case 4:
      return parse_ipv4 (self, bytes, len);
    case 6:
      return parse_ipv6 (self, bytes, len);
    default:
      return FALSE;
  }
}

static gchar *
end_text (const IpHeader *self, const guint8 *address, const guint8 *port)
{
  gchar host[INET6_ADDRSTRLEN];

  inet_ntop (self->version == 4 ? AF_INET : AF_INET6, address, host, sizeof host);
  if (!port)
    return g_strdup (host);
  return g_strdup_printf (self->version == 4 ? "%s:%u" : "[%s]:%u", host, port[0] << 8 | port[1]);
}

const gchar *
ip_header_flow (const IpHeader *self)
{
  gboolean has_ports = self->ports
      && (self->protocol == IPPROTO_TCP || self->protocol == IPPROTO_UDP);
  gchar *source = end_text (self, self->source, has_ports ? self->ports : NULL);
  gchar *destination = end_text (self, self->destination, has_ports ? self->ports + 2 : NULL);
  const gchar *protocol = self->protocol == IPPROTO_TCP ? "tcp" : self->protocol == IPPROTO_UDP
      ? "udp" : self->protocol == IPPROTO_ICMP || self->protocol == IPPROTO_ICMPV6 ? "icmp" : "ip";
  gchar *text = g_strjoin (" ", protocol, source, destination, NULL);
  const gchar *interned = g_intern_string (text);

  g_free (text);
  g_free (source);
  g_free (destination);
  return interned;
}

LinkEcn
ip_ecn (const guint8 *bytes)
{
  guint traffic_class = bytes[0] >> 4 == 4 ? bytes[1] : bytes[1] >> 4;

  return (LinkEcn) (traffic_class & ECN_MASK);
}

/* The sum over the header's words, in ones' complement (RFC 1071), with the checksum itself as
 * 0. */
static guint16
checksum_of (const guint8 *bytes)
{
  guint header_bytes = (bytes[0] & 15) * 4;
  guint32 sum = 0;

  for (guint i = 0; i < header_bytes; i += 2)
    if (i != 10)
      sum += bytes[i] << 8 | bytes[i + 1];
  sum = (sum & 0xffff) + (sum >> 16);
  sum = (sum & 0xffff) + (sum >> 16);
  return (guint16) ~sum;
}

void
ip_set_ce (guint8 *bytes)
{
  guint16 checksum;

  if (bytes[0] >> 4 == 6) {
    bytes[1] |= ECN_MASK << 4;
    return;
  }
  bytes[1] |= ECN_MASK;
  checksum = checksum_of (bytes);
  bytes[10] = checksum >> 8;
  bytes[11] = checksum & 0xff;
}
