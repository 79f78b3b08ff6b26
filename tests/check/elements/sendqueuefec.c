/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* FEC of frames where they are numbered anew: in the queue that drops frames
 * (gst/pacing/sendqueuefec.c), and in arcladder. The FEC is made and used by the stock rtpulpfecenc
 * and rtpulpfecdec. */
#include <pacing/sendqueue.h>

#include "rtpmedia.h"

#include <gst/check/gstharness.h>

#define OVERHEAD 28
#define VIDEO 0x1111
#define MEDIA_PT 96
#define FEC_PT 122
#define RED_PT 97
#define CAPS "application/x-rtp,media=video,clock-rate=90000,encoding-name=X-TEST,payload=96"
#define FRAME_PKTS 4
#define FRAME_TIME (GST_SECOND / 30)
#define BASE_AT (12 + 2)

typedef struct
{
  GstHarness *encoder;
  guint red_bytes;              /* before media and FEC in each payload */
  SendQueue *queue;
  guint16 seq;
  guint32 frames;
  GPtrArray *left;              /* packets as they left the queue */
  RcTime now;
} Fixture;

static void
fixture_init (Fixture * f)
{
  *f = (Fixture) {.queue = send_queue_new (OVERHEAD, TRUE),.seq = 65533,.now = RC_SECOND };
  f->encoder = gst_harness_new_parse ("rtpulpfecenc pt=122 percentage=25");
  gst_harness_set_src_caps_str (f->encoder, CAPS);
  f->left = g_ptr_array_new_with_free_func ((GDestroyNotify) gst_buffer_unref);
}

static void
fixture_clear (Fixture * f)
{
  g_ptr_array_unref (f->left);
  send_queue_free (f->queue);
  gst_harness_teardown (f->encoder);
}

#define FEC_QUEUE Fixture, f, fixture_init (f), fixture_clear (f)

/* As webrtcbin sends it. */
static void
fixture_init_red (Fixture * f)
{
  fixture_init (f);
  gst_harness_teardown (f->encoder);
  f->encoder = gst_harness_new_parse ("rtpulpfecenc pt=122 percentage=25 "
      "! rtpredenc pt=97 allow-no-red-blocks=true");
  gst_harness_set_src_caps_str (f->encoder, CAPS);
  f->red_bytes = 1;
  send_queue_set_red (f->queue, RED_PT);
}

#define RED_QUEUE Fixture, f, fixture_init_red (f), fixture_clear (f)

/* What the encoder makes of a packet of the frame, with a content of its own. */
static void
encode (Fixture * f, guint n, gboolean key)
{
  GstBuffer *buffer = rtp_new (VIDEO, f->seq++, 3000 * f->frames, !key, 200 + 10 * n);
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  fail_unless (gst_rtp_buffer_map (buffer, GST_MAP_READWRITE, &rtp));
  gst_rtp_buffer_set_payload_type (&rtp, MEDIA_PT);
  gst_rtp_buffer_set_marker (&rtp, n == FRAME_PKTS - 1);
  memset (gst_rtp_buffer_get_payload (&rtp), (gint) (f->frames * FRAME_PKTS + n),
      gst_rtp_buffer_get_payload_len (&rtp));
  gst_rtp_buffer_unmap (&rtp);
  GST_BUFFER_PTS (buffer) = f->frames * FRAME_TIME;
  fail_unless_equals_int (gst_harness_push (f->encoder, buffer), GST_FLOW_OK);
}

static void
enqueue_encoded (Fixture * f)
{
  GstBuffer *buffer;

  while ((buffer = gst_harness_try_pull (f->encoder)))
    fail_unless (send_queue_push (f->queue, buffer, RTP_CODEC_OTHER, f->now));
}

/* FRAME_PKTS packets of media and one of FEC. */
static void
push_frame (Fixture * f, gboolean key)
{
  for (guint i = 0; i < FRAME_PKTS; i++)
    encode (f, i, key);
  f->frames++;
  enqueue_encoded (f);
}

static guint
payload_type (Fixture * f, GstBuffer * buffer)
{
  guint8 byte;

  fail_unless_equals_int (gst_buffer_extract (buffer, f->red_bytes ? 12 : 1, &byte, 1), 1);
  return byte & 0x7f;
}

static void
leave (Fixture * f)
{
  while (send_queue_packets (f->queue) > 0) {
    send_queue_number (f->queue, 1);
    g_ptr_array_add (f->left, gst_buffer_ref (send_queue_peek (f->queue, 0)->buffer));
    send_queue_pop (f->queue, f->now);
  }
}

/* A keyframe leaves, two frames are dropped, and those from a keyframe on leave. */
static void
send_with_a_gap (Fixture * f)
{
  push_frame (f, TRUE);
  leave (f);
  push_frame (f, FALSE);
  push_frame (f, FALSE);
  send_queue_shed (f->queue, 0, f->now);
  push_frame (f, TRUE);
  push_frame (f, FALSE);
  leave (f);
  fail_unless_equals_int (f->left->len, 3 * (FRAME_PKTS + 1));
}

/* The lost packet as rtpulpfecdec mends it, or NULL. Its number is one of the decoder's. */
static GstBuffer *
mend (Fixture * f, guint lost)
{
  GstHarness *decoder = gst_harness_new_parse ("rtpreddec pt=97 ! rtpstorage size-time=1000000000 "
      "! rtpulpfecdec pt=122");
  GstBuffer *mended;
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  g_autoptr (GstCaps) caps = gst_caps_from_string (CAPS);
  guint seq;

  fail_unless (gst_rtp_buffer_map (f->left->pdata[lost], GST_MAP_READ, &rtp));
  seq = gst_rtp_buffer_get_seq (&rtp);
  gst_caps_set_simple (caps, "ssrc", G_TYPE_UINT, gst_rtp_buffer_get_ssrc (&rtp), NULL);
  gst_rtp_buffer_unmap (&rtp);
  gst_harness_set_src_caps (decoder, gst_caps_ref (caps));
  for (guint i = 0; i < f->left->len; i++)
    if (i != lost) {
      gst_harness_push (decoder, gst_buffer_copy_deep (f->left->pdata[i]));
      gst_buffer_unref (gst_harness_pull (decoder));
    }
  fail_unless (gst_harness_push_event (decoder, gst_event_new_custom (GST_EVENT_CUSTOM_DOWNSTREAM,
              gst_structure_new ("GstRTPPacketLost", "seqnum", G_TYPE_UINT, seq, "timestamp",
                  G_TYPE_UINT64, G_GUINT64_CONSTANT (0), "duration", G_TYPE_UINT64,
                  G_GUINT64_CONSTANT (0), NULL))));
  mended = gst_harness_try_pull (decoder);
  gst_harness_teardown (decoder);
  return mended;
}

/* Its timestamp too. */
static void
assert_mends (Fixture * f, guint lost)
{
  g_autoptr (GstBuffer) mended = mend (f, lost);
  GstMapInfo map;

  fail_unless (mended != NULL, "packet %u was not mended", lost);
  fail_unless (gst_buffer_map (f->left->pdata[lost], &map, GST_MAP_READ));
  fail_unless_equals_int (gst_buffer_get_size (mended) + f->red_bytes, map.size);
  fail_unless (gst_buffer_memcmp (mended, 12, map.data + 12 + f->red_bytes,
          map.size - 12 - f->red_bytes) == 0);
  fail_unless (gst_buffer_memcmp (mended, 4, map.data + 4, 4) == 0);
  gst_buffer_unmap (f->left->pdata[lost], &map);
}

static void
assert_mends_all (Fixture * f)
{
  for (guint i = 0; i < f->left->len; i++)
    if (payload_type (f, f->left->pdata[i]) == MEDIA_PT)
      assert_mends (f, i);
}

CLAIM_ON (test_fec_mends_a_loss_after_frames_were_dropped, FEC_QUEUE)
{
  send_with_a_gap (f);
  assert_mends_all (f);
}

CLAIM_ON (test_fec_in_red_mends_a_loss_after_frames_were_dropped, RED_QUEUE)
{
  SendQueueStats stats;

  send_queue_set_enlarges (f->queue, TRUE);     /* RED has a header of its own */
  send_with_a_gap (f);
  assert_mends_all (f);
  send_queue_get_stats (f->queue, &stats);
  fail_unless_equals_uint64 (stats.fec_in, 5);
  fail_unless_equals_uint64 (stats.fec_dropped, 0);
}

CLAIM_ON (test_fec_names_the_numbers_with_which_its_frame_left, FEC_QUEUE)
{
  SendQueueStats stats;
  guint8 base[2];

  send_with_a_gap (f);
  for (guint i = 0; i < f->left->len; i++)
    if (payload_type (f, f->left->pdata[i]) == FEC_PT) {
      gst_buffer_extract (f->left->pdata[i], BASE_AT, base, sizeof base);
      fail_unless_equals_int (GST_READ_UINT16_BE (base), (guint16) (65533 + i - FRAME_PKTS));
    }
  send_queue_get_stats (f->queue, &stats);
  fail_unless_equals_uint64 (stats.fec_in, 5);
  fail_unless_equals_uint64 (stats.fec_dropped, 0);
  fail_unless_equals_uint64 (stats.packets_dropped, 2 * (FRAME_PKTS + 1));
}

/* A keyframe is awaited, and its first packets do not look like one. */
CLAIM_ON (test_fec_of_a_frame_that_lost_its_head_is_dropped, FEC_QUEUE)
{
  SendQueueStats stats;

  push_frame (f, TRUE);
  leave (f);
  push_frame (f, FALSE);
  send_queue_shed (f->queue, 0, f->now);
  encode (f, 0, FALSE);
  encode (f, 1, TRUE);
  encode (f, 2, TRUE);
  encode (f, 3, TRUE);
  enqueue_encoded (f);
  leave (f);
  fail_unless_equals_int (f->left->len, FRAME_PKTS + 1 + 3);
  send_queue_get_stats (f->queue, &stats);
  fail_unless_equals_uint64 (stats.fec_dropped, 1);
  f->frames++;
  push_frame (f, FALSE);       /* whose FEC holds again */
  leave (f);
  fail_unless_equals_int (f->left->len, FRAME_PKTS + 1 + 3 + FRAME_PKTS + 1);
  assert_mends (f, f->left->len - 3);
}

CLAIM_ON (test_fec_of_packets_that_were_enlarged_is_dropped, FEC_QUEUE)
{
  SendQueueStats stats;

  send_queue_set_enlarges (f->queue, TRUE);
  push_frame (f, TRUE);
  leave (f);
  fail_unless_equals_int (f->left->len, FRAME_PKTS);
  send_queue_get_stats (f->queue, &stats);
  fail_unless_equals_uint64 (stats.fec_dropped, 1);
}

CLAIM_ON (test_no_encoder_made_fec, FEC_QUEUE)
{
  push_frame (f, TRUE);
  for (guint i = 0; i <= FRAME_PKTS; i++)
    fail_unless_equals_int (send_queue_peek (f->queue, i)->payload_bytes,
        i < FRAME_PKTS ? 200 + 10 * i - 12 : 0);
  fail_unless_equals_int (send_queue_made_bytes (f->queue), 0);
}

/* Each viewer has numbers and timestamps of its own. Of five equal timestamps the FEC holds one, of
 * four none. */
CLAIM_ON (test_fec_mends_the_losses_of_a_viewer_of_arcladder, FEC_QUEUE)
{
  GstElement *ladder = gst_element_factory_make ("arcladder", NULL);
  GstHarness *rung, *viewer;
  g_autoptr (GstPad) pad = NULL;
  GstBuffer *buffer;

  g_object_set (ladder, "rungs", 0, NULL);
  rung = gst_harness_new_with_element (ladder, "sink_0", NULL);
  viewer = gst_harness_new_with_element (ladder, NULL, "src_%u");
  pad = gst_element_get_static_pad (ladder, "sink_0");
  g_object_set (pad, "bitrate", 300000, NULL);
  gst_harness_set_src_caps_str (rung, CAPS);
  for (guint i = 0; i < 4; i++) {
    if (i % 2 == 1)
      encode (f, 0, TRUE);
    for (guint k = 0; k < FRAME_PKTS; k++)
      encode (f, k, TRUE);
    f->frames++;
    while ((buffer = gst_harness_try_pull (f->encoder)))
      gst_harness_push (rung, buffer);
  }
  while ((buffer = gst_harness_try_pull (viewer)))
    g_ptr_array_add (f->left, buffer);
  fail_unless (f->left->len > 2 * FRAME_PKTS);
  assert_mends_all (f);
  gst_harness_teardown (viewer);
  gst_harness_teardown (rung);
  gst_object_unref (ladder);
}
