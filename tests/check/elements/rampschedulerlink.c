/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* rampscheduler and a real rmcsink, over loopback to a real arcsrc: a camera (SSRC 0) and a
 * microphone (SSRC 1). */
#include "rampfixture.h"
#include "readstat.h"

#include <gst/app/gstappsrc.h>

#define N_SEQS 4096
#define RATE_BPS 1000000
#define AUDIO_BYTES 160
#define AUDIO_INTERVAL_US 20000
#define FRAME_INTERVAL_US 33333
#define KEY_EVERY 30

typedef struct
{
  GstElement *sender, *receiver;
  GstAppSrc *sources[2];
  gint64 pushed_us[2][N_SEQS], received_us[2][N_SEQS];
  guint n_pushed[2];
  gint n_received[2];           /* atomic */
  gint received_bytes;          /* atomic */
} Call;

static GstPadProbeReturn
on_received (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  Call *call = user_data;
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (info);
  RtpHeader header = rtp_header_of (buffer);

  fail_unless (header.ssrc < 2 && header.seq < N_SEQS);
  call->received_us[header.ssrc][header.seq] = g_get_monotonic_time ();
  g_atomic_int_add (&call->received_bytes, (gint) gst_buffer_get_size (buffer) + 28);
  g_atomic_int_inc (&call->n_received[header.ssrc]);
  return GST_PAD_PROBE_OK;
}

static guint
start_receiver (Call * call)
{
  g_autoptr (GstElement) source = NULL;
  g_autoptr (GstPad) pad = NULL;
  guint port;

  call->receiver = gst_parse_launch ("arcsrc name=source port=0 address=127.0.0.1 "
      "caps=application/x-rtp ! fakesink sync=false", NULL);
  fail_unless (call->receiver != NULL);
  source = gst_bin_get_by_name (GST_BIN (call->receiver), "source");
  pad = gst_element_get_static_pad (source, "src");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, on_received, call, NULL);
  gst_element_set_state (call->receiver, GST_STATE_PLAYING);
  wait_until ((g_object_get (source, "port", &port, NULL), port > 0));
  return port;
}

static void
call_start (Call * call, const gchar * joiner, const gchar * sink_properties)
{
  g_autofree gchar *line = NULL;
  guint port;

  memset (call, 0, sizeof *call);
  port = start_receiver (call);
  line = g_strdup_printf ("%s name=s ! rmcsink name=sink host=127.0.0.1 port=%u "
      "congestion-control=fixed start-bitrate=%u min-bitrate=%u %s appsrc name=v is-live=true "
      "format=time do-timestamp=true caps=\"" VIDEO_CAPS ",ssrc=(uint)0\" ! s.sink_0 appsrc name=a "
      "is-live=true format=time do-timestamp=true caps=\"" AUDIO_CAPS ",ssrc=(uint)1\" ! s.sink_1",
      joiner, port, RATE_BPS, RATE_BPS, sink_properties);
  call->sender = gst_parse_launch (line, NULL);
  fail_unless (call->sender != NULL, "%s", line);
  call->sources[0] = GST_APP_SRC (gst_bin_get_by_name (GST_BIN (call->sender), "v"));
  call->sources[1] = GST_APP_SRC (gst_bin_get_by_name (GST_BIN (call->sender), "a"));
  gst_element_set_state (call->sender, GST_STATE_PLAYING);
}

static void
call_stop (Call * call)
{
  gst_element_set_state (call->sender, GST_STATE_NULL);
  gst_element_set_state (call->receiver, GST_STATE_NULL);
  gst_object_unref (call->sources[0]);
  gst_object_unref (call->sources[1]);
  gst_object_unref (call->sender);
  gst_object_unref (call->receiver);
}

static void
call_push (Call * call, guint ssrc, guint32 timestamp, gboolean delta, guint rtp_bytes)
{
  guint seq = call->n_pushed[ssrc]++;

  fail_unless (seq < N_SEQS);
  call->pushed_us[ssrc][seq] = g_get_monotonic_time ();
  fail_unless_equals_int (gst_app_src_push_buffer (call->sources[ssrc],
          rtp_new (ssrc, (guint16) seq, timestamp, delta, rtp_bytes)), GST_FLOW_OK);
}

/* video_bps: mean, headers counted; a keyframe is ten times another frame. */
static void
call_talk (Call * call, guint ms, guint video_bps)
{
  const gdouble mean_bytes = video_bps / 8.0 * FRAME_INTERVAL_US / 1e6,
      delta_bytes = mean_bytes * KEY_EVERY / (KEY_EVERY + 9);
  gint64 begin = g_get_monotonic_time (), now;
  guint frame = 0, sound = 0;
  gdouble owed = 0;

  while ((now = g_get_monotonic_time () - begin) < ms * 1000) {
    for (; frame * (gint64) FRAME_INTERVAL_US <= now; frame++) {
      owed += frame % KEY_EVERY == 0 ? 10 * delta_bytes : delta_bytes;
      for (; owed > 1228; owed -= 1228)
        call_push (call, 0, frame, frame % KEY_EVERY != 0, 1200);
    }
    for (; sound * (gint64) AUDIO_INTERVAL_US <= now; sound++)
      call_push (call, 1, sound, FALSE, AUDIO_BYTES);
    g_usleep (1000);
  }
}

static gint
compare_int64 (const gint64 * a, const gint64 * b)
{
  return (*a > *b) - (*a < *b);
}

/* In us; nine of ten that came are faster. */
static gint64
audio_delay_p90 (Call * call)
{
  g_autoptr (GArray) delays = g_array_new (FALSE, FALSE, sizeof (gint64));
  gint64 result;

  for (guint i = 0; i < call->n_pushed[1]; i++) {
    gint64 delay = call->received_us[1][i] - call->pushed_us[1][i];

    if (call->received_us[1][i] > 0)
      g_array_append_val (delays, delay);
  }
  fail_unless (delays->len > 0, "of %u", call->n_pushed[1]);
  g_array_sort (delays, (GCompareFunc) compare_int64);
  result = g_array_index (delays, gint64, delays->len * 9 / 10);
  return result;
}

static guint64
sink_stat (Call * call, const gchar * field)
{
  return read_stat_in (call->sender, "sink", field);
}

static GstStructure *
scheduler_stats (Call * call)
{
  g_autoptr (GstElement) scheduler = gst_bin_get_by_name (GST_BIN (call->sender), "s");
  GstStructure *stats;

  g_object_get (scheduler, "stats", &stats, NULL);
  return stats;
}

/* Of a pad of the scheduler. */
static guint64
scheduler_stat (Call * call, const gchar * pad, const gchar * field)
{
  g_autoptr (GstStructure) stats = scheduler_stats (call);
  guint64 value;

  fail_unless (gst_structure_get_uint64 (gst_value_get_structure (gst_structure_get_value (stats,
                  pad)), field, &value), "no field %s", field);
  return value;
}

/* All that the scheduler took has left it, by the one way or the other, and nothing came twice. */
static void
check_nothing_is_lost_silently (Call * call)
{
  static const gchar *const pads[] = { "sink_0", "sink_1" };

  for (guint i = 0; i < 2; i++) {
    wait_until (scheduler_stat (call, pads[i], "bytes-in") == scheduler_stat (call, pads[i],
            "bytes-sent") + scheduler_stat (call, pads[i], "bytes-dropped"));
    fail_unless ((guint) g_atomic_int_get (&call->n_received[i]) <= call->n_pushed[i]);
  }
}

/* A keyframe takes 250 ms of the rate. What the scheduler orders, the sink must not queue again. */
static gchar *
audio_behind_keyframes (gpointer data)
{
  gint64 funnel_us, scheduler_us;
  guint video, audio;
  Call call;

  call_start (&call, "rtpfunnel", "");
  call_talk (&call, 4000, 800000);
  g_usleep (500 * 1000);
  call_stop (&call);
  funnel_us = audio_delay_p90 (&call);
  call_start (&call, "rampscheduler", "");
  call_talk (&call, 4000, 800000);
  check_nothing_is_lost_silently (&call);
  g_usleep (500 * 1000);        /* in the sink, in the socket */
  video = (guint) g_atomic_int_get (&call.n_received[0]);
  audio = (guint) g_atomic_int_get (&call.n_received[1]);
  call_stop (&call);
  scheduler_us = audio_delay_p90 (&call);
  if (scheduler_us < 60000 && funnel_us > 3 * scheduler_us && video >= call.n_pushed[0] * 19 / 20
      && audio >= call.n_pushed[1] * 19 / 20)
    return NULL;
  return g_strdup_printf ("audio is %d ms late, %d ms in a funnel; %u of %u packets of video "
      "and %u of %u of audio came", (gint) scheduler_us / 1000, (gint) funnel_us / 1000, video,
      call.n_pushed[0], audio, call.n_pushed[1]);
}

CLAIM_TIMEOUT_S (120)

CLAIM (test_audio_is_not_late_behind_keyframes_and_would_be_in_a_funnel)
{
  quiet_judge ("audio is not late behind keyframes", audio_behind_keyframes, NULL);
}

/* Twice what goes: the rate is used to the full, and what is too much waits and is dropped in
 * the scheduler. */
static gchar *
backpressure (gpointer data)
{
  guint64 most_queue = 0;
  gdouble begin_us, bps;
  gint bytes;
  Call call;

  call_start (&call, "rampscheduler", "");
  call_talk (&call, 2000, 2 * RATE_BPS);
  bytes = g_atomic_int_get (&call.received_bytes);
  begin_us = (gdouble) g_get_monotonic_time ();
  for (guint i = 0; i < 20; i++) {
    call_talk (&call, 100, 2 * RATE_BPS);
    most_queue = MAX (most_queue, sink_stat (&call, "queue-time"));
  }
  bps = (gdouble) (g_atomic_int_get (&call.received_bytes) - bytes) * 8e6
      / ((gdouble) g_get_monotonic_time () - begin_us);
  fail_unless_equals_uint64 (sink_stat (&call, "packets-dropped"), 0);
  fail_unless (scheduler_stat (&call, "sink_0", "frames-dropped") > 10);
  check_nothing_is_lost_silently (&call);
  call_stop (&call);
  if (bps > 0.9 * RATE_BPS && bps < 1.05 * RATE_BPS && most_queue < 25 * GST_MSECOND)
    return NULL;
  return g_strdup_printf ("%g bit/s, %d ms in rmcsink", bps, (gint) (most_queue / GST_MSECOND));
}

CLAIM (test_backpressure_leaves_the_queue_to_the_scheduler_and_the_rate_full)
{
  quiet_judge ("the queue is in the scheduler and the rate is full", backpressure, NULL);
}

static gchar *
budget_and_parts (gpointer data)
{
  guint64 budget = 0, bytes = 0;
  GstElement *scheduler;
  guint video_bps = 0;
  GstStructure *stats;
  GstPad *pad;
  Call call;

  call_start (&call, "rampscheduler", "");
  call_talk (&call, 1500, 700000);
  scheduler = gst_bin_get_by_name (GST_BIN (call.sender), "s");
  stats = scheduler_stats (&call);
  gst_structure_get_uint64 (stats, "budget", &budget);
  fail_unless_equals_uint64 (budget, RATE_BPS);
  gst_structure_free (stats);
  pad = gst_element_get_static_pad (scheduler, "sink_0");
  g_object_get (pad, "target-bitrate", &video_bps, NULL);
  gst_object_unref (pad);
  gst_object_unref (scheduler);
  check_nothing_is_lost_silently (&call);
  stats = scheduler_stats (&call);
  fail_unless (gst_structure_get_uint64 (stats, "bytes-sent", &bytes));
  gst_structure_free (stats);
  wait_until (sink_stat (&call, "bytes-sent") >= bytes); /* headers counted as the sink does */
  fail_unless_equals_uint64 (sink_stat (&call, "bytes-sent"), bytes);
  call_stop (&call);
  if (video_bps > 0.7 * RATE_BPS && video_bps < 0.95 * RATE_BPS)
    return NULL;
  return g_strdup_printf ("%u bit/s for the video", video_bps);
}

CLAIM (test_rmcsink_tells_the_budget_and_each_pad_gets_its_part)
{
  quiet_judge ("each pad gets its part of the budget", budget_and_parts, NULL);
}
