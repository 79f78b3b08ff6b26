/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "forgery.h"

#include <rtp/rtcpwriter.h>

#include <string.h>

#define RTP_HEADER_BYTES 12
#define PAYLOAD_TYPE 96
#define FALSE_MEDIA_BYTES 172
#define TRUE_MEDIA_BYTES 100   /* less than a packet of the media has */
#define MEDIA_INTERVAL_US 10000
#define DELAY_STEP_US 3000
#define HELD 4                  /* packets */
#define NACKED 17               /* packets that one item of a NACK names */
#define LEAD 100                /* how far ahead of the media false media is numbered */

static const gchar *const names[] = {
  "forged reports", "replayed reports", "NACK storm", "forged BYE and notice", "forged RTP",
  "replayed RTP", "RTP of a stranger", "forged HELLO"
};

const gchar *
forgery_name (ForgeryKind kind)
{
  return names[kind];
}

gboolean
forgery_is_for_sender (ForgeryKind kind)
{
  return kind <= FORGERY_FAREWELL;
}

/* --- what was heard --- */

static gboolean
same_place (Place a, Place b)
{
  return a.address == b.address && a.port == b.port;
}

static gboolean
is_from (const Datagram * datagram, Place from, gboolean rtcp)
{
  return same_place (datagram->from, from) && datagram->size >= RTP_HEADER_BYTES
      && rtcp_is_rtcp (datagram->data, datagram->size) == rtcp;
}

/* The nth of those, again from the first after the last; NULL: there is none. */
static const Datagram *
nth_from (const Forgery * self, Place from, gboolean rtcp, guint nth)
{
  guint n = 0, found = 0;

  for (guint i = 0; i < self->heard->len; i++)
    n += is_from (self->heard->pdata[i], from, rtcp);
  for (guint i = 0; i < self->heard->len; i++)
    if (is_from (self->heard->pdata[i], from, rtcp) && found++ == nth % n)
      return self->heard->pdata[i];
  return NULL;
}

gboolean
forgery_follow (Forgery * self)
{
  gboolean answered = FALSE;

  for (; self->n_heard < self->heard->len; self->n_heard++) {
    const Datagram *datagram = self->heard->pdata[self->n_heard];

    if (is_from (datagram, self->sender, FALSE))
      self->seq = GST_READ_UINT16_BE (datagram->data + 2);
    answered |= is_from (datagram, self->receiver, TRUE);
  }
  return answered;
}

/* The newest that can be read; under SRTP there is none. */
static void
find_report (Forgery * self)
{
  RtcpMessage feedback;

  for (guint i = self->heard->len; i-- > 0;) {
    const Datagram *datagram = self->heard->pdata[i];
    GstBuffer *buffer;
    gboolean ours;

    if (!is_from (datagram, self->receiver, TRUE))
      continue;
    buffer = gst_buffer_new_memdup (datagram->data, datagram->size);
    ours = rtcp_message_read_buffer (&feedback, buffer) == RTCP_VALID && feedback.n_reports > 0;
    gst_buffer_unref (buffer);
    if (!ours)
      continue;
    self->report = feedback.reports[0];
    self->instance = feedback.sender_ssrc;
    return;
  }
}

gboolean
forgery_study (Forgery * self)
{
  const Datagram *media;

  forgery_follow (self);
  media = nth_from (self, self->sender, FALSE, 0);
  for (guint n = 1; media && GST_READ_UINT16_BE (media->data + 2) != self->seq; n++)
    media = nth_from (self, self->sender, FALSE, n);
  if (!media)
    return FALSE;
  self->ssrc = self->report.ssrc = GST_READ_UINT32_BE (media->data + 8);
  find_report (self);
  return TRUE;
}

/* --- to the sender --- */

static void
send_buffer (Attacker * attacker, Place from, Place to, GstBuffer * buffer)
{
  GstMapInfo map;

  gst_buffer_map (buffer, &map, GST_MAP_READ);
  attacker_send (attacker, from, to, map.data, map.size);
  gst_buffer_unmap (buffer, &map);
  gst_buffer_unref (buffer);
}

/* Counters that a sender can believe: of each HELD packets that left one arrived, and each later
 * than the one before. */
static void
send_false_report (Forgery * self, Attacker * attacker)
{
  RcReport *report = &self->report;
  guint16 advance = (guint16) (self->seq - (guint16) report->highest_seq);

  report->number++;
  report->arrivals.n = 0;
  if (advance >= HELD) {
    report->highest_seq += advance;
    report->received_pkts++;
    report->received_bytes += TRUE_MEDIA_BYTES;
    report->lost_pkts += advance - 1u;
    report->arrival_us_remote += (guint64) advance * (MEDIA_INTERVAL_US + DELAY_STEP_US);
    report->hold_us = 0;
    report->bandwidth_bps = 20000;
  }
  send_buffer (attacker, self->receiver, self->sender,
      rtcp_new_reports (self->instance, report, 1));
}

static void
send_nack (const Forgery * self, Attacker * attacker, guint nth)
{
  guint8 nack[16] = { 0x81, 205, 0, 3,[14] = 0xff, 0xff };

  GST_WRITE_UINT32_BE (nack + 8, self->ssrc);
  GST_WRITE_UINT16_BE (nack + 12, (guint16) (self->seq - NACKED * (nth % 8)));
  attacker_send (attacker, self->receiver, self->sender, nack, sizeof nack);
}

static void
send_farewell (const Forgery * self, Attacker * attacker, guint nth)
{
  RcNotice taken = { RC_REFUSAL_TAKEN, 1 };
  guint8 bye[8] = { 0x81, 203, 0, 1 };

  GST_WRITE_UINT32_BE (bye + 4, self->instance);
  if (nth % 2 == 0)
    attacker_send (attacker, self->receiver, self->sender, bye, sizeof bye);
  else
    send_buffer (attacker, self->receiver, self->sender, rtcp_new_notice (0, &taken));
}

/* --- to the receiver --- */

static void
send_false_media (const Forgery * self, Attacker * attacker, Place from, guint nth)
{
  guint8 packet[FALSE_MEDIA_BYTES] = { 0x80, PAYLOAD_TYPE };

  GST_WRITE_UINT16_BE (packet + 2, (guint16) (self->seq + LEAD + nth));
  GST_WRITE_UINT32_BE (packet + 8, self->ssrc);
  memcpy (packet + RTP_HEADER_BYTES, FORGERY_MARK, strlen (FORGERY_MARK));
  attacker_send (attacker, from, self->receiver, packet, sizeof packet);
}

static void
send_hello (const Forgery * self, Attacker * attacker, guint nth)
{
  RcSenderInfo info = {.ssrc = self->ssrc + nth,.srtt_us = 10,.report_interval_us = 10000 };

  send_buffer (attacker, nth % 2 == 0 ? self->sender : self->own, self->receiver,
      rtcp_new_infos (info.ssrc, &info, 1));
}

/* --- any --- */

static gboolean
replay (const Forgery * self, Attacker * attacker, Place from, Place to, gboolean rtcp, guint nth)
{
  const Datagram *datagram = nth_from (self, from, rtcp, nth);

  if (datagram)
    attacker_send (attacker, from, to, datagram->data, datagram->size);
  return datagram != NULL;
}

/* Behind the header, or a sequence number that is new: nothing that only a replay check would
 * find. */
static void
send_changed (const Forgery * self, Attacker * attacker, Place from, Place to, gboolean rtcp,
    guint nth)
{
  const Datagram *datagram = nth_from (self, from, rtcp, nth);
  guint8 *data;

  if (!datagram)
    return;
  data = g_memdup2 (datagram->data, datagram->size);
  if (!rtcp)
    GST_WRITE_UINT16_BE (data + 2, (guint16) (self->seq + LEAD + nth));
  data[8 + nth % (datagram->size - 8)] ^= (guint8) (1u << nth % 8);
  attacker_send (attacker, from, to, data, datagram->size);
  g_free (data);
}

gboolean
forgery_send (Forgery * self, Attacker * attacker, ForgeryKind kind, guint nth)
{
  gboolean readable = self->report.number > 0, changed = nth % 2 == 1 && !readable;

  if (kind == FORGERY_OLD_REPORTS)
    return replay (self, attacker, self->receiver, self->sender, TRUE, nth);
  if (kind == FORGERY_OLD_RTP)
    return replay (self, attacker, self->sender, self->receiver, nth % 8 == 7, nth);
  if (kind == FORGERY_REPORTS && changed)
    send_changed (self, attacker, self->receiver, self->sender, TRUE, nth);
  else if (kind == FORGERY_REPORTS)
    send_false_report (self, attacker);
  else if (kind == FORGERY_NACKS)
    send_nack (self, attacker, nth);
  else if (kind == FORGERY_FAREWELL)
    send_farewell (self, attacker, nth);
  else if (kind == FORGERY_HELLO)
    send_hello (self, attacker, nth);
  else if (kind == FORGERY_RTP && changed)
    send_changed (self, attacker, self->sender, self->receiver, FALSE, nth);
  else
    send_false_media (self, attacker, kind == FORGERY_RTP ? self->sender : self->own, nth);
  return TRUE;
}
