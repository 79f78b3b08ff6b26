/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What the relay needs of an IPv4 or IPv6 packet. */
#pragma once

#include <glib.h>
#include <link/fifo.h>

G_BEGIN_DECLS

typedef struct
{
  guint version;                /* 4 or 6 */
  guint protocol; /* that follows the header; IPv6 extension headers are not looked into */
  const guint8 *source, *destination;   /* 4 or 16 bytes */
  const guint8 *ports; /* source and destination, 2 bytes each; NULL: none, or a later fragment */
} IpHeader;

/* FALSE: not a whole IP packet. Points into `bytes`. */
gboolean ip_header_parse (IpHeader * self, const guint8 * bytes, guint len);
/* "tcp 10.77.1.1:5000 10.77.2.1:6000", "udp [fd77:1::1]:1 [fd77:2::1]:2", "icmp 10.77.1.1
 * 10.77.2.1"; interned. */
const gchar *ip_header_flow (const IpHeader * self);

/* Of a packet that was parsed. */
LinkEcn ip_ecn (const guint8 * bytes);
/* Sets "congestion experienced" and mends the checksum. */
void ip_set_ce (guint8 * bytes);

G_END_DECLS
