/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#define _GNU_SOURCE             /* in6_pktinfo */
#include "net/localaddress.h"

#include <errno.h>
#include <string.h>

/* Not every C library has them. */
#ifndef IP_RECVORIGDSTADDR
#define IP_RECVORIGDSTADDR 20
#endif
#ifndef IPV6_RECVORIGDSTADDR
#define IPV6_RECVORIGDSTADDR 74
#endif

/* --- control messages --- */

static LocalAddress
read_v4 (gconstpointer data)
{
  struct sockaddr_in address;
  LocalAddress self = { 0 };

  memcpy (&address, data, sizeof (address));
  self.v4 = address.sin_addr;
  if (!IN_MULTICAST (ntohl (self.v4.s_addr)) && self.v4.s_addr != htonl (INADDR_BROADCAST))
    self.family = AF_INET;
  return self;
}

static LocalAddress
read_v6 (gconstpointer data)
{
  struct sockaddr_in6 address;
  LocalAddress self = { 0 };

  memcpy (&address, data, sizeof (address));
  self.v6 = address.sin6_addr;
  self.scope_id = address.sin6_scope_id;
  if (!IN6_IS_ADDR_MULTICAST (&self.v6))
    self.family = AF_INET6;
  return self;
}

LocalAddress
local_address_of_control (const struct cmsghdr *control)
{
  gsize size = control->cmsg_len - CMSG_LEN (0);

  if (control->cmsg_level == IPPROTO_IP && control->cmsg_type == IP_RECVORIGDSTADDR
      && size >= sizeof (struct sockaddr_in))
    return read_v4 (CMSG_DATA (control));
  if (control->cmsg_level == IPPROTO_IPV6 && control->cmsg_type == IPV6_RECVORIGDSTADDR
      && size >= sizeof (struct sockaddr_in6))
    return read_v6 (CMSG_DATA (control));
  return (LocalAddress) { 0 };
}

/* --- sockets --- */

gboolean
local_address_watch (GSocket * socket)
{
  gboolean v4, v6;

  /* A socket of IPv6 may receive IPv4, too. */
  v4 = g_socket_set_option (socket, IPPROTO_IP, IP_RECVORIGDSTADDR, TRUE, NULL);
  v6 = g_socket_get_family (socket) != G_SOCKET_FAMILY_IPV6
      || g_socket_set_option (socket, IPPROTO_IPV6, IPV6_RECVORIGDSTADDR, TRUE, NULL);
  return v4 && v6;
}

LocalAddress
local_address_of_message (struct msghdr *message)
{
  LocalAddress address = { 0 };
  struct cmsghdr *control;

  for (control = CMSG_FIRSTHDR (message); control && address.family == AF_UNSPEC;
      control = CMSG_NXTHDR (message, control))
    address = local_address_of_control (control);
  return address;
}

/* --- answers --- */

typedef union
{
  struct cmsghdr align;
  guint8 bytes[CMSG_SPACE (sizeof (struct in6_pktinfo))];
} SourceControl;

static void
put_control (struct msghdr *message, SourceControl * space, gint level, gint type,
    gconstpointer data, gsize size)
{
  struct cmsghdr *control;

  memset (space, 0, sizeof (*space));
  message->msg_control = space;
  message->msg_controllen = CMSG_SPACE (size);
  control = CMSG_FIRSTHDR (message);
  control->cmsg_level = level;
  control->cmsg_type = type;
  control->cmsg_len = CMSG_LEN (size);
  memcpy (CMSG_DATA (control), data, size);
}

static void
put_source (const LocalAddress * from, struct msghdr *message, SourceControl * space)
{
  if (from->family == AF_INET) {
    struct in_pktinfo info = {.ipi_spec_dst = from->v4 };

    put_control (message, space, IPPROTO_IP, IP_PKTINFO, &info, sizeof (info));
  } else if (from->family == AF_INET6) {
    struct in6_pktinfo info = {.ipi6_addr = from->v6,.ipi6_ifindex = from->scope_id };

    put_control (message, space, IPPROTO_IPV6, IPV6_PKTINFO, &info, sizeof (info));
  }
}

/* What the kernel says of a source that is no address of ours any more; the IP version and the
 * route decide which. */
static gboolean
may_be_gone (gint error)
{
  return error == EINVAL || error == EADDRNOTAVAIL || error == ENETUNREACH || error == EHOSTUNREACH;
}

gssize
local_address_send (const LocalAddress * from, gint fd, const struct sockaddr *to,
    socklen_t to_size, gconstpointer data, gsize size)
{
  struct iovec vector = { (gpointer) data, size };
  struct msghdr message = {.msg_name = (gpointer) to,.msg_namelen = to_size,.msg_iov = &vector,
      .msg_iovlen = 1 };
  SourceControl space;
  gssize sent;

  put_source (from, &message, &space);
  sent = sendmsg (fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
  if (sent >= 0 || !message.msg_control || !may_be_gone (errno))
    return sent;
  message.msg_control = NULL;
  message.msg_controllen = 0;
  return sendmsg (fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
}
