/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "packetlists.h"

#include "rtp/rtcpwriter.h"

#include <rc/base/bytes.h>
#include <rc/feedback/ccfb.h>
#include <rc/feedback/twcc.h>

#define HEADER_BYTES 8          /* of an RTCP packet, with the SSRC of its sender */
#define SSRC_BYTES 4
#define CCFB_STREAM_BYTES 8
#define CCFB_TIME_BYTES 4
#define TWCC_START_BYTES 12     /* SSRC of the media, first number, how many, time, count */
/* Of CCFB. TWCC takes 1 for an arrival, 2 if it is far from the one before, and little else. */
#define BYTES_A_NUMBER 2

static void
begin_record (PacketLists * self, RcArrivalRecord * record)
{
  self->untold_numbers += record->untold_numbers;
  rc_arrivalrecord_init (record);
}

void
packet_lists_begin (PacketLists * self, GstArcFeedback format)
{
  for (guint i = 0; i < SOURCE_TABLE_SIZE; i++)
    begin_record (self, &self->sources[i].record);
  begin_record (self, &self->transport);
  self->format = format;
}

static void
note_by_source (PacketLists * self, ListedSource * source, const RtpPacket * packet,
    RcTime arrived_at)
{
  if (source->ssrc != packet->ssrc) {
    self->untold_numbers += rc_arrivalrecord_pending (&source->record);
    begin_record (self, &source->record);
  }
  source->ssrc = packet->ssrc;
  rc_arrivalrecord_note (&source->record, packet->seq, packet->ecn, arrived_at);
}

static void
note_transport (PacketLists * self, const RtpPacket * packet, RcTime arrived_at)
{
  if (packet->transport_number < 0)
    return;
  self->media_ssrc = packet->ssrc;
  rc_arrivalrecord_note (&self->transport, (guint16) packet->transport_number, packet->ecn,
      arrived_at);
}

void
packet_lists_note (PacketLists * self, guint place, const RtpPacket * packet, RcTime arrived_at)
{
  switch (self->format) {
    case GST_ARC_FEEDBACK_CCFB:
      note_by_source (self, &self->sources[place], packet, arrived_at);
      break;
    case GST_ARC_FEEDBACK_TWCC:
      note_transport (self, packet, arrived_at);
      break;
    case GST_ARC_FEEDBACK_AUTO:
    case GST_ARC_FEEDBACK_ARC:
    case GST_ARC_FEEDBACK_RR:
      break;                    /* no list of packets */
  }
}

guint
packet_lists_bytes (const PacketLists * self)
{
  guint bytes = 0, n = rc_arrivalrecord_pending (&self->transport);

  if (n > 0)
    return HEADER_BYTES + TWCC_START_BYTES + BYTES_A_NUMBER * n;
  for (guint i = 0; i < SOURCE_TABLE_SIZE; i++) {
    n = rc_arrivalrecord_pending (&self->sources[i].record);
    if (n > 0)
      bytes += CCFB_STREAM_BYTES + BYTES_A_NUMBER * n;
  }
  return bytes > 0 ? HEADER_BYTES + bytes + CCFB_TIME_BYTES : 0;
}

gboolean
packet_lists_pressing (const PacketLists * self)
{
  for (guint i = 0; i < SOURCE_TABLE_SIZE; i++)
    if (rc_arrivalrecord_pressing (&self->sources[i].record))
      return TRUE;
  return rc_arrivalrecord_pressing (&self->transport);
}

static RcArrivals
list_of (const RcArrivalRecord * record, RcNumberSpace space, RcArrival * arrivals, guint most)
{
  RcArrivals list = {.space = space,.arrivals = arrivals };

  list.n_arrivals = rc_arrivalrecord_list (record, arrivals, most, &list.n_missing_before);
  return list;
}

static void
take_told (RcArrivalRecord * record, const RcArrivals * list, guint n_told)
{
  if (n_told > 0)
    rc_arrivalrecord_told (record, list->arrivals[n_told - 1].number);
}

/* Each message begins with another source: one that fills messages alone leaves room for others. */
static gsize
encode_by_source (PacketLists * self, RcTime now, guint8 * bytes, gsize cap)
{
  ListedSource *sources[SOURCE_TABLE_SIZE];
  RcArrivals lists[SOURCE_TABLE_SIZE];
  guint n_told[SOURCE_TABLE_SIZE], listed = 0;
  gsize size;

  for (guint i = 0; i < SOURCE_TABLE_SIZE; i++) {
    sources[i] = &self->sources[(self->count + i) % SOURCE_TABLE_SIZE];
    lists[i] = list_of (&sources[i]->record, rc_numbers_of_ssrc (sources[i]->ssrc),
        self->arrivals + listed, PACKET_LISTS_MAX_ARRIVALS - listed);
    listed += lists[i].n_arrivals;
  }
  size = rc_ccfb_encode (lists, SOURCE_TABLE_SIZE, now, bytes, cap, n_told);
  for (guint i = 0; size > 0 && i < SOURCE_TABLE_SIZE; i++)
    take_told (&sources[i]->record, &lists[i], n_told[i]);
  return size;
}

static gsize
encode_transport (PacketLists * self, guint8 * bytes, gsize cap)
{
  RcArrivals list = list_of (&self->transport, (RcNumberSpace) { RC_NUMBERS_TRANSPORT, 0 },
      self->arrivals, PACKET_LISTS_MAX_ARRIVALS);
  guint n_told;
  gsize size;

  rc_put32 (bytes, self->media_ssrc);
  size = rc_twcc_encode (&list, self->count, bytes + SSRC_BYTES, cap - SSRC_BYTES, &n_told);
  take_told (&self->transport, &list, n_told);
  return size > 0 ? SSRC_BYTES + size : 0;
}

void
packet_lists_add (PacketLists * self, GstRTCPBuffer * rtcp, guint32 ssrc, guint cap, RcTime now)
{
  guint8 bytes[SOURCE_TABLE_COMPOUND_BYTES];
  gsize room = MIN (cap, sizeof bytes) - HEADER_BYTES, size = 0;
  guint8 fmt = 0;

  switch (self->format) {
    case GST_ARC_FEEDBACK_CCFB:
      fmt = RC_CCFB_FMT;
      size = encode_by_source (self, now, bytes, room);
      break;
    case GST_ARC_FEEDBACK_TWCC:
      fmt = RC_TWCC_FMT;
      size = encode_transport (self, bytes, room);
      break;
    case GST_ARC_FEEDBACK_AUTO:
    case GST_ARC_FEEDBACK_ARC:
    case GST_ARC_FEEDBACK_RR:
      break;                    /* no list of packets */
  }
  if (size == 0)
    return;
  self->count++;
  rtcp_add_list (rtcp, ssrc, fmt, bytes, size);
}

guint64
packet_lists_untold (const PacketLists * self)
{
  guint64 unreported = self->untold_numbers + self->transport.untold_numbers;

  for (guint i = 0; i < SOURCE_TABLE_SIZE; i++)
    unreported += self->sources[i].record.untold_numbers;
  return unreported;
}
