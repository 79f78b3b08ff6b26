/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <gst/check/gstcheck.h>
#include <gst/rtp/rtp.h>
#include <rc/sender/mediatarget.h>
#include <pacing/sendqueue.h>

#define OVERHEAD 28
#define PAYLOAD 972             /* 1012 bytes on the network */
#define PACKET (PAYLOAD + 12 + OVERHEAD)
#define VIDEO 0x1111
#define AUDIO 0x2222

typedef struct
{
  SendQueue *queue;
  guint16 seq[2];
  RcTime now;
} Fixture;

static GstBuffer *
rtp_new (guint32 ssrc, guint16 seq, guint32 timestamp, gboolean delta)
{
  GstBuffer *buffer = gst_rtp_buffer_new_allocate (PAYLOAD, 0, 0);
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  fail_unless (gst_rtp_buffer_map (buffer, GST_MAP_READWRITE, &rtp));
  gst_rtp_buffer_set_ssrc (&rtp, ssrc);
  gst_rtp_buffer_set_seq (&rtp, seq);
  gst_rtp_buffer_set_timestamp (&rtp, timestamp);
  gst_rtp_buffer_unmap (&rtp);
  if (delta)
    GST_BUFFER_FLAG_SET (buffer, GST_BUFFER_FLAG_DELTA_UNIT);
  return buffer;
}

static void
push_frame (Fixture * f, guint32 ssrc, guint32 timestamp, gboolean delta, guint packets)
{
  guint16 *seq = &f->seq[ssrc == AUDIO];

  while (packets-- > 0)
    fail_unless (send_queue_push (f->queue, rtp_new (ssrc, (*seq)++, timestamp, delta),
            RTP_CODEC_OTHER, f->now));
}

static void
fixture_init (Fixture * f)
{
  *f = (Fixture) {.queue = send_queue_new (OVERHEAD, TRUE),.seq = {65530, 100},.now = RC_SECOND };
}

/* Takes one out; returns its timestamp. The buffer's own number must be the one told. */
static guint32
pop (Fixture * f, guint16 * seq)
{
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  const SendPacket *packet;
  guint32 timestamp;

  send_queue_number (f->queue, 1);
  packet = send_queue_peek (f->queue, 0);
  fail_unless (gst_rtp_buffer_map (packet->buffer, GST_MAP_READ, &rtp));
  fail_unless_equals_int (gst_rtp_buffer_get_seq (&rtp), packet->seq);
  timestamp = gst_rtp_buffer_get_timestamp (&rtp);
  gst_rtp_buffer_unmap (&rtp);
  *seq = packet->seq;
  send_queue_pop (f->queue);
  return timestamp;
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

GST_START_TEST (test_all_leaves_in_order_when_nothing_is_shed)
{
  const guint32 expect[] = { 1, 2, 3 };
  Fixture f;

  fixture_init (&f);
  push_frame (&f, VIDEO, 1, FALSE, 5);
  push_frame (&f, VIDEO, 2, TRUE, 2);
  push_frame (&f, VIDEO, 3, TRUE, 3);
  fail_unless_equals_uint64 (send_queue_bytes (f.queue), 10 * PACKET);
  send_queue_shed (f.queue, 5 * PACKET, f.now); /* the keyframe does not count */
  assert_leaves (&f, expect, 3, 65530);
  assert_stats (&f, 3, 0, 0);
  send_queue_free (f.queue);
}

GST_END_TEST;

GST_START_TEST (test_delta_frames_are_dropped_until_a_keyframe_comes)
{
  const guint32 expect[] = { 1, 5, 6 };
  Fixture f;

  fixture_init (&f);
  push_frame (&f, VIDEO, 1, FALSE, 5);
  push_frame (&f, VIDEO, 2, TRUE, 3);
  push_frame (&f, VIDEO, 3, TRUE, 3);
  send_queue_shed (f.queue, 5 * PACKET, f.now);
  fail_unless (send_queue_take_keyframe_request (f.queue, f.now));
  fail_if (send_queue_take_keyframe_request (f.queue, f.now + RC_SECOND / 2));
  push_frame (&f, VIDEO, 3, TRUE, 1);   /* the rest of a frame that was dropped */
  push_frame (&f, VIDEO, 4, TRUE, 2);
  fail_unless (send_queue_take_keyframe_request (f.queue, f.now + RC_SECOND));
  push_frame (&f, VIDEO, 5, FALSE, 2);
  fail_if (send_queue_take_keyframe_request (f.queue, f.now + 3 * RC_SECOND));
  push_frame (&f, VIDEO, 6, TRUE, 2);
  assert_leaves (&f, expect, 3, 65530);
  assert_stats (&f, 6, 3, 9);
  send_queue_free (f.queue);
}

GST_END_TEST;

GST_START_TEST (test_frame_that_began_to_leave_is_finished)
{
  const guint32 expect[] = { 2 };
  guint16 seq;
  Fixture f;

  fixture_init (&f);
  push_frame (&f, VIDEO, 1, FALSE, 1);
  push_frame (&f, VIDEO, 2, TRUE, 4);
  push_frame (&f, VIDEO, 3, TRUE, 4);
  fail_unless_equals_int (pop (&f, &seq), 1);
  fail_unless_equals_int (pop (&f, &seq), 2);
  send_queue_shed (f.queue, 4 * PACKET, f.now);
  fail_unless_equals_int (send_queue_packets (f.queue), 3);
  assert_leaves (&f, expect, 1, 65532);
  assert_stats (&f, 3, 1, 4);
  send_queue_free (f.queue);
}

GST_END_TEST;

/* Else the stream would stand for what is left of a second. */
GST_START_TEST (test_a_keyframe_that_came_lets_the_next_be_asked_for)
{
  Fixture f;

  fixture_init (&f);
  push_frame (&f, VIDEO, 0, FALSE, 1);
  push_frame (&f, VIDEO, 1, TRUE, 10);
  push_frame (&f, VIDEO, 2, TRUE, 10);
  send_queue_shed (f.queue, 5 * PACKET, f.now);
  fail_unless (send_queue_take_keyframe_request (f.queue, f.now));
  f.now += 100 * RC_MSEC;
  push_frame (&f, VIDEO, 3, FALSE, 10);
  fail_if (send_queue_take_keyframe_request (f.queue, f.now));
  push_frame (&f, VIDEO, 4, TRUE, 10);
  send_queue_shed (f.queue, 5 * PACKET, f.now);
  fail_unless (send_queue_take_keyframe_request (f.queue, f.now));
  fail_if (send_queue_take_keyframe_request (f.queue, f.now + RC_SECOND / 2));
  send_queue_free (f.queue);
}

GST_END_TEST;

/* Its encoder may be gone; the one that is left would be asked each second for ever. */
GST_START_TEST (test_a_stream_that_ended_awaits_no_keyframe)
{
  guint asked = 0;
  Fixture f;

  fixture_init (&f);
  push_frame (&f, VIDEO, 0, FALSE, 1);
  push_frame (&f, VIDEO, 1, TRUE, 8);
  send_queue_shed (f.queue, 4 * PACKET, f.now);
  fail_unless (send_queue_take_keyframe_request (f.queue, f.now));
  for (guint i = 0; i < 100; i++) {
    f.now += 100 * RC_MSEC;
    push_frame (&f, AUDIO, i, FALSE, 1);
    asked += send_queue_take_keyframe_request (f.queue, f.now);
  }
  fail_unless (asked <= 2, "asked %u times in 10 s", asked);
  send_queue_free (f.queue);
}

GST_END_TEST;

GST_START_TEST (test_a_stream_that_ended_has_no_share)
{
  guint32 ssrcs[2];
  gdouble shares[2];
  Fixture f;

  fixture_init (&f);
  push_frame (&f, VIDEO, 0, FALSE, 1);
  push_frame (&f, AUDIO, 0, FALSE, 1);
  fail_unless_equals_int (send_queue_get_shares (f.queue, ssrcs, shares, 2, f.now), 2);
  f.now += 3 * RC_SECOND;
  push_frame (&f, AUDIO, 1, FALSE, 1);
  fail_unless_equals_int (send_queue_get_shares (f.queue, ssrcs, shares, 1, f.now), 1);
  fail_unless_equals_int (ssrcs[0], AUDIO);
  fail_unless (shares[0] == 1);
  send_queue_free (f.queue);
}

GST_END_TEST;

GST_START_TEST (test_new_keyframe_replaces_what_waits_before_it)
{
  const guint32 expect[] = { 4, 5 };
  Fixture f;

  fixture_init (&f);
  push_frame (&f, VIDEO, 1, FALSE, 3);
  push_frame (&f, VIDEO, 2, TRUE, 3);
  push_frame (&f, VIDEO, 3, TRUE, 3);
  push_frame (&f, VIDEO, 4, FALSE, 20);
  push_frame (&f, VIDEO, 5, TRUE, 1);
  send_queue_shed (f.queue, 4 * PACKET, f.now);
  fail_if (send_queue_take_keyframe_request (f.queue, f.now));
  assert_leaves (&f, expect, 2, 65530);
  assert_stats (&f, 5, 3, 9);
  send_queue_free (f.queue);
}

GST_END_TEST;

GST_START_TEST (test_audio_is_not_dropped_because_of_video)
{
  Fixture f;
  guint i, audio = 0;
  guint16 seq;

  fixture_init (&f);
  push_frame (&f, VIDEO, 1, FALSE, 1);
  for (i = 0; i < 5; i++) {
    push_frame (&f, VIDEO, 2 + i, TRUE, 4);
    push_frame (&f, AUDIO, 100 + i, FALSE, 1);
  }
  send_queue_shed (f.queue, 8 * PACKET, f.now);
  assert_stats (&f, 11, 5, 20);
  while (send_queue_packets (f.queue) > 0)
    audio += pop (&f, &seq) >= 100;
  fail_unless_equals_int (audio, 5);
  send_queue_free (f.queue);
}

GST_END_TEST;

GST_START_TEST (test_oldest_go_first_where_every_frame_stands_alone)
{
  const guint32 expect[] = { 7, 8, 9 };
  Fixture f;
  guint i;

  fixture_init (&f);
  for (i = 0; i < 10; i++)
    push_frame (&f, AUDIO, i, FALSE, 1);
  send_queue_shed (f.queue, 2 * PACKET, f.now);
  fail_if (send_queue_take_keyframe_request (f.queue, f.now));
  assert_leaves (&f, expect, 3, 100);
  send_queue_free (f.queue);
}

GST_END_TEST;

GST_START_TEST (test_waiting_for_a_keyframe_ends_some_time)
{
  Fixture f;

  fixture_init (&f);
  push_frame (&f, VIDEO, 1, FALSE, 1);
  push_frame (&f, VIDEO, 2, TRUE, 9);
  send_queue_shed (f.queue, PACKET, f.now);
  fail_unless_equals_int (send_queue_packets (f.queue), 1);
  f.now += 2 * RC_SECOND;
  push_frame (&f, VIDEO, 3, TRUE, 1);
  fail_unless_equals_int (send_queue_packets (f.queue), 1);
  f.now += 2 * RC_SECOND;
  push_frame (&f, VIDEO, 4, TRUE, 1);
  fail_unless_equals_int (send_queue_packets (f.queue), 2);
  send_queue_free (f.queue);
}

GST_END_TEST;

GST_START_TEST (test_closed_queue_takes_nothing_and_then_awaits_a_keyframe)
{
  const guint32 expect[] = { 5 };
  Fixture f;

  fixture_init (&f);
  push_frame (&f, VIDEO, 1, FALSE, 1);
  push_frame (&f, VIDEO, 2, TRUE, 1);
  send_queue_set_closed (f.queue, TRUE, f.now);
  push_frame (&f, VIDEO, 3, FALSE, 1);
  fail_unless_equals_int (send_queue_packets (f.queue), 0);
  fail_if (send_queue_take_keyframe_request (f.queue, f.now));
  send_queue_set_closed (f.queue, FALSE, f.now);
  push_frame (&f, VIDEO, 3, FALSE, 1);  /* its beginning is gone */
  push_frame (&f, VIDEO, 4, TRUE, 1);
  fail_unless (send_queue_take_keyframe_request (f.queue, f.now));
  push_frame (&f, VIDEO, 5, FALSE, 1);
  assert_leaves (&f, expect, 1, 65530);
  assert_stats (&f, 5, 4, 5);
  send_queue_free (f.queue);
}

GST_END_TEST;

GST_START_TEST (test_flush_forgets_and_numbers_go_on)
{
  const guint32 expect[] = { 3 };
  guint16 seq;
  Fixture f;

  fixture_init (&f);
  push_frame (&f, VIDEO, 1, FALSE, 2);
  pop (&f, &seq);
  push_frame (&f, VIDEO, 2, TRUE, 3);
  send_queue_flush (f.queue);
  assert_stats (&f, 2, 0, 0);
  push_frame (&f, VIDEO, 3, TRUE, 2);
  assert_leaves (&f, expect, 1, 65531);
  send_queue_free (f.queue);
}

GST_END_TEST;

GST_START_TEST (test_packets_that_could_not_be_sent_are_numbered_again)
{
  const guint32 expect[] = { 3 };
  guint16 seq;
  guint i;
  Fixture f;

  fixture_init (&f);
  push_frame (&f, VIDEO, 1, FALSE, 1);
  pop (&f, &seq);
  push_frame (&f, VIDEO, 2, TRUE, 3);
  push_frame (&f, VIDEO, 3, FALSE, 2);
  send_queue_number (f.queue, 5);
  for (i = 0; i < 5; i++)
    fail_unless_equals_int (send_queue_peek (f.queue, i)->seq, (guint16) (65531 + i));
  send_queue_shed (f.queue, PACKET, f.now);     /* drops the three that did not leave */
  send_queue_number (f.queue, 2);
  assert_leaves (&f, expect, 1, 65531);
  send_queue_free (f.queue);
}

GST_END_TEST;

GST_START_TEST (test_more_flows_than_are_remembered_still_pass)
{
  Fixture f;
  guint i;

  fixture_init (&f);
  for (i = 0; i < 500; i++) {
    fail_unless (send_queue_push (f.queue, rtp_new (i, 0, 0, FALSE), RTP_CODEC_OTHER, f.now + i));
    if (i > 100) {
      fail_unless_equals_int (send_queue_peek (f.queue, 0)->ssrc, i - 101);
      send_queue_pop (f.queue);
    }
  }
  send_queue_free (f.queue);
}

GST_END_TEST;

static const struct
{
  RtpCodec codec;
  guint8 payload[12];
  gsize size;
  gboolean key;
} starts[] = {
  {RTP_CODEC_H264, {0x65}, 4, TRUE},    /* IDR */
  {RTP_CODEC_H264, {0x67}, 4, TRUE},    /* SPS */
  {RTP_CODEC_H264, {0x41}, 4, FALSE},
  {RTP_CODEC_H264, {0x7c, 0x85}, 4, TRUE},      /* FU-A, first of an IDR */
  {RTP_CODEC_H264, {0x7c, 0x05}, 4, FALSE},     /* a later one */
  {RTP_CODEC_H264, {0x7c}, 1, FALSE},
  {RTP_CODEC_H264, {0x78, 0, 2, 0x06, 0, 0, 2, 0x65, 0}, 9, TRUE},      /* STAP-A: SEI, IDR */
  {RTP_CODEC_H264, {0x78, 0, 2, 0x06, 0, 0, 9, 0x65, 0}, 9, FALSE},     /* its length lies */
  {RTP_CODEC_H265, {0x26, 1}, 4, TRUE}, /* IDR_W_RADL */
  {RTP_CODEC_H265, {0x40, 1}, 4, TRUE}, /* VPS */
  {RTP_CODEC_H265, {0x02, 1}, 4, FALSE},
  {RTP_CODEC_H265, {0x62, 1, 0x93}, 4, TRUE},   /* FU, first of an IDR */
  {RTP_CODEC_H265, {0x62, 1}, 2, FALSE},
  {RTP_CODEC_H265, {0x60, 1, 0, 2, 0x40, 1}, 6, TRUE},  /* AP */
  {RTP_CODEC_VP8, {0x10, 0x00}, 2, TRUE},
  {RTP_CODEC_VP8, {0x10, 0x01}, 2, FALSE},
  {RTP_CODEC_VP8, {0x00, 0x00}, 2, FALSE},      /* not the start of a partition */
  {RTP_CODEC_VP8, {0x90, 0x80, 0x81, 0x02, 0x00}, 5, TRUE},     /* 15-bit PictureID */
  {RTP_CODEC_VP8, {0x90, 0x80, 0x81, 0x02}, 4, FALSE},
  {RTP_CODEC_VP9, {0x08}, 2, TRUE},
  {RTP_CODEC_VP9, {0x48}, 2, FALSE},
  {RTP_CODEC_AV1, {0x18}, 2, TRUE},
  {RTP_CODEC_AV1, {0x10}, 2, FALSE},
  {RTP_CODEC_OTHER, {0x65}, 2, FALSE},
};

GST_START_TEST (test_keyframes_are_told_from_payloads)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (starts); i++)
    fail_unless (rtp_codec_is_keyframe_start (starts[i].codec, starts[i].payload, starts[i].size)
        == starts[i].key, "row %u", i);
  fail_if (rtp_codec_is_keyframe_start (RTP_CODEC_H264, starts[0].payload, 0));
}

GST_END_TEST;

GST_START_TEST (test_target_is_the_rate_less_headers_and_standing_queue)
{
  RcMediaTarget target;
  RcTime now = RC_SECOND;
  guint i, bps;

  rc_mediatarget_init (&target);
  for (i = 0; i < 1000; i++)
    rc_mediatarget_on_sent (&target, 1000, 900);
  bps = rc_mediatarget_get_bps (&target, 1000000, now);
  fail_unless (ABS ((gint) bps - 900000) < 2000, "%u", bps);
  for (i = 0; i < 10; i++, now += 10 * RC_MSEC)
    /* A frame comes and goes, 6250 bytes stay. */
    rc_mediatarget_on_queue (&target, i % 2 ? 12500 : 6250, now);
  bps = rc_mediatarget_get_bps (&target, 1000000, now);
  fail_unless (ABS ((gint) bps - 855000) < 2000, "%u", bps);
  rc_mediatarget_on_queue (&target, 0, now);
  bps = rc_mediatarget_get_bps (&target, 1000000, now);
  fail_unless (ABS ((gint) bps - 900000) < 2000, "%u", bps);
  for (i = 0; i < 10; i++, now += 20 * RC_MSEC)
    rc_mediatarget_on_queue (&target, 1000000, now);
  fail_unless_equals_int (rc_mediatarget_get_bps (&target, 1000000, now), 250000);
  fail_unless_equals_int (rc_mediatarget_get_bps (&target, 0, now), 1);
}

GST_END_TEST;

/* Makes `gain` of what it is told for so long; returns when that was told of, 0: it was not. */
static RcTime
time_of_excess (RcMediaTarget * target, double gain, RcTime from, RcTime to, guint * times)
{
  RcTime now, at = 0;
  guint bps = 0, made, told;

  *times = 0;
  for (now = from; now < to; now += 33 * RC_MSEC) {
    rc_mediatarget_take (target, 1000000, now, &bps);
    rc_mediatarget_on_made (target, (guint) (gain * (double) target->told_bps * 0.033 / 8), now);
    if (rc_mediatarget_take_excess (target, now, &made, &told)) {
      fail_unless (made > 1.4 * told && made < 2.2 * told, "%u of %u", made, told);
      at = (*times)++ == 0 ? now : at;
    }
  }
  return at;
}

GST_START_TEST (test_encoder_far_above_its_target_is_told_of_once_after_three_seconds)
{
  RcMediaTarget target;
  guint times;
  RcTime at;

  rc_mediatarget_init (&target);
  at = time_of_excess (&target, 2, 0, 20 * RC_SECOND, &times);
  fail_unless (at >= 5 * RC_SECOND && at < 6 * RC_SECOND, "%f", rc_time_to_s (at));
  fail_unless_equals_int (times, 1);
}

GST_END_TEST;

GST_START_TEST (test_encoder_somewhat_above_its_target_or_for_a_moment_is_not_told_of)
{
  RcMediaTarget target;
  guint times;

  rc_mediatarget_init (&target);
  time_of_excess (&target, 1.3, 0, 10 * RC_SECOND, &times);
  fail_unless_equals_int (times, 0);
  time_of_excess (&target, 3, 10 * RC_SECOND, 11 * RC_SECOND, &times);
  fail_unless_equals_int (times, 0);
  time_of_excess (&target, 1, 11 * RC_SECOND, 20 * RC_SECOND, &times);
  fail_unless_equals_int (times, 0);
}

GST_END_TEST;

/* Tells an encoder that makes `gain` of what it is told, each 33 ms for 10 s. Returns what it
 * makes in the end of what it should. */
static double
follow_target (double gain, guint most_bps)
{
  RcMediaTarget target;
  guint64 made_bits = 0;
  RcTime now, from = 5 * RC_SECOND, to = 10 * RC_SECOND;
  guint bps, told = 0;

  rc_mediatarget_init (&target);
  for (now = 0; now < to; now += 33 * RC_MSEC) {
    if (rc_mediatarget_take (&target, 1000000, now, &bps))
      told = bps;
    bps = MIN (told * gain, most_bps);
    rc_mediatarget_on_made (&target, bps * 0.033 / 8, now);
    if (now >= from)
      made_bits += bps * 0.033;
  }
  return made_bits / rc_time_to_s (to - from) / (1e6 * 1188 / 1228);
}

GST_START_TEST (test_encoder_that_is_a_little_off_is_corrected)
{
  fail_unless (ABS (follow_target (0.94, 10000000) - 0.98) < 0.02);
  fail_unless (ABS (follow_target (1.06, 10000000) - 0.98) < 0.02);
  fail_unless (ABS (follow_target (1, 300000) - 0.31) < 0.01, "a still picture is left alone");
}

GST_END_TEST;

/* What it is told stays near the rate when the encoder does not follow at all. */
GST_START_TEST (test_target_is_bounded_when_the_encoder_does_not_follow)
{
  RcMediaTarget target;
  RcTime now;
  guint bps;

  rc_mediatarget_init (&target);
  for (now = 0; now < 20 * RC_SECOND; now += 33 * RC_MSEC) {
    rc_mediatarget_take (&target, 1000000, now, &bps);
    rc_mediatarget_on_made (&target, now < 10 * RC_SECOND ? 30 : 30000, now);
    fail_unless (bps <= 1100000 && bps >= 800000, "%u", bps);
  }
}

GST_END_TEST;

GST_START_TEST (test_falls_are_told_at_once_and_rises_seldom)
{
  RcMediaTarget target;
  RcTime now = RC_SECOND;
  guint bps;

  rc_mediatarget_init (&target);
  fail_unless (rc_mediatarget_take (&target, 1000000, now, &bps));
  fail_if (rc_mediatarget_take (&target, 1010000, now + RC_SECOND, &bps));
  fail_if (rc_mediatarget_take (&target, 985000, now + RC_SECOND, &bps));
  fail_unless (rc_mediatarget_take (&target, 970000, now + 1, &bps));
  fail_if (rc_mediatarget_take (&target, 2000000, now + 99 * RC_MSEC, &bps));
  fail_unless (rc_mediatarget_take (&target, 2000000, now + 101 * RC_MSEC, &bps));
}

GST_END_TEST;

static Suite *
sendqueue_suite (void)
{
  Suite *s = suite_create ("sendqueue");
  TCase *tc = tcase_create ("queue"), *rest = tcase_create ("keyframes and target");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_all_leaves_in_order_when_nothing_is_shed);
  tcase_add_test (tc, test_delta_frames_are_dropped_until_a_keyframe_comes);
  tcase_add_test (tc, test_frame_that_began_to_leave_is_finished);
  tcase_add_test (tc, test_a_keyframe_that_came_lets_the_next_be_asked_for);
  tcase_add_test (tc, test_a_stream_that_ended_awaits_no_keyframe);
  tcase_add_test (tc, test_a_stream_that_ended_has_no_share);
  tcase_add_test (tc, test_new_keyframe_replaces_what_waits_before_it);
  tcase_add_test (tc, test_audio_is_not_dropped_because_of_video);
  tcase_add_test (tc, test_oldest_go_first_where_every_frame_stands_alone);
  tcase_add_test (tc, test_waiting_for_a_keyframe_ends_some_time);
  tcase_add_test (tc, test_closed_queue_takes_nothing_and_then_awaits_a_keyframe);
  tcase_add_test (tc, test_flush_forgets_and_numbers_go_on);
  tcase_add_test (tc, test_packets_that_could_not_be_sent_are_numbered_again);
  tcase_add_test (tc, test_more_flows_than_are_remembered_still_pass);
  suite_add_tcase (s, rest);
  tcase_add_test (rest, test_keyframes_are_told_from_payloads);
  tcase_add_test (rest, test_target_is_the_rate_less_headers_and_standing_queue);
  tcase_add_test (rest, test_encoder_far_above_its_target_is_told_of_once_after_three_seconds);
  tcase_add_test (rest, test_encoder_somewhat_above_its_target_or_for_a_moment_is_not_told_of);
  tcase_add_test (rest, test_encoder_that_is_a_little_off_is_corrected);
  tcase_add_test (rest, test_target_is_bounded_when_the_encoder_does_not_follow);
  tcase_add_test (rest, test_falls_are_told_at_once_and_rises_seldom);
  return s;
}

GST_CHECK_MAIN (sendqueue);
