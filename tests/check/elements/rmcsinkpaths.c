/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* rmcsink with several paths to one arcsrc, on loopback addresses. */

#include "pathsfixture.h"

#include <stdio.h>

CLAIM_ON (test_both_paths_carry_and_each_packet_comes_once, WORLD)
{
  start_receiver (w, "");
  start_sender (w, "paths=127.0.0.2,127.0.0.3");
  await (is_carrying (w, "127.0.0.2") && is_carrying (w, "127.0.0.3"));
  count_anew (w);
  await (packets_of (w, "127.0.0.2") > 300 && packets_of (w, "127.0.0.3") > 300);
  await_packets (w, 100);
  fail_unless_equals_int (w->doubles, 0);
  fail_unless_equals_int (w->strange, 0);
  fail_unless (missing (w) <= 20, "%u packets missing", missing (w));
}

CLAIM_ON (test_duplicate_sends_each_packet_twice_and_it_comes_once, WORLD)
{
  start_receiver (w, "");
  start_sender (w, "paths=127.0.0.2,127.0.0.3 path-mode=duplicate");
  await (is_carrying (w, "127.0.0.2") && is_carrying (w, "127.0.0.3"));
  await_packets (w, 500);
  fail_unless_equals_int (w->doubles, 0);
  fail_unless (packets_of (w, "127.0.0.2") > 400 && packets_of (w, "127.0.0.3") > 400);
}

CLAIM_ON (test_path_is_taken_away_and_added_while_playing, WORLD)
{
  guint before;

  start_receiver (w, "");
  start_sender (w, "paths=127.0.0.2,127.0.0.3");
  await (is_carrying (w, "127.0.0.2") && is_carrying (w, "127.0.0.3"));
  count_anew (w);
  await_packets (w, 100);
  g_object_set (w->sink, "paths", "127.0.0.3", NULL);
  await (packets_of (w, "127.0.0.2") == 0);
  before = missing (w);
  await_packets (w, 300);
  fail_unless (missing (w) <= before + 20, "%u packets missing", missing (w) - before);
  g_object_set (w->sink, "paths", "127.0.0.3, 127.0.0.4", NULL);
  await (is_carrying (w, "127.0.0.4"));
  fail_unless_equals_int (w->doubles, 0);
}

CLAIM_ON (test_receiver_that_starts_again_is_found_by_all_paths, WORLD)
{
  start_receiver (w, "");
  start_sender (w, "paths=127.0.0.2,127.0.0.3");
  await (is_carrying (w, "127.0.0.2") && is_carrying (w, "127.0.0.3"));
  stop (&w->receiver, &w->src);
  g_clear_object (&w->out);
  g_usleep (300000);
  start_receiver (w, "");
  await_packets (w, 300);
  await (is_carrying (w, "127.0.0.2") && is_carrying (w, "127.0.0.3"));
}

static gint seq_offset;

static gboolean
renumber (GstBuffer ** buffer, guint i, gpointer user_data)
{
  GstMapInfo map;

  *buffer = gst_buffer_make_writable (*buffer);
  if (gst_buffer_map (*buffer, &map, GST_MAP_READWRITE)) {
    GST_WRITE_UINT16_BE (map.data + 2,
        GST_READ_UINT16_BE (map.data + 2) + g_atomic_int_get (&seq_offset));
    gst_buffer_unmap (*buffer, &map);
  }
  return TRUE;
}

static GstPadProbeReturn
on_pushed (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  if (GST_IS_BUFFER_LIST (info->data)) {
    info->data = gst_buffer_list_make_writable (info->data);
    gst_buffer_list_foreach (info->data, renumber, NULL);
  } else {
    GstBuffer *buffer = info->data;

    renumber (&buffer, 0, NULL);
    info->data = buffer;
  }
  return GST_PAD_PROBE_OK;
}

static guint64
packets_of_both (World * w)
{
  return packets_of (w, "127.0.0.2") + packets_of (w, "127.0.0.3");
}

/* Its numbers are not those of packets that are asked for again, which leave by both paths. */
CLAIM_ON (test_source_that_begins_anew_leaves_once, WORLD)
{
  GstPad *pad;
  guint64 left;
  guint before;

  g_atomic_int_set (&seq_offset, 0);
  start_receiver (w, "");
  start_sender (w, "paths=127.0.0.2,127.0.0.3 renumber=false");
  pad = gst_element_get_static_pad (w->sink, "sink");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_BUFFER_LIST, on_pushed,
      NULL, NULL);
  gst_object_unref (pad);
  await (is_carrying (w, "127.0.0.2") && is_carrying (w, "127.0.0.3"));
  await_packets (w, 100);
  g_atomic_int_set (&seq_offset, -5000);
  await_packets (w, 50);
  before = came (w);
  left = packets_of_both (w);
  await_packets (w, 300);
  left = packets_of_both (w) - left;
  fail_unless (left < (came (w) - before) * 3 / 2, "%u packets left, %u came", (guint) left,
      came (w) - before);
}

CLAIM_ON (test_receiver_that_is_not_arcsrc_gets_one_path_and_plain_packets, WORLD)
{
  GSocket *socket = g_socket_new (G_SOCKET_FAMILY_IPV4, G_SOCKET_TYPE_DATAGRAM,
      G_SOCKET_PROTOCOL_UDP, NULL);
  GInetAddress *any = g_inet_address_new_loopback (G_SOCKET_FAMILY_IPV4);
  GSocketAddress *address = g_inet_socket_address_new (any, 0), *bound, *from = NULL, *begun = NULL;
  guint8 data[2048];

  g_socket_bind (socket, address, FALSE, NULL);
  bound = g_socket_get_local_address (socket, NULL);
  w->port = g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (bound));
  start_sender (w, "paths=127.0.0.2,127.0.0.3");
  g_socket_set_timeout (socket, 30);
  for (guint i = 0; i < 50; i++) {
    gssize size = g_socket_receive_from (socket, &from, (gchar *) data, sizeof data, NULL, NULL);

    fail_unless (size > 12);
    fail_unless_equals_int (data[0], 0x80);
    if (!begun)
      begun = g_object_ref (from);
    fail_unless (g_inet_address_equal (g_inet_socket_address_get_address (G_INET_SOCKET_ADDRESS
                (begun)), g_inet_socket_address_get_address (G_INET_SOCKET_ADDRESS (from))));
    g_clear_object (&from);
  }
  g_object_unref (begun);
  g_object_unref (bound);
  g_object_unref (address);
  g_object_unref (any);
  g_object_unref (socket);
}

CLAIM_ON (test_path_that_is_not_there_hinders_no_other, WORLD)
{
  start_receiver (w, "");
  start_sender (w, "paths=nosuchinterface,127.0.0.2,127.0.0.3");
  await (is_carrying (w, "127.0.0.2") && is_carrying (w, "127.0.0.3"));
  await_packets (w, 100);
}

#define KEY "srtp-key=000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d"

#ifdef HAVE_SRTP
CLAIM_ON (test_paths_carry_srtp, WORLD)
{
  start_receiver (w, KEY);
  start_sender (w, KEY " paths=127.0.0.2,127.0.0.3");
  await (is_carrying (w, "127.0.0.2") && is_carrying (w, "127.0.0.3"));
  await_packets (w, 300);
  fail_unless_equals_int (w->doubles, 0);
  fail_unless_equals_int (w->strange, 0);
}
#endif

/* CPU time in ticks of the threads that report. */
static guint64
ticks_of_reporters (void)
{
  GDir *dir = g_dir_open ("/proc/self/task", 0, NULL);
  const gchar *task;
  guint64 sum = 0;

  while ((task = g_dir_read_name (dir))) {
    gchar *path = g_build_filename ("/proc/self/task", task, "stat", NULL), *stat, *name;
    guint64 user = 0, system = 0;

    if (g_file_get_contents (path, &stat, NULL, NULL)) {
      name = strstr (stat, "(arc-reports) ");
      if (name && sscanf (name, "(arc-reports) %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u "
              "%" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT, &user, &system) == 2)
        sum += user + system;
      g_free (stat);
    }
    g_free (path);
  }
  g_dir_close (dir);
  return sum;
}

/* Also when nothing tells about the stream itself any more, which takes some seconds. */
CLAIM_ON (test_receiver_of_lanes_is_not_busy, WORLD)
{
  guint64 before;

  start_receiver (w, "");
  start_sender (w, "paths=127.0.0.2,127.0.0.3");
  await (is_carrying (w, "127.0.0.2") && is_carrying (w, "127.0.0.3"));
  g_usleep (5 * G_USEC_PER_SEC);
  before = ticks_of_reporters ();
  g_usleep (2 * G_USEC_PER_SEC);
  fail_unless (ticks_of_reporters () - before < 20, "%u ms of CPU in 2 s",
      (guint) (ticks_of_reporters () - before) * 10);
}

#define FRAMES 40
#define PACKET_BYTES 300

/* Known packets through rmcsink; returns those that left, in their order. */
static GByteArray *
bytes_that_leave (const gchar * settings)
{
  GSocketAddress *any = g_inet_socket_address_new_from_string ("127.0.0.1", 0), *bound;
  GSocket *socket = g_socket_new (G_SOCKET_FAMILY_IPV4, G_SOCKET_TYPE_DATAGRAM,
      G_SOCKET_PROTOCOL_UDP, NULL);
  GByteArray *bytes = g_byte_array_new ();
  GstElement *sender, *in;
  gchar *line;

  fail_unless (g_socket_bind (socket, any, FALSE, NULL));
  g_socket_set_timeout (socket, 30);
  bound = g_socket_get_local_address (socket, NULL);
  line = g_strdup_printf ("appsrc name=in is-live=true format=time "
      "caps=\"%s,ssrc=(uint)7\" ! rmcsink host=127.0.0.1 port=%u "
      "max-queue-time=60000000000 %s", CAPS,
      g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (bound)), settings);
  sender = gst_parse_launch (line, NULL);
  in = gst_bin_get_by_name (GST_BIN (sender), "in");
  gst_element_set_state (sender, GST_STATE_PLAYING);
  for (guint16 seq = 0, left = 0; left < FRAMES;) {
    guint8 data[2048];
    gssize size;

    for (; seq < left + 4 && seq < FRAMES; seq++) {
      guint8 packet[PACKET_BYTES] = { 0x80, PAYLOAD,[11] = 7,[PACKET_BYTES - 1] = (guint8) seq };
      GstBuffer *buffer;
      GstFlowReturn flow;

      GST_WRITE_UINT16_BE (packet + 2, seq);
      buffer = gst_buffer_new_memdup (packet, sizeof packet);
      GST_BUFFER_PTS (buffer) = seq * GST_MSECOND;
      g_signal_emit_by_name (in, "push-buffer", buffer, &flow);
      gst_buffer_unref (buffer);
    }
    size = g_socket_receive (socket, (gchar *) data, sizeof data, NULL, NULL);
    fail_unless (size > 0, "only %u packets left", left);
    if (data[1] >= 192 && data[1] <= 223)
      continue;
    g_byte_array_append (bytes, data, (guint) size);
    left++;
  }
  gst_element_set_state (sender, GST_STATE_NULL);
  gst_object_unref (in);
  gst_object_unref (sender);
  g_object_unref (bound);
  g_object_unref (any);
  g_object_unref (socket);
  g_free (line);
  return bytes;
}

/* To a receiver that knows no lanes nothing differs either. */
CLAIM (test_without_paths_not_a_byte_is_added)
{
  GByteArray *one = bytes_that_leave (""), *several = bytes_that_leave ("paths=127.0.0.2");

  fail_unless_equals_int (one->len, FRAMES * PACKET_BYTES);
  for (guint i = 0; i < FRAMES; i++) {
    fail_unless_equals_int (one->data[i * PACKET_BYTES], 0x80);
    fail_unless_equals_int (one->data[(i + 1) * PACKET_BYTES - 1], i);
  }
  fail_unless_equals_int (several->len, one->len);
  fail_unless (memcmp (several->data, one->data, one->len) == 0);
  g_byte_array_unref (one);
  g_byte_array_unref (several);
}
