/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A transport stream that is too much for its link: pictures are left out whole, sound and tables
 * pass. gst/rtp/tspictures.c, and the queue that uses it. */
#include <pacing/sendqueue.h>
#include <rtp/tspictures.h>
#include <session/sendmedia.h>

#include "claim.h"

#include <gst/rtp/rtp.h>

#include <rc/law/controller.h>

#define TS 188
#define PER_RTP 7
#define PMT_PID 0x1000
#define VIDEO_PID 0x100
#define SOUND_PID 0x101
#define GOP 25                  /* pictures */

/* A camera's stream and the queue behind it. */
typedef struct
{
  SendQueue *queue;
  guint8 payload[PER_RTP * TS];
  guint n;                      /* packets in it */
  guint16 seq;
  RcTime now;
} Fixture;

static void
fixture_init (Fixture * f)
{
  *f = (Fixture) {.queue = send_queue_new (28, TRUE),.now = RC_SECOND };
}

static void
fixture_clear (Fixture * f)
{
  send_queue_free (f->queue);
}

#define STREAM Fixture, f, fixture_init (f), fixture_clear (f)

static void
push (Fixture * f)
{
  GstBuffer *buffer = gst_rtp_buffer_new_allocate (f->n * TS, 0, 0);
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  fail_unless (gst_rtp_buffer_map (buffer, GST_MAP_WRITE, &rtp));
  gst_rtp_buffer_set_payload_type (&rtp, 33);
  gst_rtp_buffer_set_ssrc (&rtp, 1);
  gst_rtp_buffer_set_seq (&rtp, f->seq);
  gst_rtp_buffer_set_timestamp (&rtp, f->seq++ * 100);
  memcpy (gst_rtp_buffer_get_payload (&rtp), f->payload, f->n * TS);
  gst_rtp_buffer_unmap (&rtp);
  f->n = 0;
  fail_unless (send_queue_push (f->queue, buffer, RTP_CODEC_OTHER, f->now));
}

/* flags: of an adaptation field; 0: none. */
static guint8 *
add (Fixture * f, guint16 pid, gboolean begins, guint8 flags)
{
  guint8 *packet = f->payload + f->n++ * TS;

  memset (packet, 0xaa, TS);
  packet[0] = 0x47;
  packet[1] = (begins ? 0x40 : 0) | pid >> 8;
  packet[2] = pid & 0xff;
  packet[3] = flags ? 0x30 : 0x10;
  if (flags) {
    packet[4] = 7;
    packet[5] = flags;
  }
  return packet;
}

static void
flush_full (Fixture * f)
{
  if (f->n == PER_RTP)
    push (f);
}

static void
tables (Fixture * f)
{
  static const guint8 pat[] = { 0, 0, 0xb0, 13, 0, 1, 0xc1, 0, 0, 0, 1, 0xf0, 0, 1, 2, 3, 4 };
  static const guint8 pmt[] = { 0, 2, 0xb0, 23, 0, 1, 0xc1, 0, 0, 0xe1, 0, 0xf0, 0,
    0x0f, 0xe1, 1, 0xf0, 0, 0x1b, 0xe1, 0, 0xf0, 0, 1, 2, 3, 4
  };

  memcpy (add (f, 0, TRUE, 0) + 4, pat, sizeof pat);
  flush_full (f);
  memcpy (add (f, PMT_PID, TRUE, 0) + 4, pmt, sizeof pmt);
  flush_full (f);
}

/* A picture of so many packets with a packet of sound in its midst. The flags: a keyframe, a
 * clock. */
static void
picture (Fixture * f, guint packets, gboolean key)
{
  for (guint i = 0; i < packets; i++) {
    add (f, VIDEO_PID, i == 0, i == 0 ? 0x10 | (key ? 0x40 : 0) : 0);
    flush_full (f);
    if (i == packets / 2) {
      add (f, SOUND_PID, TRUE, 0);
      flush_full (f);
    }
  }
  f->now += 40 * RC_MSEC;
}

typedef struct
{
  guint tables, sound, clocks, begun, picture_packets;
} Left;

static void
count_packet (Left * left, const guint8 * packet)
{
  guint16 pid = (packet[1] & 0x1f) << 8 | packet[2];

  fail_unless_equals_int (packet[0], 0x47);
  left->tables += pid == 0 || pid == PMT_PID;
  left->sound += pid == SOUND_PID;
  if (pid != VIDEO_PID)
    return;
  left->clocks += (packet[3] & 0x20) && packet[4] > 0 && (packet[5] & 0x10);
  left->begun += (packet[1] & 0x40) != 0;
  left->picture_packets += (packet[3] & 0x10) != 0;
}

/* Sends all that waits. */
static void
send_waiting (Fixture * f, Left * left, guint16 * next)
{
  const SendPacket *packet;

  for (; send_queue_packets (f->queue) > 0; send_queue_pop (f->queue, f->now)) {
    AT_END (gst_rtp_buffer_unmap) GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
    const guint8 *payload;

    send_queue_number (f->queue, 1);
    packet = send_queue_peek (f->queue, 0);
    fail_unless_equals_int (packet->seq, (*next)++);
    fail_unless (gst_rtp_buffer_map (packet->buffer, GST_MAP_READ, &rtp));
    fail_unless_equals_int (gst_buffer_get_size (packet->buffer), packet->rtp_bytes);
    payload = gst_rtp_buffer_get_payload (&rtp);
    for (guint at = 0; at < gst_rtp_buffer_get_payload_len (&rtp); at += TS)
      count_packet (left, payload + at);
  }
}

/* 8 pictures of each 25 fit: nothing leaves while the others come. */
CLAIM_ON (test_sound_and_tables_pass_where_pictures_are_dropped_whole, STREAM)
{
  const guint64 limit_bytes = 8 * 20 * TS;
  Left left = { 0 };
  SendQueueStats stats;
  guint16 next = 0;

  for (guint n = 0; n < 8 * GOP; n++) {
    if (n % GOP == 0) {
      send_waiting (f, &left, &next);
      tables (f);
    }
    picture (f, 20, n % GOP == 0);
    send_queue_shed_rigid (f->queue, limit_bytes, 10 * limit_bytes, f->now);
  }
  while (f->n > 0)
    push (f);
  send_waiting (f, &left, &next);
  send_queue_get_stats (f->queue, &stats);
  fail_unless_equals_int (left.sound, 8 * GOP);
  fail_unless_equals_int (left.tables, 8 * 2);
  fail_unless_equals_int (left.clocks, 8 * GOP);
  fail_unless (left.begun >= 8 * 7 && left.begun <= 8 * 10, "%u pictures", left.begun);
  fail_unless_equals_int (left.picture_packets, 20 * left.begun);
  fail_unless (stats.frames_dropped + left.begun >= 8 * GOP - 1
      && stats.frames_dropped + left.begun <= 8 * GOP + 1, "%u of %u",
      (guint) stats.frames_dropped, (guint) stats.frames_in);
}

CLAIM_ON (test_stream_that_fits_is_left_alone, STREAM)
{
  Left left = { 0 };
  guint16 next = 0;

  for (guint n = 0; n < 2 * GOP; n++) {
    if (n % GOP == 0)
      tables (f);
    picture (f, 20, n % GOP == 0);
    send_queue_shed_rigid (f->queue, 100 * TS, 100 * TS, f->now);
    send_waiting (f, &left, &next);
  }
  fail_unless (left.begun >= 2 * GOP - 1, "%u", left.begun);
  fail_unless (left.sound >= 2 * GOP - 1, "%u", left.sound);
}

/* A sender of 1 Mbit/s, in whose queue 125 bytes of a live source may wait. */
static void
media_init (SendMedia * media)
{
  static const TransportFuncs funcs = { NULL };
  static Transport transport = { &funcs, RC_OVERHEAD_IPV4_BYTES, -1 };
  static RcSender sender;
  static RcLaneMemory memory;
  static SendLane lane = {.path.transport = &transport };
  RcController law;
  RcSenderConfig config = {.controller = &law,.limits = {1000000, 1000000, 1000000},
    .pacing = RC_RMC_PARAMS_DEFAULT,.overhead_bytes = RC_OVERHEAD_IPV4_BYTES
  };

  rc_controller_init (&law, rc_law_find ("fixed"), RC_PROFILE_LIVE);
  rc_sender_init (&sender, &config, RC_SECOND);
  lane.rc = rc_sender_add_lane (&sender, 0, &memory, &config, RC_SECOND);
  send_media_init (media, &sender, &lane, NULL, RC_OVERHEAD_IPV4_BYTES, TRUE, RC_MSEC);
}

CLAIM (test_a_source_that_is_live_no_more_waits_and_loses_no_picture)
{
  GstBuffer *sound = gst_rtp_buffer_new_allocate (100, 0, 0);
  SendQueueStats stats;
  SendMedia media;
  Fixture f;

  media_init (&media);
  f = (Fixture) {.queue = media.queue,.now = RC_SECOND };
  send_media_set_live (&media, TRUE, f.now);
  fail_unless (send_media_push (&media, sound, f.now));
  gst_buffer_unref (sound);
  send_media_set_live (&media, FALSE, f.now);
  tables (&f);
  for (guint n = 0; n < 2 * GOP; n++)
    picture (&f, 20, n % GOP == 0);
  send_queue_get_stats (media.queue, &stats);
  fail_unless (stats.frames_in >= 2 * GOP);
  fail_unless_equals_int (stats.frames_dropped, 0);
  send_media_clear (&media);
}

/* Lengths that lead beyond the packet, and bytes by chance behind a sync byte. */
CLAIM (test_any_bytes_are_safe)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (3);
  TsPictures ts = { 0 };
  gboolean key;

  for (guint n = 0; n < 20000; n++) {
    guint packets = 1 + (guint) g_rand_int_range (random, 0, PER_RTP);
    g_autofree guint8 *payload = g_malloc (packets * TS);

    for (guint i = 0; i < packets * TS; i++)
      payload[i] = (guint8) g_rand_int (random);
    for (guint i = 0; i < packets; i++) {
      payload[i * TS] = 0x47;
      if (n % 2)
        payload[i * TS + 1] = payload[i * TS + 2] = 0;
    }
    ts_pictures_read (&ts, payload, packets * TS, &key);
    fail_unless (ts_pictures_strip (&ts, payload, packets * TS, n % 3 == 0, n % 5 > 0) % TS == 0);
    fail_if (ts_pictures_read (&ts, payload, packets * TS - 1, &key));
  }
}
