/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Many streams in one process, as a server has them; eval/soak/thousand runs one of each kind.
 *
 *   crowd send COUNT PORT       COUNT rmcsinks of 50 kbit/s to ports from PORT on; one thread feeds
 *   crowd receive COUNT PORT    COUNT arcsrcs on ports from PORT on
 *
 * Packets carry the time at which they were pushed. A line of the standard input asks for the
 * figures since the last one: a line of JSON. It ends at the end of the input. */
#include <gst/gst.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define HEADER_BYTES 12
#define PACKET_BYTES 586        /* 614 on the network: 50 kbit/s at 10 a second */
#define INTERVAL (100 * GST_MSECOND)
#define TICK (5 * GST_MSECOND)
#define CAPS "application/x-rtp,media=video,encoding-name=X-TEST,payload=96,clock-rate=90000"
#define SINK \
    "rmcsink adapt-encoder=false sync=false async=false start-bitrate=60000 min-bitrate=20000 " \
    "max-bitrate=100000 host=127.0.0.1 port=%u"
#define STEP_US 100
#define STEPS 100000            /* of delay: 10 s */

typedef struct
{
  GstElement *element;
  GstPad *pad;                  /* of the feeder */
  guint16 sequence;
  guint32 ssrc;
} Stream;

static Stream *streams;
static guint n_streams, first_port;
static gint running = 1;        /* atomic */
static GMutex lock;             /* of what follows */
static guint32 delays[STEPS + 1];
static guint64 packets;

/* --- sending --- */

static gboolean
on_query (GstPad * pad, GstObject * parent, GstQuery * query)
{
  if (GST_QUERY_TYPE (query) != GST_QUERY_LATENCY)
    return gst_pad_query_default (pad, parent, query);
  gst_query_set_latency (query, TRUE, 0, GST_CLOCK_TIME_NONE);  /* live: a full queue drops */
  return TRUE;
}

static void
sender_init (Stream * self, guint number)
{
  gchar *line = g_strdup_printf (SINK, first_port + number);
  GstCaps *caps = gst_caps_from_string (CAPS);
  GError *error = NULL;
  GstSegment segment;
  GstClock *clock = gst_system_clock_obtain ();
  GstPad *peer;

  self->element = gst_parse_launch_full (line, NULL, GST_PARSE_FLAG_FATAL_ERRORS, &error);
  if (self->element == NULL)
    g_error ("%s", error->message);
  gst_object_ref_sink (self->element);
  self->ssrc = number + 1;
  self->pad = gst_pad_new ("src", GST_PAD_SRC);
  gst_pad_set_query_function (self->pad, on_query);
  peer = gst_element_get_static_pad (self->element, "sink");
  gst_pad_link (self->pad, peer);
  gst_object_unref (peer);
  gst_element_set_clock (self->element, clock);
  gst_element_set_base_time (self->element, gst_clock_get_time (clock));
  gst_pad_set_active (self->pad, TRUE);
  gst_element_set_state (self->element, GST_STATE_PLAYING);
  gst_pad_push_event (self->pad, gst_event_new_stream_start ("crowd"));
  gst_pad_push_event (self->pad, gst_event_new_caps (caps));
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_push_event (self->pad, gst_event_new_segment (&segment));
  gst_caps_unref (caps);
  gst_object_unref (clock);
  g_free (line);
}

static void
push_packet (Stream * self, guint64 number)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, PACKET_BYTES, NULL);
  gint64 now_us = g_get_monotonic_time ();
  GstMapInfo map;

  gst_buffer_map (buffer, &map, GST_MAP_WRITE);
  memset (map.data, 0, map.size);
  GST_WRITE_UINT16_BE (map.data, 0x80e0);       /* a frame each: the marker */
  GST_WRITE_UINT16_BE (map.data + 2, self->sequence++);
  GST_WRITE_UINT32_BE (map.data + 4, (guint32) (number * 9000));
  GST_WRITE_UINT32_BE (map.data + 8, self->ssrc);
  memcpy (map.data + HEADER_BYTES, &now_us, sizeof now_us);
  gst_buffer_unmap (buffer, &map);
  gst_pad_push (self->pad, buffer);
}

/* Streams are spread over the interval, as independent sources would be. */
static gpointer
feed (gpointer user_data)
{
  const gint64 begin_us = g_get_monotonic_time (), interval_us = INTERVAL / GST_USECOND;
  guint64 pushed = 0;

  while (g_atomic_int_get (&running)) {
    guint64 due = (guint64) ((g_get_monotonic_time () - begin_us) * n_streams / interval_us);

    for (; pushed < due; pushed++)
      push_packet (&streams[pushed % n_streams], pushed / n_streams);
    g_mutex_lock (&lock);
    packets = pushed;
    g_mutex_unlock (&lock);
    g_usleep (TICK / GST_USECOND);
  }
  return NULL;
}

/* --- receiving --- */

static GstPadProbeReturn
on_packet (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  gint64 sent_us, step;

  if (gst_buffer_extract (GST_PAD_PROBE_INFO_BUFFER (info), HEADER_BYTES, &sent_us,
          sizeof sent_us) < sizeof sent_us)
    return GST_PAD_PROBE_OK;
  step = (g_get_monotonic_time () - sent_us) / STEP_US;
  g_mutex_lock (&lock);
  packets++;
  delays[CLAMP (step, 0, STEPS)]++;
  g_mutex_unlock (&lock);
  return GST_PAD_PROBE_OK;
}

static void
receiver_init (Stream * self, guint number)
{
  gchar *line = g_strdup_printf ("arcsrc name=source address=127.0.0.1 port=%u caps=" CAPS
      " ! fakesink sync=false async=false", first_port + number);
  GstElement *source;
  GstPad *pad;

  self->element = gst_parse_launch (line, NULL);
  source = gst_bin_get_by_name (GST_BIN (self->element), "source");
  pad = gst_element_get_static_pad (source, "src");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, on_packet, NULL, NULL);
  if (gst_element_set_state (self->element, GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE)
    g_error ("port %u is taken, or descriptors are used up", first_port + number);
  gst_object_unref (pad);
  gst_object_unref (source);
  g_free (line);
}

/* --- figures --- */

static gdouble
delay_ms (guint64 count, gdouble ratio)
{
  guint64 seen = 0;
  guint step;

  for (step = 0; step < STEPS; step++)
    if ((seen += delays[step]) > ratio * count)
      break;
  return step * STEP_US / 1000.0;
}

static void
print_figures (void)
{
  guint64 count = 0;
  guint i;

  g_mutex_lock (&lock);
  for (i = 0; i <= STEPS; i++)
    count += delays[i];
  printf ("{\"packets\": %" G_GUINT64_FORMAT ", \"p50_ms\": %.1f, \"p99_ms\": %.1f, "
      "\"p999_ms\": %.1f}\n", packets, delay_ms (count, 0.5), delay_ms (count, 0.99),
      delay_ms (count, 0.999));
  memset (delays, 0, sizeof delays);
  g_mutex_unlock (&lock);
  fflush (stdout);
}

/* Each stream has some descriptors; the usual limit of 1024 is for programs that use select(). */
static void
raise_limit (void)
{
  struct rlimit limit;

  getrlimit (RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit (RLIMIT_NOFILE, &limit);
}

int
main (int argc, char **argv)
{
  gboolean sends;
  GThread *feeder = NULL;
  char line[16];
  guint i;

  gst_init (&argc, &argv);
  if (argc != 4)
    return 2;
  raise_limit ();
  sends = g_str_equal (argv[1], "send");
  n_streams = (guint) atoi (argv[2]);
  first_port = (guint) atoi (argv[3]);
  streams = g_new0 (Stream, n_streams);
  for (i = 0; i < n_streams; i++)
    (sends ? sender_init : receiver_init) (&streams[i], i);
  if (sends)
    feeder = g_thread_new ("feeder", feed, NULL);
  print_figures ();
  while (fgets (line, sizeof line, stdin))
    print_figures ();
  g_atomic_int_set (&running, 0);
  if (feeder)
    g_thread_join (feeder);
  for (i = 0; i < n_streams; i++) {
    gst_element_set_state (streams[i].element, GST_STATE_NULL);
    gst_clear_object (&streams[i].pad);
    gst_object_unref (streams[i].element);
  }
  g_free (streams);
  return 0;
}
