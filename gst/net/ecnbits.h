/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The ECN bits of received packets: from the socket to a buffer's GstNetControlMessageMeta, and out
 * of that.
 *
 * udpsrc reads control messages but drops all except the kernel's time of receipt. GIO however
 * asks each known subclass of GSocketControlMessage about each of them, in the thread that reads
 * the socket: ours looks at the traffic class, remembers it for this thread and declines, so
 * that other consumers still get the message.
 *
 * Rejected: a source of our own, which would repeat udpsrc. A buffer that has ECN bits already,
 * as from a newer udpsrc, keeps them. */
#pragma once

#include <gio/gio.h>
#include <gst/gst.h>
#include <rc/base/types.h>

G_BEGIN_DECLS

/* Enables the traffic class of received packets on the socket, for IPv4 and IPv6. FALSE: not
 * supported. */
gboolean ecn_bits_watch (GSocket * socket);
/* Takes the buffer that holds the datagram which this thread read last, and returns it with the
 * meta; a traffic class that is attached already stays. Nothing is attached if no watched socket
 * was read since the last call. */
GstBuffer *ecn_bits_attach (GstBuffer * buffer);
/* Of any traffic class that is attached. FALSE: there is none, and *bits is not-ECT. */
gboolean ecn_bits_of_buffer (GstBuffer * buffer, RcEcnBits * bits);

G_END_DECLS
