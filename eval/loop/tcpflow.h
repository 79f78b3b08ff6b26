/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A TCP flow in a closed loop: the sender of tcp.h and a receiver that acknowledges every
 * second segment, after 40 ms at the latest, and at once when a number is missing. */
#pragma once

#include "world.h"

typedef struct TcpFlow TcpFlow;

TcpFlow *tcpflow_new (World *world, unsigned id);
/* Takes what came, and sends unless it is stopped. Returns when to come again at the latest. */
RcTime tcpflow_run (TcpFlow *self, bool stopped, RcTime now);
void tcpflow_free (TcpFlow *self);
