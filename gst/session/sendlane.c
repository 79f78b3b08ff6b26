/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "sendlane.h"

#include "rtp/rtcpwriter.h"

#include <rc/ledger/ledger.h>

void
send_lane_init (SendLane * self, Transport * transport, gboolean follows_route, gboolean has_name)
{
  *self = (SendLane) {.rc = NULL };
  send_path_init (&self->path, transport, follows_route, has_name);
}

void
send_lane_free_transport (SendLane * self)
{
  if (self->path.transport)
    self->path.transport->funcs->free (self->path.transport);
  self->path.transport = NULL;
}

void
send_lane_clear (SendLane * self)
{
  for (RcLedgerEntry * entries;
      self->rc && (entries = rc_lane_take_back_entries (self->rc));)
    g_free (entries);
  g_clear_pointer (&self->lists, list_reader_free);
  send_lane_free_transport (self);
}

guint
send_lane_get_mtu (const SendLane * self)
{
  Transport *transport = self->path.transport;

  return transport->funcs->get_mtu ? transport->funcs->get_mtu (transport) : 0;
}

void
send_lane_send_control (SendLane * self, GstBuffer * buffer, RcTime now)
{
  Transport *transport = self->path.transport;
  TransportResult result = transport->funcs->send (transport, &buffer, 1, RC_ECN_BITS_NOT_ECT);
  guint bytes = (guint) gst_buffer_get_size (buffer) + transport->overhead_bytes;

  send_path_on_batch (&self->path, &result, now);
  if (self->sender)
    rc_sender_on_control_sent (self->sender, bytes, now);
  else
    rc_lane_on_control_sent (self->rc, bytes, now);
}

void
send_lane_send_infos (SendLane * self, const RcSenderInfo * infos, guint n, RcTime now)
{
  GstBuffer *buffer = rtcp_new_infos (infos[0].ssrc, infos, n);

  send_lane_send_control (self, buffer, now);
  gst_buffer_unref (buffer);
}

void
send_lane_say_farewell (SendLane * self, RcTime now)
{
  RcSenderInfo infos[RC_LEDGERS_MAX];
  guint n = rc_lane_take_farewell (self->rc, infos);
  GstBuffer *buffer;

  if (n == 0)
    return;
  buffer = rtcp_new_farewell (infos[0].ssrc, infos, n);
  send_lane_send_control (self, buffer, now);
  gst_buffer_unref (buffer);
}

void
send_lane_give_entries (SendLane * self, const RcSenderPacket * packet, RcTime now)
{
  RcNumberSpace space;
  guint32 wanted;

  while ((wanted = rc_lane_wants_entries (self->rc, packet, &space, now)) > 0)
    g_free (rc_lane_give_entries (self->rc, space, g_new0 (RcLedgerEntry, wanted), wanted, now));
}
