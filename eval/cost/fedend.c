/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* One end of a stream that is fed over the loopback, for callgrind. The next packets come when
 * those before are through: each wake-up finds as many as it should, however slow the machine is.
 *
 *   fedend --packets N --batch K LINE     PORT in LINE is its port
 *
 * LINE is a receiver, whose last element is named `out`, or a sender, whose first is named `in`:
 * the reports that it then gets are those of arcsrc. K packets come together, each K intervals; RTP
 * of 1200 bytes, 500 a second by the clock of the pipeline and of the reports, which goes on by
 * packets: what is due by time is so, too, by so many packets. */
#include <gio/gio.h>
#include <glib-unix.h>
#include <gst/gst.h>
#include <netinet/in.h>

#include "rtp/rtcpwriter.h"
#include <rc/receiver/receiver.h>
#include <rc/sender/lanes.h>

#define CAPS "application/x-rtp,media=video,encoding-name=H264,clock-rate=90000,payload=96"
#define RTP_BYTES 1200
#define INTERVAL_US 2000
#define SSRC 0x11111111
#define INFO_PKTS 500
#define LOOK_MS 300
#define MOST_BYTES 2048

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

typedef struct
{
  guint32 ssrc;
  struct sockaddr_in from;
  RcReceiver receiver;
} Stream;

static struct
{
  GSocket *socket;
  GstPad *pad;                  /* into a sender; NULL: a receiver is fed */
  Stream streams[RC_LANES_MAX]; /* of what a sender sends: one a path */
  guint n_streams;
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
write_packet (guint8 * rtp)
{
  GST_WRITE_UINT16_BE (rtp, 0x8060);
  GST_WRITE_UINT16_BE (rtp + 2, feed.sent & 0xffff);
  GST_WRITE_UINT32_BE (rtp + 4, (guint32) (feed.sent / 8 * 1440));
  GST_WRITE_UINT32_BE (rtp + 8, SSRC);
  rtp[12] = 0x65;
}

static void
send_packet (void)
{
  static guint8 rtp[RTP_BYTES];

  write_packet (rtp);
  g_socket_send (feed.socket, (const gchar *) rtp, sizeof rtp, NULL, NULL);
  g_atomic_int_inc (&feed.sent);
}

static GstBuffer *
packet_new (void)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, RTP_BYTES, NULL);
  GstMapInfo map;

  GST_BUFFER_PTS (buffer) = (GstClockTime) feed.sent * INTERVAL_US * GST_USECOND;
  gst_buffer_map (buffer, &map, GST_MAP_WRITE);
  write_packet (map.data);
  gst_buffer_unmap (buffer, &map);
  g_atomic_int_inc (&feed.sent);
  return buffer;
}

/* As a payloader does: a list where there is more than one. */
static void
push_packets (void)
{
  GstBufferList *list;

  if (batch == 1) {
    gst_pad_push (feed.pad, packet_new ());
    return;
  }
  list = gst_buffer_list_new_sized ((guint) batch);
  for (gint i = 0; i < batch; i++)
    gst_buffer_list_add (list, packet_new ());
  gst_pad_push_list (feed.pad, list);
}

static void
send_rtcp (GstBuffer * buffer, const struct sockaddr_in *to)
{
  GstMapInfo map;

  gst_buffer_map (buffer, &map, GST_MAP_READ);
  sendto (g_socket_get_fd (feed.socket), map.data, map.size, 0, (const struct sockaddr *) to,
      to ? sizeof *to : 0);
  gst_buffer_unmap (buffer, &map);
  gst_buffer_unref (buffer);
}

/* As rmcsink does each second: whoever reports knows how often it should. */
static void
send_info (void)
{
  RcSenderInfo info = {.ssrc = SSRC,.srtt_us = 40000,.report_interval_us = 50000 };

  send_rtcp (rtcp_new_infos (SSRC, &info, 1), NULL);
}

static void
send_batch (void)
{
  gint64 wait_us = feed.next_us - g_get_monotonic_time ();

  if (wait_us > 0)
    g_usleep ((gulong) wait_us);
  feed.next_us = MAX (feed.next_us, g_get_monotonic_time () - INTERVAL_US) + batch * INTERVAL_US;
  if (feed.pad) {
    push_packets ();
    return;
  }
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

/* --- what a sender sent --- */

static RcTime
time_of_packets (void)
{
  return (RcTime) feed.came * INTERVAL_US * RC_USEC;
}

static Stream *
find_stream (guint32 ssrc)
{
  guint i = 0;

  while (i < feed.n_streams && feed.streams[i].ssrc != ssrc)
    i++;
  g_assert (i < G_N_ELEMENTS (feed.streams));
  if (i == feed.n_streams) {
    feed.n_streams++;
    feed.streams[i].ssrc = ssrc;
    rc_receiver_init (&feed.streams[i].receiver, ssrc, RC_BWFILTER_TAU);
  }
  return &feed.streams[i];
}

static void
take_datagram (guint8 * data, gsize size, const struct sockaddr_in *from)
{
  RtcpMessage message;
  Stream *stream;

  if (!rtcp_is_rtcp (data, size)) {
    stream = find_stream (GST_READ_UINT32_BE (data + 8));
    stream->from = *from;
    feed.came++;
    rc_receiver_on_packet (&stream->receiver, GST_READ_UINT16_BE (data + 2), (guint) size, FALSE,
        time_of_packets ());
    return;
  }
  rtcp_message_read (&message, data, size);
  for (guint i = 0; i < message.n_infos; i++)
    rc_receiver_on_info (&find_stream (message.infos[i].ssrc)->receiver, &message.infos[i],
        time_of_packets ());
}

static void
report_if_due (Stream * stream)
{
  RcTime now = time_of_packets (), due_at = rc_receiver_due_at (&stream->receiver, now);
  RcReport report;

  if (due_at == RC_TIME_NONE || due_at > now)
    return;
  rc_receiver_report (&stream->receiver, now, &report);
  send_rtcp (rtcp_new_reports (SSRC + 1, &report, 1), &stream->from);
}

static gboolean
take_datagrams (gint fd, GIOCondition condition, gpointer user_data)
{
  struct sockaddr_in from = { 0 };
  socklen_t from_bytes = sizeof from;
  guint8 data[MOST_BYTES];
  gssize size;

  while ((size = recvfrom (fd, data, sizeof data, MSG_DONTWAIT, (struct sockaddr *) &from,
              &from_bytes)) >= 12)
    take_datagram (data, (gsize) size, &from);
  for (guint i = 0; i < feed.n_streams; i++)
    report_if_due (&feed.streams[i]);
  take (0);
  return G_SOURCE_CONTINUE;
}

/* Into the pad of `in` that takes RTP. */
static void
link_feed (GstElement * in)
{
  GstPad *pad = gst_element_get_static_pad (in, "sink");
  GstCaps *caps = gst_caps_from_string (CAPS);
  GstSegment segment;

  if (!pad)
    pad = gst_element_request_pad_simple (in, "send_rtp_sink_0");
  feed.pad = gst_pad_new ("src", GST_PAD_SRC);
  g_assert (gst_pad_link (feed.pad, pad) == GST_PAD_LINK_OK);
  gst_pad_set_active (feed.pad, TRUE);
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_push_event (feed.pad, gst_event_new_stream_start ("fed"));
  gst_pad_push_event (feed.pad, gst_event_new_caps (caps));
  gst_pad_push_event (feed.pad, gst_event_new_segment (&segment));
  gst_caps_unref (caps);
  gst_object_unref (pad);
}

/* --- the line --- */

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

/* To a free port of the loopback, which a sender sends to. */
static GSocketAddress *
bind_socket (void)
{
  GSocketAddress *any = g_inet_socket_address_new_from_string ("127.0.0.1", 0);

  feed.socket = socket_new ();
  g_assert (g_socket_bind (feed.socket, any, FALSE, NULL));
  g_object_unref (any);
  return g_socket_get_local_address (feed.socket, NULL);
}

/* A receiver takes the port, and the socket leads to it. */
static void
turn_socket (GSocketAddress * to)
{
  g_object_unref (feed.socket);
  feed.socket = socket_new ();
  g_assert (g_socket_connect (feed.socket, to, NULL, NULL));
}

static GstElement *
line_new (const gchar * text, guint port)
{
  gchar *digits = g_strdup_printf ("%u", port);
  gchar **parts = g_strsplit (text, "PORT", -1), *line = g_strjoinv (digits, parts);
  GError *error = NULL;
  GstElement *pipeline = gst_parse_launch_full (line, NULL, GST_PARSE_FLAG_FATAL_ERRORS, &error);
  GstElement *bin = pipeline;

  if (!bin)
    g_error ("%s", error->message);
  if (!GST_IS_PIPELINE (bin)) {
    pipeline = gst_pipeline_new (NULL);
    gst_bin_add (GST_BIN (pipeline), bin);
  }
  g_strfreev (parts);
  g_free (line);
  g_free (digits);
  return pipeline;
}

/* The pad at which what is received comes out; NULL: of a sender. */
static GstPad *
link_ends (GstBin * pipeline, GSocketAddress * address)
{
  GstElement *out = gst_bin_get_by_name (pipeline, "out");
  GstElement *in = gst_bin_get_by_name (pipeline, "in");
  GstPad *sink = NULL;

  if (out) {
    turn_socket (address);
    sink = sink_new (out);
  } else {
    link_feed (in);
    g_unix_fd_add (g_socket_get_fd (feed.socket), G_IO_IN, take_datagrams, NULL);
  }
  gst_clear_object (&out);
  gst_clear_object (&in);
  return sink;
}

static void
run (const gchar * text)
{
  GstClock *clock = g_object_new (fed_clock_get_type (), NULL);
  GSocketAddress *address = bind_socket ();
  GstElement *pipeline =
      line_new (text, g_inet_socket_address_get_port ((GInetSocketAddress *) address));
  GstPad *sink = link_ends (GST_BIN (pipeline), address);

  gst_pipeline_use_clock (GST_PIPELINE (pipeline), clock);
  feed.loop = g_main_loop_new (NULL, FALSE);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  g_timeout_add (LOOK_MS, send_where_nothing_comes, NULL);
  g_main_loop_run (feed.loop);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_clear_object (&sink);
  gst_clear_object (&feed.pad);
  gst_object_unref (clock);
  gst_object_unref (pipeline);
  g_object_unref (address);
  g_object_unref (feed.socket);
  g_main_loop_unref (feed.loop);
}

int
main (int argc, char **argv)
{
  GOptionContext *context = g_option_context_new ("LINE");
  GError *error = NULL;

  g_option_context_add_main_entries (context, options, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error) || argc != 2)
    g_error ("%s", error ? error->message : "one LINE, please");
  g_option_context_free (context);
  gst_init (NULL, NULL);
  run (argv[1]);
  return 0;
}
