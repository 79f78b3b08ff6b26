/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* An rmcsink with a live source, and the receiver reports of RTP by hand. */
#pragma once

#include "rmcsinkfixture.h"
#include <rc/ledger/reportblocks.h>

static guint32 timestamp;

static inline void
init_and_play (Fixture * f, const gchar * properties)
{
  fixture_init (f, TRUE, properties);
  fixture_play (f);
}

#define PLAYING_SINK(properties) Fixture, f, init_and_play (f, properties), fixture_clear (f)

static inline void
push_packet (Fixture * f)
{
  push_frame (f, timestamp += 900, TRUE, 1, 500);
  g_usleep (10 * 1000);
}

/* A live source goes on meanwhile. */
#define push_until(f, condition)                                               \
  G_STMT_START {                                                               \
    gint64 end = g_get_monotonic_time () + 30 * G_TIME_SPAN_SECOND;            \
    while (!(condition)) {                                                     \
      fail_unless (g_get_monotonic_time () < end, "waited for: " #condition);  \
      push_packet (f);                                                         \
    }                                                                          \
  } G_STMT_END

static inline RcReportBlock
block_of (const Datagram * d)
{
  return (RcReportBlock) {.ssrc = GST_READ_UINT32_BE (d->data + 8),.highest_seq = d->seq };
}

/* from: who reports */
static inline void
send_block (Fixture * f, guint32 from, const RcReportBlock * block)
{
  GstBuffer *buffer = gst_rtcp_buffer_new (200);
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  GstRTCPPacket packet;

  gst_rtcp_buffer_map (buffer, GST_MAP_READWRITE, &rtcp);
  gst_rtcp_buffer_add_packet (&rtcp, GST_RTCP_TYPE_RR, &packet);
  gst_rtcp_packet_rr_set_ssrc (&packet, from);
  gst_rtcp_packet_add_rb (&packet, block->ssrc, 0, block->lost_pkts, block->highest_seq, 0,
      block->lsr, block->dlsr);
  gst_rtcp_buffer_unmap (&rtcp);
  send_buffer (f, buffer);
}

