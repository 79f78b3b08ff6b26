/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Hands buffers to the kernel, one datagram each, with as few calls as it takes: what is due together goes in one
 * sendmmsg(), and runs of datagrams of one size as one message that the kernel cuts (UDP generic segmentation). Where
 * the kernel or the device refuses to cut, it is not asked again. No locks. */
#pragma once

#include <gio/gio.h>
#include <gst/gst.h>

G_BEGIN_DECLS

#define UDP_SENDER_MAX_BATCH 64 /* segments that the kernel cuts from one message */

typedef struct
{
  int fd;                       /* the caller's: connected, not blocking */
  gint tos_level, tos_type;     /* of its traffic class */
  gint ect_tos;                 /* its traffic class, but ECN-capable */
  gboolean segments;            /* FALSE: each datagram its own message */
} UdpSender;

typedef struct
{
  guint sent;                   /* packets from the first on that need no further attempt */
  guint errors, refused;        /* of these, not sent: any reason; ECONNREFUSED */
  gint last_error;              /* errno of the last of these errors */
  gboolean again;               /* the kernel's buffer is full: try the rest later */
} UdpSendResult;

void udp_sender_init (UdpSender * self, GSocket * socket);
/* n: at most UDP_SENDER_MAX_BATCH. It may take fewer than n without `again`: buffers of very many memories.
 * ect: as ECN-capable packets, ECT(0). */
UdpSendResult udp_sender_send (UdpSender * self, GstBuffer ** buffers, guint n, gboolean ect);

G_END_DECLS
