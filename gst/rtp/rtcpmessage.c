/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "rtp/rtcpmessage.h"

#include "rtp/packethead.h"

#include <gst/rtp/rtp.h>
#include <rc/base/bytes.h>
#include <rc/feedback/sealedrtcp.h>
#include <string.h>

#define RTP_VERSION 2
#define FIRST_TYPE 192          /* RFC 5761 4 */
#define LAST_TYPE 223
#define HEADER_BYTES 4
#define PADDING_BIT 0x20
#define COUNT_MASK 0x1f
/* Of a packet without its header: */
#define SR_BYTES 24             /* up to its blocks */
#define RR_BYTES 4
#define BLOCK_BYTES 24
#define APP_BYTES 8             /* SSRC and name */
#define FB_BYTES 8              /* the SSRCs of sender and media */
#define FIR_ENTRY_BYTES 8
#define REMB_NAME "REMB"
#define REMB_BYTES 8            /* of the FCI, without its SSRCs */

/* One packet of a compound. */
typedef struct
{
  guint8 type, count;           /* count: of blocks or sources; a subtype or format */
  guint bytes;                  /* with header and padding */
  gboolean padded_well;
  const guint8 *body;           /* behind the header */
  gsize size;                   /* of it, without padding */
} Packet;

/* --- a row of packets --- */

gboolean
rtcp_is_rtcp (const guint8 * data, gsize size)
{
  return size >= 2 && data[0] >> 6 == RTP_VERSION && data[1] >= FIRST_TYPE && data[1] <= LAST_TYPE;
}

/* The last byte of the padding is its length (RFC 3550 6.4.1). */
static void
take_padding_off (Packet * packet)
{
  guint padding = packet->size > 0 ? packet->body[packet->size - 1] : 0;

  packet->padded_well = padding > 0 && padding <= packet->size;
  if (packet->padded_well)
    packet->size -= padding;
}

/* FALSE: no packet begins here, or it is longer than what is left. */
static gboolean
next_packet (const guint8 * data, gsize left, Packet * packet)
{
  if (left < HEADER_BYTES || !rtcp_is_rtcp (data, left))
    return FALSE;
  *packet = (Packet) {.type = data[1],.count = data[0] & COUNT_MASK,
    .bytes = 4 * (rc_get16 (data + 2) + 1u),.padded_well = TRUE,.body = data + HEADER_BYTES };
  if (packet->bytes > left)
    return FALSE;
  packet->size = packet->bytes - HEADER_BYTES;
  if (data[0] & PADDING_BIT)
    take_padding_off (packet);
  return TRUE;
}

static gboolean
is_row_of_packets (const guint8 * data, gsize size)
{
  gsize at = 0;
  Packet packet;

  while (at < size && next_packet (data + at, size - at, &packet))
    at += packet.bytes;
  return size > 0 && at == size;
}

/* --- what is in them; FALSE: malformed --- */

static gboolean
has_room (RtcpMessage * self, guint n, guint max)
{
  self->n_overflow += n >= max;
  return n < max;
}

static void
read_block (RtcpMessage * self, const guint8 * at, guint32 instance)
{
  guint32 lost = rc_get32 (at + 4) & 0xffffff;

  if (!has_room (self, self->n_blocks, RTCP_MAX_BLOCKS))
    return;
  self->blocks[self->n_blocks++] = (RcReportBlock) {
    .ssrc = rc_get32 (at),.instance = instance,
    .lost_pkts = (gint32) (lost ^ 0x800000) - 0x800000,.highest_seq = rc_get32 (at + 8),
    .lsr = rc_get32 (at + 16),.dlsr = rc_get32 (at + 20)
  };
}

static gboolean
read_blocks (RtcpMessage * self, const Packet * packet, gsize header_bytes)
{
  if (packet->size < header_bytes + packet->count * (gsize) BLOCK_BYTES)
    return FALSE;
  for (guint i = 0; i < packet->count; i++)
    read_block (self, packet->body + header_bytes + i * BLOCK_BYTES, rc_get32 (packet->body));
  return TRUE;
}

static gboolean
read_receiver_report (RtcpMessage * self, const Packet * packet, gsize offset)
{
  return read_blocks (self, packet, RR_BYTES);
}

static gboolean
read_sender_report (RtcpMessage * self, const Packet * packet, gsize offset)
{
  const guint8 *at = packet->body;

  if (!read_blocks (self, packet, SR_BYTES))
    return FALSE;
  if (has_room (self, self->n_sender_reports, RTCP_MAX_BLOCKS))
    self->sender_reports[self->n_sender_reports++] = (RtcpSenderReport) {
      .ssrc = rc_get32 (at),.ntp = rc_get64 (at + 4),.rtp = rc_get32 (at + 12),
      .packets = rc_get32 (at + 16),.octets = rc_get32 (at + 20)
    };
  return TRUE;
}

static gboolean
read_bye (RtcpMessage * self, const Packet * packet, gsize offset)
{
  if (packet->size < packet->count * (gsize) 4)
    return FALSE;
  for (guint i = 0; i < packet->count; i++)
    if (has_room (self, self->n_byes, RTCP_MAX_BLOCKS))
      self->byes[self->n_byes++] = rc_get32 (packet->body + 4 * i);
  return TRUE;
}

static gboolean
is_named (const Packet * packet, const gchar * name)
{
  return memcmp (packet->body + 4, name, 4) == 0;
}

/* A caller and who listens; they have no SSRC of media yet. */
static gboolean
read_joining (RtcpMessage * self, const Packet * packet)
{
  const guint8 *data = packet->body + APP_BYTES;
  gsize size = packet->size - APP_BYTES;

  if (is_named (packet, RC_CALL_NAME))
    return self->called = rc_call_decode (data, size, &self->call);
  return self->answered = rc_answer_decode (data, size, &self->answer);
}

static gboolean
is_joining (const Packet * packet)
{
  return is_named (packet, RC_CALL_NAME) || is_named (packet, RC_ANSWER_NAME);
}

/* Ours with another subtype is another version, which we cannot read. */
static gboolean
read_ours (RtcpMessage * self, const Packet * packet)
{
  const guint8 *data = packet->body + APP_BYTES;
  gsize size = packet->size - APP_BYTES;

  if (packet->count != RC_WIRE_VERSION)
    return FALSE;
  if (is_joining (packet))
    return read_joining (self, packet);
  if (is_named (packet, RC_WIRE_NOTICE_NAME)) {
    RcNotice notice;
    gboolean ok = rc_wire_decode_notice (data, size, &notice);

    if (ok)
      self->notice = notice;
    self->noticed |= ok;
    return ok;
  }
  if (self->n_reports + self->n_infos == 0)
    self->sender_ssrc = rc_get32 (packet->body);
  if (is_named (packet, RC_WIRE_INFO_NAME)) {
    gboolean room = has_room (self, self->n_infos, RTCP_MAX_REPORTS);
    gboolean ok = !room || rc_wire_decode_info (data, size, &self->infos[self->n_infos]);

    self->n_infos += room && ok;
    return ok;
  }
  if (has_room (self, self->n_reports, RTCP_MAX_REPORTS)) {
    if (!rc_wire_decode_report (data, size, &self->reports[self->n_reports]))
      return FALSE;
    self->n_reports++;
  }
  return TRUE;
}

static gboolean
is_ours (const Packet * packet)
{
  return packet->type == GST_RTCP_TYPE_APP && packet->size >= APP_BYTES
      && (is_named (packet, RC_WIRE_REPORT_NAME) || is_named (packet, RC_WIRE_INFO_NAME)
      || is_named (packet, RC_WIRE_NOTICE_NAME) || is_joining (packet));
}

static gboolean
read_app (RtcpMessage * self, const Packet * packet, gsize offset)
{
  if (packet->size < APP_BYTES)
    return FALSE;
  return !is_ours (packet) || read_ours (self, packet);
}

/* An FCI that asks for nothing is no list of words. */
static gboolean
read_nack (RtcpMessage * self, const Packet * packet)
{
  RtcpNacks *nacks = &self->nacks;
  guint16 numbers[RTCP_MAX_NACKED];
  guint n = rc_nack_decode (packet->body + FB_BYTES, packet->size - FB_BYTES, numbers,
      RTCP_MAX_NACKED);

  if (n == 0)
    return FALSE;
  nacks->n_messages++;
  nacks->n_asked += n;
  for (guint i = 0; i < MIN (n, RTCP_MAX_NACKED) && nacks->n_packets < RTCP_MAX_NACKED; i++)
    nacks->packets[nacks->n_packets++] = (NackedPacket) { rc_get32 (packet->body + 4), numbers[i] };
  return TRUE;
}

/* header_bytes: in front of what the decoder of this FMT reads. */
static void
note_list (RtcpMessage * self, const Packet * packet, gsize offset, guint header_bytes)
{
  if (has_room (self, self->n_lists, RTCP_MAX_LISTS))
    self->lists[self->n_lists++] = (RtcpList) { packet->count, rc_get32 (packet->body),
      (guint) (offset + HEADER_BYTES) + header_bytes, (guint) packet->size - header_bytes };
}

static gboolean
read_rtp_feedback (RtcpMessage * self, const Packet * packet, gsize offset)
{
  if (packet->size < FB_BYTES)
    return FALSE;
  switch (packet->count) {
    case RC_NACK_FMT:
      return read_nack (self, packet);
    case RC_CCFB_FMT:          /* the SSRC of its first stream has the place of the media's SSRC */
      note_list (self, packet, offset, FB_BYTES - 4);
      return TRUE;
    case RC_TWCC_FMT:
      note_list (self, packet, offset, FB_BYTES);
      return TRUE;
    default:
      return TRUE;
  }
}

static void
add_keyframe (RtcpMessage * self, RtcpKeyframe request)
{
  if (has_room (self, self->n_keyframes, RTCP_MAX_KEYFRAMES))
    self->keyframes[self->n_keyframes++] = request;
}

static gboolean
read_fir (RtcpMessage * self, const Packet * packet)
{
  const guint8 *entries = packet->body + FB_BYTES;
  gsize size = packet->size - FB_BYTES;

  if (size == 0 || size % FIR_ENTRY_BYTES != 0)
    return FALSE;
  for (gsize at = 0; at < size; at += FIR_ENTRY_BYTES)
    add_keyframe (self, (RtcpKeyframe) { rc_get32 (packet->body), rc_get32 (entries + at), TRUE,
        entries[at + 4] });
  return TRUE;
}

/* Other feedback of the application layer is none of ours. */
static gboolean
read_remb (RtcpMessage * self, const Packet * packet)
{
  const guint8 *fci = packet->body + FB_BYTES;
  gsize size = packet->size - FB_BYTES;

  if (size < REMB_BYTES || memcmp (fci, REMB_NAME, 4) != 0)
    return TRUE;
  if (size < REMB_BYTES + 4 * (gsize) fci[4])
    return FALSE;
  self->bound_bps = (guint64) (rc_get32 (fci + 4) & 0x3ffff) << (fci[5] >> 2);
  self->n_bound_ssrcs = 0;
  for (guint i = 0; i < fci[4]; i++)
    if (has_room (self, self->n_bound_ssrcs, RTCP_MAX_BLOCKS))
      self->bound_ssrcs[self->n_bound_ssrcs++] = rc_get32 (fci + REMB_BYTES + 4 * i);
  return TRUE;
}

static gboolean
read_payload_feedback (RtcpMessage * self, const Packet * packet, gsize offset)
{
  if (packet->size < FB_BYTES)
    return FALSE;
  switch (packet->count) {
    case GST_RTCP_PSFB_TYPE_PLI:
      if (packet->size > FB_BYTES)
        return FALSE;
      add_keyframe (self, (RtcpKeyframe) { rc_get32 (packet->body), rc_get32 (packet->body + 4) });
      return TRUE;
    case GST_RTCP_PSFB_TYPE_FIR:
      return read_fir (self, packet);
    case GST_RTCP_PSFB_TYPE_AFB:
      return read_remb (self, packet);
    default:
      return TRUE;
  }
}

static const struct
{
  guint8 type;
  gboolean (*read) (RtcpMessage * self, const Packet * packet, gsize offset);
} readers[] = {
  {GST_RTCP_TYPE_APP, read_app},
  {GST_RTCP_TYPE_RR, read_receiver_report},
  {GST_RTCP_TYPE_SR, read_sender_report},
  {GST_RTCP_TYPE_RTPFB, read_rtp_feedback},
  {GST_RTCP_TYPE_PSFB, read_payload_feedback},
  {GST_RTCP_TYPE_BYE, read_bye},
};

static void
read_packet (RtcpMessage * self, const Packet * packet, gsize offset)
{
  gboolean ok = packet->padded_well;

  self->n_others += !is_ours (packet);
  for (guint i = 0; ok && i < G_N_ELEMENTS (readers); i++)
    if (readers[i].type == packet->type)
      ok = readers[i].read (self, packet, offset);
  self->n_malformed += !ok;
}

/* --- the whole --- */

/* Not the arrays: they are 20 KiB, and each RTP packet comes by here. */
static void
clear (RtcpMessage * self, RtcpVerdict verdict)
{
  memset (self, 0, G_STRUCT_OFFSET (RtcpMessage, reports));
  memset (&self->nacks, 0, G_STRUCT_OFFSET (RtcpNacks, packets));
  self->verdict = verdict;
}

RtcpVerdict
rtcp_message_read (RtcpMessage * self, const guint8 * data, gsize size)
{
  gsize at = 0;
  Packet packet;

  clear (self, !rtcp_is_rtcp (data, size) ? RTCP_NOT_RTCP
      : is_row_of_packets (data, size) ? RTCP_VALID : RTCP_MALFORMED);
  if (self->verdict == RTCP_MALFORMED)
    self->sealed = rc_sealed_rtcp (data, size);
  if (self->verdict != RTCP_VALID)
    return self->verdict;
  while (at < size && next_packet (data + at, size - at, &packet)) {
    read_packet (self, &packet, at);
    at += packet.bytes;
  }
  return RTCP_VALID;
}

RtcpVerdict
rtcp_message_read_buffer (RtcpMessage * self, GstBuffer * buffer)
{
  GstMapInfo map;
  guint8 head[2];

  clear (self, RTCP_NOT_RTCP);
  if (!rtcp_is_rtcp (head, packet_head (buffer, head, sizeof head)))
    return RTCP_NOT_RTCP;
  if (!gst_buffer_map (buffer, &map, GST_MAP_READ)) {
    self->verdict = RTCP_MALFORMED;
    return RTCP_MALFORMED;
  }
  rtcp_message_read (self, map.data, map.size);
  gst_buffer_unmap (buffer, &map);
  return self->verdict;
}

guint32
rtcp_lsr_of_ntp (guint64 ntp)
{
  return (guint32) (ntp >> 16);
}

guint
rtcp_message_unread (const RtcpMessage * self)
{
  return self->n_malformed + self->n_overflow;
}

guint
rtcp_lower_rate (guint8 * data, gsize size, guint64 bps)
{
  gsize at = 0;
  guint n = 0;
  Packet packet;

  for (; at < size && next_packet (data + at, size - at, &packet); at += packet.bytes)
    if (packet.padded_well && is_ours (&packet) && packet.count == RC_WIRE_VERSION
        && memcmp (packet.body + 4, RC_WIRE_REPORT_NAME, 4) == 0)
      n += rc_wire_lower_rate (data + at + HEADER_BYTES + APP_BYTES, packet.size - APP_BYTES, bps);
  return n;
}

static gboolean
is_keyframe_request (const Packet * packet)
{
  return packet->type == GST_RTCP_TYPE_PSFB && (packet->count == GST_RTCP_PSFB_TYPE_PLI
      || packet->count == GST_RTCP_PSFB_TYPE_FIR);
}

GstBuffer *
rtcp_without_keyframes (const guint8 * data, gsize size)
{
  guint8 *rest = g_malloc (size);
  gsize at = 0, n = 0;
  Packet packet;

  while (at < size && next_packet (data + at, size - at, &packet)) {
    if (!is_keyframe_request (&packet)) {
      memcpy (rest + n, data + at, packet.bytes);
      n += packet.bytes;
    }
    at += packet.bytes;
  }
  if (n > 0)
    return gst_buffer_new_wrapped_full (0, rest, size, 0, n, rest, g_free);
  g_free (rest);
  return NULL;
}
