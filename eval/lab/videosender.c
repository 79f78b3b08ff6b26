/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* One sender of a lab: a pipeline whose last element carries media to a receiver, fed by the source
 * of RFC 8593 where it has an appsrc called "source", or by an encoder called "encoder" where it
 * has not.
 *
 *   lab-sender [OPTION...] PIPELINE
 *
 * The bitrate comes from the element "control": rmcsink's target-bitrate or rtpgccbwe's
 * estimated-bitrate, whichever it has; without it the source keeps its start bitrate. */

#include <gst/gst.h>
#include <gst/rtp/rtp.h>
#include <stdio.h>
#include <stdlib.h>

#include "videosource.h"

#define PAYLOAD_BYTES 1200
#define PAYLOAD_TYPE 96
#define TWCC_ID 5
#define CLOCK_RATE 90000
#define LOG_INTERVAL_US (G_USEC_PER_SEC / 10)
/* What an application takes off an estimate of the network's rate: RTP, UDP and IP headers of
 * packets like ours. */
#define MEDIA_SHARE 0.96

static gdouble begin_at_s = 0, stop_at_s = 0;
static gint least_bps = 150000, most_bps = 1500000, start_bps = 150000, seed = 1, ssrc = 1;
static gchar *log_name, *pause_text;
static gboolean twcc;

static const GOptionEntry entries[] = {
  {"begin-at", 0, 0, G_OPTION_ARG_DOUBLE, &begin_at_s, "When to begin, CLOCK_MONOTONIC (at once)",
      "S"},
  {"stop-at", 0, 0, G_OPTION_ARG_DOUBLE, &stop_at_s, "When to end, likewise (never)", "S"},
  {"pause", 0, 0, G_OPTION_ARG_STRING, &pause_text,
      "The source is silent between these times, likewise", "FROM:TO"},
  {"least", 0, 0, G_OPTION_ARG_INT, &least_bps, "Least media bitrate of the source (150000)",
      "BPS"},
  {"most", 0, 0, G_OPTION_ARG_INT, &most_bps, "Largest media bitrate of the source (1500000)",
      "BPS"},
  {"start", 0, 0, G_OPTION_ARG_INT, &start_bps, "First media bitrate of the source (150000)",
      "BPS"},
  {"seed", 0, 0, G_OPTION_ARG_INT, &seed, "Of the source (1)", "N"},
  {"ssrc", 0, 0, G_OPTION_ARG_INT, &ssrc, "Of the packets (1)", "N"},
  {"twcc", 0, 0, G_OPTION_ARG_NONE, &twcc,
      "Packets get room for transport-wide sequence numbers (id 5)", NULL},
  {"log", 0, 0, G_OPTION_ARG_FILENAME, &log_name,
      "Rates every 0.1 s (CSV), of rmcsink its queue as well", "FILE"},
  {NULL}
};

typedef struct
{
  GstElement *pipeline, *appsrc, *encoder, *control;
  const gchar *target_name;
  VideoSource source;
  gint target_bps;              /* atomic: set by whatever thread notifies */
  guint made_bytes;             /* atomic, since the last row */
  guint16 seqnum;
  gint64 pause_from_us, pause_to_us;
  FILE *log;
  GThread *thread;
  gint stopping;
} Sender;

static gint64
us_of (gdouble seconds)
{
  return (gint64) (seconds * G_USEC_PER_SEC);
}

static void
sleep_until (gint64 at_us)
{
  gint64 now_us = g_get_monotonic_time ();

  if (at_us > now_us)
    g_usleep (at_us - now_us);
}

static void
follow_control (GstElement *control, GParamSpec *pspec, gpointer user_data)
{
  Sender *self = user_data;
  guint bps;

  g_object_get (control, pspec->name, &bps, NULL);
  if (g_str_equal (pspec->name, "estimated-bitrate"))
    bps = (guint) (bps * MEDIA_SHARE);
  if (bps == 0)
    return;
  bps = CLAMP (bps, (guint) least_bps, (guint) most_bps);
  g_atomic_int_set (&self->target_bps, (gint) bps);
  /* rmcsink finds its encoder by itself. */
  if (self->encoder && g_str_equal (pspec->name, "estimated-bitrate"))
    g_object_set (self->encoder, "bitrate", MAX (bps / 1000, 1), NULL);
}

static GstBuffer *
make_packet (Sender *self, guint payload_bytes, guint32 rtp_time, gboolean last)
{
  static const guint8 no_number[2] = { 0 };
  GstBuffer *buffer = gst_rtp_buffer_new_allocate (payload_bytes, 0, 0);
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  gst_buffer_memset (buffer, gst_buffer_get_size (buffer) - payload_bytes, 0, payload_bytes);
  gst_rtp_buffer_map (buffer, GST_MAP_READWRITE, &rtp);
  gst_rtp_buffer_set_payload_type (&rtp, PAYLOAD_TYPE);
  gst_rtp_buffer_set_ssrc (&rtp, (guint32) ssrc);
  gst_rtp_buffer_set_seq (&rtp, self->seqnum++);
  gst_rtp_buffer_set_timestamp (&rtp, rtp_time);
  gst_rtp_buffer_set_marker (&rtp, last);
  if (twcc)
    gst_rtp_buffer_add_extension_onebyte_header (&rtp, TWCC_ID, no_number, sizeof no_number);
  gst_rtp_buffer_unmap (&rtp);
  return buffer;
}

static void
push_frame (Sender *self, guint bytes, gint64 now_us)
{
  guint packets = (bytes + PAYLOAD_BYTES - 1) / PAYLOAD_BYTES;
  GstBufferList *list = gst_buffer_list_new_sized (packets);
  guint32 rtp_time = (guint32) (now_us * CLOCK_RATE / G_USEC_PER_SEC);
  GstFlowReturn flow;

  for (guint i = 0; i < packets; i++) {
    guint from = (guint) ((guint64) i * bytes / packets);
    guint to = (guint) ((guint64) (i + 1) * bytes / packets);

    gst_buffer_list_add (list, make_packet (self, to - from, rtp_time, i + 1 == packets));
  }
  g_signal_emit_by_name (self->appsrc, "push-buffer-list", list, &flow);
  gst_buffer_list_unref (list);
  g_atomic_int_add (&self->made_bytes, bytes);
}

static gpointer
make_frames (gpointer user_data)
{
  Sender *self = user_data;
  gint64 due_us = g_get_monotonic_time (), interval_ns;

  while (!g_atomic_int_get (&self->stopping)) {
    guint bytes;

    sleep_until (due_us);
    video_source_set_target (&self->source, g_atomic_int_get (&self->target_bps));
    bytes = video_source_next_frame (&self->source, due_us * 1000, &interval_ns);
    if (due_us < self->pause_from_us || due_us >= self->pause_to_us)
      push_frame (self, bytes, due_us);
    due_us += interval_ns / 1000;
  }
  return NULL;
}

static GstPadProbeReturn
count_made (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  Sender *self = user_data;

  g_atomic_int_add (&self->made_bytes,
      (gint) gst_buffer_get_size (GST_PAD_PROBE_INFO_BUFFER (info)));
  return GST_PAD_PROBE_OK;
}

/* What rmcsink allows now, how long its own queue is, and how long it held frames. */
static void
read_stats (Sender *self, guint64 *rate_bps, gdouble *queue_ms, gdouble *hold_ms)
{
  GstStructure *stats = NULL;
  guint64 queue_ns = 0, hold_ns = 0;

  *rate_bps = 0;
  if (self->control && g_object_class_find_property (G_OBJECT_GET_CLASS (self->control), "stats"))
    g_object_get (self->control, "stats", &stats, NULL);
  if (stats) {
    gst_structure_get_uint64 (stats, "rate", rate_bps);
    gst_structure_get_uint64 (stats, "queue-time", &queue_ns);
    gst_structure_get_uint64 (stats, "frame-hold-p95", &hold_ns);
    gst_structure_free (stats);
  }
  *queue_ms = queue_ns / 1e6;
  *hold_ms = hold_ns / 1e6;
}

static gboolean
write_row (gpointer user_data)
{
  Sender *self = user_data;
  guint made_bytes = g_atomic_int_and (&self->made_bytes, 0);
  guint64 rate_bps;
  gdouble queue_ms, hold_ms;

  read_stats (self, &rate_bps, &queue_ms, &hold_ms);
  fprintf (self->log, "%.3f,%d,%.0f,%" G_GUINT64_FORMAT ",%.1f,%.1f\n",
      (gdouble) g_get_monotonic_time () / G_USEC_PER_SEC, g_atomic_int_get (&self->target_bps),
      made_bytes * 8.0 * G_USEC_PER_SEC / LOG_INTERVAL_US, rate_bps, queue_ms, hold_ms);
  return G_SOURCE_CONTINUE;
}

static gboolean
on_message (GstBus *bus, GstMessage *message, gpointer loop)
{
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR) {
    GError *error = NULL;

    gst_message_parse_error (message, &error, NULL);
    g_printerr ("lab-sender: %s: %s\n", GST_MESSAGE_SRC_NAME (message), error->message);
    exit (1);
  }
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS)
    g_main_loop_quit (loop);
  return G_SOURCE_CONTINUE;
}

static gboolean
quit (gpointer loop)
{
  g_main_loop_quit (loop);
  return G_SOURCE_REMOVE;
}

static gboolean
read_options (gint *argc, gchar ***argv)
{
  GOptionContext *context = g_option_context_new ("PIPELINE");
  GError *error = NULL;
  gboolean ok;

  g_option_context_add_main_entries (context, entries, NULL);
  g_option_context_add_group (context, gst_init_get_option_group ());
  ok = g_option_context_parse (context, argc, argv, &error) && *argc == 2;
  if (!ok)
    g_printerr ("lab-sender: %s\n",
        error ? error->message : "one pipeline is wanted; --help lists the options");
  g_option_context_free (context);
  return ok;
}

static void
find_elements (Sender *self)
{
  self->appsrc = gst_bin_get_by_name (GST_BIN (self->pipeline), "source");
  self->encoder = gst_bin_get_by_name (GST_BIN (self->pipeline), "encoder");
  self->control = gst_bin_get_by_name (GST_BIN (self->pipeline), "control");
  self->target_bps = start_bps;
  if (self->control) {
    gboolean ours = g_object_class_find_property (G_OBJECT_GET_CLASS (self->control),
        "target-bitrate") != NULL;

    g_signal_connect (self->control, ours ? "notify::target-bitrate" : "notify::estimated-bitrate",
        G_CALLBACK (follow_control), self);
  }
  if (self->encoder) {
    GstPad *pad = gst_element_get_static_pad (self->encoder, "src");

    gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, count_made, self, NULL);
    gst_object_unref (pad);
  }
}

static void
run (Sender *self)
{
  GMainLoop *loop = g_main_loop_new (NULL, FALSE);
  GstBus *bus = gst_element_get_bus (self->pipeline);
  gdouble pause_from_s = 0, pause_to_s = 0;

  gst_bus_add_watch (bus, on_message, loop);
  if (pause_text && sscanf (pause_text, "%lf:%lf", &pause_from_s, &pause_to_s) != 2)
    g_printerr ("lab-sender: --pause %s: FROM:TO is wanted\n", pause_text);
  self->pause_from_us = us_of (pause_from_s);
  self->pause_to_us = us_of (pause_to_s);
  gst_element_set_state (self->pipeline, GST_STATE_READY);
  sleep_until (us_of (begin_at_s));
  gst_element_set_state (self->pipeline, GST_STATE_PLAYING);
  if (self->appsrc)
    self->thread = g_thread_new ("frames", make_frames, self);
  if (stop_at_s > 0)
    g_timeout_add (MAX (us_of (stop_at_s) - g_get_monotonic_time (), 0) / 1000, quit, loop);
  if (self->log)
    g_timeout_add (LOG_INTERVAL_US / 1000, write_row, self);
  g_main_loop_run (loop);
  g_atomic_int_set (&self->stopping, TRUE);
  g_clear_pointer (&self->thread, g_thread_join);
  gst_element_set_state (self->pipeline, GST_STATE_NULL);
  gst_object_unref (bus);
  g_main_loop_unref (loop);
}

int
main (int argc, char **argv)
{
  Sender self = { NULL };
  GError *error = NULL;

  if (!read_options (&argc, &argv))
    return 2;
  self.pipeline = gst_parse_launch (argv[1], &error);
  if (error) {
    g_printerr ("lab-sender: %s\n", error->message);
    return 2;
  }
  if (log_name && !(self.log = fopen (log_name, "we"))) {
    g_printerr ("lab-sender: %s cannot be written\n", log_name);
    return 2;
  }
  if (self.log) {
    setvbuf (self.log, NULL, _IOLBF, 0);
    fputs ("at_s,target_bps,made_bps,rate_bps,queue_ms,hold_ms\n", self.log);
  }
  video_source_init (&self.source, (guint32) seed, least_bps, most_bps, start_bps);
  find_elements (&self);
  run (&self);
  video_source_clear (&self.source);
  gst_clear_object (&self.appsrc);
  gst_clear_object (&self.encoder);
  gst_clear_object (&self.control);
  gst_object_unref (self.pipeline);
  if (self.log)
    fclose (self.log);
  return 0;
}
