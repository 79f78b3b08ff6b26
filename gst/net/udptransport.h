/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The transport over one UDP socket: batches, GSO, ECN bits, routes that move. */
#pragma once

#include "net/transport.h"

G_BEGIN_DECLS

/* Takes its own reference to the socket (udpsocket.h), and closes it when it is closed: not with
 * the last reference, since the port must be free by then. */
Transport *udp_transport_new (GSocket * socket);

G_END_DECLS
