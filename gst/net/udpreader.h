/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What waits at a UDP socket, many datagrams a system call, each with what the kernel says of it:
 * where it came from, which address of this machine it was sent to, its traffic class, how long ago
 * it came. All system calls of the receiving thread are here, but for those that open the socket
 * (listensocket.h).
 *
 * Problem: GIO makes an object of each control message, and asks all its classes about it. Rule:
 * recvmmsg() into buffers that wait here, control messages read where they stand, and an address
 * that came before is the same object again.
 *
 * Rejected: a GstBufferPool. Only to give a buffer back takes 1 170 instructions in udpsrc, memory
 * from malloc() and its return 740, and a pool keeps what one burst took. */
#pragma once

#include "localaddress.h"

#include <gst/gst.h>
#include <rc/base/types.h>

G_BEGIN_DECLS

#define UDP_READER_MOST 32      /* datagrams a read */

typedef struct
{
  GstBuffer *buffer;            /* with GstNetAddressMeta, and the traffic class (ecnbits.h) */
  LocalAddress local;
  RcTime age;                   /* since the kernel received it; RC_TIME_NONE: unknown */
} UdpDatagram;

typedef enum
{
  UDP_READER_READY,
  UDP_READER_TIMEOUT,
  UDP_READER_FLUSHING,
  UDP_READER_ERROR,             /* errno says which */
} UdpReaderWait;

typedef struct _UdpReader UdpReader;

/* Asks the kernel for all of the above; what it does not know stays unknown. */
UdpReader *udp_reader_new (GSocket * socket);
void udp_reader_free (UdpReader * self);
/* From any thread: who waits returns at once, and nobody waits until it is FALSE again. */
void udp_reader_set_flushing (UdpReader * self, gboolean flushing);
/* timeout_ms 0: as long as it takes. */
UdpReaderWait udp_reader_wait (UdpReader * self, gint timeout_ms);
/* Does not wait. Returns how many there were, whose buffers the caller owns; -1: errno says why. */
gint udp_reader_read (UdpReader * self, UdpDatagram datagrams[UDP_READER_MOST]);

G_END_DECLS
