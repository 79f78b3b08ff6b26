/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The queue of frames: gst/pacing/sendqueue.c and sendqueuedrop.c. */
#include <pacing/sendqueue.h>

#include "rtpmedia.h"

#define OVERHEAD 28
#define RTP_BYTES 984           /* 1012 bytes on the network */
#define PACKET (RTP_BYTES + OVERHEAD)
#define VIDEO 0x1111
#define AUDIO 0x2222

typedef struct
{
  SendQueue *queue;
  guint16 seq[2];
  RcTime now;
} Fixture;

static void
push_frame (Fixture * f, guint32 ssrc, guint32 timestamp, gboolean delta, guint packets)
{
  guint16 *seq = &f->seq[ssrc == AUDIO];

  while (packets-- > 0)
    fail_unless (send_queue_push (f->queue, rtp_new (ssrc, (*seq)++, timestamp, delta, RTP_BYTES),
            RTP_CODEC_OTHER, f->now));
}

static void
fixture_init (Fixture * f)
{
  *f = (Fixture) {.queue = send_queue_new (OVERHEAD, TRUE),.seq = {65530, 100},.now = RC_SECOND };
}

static void
fixture_clear (Fixture * f)
{
  send_queue_free (f->queue);
}

#define QUEUE Fixture, f, fixture_init (f), fixture_clear (f)

/* Takes one out; returns its timestamp. The buffer's own number must be the one told. */
/* Whose encoder is asked now: of the video. */
static gboolean
takes_order (Fixture * f, RcTime now)
{
  guint32 ssrc = 0;
  gboolean taken = send_queue_take_keyframe_order (f->queue, now, &ssrc);

  fail_unless_equals_int (ssrc, taken ? VIDEO : 0);
  return taken;
}

static guint32
pop (Fixture * f, guint16 * seq)
{
  const SendPacket *packet;
  RtpHeader header;

  send_queue_number (f->queue, 1);
  packet = send_queue_peek (f->queue, 0);
  header = rtp_header_of (packet->buffer);
  fail_unless_equals_int (header.seq, packet->seq);
  *seq = header.seq;
  send_queue_pop (f->queue, f->now);
  return header.timestamp;
}

/* The timestamps that leave, each frame once, and that their numbers follow each other. */
static void
assert_leaves (Fixture * f, const guint32 * timestamps, guint n, guint16 first_seq)
{
  guint32 last = G_MAXUINT32;
  guint i = 0;

  while (send_queue_packets (f->queue) > 0) {
    guint16 seq;
    guint32 timestamp = pop (f, &seq);

    fail_unless_equals_int (seq, first_seq++);
    if (timestamp != last) {
      fail_unless (i < n, "frame %u is too many", timestamp);
      fail_unless_equals_int (timestamp, timestamps[i++]);
    }
    last = timestamp;
  }
  fail_unless_equals_int (i, n);
  fail_unless_equals_uint64 (send_queue_bytes (f->queue), 0);
}

static void
assert_stats (Fixture * f, guint64 in, guint64 dropped, guint64 packets)
{
  SendQueueStats stats;

  send_queue_get_stats (f->queue, &stats);
  fail_unless_equals_uint64 (stats.frames_in, in);
  fail_unless_equals_uint64 (stats.frames_dropped, dropped);
  fail_unless_equals_uint64 (stats.packets_dropped, packets);
}

CLAIM_ON (test_all_leaves_in_order_when_nothing_is_shed, QUEUE)
{
  const guint32 expect[] = { 1, 2, 3 };

  push_frame (f, VIDEO, 1, FALSE, 5);
  push_frame (f, VIDEO, 2, TRUE, 2);
  push_frame (f, VIDEO, 3, TRUE, 3);
  fail_unless_equals_uint64 (send_queue_bytes (f->queue), 10 * PACKET);
  send_queue_shed (f->queue, 5 * PACKET, f->now); /* the keyframe does not count */
  assert_leaves (f, expect, 3, 65530);
  assert_stats (f, 3, 0, 0);
}

CLAIM_ON (test_delta_frames_are_dropped_until_a_keyframe_comes, QUEUE)
{
  const guint32 expect[] = { 1, 5, 6 };

  push_frame (f, VIDEO, 1, FALSE, 5);
  push_frame (f, VIDEO, 2, TRUE, 3);
  push_frame (f, VIDEO, 3, TRUE, 3);
  send_queue_shed (f->queue, 5 * PACKET, f->now);
  fail_unless_equals_uint64 (send_queue_dropped_bytes (f->queue), 6 * PACKET);
  fail_unless (takes_order (f, f->now));
  fail_if (takes_order (f, f->now + RC_SECOND / 2));
  push_frame (f, VIDEO, 3, TRUE, 1);   /* the rest of a frame that was dropped */
  fail_unless_equals_uint64 (send_queue_dropped_bytes (f->queue), 7 * PACKET);
  push_frame (f, VIDEO, 4, TRUE, 2);
  fail_unless (takes_order (f, f->now + RC_SECOND));
  push_frame (f, VIDEO, 5, FALSE, 2);
  fail_if (takes_order (f, f->now + 3 * RC_SECOND));
  push_frame (f, VIDEO, 6, TRUE, 2);
  assert_leaves (f, expect, 3, 65530);
  assert_stats (f, 6, 3, 9);
}

CLAIM_ON (test_frame_that_began_to_leave_is_finished, QUEUE)
{
  const guint32 expect[] = { 2 };
  guint16 seq;

  push_frame (f, VIDEO, 1, FALSE, 1);
  push_frame (f, VIDEO, 2, TRUE, 4);
  push_frame (f, VIDEO, 3, TRUE, 4);
  fail_unless_equals_int (pop (f, &seq), 1);
  fail_unless_equals_int (pop (f, &seq), 2);
  send_queue_shed (f->queue, 4 * PACKET, f->now);
  fail_unless_equals_int (send_queue_packets (f->queue), 3);
  assert_leaves (f, expect, 1, 65532);
  assert_stats (f, 3, 1, 4);
}

/* Else the stream would stand for what is left of a second. */
CLAIM_ON (test_a_keyframe_that_came_lets_the_next_be_asked_for, QUEUE)
{
  push_frame (f, VIDEO, 0, FALSE, 1);
  push_frame (f, VIDEO, 1, TRUE, 10);
  push_frame (f, VIDEO, 2, TRUE, 10);
  send_queue_shed (f->queue, 5 * PACKET, f->now);
  fail_unless (takes_order (f, f->now));
  f->now += 100 * RC_MSEC;
  push_frame (f, VIDEO, 3, FALSE, 10);
  fail_if (takes_order (f, f->now));
  push_frame (f, VIDEO, 4, TRUE, 10);
  send_queue_shed (f->queue, 5 * PACKET, f->now);
  fail_unless (takes_order (f, f->now));
  fail_if (takes_order (f, f->now + RC_SECOND / 2));
}

/* rtpulpfecenc sets no flag on what it adds to a frame. */
CLAIM_ON (test_fec_behind_a_frame_is_no_keyframe, QUEUE)
{
  GstBuffer *fec;
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  push_frame (f, VIDEO, 0, FALSE, 1);
  f->now += 300 * RC_MSEC;
  push_frame (f, VIDEO, 1, TRUE, 10);
  fec = rtp_new (VIDEO, f->seq[0]++, 1, FALSE, RTP_BYTES);
  fail_unless (gst_rtp_buffer_map (fec, GST_MAP_READWRITE, &rtp));
  gst_rtp_buffer_set_payload_type (&rtp, 122);
  gst_rtp_buffer_unmap (&rtp);
  fail_unless (send_queue_push (f->queue, fec, RTP_CODEC_OTHER, f->now));
  f->now += 10 * RC_MSEC;
  send_queue_request_keyframe (f->queue, VIDEO, 100 * RC_MSEC, f->now);
  fail_unless (takes_order (f, f->now));
}

/* Its encoder may be gone; the one that is left would be asked each second for ever. */
CLAIM_ON (test_a_stream_that_ended_awaits_no_keyframe, QUEUE)
{
  guint asked = 0;

  push_frame (f, VIDEO, 0, FALSE, 1);
  push_frame (f, VIDEO, 1, TRUE, 8);
  send_queue_shed (f->queue, 4 * PACKET, f->now);
  fail_unless (takes_order (f, f->now));
  for (guint i = 0; i < 100; i++) {
    f->now += 100 * RC_MSEC;
    push_frame (f, AUDIO, i, FALSE, 1);
    asked += takes_order (f, f->now);
  }
  fail_unless (asked <= 2, "asked %u times in 10 s", asked);
}

CLAIM_ON (test_a_stream_that_ended_has_no_share, QUEUE)
{
  guint32 ssrcs[2];
  gdouble shares[2];

  push_frame (f, VIDEO, 0, FALSE, 1);
  push_frame (f, AUDIO, 0, FALSE, 1);
  fail_unless_equals_int (send_queue_get_shares (f->queue, ssrcs, shares, 2, f->now), 2);
  f->now += 3 * RC_SECOND;
  push_frame (f, AUDIO, 1, FALSE, 1);
  fail_unless_equals_int (send_queue_get_shares (f->queue, ssrcs, shares, 1, f->now), 1);
  fail_unless_equals_int (ssrcs[0], AUDIO);
  fail_unless (shares[0] == 1);
}

CLAIM_ON (test_new_keyframe_replaces_what_waits_before_it, QUEUE)
{
  const guint32 expect[] = { 4, 5 };

  push_frame (f, VIDEO, 1, FALSE, 3);
  push_frame (f, VIDEO, 2, TRUE, 3);
  push_frame (f, VIDEO, 3, TRUE, 3);
  push_frame (f, VIDEO, 4, FALSE, 20);
  push_frame (f, VIDEO, 5, TRUE, 1);
  send_queue_shed (f->queue, 4 * PACKET, f->now);
  fail_if (takes_order (f, f->now));
  assert_leaves (f, expect, 2, 65530);
  assert_stats (f, 5, 3, 9);
}

CLAIM_ON (test_audio_is_not_dropped_because_of_video, QUEUE)
{
  guint i, audio = 0;
  guint16 seq;

  push_frame (f, VIDEO, 1, FALSE, 1);
  for (i = 0; i < 5; i++) {
    push_frame (f, VIDEO, 2 + i, TRUE, 4);
    push_frame (f, AUDIO, 100 + i, FALSE, 1);
  }
  send_queue_shed (f->queue, 8 * PACKET, f->now);
  assert_stats (f, 11, 5, 20);
  while (send_queue_packets (f->queue) > 0)
    audio += pop (f, &seq) >= 100;
  fail_unless_equals_int (audio, 5);
}

CLAIM_ON (test_oldest_go_first_where_every_frame_stands_alone, QUEUE)
{
  const guint32 expect[] = { 7, 8, 9 };

  for (guint i = 0; i < 10; i++)
    push_frame (f, AUDIO, i, FALSE, 1);
  send_queue_shed (f->queue, 2 * PACKET, f->now);
  fail_if (takes_order (f, f->now));
  assert_leaves (f, expect, 3, 100);
}

CLAIM_ON (test_waiting_for_a_keyframe_ends_some_time, QUEUE)
{
  push_frame (f, VIDEO, 1, FALSE, 1);
  push_frame (f, VIDEO, 2, TRUE, 9);
  send_queue_shed (f->queue, PACKET, f->now);
  fail_unless_equals_int (send_queue_packets (f->queue), 1);
  f->now += 2 * RC_SECOND;
  push_frame (f, VIDEO, 3, TRUE, 1);
  fail_unless_equals_int (send_queue_packets (f->queue), 1);
  f->now += 2 * RC_SECOND;
  push_frame (f, VIDEO, 4, TRUE, 1);
  fail_unless_equals_int (send_queue_packets (f->queue), 2);
}

CLAIM_ON (test_closed_queue_takes_nothing_and_then_awaits_a_keyframe, QUEUE)
{
  const guint32 expect[] = { 5 };

  push_frame (f, VIDEO, 1, FALSE, 1);
  push_frame (f, VIDEO, 2, TRUE, 1);
  send_queue_set_closed (f->queue, TRUE, f->now);
  push_frame (f, VIDEO, 3, FALSE, 1);
  fail_unless_equals_int (send_queue_packets (f->queue), 0);
  fail_if (takes_order (f, f->now));
  send_queue_set_closed (f->queue, FALSE, f->now);
  push_frame (f, VIDEO, 3, FALSE, 1);  /* its beginning is gone */
  push_frame (f, VIDEO, 4, TRUE, 1);
  fail_unless (takes_order (f, f->now));
  push_frame (f, VIDEO, 5, FALSE, 1);
  assert_leaves (f, expect, 1, 65530);
  assert_stats (f, 5, 4, 5);
}

CLAIM_ON (test_flush_forgets_and_numbers_go_on, QUEUE)
{
  const guint32 expect[] = { 3 };
  guint16 seq;

  push_frame (f, VIDEO, 1, FALSE, 2);
  pop (f, &seq);
  push_frame (f, VIDEO, 2, TRUE, 3);
  send_queue_flush (f->queue);
  assert_stats (f, 2, 0, 0);
  push_frame (f, VIDEO, 3, TRUE, 2);
  assert_leaves (f, expect, 1, 65531);
}

CLAIM_ON (test_packets_that_could_not_be_sent_are_numbered_again, QUEUE)
{
  const guint32 expect[] = { 3 };
  guint16 seq;

  push_frame (f, VIDEO, 1, FALSE, 1);
  pop (f, &seq);
  push_frame (f, VIDEO, 2, TRUE, 3);
  push_frame (f, VIDEO, 3, FALSE, 2);
  send_queue_number (f->queue, 5);
  for (guint i = 0; i < 5; i++)
    fail_unless_equals_int (send_queue_peek (f->queue, i)->seq, (guint16) (65531 + i));
  send_queue_shed (f->queue, PACKET, f->now);     /* drops the three that did not leave */
  send_queue_number (f->queue, 2);
  assert_leaves (f, expect, 1, 65531);
}

/* What leaves in place of the packet that came. */
static GstBuffer *
number_behind_gap (Fixture * f, GstBuffer * came, guint16 seq)
{
  fail_unless (send_queue_push (f->queue, came, RTP_CODEC_OTHER, f->now));
  send_queue_number (f->queue, 1);
  fail_unless_equals_int (rtp_header_of (send_queue_peek (f->queue, 0)->buffer).seq, seq);
  return send_queue_peek (f->queue, 0)->buffer;
}

CLAIM_ON (test_a_number_is_written_into_the_packet_unless_others_have_it, QUEUE)
{
  g_autoptr (GstBuffer) held = NULL, shares = NULL;
  GstBuffer *came;

  push_frame (f, VIDEO, 1, FALSE, 3);
  send_queue_flush (f->queue);
  came = rtp_new (VIDEO, 100, 2, FALSE, RTP_BYTES);
  fail_unless (number_behind_gap (f, came, 97) == came);
  fail_unless (send_queue_peek (f->queue, 0)->shared == NULL);
  send_queue_pop (f->queue, f->now);
  held = rtp_new (VIDEO, 101, 3, TRUE, RTP_BYTES);
  fail_unless (number_behind_gap (f, gst_buffer_ref (held), 98) != held);
  fail_unless_equals_int (rtp_header_of (held).seq, 101);
  send_queue_pop (f->queue, f->now);
  came = rtp_new (VIDEO, 102, 4, TRUE, RTP_BYTES);
  shares = gst_buffer_copy (came);
  fail_unless (number_behind_gap (f, came, 99) != came);
  fail_unless_equals_int (rtp_header_of (shares).seq, 102);
}

CLAIM_ON (test_more_flows_than_are_remembered_still_pass, QUEUE)
{
  for (guint i = 0; i < 500; i++) {
    fail_unless (send_queue_push (f->queue, rtp_new (i, 0, 0, FALSE, RTP_BYTES), RTP_CODEC_OTHER,
            f->now + i));
    if (i > 100) {
      fail_unless_equals_int (send_queue_peek (f->queue, 0)->ssrc, i - 101);
      send_queue_pop (f->queue, f->now);
    }
  }
}

/* Several receivers of one stream: each has its own SSRC and numbers, and shares the payload. */
CLAIM_ON (test_a_mask_gives_packets_another_ssrc_and_leaves_those_that_came_as_they_are, QUEUE)
{
  GstBuffer *came = rtp_new (VIDEO, 7, 0, FALSE, RTP_BYTES), *leaves;
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  send_queue_set_ssrc_mask (f->queue, 0x1010);
  fail_unless (send_queue_push (f->queue, gst_buffer_ref (came), RTP_CODEC_OTHER, f->now));
  fail_unless_equals_int (send_queue_peek (f->queue, 0)->ssrc, VIDEO ^ 0x1010);
  send_queue_number (f->queue, 1);
  leaves = send_queue_peek (f->queue, 0)->buffer;
  fail_unless (gst_rtp_buffer_map (leaves, GST_MAP_READ, &rtp));
  fail_unless_equals_int (gst_rtp_buffer_get_ssrc (&rtp), VIDEO ^ 0x1010);
  fail_unless_equals_int (gst_rtp_buffer_get_seq (&rtp), 7);
  gst_rtp_buffer_unmap (&rtp);
  fail_unless (gst_rtp_buffer_map (came, GST_MAP_READ, &rtp));
  fail_unless_equals_int (gst_rtp_buffer_get_ssrc (&rtp), VIDEO);
  gst_rtp_buffer_unmap (&rtp);
  gst_buffer_unref (came);
}

/* As a payloader makes it: the header is a memory of its own. whole: it is not. */
static GstBuffer *
masked_packet_new (guint16 seq, gboolean whole)
{
  GstBuffer *one = rtp_new (VIDEO, seq, seq, FALSE, RTP_BYTES), *two;

  if (whole)
    return one;
  two = gst_buffer_append (gst_buffer_copy_region (one, GST_BUFFER_COPY_ALL | GST_BUFFER_COPY_DEEP,
          0, 12), gst_buffer_copy_region (one, GST_BUFFER_COPY_MEMORY | GST_BUFFER_COPY_DEEP, 12,
          -1));
  gst_buffer_unref (one);
  return two;
}

/* The bytes that leave are those that came, but for the SSRC. */
static void
fail_unless_masked (GstBuffer * leaves, GstBuffer * came)
{
  guint8 a[2 * RTP_BYTES], b[2 * RTP_BYTES];
  gsize size = gst_buffer_extract (came, 0, b, sizeof b);

  fail_unless_equals_int (gst_buffer_extract (leaves, 0, a, sizeof a), size);
  GST_WRITE_UINT32_BE (b + 8, GST_READ_UINT32_BE (b + 8) ^ 0x1010);
  fail_unless (memcmp (a, b, size) == 0);
}

/* To make a buffer for each was a sixth of what a viewer's packet cost; what is shared goes. */
CLAIM_ON (test_a_buffer_that_left_with_a_mask_is_used_again, QUEUE)
{
  GQuark used = g_quark_from_static_string ("used");

  send_queue_set_ssrc_mask (f->queue, 0x1010);
  for (guint16 seq = 0; seq < 8; seq++) {
    g_autoptr (GstBuffer) came = masked_packet_new (seq, seq % 2);
    GstBuffer *leaves;

    fail_unless (send_queue_push (f->queue, gst_buffer_ref (came), RTP_CODEC_OTHER, f->now));
    send_queue_number (f->queue, 1);
    leaves = send_queue_peek (f->queue, 0)->buffer;
    fail_unless_masked (leaves, came);
    fail_unless (seq == 0
        || gst_mini_object_get_qdata (GST_MINI_OBJECT_CAST (leaves), used) != NULL);
    gst_mini_object_set_qdata (GST_MINI_OBJECT_CAST (leaves), used, f, NULL);
    send_queue_pop (f->queue, f->now);
    fail_unless_equals_int (GST_MINI_OBJECT_REFCOUNT_VALUE (came), 1);
    for (guint i = 0; i < gst_buffer_n_memory (came); i++)
      fail_unless_equals_int (GST_MINI_OBJECT_REFCOUNT_VALUE (gst_buffer_peek_memory (came, i)),
          1);
  }
}

/* A transport keeps the first, and merges the memories of the second. */
CLAIM_ON (test_a_buffer_with_a_mask_that_others_changed_is_not_used_again, QUEUE)
{
  g_autoptr (GstBuffer) kept = NULL;

  send_queue_set_ssrc_mask (f->queue, 0x1010);
  for (guint16 seq = 0; seq < 4; seq++) {
    g_autoptr (GstBuffer) came = masked_packet_new (seq, FALSE);
    GstMapInfo map;

    fail_unless (send_queue_push (f->queue, gst_buffer_ref (came), RTP_CODEC_OTHER, f->now));
    send_queue_number (f->queue, 1);
    if (!kept)
      kept = gst_buffer_ref (send_queue_peek (f->queue, 0)->buffer);
    fail_unless_masked (send_queue_peek (f->queue, 0)->buffer, came);
    if (seq == 1 && gst_buffer_map (send_queue_peek (f->queue, 0)->buffer, &map, GST_MAP_READ))
      gst_buffer_unmap (send_queue_peek (f->queue, 0)->buffer, &map);
    send_queue_pop (f->queue, f->now);
  }
  fail_unless_equals_int (rtp_header_of (kept).seq, 0);
}

/* --- how long frames are held --- */

/* Frames of three packets, which leave 5 ms after each other: each frame is held for 15 ms. */
static void
pass_frames (Fixture * f, guint first, guint n)
{
  guint16 seq;

  for (guint i = first; i < first + n; i++) {
    push_frame (f, VIDEO, i, i > 0, 3);
    for (guint k = 0; k < 3; k++) {
      f->now += 5 * RC_MSEC;
      pop (f, &seq);
    }
    f->now += 18 * RC_MSEC;
  }
}

CLAIM_ON (test_frame_is_held_from_its_first_packet_in_to_its_last_one_out, QUEUE)
{
  SendQueueStats stats;

  send_queue_get_stats (f->queue, &stats);
  fail_unless_equals_int64 (stats.held_p95, RC_TIME_NONE);
  pass_frames (f, 0, 50);
  send_queue_get_stats (f->queue, &stats);
  fail_unless_equals_int64 (stats.held_p50, 15 * RC_MSEC);
  fail_unless_equals_int64 (stats.held_p99, 15 * RC_MSEC);
}

CLAIM_ON (test_flow_that_is_held_longest_counts, QUEUE)
{
  SendQueueStats stats;
  guint16 seq;

  for (guint i = 0; i < 50; i++) {
    push_frame (f, AUDIO, i, FALSE, 1);
    f->now += RC_MSEC;
    pop (f, &seq);
    pass_frames (f, i, 1);
  }
  send_queue_get_stats (f->queue, &stats);
  fail_unless_equals_int64 (stats.held_p50, 15 * RC_MSEC);
}

/* With requests all the time, and keyframes that take so long to leave; deltas between. */
static guint
count_orders (Fixture * f, RcTime took)
{
  RcTime end = f->now + 10 * RC_SECOND, key_leaves_at = RC_TIME_NONE;
  guint orders = 0, n = 0;
  guint16 seq;

  push_frame (f, VIDEO, n++, FALSE, 1);
  pop (f, &seq);
  push_frame (f, VIDEO, n++, TRUE, 1);
  pop (f, &seq);
  for (; f->now < end; f->now += 10 * RC_MSEC) {
    send_queue_request_keyframe (f->queue, VIDEO, 0, f->now);
    if (takes_order (f, f->now)) {
      orders++;
      push_frame (f, VIDEO, n++, FALSE, 1);
      key_leaves_at = f->now + took;
    }
    if (key_leaves_at != RC_TIME_NONE && f->now >= key_leaves_at) {
      pop (f, &seq);
      push_frame (f, VIDEO, n++, TRUE, 1);
      pop (f, &seq);
      key_leaves_at = RC_TIME_NONE;
    }
  }
  return orders;
}

CLAIM_ON (test_keyframes_on_request_take_half_of_the_time_at_most, QUEUE)
{
  fail_unless_equals_int (count_orders (f, 20 * RC_MSEC), 50);
  fail_unless (count_orders (f, 250 * RC_MSEC) <= 21);
}
