/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The transport to a receiver that called: UDP, but for its further calls, which go to the
 * listener; and while it is vacant, because the receiver has left, nothing leaves. */
#pragma once

#include "join/joinlistener.h"
#include "net/transport.h"

G_BEGIN_DECLS

/* The socket is of join_listener_connect(); takes references of its own. */
Transport *join_transport_new (GSocket * socket, JoinListener * listener);
/* With the lock of the session that has it. */
void join_transport_set_vacant (Transport * transport, gboolean vacant);

G_END_DECLS
