/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A transport whose packets are SRTP and SRTCP on the network: it stands between a session and the
 * UDP transport. Packets are protected when they leave, since only then their sequence numbers and
 * header extensions are settled. */
#pragma once

#include "net/transport.h"
#include "srtp/securecontext.h"

G_BEGIN_DECLS

/* Takes `inner`, which receives by itself and is done with the packets when send () returns.
 * stamps: packets may get a trailer for relays (stamptrailer.h), for which they always pay. */
Transport *secure_transport_new (Transport * inner, SecureContext * context, gboolean stamps);
/* Takes a packet that came by another way than a transport. NULL: refused and counted. What relays
 * stamped behind it is attached (rate_stamp_attached()). */
GstBuffer *secure_transport_open (SecureContext * context, GstBuffer * buffer,
    SecureArrival * arrival);
/* A protected copy of a packet that leaves by another way. NULL: it must not leave. */
GstBuffer *secure_transport_close (SecureContext * context, GstBuffer * buffer);

G_END_DECLS
