/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* An arcreceiver in a harness on a test clock. */
#pragma once

#include <gst/check/gstharness.h>
#include <gst/check/gsttestclock.h>
#include <gst/net/net.h>
#include <gst/rtp/rtp.h>
#include <netinet/in.h>
#include <netinet/ip.h>

#include "claim.h"
#include "rtp/rtcpwriter.h"
#include "readstat.h"
#include "rtpmedia.h"

#define SSRC 0x11111111
#define PACKET_BYTES 1200
#define PAYLOAD_BYTES (PACKET_BYTES - 12)
#define INTERVAL (50 * GST_MSECOND)
#define START (10 * GST_SECOND) /* so that past times exist */

typedef struct
{
  GstHarness *media, *reports;
  GstTestClock *clock;
} Receiver;

static inline void
receiver_open (Receiver * r)
{
  r->media = gst_harness_new_with_padnames ("arcreceiver", "sink", "src");
  gst_harness_use_testclock (r->media);
  r->clock = gst_harness_get_testclock (r->media);
  gst_test_clock_set_time (r->clock, START);
  gst_harness_set_src_caps_str (r->media,
      "application/x-rtp,media=video,clock-rate=90000,payload=96");
  r->reports = gst_harness_new_with_element (r->media->element, NULL, "rtcp_src");
}

static inline void
receiver_close (Receiver * r)
{
  gst_object_unref (r->clock);
  gst_harness_teardown (r->reports);
  gst_harness_teardown (r->media);
}

#define METER Receiver, r, receiver_open (r), receiver_close (r)

static inline GstBuffer *
timed_packet_new (guint8 payload_type, guint32 ssrc, guint16 seq, guint32 timestamp)
{
  GstBuffer *buffer = gst_rtp_buffer_new_allocate (PAYLOAD_BYTES, 0, 0);
  AT_END (gst_rtp_buffer_unmap) GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  gst_rtp_buffer_map (buffer, GST_MAP_WRITE, &rtp);
  gst_rtp_buffer_set_ssrc (&rtp, ssrc);
  gst_rtp_buffer_set_seq (&rtp, seq);
  gst_rtp_buffer_set_payload_type (&rtp, payload_type);
  gst_rtp_buffer_set_timestamp (&rtp, timestamp);
  return buffer;
}

static inline GstBuffer *
packet_new (guint32 ssrc, guint16 seq)
{
  return timed_packet_new (96, ssrc, seq, 0);
}

static inline GstBuffer *
info_new (guint32 ssrc, guint32 srtt_us)
{
  RcSenderInfo info = {.ssrc = ssrc,.srtt_us = srtt_us,
      .report_interval_us = INTERVAL / GST_USECOND };

  return rtcp_new_infos (ssrc, &info, 1);
}

static inline GstBuffer *
bytes_new (const guint8 * bytes, gsize size)
{
  return gst_buffer_new_memdup (bytes, size);
}

static inline void
push (Receiver * r, GstBuffer * buffer)
{
  fail_unless_equals_int (gst_harness_push (r->media, buffer), GST_FLOW_OK);
}

static inline void
push_seq (Receiver * r, guint16 seq)
{
  push (r, packet_new (SSRC, seq));
}

/* Waits for the next report in real time, up to the harness's limit; virtual time does not move. */
static inline RtcpMessage
pull_reports (Receiver * r)
{
  g_autoptr (GstBuffer) buffer = gst_harness_pull (r->reports);
  RtcpMessage feedback;

  fail_unless (buffer != NULL);
  fail_unless_equals_int (rtcp_message_read_buffer (&feedback, buffer), RTCP_VALID);
  return feedback;
}

static inline void
advance (Receiver * r, GstClockTime by)
{
  gst_test_clock_advance_time (r->clock, by);
}

/* The thread may still be on its way to sleep: gives it time until it sleeps up to `at`, then
 * lets that time come. */
static inline void
crank_at (Receiver * r, GstClockTime at)
{
  GstClockID id;
  GstClockTime pending;

  do {
    gst_test_clock_wait_for_next_pending_id (r->clock, &id);
    pending = gst_clock_id_get_time (id);
    gst_clock_id_unref (id);
    g_thread_yield ();
  } while (pending != at);
  fail_unless (gst_test_clock_crank (r->clock));
}

static inline guint64
get_stat (Receiver * r, const gchar * name)
{
  return read_stat (r->media->element, name);
}

static inline void
fail_unless_feedback_is (Receiver * r, const gchar * expected)
{
  g_autoptr (GstStructure) stats = NULL;

  g_object_get (r->media->element, "stats", &stats, NULL);
  fail_unless_equals_string (gst_structure_get_string (stats, "feedback"), expected);
}
