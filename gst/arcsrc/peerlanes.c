/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "peerlanes.h"

#include "net/ecnbits.h"
#include "net/sameaddress.h"
#include "rtp/lanepacket.h"
#include "rtp/rtcpwriter.h"
#include "senderlatch.h"

#include <string.h>

static void
lane_clear (PeerLane * lane)
{
  g_clear_object (&lane->address);
  memset (lane, 0, sizeof *lane);
}

void
peer_lanes_clear (PeerLanes * self)
{
  for (guint i = 0; i < RC_LANES_MAX; i++)
    lane_clear (&self->lanes[i]);
  self->n_streams = self->next_stream = 0;
}

guint
peer_lanes_count (const PeerLanes * self)
{
  guint n = 0;

  for (guint i = 0; i < RC_LANES_MAX; i++)
    n += self->lanes[i].address != NULL;
  return n;
}

PeerLane *
peer_lanes_find (PeerLanes * self, GSocketAddress * address)
{
  for (guint i = 0; i < RC_LANES_MAX; i++)
    if (self->lanes[i].address && same_address (self->lanes[i].address, address))
      return &self->lanes[i];
  return NULL;
}

PeerLane *
peer_lanes_latest (PeerLanes * self)
{
  PeerLane *latest = NULL;

  for (guint i = 0; i < RC_LANES_MAX; i++) {
    PeerLane *lane = &self->lanes[i];

    if (lane->address && (!latest || lane->heard_at > latest->heard_at))
      latest = lane;
  }
  return latest;
}

gboolean
peer_lanes_has_cookie (const PeerLanes * self, guint64 cookie)
{
  for (guint i = 0; i < RC_LANES_MAX; i++)
    if (self->lanes[i].address && self->lanes[i].cookie == cookie)
      return TRUE;
  return FALSE;
}

static PeerLane *
find_place (PeerLanes * self, RcTime release, RcTime now)
{
  PeerLane *oldest = &self->lanes[0];

  for (guint i = 0; i < RC_LANES_MAX; i++) {
    PeerLane *lane = &self->lanes[i];

    if (!lane->address)
      return lane;
    if (lane->heard_at < oldest->heard_at)
      oldest = lane;
  }
  return now - oldest->heard_at >= release ? oldest : NULL;
}

PeerLane *
peer_lanes_join (PeerLanes * self, GSocketAddress * address, guint64 cookie, guint32 ssrc,
    RcTime release, RcTime now)
{
  PeerLane *lane = peer_lanes_find (self, address);

  for (guint i = 0; i < RC_LANES_MAX && !lane; i++)
    if (self->lanes[i].address && self->lanes[i].receiver.ssrc == ssrc)
      lane = &self->lanes[i];
  if (!lane)
    lane = find_place (self, release, now);
  if (!lane)
    return NULL;
  if (!lane->address || lane->receiver.ssrc != ssrc) {
    lane_clear (lane);
    rc_receiver_init (&lane->receiver, ssrc, RC_BWFILTER_TAU);
    self->joins++;
  }
  g_set_object (&lane->address, address);
  lane->cookie = cookie;
  lane->heard_at = now;
  return lane;
}

static RcDoubles *
doubles_of (PeerLanes * self, guint32 ssrc)
{
  PeerLaneStream *stream;

  for (guint i = 0; i < self->n_streams; i++)
    if (self->streams[i].ssrc == ssrc)
      return &self->streams[i].doubles;
  stream = &self->streams[self->next_stream++ % PEER_LANES_STREAMS];
  self->n_streams = MIN (self->n_streams + 1, PEER_LANES_STREAMS);
  stream->ssrc = ssrc;
  rc_doubles_init (&stream->doubles);
  return &stream->doubles;
}

GstBuffer *
peer_lanes_take (PeerLanes * self, PeerLane * lane, GstBuffer * buffer, RcTime now)
{
  guint bytes = (guint) gst_buffer_get_size (buffer);
  guint32 ssrc;
  guint16 seq;
  RcEcnBits ecn;
  gboolean ecn_read = ecn_bits_of_buffer (buffer, &ecn);

  lane_packet_read (buffer, &ssrc, &seq);
  buffer = lane_packet_unwrap (buffer);
  if (!buffer) {
    self->malformed++;
    return NULL;
  }
  lane->arrived_at = MAX (lane->arrived_at, now);
  rc_receiver_on_packet (&lane->receiver, seq, bytes, ecn_read && ecn == RC_ECN_BITS_CE,
      lane->arrived_at);
  if (ecn_read)
    rc_receiver_on_ecn (&lane->receiver, ecn);
  lane_packet_read (buffer, &ssrc, &seq);
  if (!rc_doubles_take (doubles_of (self, ssrc), seq, now)) {
    self->doubles++;
    gst_clear_buffer (&buffer);
  }
  return buffer;
}

RcTime
peer_lanes_due_at (const PeerLanes * self, RcTime now)
{
  RcTime at = RC_TIME_NONE;

  for (guint i = 0; i < RC_LANES_MAX; i++)
    if (self->lanes[i].address)
      at = rc_sooner (at, rc_receiver_due_at (&self->lanes[i].receiver, now));
  return at;
}

GstBuffer *
peer_lanes_report (PeerLanes * self, PeerLane ** found, guint32 instance, RcTime now)
{
  RcReport report;

  for (guint i = 0; i < RC_LANES_MAX; i++) {
    PeerLane *lane = &self->lanes[i];
    RcTime at = lane->address ? rc_receiver_due_at (&lane->receiver, now) : RC_TIME_NONE;

    if (at == RC_TIME_NONE || at > now)
      continue;
    rc_receiver_report (&lane->receiver, now, &report);
    report.n_lanes = peer_lanes_count (self);
    *found = lane;
    return rtcp_new_reports (instance, &report, 1);
  }
  return NULL;
}
