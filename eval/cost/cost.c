/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What a sink costs: feeds N sinks of one kind from one thread with RTP packets of 1500 bytes on
 * the network (or --bytes), and prints one line of JSON with the CPU time of the process, its
 * threads, its memory, and the rate errors seen by the receiver. eval/cost/run calls it. All feeds
 * take their buffers from one pool and write the same header.
 *
 *   packet    one sink, one buffer a push, time stamps at the rate: the sink makes the feeder wait
 *   list      one sink, a buffer list a frame as payloaders push, 60 frames a second (or --fps)
 *   schedule  N sinks: each millisecond the feeder pushes to each what is due, plus `lead`
 */
#include "costreceiver.h"

#include <dirent.h>
#include <gst/gst.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#define HEADER_BYTES 28         /* UDP and IP */
#define TICK (1 * GST_MSECOND)
#define START_DELAY (200 * GST_MSECOND) /* until the first time stamp is due */
#define CAPS "application/x-rtp, media=video, encoding-name=X-TEST, payload=96, clock-rate=90000"

static const gchar *sink_name = "rmcsink", *sink_properties = "", *feed_name = "packet";
static gdouble rate_bps = 1e8, seconds = 5, skip_s;
static gint n_sinks = 1, lead_ms, network_bytes = 1500, fps = 60, to_port, peer_pid;
static gboolean drain;

static GOptionEntry options[] = {
  {"sink", 0, 0, G_OPTION_ARG_STRING, &sink_name,
        "rmcsink, udpsink, rtpbin or srtpenc (and udpsink), srtsink or fakesink", "NAME"},
  {"properties", 0, 0, G_OPTION_ARG_STRING, &sink_properties, "as in a launch line", "TEXT"},
  {"feed", 0, 0, G_OPTION_ARG_STRING, &feed_name, "packet, list or schedule", "NAME"},
  {"rate", 0, 0, G_OPTION_ARG_DOUBLE, &rate_bps, "of each sink, bit/s with headers", "BPS"},
  {"seconds", 0, 0, G_OPTION_ARG_DOUBLE, &seconds, "of media", "S"},
  {"skip", 0, 0, G_OPTION_ARG_DOUBLE, &skip_s, "list: count from then on", "S"},
  {"peer", 0, 0, G_OPTION_ARG_INT, &peer_pid, "count what this process takes, too", "PID"},
  {"sinks", 0, 0, G_OPTION_ARG_INT, &n_sinks, "how many", "N"},
  {"lead", 0, 0, G_OPTION_ARG_INT, &lead_ms, "schedule: media that waits in the sink", "MS"},
  {"bytes", 0, 0, G_OPTION_ARG_INT, &network_bytes, "of a packet on the network", "N"},
  {"fps", 0, 0, G_OPTION_ARG_INT, &fps, "list: frames a second", "N"},
  {"port", 0, 0, G_OPTION_ARG_INT, &to_port, "of a receiver that runs already", "N"},
  {"drain", 0, 0, G_OPTION_ARG_NONE, &drain, "have the receiver read, and measure rates", NULL},
  {NULL}
};

typedef struct
{
  GstElement *element;
  GstPad *pad;
  guint32 ssrc;
  guint64 n;                    /* packets pushed */
} Feed;

static GstBufferPool *pool;
static Feed *feeds;
static gboolean has_address;    /* fakesink has none */

/* --- sinks --- */

/* `line` has an element `first`, of whose pads of this name the bin shows one. */
static GstElement *
bin_new (const gchar * line, const gchar * pad_name)
{
  GstElement *bin = gst_parse_bin_from_description (line, FALSE, NULL), *first;
  GstPad *pad;

  g_assert (bin != NULL);
  first = gst_bin_get_by_name (GST_BIN (bin), "first");
  pad = gst_element_request_pad_simple (first, pad_name);
  gst_element_add_pad (bin, gst_ghost_pad_new ("sink", pad));
  gst_object_unref (pad);
  gst_object_unref (first);
  return gst_object_ref_sink (bin);
}

/* The properties are those of srtpenc or rtpbin. RTCP of rtpbin goes out as well. */
static GstElement *
stock_new (const gchar * address, guint port)
{
  gboolean srtp = g_str_equal (sink_name, "srtpenc");
  g_autofree gchar *line = srtp
      ? g_strdup_printf ("srtpenc name=first %s ! udpsink sync=true %s", sink_properties, address)
      : g_strdup_printf ("rtpbin name=first %s first.send_rtp_src_0 ! udpsink sync=true %s "
      "first.send_rtcp_src_0 ! udpsink sync=false async=false host=127.0.0.1 port=%u",
      sink_properties, address, port + 1);

  return bin_new (line, srtp ? "rtp_sink_0" : "send_rtp_sink_0");
}

static GstElement *
sink_new (guint port)
{
  gboolean srt = g_str_equal (sink_name, "srtsink");
  gboolean stock = g_str_equal (sink_name, "srtpenc") || g_str_equal (sink_name, "rtpbin");
  g_autofree gchar *address = !has_address ? g_strdup ("")
      : srt ? g_strdup_printf ("uri=srt://127.0.0.1:%u", port)
      : g_strdup_printf ("host=127.0.0.1 port=%u", port);
  g_autofree gchar *line = g_strdup_printf ("%s %s %s", sink_name, address, sink_properties);
  GError *error = NULL;
  GstElement *element = stock ? stock_new (address, port)
      : gst_parse_launch_full (line, NULL, GST_PARSE_FLAG_FATAL_ERRORS, &error);

  if (!element)
    g_error ("%s: %s", line, error->message);
  return gst_object_ref_sink (element);
}

static void
feed_init (Feed * self, guint32 ssrc, guint port, GstClock * clock, GstClockTime base_time)
{
  GstPad *peer;
  GstCaps *caps = gst_caps_from_string (CAPS);
  GstSegment segment;

  self->element = sink_new (port);
  self->ssrc = ssrc;
  self->pad = gst_pad_new ("src", GST_PAD_SRC);
  peer = gst_element_get_static_pad (self->element, "sink");
  g_assert (gst_pad_link (self->pad, peer) == GST_PAD_LINK_OK);
  gst_object_unref (peer);
  gst_element_set_clock (self->element, clock);
  gst_element_set_base_time (self->element, base_time);
  g_assert (gst_element_set_state (self->element, GST_STATE_PLAYING) != GST_STATE_CHANGE_FAILURE);
  gst_pad_set_active (self->pad, TRUE);
  gst_pad_push_event (self->pad, gst_event_new_stream_start ("bench"));
  gst_pad_push_event (self->pad, gst_event_new_caps (caps));
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_push_event (self->pad, gst_event_new_segment (&segment));
  gst_caps_unref (caps);
}

/* --- packets --- */

static GstBufferPool *
pool_new (void)
{
  GstBufferPool *self = gst_buffer_pool_new ();
  GstStructure *config = gst_buffer_pool_get_config (self);

  gst_buffer_pool_config_set_params (config, NULL, network_bytes - HEADER_BYTES, 0, 0);
  gst_buffer_pool_set_config (self, config);
  gst_buffer_pool_set_active (self, TRUE);
  return self;
}

static GstClockTime
packet_time (guint64 n)
{
  return (GstClockTime) ((gdouble) n * network_bytes * 8e9 / rate_bps);
}

static guint64
packets_in (GstClockTime span)
{
  return (guint64) ((gdouble) span * rate_bps / (network_bytes * 8e9));
}

static GstBuffer *
next_packet (Feed * self, GstClockTime pts, guint64 frame)
{
  GstBuffer *buffer;
  GstMapInfo map;

  gst_buffer_pool_acquire_buffer (pool, &buffer, NULL);
  gst_buffer_map (buffer, &map, GST_MAP_WRITE);
  GST_WRITE_UINT16_BE (map.data, 0x8060);
  GST_WRITE_UINT16_BE (map.data + 2, self->n & 0xffff);
  GST_WRITE_UINT32_BE (map.data + 4, (guint32) (frame * 90000 / fps));
  GST_WRITE_UINT32_BE (map.data + 8, self->ssrc);
  gst_buffer_unmap (buffer, &map);
  GST_BUFFER_PTS (buffer) = pts;
  self->n++;
  return buffer;
}

static void
push_packet (Feed * self, GstClockTime pts)
{
  guint64 frame = pts * fps / GST_SECOND;

  g_assert (gst_pad_push (self->pad, next_packet (self, pts, frame)) == GST_FLOW_OK);
}

/* --- what the process has used --- */

static gdouble
cpu_s (void)
{
  struct rusage u;

  getrusage (RUSAGE_SELF, &u);
  return u.ru_utime.tv_sec + u.ru_stime.tv_sec + (u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1e-6;
}

static glong
context_switches (void)
{
  struct rusage u;

  getrusage (RUSAGE_SELF, &u);
  return u.ru_nvcsw + u.ru_nivcsw;
}

/* Of all its threads that are or were. */
static gdouble
peer_s (void)
{
  struct timespec t = { 0 };

  if (peer_pid > 0)
    clock_gettime ((clockid_t) (~(guint) peer_pid << 3 | 2), &t);
  return t.tv_sec + t.tv_nsec * 1e-9;
}

typedef struct
{
  gdouble cpu_s, peer_s, wall_s;
  guint64 packets;
  glong switches;
} Use;

/* When what counts began. */
static Use begun;

static Use
use_now (void)
{
  Use use = { cpu_s (), peer_s (), (gdouble) g_get_monotonic_time () * 1e-6, 0,
    context_switches ()
  };

  for (gint i = 0; i < n_sinks; i++)
    use.packets += feeds[i].n;
  return use;
}

static void
feed_packets (guint64 n)
{
  while (feeds->n < n)
    push_packet (feeds, START_DELAY + packet_time (feeds->n));
}

static void
feed_lists (guint64 n)
{
  guint64 frame = 0;

  while (feeds->n < n) {
    GstClockTime pts = frame * GST_SECOND / fps;
    guint64 end = MIN (n, packets_in (pts + GST_SECOND / fps));
    GstBufferList *list = gst_buffer_list_new_sized ((guint) (end - feeds->n + 1));

    if (skip_s > 0 && begun.packets == 0 && pts >= skip_s * GST_SECOND)
      begun = use_now ();
    while (feeds->n < end)
      gst_buffer_list_add (list, next_packet (feeds, START_DELAY + pts, frame));
    g_assert (gst_pad_push_list (feeds->pad, list) == GST_FLOW_OK);
    frame++;
  }
}

/* Sinks start spread over the interval of one packet, as independent sources would. */
static void
feed_by_schedule (GstClock * clock, GstClockTime base_time)
{
  GstClockTime end = (GstClockTime) (seconds * GST_SECOND), lead = lead_ms * GST_MSECOND, now, tick;
  GstClockTime interval = packet_time (1);
  gint i;

  for (tick = 0; tick < end; tick += TICK) {
    GstClockID id = gst_clock_new_single_shot_id (clock, base_time + tick);

    gst_clock_id_wait (id, NULL);
    gst_clock_id_unref (id);
    now = gst_clock_get_time (clock) - base_time;
    for (i = 0; i < n_sinks; i++)
      while (packet_time (feeds[i].n) + interval * i / n_sinks <= now + lead)
        push_packet (&feeds[i], 0);
  }
}

/* --- the process --- */

static guint
threads (void)
{
  GDir *dir = g_dir_open ("/proc/self/task", 0, NULL);
  guint n = 0;

  while (g_dir_read_name (dir))
    n++;
  g_dir_close (dir);
  return n;
}

static gdouble
rss_kib (void)
{
  gchar *text;
  gulong size, resident;

  g_assert (g_file_get_contents ("/proc/self/statm", &text, NULL, NULL));
  g_assert (sscanf (text, "%lu %lu", &size, &resident) == 2);
  g_free (text);
  return resident * (sysconf (_SC_PAGESIZE) / 1024.0);
}

typedef struct
{
  Use use;
  gdouble idle_kib, running_kib;
  guint threads;
} Usage;

static void
run_feed (GstClock * clock, GstClockTime base_time)
{
  guint64 n = packets_in ((GstClockTime) (seconds * GST_SECOND));

  if (g_str_equal (feed_name, "schedule")) {
    feed_by_schedule (clock, base_time);
    return;
  }
  if (g_str_equal (feed_name, "list"))
    feed_lists (n);
  else
    feed_packets (n);
}

static Usage
measure (guint port)
{
  GstClock *clock = gst_system_clock_obtain ();
  GstClockTime base_time;
  Usage usage = { 0 };
  gdouble before_kib;
  gint i, grown;

  pool = pool_new ();
  feeds = g_new0 (Feed, n_sinks);
  before_kib = rss_kib ();
  base_time = gst_clock_get_time (clock) + n_sinks * 500 * GST_USECOND;
  /* The first one loads what all use: some 4 MiB. */
  feed_init (feeds, 0, port, clock, base_time);
  if (n_sinks > 1)
    before_kib = rss_kib ();
  grown = MAX (n_sinks - 1, 1);
  for (i = 1; i < n_sinks; i++)
    feed_init (&feeds[i], (guint32) i, port, clock, base_time);
  usage.idle_kib = (rss_kib () - before_kib) / grown;
  begun = use_now ();
  run_feed (clock, base_time);
  usage.threads = threads ();
  usage.running_kib = (rss_kib () - before_kib) / grown;
  if (n_sinks == 1)
    gst_pad_push_event (feeds->pad, gst_event_new_eos ());      /* returns when all has left */
  usage.use = use_now ();
  usage.use.cpu_s -= begun.cpu_s;
  usage.use.peer_s -= begun.peer_s;
  usage.use.wall_s -= begun.wall_s;
  usage.use.packets -= begun.packets;
  usage.use.switches -= begun.switches;
  for (i = 0; i < n_sinks; i++)
    gst_element_set_state (feeds[i].element, GST_STATE_NULL);
  gst_object_unref (clock);
  return usage;
}

int
main (int argc, char **argv)
{
  GOptionContext *context = g_option_context_new (NULL);
  struct rlimit files;
  Receiver receiver;
  RateErrors errors;
  GError *error = NULL;
  Usage usage;
  Use use;

  g_option_context_add_main_entries (context, options, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error))
    g_error ("%s", error->message);
  g_option_context_free (context);
  getrlimit (RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  setrlimit (RLIMIT_NOFILE, &files);
  receiver_start (&receiver, drain, (guint) n_sinks, rate_bps);
  gst_init (NULL, NULL);
  has_address = !g_str_equal (sink_name, "fakesink");
  usage = measure (to_port > 0 ? (guint) to_port : receiver.port);
  errors = receiver_stop (&receiver);
  use = usage.use;
  printf ("{\"sink\": \"%s\", \"feed\": \"%s\", \"rate_bps\": %.0f, \"sinks\": %d, \"packets\": %"
      G_GUINT64_FORMAT
      ", \"cpu_s\": %.6f, \"peer_s\": %.6f, \"wall_s\": %.6f, \"ns_per_packet\": %.1f, "
      "\"switches_per_packet\": %.4f, \"threads\": %u, \"idle_kib_per_sink\": %.1f, "
      "\"running_kib_per_sink\": %.1f, \"error_max_ratio\": %.6f, "
      "\"error_mean_ratio\": %.6f, \"flows_seen\": %u}\n",
      sink_name, feed_name, rate_bps, n_sinks, use.packets, use.cpu_s, use.peer_s, use.wall_s,
      use.cpu_s * 1e9 / use.packets, (gdouble) use.switches / use.packets, usage.threads,
      usage.idle_kib, usage.running_kib, errors.max_ratio, errors.mean_ratio, errors.flows);
  return 0;
}
