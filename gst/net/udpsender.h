/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Hands buffers to the kernel, one datagram each, with as few calls as it takes: what is due
 * together goes in one sendmmsg(), and runs of datagrams of one size as one message that the
 * kernel cuts (UDP generic segmentation). Where the kernel or the device refuses to cut, it is
 * not asked again. No locks. */
#pragma once

#include "net/transport.h"

#include <sys/uio.h>

G_BEGIN_DECLS

typedef struct
{
  int fd;                       /* the caller's: connected, not blocking */
  gint tos_level, tos_type;     /* of its traffic class */
  gint tos;                     /* its traffic class without the ECN bits */
  gboolean segments;            /* FALSE: each datagram its own message */
} UdpSender;

void udp_sender_init (UdpSender * self, GSocket * socket);
/* n: at most TRANSPORT_MAX_BATCH. It may take fewer than n without `again`: buffers of very many
 * memories. ecn: NOT_ECT: as the socket's traffic class has it. */
TransportResult udp_sender_send (UdpSender * self, GstBuffer ** buffers, guint n, RcEcnBits ecn);
/* The same of datagrams of one piece each. */
TransportResult udp_sender_send_vectors (UdpSender * self, const struct iovec *datagrams, guint n,
    RcEcnBits ecn);

G_END_DECLS
