/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What the relay learns of the link behind it, from what leaves and from the reports that pass: the
 * model is in lib/rc/uplink/uplink.c. A flow has a part of its own, which knows its owner. No
 * locks. */
#pragma once

#include "rtp/rtcpmessage.h"

#include <rc/uplink/uplink.h>

G_BEGIN_DECLS

typedef struct _RelayUplinkFlow RelayUplinkFlow;

typedef struct
{
  RcUplink uplink;
  RtcpMessage message;          /* of the present relay_uplink_read () */
  guint64 unreadable;           /* RTCP to senders: encrypted or damaged */
} RelayUplink;

void relay_uplink_init (RelayUplink * self, const RcLimits * limits, guint overhead_bytes,
    RcTime now);
/* Lives no longer than its owner. */
RelayUplinkFlow *relay_uplink_flow_new (RelayUplink * owner);
/* NULL: nothing. */
void relay_uplink_flow_free (RelayUplinkFlow * self);
/* A datagram of the flow left. */
void relay_uplink_flow_on_sent (RelayUplinkFlow * self, const guint8 * data, gsize size,
    gboolean backlogged, RcTime now);
/* A datagram is on its way back to the flow's sender. TRUE: it has reports. */
gboolean relay_uplink_flow_read (RelayUplinkFlow * self, const guint8 * data, gsize size,
    RcTime now);
/* Much has come back, and nothing of it could be read. */
gboolean relay_uplink_is_blind (const RelayUplink * self);

G_END_DECLS
