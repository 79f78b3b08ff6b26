/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "packetrequests.h"

#include "rtp/rtcpwriter.h"

/* Requests for each packet that arrived: with half of the packets lost there is no picture. */
#define EARNED 0.5
#define MOST_CREDIT PACKET_REQUESTS_MAX
#define FIRST_CREDIT 64
/* Of a packet: it was only late, and three answers left, the last of them twice. */
#define MAX_COPIES 4
/* Numbers come again after 65536 packets, which take 13 s at 50 Mbit/s. */
#define REMEMBERED (5 * RC_SECOND)

void
packet_requests_init (PacketRequests * self)
{
  *self = (PacketRequests) {.asked = g_new (AskedPacket, PACKET_REQUESTS_ASKED) };
  packet_requests_forget (self);
}

void
packet_requests_clear (PacketRequests * self)
{
  g_free (self->asked);
}

void
packet_requests_forget (PacketRequests * self)
{
  self->n_waiting = 0;
  self->due_at = RC_TIME_NONE;
  self->credit = FIRST_CREDIT;
  for (guint i = 0; i < PACKET_REQUESTS_ASKED; i++)
    self->asked[i].asked_at = RC_TIME_NONE;
}

void
packet_requests_on_packet (PacketRequests * self)
{
  self->credit = MIN (self->credit + EARNED, MOST_CREDIT);
}

static gboolean
same_packet (const NackedPacket * a, const NackedPacket * b)
{
  return a->ssrc == b->ssrc && a->seq == b->seq;
}

static AskedPacket *
place_of (const PacketRequests * self, const NackedPacket * packet)
{
  return &self->asked[packet->seq % PACKET_REQUESTS_ASKED];
}

static gboolean
is_remembered (const AskedPacket * asked, const NackedPacket * packet, RcTime now)
{
  return asked->asked_at != RC_TIME_NONE && same_packet (&asked->packet, packet)
      && now - asked->last_at <= REMEMBERED;
}

gboolean
packet_requests_add (PacketRequests * self, NackedPacket packet, RcTime answer, RcTime now)
{
  const AskedPacket *asked = place_of (self, &packet);

  for (guint i = 0; i < self->n_waiting; i++)
    if (same_packet (&self->waiting[i], &packet))
      return TRUE;
  if (is_remembered (asked, &packet, now) && now - asked->last_at < answer) {
    self->stats.early++;
    return FALSE;
  }
  if (self->n_waiting == PACKET_REQUESTS_MAX || self->credit < 1) {
    self->stats.limited++;
    return FALSE;
  }
  self->credit -= 1;
  if (self->n_waiting == 0)
    self->due_at = now + PACKET_REQUESTS_GATHER;
  self->waiting[self->n_waiting++] = packet;
  return TRUE;
}

static void
remember (PacketRequests * self, const NackedPacket * packet, RcTime now)
{
  AskedPacket *asked = place_of (self, packet);

  if (!is_remembered (asked, packet, now))
    *asked = (AskedPacket) {.packet = *packet,.asked_at = now };
  asked->last_at = now;
}

void
packet_requests_note (PacketRequests * self, NackedPacket packet, RcTime now)
{
  remember (self, &packet, now);
}

/* Numbers of a stream are within half of their circle; `first` is any of them. */
static gint
compare (gconstpointer a, gconstpointer b, gpointer first)
{
  const NackedPacket *one = a, *other = b;
  guint16 base = GPOINTER_TO_UINT (first);

  if (one->ssrc != other->ssrc)
    return one->ssrc < other->ssrc ? -1 : 1;
  return (gint16) (one->seq - base) - (gint16) (other->seq - base);
}

GstBuffer *
packet_requests_take (PacketRequests * self, guint32 ssrc, guint cap, gboolean continues,
    RcTime now)
{
  GstBuffer *buffer;
  guint n;

  if (self->n_waiting == 0)
    return NULL;
  g_qsort_with_data (self->waiting, (gint) self->n_waiting, sizeof self->waiting[0], compare,
      GUINT_TO_POINTER (self->waiting[0].seq));
  buffer = rtcp_new_nacks (ssrc, self->waiting, self->n_waiting, cap, continues, &n);
  for (guint i = 0; i < n; i++)
    remember (self, &self->waiting[i], now);
  self->n_waiting -= n;
  memmove (self->waiting, self->waiting + n, self->n_waiting * sizeof self->waiting[0]);
  self->due_at = self->n_waiting > 0 ? now : RC_TIME_NONE;
  self->stats.asked += n;
  self->stats.nacks += n > 0;
  if (n == 0)
    gst_clear_buffer (&buffer);
  return buffer;
}

PacketRepair
packet_requests_on_arrival (PacketRequests * self, NackedPacket packet, RcTime rtt, RcTime now,
    RcTime * waited)
{
  AskedPacket *asked = place_of (self, &packet);

  if (!is_remembered (asked, &packet, now) || now - asked->asked_at < rtt / 2)
    return PACKET_IS_NO_REPAIR;
  *waited = asked->last_at == asked->asked_at ? now - asked->asked_at : RC_TIME_NONE;
  self->stats.repaired += !asked->repaired;
  self->stats.repeated += asked->repaired;
  if (asked->repaired)
    return PACKET_IS_REPAIR_AGAIN;
  asked->repaired = TRUE;
  return PACKET_IS_REPAIR;
}

gboolean
packet_requests_on_copy (PacketRequests * self, NackedPacket packet, RcTime now)
{
  AskedPacket *asked = place_of (self, &packet);

  if (!is_remembered (asked, &packet, now) || asked->copies == MAX_COPIES)
    return FALSE;
  asked->copies++;
  self->stats.repeated++;
  return TRUE;
}

gboolean
packet_requests_misses (const PacketRequests * self, NackedPacket packet, RcTime now)
{
  const AskedPacket *asked = place_of (self, &packet);

  return is_remembered (asked, &packet, now) && !asked->repaired;
}

gboolean
packet_requests_has_come (const PacketRequests * self, NackedPacket packet, RcTime now)
{
  const AskedPacket *asked = place_of (self, &packet);

  return is_remembered (asked, &packet, now) && asked->repaired;
}
