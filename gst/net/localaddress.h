/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Which of this machine's addresses a datagram was sent to, so that the answer leaves from there: a
 * sender takes answers only from where it sends to, and a machine with several addresses would
 * choose another.
 *
 * Asked with IP_RECVORIGDSTADDR: a whole socket address, with the interface of a link-local one. */
#pragma once

#include <gio/gio.h>
#include <gio/gnetworking.h>

G_BEGIN_DECLS

typedef struct
{
  /* AF_INET, AF_INET6; AF_UNSPEC, of a zeroed one: unknown, or no address of one machine. */
  guint16 family;
  struct in_addr v4;
  struct in6_addr v6;
  guint32 scope_id;             /* of a link-local v6: the interface */
} LocalAddress;

/* Size of the control message of one datagram, in msg_control of recvmsg(). */
#define LOCAL_ADDRESS_CONTROL_BYTES CMSG_SPACE (sizeof (struct sockaddr_in6))

/* Enables the control message on the socket, for IPv4 and IPv6. FALSE: not supported. */
gboolean local_address_watch (GSocket * socket);
/* By recvmsg() or recvmmsg(); of one control message: unknown, if it is another one. Linux. */
struct msghdr;
struct cmsghdr;
LocalAddress local_address_of_message (struct msghdr *message);
LocalAddress local_address_of_control (const struct cmsghdr *control);
/* A datagram from that address, or from any if it is unknown or gone. Never blocks. As sendto():
 * -1 and errno. */
gssize local_address_send (const LocalAddress * from, gint fd, const struct sockaddr *to,
    socklen_t to_size, gconstpointer data, gsize size);

G_END_DECLS
