/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What leaves again, in virtual time: gst/pacing/resender.c and sentpackets.c. */
#include <gst/rtp/rtp.h>
#include <pacing/resender.h>

#include "claim.h"

#define OVERHEAD 28
#define PACKET_BYTES 1000       /* RTP */
#define VIDEO 0x1111
#define AUDIO 0x2222
#define KEEP (400 * RC_MSEC)
#define RTT (100 * RC_MSEC)
#define RATE_BPS 100000000      /* whose budget the small tests do not reach */
#define FIRST_SEQ 65500         /* the numbers wrap within each test */

typedef struct
{
  SendQueue *queue;
  Resender *resender;
  PacketSource *source;
  RcTime now;
  guint16 seq[2];
  RtcpNacks nacks;
} Fixture;

static void
fixture_init (Fixture * f)
{
  *f = (Fixture) {.queue = send_queue_new (OVERHEAD, TRUE),.now = RC_SECOND,
    .seq = { FIRST_SEQ, FIRST_SEQ }
  };
  f->resender = resender_new (f->queue, OVERHEAD);
  f->source = resender_get_source (f->resender);
  resender_set_time (f->resender, KEEP);
}

static void
fixture_clear (Fixture * f)
{
  resender_free (f->resender);
  send_queue_free (f->queue);
}

#define RESENDER Fixture, f, fixture_init (f), fixture_clear (f)

static GstBuffer *
rtp_new (guint32 ssrc, guint16 seq, guint rtp_bytes)
{
  GstBuffer *buffer = gst_rtp_buffer_new_allocate (rtp_bytes - 12, 0, 0);
  AT_END (gst_rtp_buffer_unmap) GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  fail_unless (gst_rtp_buffer_map (buffer, GST_MAP_READWRITE, &rtp));
  gst_rtp_buffer_set_ssrc (&rtp, ssrc);
  gst_rtp_buffer_set_seq (&rtp, seq);
  gst_rtp_buffer_set_payload_type (&rtp, 96);
  gst_rtp_buffer_set_marker (&rtp, TRUE);
  memset (gst_rtp_buffer_get_payload (&rtp), seq & 0xff, rtp_bytes - 12);
  return buffer;
}

/* Media leaves as paced_egress_serve() has it leave. */
static void
send_media (Fixture * f, guint32 ssrc, guint n, guint rtp_bytes)
{
  while (n-- > 0) {
    GstBuffer *buffer = rtp_new (ssrc, f->seq[ssrc == AUDIO]++, rtp_bytes);

    fail_unless (send_queue_push (f->queue, buffer, RTP_CODEC_OTHER, f->now));
    f->source->funcs->make_ready (f->source, 1, &buffer);
    fail_unless (resender_peek (f->resender) == NULL);
    resender_on_sent (f->resender, send_queue_peek (f->queue, 0), 0, f->now);
    f->source->funcs->take (f->source, f->now);
  }
}

static void
want (Fixture * f, guint32 ssrc, guint16 seq)
{
  f->nacks.packets[f->nacks.n_packets++] = (NackedPacket) { ssrc, seq };
  f->nacks.n_asked++;
  f->nacks.n_messages = 1;
}

static void
ask_at_rate (Fixture * f, guint64 rate_bps)
{
  resender_ask (f->resender, &f->nacks, rate_bps, RTT, f->now);
  f->nacks.n_asked = f->nacks.n_packets = f->nacks.n_messages = 0;
}

static void
ask (Fixture * f)
{
  ask_at_rate (f, RATE_BPS);
}

static ResenderStats
stats_of (Fixture * f)
{
  ResenderStats stats;

  resender_get_stats (f->resender, &stats);
  return stats;
}

/* The next packet that leaves again; NULL: none. */
static GstBuffer *
pop (Fixture * f)
{
  const ResentPacket *packet = resender_peek (f->resender);
  PacedPacket paced;
  GstBuffer *buffer;

  if (!packet)
    return NULL;
  fail_unless (f->source->funcs->peek (f->source, 0, f->now, &paced));
  fail_unless_equals_int (paced.size_bytes, packet->size_bytes);
  f->source->funcs->make_ready (f->source, 1, &buffer);
  gst_buffer_ref (buffer);
  fail_unless_equals_int (gst_buffer_get_size (buffer) + OVERHEAD, packet->size_bytes);
  f->source->funcs->take (f->source, f->now);
  return buffer;
}

static guint16
seq_of (GstBuffer * buffer)
{
  guint8 head[12];

  fail_unless_equals_int (gst_buffer_extract (buffer, 0, head, sizeof head), sizeof head);
  return GST_READ_UINT16_BE (head + 2);
}

static void
assert_leaves (Fixture * f, guint16 seq)
{
  g_autoptr (GstBuffer) buffer = pop (f);

  fail_unless (buffer != NULL);
  fail_unless_equals_int (seq_of (buffer), seq);
}

static guint
count_leaving (Fixture * f)
{
  GstBuffer *buffer;
  guint n = 0;

  for (; (buffer = pop (f)); n++)
    gst_buffer_unref (buffer);
  return n;
}

/* What is kept of it is the packet that other receivers of the stream share. */
CLAIM_ON (test_a_packet_with_another_ssrc_leaves_again_as_it_left, RESENDER)
{
  guint8 head[12];

  send_queue_set_ssrc_mask (f->queue, 0x1010);
  send_media (f, VIDEO, 3, 500);
  want (f, VIDEO ^ 0x1010, FIRST_SEQ + 1);
  ask (f);
  g_autoptr (GstBuffer) buffer = pop (f);
  fail_unless (buffer && gst_buffer_extract (buffer, 0, head, sizeof head) == sizeof head);
  fail_unless_equals_int (GST_READ_UINT32_BE (head + 8), VIDEO ^ 0x1010);
  fail_unless_equals_int (GST_READ_UINT16_BE (head + 2), (guint16) (FIRST_SEQ + 1));
}

CLAIM_ON (test_the_oldest_leave_first_across_the_wrap, RESENDER)
{
  for (guint i = 0; i < 100; i++, f->now += RC_MSEC)
    send_media (f, VIDEO, 1, PACKET_BYTES);
  want (f, VIDEO, 65510);
  want (f, VIDEO, 65535);
  want (f, VIDEO, 5);
  ask (f);
  assert_leaves (f, 65510);
  assert_leaves (f, 65535);
  assert_leaves (f, 5);
  fail_unless (pop (f) == NULL);
  fail_unless_equals_int (stats_of (f).resent, 3);
  fail_unless_equals_int (stats_of (f).resent_bytes, 3 * (PACKET_BYTES + OVERHEAD));
}

CLAIM_ON (test_sound_leaves_before_the_picture, RESENDER)
{
  send_media (f, AUDIO, 5, 100);
  f->now += 10 * RC_MSEC;
  send_media (f, VIDEO, 50, PACKET_BYTES);
  want (f, VIDEO, FIRST_SEQ + 30);
  ask (f);
  want (f, VIDEO, FIRST_SEQ + 20);
  want (f, AUDIO, FIRST_SEQ + 2);
  ask (f);
  assert_leaves (f, FIRST_SEQ + 2);
  fail_unless_equals_int (count_leaving (f), 2);
}

CLAIM_ON (test_what_waits_again_goes_before_media_and_in_a_batch_of_its_own, RESENDER)
{
  PacedPacket paced;

  send_media (f, VIDEO, 10, PACKET_BYTES);
  fail_unless (send_queue_push (f->queue, rtp_new (VIDEO, f->seq[0]++, 500), RTP_CODEC_OTHER,
          f->now));
  fail_unless (f->source->funcs->peek (f->source, 0, f->now, &paced));
  fail_unless_equals_int (paced.size_bytes, 500 + OVERHEAD);
  want (f, VIDEO, FIRST_SEQ + 3);
  ask (f);
  fail_unless (f->source->funcs->peek (f->source, 0, f->now, &paced));
  fail_unless_equals_int (paced.size_bytes, PACKET_BYTES + OVERHEAD);
  fail_if (f->source->funcs->peek (f->source, 1, f->now, &paced));
  fail_unless_equals_int (f->source->funcs->get_waiting_bytes (f->source),
      PACKET_BYTES + 500 + 2 * OVERHEAD);
  assert_leaves (f, FIRST_SEQ + 3);
  fail_unless_equals_int (f->source->funcs->get_waiting_bytes (f->source), 500 + OVERHEAD);
}

CLAIM_ON (test_not_twice_within_a_round_trip, RESENDER)
{
  send_media (f, VIDEO, 10, PACKET_BYTES);
  want (f, VIDEO, FIRST_SEQ + 3);
  want (f, VIDEO, FIRST_SEQ + 3);
  ask (f);
  want (f, VIDEO, FIRST_SEQ + 3);      /* it waits */
  ask (f);
  fail_unless_equals_int (count_leaving (f), 1);
  f->now += RTT / 2;
  want (f, VIDEO, FIRST_SEQ + 3);      /* it is on its way */
  ask (f);
  fail_unless_equals_int (count_leaving (f), 0);
  fail_unless_equals_int (stats_of (f).repeated, 3);
  f->now += RTT / 2;
  want (f, VIDEO, FIRST_SEQ + 3);      /* it was lost again */
  ask (f);
  fail_unless_equals_int (count_leaving (f), 1);
}

/* The keeping time is two round trips, and requests come after one: who asks for a lost repair
 * again is too late. */
CLAIM_ON (test_each_leaves_twice_where_a_second_request_would_be_too_late, RESENDER)
{
  resender_set_time (f->resender, 2 * RTT);
  for (guint i = 0; i < 10; i++, f->now += RC_MSEC)
    send_media (f, VIDEO, 1, PACKET_BYTES);
  f->now += RTT;
  want (f, VIDEO, FIRST_SEQ + 3);
  want (f, VIDEO, FIRST_SEQ + 4);
  ask (f);
  assert_leaves (f, FIRST_SEQ + 3);
  assert_leaves (f, FIRST_SEQ + 4);
  assert_leaves (f, FIRST_SEQ + 3);
  assert_leaves (f, FIRST_SEQ + 4);
  fail_unless (pop (f) == NULL);
  fail_unless_equals_int (f->source->funcs->get_waiting_bytes (f->source), 0);
  fail_unless_equals_int (stats_of (f).resent, 4);
  want (f, VIDEO, FIRST_SEQ + 5);
  ask (f);
  assert_leaves (f, FIRST_SEQ + 5);
  f->now += 2 * RTT + 1;         /* the second is too old */
  resender_expire (f->resender, f->now);
  fail_unless (pop (f) == NULL);
}

CLAIM_ON (test_of_several_tries_the_last_leaves_twice, RESENDER)
{
  resender_set_time (f->resender, 3 * RTT);
  send_media (f, VIDEO, 10, PACKET_BYTES);
  f->now += RTT;
  want (f, VIDEO, FIRST_SEQ + 3);
  ask (f);
  assert_leaves (f, FIRST_SEQ + 3);
  fail_unless (pop (f) == NULL);
  f->now += RTT;                /* it was lost again */
  want (f, VIDEO, FIRST_SEQ + 3);
  ask (f);
  assert_leaves (f, FIRST_SEQ + 3);
  assert_leaves (f, FIRST_SEQ + 3);
  fail_unless (pop (f) == NULL);
}

CLAIM_ON (test_first_copies_that_are_asked_for_later_leave_before_second_ones, RESENDER)
{
  resender_set_time (f->resender, 2 * RTT);
  for (guint i = 0; i < 10; i++, f->now += RC_MSEC)
    send_media (f, VIDEO, 1, PACKET_BYTES);
  f->now += RTT - 5 * RC_MSEC;
  want (f, VIDEO, FIRST_SEQ + 3);
  ask (f);
  assert_leaves (f, FIRST_SEQ + 3);
  want (f, VIDEO, FIRST_SEQ + 4);
  ask (f);
  assert_leaves (f, FIRST_SEQ + 4);
  assert_leaves (f, FIRST_SEQ + 3);
  assert_leaves (f, FIRST_SEQ + 4);
  fail_unless (pop (f) == NULL);
}

/* The budget of 0.4 Mbit/s holds 12 packets. */
CLAIM_ON (test_a_burst_leaves_once_before_any_of_it_leaves_twice, RESENDER)
{
  GstBuffer *buffer;
  guint left = 0;

  resender_set_time (f->resender, 2 * RTT);
  send_media (f, VIDEO, 10, 1000 - OVERHEAD);
  f->now += RTT;
  for (guint i = 0; i < 10; i++)
    want (f, VIDEO, FIRST_SEQ + i);
  ask_at_rate (f, 400000);
  for (; (buffer = pop (f)); left++)
    gst_buffer_unref (buffer);
  fail_unless_equals_uint64 (stats_of (f).over_budget, 0);
  fail_unless_equals_int (left, 10);
  f->now += RC_SECOND;           /* there is budget to spare again */
  send_media (f, VIDEO, 2, 1000 - OVERHEAD);
  f->now += RTT;
  want (f, VIDEO, FIRST_SEQ + 10);
  want (f, VIDEO, FIRST_SEQ + 11);
  ask_at_rate (f, 400000);
  for (left = 0; (buffer = pop (f)); left++)
    gst_buffer_unref (buffer);
  fail_unless_equals_int (left, 4);
}

/* Of the media before it. */
static void
send_fec (Fixture * f)
{
  GstBuffer *buffer;
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  buffer = rtp_new (VIDEO, f->seq[0]++, 1000 - OVERHEAD);
  gst_rtp_buffer_map (buffer, GST_MAP_READWRITE, &rtp);
  gst_rtp_buffer_set_payload_type (&rtp, 122);
  gst_rtp_buffer_unmap (&rtp);
  fail_unless (send_queue_push (f->queue, buffer, RTP_CODEC_OTHER, f->now));
  fail_unless (send_queue_peek (f->queue, 0)->fec);
  resender_on_sent (f->resender, send_queue_peek (f->queue, 0), 0, f->now);
  f->source->funcs->take (f->source, f->now);
}

/* By another one, before media, once. */
CLAIM_ON (test_what_a_lane_lost_leaves_again_unless_it_left_by_another_since, RESENDER)
{
  const ResentPacket *resent;

  send_media (f, VIDEO, 2, 1000 - OVERHEAD);    /* by lane 0 */
  f->now += RTT;
  fail_if (resender_repeat (f->resender, VIDEO, FIRST_SEQ, 1, TRUE, f->now), "it left by lane 0");
  fail_unless (resender_repeat (f->resender, VIDEO, FIRST_SEQ + 1, 0, TRUE, f->now));
  fail_if (resender_repeat (f->resender, VIDEO, FIRST_SEQ + 1, 0, TRUE, f->now), "it waits");
  resent = resender_peek (f->resender);
  fail_unless (resent && resent->seq == FIRST_SEQ + 1 && resent->lane == 0 && resent->by_both);
  resender_on_lane (f->resender, 1);
  f->source->funcs->take (f->source, f->now);
  fail_unless (resender_peek (f->resender) == NULL);
  fail_if (resender_repeat (f->resender, VIDEO, FIRST_SEQ + 1, 0, FALSE, f->now),
      "it is on its way by lane 1");
  fail_unless (resender_repeat (f->resender, VIDEO, FIRST_SEQ + 1, 1, FALSE, f->now));
  fail_unless (resender_repeat (f->resender, VIDEO, FIRST_SEQ, 0, FALSE, f->now));
  f->now += KEEP;
  resender_expire (f->resender, f->now);
  fail_unless (resender_peek (f->resender) == NULL);
  fail_if (resender_repeat (f->resender, VIDEO, FIRST_SEQ, 0, FALSE, f->now), "it is too late");
}

/* The request and the packet have crossed. */
CLAIM_ON (test_request_for_what_a_lane_lost_is_a_repetition, RESENDER)
{
  send_media (f, VIDEO, 1, 1000 - OVERHEAD);
  f->now += RTT;
  fail_unless (resender_repeat (f->resender, VIDEO, FIRST_SEQ, 0, TRUE, f->now));
  want (f, VIDEO, FIRST_SEQ);
  ask (f);
  fail_unless_equals_uint64 (stats_of (f).repeated, 1);
  f->source->funcs->take (f->source, f->now);
  f->now += RTT / 2;
  want (f, VIDEO, FIRST_SEQ);
  ask (f);
  fail_unless_equals_uint64 (stats_of (f).repeated, 2);
  fail_unless (resender_peek (f->resender) == NULL);
}

CLAIM (test_fec_leaves_behind_what_it_protects_and_from_what_is_spare)
{
  Fixture f;

  fixture_init (&f);
  resender_set_time (f.resender, 2 * RTT);
  send_media (&f, VIDEO, 1, 1000 - OVERHEAD);
  f.now += RC_MSEC;
  send_fec (&f);
  f.now += RTT;
  want (&f, VIDEO, FIRST_SEQ);
  want (&f, VIDEO, FIRST_SEQ + 1);
  ask (&f);
  assert_leaves (&f, FIRST_SEQ);
  assert_leaves (&f, FIRST_SEQ + 1);
  assert_leaves (&f, FIRST_SEQ);        /* the media twice */
  fail_unless (pop (&f) == NULL);
  fixture_clear (&f);

  fixture_init (&f);
  for (guint i = 0; i < 10; i++) {
    send_media (&f, VIDEO, 1, 1000 - OVERHEAD);
    send_fec (&f);
  }
  for (guint i = 0; i < 20; i++)
    want (&f, VIDEO, FIRST_SEQ + i);
  ask_at_rate (&f, 400000);    /* whose budget holds 12 */
  for (guint i = 0; i < 10; i++)
    assert_leaves (&f, FIRST_SEQ + 2 * i);
  fail_unless (pop (&f) == NULL);
  fail_unless_equals_uint64 (stats_of (&f).over_budget, 10);
  fixture_clear (&f);
}

CLAIM_ON (test_what_is_old_does_not_leave_again, RESENDER)
{
  send_media (f, VIDEO, 10, PACKET_BYTES);
  want (f, VIDEO, FIRST_SEQ + 3);
  ask (f);
  f->now += KEEP + 1;            /* the path is gone, and nothing leaves meanwhile */
  resender_expire (f->resender, f->now);
  fail_unless_equals_int (count_leaving (f), 0);
  for (guint i = 0; i < 10; i++)
    want (f, VIDEO, FIRST_SEQ + i);
  ask (f);
  fail_unless_equals_int (count_leaving (f), 0);
  fail_unless_equals_int (stats_of (f).too_old, 11);
}

CLAIM_ON (test_what_never_left_is_counted, RESENDER)
{
  send_media (f, VIDEO, 10, PACKET_BYTES);
  want (f, VIDEO, FIRST_SEQ - 1);
  want (f, VIDEO, FIRST_SEQ + 10);
  want (f, VIDEO, FIRST_SEQ - 30000);
  want (f, 0x3333, FIRST_SEQ);
  ask (f);
  fail_unless_equals_int (count_leaving (f), 0);
  fail_unless_equals_int (stats_of (f).never_sent, 4);
}

/* As of a frame that was dropped after it got its numbers. */
CLAIM_ON (test_a_number_that_was_skipped_was_never_sent, RESENDER)
{
  send_media (f, VIDEO, 3, PACKET_BYTES);
  f->seq[0] += 2;
  send_media (f, VIDEO, 3, PACKET_BYTES);
  for (guint16 i = 0; i < 8; i++)
    want (f, VIDEO, FIRST_SEQ + i);
  ask (f);
  fail_unless_equals_int (count_leaving (f), 6);
  fail_unless_equals_int (stats_of (f).never_sent, 2);
}

/* All that was kept, 10,000 times a second for 3 s. */
CLAIM_ON (test_a_storm_of_nacks_gets_half_of_the_rate, RESENDER)
{
  const guint64 rate_bps = 3000000;
  guint64 most_bytes = rate_bps / 8 * 3 / 2 + rate_bps / 8 / 4;

  for (guint i = 0; i < 3000; i++, f->now += RC_MSEC) {
    if (i % 4 == 0)
      send_media (f, VIDEO, 1, PACKET_BYTES);
    for (guint k = 0; k < 10; k++) {
      for (guint16 back = 1; back <= 100; back++)
        want (f, VIDEO, (guint16) (f->seq[0] - back));
      ask_at_rate (f, rate_bps);
    }
    count_leaving (f);
  }
  fail_unless (stats_of (f).resent_bytes <= most_bytes, "%" G_GUINT64_FORMAT " bytes",
      stats_of (f).resent_bytes);
  fail_unless (stats_of (f).resent_bytes >= most_bytes / 2);
  fail_unless_equals_int (stats_of (f).asked, 3000000);
  fail_unless_equals_int (stats_of (f).asked, stats_of (f).resent + stats_of (f).over_budget
      + stats_of (f).repeated + stats_of (f).never_sent + stats_of (f).too_old);
}

CLAIM_ON (test_nothing_is_kept_when_it_is_off_or_forgotten, RESENDER)
{
  send_media (f, VIDEO, 10, PACKET_BYTES);
  want (f, VIDEO, FIRST_SEQ + 3);
  ask (f);
  resender_forget (f->resender);
  fail_unless (resender_peek (f->resender) == NULL);
  want (f, VIDEO, FIRST_SEQ + 3);
  ask (f);
  fail_unless (pop (f) == NULL);
  resender_set_time (f->resender, 0);
  send_media (f, VIDEO, 10, PACKET_BYTES);
  want (f, VIDEO, FIRST_SEQ + 13);
  ask (f);
  fail_unless (pop (f) == NULL);
}

CLAIM_ON (test_a_source_that_begins_anew_has_new_numbers, RESENDER)
{
  send_media (f, VIDEO, 10, PACKET_BYTES);
  f->seq[0] = 30000;
  send_media (f, VIDEO, 10, PACKET_BYTES);
  want (f, VIDEO, FIRST_SEQ + 3);
  want (f, VIDEO, 30003);
  ask (f);
  assert_leaves (f, 30003);
  fail_unless_equals_int (stats_of (f).never_sent, 1);
}

/* RFC 4588 4: header and extensions of the original, its number before its payload. */
CLAIM_ON (test_rfc4588_has_numbers_of_its_own_and_the_original_one, RESENDER)
{
  GstStructure *map = gst_structure_from_string ("application/x-rtp-pt-map, 96=(uint)97", NULL);
  guint8 data[PACKET_BYTES + 2];
  GstBuffer *buffer;
  guint16 next = 0;

  resender_set_payload_types (f->resender, map);
  gst_structure_free (map);
  send_media (f, VIDEO, 10, PACKET_BYTES);
  for (guint i = 1; i <= 3; i++)
    want (f, VIDEO, FIRST_SEQ + i);
  ask (f);
  for (guint i = 0; i < 3; i++) {
    const RtxStream *stream = resender_peek (f->resender)->stream;

    fail_unless (stream != NULL && stream->ssrc != VIDEO);
    buffer = pop (f);
    fail_unless_equals_int (gst_buffer_extract (buffer, 0, data, sizeof data), sizeof data);
    fail_unless_equals_int (data[1], 0x80 | 97);
    fail_unless (i == 0 || GST_READ_UINT16_BE (data + 2) == next);
    next = (guint16) (GST_READ_UINT16_BE (data + 2) + 1);
    fail_unless_equals_int (GST_READ_UINT32_BE (data + 8), stream->ssrc);
    fail_unless_equals_int (GST_READ_UINT16_BE (data + 12), FIRST_SEQ + 1 + i);
    fail_unless_equals_int (data[14], (FIRST_SEQ + 1 + i) & 0xff);
    fail_unless_equals_int (data[PACKET_BYTES + 1], (FIRST_SEQ + 1 + i) & 0xff);
    gst_buffer_unref (buffer);
  }
}
