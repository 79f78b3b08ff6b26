/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "rtp/keyframertcp.h"

#include <gst/rtp/rtp.h>

#define FB_HEADER_WORDS 2       /* behind the first word: the SSRCs of sender and media */
#define FIR_ENTRY_WORDS 2
#define MAX_PACKET_BYTES (4 * (1 + FB_HEADER_WORDS + FIR_ENTRY_WORDS))

static gboolean
is_request (GstRTCPPacket * packet)
{
  GstRTCPFBType type;

  if (gst_rtcp_packet_get_type (packet) != GST_RTCP_TYPE_PSFB || packet->length < FB_HEADER_WORDS)
    return FALSE;
  type = gst_rtcp_packet_fb_get_type (packet);
  return type == GST_RTCP_PSFB_TYPE_PLI || type == GST_RTCP_PSFB_TYPE_FIR;
}

/* How many it has; -1: malformed. */
static gint
count_of (GstRTCPPacket * packet)
{
  guint words = packet->length - FB_HEADER_WORDS;

  if (gst_rtcp_packet_fb_get_type (packet) == GST_RTCP_PSFB_TYPE_PLI)
    return words == 0 ? 1 : -1;
  return words > 0 && words % FIR_ENTRY_WORDS == 0 ? (gint) (words / FIR_ENTRY_WORDS) : -1;
}

static KeyframeRtcp
read_one (GstRTCPPacket * packet, guint i)
{
  KeyframeRtcp request = {.from = gst_rtcp_packet_fb_get_sender_ssrc (packet) };
  const guint8 *entry;

  if (gst_rtcp_packet_fb_get_type (packet) == GST_RTCP_PSFB_TYPE_PLI) {
    request.ssrc = gst_rtcp_packet_fb_get_media_ssrc (packet);
    return request;
  }
  entry = gst_rtcp_packet_fb_get_fci (packet) + 4 * FIR_ENTRY_WORDS * i;
  request.fir = TRUE;
  request.ssrc = GST_READ_UINT32_BE (entry);
  request.number = entry[4];
  return request;
}

/* FALSE: malformed. */
static gboolean
read_packet (GstRTCPPacket * packet, KeyframeRtcp * out, gint * n)
{
  gint count = count_of (packet);

  if (count < 0 || *n + count > KEYFRAME_RTCP_MAX)
    return FALSE;
  for (gint i = 0; i < count; i++)
    out[(*n)++] = read_one (packet, (guint) i);
  return TRUE;
}

gint
keyframe_rtcp_read (GstBuffer * buffer, KeyframeRtcp out[KEYFRAME_RTCP_MAX])
{
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  GstRTCPPacket packet;
  gboolean more, ok = TRUE;
  gint n = 0;

  if (!gst_rtcp_buffer_map (buffer, GST_MAP_READ, &rtcp))
    return -1;
  for (more = gst_rtcp_buffer_get_first_packet (&rtcp, &packet); more && ok;
      more = gst_rtcp_packet_move_to_next (&packet))
    ok = !is_request (&packet) || read_packet (&packet, out, &n);
  gst_rtcp_buffer_unmap (&rtcp);
  return ok ? n : -1;
}

static void
add (GstRTCPBuffer * rtcp, const KeyframeRtcp * request)
{
  GstRTCPPacket packet;
  guint8 *entry;

  gst_rtcp_buffer_add_packet (rtcp, GST_RTCP_TYPE_PSFB, &packet);
  gst_rtcp_packet_fb_set_type (&packet,
      request->fir ? GST_RTCP_PSFB_TYPE_FIR : GST_RTCP_PSFB_TYPE_PLI);
  gst_rtcp_packet_fb_set_sender_ssrc (&packet, request->from);
  gst_rtcp_packet_fb_set_media_ssrc (&packet, request->fir ? 0 : request->ssrc);
  if (!request->fir)
    return;
  gst_rtcp_packet_fb_set_fci_length (&packet, FIR_ENTRY_WORDS);
  entry = gst_rtcp_packet_fb_get_fci (&packet);
  GST_WRITE_UINT32_BE (entry, request->ssrc);
  GST_WRITE_UINT32_BE (entry + 4, (guint32) request->number << 24);
}

GstBuffer *
keyframe_rtcp_new (const KeyframeRtcp * requests, guint n)
{
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  GstBuffer *buffer;

  g_return_val_if_fail (n >= 1 && n <= KEYFRAME_RTCP_MAX, NULL);
  buffer = gst_rtcp_buffer_new (n * MAX_PACKET_BYTES + 4);
  gst_rtcp_buffer_map (buffer, GST_MAP_READWRITE, &rtcp);
  for (guint i = 0; i < n; i++)
    add (&rtcp, &requests[i]);
  gst_rtcp_buffer_unmap (&rtcp);
  return buffer;
}

GstBuffer *
keyframe_rtcp_without (GstBuffer * buffer)
{
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  GstBuffer *copy = gst_buffer_copy_deep (buffer);
  GstRTCPPacket packet;
  gboolean more;

  if (gst_rtcp_buffer_map (copy, GST_MAP_READWRITE, &rtcp)) {
    for (more = gst_rtcp_buffer_get_first_packet (&rtcp, &packet); more;)
      more = is_request (&packet) ? gst_rtcp_packet_remove (&packet)
          : gst_rtcp_packet_move_to_next (&packet);
    gst_rtcp_buffer_unmap (&rtcp);
  }
  if (gst_buffer_get_size (copy) == 0)
    gst_clear_buffer (&copy);
  return copy;
}
