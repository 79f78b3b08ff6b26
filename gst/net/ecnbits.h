/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The ECN bits of received packets: from the control messages of a datagram to a buffer's
 * GstNetControlMessageMeta, and out of that. An object of GIO for each packet would cost more than
 * all else that is done with it: packets of the same traffic class share one. */
#pragma once

#include <gio/gio.h>
#include <gio/gnetworking.h>
#include <gst/gst.h>
#include <rc/base/types.h>

G_BEGIN_DECLS

/* Size of the control message of one datagram, in msg_control of recvmsg(). */
#define ECN_BITS_CONTROL_BYTES CMSG_SPACE (sizeof (int))

/* What was attached last, by ECN bits. A zeroed one is empty. */
typedef struct
{
  GSocketControlMessage *messages[4];
} EcnBitsCache;

/* Enables the traffic class of received packets on the socket, for IPv4 and IPv6. FALSE: not
 * supported. */
gboolean ecn_bits_watch (GSocket * socket);
void ecn_bits_cache_clear (EcnBitsCache * self);
/* To a buffer that nobody else has. FALSE: the control message is another one. Linux. */
struct cmsghdr;
gboolean ecn_bits_attach (GstBuffer * buffer, EcnBitsCache * cache, const struct cmsghdr *control);
/* Of any traffic class that is attached. FALSE: there is none, and *bits is not-ECT. */
gboolean ecn_bits_of_buffer (GstBuffer * buffer, RcEcnBits * bits);

G_END_DECLS
