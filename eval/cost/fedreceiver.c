/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A receiver that is fed over the loopback from its own sink, for callgrind: what came in is what
 * was sent before, so each wake-up finds as many packets as it should, however slow the machine is.
 *
 *   fedreceiver --packets N --batch K LINE     LINE names its last element `out`, its port PORT
 *
 * K packets wait together, each K intervals; RTP of 1200 bytes, 500 a second by the clock of the
 * pipeline, which goes on by packets: what is due by time is so, too, by so many packets. */
#include <gio/gio.h>
#include <gst/gst.h>

#include "rtp/rtcpwriter.h"

#define RTP_BYTES 1200
#define INTERVAL_US 2000
#define SSRC 0x11111111
#define INFO_PKTS 500
#define LOOK_MS 300

static gint n_packets = 1000, batch = 1;

static GOptionEntry options[] = {
  {"packets", 0, 0, G_OPTION_ARG_INT, &n_packets, "in all", "N"},
  {"batch", 0, 0, G_OPTION_ARG_INT, &batch, "that wait together", "K"},
  {NULL}
};

/* It would sleep by the machine's clock, which is as fast or faster. */
G_DECLARE_FINAL_TYPE (FedClock, fed_clock, FED, CLOCK, GstSystemClock)
struct _FedClock
{
  GstSystemClock parent;
};

G_DEFINE_FINAL_TYPE (FedClock, fed_clock, GST_TYPE_SYSTEM_CLOCK)

static struct
{
  GSocket *socket;
  gint sent, came;
  gint64 next_us;
  GMainLoop *loop;
} feed;

static GstClockTime
fed_clock_now (GstClock * clock)
{
  return (GstClockTime) g_atomic_int_get (&feed.sent) * INTERVAL_US * GST_USECOND;
}

static void
fed_clock_class_init (FedClockClass * klass)
{
  GST_CLOCK_CLASS (klass)->get_internal_time = fed_clock_now;
}

static void
fed_clock_init (FedClock * self)
{
}

/* H.264, each packet the first of a keyframe: nobody asks for another one. */
static void
send_packet (void)
{
  static guint8 rtp[RTP_BYTES] = {[12] = 0x65 };

  GST_WRITE_UINT16_BE (rtp, 0x8060);
  GST_WRITE_UINT16_BE (rtp + 2, feed.sent & 0xffff);
  GST_WRITE_UINT32_BE (rtp + 4, (guint32) (feed.sent / 8 * 1440));
  GST_WRITE_UINT32_BE (rtp + 8, SSRC);
  g_socket_send (feed.socket, (const gchar *) rtp, sizeof rtp, NULL, NULL);
  g_atomic_int_inc (&feed.sent);
}

/* As rmcsink does each second: whoever reports knows how often it should. */
static void
send_info (void)
{
  RcSenderInfo info = {.ssrc = SSRC,.srtt_us = 40000,.report_interval_us = 50000 };
  GstBuffer *buffer = rtcp_new_infos (SSRC, &info, 1);
  GstMapInfo map;

  gst_buffer_map (buffer, &map, GST_MAP_READ);
  g_socket_send (feed.socket, (const gchar *) map.data, map.size, NULL, NULL);
  gst_buffer_unmap (buffer, &map);
  gst_buffer_unref (buffer);
}

static void
send_batch (void)
{
  gint64 wait_us = feed.next_us - g_get_monotonic_time ();

  if (wait_us > 0)
    g_usleep ((gulong) wait_us);
  feed.next_us = MAX (feed.next_us, g_get_monotonic_time () - INTERVAL_US) + batch * INTERVAL_US;
  if (feed.sent / INFO_PKTS != (feed.sent - batch) / INFO_PKTS)
    send_info ();
  for (gint i = 0; i < batch; i++)
    send_packet ();
}

static void
take (guint n)
{
  feed.came += (gint) n;
  if (feed.came >= n_packets)
    g_main_loop_quit (feed.loop);
  else if (feed.came >= feed.sent)
    send_batch ();
}

static GstFlowReturn
chain (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  gst_buffer_unref (buffer);
  take (1);
  return GST_FLOW_OK;
}

static GstFlowReturn
chain_list (GstPad * pad, GstObject * parent, GstBufferList * list)
{
  guint n = gst_buffer_list_length (list);

  gst_buffer_list_unref (list);
  take (n);
  return GST_FLOW_OK;
}

/* At the start, and where a receiver keeps its first packets back until more have come. */
static gboolean
send_where_nothing_comes (gpointer user_data)
{
  static gint before = -1;

  if (feed.came == before || feed.sent == 0) {
    feed.next_us = 0;
    send_batch ();
  }
  before = feed.came;
  return G_SOURCE_CONTINUE;
}

static void
link_sink (GstElement * out, GstPad * pad, gpointer sink)
{
  if (!gst_pad_is_linked (sink))
    gst_pad_link (pad, sink);
}

static GstPad *
sink_new (GstElement * out)
{
  GstPad *sink = gst_pad_new ("sink", GST_PAD_SINK), *pad;

  gst_pad_set_chain_function (sink, chain);
  gst_pad_set_chain_list_function (sink, chain_list);
  gst_pad_set_active (sink, TRUE);
  pad = gst_element_get_static_pad (out, "src");
  if (pad)
    link_sink (out, pad, sink);
  else
    g_signal_connect (out, "pad-added", G_CALLBACK (link_sink), sink);
  gst_clear_object (&pad);
  return sink;
}

static GSocket *
socket_new (void)
{
  return g_socket_new (G_SOCKET_FAMILY_IPV4, G_SOCKET_TYPE_DATAGRAM, G_SOCKET_PROTOCOL_UDP, NULL);
}

/* A free one, of the loopback. */
static GSocketAddress *
find_address (void)
{
  GSocketAddress *any = g_inet_socket_address_new_from_string ("127.0.0.1", 0), *found;
  GSocket *socket = socket_new ();

  g_assert (g_socket_bind (socket, any, FALSE, NULL));
  found = g_socket_get_local_address (socket, NULL);
  g_object_unref (socket);
  g_object_unref (any);
  return found;
}

/* Leads to it. */
static GstElement *
line_new (const gchar * text)
{
  GSocketAddress *to = find_address ();
  gchar *port = g_strdup_printf ("%u", g_inet_socket_address_get_port ((GInetSocketAddress *) to));
  gchar **parts = g_strsplit (text, "PORT", -1), *line = g_strjoinv (port, parts);
  GError *error = NULL;
  GstElement *element = gst_parse_launch_full (line, NULL, GST_PARSE_FLAG_FATAL_ERRORS, &error);

  if (!element)
    g_error ("%s", error->message);
  feed.socket = socket_new ();
  g_assert (g_socket_connect (feed.socket, to, NULL, NULL));
  g_object_unref (to);
  g_strfreev (parts);
  g_free (line);
  g_free (port);
  return element;
}

int
main (int argc, char **argv)
{
  GOptionContext *context = g_option_context_new ("LINE");
  GstElement *pipeline, *out;
  GError *error = NULL;
  GstClock *clock;
  GstPad *sink;

  g_option_context_add_main_entries (context, options, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error) || argc != 2)
    g_error ("%s", error ? error->message : "one LINE, please");
  g_option_context_free (context);
  gst_init (NULL, NULL);
  pipeline = gst_pipeline_new (NULL);
  clock = g_object_new (fed_clock_get_type (), NULL);
  gst_pipeline_use_clock (GST_PIPELINE (pipeline), clock);
  gst_bin_add (GST_BIN (pipeline), line_new (argv[1]));
  feed.loop = g_main_loop_new (NULL, FALSE);
  out = gst_bin_get_by_name (GST_BIN (pipeline), "out");
  sink = sink_new (out);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  g_timeout_add (LOOK_MS, send_where_nothing_comes, NULL);
  g_main_loop_run (feed.loop);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (out);
  gst_object_unref (sink);
  gst_object_unref (clock);
  gst_object_unref (pipeline);
  g_object_unref (feed.socket);
  g_main_loop_unref (feed.loop);
  return 0;
}
