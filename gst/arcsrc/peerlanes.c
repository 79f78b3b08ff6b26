/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "peerlanes.h"

#include "net/ecnbits.h"
#include "net/sameaddress.h"
#include "rtp/lanepacket.h"

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
  self->number++;
}

guint
peer_lanes_count (const PeerLanes * self)
{
  guint n = 0;

  for (guint i = 0; i < RC_LANES_MAX; i++)
    n += self->lanes[i].address != NULL;
  return n;
}

guint
peer_lanes_ssrcs (const PeerLanes * self, guint32 ssrcs[RC_LANES_MAX])
{
  guint n = 0;

  for (guint i = 0; i < RC_LANES_MAX; i++)
    if (self->lanes[i].address)
      ssrcs[n++] = self->lanes[i].ssrc;
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
peer_lanes_find_ssrc (PeerLanes * self, guint32 ssrc)
{
  for (guint i = 0; i < RC_LANES_MAX; i++)
    if (self->lanes[i].address && self->lanes[i].ssrc == ssrc)
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

  if (!lane)
    lane = peer_lanes_find_ssrc (self, ssrc);
  if (!lane)
    lane = find_place (self, release, now);
  if (!lane)
    return NULL;
  if (!lane->address || lane->ssrc != ssrc) {
    lane_clear (lane);
    lane->ssrc = ssrc;
    self->joins++;
    self->number++;
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
peer_lanes_take (PeerLanes * self, GstBuffer * buffer, RtpPacket * packet, RcTime now)
{
  guint32 ssrc;
  guint16 seq;

  *packet = (RtpPacket) {.bytes = (guint) gst_buffer_get_size (buffer) };
  packet->ecn_read = ecn_bits_of_buffer (buffer, &packet->ecn);
  lane_packet_read (buffer, &packet->ssrc, &packet->seq);
  buffer = lane_packet_unwrap (buffer);
  if (!buffer) {
    self->malformed++;
    packet->bytes = 0;
    return NULL;
  }
  lane_packet_read (buffer, &ssrc, &seq);
  if (!rc_doubles_take (doubles_of (self, ssrc), seq, now)) {
    self->doubles++;
    gst_clear_buffer (&buffer);
  }
  return buffer;
}
