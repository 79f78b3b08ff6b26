/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#define _GNU_SOURCE             /* sendmmsg */
#include "net/udpsender.h"

#include "base/arcdebug.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/udp.h>
#include <sys/socket.h>

#ifndef UDP_SEGMENT
#define UDP_SEGMENT 103         /* Linux 4.18; older headers do not know it */
#endif

#define MAX_VECTORS (2 * TRANSPORT_MAX_BATCH)  /* header and payload each */
#define MAX_BUFFER_VECTORS 8    /* memories of one buffer; one with more is merged */
#define MAX_MESSAGE_BYTES 65507 /* of a UDP payload over IPv4, before it is cut */
#define ECN_MASK 3

/* Segment size and traffic class. */
typedef union
{
  guint8 bytes[CMSG_SPACE (sizeof (guint16)) + CMSG_SPACE (sizeof (gint))];
  struct cmsghdr align;
} Control;

typedef struct
{
  GstBuffer *buffer;
  guint first, n;               /* of the vectors */
  gsize bytes;
  gboolean merged;
} Datagram;

typedef struct
{
  guint n_datagrams, n_vectors, n_messages;
  RcEcnBits ecn;
  gint tos;                     /* with them */
  Datagram datagrams[TRANSPORT_MAX_BATCH];
  GstMapInfo maps[MAX_VECTORS];
  struct iovec vectors[MAX_VECTORS];
  struct mmsghdr messages[TRANSPORT_MAX_BATCH];
  guint lengths[TRANSPORT_MAX_BATCH];  /* datagrams in each message */
  Control controls[TRANSPORT_MAX_BATCH];
} Batch;

void
udp_sender_init (UdpSender * self, GSocket * socket)
{
  gboolean v6 = g_socket_get_family (socket) == G_SOCKET_FAMILY_IPV6;
  gint tos = 0;

  self->fd = g_socket_get_fd (socket);
  self->tos_level = v6 ? IPPROTO_IPV6 : IPPROTO_IP;
  self->tos_type = v6 ? IPV6_TCLASS : IP_TOS;
  g_socket_get_option (socket, self->tos_level, self->tos_type, &tos, NULL);
  self->tos = tos & ~ECN_MASK;
  self->segments = TRUE;
}

/* --- buffers --- */

static gboolean
map_next (Batch * batch, GstBuffer * buffer, Datagram * datagram)
{
  GstMapInfo *map = &batch->maps[batch->n_vectors];
  gboolean ok;

  if (datagram->merged)
    ok = gst_buffer_map (buffer, map, GST_MAP_READ);
  else
    ok = gst_memory_map (gst_buffer_peek_memory (buffer, datagram->n), map, GST_MAP_READ);
  if (!ok)
    return FALSE;
  batch->vectors[batch->n_vectors++] = (struct iovec) { map->data, map->size };
  datagram->bytes += map->size;
  datagram->n++;
  return TRUE;
}

/* FALSE: no room left. */
static gboolean
batch_add (Batch * batch, GstBuffer * buffer)
{
  guint n = gst_buffer_n_memory (buffer);
  Datagram *datagram = &batch->datagrams[batch->n_datagrams];

  *datagram = (Datagram) { buffer, batch->n_vectors, 0, 0, n > MAX_BUFFER_VECTORS };
  if (datagram->merged)
    n = 1;
  if (batch->n_vectors + n > MAX_VECTORS)
    return FALSE;
  while (datagram->n < n && map_next (batch, buffer, datagram));
  batch->n_datagrams++;
  return TRUE;
}

static void
batch_unmap (Batch * batch)
{
  guint i, k;

  for (i = 0; i < batch->n_datagrams; i++) {
    Datagram *datagram = &batch->datagrams[i];

    for (k = 0; k < datagram->n; k++) {
      if (datagram->merged)
        gst_buffer_unmap (datagram->buffer, &batch->maps[datagram->first + k]);
      else
        gst_memory_unmap (batch->maps[datagram->first + k].memory,
            &batch->maps[datagram->first + k]);
    }
  }
}

/* --- messages --- */

/* How many datagrams from `first` on one message can hold: all of one size, only the last may be
 * shorter. */
static guint
run_length (const Batch * batch, guint first)
{
  gsize size = batch->datagrams[first].bytes, bytes = size;
  guint i = first + 1;

  while (i < batch->n_datagrams && batch->datagrams[i - 1].bytes == size
      && batch->datagrams[i].bytes > 0 && batch->datagrams[i].bytes <= size
      && bytes + batch->datagrams[i].bytes <= MAX_MESSAGE_BYTES)
    bytes += batch->datagrams[i++].bytes;
  return i - first;
}

/* Behind what is there; the room was zeroed, so that there is no stack in the padding. */
static void
add_control (struct msghdr *header, Control * control, gint level, gint type, gconstpointer data,
    gsize size)
{
  struct cmsghdr *c = (struct cmsghdr *) (control->bytes + header->msg_controllen);

  c->cmsg_level = level;
  c->cmsg_type = type;
  c->cmsg_len = CMSG_LEN (size);
  memcpy (CMSG_DATA (c), data, size);
  header->msg_control = control;
  header->msg_controllen += CMSG_SPACE (size);
}

static void
batch_make_messages (Batch * batch, const UdpSender * sender, guint first)
{
  batch->n_messages = 0;
  while (first < batch->n_datagrams) {
    guint i = batch->n_messages++, n = sender->segments ? run_length (batch, first) : 1;
    const Datagram *last = &batch->datagrams[first + n - 1];
    struct msghdr header = {.msg_iov = &batch->vectors[batch->datagrams[first].first] };

    header.msg_iovlen = last->first + last->n - batch->datagrams[first].first;
    memset (&batch->controls[i], 0, sizeof batch->controls[i]);
    if (n > 1) {
      guint16 size = (guint16) batch->datagrams[first].bytes;

      add_control (&header, &batch->controls[i], IPPROTO_UDP, UDP_SEGMENT, &size, sizeof size);
    }
    if (batch->ecn != RC_ECN_BITS_NOT_ECT)
      add_control (&header, &batch->controls[i], sender->tos_level, sender->tos_type,
          &batch->tos, sizeof batch->tos);
    batch->messages[i].msg_hdr = header;
    batch->lengths[i] = n;
    first += n;
  }
}

/* --- the kernel --- */

static gboolean
cannot_segment (const Batch * batch, guint message, int err)
{
  return batch->lengths[message] > 1 && (err == EIO || err == EINVAL || err == EOPNOTSUPP);
}

/* The kernel returns a pending error of an earlier datagram (ICMP) instead of sending this one: so
 * each gets a second attempt. */
static void
send_messages (UdpSender * self, Batch * batch, TransportResult * result)
{
  guint message = 0, attempts = 0;

  while (message < batch->n_messages) {
    int n = sendmmsg (self->fd, batch->messages + message, batch->n_messages - message,
        MSG_DONTWAIT | MSG_NOSIGNAL);

    if (n > 0) {
      while (n-- > 0)
        result->sent += batch->lengths[message++];
      attempts = 0;
      continue;
    }
    result->again = errno == EAGAIN || errno == EWOULDBLOCK || errno == ENOBUFS;
    if (errno == ECONNREFUSED)
      result->refused++;
    if (result->again)
      return;
    if (cannot_segment (batch, message, errno)) {
      GST_INFO ("the kernel does not segment (%s): each packet its own message",
          g_strerror (errno));
      self->segments = FALSE;
      batch_make_messages (batch, self, result->sent);
      message = 0;
    } else if (attempts++ > 0) {
      result->errors += batch->lengths[message];
      result->last_error = errno;
      result->sent += batch->lengths[message++];
      attempts = 0;
    }
  }
}

static void
batch_init (Batch * batch, const UdpSender * sender, RcEcnBits ecn)
{
  batch->n_datagrams = batch->n_vectors = 0;
  batch->ecn = ecn;
  batch->tos = sender->tos | (gint) ecn;
}

TransportResult
udp_sender_send (UdpSender * self, GstBuffer ** buffers, guint n, RcEcnBits ecn)
{
  TransportResult result = { 0 };
  Batch batch;

  batch_init (&batch, self, ecn);
  while (batch.n_datagrams < MIN (n, TRANSPORT_MAX_BATCH)
      && batch_add (&batch, buffers[batch.n_datagrams]));
  batch_make_messages (&batch, self, 0);
  send_messages (self, &batch, &result);
  batch_unmap (&batch);
  return result;
}

TransportResult
udp_sender_send_vectors (UdpSender * self, const struct iovec *datagrams, guint n, RcEcnBits ecn)
{
  TransportResult result = { 0 };
  Batch batch;

  batch_init (&batch, self, ecn);
  batch.n_datagrams = batch.n_vectors = MIN (n, TRANSPORT_MAX_BATCH);
  for (guint i = 0; i < batch.n_datagrams; i++) {
    batch.datagrams[i] = (Datagram) { NULL, i, 1, datagrams[i].iov_len, FALSE };
    batch.vectors[i] = datagrams[i];
  }
  batch_make_messages (&batch, self, 0);
  send_messages (self, &batch, &result);
  return result;
}
