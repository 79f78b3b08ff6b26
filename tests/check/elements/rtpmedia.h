/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* RTP packets for the elements' tests, and their patience. Include quiet.h before. */
#pragma once

#include <gst/rtp/rtp.h>

#include "claim.h"

/* For what other threads do. */
#define wait_until(condition)                                                  \
  G_STMT_START {                                                               \
    gint64 end = g_get_monotonic_time () + 30 * G_TIME_SPAN_SECOND;            \
    while (!(condition)) {                                                     \
      fail_unless (g_get_monotonic_time () < end, "waited for: " #condition);  \
      g_usleep (1000);                                                         \
    }                                                                          \
  } G_STMT_END

typedef struct
{
  guint32 ssrc, timestamp;
  guint16 seq;
} RtpHeader;

static inline RtpHeader
rtp_header_of (GstBuffer * buffer)
{
  AT_END (gst_rtp_buffer_unmap) GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  fail_unless (buffer && gst_rtp_buffer_map (buffer, GST_MAP_READ, &rtp));
  return (RtpHeader) {.ssrc = gst_rtp_buffer_get_ssrc (&rtp),
      .timestamp = gst_rtp_buffer_get_timestamp (&rtp),.seq = gst_rtp_buffer_get_seq (&rtp) };
}

/* Of one packet and 1000 bytes. */
static inline GstBuffer *
sender_report_new (guint32 ssrc, guint64 ntp)
{
  AT_END (gst_rtcp_buffer_unmap) GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  GstRTCPPacket packet;
  GstBuffer *buffer = gst_rtcp_buffer_new (1400);

  gst_rtcp_buffer_map (buffer, GST_MAP_READWRITE, &rtcp);
  gst_rtcp_buffer_add_packet (&rtcp, GST_RTCP_TYPE_SR, &packet);
  gst_rtcp_packet_sr_set_sender_info (&packet, ssrc, ntp, 0, 1, 1000);
  return buffer;
}

static inline GstBuffer *
rtp_new (guint32 ssrc, guint16 seq, guint32 timestamp, gboolean delta, guint rtp_bytes)
{
  GstBuffer *buffer = gst_rtp_buffer_new_allocate (rtp_bytes - 12, 0, 0);
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  gst_buffer_memset (buffer, 12, 0, rtp_bytes - 12);
  fail_unless (gst_rtp_buffer_map (buffer, GST_MAP_READWRITE, &rtp));
  gst_rtp_buffer_set_ssrc (&rtp, ssrc);
  gst_rtp_buffer_set_seq (&rtp, seq);
  gst_rtp_buffer_set_timestamp (&rtp, timestamp);
  gst_rtp_buffer_unmap (&rtp);
  if (delta)
    GST_BUFFER_FLAG_SET (buffer, GST_BUFFER_FLAG_DELTA_UNIT);
  return buffer;
}
