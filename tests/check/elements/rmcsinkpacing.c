/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Bursts, lists, priority, many sinks. */

#include "rmcsinkfixture.h"
#include "bustext.h"

#include <netinet/in.h>
#include <netinet/udp.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#ifndef UDP_GRO
#define UDP_GRO 104
#endif

#define RTP_BYTES 1000
#define SEND "adapt-encoder=false congestion-control=fixed controller-params=\"params,stop=0.0\" " \
    "max-queue-time=10000000000"

/* The most packets that left together: the receiver gets them uncut. 0: this system does not cut
 * for us. */
static guint
longest_burst (void)
{
  enum { N = 1000 };
  g_autofree guint8 *data = g_malloc (65536);
  guint longest = 0, n, packets = 0;
  GError *error = NULL;
  gssize size;
  Fixture f;

  fixture_init (&f, FALSE, SEND " start-bitrate=400000000 max-bitrate=400000000");
  fail_unless (g_socket_set_option (f.socket, IPPROTO_UDP, UDP_GRO, 1, NULL));
  g_object_set (f.sink, "sync", FALSE, NULL);
  fixture_play (&f);
  push_frame (&f, 0, FALSE, N, RTP_BYTES);
  while (packets < N) {
    fail_unless (g_socket_condition_timed_wait (f.socket, G_IO_IN, 5 * G_TIME_SPAN_SECOND,
            NULL, &error));
    size = g_socket_receive (f.socket, (gchar *) data, 65536, NULL, NULL);
    if (rtcp_is_rtcp (data, (gsize) size))
      continue;
    n = (guint) size / RTP_BYTES;
    fail_unless_equals_int64 (size, n * RTP_BYTES);
    packets += n;
    longest = MAX (longest, n);
  }
  fixture_clear (&f);
  return longest;
}

/* 400 Mbit/s earns five packets in the least time between two samples, and 50 in 1 ms. */
CLAIM (test_no_more_than_a_millisecond_of_the_rate_leaves_together)
{
  guint most = longest_burst ();

  fail_unless (most > 3 && most <= 50, "%u packets together", most);
}

CLAIM (test_lists_leave_as_their_buffers_would)
{
  enum { N = 200 };             /* more than are taken in one go */
  GstBufferList *list = gst_buffer_list_new ();
  guint16 i, seq = 0;
  AT_END (fixture_clear) Fixture f;
  Datagram d;

  for (i = 0; i < N; i++) {
    gst_buffer_list_add (list, rtp_new (SSRC, seq++, 0, FALSE, 100 + i));
    if (i % 50 == 0)
      /* No RTP: only this is left out. */
      gst_buffer_list_add (list, gst_buffer_new_allocate (NULL, 5, NULL));
  }
  fixture_init (&f, FALSE, SEND " sync=false start-bitrate=20000000 max-queue-time=10000000");
  fixture_play (&f);
  fail_unless_equals_int (gst_pad_push_list (f.src, list), GST_FLOW_OK);
  for (i = 0; i < N; i++) {
    fail_unless (receive_rtp (&f, &d, PATIENCE));
    fail_unless_equals_int (d.seq, i);
    fail_unless_equals_int64 (d.size, 100 + i);
  }
  fail_unless_equals_uint64 (stat_of (&f, "non-rtp-buffers"), N / 50);
}

/* It need not wait for another one. */
CLAIM (test_what_is_due_leaves_by_the_thread_that_brings_it)
{
  AT_END (fixture_clear) Fixture f;
  Datagram d;

  fixture_init (&f, TRUE, SEND " sync=false start-bitrate=8000000 max-bitrate=8000000");
  fixture_play (&f);
  for (guint i = 0; i < 50; i++) {
    g_usleep (5000);            /* the last one is paid for */
    push_frame (&f, i, FALSE, 1, RTP_BYTES);
    fail_unless (receive (&f, &d, i == 0 ? PATIENCE : 0), "%u", i);
    fail_unless_equals_int (d.seq, i);
  }
}

CLAIM (test_a_hundred_sinks_are_served_by_few_threads)
{
  enum { N = 100 };
  Fixture *f = g_new0 (Fixture, N);
  guint threads;
  Datagram d;

  for (guint i = 0; i < N; i++) {
    fixture_init (&f[i], TRUE, SEND);
    fixture_play (&f[i]);
    push_frame (&f[i], i, FALSE, 3, 200);
  }
  for (guint i = 0; i < N; i++)
    for (guint k = 0; k < 3; k++) {
      fail_unless (receive_rtp (&f[i], &d, PATIENCE));
      fail_unless_equals_int (d.seq, k);
      fail_unless_equals_int (d.timestamp, i);
    }
  threads = count_threads ("rmc-pacing");
  fail_unless (threads >= 1 && threads <= MIN (g_get_num_processors (), 2), "%u", threads);
  for (guint i = 0; i < N; i++)
    fixture_clear (&f[i]);
  fail_unless (comes_to_threads ("rmc-pacing", 0));
  g_free (f);
}

/* Without the right to it, which root always has. */
CLAIM (test_priority_that_is_not_permitted_is_one_clear_warning)
{
  const struct rlimit none = { 0, 0 };
  gboolean root = geteuid () == 0;
  AT_END (fixture_clear) Fixture f;
  Datagram d;

  fail_unless (setrlimit (RLIMIT_RTPRIO, &none) == 0);
  fixture_init (&f, TRUE, SEND " pacing-priority=10");
  fail_if (root && seteuid (65534) != 0);
  fixture_play (&f);
  fail_if (root && seteuid (0) != 0);
  bus_says (f.bus, PATIENCE, GST_MESSAGE_WARNING, "ulimit -r");
  fail_unless (gst_bus_pop_filtered (f.bus, GST_MESSAGE_WARNING) == NULL);
  push_frame (&f, 0, FALSE, 1, 200);
  fail_unless (receive_rtp (&f, &d, PATIENCE));
}

/* What the rate earns within the memory of the pacer, a quarter of a second, is less than one of
 * these packets wants. */
CLAIM (test_packets_leave_whatever_they_cost_at_the_rate)
{
  static const struct { const gchar *properties; guint rtp_bytes, packets; } rows[] = {
    {"controller-params=\"params,stop=0.0,pacing_gain=0.05\"", 1200, 10},
    {"start-bitrate=1000000", 30000, 3},
    {"start-bitrate=100000", 9000, 2},
    {"start-bitrate=30000 min-bitrate=30000", 1200, 2},
  };
  guint i, k;

  for (i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_autofree gchar *line = g_strdup_printf (SEND " sync=false %s", rows[i].properties);
    AT_END (fixture_clear) Fixture f;
    Datagram d;

    fixture_init (&f, FALSE, line);
    fixture_play (&f);
    push_frame (&f, 0, FALSE, rows[i].packets, rows[i].rtp_bytes);
    for (k = 0; k < rows[i].packets; k++) {
      fail_unless (receive_rtp (&f, &d, PATIENCE), "%s: packet %u does not leave",
          rows[i].properties, k);
      fail_unless_equals_int (d.seq, k);
    }
  }
}
