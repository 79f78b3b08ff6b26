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
