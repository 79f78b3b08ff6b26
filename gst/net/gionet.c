/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The system calls of a receiver where there is no Linux: udpreader.h, localaddress.h, ecnbits.h
 * and the part of udpsocket.h that arcsrc uses, by GIO alone. One datagram a call, and no control
 * messages: ECN bits, the address that was sent to and the time in the kernel stay unknown. */

#include "net/udpreader.h"
#include "net/ecnbits.h"
#include "net/udpsocket.h"

#include <errno.h>
#include <gst/net/net.h>

#define MOST_BYTES 65536

struct _UdpReader
{
  GSocket *socket;
  GCancellable *flush;
  guint8 bytes[MOST_BYTES];
};

/* --- udpreader.h --- */

UdpReader *
udp_reader_new (GSocket * socket)
{
  UdpReader *self = g_new0 (UdpReader, 1);

  self->socket = g_object_ref (socket);
  self->flush = g_cancellable_new ();
  g_socket_set_blocking (socket, FALSE);
  return self;
}

void
udp_reader_free (UdpReader * self)
{
  g_object_unref (self->socket);
  g_object_unref (self->flush);
  g_free (self);
}

void
udp_reader_set_flushing (UdpReader * self, gboolean flushing)
{
  if (flushing)
    g_cancellable_cancel (self->flush);
  else
    g_cancellable_reset (self->flush);
}

/* An error of GIO, for what reads errno. */
static gint
errno_of (const GError * error)
{
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE))
    return ENOBUFS;
  return EIO;
}

UdpReaderWait
udp_reader_wait (UdpReader * self, gint timeout_ms)
{
  GError *error = NULL;
  UdpReaderWait wait = UDP_READER_READY;

  if (!g_socket_condition_timed_wait (self->socket, G_IO_IN, timeout_ms > 0 ? timeout_ms
          * (gint64) 1000 : -1, self->flush, &error)) {
    if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
      wait = UDP_READER_FLUSHING;
    else if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT))
      wait = UDP_READER_TIMEOUT;
    else
      wait = UDP_READER_ERROR;
    errno = errno_of (error);
  }
  g_clear_error (&error);
  return wait;
}

/* What an ICMP message says of a packet of ours is no error of the socket. */
static gboolean
passes (const GError * error)
{
  return g_error_matches (error, G_IO_ERROR, G_IO_ERROR_WOULD_BLOCK)
      || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CONNECTION_REFUSED)
      || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CONNECTION_CLOSED)
      || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_HOST_UNREACHABLE)
      || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NETWORK_UNREACHABLE);
}

gint
udp_reader_read (UdpReader * self, UdpDatagram datagrams[UDP_READER_MOST])
{
  GError *error = NULL;
  gint n = 0;
  gssize got = 0;

  while (n < UDP_READER_MOST && got >= 0) {
    GSocketAddress *from = NULL;
    GstBuffer *buffer;

    got = g_socket_receive_from (self->socket, &from, (gchar *) self->bytes, MOST_BYTES, NULL,
        &error);
    if (got < 0)
      break;
    buffer = gst_buffer_new_memdup (self->bytes, (gsize) got);
    if (from)
      gst_buffer_add_net_address_meta (buffer, from);
    g_clear_object (&from);
    datagrams[n++] = (UdpDatagram) { buffer,.age = RC_TIME_NONE };
  }
  if (n == 0 && !passes (error)) {
    errno = errno_of (error);
    n = -1;
  }
  g_clear_error (&error);
  return n;
}

/* --- localaddress.h, ecnbits.h, udpsocket.h --- */

/* By whatever address the system chooses. */
gssize
local_address_send (const LocalAddress * from, gint fd, const struct sockaddr *to,
    socklen_t to_size, gconstpointer data, gsize size)
{
  return sendto (fd, data, size, 0, to, to_size);
}

gboolean
ecn_bits_of_buffer (GstBuffer * buffer, RcEcnBits * bits)
{
  *bits = RC_ECN_BITS_NOT_ECT;
  return FALSE;
}

/* A call that nobody answers says it later. */
gboolean
udp_socket_is_refused (GSocketAddress * peer)
{
  return FALSE;
}
