/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The stream of a camera, H.264 with a keyframe each 2 s, in the queue of a link that carries less
 * than the stream: gst/pacing/sendqueuedrop.c, gst/session/inputwatch.c. Virtual time. */

#include <pacing/sendqueue.h>
#include <session/inputwatch.h>

#include <gst/check/gstharness.h>

#include "rtpmedia.h"
#include "readstat.h"

#define FPS 25
#define SECONDS 12
#define OVERHEAD 28
#define LIMIT (396 * RC_MSEC)
#define HOLD (2 * RC_SECOND)
#define CAMERA "videotestsrc num-buffers=%u pattern=zone-plate kx2=20 ky2=20 kt=1 " \
    "! video/x-raw,width=640,height=360,framerate=%u/1 " \
    "! x264enc threads=1 speed-preset=ultrafast bitrate=2000 key-int-max=%u %s " \
    "! rtph264pay mtu=1200"

/* All packets, in their order. */
static GPtrArray *
film (const gchar * options)
{
  g_autofree gchar *line = g_strdup_printf (CAMERA, SECONDS * FPS, FPS, 2 * FPS, options);
  GPtrArray *packets = g_ptr_array_new_with_free_func ((GDestroyNotify) gst_buffer_unref);
  GstHarness *h = gst_harness_new_parse (line);
  GstEvent *event;
  GstBuffer *packet;

  gst_harness_play (h);
  do {
    event = gst_harness_pull_event (h);
    fail_unless (event != NULL);
    while ((packet = gst_harness_try_pull (h)))
      g_ptr_array_add (packets, packet);
    if (GST_EVENT_TYPE (event) == GST_EVENT_EOS) {
      gst_event_unref (event);
      break;
    }
    gst_event_unref (event);
  } while (TRUE);
  gst_harness_teardown (h);
  return packets;
}

typedef struct
{
  SendQueue *queue;
  gdouble link_bps;
  gboolean rigid;
  RcTime free_at;               /* the link */
  guint64 sent_bytes, in_bytes;
  guint frames_left;
  guint32 timestamp;            /* of the frame that left last */
  RcTime worst;                 /* time that a packet was held */
  GHashTable *came_at;          /* of timestamps */
} Link;

static void
serve (Link * self, RcTime now)
{
  const SendPacket *head;

  while (self->free_at <= now && (head = send_queue_peek (self->queue, 0))) {
    guint32 timestamp = rtp_header_of (head->buffer).timestamp;
    RcTime *came_at = g_hash_table_lookup (self->came_at, GUINT_TO_POINTER (timestamp));

    self->frames_left += timestamp != self->timestamp;
    self->timestamp = timestamp;
    self->free_at += rc_time_of_bytes (head->size_bytes, (guint64) self->link_bps);
    self->worst = MAX (self->worst, self->free_at - *came_at);
    self->sent_bytes += head->size_bytes;
    send_queue_pop (self->queue, self->free_at);
  }
  self->free_at = MAX (self->free_at, now);
}

static void
come (Link * self, GstBuffer * packet, RcTime now)
{
  RcTime *came_at = g_new (RcTime, 1);
  guint64 limit_bytes = (guint64) (rc_time_to_s (LIMIT) * self->link_bps / 8);
  guint64 hold_bytes = (guint64) (rc_time_to_s (HOLD) * self->link_bps / 8);

  *came_at = now;
  g_hash_table_insert (self->came_at, GUINT_TO_POINTER (rtp_header_of (packet).timestamp), came_at);
  self->in_bytes += gst_buffer_get_size (packet) + OVERHEAD;
  send_queue_push (self->queue, gst_buffer_ref (packet), RTP_CODEC_H264, now);
  if (self->rigid)
    send_queue_shed_rigid (self->queue, limit_bytes, hold_bytes, now);
  else
    send_queue_shed (self->queue, limit_bytes, now);
}

/* The frames come when they were filmed. */
static Link
play (GPtrArray * packets, gdouble link_bps, gboolean rigid)
{
  Link self = {.queue = send_queue_new (OVERHEAD, TRUE),.link_bps = link_bps,.rigid = rigid,
    .free_at = RC_SECOND,.timestamp = rtp_header_of (packets->pdata[0]).timestamp - 1,
    .came_at = g_hash_table_new_full (NULL, NULL, NULL, g_free)
  };
  GstClockTime first = GST_BUFFER_PTS (packets->pdata[0]);
  RcTime end = RC_SECOND + SECONDS * RC_SECOND;

  for (guint i = 0; i < packets->len; i++) {
    GstClockTime pts = GST_BUFFER_PTS (packets->pdata[i]);
    RcTime now = RC_SECOND + (pts > first ? (RcTime) (pts - first) : 0);

    serve (&self, now);
    come (&self, packets->pdata[i], now);
  }
  serve (&self, end);
  return self;
}

static void
link_clear (Link * self)
{
  send_queue_free (self->queue);
  g_hash_table_unref (self->came_at);
}

static gdouble
use_of (const Link * self)
{
  return (gdouble) self->sent_bytes / MIN (self->link_bps / 8 * SECONDS,
      (gdouble) self->in_bytes);
}

static const struct
{
  gdouble link_bps;
  gdouble least_use;
  guint least_frames;           /* of SECONDS * FPS */
  RcTime most_held;
} links[] = {
  {1e6, .95, 100, 1800 * RC_MSEC},
  {1.9e6, .95, 230, 1200 * RC_MSEC},
  {3e6, .99, SECONDS * FPS, 400 * RC_MSEC},
};

CLAIMS (test_a_camera_fills_a_link_that_carries_less, G_N_ELEMENTS (links))
{
  g_autoptr (GPtrArray) packets = NULL;
  Link now, before;

  if (!is_installed ("x264enc"))
    return;
  packets = film ("tune=zerolatency");
  now = play (packets, links[__i__].link_bps, TRUE);
  before = play (packets, links[__i__].link_bps, FALSE);
  GST_INFO ("%.1f Mbit/s: %u frames (before %u), use %.3f (%.3f), held %.0f ms",
      links[__i__].link_bps / 1e6, now.frames_left, before.frames_left, use_of (&now),
      use_of (&before), rc_time_to_s (now.worst) * 1e3);
  fail_unless (use_of (&now) >= links[__i__].least_use, "%.3f", use_of (&now));
  fail_unless (now.frames_left >= links[__i__].least_frames, "%u frames", now.frames_left);
  fail_unless (now.frames_left >= before.frames_left);
  fail_unless (now.worst <= links[__i__].most_held, "%.3f s", rc_time_to_s (now.worst));
  link_clear (&now);
  link_clear (&before);
}

/* Half of the frames are B-frames that no other needs: what the link carries is seen evenly. */
CLAIM (test_frames_that_no_other_needs_go_first)
{
  g_autoptr (GPtrArray) packets = NULL;
  SendQueueStats stats;
  Link link;

  if (!is_installed ("x264enc"))
    return;
  packets = film ("bframes=1 b-adapt=false");
  link = play (packets, 1.7e6, TRUE);
  send_queue_get_stats (link.queue, &stats);
  fail_unless (link.frames_left > SECONDS * FPS / 2, "%u frames", link.frames_left);
  fail_unless (link.worst < HOLD, "%.3f s", rc_time_to_s (link.worst));
  fail_unless (stats.frames_dropped > 0);
  link_clear (&link);
}

/* FALSE if nothing is to be told. */
static gboolean
look (InputWatch * self, const Link * link, gdouble link_bps, RcTime now, InputShortage * shortage)
{
  return input_watch_look (self, link->queue, (guint) link_bps, HOLD, now, shortage);
}

/* Where more comes than the link carries. */
CLAIM (test_what_will_be_seen_is_said_once)
{
  InputWatch watch, wide;
  InputShortage shortage;
  g_autoptr (GPtrArray) packets = NULL;
  g_autofree gchar *sentence = NULL;
  Link link;

  if (!is_installed ("x264enc"))
    return;
  packets = film ("tune=zerolatency");
  input_watch_init (&watch);
  link = play (packets, 1e6, TRUE);
  send_queue_free (link.queue);
  link.queue = send_queue_new (OVERHEAD, TRUE);
  fail_if (look (&watch, &link, 1e6, RC_SECOND, &shortage));
  for (guint i = 0; i < packets->len / 2; i++) {
    RcTime now = RC_SECOND + (RcTime) i * SECONDS * RC_SECOND / packets->len;

    input_watch_on_packet (&watch, (guint) gst_buffer_get_size (packets->pdata[i]), now);
    serve (&link, now);
    come (&link, packets->pdata[i], now);
  }
  wide = watch;
  fail_if (look (&wide, &link, G_MAXUINT, 7 * RC_SECOND, &shortage));
  fail_unless (look (&watch, &link, 1e6, 7 * RC_SECOND, &shortage));
  sentence = input_shortage_describe (&shortage);
  fail_unless (g_str_has_prefix (sentence, "the link carries 1000 kbit/s of the "), "%s", sentence);
  fail_unless (strstr (sentence, "give the receiver 1500 ms of latency") != NULL, "%s", sentence);
  fail_if (look (&watch, &link, 1e6, 24 * RC_SECOND, &shortage));
  link_clear (&link);
}

/* What is dropped at first is less than what is in the end: the queue has to fill. */
CLAIM (test_what_is_seen_is_said_again_when_twice_as_much_is_dropped)
{
  g_autoptr (GPtrArray) packets = NULL;
  gdouble share, told_share = 0;
  InputShortage shortage;
  InputWatch watch;
  guint n_told = 0;
  Link link;

  if (!is_installed ("x264enc"))
    return;
  packets = film ("tune=zerolatency");
  link = play (packets, 2e6, TRUE);
  input_watch_init (&watch);
  link.link_bps = 1.5e6;
  for (guint i = 0; i < 10 * packets->len; i++) {
    GstBuffer *packet = packets->pdata[i % packets->len];
    RcTime now = 20 * RC_SECOND + (RcTime) i * SECONDS * RC_SECOND / packets->len;

    if (i == packets->len)
      link.link_bps = .4e6;
    input_watch_on_packet (&watch, (guint) gst_buffer_get_size (packet), now);
    serve (&link, now);
    come (&link, packet, now);
    if (!look (&watch, &link, link.link_bps, now, &shortage))
      continue;
    n_told++;
    share = (gdouble) shortage.frames_dropped / shortage.frames_in;
    GST_INFO ("%.0f s: share %.2f, held %.1f s, latency %.1f s", rc_time_to_s (now), share,
        rc_time_to_s (shortage.held), rc_time_to_s (shortage.latency));
    fail_unless (share >= 2 * told_share, "%.2f after %.2f", share, told_share);
    fail_unless (shortage.latency >= MAX (1500 * RC_MSEC, shortage.held));
    told_share = share;
  }
  fail_unless (n_told >= 2 && n_told <= 3, "%u", n_told);
  link_clear (&link);
}
