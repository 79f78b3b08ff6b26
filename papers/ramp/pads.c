/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* ramp-pads [ELEMENT]...: what a packet costs in the element itself (rampscheduler, and
 * rtpfunnel to compare with), and how that grows with its pads. The same packets a second, in
 * real time, go over 1, 10 and 200 pads in turn; all CPU time of the process counts, that of
 * making packets and of fakesink included. */
#include <gst/gst.h>

#include <stdlib.h>
#include <time.h>

#define PACKETS_PER_S 4000      /* 40 Mbit/s */
#define TICK_US 5000
#define WARM_UP_S 2             /* needs are learned, targets are told */
#define SECONDS 5
#define RTP_BYTES 1200
#define MAX_PADS 200

typedef struct
{
  GstElement *pipeline, *joiner;
  GstPad *sources[MAX_PADS];
  guint n;
  guint8 head[12];
} Bench;

static gdouble
cpu_s (void)
{
  struct timespec t;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &t);
  return (gdouble) t.tv_sec + (gdouble) t.tv_nsec * 1e-9;
}

static void
add_source (Bench * bench, guint i)
{
  GstPad *sink = gst_element_request_pad_simple (bench->joiner, "sink_%u");
  GstSegment segment;

  bench->sources[i] = gst_pad_new (NULL, GST_PAD_SRC);
  gst_pad_set_active (bench->sources[i], TRUE);
  gst_pad_link (bench->sources[i], sink);
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_push_event (bench->sources[i], gst_event_new_stream_start ("bench"));
  gst_pad_push_event (bench->sources[i],
      gst_event_new_caps (gst_caps_new_simple ("application/x-rtp", "media",
              G_TYPE_STRING, i % 2 ? "video" : "audio", NULL)));
  gst_pad_push_event (bench->sources[i], gst_event_new_segment (&segment));
  gst_object_unref (sink);
}

static void
bench_start (Bench * bench, const gchar * element, guint n)
{
  gchar *line = g_strdup_printf ("%s name=j ! fakesink sync=false async=false", element);

  *bench = (Bench) { .pipeline = gst_parse_launch (line, NULL), .n = n, .head = { 0x80, 96 } };
  g_free (line);
  bench->joiner = gst_bin_get_by_name (GST_BIN (bench->pipeline), "j");
  gst_element_set_state (bench->pipeline, GST_STATE_PLAYING);
  for (guint i = 0; i < n; i++)
    add_source (bench, i);
}

static void
bench_stop (Bench * bench)
{
  gst_element_set_state (bench->pipeline, GST_STATE_NULL);
  for (guint i = 0; i < bench->n; i++)
    gst_object_unref (bench->sources[i]);
  gst_object_unref (bench->joiner);
  gst_object_unref (bench->pipeline);
}

static void
send_packet (Bench * bench, guint k)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, RTP_BYTES, NULL);
  guint i = k % bench->n;

  GST_WRITE_UINT16_BE (bench->head + 2, k / bench->n);
  GST_WRITE_UINT32_BE (bench->head + 4, k);
  GST_WRITE_UINT32_BE (bench->head + 8, i);
  gst_buffer_fill (buffer, 0, bench->head, sizeof bench->head);
  gst_pad_push (bench->sources[i], buffer);
}

static void
send_until (Bench * bench, gint64 begin, guint * k, guint end)
{
  while (*k < end) {
    gint64 us = g_get_monotonic_time () - begin;

    for (; *k < us * PACKETS_PER_S / G_USEC_PER_SEC; ++*k)
      send_packet (bench, *k);
    g_usleep (TICK_US);
  }
}

/* In us of CPU a packet. */
static gdouble
measure (const gchar * element, guint n)
{
  gint64 begin = g_get_monotonic_time ();
  guint k = 0, first;
  gdouble used;
  Bench bench;

  bench_start (&bench, element, n);
  send_until (&bench, begin, &k, PACKETS_PER_S * WARM_UP_S);
  first = k;
  used = cpu_s ();
  send_until (&bench, begin, &k, PACKETS_PER_S * (WARM_UP_S + SECONDS));
  used = cpu_s () - used;
  bench_stop (&bench);
  return used / (k - first) * 1e6;
}

int
main (int argc, char **argv)
{
  static const guint pads[] = { 1, 10, MAX_PADS };

  gst_init (&argc, &argv);
  g_print ("element");
  for (guint i = 0; i < G_N_ELEMENTS (pads); i++)
    g_print (" us_with_%u_pads", pads[i]);
  for (int a = 1; a < argc; a++) {
    g_print ("\n%s", argv[a]);
    for (guint i = 0; i < G_N_ELEMENTS (pads); i++)
      g_print (" %.1f", measure (argv[a], pads[i]));
  }
  g_print ("\n");
  return argc > 1 ? EXIT_SUCCESS : 2;
}
