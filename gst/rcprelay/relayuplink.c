/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "relayuplink.h"

#include <rc/base/bytes.h>

#define RTP_HEADER_BYTES 12
#define RTP_VERSION 2
#define BLIND_DATAGRAMS 20      /* half a second of one sender: none of them is damaged by chance */

struct _RelayUplinkFlow
{
  RelayUplink *owner;
  RcUplinkFlow flow;
};

void
relay_uplink_init (RelayUplink * self, const RcLimits * limits, guint overhead_bytes, RcTime now)
{
  rc_uplink_init (&self->uplink, limits, overhead_bytes, now);
}

RelayUplinkFlow *
relay_uplink_flow_new (RelayUplink * owner)
{
  RelayUplinkFlow *self = g_new0 (RelayUplinkFlow, 1);

  self->owner = owner;
  rc_uplink_add (&owner->uplink, &self->flow);
  return self;
}

void
relay_uplink_flow_free (RelayUplinkFlow * self)
{
  RcLedgerEntry *entries;

  if (!self)
    return;
  while ((entries = rc_uplink_take_back_entries (&self->flow)))
    g_free (entries);
  rc_uplink_remove (&self->owner->uplink, &self->flow);
  g_free (self);
}

static void
give_entries (RelayUplinkFlow * self, guint32 ssrc, RcTime now)
{
  guint32 n = rc_uplink_wants_entries (&self->flow, ssrc, now);

  if (n > 0)
    g_free (rc_uplink_give_entries (&self->flow, ssrc, g_new0 (RcLedgerEntry, n), n, now));
}

void
relay_uplink_flow_on_sent (RelayUplinkFlow * self, const guint8 * data, gsize size,
    gboolean backlogged, RcTime now)
{
  RcUplink *uplink = &self->owner->uplink;
  guint32 ssrc;

  if (size < RTP_HEADER_BYTES || data[0] >> 6 != RTP_VERSION || rtcp_is_rtcp (data, size)) {
    rc_uplink_on_other_sent (uplink, (guint32) size + uplink->overhead_bytes, now);
    return;
  }
  ssrc = rc_get32 (data + 8);
  give_entries (self, ssrc, now);
  rc_uplink_on_sent (uplink, &self->flow, ssrc, rc_get16 (data + 2), (guint32) size, backlogged,
      now);
}

gboolean
relay_uplink_flow_read (RelayUplinkFlow * self, const guint8 * data, gsize size, RcTime now)
{
  RelayUplink *owner = self->owner;
  RtcpMessage *message = &owner->message;
  RtcpVerdict verdict = rtcp_message_read (message, data, size);

  owner->unreadable += verdict == RTCP_MALFORMED
      || (verdict == RTCP_VALID && rtcp_message_unread (message) > 0);
  if (verdict != RTCP_VALID || message->n_reports == 0)
    return FALSE;
  rc_uplink_on_reports (&owner->uplink, &self->flow, message->reports, message->n_reports,
      message->sender_ssrc, now);
  return TRUE;
}

gboolean
relay_uplink_is_blind (const RelayUplink * self)
{
  return self->unreadable >= BLIND_DATAGRAMS && self->uplink.stats.reports == 0;
}
