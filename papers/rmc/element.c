/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Elements as contenders: one thread pushes RTP into the sink pad of the element `first`, as a
 * payloader would. */
#include "contest.h"

#include <gst/gst.h>
#include <gst/rtp/rtp.h>
#include <math.h>
#include <string.h>

/* All sequence numbers; each with its memory, as GStreamer's mind many owners. */
#define RTP_RING 65536
#define FPS 30
#define CAPS "application/x-rtp, media=video, clock-rate=90000, payload=96, encoding-name=X-BENCH"
#define RMCSINK \
    "port={port} congestion-control=fixed start-bitrate={rate} max-bitrate=4000000000 " \
    "sync=false adapt-encoder=false " \
    "controller-params=\"params,stop=0.0,pacing_gain={gain}\""

typedef enum
{
  UNTIMED,                      /* all time stamps 0 */
  EVEN,
  FRAMES,                       /* all packets of a frame at once, as an encoder does */
} Feed;

typedef struct
{
  const gchar *name;
  Feed feed;
  /* {port}, {rate} and {gain} as wanted; {udp}: the rate without IP and UDP headers. */
  const gchar *launch;
} Contender;

/* basesink throttles by max-bitrate only with sync. rtpgccbwe has a queue that it empties beyond
 * 30 ms: it must be fed by the clock; its budget counts RTP. */
static const Contender contenders[] = {
  {"rmcsink", EVEN, "rmcsink name=first " RMCSINK},
  {"rmcsink-priority", EVEN, "rmcsink name=first pacing-priority=10 " RMCSINK},
  {"rmcsink-frames", FRAMES, "clocksync name=first ! rmcsink " RMCSINK},
  {"udpsink-max-bitrate", UNTIMED,
      "udpsink name=first host=127.0.0.1 port={port} sync=true max-bitrate={udp}"},
  {"udpsink-clocksync", EVEN,
      "clocksync name=first ! udpsink host=127.0.0.1 port={port} sync=false"},
  {"rtpgccbwe", FRAMES, "clocksync name=first ! rtpgccbwe min-bitrate={udp} max-bitrate={udp} "
      "estimated-bitrate={udp} ! udpsink host=127.0.0.1 port={port} sync=false"},
};

typedef struct
{
  GstElement *pipeline, *first;
  GstPad *src;
} Sender;

static const Contender *
find (const gchar * name)
{
  for (guint i = 0; i < G_N_ELEMENTS (contenders); i++)
    if (strcmp (contenders[i].name, name) == 0)
      return &contenders[i];
  return NULL;
}

static void
replace (GString * text, const gchar * what, guint64 by)
{
  gchar *number = g_strdup_printf ("%" G_GUINT64_FORMAT, by);

  g_string_replace (text, what, number, 0);
  g_free (number);
}

static gchar *
launch_line (const Contender * contender, const Contest * contest)
{
  GString *text = g_string_new (contender->launch);
  gchar gain[G_ASCII_DTOSTR_BUF_SIZE];

  replace (text, "{port}", contest->port);
  replace (text, "{rate}", contest->rate_bps);
  replace (text, "{udp}", contest->rate_bps * COUNT_UDP_BYTES / COUNT_IP_BYTES);
  g_string_replace (text, "{gain}", g_ascii_dtostr (gain, sizeof gain, contest->gain), 0);
  return g_string_free (text, FALSE);
}

/* --- packets --- */

static GstBuffer **
make_packets (void)
{
  GstBuffer **ring = g_new (GstBuffer *, RTP_RING);

  for (guint i = 0; i < RTP_RING; i++) {
    GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

    ring[i] = gst_rtp_buffer_new_allocate (COUNT_UDP_BYTES - 12, 0, 0);
    gst_rtp_buffer_map (ring[i], GST_MAP_WRITE, &rtp);
    gst_rtp_buffer_set_payload_type (&rtp, 96);
    gst_rtp_buffer_set_seq (&rtp, i);
    gst_rtp_buffer_set_ssrc (&rtp, 1);
    gst_rtp_buffer_set_marker (&rtp, TRUE);
    gst_rtp_buffer_set_timestamp (&rtp, i);
    gst_rtp_buffer_unmap (&rtp);
  }
  return ring;
}

static GstClockTime
timestamp (guint64 i, guint64 rate_bps, Feed feed)
{
  double at_s = (double) i * COUNT_IP_BYTES * 8 / (double) rate_bps;

  if (feed == UNTIMED)
    return 0;
  return (GstClockTime) ((feed == EVEN ? at_s : floor (at_s * FPS) / FPS) * GST_SECOND);
}

static void
push_events (GstPad * src)
{
  GstCaps *caps = gst_caps_from_string (CAPS);
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_push_event (src, gst_event_new_stream_start ("bench"));
  gst_pad_push_event (src, gst_event_new_caps (caps));
  gst_pad_push_event (src, gst_event_new_segment (&segment));
  gst_caps_unref (caps);
}

static void
push_packets (GstPad * src, GstBuffer ** ring, const Contest * contest, Feed feed, RcTime end)
{
  for (guint64 i = 0; contest_now () < end; i++) {
    GstBuffer *buffer = gst_buffer_copy (ring[i % RTP_RING]);

    GST_BUFFER_PTS (buffer) = timestamp (i, contest->rate_bps, feed);
    if (gst_pad_push (src, buffer) != GST_FLOW_OK)
      break;
  }
}

/* --- the run --- */

/* What the element itself says, if it does not do what it is asked. */
static gchar *
complaint (GstElement * pipeline)
{
  GstBus *bus = gst_element_get_bus (pipeline);
  GstMessage *message = gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING | GST_MESSAGE_ERROR);
  GError *error = NULL;
  gchar *text = NULL;

  if (message) {
    if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR)
      gst_message_parse_error (message, &error, NULL);
    else
      gst_message_parse_warning (message, &error, NULL);
    text = g_strdelimit (g_strdup (error->message), "\"\\\n", ' ');
    g_error_free (error);
    gst_message_unref (message);
  }
  gst_object_unref (bus);
  return text;
}

static gchar *
sender_start (Sender * sender, const gchar * launch)
{
  GstElement *bin;
  GError *error = NULL;
  gchar *why;
  GstPad *pad;

  *sender = (Sender) { 0 };
  bin = gst_parse_bin_from_description_full (launch, FALSE, NULL, GST_PARSE_FLAG_FATAL_ERRORS,
      &error);
  if (!bin) {
    why = g_strdelimit (g_strdup (error->message), "\"\\\n", ' ');
    g_error_free (error);
    return why;
  }
  sender->pipeline = gst_pipeline_new (NULL);
  gst_bin_add (GST_BIN (sender->pipeline), bin);
  sender->src = gst_pad_new ("src", GST_PAD_SRC);
  sender->first = gst_bin_get_by_name (GST_BIN (sender->pipeline), "first");
  pad = gst_element_get_static_pad (sender->first, "sink");
  gst_pad_set_active (sender->src, TRUE);
  if (gst_pad_link_full (sender->src, pad, GST_PAD_LINK_CHECK_NOTHING) != GST_PAD_LINK_OK)
    g_error ("cannot link");
  gst_object_unref (pad);
  gst_element_set_state (sender->pipeline, GST_STATE_PLAYING);
  return complaint (sender->pipeline);
}

static void
sender_stop (Sender * sender)
{
  if (!sender->pipeline)
    return;
  gst_element_set_state (sender->pipeline, GST_STATE_NULL);
  gst_object_unref (sender->first);
  gst_object_unref (sender->src);
  gst_object_unref (sender->pipeline);
}

typedef struct
{
  const Contest *contest;
  GstElement *rmcsink;
  RcTime start;
} Steps;

static gpointer
run_steps (gpointer data)
{
  const Steps *steps = data;
  const Contest *contest = steps->contest;

  for (guint i = 0; i < 2; i++) {
    contest_sleep_until (steps->start + rc_time_from_s ((i + 1) * contest->seconds / 3));
    contest->count->stepped_at[i] = count_realtime ();
    g_object_set (steps->rmcsink,
        "start-bitrate", (guint) (i == 0 ? contest->rate_bps / 10 : contest->rate_bps), NULL);
  }
  return NULL;
}

gboolean
element_run (const Contest * contest, gchar ** skipped)
{
  const Contender *contender = find (contest->name);
  GThread *stepper = NULL;
  GstBuffer **ring;
  gchar *launch;
  Sender sender;
  Steps steps;

  if (!contender || (contest->steps && !g_str_has_prefix (contender->launch, "rmcsink name=first")))
    return FALSE;
  ring = make_packets ();
  launch = launch_line (contender, contest);
  *skipped = sender_start (&sender, launch);
  if (!*skipped) {
    push_events (sender.src);
    steps = (Steps) { contest, sender.first, contest_begin (contest) };
    if (contest->steps)
      stepper = g_thread_new ("steps", run_steps, &steps);
    push_packets (sender.src, ring, contest, contender->feed,
        steps.start + rc_time_from_s (contest->seconds));
    if (stepper)
      g_thread_join (stepper);
  }
  sender_stop (&sender);
  g_free (launch);
  return TRUE;
}
