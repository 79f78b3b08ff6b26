/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#define _GNU_SOURCE             /* recvmmsg */
#include "relaylistener.h"

#include "net/listensocket.h"

#include <netinet/in.h>
#include <netinet/udp.h>
#include <string.h>

#ifndef UDP_GRO
#define UDP_GRO 104             /* Linux 5.0; older headers do not know it */
#endif

#define MAX_TRAIN_BYTES 65536   /* the kernel joins no more */
#define BUFFER_BYTES (4 << 20)  /* of the kernel: 40 ms of 800 Mbit/s; it may grant less */

typedef union
{
  guint8 bytes[LOCAL_ADDRESS_CONTROL_BYTES + CMSG_SPACE (sizeof (guint32))
      + CMSG_SPACE (sizeof (gint))];
  struct cmsghdr align;
} Control;

struct _RelayInbox
{
  guint used;                   /* of the messages: those are prepared again */
  struct mmsghdr messages[RELAY_INBOX_BATCH];
  struct iovec vectors[RELAY_INBOX_BATCH];
  struct sockaddr_storage addresses[RELAY_INBOX_BATCH];
  Control controls[RELAY_INBOX_BATCH];
  guint8 data[RELAY_INBOX_BATCH][MAX_TRAIN_BYTES];
};

/* --- the socket --- */

/* The socket would be bound to any address, and hear no group. */
static gboolean
refuse_multicast (const gchar * resolved, GError ** error)
{
  GInetAddress *inet = g_inet_address_new_from_string (resolved);
  gboolean multicast = inet && g_inet_address_get_is_multicast (inet);

  if (multicast)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
        "address %s is a multicast group, which a relay does not join; set address to one "
        "of this machine, or to 0.0.0.0 or :: for all", resolved);
  g_clear_object (&inet);
  return multicast;
}

gboolean
relay_listener_open (RelayListener * self, const gchar * address, guint16 port,
    gboolean joined, GError ** error)
{
  gchar *resolved = NULL;

  self->socket = listen_socket_open (address, port, BUFFER_BYTES, &resolved, error);
  if (self->socket && refuse_multicast (resolved, error))
    g_clear_object (&self->socket);
  g_free (resolved);
  if (!self->socket)
    return FALSE;
  g_socket_set_blocking (self->socket, FALSE);
  g_socket_set_option (self->socket, SOL_SOCKET, SO_RXQ_OVFL, TRUE, NULL);
  if (joined)
    g_socket_set_option (self->socket, IPPROTO_UDP, UDP_GRO, TRUE, NULL);
  local_address_watch (self->socket);
  return TRUE;
}

void
relay_listener_close (RelayListener * self)
{
  g_clear_object (&self->socket);
}

gboolean
relay_listener_answer (const RelayListener * self, const RelayPeer * to, const LocalAddress * from,
    gconstpointer data, gsize size)
{
  return local_address_send (from, g_socket_get_fd (self->socket),
      (const struct sockaddr *) &to->address, to->size, data, size) >= 0;
}

/* --- the inbox --- */

RelayInbox *
relay_inbox_new (void)
{
  RelayInbox *self = g_new0 (RelayInbox, 1);

  self->used = RELAY_INBOX_BATCH;
  return self;
}

void
relay_inbox_free (RelayInbox * self)
{
  g_free (self);
}

static void
prepare (RelayInbox * self, guint i)
{
  memset (&self->addresses[i], 0, sizeof self->addresses[i]);   /* compared as a whole */
  self->vectors[i] = (struct iovec) { self->data[i], MAX_TRAIN_BYTES };
  self->messages[i].msg_hdr = (struct msghdr) {
    .msg_name = &self->addresses[i],.msg_namelen = sizeof self->addresses[i],
    .msg_iov = &self->vectors[i],
    .msg_iovlen = 1,.msg_control = &self->controls[i],.msg_controllen = sizeof self->controls[i]
  };
}

static void
note_overflow (struct msghdr *message, RelayListener * listener)
{
  for (struct cmsghdr * c = CMSG_FIRSTHDR (message); c; c = CMSG_NXTHDR (message, c))
    if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SO_RXQ_OVFL)
      memcpy (&listener->overflow_pkts, CMSG_DATA (c), sizeof listener->overflow_pkts);
}

guint
relay_inbox_read (RelayInbox * self, RelayListener * listener)
{
  gint n;

  for (guint i = 0; i < self->used; i++)
    prepare (self, i);
  n = recvmmsg (g_socket_get_fd (listener->socket), self->messages, RELAY_INBOX_BATCH, MSG_DONTWAIT,
      NULL);
  self->used = (guint) MAX (n, 0);
  if (n <= 0)
    return 0;
  note_overflow (&self->messages[n - 1].msg_hdr, listener);
  return (guint) n;
}

/* 0: it is one datagram. */
static gsize
joined_bytes (struct msghdr *message)
{
  gint bytes = 0;

  for (struct cmsghdr * c = CMSG_FIRSTHDR (message); c; c = CMSG_NXTHDR (message, c))
    if (c->cmsg_level == IPPROTO_UDP && c->cmsg_type == UDP_GRO)
      memcpy (&bytes, CMSG_DATA (c), sizeof bytes);
  return (gsize) MAX (bytes, 0);
}

void
relay_inbox_get (RelayInbox * self, guint i, RelayTrain * train)
{
  struct msghdr *message = &self->messages[i].msg_hdr;
  gsize size = self->messages[i].msg_len, joined = joined_bytes (message);

  *train = (RelayTrain) {
    .data = self->data[i],.size = size,.datagram_bytes = joined > 0 ? joined : size,
    .from = {message->msg_namelen, self->addresses[i]},.to = local_address_of_message (message)
  };
}
