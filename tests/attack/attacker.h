/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Somebody on the same host who reads all UDP packets and sends others from any address that he
 * likes. He has no key, cannot hold packets back, and needs CAP_NET_RAW. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  guint32 address;              /* IPv4, host order */
  guint16 port;
} Place;

typedef struct
{
  Place from, to;
  guint8 *data;
  gsize size;
} Datagram;

typedef struct
{
  int spoofing, listening;      /* raw sockets */
  GPtrArray *heard;             /* Datagram, in order */
} Attacker;

/* FALSE: not permitted. */
gboolean attacker_open (Attacker * self);
void attacker_close (Attacker * self);
/* Keeps what others sent since the last call, up to MAX_HEARD datagrams. */
void attacker_listen (Attacker * self);
void attacker_send (Attacker * self, Place from, Place to, gconstpointer data, gsize size);

G_END_DECLS
