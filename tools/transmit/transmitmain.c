/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "ends.h"
#include "statlines.h"
#include "streams.h"

#include "common/launch.h"

#include <glib-unix.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

#define NAME "gst-arc-transmit: "
#define EXIT_USAGE 2
#define EXIT_TIMEOUT 3
#define LOOK_MS 200             /* whether data flows */
#define RETRY_MS 1000
#define PATIENCE_S 10           /* until it is told that udpsrc gets nothing, as arcsrc does */
#define TS_BYTES 188
#define NULLS 6                 /* one less than tsparse puts into a datagram */
/* A keyframe each 2 s at 30 frames/s: viewers over UDP and SRT cannot ask for one. */
#define ENCODER "x264enc tune=zerolatency speed-preset=superfast key-int-max=60 bitrate=%u " \
    "! h264parse config-interval=-1"

typedef struct
{
  gchar **ends, *encoder;
  const gchar *in_properties, *out_properties;
  gint bitrate;
  gdouble stats_s, timeout_s;
  gboolean adapt, csv, once;

  gchar *in, *out;              /* lines */
  Streams streams;
  GMainLoop *loop;
  GstElement *pipeline;         /* NULL: a new one is to come */
  gchar *header, *told;         /* of CSV; the last message */
  guint64 bytes;                /* of this pipeline */
  gint64 bytes_at;              /* us; the last ones */
  gboolean silence_told;
  guint restarts;
  int status;
} Transmit;

static gboolean
parse (Transmit * self, int *argc, char ***argv, GError ** error)
{
  const GOptionEntry entries[] = {
    {"adapt", 'a', 0, G_OPTION_ARG_NONE, &self->adapt,
        "Encode video anew: at the rate of the network to arc://, else at --bitrate", NULL},
    {"bitrate", 'b', 0, G_OPTION_ARG_INT, &self->bitrate,
        "Of a stream that passes, or else of the video encoder, in bit/s (2000000)", "BITS"},
    {"encoder", 'e', 0, G_OPTION_ARG_STRING, &self->encoder,
        "With --adapt: what encodes and parses, as for gst-launch-1.0 (x264enc)", "ELEMENTS"},
    {"in", 'i', 0, G_OPTION_ARG_STRING, &self->in_properties,
        "Properties of the element of IN, as for gst-launch-1.0", "PROPERTIES"},
    {"out", 'o', 0, G_OPTION_ARG_STRING, &self->out_properties, "Those of OUT", "PROPERTIES"},
    {"stats", 's', 0, G_OPTION_ARG_DOUBLE, &self->stats_s,
        "A line of JSON each SECONDS on stdout, or on stderr if OUT is \"-\"", "SECONDS"},
    {"csv", 'c', 0, G_OPTION_ARG_NONE, &self->csv, "CSV instead of JSON", NULL},
    {"timeout", 't', 0, G_OPTION_ARG_DOUBLE, &self->timeout_s,
        "End with status 3 when nothing has come for SECONDS (never)", "SECONDS"},
    {"once", 0, 0, G_OPTION_ARG_NONE, &self->once, "End when IN or OUT ends or fails", NULL},
    {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &self->ends, NULL, "IN OUT"},
    {NULL}
  };
  g_autoptr (GOptionContext) context = g_option_context_new ("- from IN to OUT, as MPEG-TS");

  g_option_context_set_description (context, "IN, OUT: udp://, rtp://, srt:// or arc://HOST:PORT, "
      "a file, or \"-\"; IN also rtsp://.\narc://:PORT listens. gst-arc-transmit(1) has examples.");
  g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse (context, argc, argv, error))
    return FALSE;
  if (!self->ends || g_strv_length (self->ends) != 2 || self->bitrate < 1000)
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "%s", self->bitrate < 1000
        ? "--bitrate is in bit/s: 1000 or more"
        : "IN and OUT are needed, such as srt://:9000 arc://192.0.2.1:5004; --help has more");
  return !*error && (self->in = end_in (self->ends[0], self->in_properties, error))
      && (self->out = end_out (self->ends[1], self->out_properties, self->adapt,
          2 * (guint) self->bitrate, error));
}

static void
stop (Transmit * self)
{
  launch_stop (self->pipeline);
  streams_stop (&self->streams);
  gst_clear_object (&self->pipeline);
  self->bytes = 0;
}

static gboolean start (gpointer transmit);

static void
end_or_again (Transmit * self, gboolean again, int status)
{
  if (again) {
    stop (self);
    self->restarts++;
    g_timeout_add (RETRY_MS, start, self);
  } else {
    self->status = status;
    g_main_loop_quit (self->loop);
  }
}

/* Of IN and OUT by SRT, whose messages do not name it: "srt://192.0.2.1:9000: " (g_free). */
static gchar *
place_of (Transmit * self, GstMessage * message)
{
  const gchar *name = GST_MESSAGE_SRC_NAME (message);
  const gchar *end = g_str_equal (name, "in") ? self->ends[0]
      : g_str_equal (name, "out") ? self->ends[1] : "";
  g_autofree gchar *place = end_place (end);

  return g_str_has_prefix (place, "srt://") ? g_strconcat (place, ": ", NULL) : g_strdup ("");
}

/* Once, however often it is tried. */
static void
tell (Transmit * self, GstMessage * message, const GError * error, const gchar * debug,
    const gchar * then)
{
  g_autofree gchar *place = place_of (self, message);
  gchar *text = g_strdup_printf (NAME "%s: %s%s%s\n", GST_MESSAGE_SRC_NAME (message), place,
      launch_reason (error, debug), then);

  if (g_strcmp0 (text, self->told) != 0)
    g_printerr ("%s", text);
  g_free (self->told);
  self->told = text;
}

static gboolean
on_message (GstBus * bus, GstMessage * message, gpointer transmit)
{
  Transmit *self = transmit;
  g_autoptr (GError) error = NULL;
  g_autofree gchar *debug = NULL;
  gboolean again = !self->once;

  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR) {
    gst_message_parse_error (message, &error, &debug);
    again = again && error->domain != GST_CORE_ERROR
        && !g_error_matches (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS)
        && !g_error_matches (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_AUTHORIZED)
        && (end_is_network (self->ends[1]) || !g_str_equal (GST_MESSAGE_SRC_NAME (message), "out"));
    tell (self, message, error, debug, again ? "; again each second" : "");
    end_or_again (self, again, EXIT_FAILURE);
  } else if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_WARNING) {
    gst_message_parse_warning (message, &error, &debug);
    tell (self, message, error, debug, "");
  } else if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS) {
    g_printerr (NAME "the input has ended%s\n", again ? "; again in 1 s" : "");
    end_or_again (self, again, EXIT_SUCCESS);
  }
  return TRUE;
}

/* At the end tsparse drops what does not fill a datagram: null packets fill it. */
static GstPadProbeReturn
on_event (GstPad * pad, GstPadProbeInfo * info, gpointer unused)
{
  if (GST_EVENT_TYPE (GST_PAD_PROBE_INFO_EVENT (info)) == GST_EVENT_EOS) {
    GstBuffer *nulls = gst_buffer_new_allocate (NULL, NULLS * TS_BYTES, NULL);

    gst_buffer_memset (nulls, 0, 0xff, NULLS * TS_BYTES);
    for (gsize at = 0; at < NULLS * TS_BYTES; at += TS_BYTES)
      gst_buffer_fill (nulls, at, "\x47\x1f\xff\x10", 4);
    gst_pad_chain (pad, nulls);
  }
  return GST_PAD_PROBE_OK;
}

static void
fill_last (Transmit * self)
{
  g_autoptr (GstElement) count = gst_bin_get_by_name (GST_BIN (self->pipeline), "count");
  g_autoptr (GstPad) pad = gst_element_get_static_pad (count, "sink");

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, on_event, NULL, NULL);
}

static gboolean
start (gpointer transmit)
{
  Transmit *self = transmit;
  g_autoptr (GError) error = NULL;
  g_autofree gchar *line = g_strdup_printf ("%s  %s name=join ! identity name=count silent=true "
      "! %s", self->in, self->streams.paced ? "clocksync" : "queue max-size-time=2000000000 "
      "max-size-bytes=0 max-size-buffers=0", self->out);

  self->pipeline = launch (line, on_message, self, &error);
  if (!self->pipeline) {
    g_printerr (NAME "%s\n", error->message);
    end_or_again (self, FALSE, EXIT_USAGE);
    return G_SOURCE_REMOVE;
  }
  if (end_is_network (self->ends[1]))
    fill_last (self);
  streams_watch (&self->streams, self->pipeline);
  gst_element_set_state (self->pipeline, GST_STATE_PLAYING);
  return G_SOURCE_REMOVE;
}

/* Of the element of that name; NULL: none. */
static GstStructure *
stats_of (Transmit * self, const gchar * name)
{
  g_autoptr (GstElement) element = self->pipeline
      ? gst_bin_get_by_name (GST_BIN (self->pipeline), name) : NULL;
  GstStructure *stats = NULL;

  if (element && g_object_class_find_property (G_OBJECT_GET_CLASS (element), "stats"))
    g_object_get (element, "stats", &stats, NULL);
  return stats;
}

/* What looks like a program that hangs. */
static void
tell_waits (Transmit * self)
{
  for (guint i = 0; i < 2; i++) {
    g_autofree gchar *place = end_place (self->ends[i]);

    if (end_is_called (self->ends[i], i == 0 ? GST_URI_SRC : GST_URI_SINK))
      g_printerr (NAME "%s: waiting for a caller at %s\n", i == 0 ? "in" : "out", place);
  }
}

/* Once, as arcsrc does by itself: udpsrc has no message of it. */
static void
tell_silence (Transmit * self)
{
  self->silence_told = TRUE;
  g_printerr (NAME "in: no MPEG-TS has come to %s for %u s: start the sender, set its host to this "
      "machine and its port to the one here, and let that UDP port through every firewall "
      "between\n", self->ends[0], PATIENCE_S);
}

static gboolean
on_look (gpointer transmit)
{
  Transmit *self = transmit;
  g_autoptr (GstStructure) count = stats_of (self, "count");
  gint64 now = g_get_monotonic_time ();
  guint64 bytes = 0;

  if (count && gst_structure_get_uint64 (count, "num-bytes", &bytes) && bytes > self->bytes) {
    if (self->bytes == 0) {
      g_printerr (NAME "streaming\n");
      g_clear_pointer (&self->told, g_free);
    }
    self->bytes = bytes;
    self->bytes_at = now;
  }
  if (!self->silence_told && self->bytes == 0 && end_is_udp (self->ends[0])
      && now - self->bytes_at > PATIENCE_S * G_USEC_PER_SEC)
    tell_silence (self);
  if (self->timeout_s > 0 && now - self->bytes_at > self->timeout_s * G_USEC_PER_SEC) {
    g_printerr (NAME "nothing has come for %g s\n", self->timeout_s);
    end_or_again (self, FALSE, EXIT_TIMEOUT);
  }
  return G_SOURCE_CONTINUE;
}

static gboolean
on_stats (gpointer transmit)
{
  Transmit *self = transmit;
  FILE *to = g_str_equal (self->ends[1], "-") ? stderr : stdout;
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();
  g_autofree gchar *time = g_date_time_format_iso8601 (now), *text = NULL;
  g_autoptr (GstStructure) in = stats_of (self, "in"), out = stats_of (self, "out"), line = NULL;

  on_look (self);
  line = gst_structure_new ("stats", "time", G_TYPE_STRING, time, "restarts", G_TYPE_UINT,
      self->restarts, "bytes", G_TYPE_UINT64, self->bytes, NULL);
  if (in)
    gst_structure_set (line, "in", GST_TYPE_STRUCTURE, in, NULL);
  if (out)
    gst_structure_set (line, "out", GST_TYPE_STRUCTURE, out, NULL);
  text = stat_line (line, self->csv ? &self->header : NULL);
  fprintf (to, "%s\n", text);
  fflush (to);
  return G_SOURCE_CONTINUE;
}

static gboolean
on_signal (gpointer transmit)
{
  end_or_again (transmit, FALSE, EXIT_SUCCESS);
  return G_SOURCE_CONTINUE;
}

static void
run (Transmit * self)
{
  gboolean network = end_is_network (self->ends[0]);

  if (!self->encoder)
    self->encoder = g_strdup_printf (ENCODER, (guint) self->bitrate / 1000);
  self->streams = (Streams) {.encoder = self->encoder,.adapt = self->adapt,
    .paced = !network && end_is_network (self->ends[1]) };
  self->once = self->once || !network;
  self->bytes_at = g_get_monotonic_time ();
  self->loop = g_main_loop_new (NULL, FALSE);
  g_unix_signal_add (SIGINT, on_signal, self);
  g_unix_signal_add (SIGTERM, on_signal, self);
  g_timeout_add (LOOK_MS, on_look, self);
  if (self->stats_s > 0)
    g_timeout_add ((guint) (self->stats_s * 1000), on_stats, self);
  g_idle_add (start, self);
  tell_waits (self);
  g_main_loop_run (self->loop);
  if (self->pipeline)
    stop (self);
}

int
main (int argc, char **argv)
{
  Transmit self = {.bitrate = 2000000,.in_properties = "",.out_properties = "" };
  g_autoptr (GError) error = NULL;

  setlocale (LC_ALL, "");
  if (parse (&self, &argc, &argv, &error)) {
    signal (SIGPIPE, SIG_IGN);  /* the reader of stdout may go: that is an error of the output */
    gst_init (NULL, NULL);
  }
  if (error || !end_check (self.ends[0], GST_URI_SRC, &error)
      || !end_check (self.ends[1], GST_URI_SINK, &error)) {
    g_printerr (NAME "%s%s\n", error->message, g_error_matches (error, G_OPTION_ERROR,
            G_OPTION_ERROR_UNKNOWN_OPTION) ? "; see --help" : "");
    return EXIT_USAGE;
  }
  run (&self);
  return self.status;
}
