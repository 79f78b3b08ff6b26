/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A network interface in a namespace of its own, whose other end is a descriptor of ours: whole IP
 * packets, none larger than the MTU. A TUN device, or where /dev/net/tun is closed to us one end of
 * a veth pair with a packet socket on the other.
 *
 * Addresses of end e (1: sender, 2: receiver) on path k: 10.77.e.k and fd77:e::k. A packet to
 * the k of the other end leaves from our own k. */
#pragma once

#include <glib.h>
#include <linux/if_packet.h>

G_BEGIN_DECLS

#define DEVICE_NAME "lab0"
#define DEVICE_MTU_BYTES 1500

typedef struct
{
  int fd, ns_fd;
  gboolean is_veth;
  struct sockaddr_ll peer;      /* of the packet socket */
} Device;

/* Makes the namespace and its device with n_paths addresses; the calling thread ends in
 * namespace home_fd, where the other end of a veth pair is. FALSE and *error if the system
 * refuses. */
gboolean device_open (Device * self, guint end, guint n_paths, int home_fd, GError ** error);
void device_close (Device * self);
/* One packet; 0: none waits. */
guint device_read (Device * self, guint8 * bytes, guint max);
gboolean device_write (Device * self, const guint8 * bytes, guint len);
/* Packets that the kernel dropped on their way to us since we did not read fast enough. */
guint64 device_overflow_pkts (Device * self);

G_END_DECLS
