/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* arcreceiver: when it asks for a keyframe, on a test clock. */
#include "arcreceiverfixture.h"

#include "rtp/rtcpwriter.h"

#include <gst/video/video.h>

#define H264_CAPS "application/x-rtp,media=video,encoding-name=H264,clock-rate=90000,payload=96"
#define RETRY (300 * GST_MSECOND)       /* while the round trip is not known */

/* Of H.264: the first byte is a NAL unit of an IDR picture, or of one that is not. */
static void
push_nal (Receiver * r, guint32 ssrc, guint16 seq, gboolean idr)
{
  GstBuffer *buffer = packet_new (ssrc, seq);
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  gst_rtp_buffer_map (buffer, GST_MAP_WRITE, &rtp);
  *(guint8 *) gst_rtp_buffer_get_payload (&rtp) = idr ? 0x65 : 0x41;
  gst_rtp_buffer_unmap (&rtp);
  push (r, buffer);
}

static void
open_with (Receiver * r, const gchar * caps)
{
  receiver_open (r);
  gst_harness_set_src_caps_str (r->media, caps);
}

#define METER_OF(caps) Receiver, r, open_with (r, caps), receiver_close (r)

/* The requests of the next compound packet, which must begin with RTCP of this type. */
static gint
pull_requests (Receiver * r, GstRTCPType type, RtcpKeyframe * requests)
{
  g_autoptr (GstBuffer) buffer = gst_harness_pull (r->reports);
  RtcpMessage message;

  fail_unless (buffer != NULL);
  rtcp_message_read_buffer (&message, buffer);
  memcpy (requests, message.keyframes, message.n_keyframes * sizeof *requests);
  if (type != GST_RTCP_TYPE_INVALID) {
    guint8 head[2];

    gst_buffer_extract (buffer, 0, head, 2);
    fail_unless_equals_int (head[1], type);
  }
  return (gint) message.n_keyframes;
}

/* A test clock wakes nobody by itself. */
static void
wake_reporter (Receiver * r)
{
  GstClockTime now = gst_clock_get_time (GST_CLOCK (r->clock)), at = 0;
  GstClockID id;

  while (at <= now && gst_test_clock_peek_next_pending_id (r->clock, &id)) {
    at = gst_clock_id_get_time (id);
    gst_clock_id_unref (id);
    if (at <= now && (id = gst_test_clock_process_next_clock_id (r->clock)))
      gst_clock_id_unref (id);
  }
}

/* So many and no more, also when the thread had time for it. */
static void
fail_unless_asked (Receiver * r, guint64 requests)
{
  for (guint i = 0; i < 20; i++) {
    wake_reporter (r);
    g_usleep (1000);
  }
  fail_unless_equals_uint64 (get_stat (r, "keyframe-requests"), requests);
}

CLAIM_ON (test_a_stream_that_begins_in_the_middle_asks_with_the_first_report, METER_OF (H264_CAPS))
{
  RtcpKeyframe requests[RTCP_MAX_KEYFRAMES];

  push_nal (r, SSRC, 1, FALSE);
  fail_unless_equals_int (pull_requests (r, GST_RTCP_TYPE_APP, requests), 1);
  fail_unless_equals_int (requests[0].ssrc, SSRC);
  fail_if (requests[0].fir);
  fail_unless_asked (r, 1);
}

CLAIM_ON (test_a_stream_that_begins_with_a_keyframe_asks_for_none, METER_OF (H264_CAPS))
{
  RtcpKeyframe requests[RTCP_MAX_KEYFRAMES];

  push_nal (r, SSRC, 1, TRUE);
  fail_unless_equals_int (pull_requests (r, GST_RTCP_TYPE_APP, requests), 0);
  push_nal (r, SSRC, 2, FALSE);
  fail_unless_asked (r, 0);
}

CLAIM_ON (test_sound_is_never_asked_for_a_keyframe,
    METER_OF ("application/x-rtp,media=audio,encoding-name=OPUS,clock-rate=48000,payload=96"))
{
  push_seq (r, 1);
  pull_reports (r);
  push_seq (r, 100);
  for (guint16 seq = 101; seq < 110; seq++)
    push_seq (r, seq);
  gst_harness_push_upstream_event (r->media,
      gst_video_event_new_upstream_force_key_unit (GST_CLOCK_TIME_NONE, TRUE, 0));
  fail_unless_asked (r, 0);
}

CLAIM_ON (test_nothing_is_asked_when_the_property_says_so, METER_OF (H264_CAPS))
{
  RtcpKeyframe requests[RTCP_MAX_KEYFRAMES];

  g_object_set (r->media->element, "request-keyframes", FALSE, NULL);
  push_nal (r, SSRC, 1, FALSE);
  fail_unless_equals_int (pull_requests (r, GST_RTCP_TYPE_APP, requests), 0);
  fail_unless_asked (r, 0);
}

/* What comes meanwhile keeps the stream alive, and is reported. */
static void
go_on (Receiver * r, guint16 * seq, GstClockTime time)
{
  for (; time > 0; time -= 10 * GST_MSECOND) {
    advance (r, 10 * GST_MSECOND);
    push_nal (r, SSRC, ++*seq, FALSE);
    wake_reporter (r);
  }
}

static void
wait_asked (Receiver * r, guint64 requests)
{
  for (guint i = 0; i < 10000 && get_stat (r, "keyframe-requests") < requests; i++) {
    wake_reporter (r);
    g_usleep (1000);
  }
  fail_unless_asked (r, requests);
}

CLAIM_ON (test_a_request_is_repeated_until_a_keyframe_comes, METER_OF (H264_CAPS))
{
  guint16 seq = 0;

  push_nal (r, SSRC, seq, FALSE);
  wait_asked (r, 1);
  go_on (r, &seq, RETRY - 10 * GST_MSECOND);
  fail_unless_asked (r, 1);
  go_on (r, &seq, 10 * GST_MSECOND);
  wait_asked (r, 2);
  go_on (r, &seq, 2 * RETRY);
  wait_asked (r, 3);
  push_nal (r, SSRC, ++seq, TRUE);
  go_on (r, &seq, 2 * GST_SECOND);
  fail_unless_asked (r, 3);
}

CLAIM_ON (test_a_decoder_may_ask_for_one_stream_or_for_all, METER_OF (H264_CAPS))
{
  GstEvent *event = gst_video_event_new_upstream_force_key_unit (GST_CLOCK_TIME_NONE, TRUE, 0);

  push_nal (r, SSRC, 1, TRUE);
  push_nal (r, SSRC + 1, 1, TRUE);
  gst_harness_push_upstream_event (r->media, gst_event_copy (event));
  wait_asked (r, 2);
  push_nal (r, SSRC, 2, TRUE);
  push_nal (r, SSRC + 1, 2, TRUE);
  advance (r, GST_SECOND / 2);
  gst_structure_set (gst_event_writable_structure (event), "ssrc", G_TYPE_UINT, SSRC, NULL);
  gst_harness_push_upstream_event (r->media, event);
  wait_asked (r, 3);
}

static void
lose_one (Receiver * r, guint16 * seq)
{
  ++*seq;
  for (guint i = 0; i < 3; i++)
    push_nal (r, SSRC, ++*seq, FALSE);
}

CLAIM_ON (test_a_loss_asks_once_a_second, METER_OF (H264_CAPS))
{
  guint16 seq = 1;

  push_nal (r, SSRC, seq, TRUE);
  lose_one (r, &seq);
  wait_asked (r, 1);
  push_nal (r, SSRC, ++seq, TRUE);
  advance (r, GST_SECOND / 2);
  lose_one (r, &seq);
  go_on (r, &seq, 490 * GST_MSECOND);
  fail_unless_asked (r, 1);
  go_on (r, &seq, 10 * GST_MSECOND);
  wait_asked (r, 2);
}

/* The jitter buffer asks for what was lost in an outage, but that comes too late. */
CLAIM_ON (test_a_loss_in_a_gap_longer_than_the_latency_asks_at_once, METER_OF (H264_CAPS))
{
  guint16 seq = 1;

  push_nal (r, SSRC, seq, TRUE);
  gst_harness_push_upstream_event (r->media, gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM,
          gst_structure_new ("GstRTPRetransmissionRequest", "seqnum", G_TYPE_UINT, 3, "deadline",
              G_TYPE_UINT, 200, NULL)));
  advance (r, 190 * GST_MSECOND);
  lose_one (r, &seq);
  fail_unless_asked (r, 0);
  push_nal (r, SSRC, ++seq, TRUE);
  advance (r, 210 * GST_MSECOND);
  lose_one (r, &seq);
  wait_asked (r, 1);
}

/* Of so many packets before it. */
static void
push_fec (Receiver * r, guint16 seq, guint pkts)
{
  GstBuffer *buffer = packet_new (SSRC, seq);
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  guint8 *header;

  gst_rtp_buffer_map (buffer, GST_MAP_WRITE, &rtp);
  gst_rtp_buffer_set_payload_type (&rtp, 122);
  header = gst_rtp_buffer_get_payload (&rtp);
  fail_unless (gst_rtp_buffer_get_payload_len (&rtp) >= 14);
  memset (header, 0, 14);
  GST_WRITE_UINT16_BE (header + 2, (guint16) (seq - pkts));
  GST_WRITE_UINT16_BE (header + 12, (guint16) (0xffff << (16 - pkts)));
  gst_rtp_buffer_unmap (&rtp);
  push (r, buffer);
}

CLAIM_ON (test_a_loss_that_fec_mends_asks_for_nothing, METER_OF (H264_CAPS))
{
  guint16 seq = 1;

  push_nal (r, SSRC, seq, TRUE);
  push_fec (r, ++seq, 1);
  lose_one (r, &seq);
  push_fec (r, ++seq, 4);
  go_on (r, &seq, 1500 * GST_MSECOND);
  fail_unless_asked (r, 0);
  ++seq;
  lose_one (r, &seq);          /* two of four */
  fail_unless_asked (r, 0);
  push_fec (r, ++seq, 5);
  go_on (r, &seq, 50 * GST_MSECOND);
  wait_asked (r, 1);
  push_fec (r, ++seq, 1);
  go_on (r, &seq, RETRY);
  wait_asked (r, 2);           /* again, for no keyframe came */
}

/* A jitter buffer of 200 ms that asks for what is missing. */
CLAIM_ON (test_a_loss_is_left_to_retransmission_for_the_latency_downstream, METER_OF (H264_CAPS))
{
  guint16 seq = 1, lost;

  push_nal (r, SSRC, seq, TRUE);
  gst_harness_push_upstream_event (r->media, gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM,
          gst_structure_new ("GstRTPRetransmissionRequest", "seqnum", G_TYPE_UINT, 3, "deadline",
              G_TYPE_UINT, 200, NULL)));
  lost = (guint16) (seq + 1);
  lose_one (r, &seq);
  go_on (r, &seq, 190 * GST_MSECOND);
  push_nal (r, SSRC, lost, FALSE);     /* repaired */
  go_on (r, &seq, 500 * GST_MSECOND);
  fail_unless_asked (r, 0);
  lose_one (r, &seq);
  go_on (r, &seq, 190 * GST_MSECOND);
  fail_unless_asked (r, 0);
  go_on (r, &seq, 10 * GST_MSECOND);
  wait_asked (r, 1);
}

/* RFC 4588: the number of the lost packet leads the payload. */
static void
push_repeat (Receiver * r, guint16 number)
{
  GstBuffer *buffer = packet_new (SSRC + 1, number);
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  gst_rtp_buffer_map (buffer, GST_MAP_WRITE, &rtp);
  gst_rtp_buffer_set_payload_type (&rtp, 97);
  GST_WRITE_UINT16_BE (gst_rtp_buffer_get_payload (&rtp), number);
  gst_rtp_buffer_unmap (&rtp);
  push (r, buffer);
}

CLAIM_ON (test_a_repair_may_come_in_a_stream_of_its_own, METER_OF (H264_CAPS))
{
  guint16 seq = 1;

  push_nal (r, SSRC, seq, TRUE);
  push_repeat (r, 1000);       /* which asks once, as any unknown stream */
  wait_asked (r, 1);
  gst_harness_push_upstream_event (r->media, gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM,
          gst_structure_new ("GstRTPRetransmissionRequest", "seqnum", G_TYPE_UINT, 2, "deadline",
              G_TYPE_UINT, 200, NULL)));
  lose_one (r, &seq);
  go_on (r, &seq, 100 * GST_MSECOND);
  push_repeat (r, 2);
  go_on (r, &seq, 500 * GST_MSECOND);
  fail_unless_asked (r, 1);
  lose_one (r, &seq);
  push_repeat (r, 2);
  go_on (r, &seq, 200 * GST_MSECOND);
  wait_asked (r, 2);
}

CLAIM_ON (test_a_sender_that_knows_fir_only_gets_fir,
    METER_OF (H264_CAPS ",rtcp-fb-ccm-fir=(boolean)true"))
{
  RtcpKeyframe requests[RTCP_MAX_KEYFRAMES];

  push_nal (r, SSRC, 1, FALSE);
  fail_unless_equals_int (pull_requests (r, GST_RTCP_TYPE_APP, requests), 1);
  fail_unless (requests[0].fir && requests[0].number == 1);
  gst_harness_set_src_caps_str (r->media,
      H264_CAPS ",rtcp-fb-ccm-fir=(boolean)true,rtcp-fb-nack-pli=(boolean)true");
  push_nal (r, SSRC + 1, 1, FALSE);
  while (pull_requests (r, GST_RTCP_TYPE_APP, requests) == 0);
  fail_if (requests[0].fir);
}

/* With the report of that format in one datagram, as RFC 4585 wants it. */
CLAIM (test_requests_go_with_reports_of_any_format)
{
  static const gchar *const formats[] = { "ccfb", "twcc", "rr" };
  RtcpKeyframe requests[RTCP_MAX_KEYFRAMES];

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
    AT_END (receiver_close) Receiver r;

    open_with (&r, H264_CAPS ",extmap-5=http://www.ietf.org/id/"
        "draft-holmer-rmcat-transport-wide-cc-extensions-01");
    gst_util_set_object_arg (G_OBJECT (r.media->element), "feedback", formats[i]);
    push_nal (&r, SSRC, 1, FALSE);
    fail_unless_equals_int (pull_requests (&r, GST_RTCP_TYPE_RR, requests), 1);
    fail_unless_equals_int (requests[0].ssrc, SSRC);
  }
}

/* The media may be anything, and one request is harmless. */
CLAIM_ON (test_an_unknown_stream_is_asked_once, METER_OF ("application/x-rtp"))
{
  RtcpKeyframe requests[RTCP_MAX_KEYFRAMES];

  push_nal (r, SSRC, 1, FALSE);
  fail_unless_equals_int (pull_requests (r, GST_RTCP_TYPE_APP, requests), 1);
  for (guint16 seq = 2; seq < 300; seq++) {
    advance (r, 10 * GST_MSECOND);
    push_nal (r, SSRC, seq, FALSE);
    wake_reporter (r);
  }
  fail_unless_asked (r, 1);
}
