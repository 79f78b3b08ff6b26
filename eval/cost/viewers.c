/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What a viewer costs a server: a process with one sink sends a stream of packets of 1200 bytes to
 * N viewers, which a second process is: each calls, reads, and reports as arcsrc does. Prints one
 * line of JSON: how long it took until all had joined, CPU time of the server for each second and
 * packet, its memory for each viewer, and how long after it was pushed each packet came, by the
 * kernel's arrival times. The loopback has no queue, so that this is the time in the server.
 * Whoever joins calls again until it is accepted, WINDOW of them at a time.
 *
 *   viewers [--sink=arcserversink|multiudpsink] [--viewers=N] [--rate=BPS] [--seconds=S]
 *       [--srtp=aes-128-gcm|aes-128-icm|off]
 *
 * With --packets=N, for callgrind, the next packet of N is pushed when all viewers have the one
 * before, or have waited long for it, and what the viewers do by time they do by packets, however
 * slow the machine is.
 */
#include <arpa/inet.h>
#include <gio/gio.h>
#include <gst/gst.h>
#include <rc/receiver/receiver.h>
#include <rtp/rtcpwriter.h>
#include <srtp/secureproof.h>
#include <srtp/secureproperties.h>
#include <srtp/securetransport.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define RTP_BYTES 1200
#define MOST_US 1000000         /* later ones count as so late */
#define WINDOW 24               /* less than what a listener keeps of one host */
#define CALL_AGAIN_NS 300000000
#define WHOLE .99               /* of the packets */
#define PATIENCE_NS 500000000   /* for all to have the next packet */
#define MOST_LOST_PART 20       /* of all packets, with --packets */
#define SKIP_S 5                /* until rates have settled */
#define CAPS "application/x-rtp, media=video, encoding-name=X-TEST, payload=96, clock-rate=90000"
#define GCM_KEY "000102030405060708090a0b0c0d0e0f101112131415161718191a1b"
#define ICM_KEY GCM_KEY "1c1d"

static const gchar *sink_name = "arcserversink";
static gint n_viewers = 100, seconds = 20;
static gint n_packets;           /* 0: by time */
static gdouble rate_bps = 1.5e6;
static const gchar *srtp;        /* cipher; NULL: none */
static const gchar *key;         /* in hexadecimal */

/* How srtpenc is to do the same. */
static const gchar *srtpenc = "";

static GOptionEntry options[] = {
  {"sink", 0, 0, G_OPTION_ARG_STRING, &sink_name, "arcserversink, multiudpsink or rtpbin", "NAME"},
  {"viewers", 0, 0, G_OPTION_ARG_INT, &n_viewers, "how many", "N"},
  {"rate", 0, 0, G_OPTION_ARG_DOUBLE, &rate_bps, "of the stream, bit/s with headers", "BPS"},
  {"seconds", 0, 0, G_OPTION_ARG_INT, &seconds, "in all", "S"},
  {"packets", 0, 0, G_OPTION_ARG_INT, &n_packets, "one after another, however slowly", "N"},
  {"srtp", 0, 0, G_OPTION_ARG_STRING, &srtp, "by one key for all", "CIPHER"},
  {NULL}
};

static gint64
now_ns (clockid_t clock)
{
  struct timespec t;

  clock_gettime (clock, &t);
  return (gint64) t.tv_sec * 1000000000 + t.tv_nsec;
}

static gint64
interval_ns (void)
{
  return (gint64) ((RTP_BYTES + 28) * 8e9 / rate_bps);
}

static gint n_came;              /* packets that all viewers have, of n_packets */

/* By which viewers report. */
static RcTime
viewers_now (void)
{
  return n_packets > 0 ? RC_SECOND + n_came * interval_ns () : now_ns (CLOCK_MONOTONIC);
}

/* --- the viewers --- */

typedef struct
{
  int fd;
  guint64 number, cookie;
  gint64 called_at;
  gboolean accepted, begun;
  guint counted;                /* packets */
  RcReceiver receiver;
  SecureContext *secure;
} Viewer;

typedef struct
{
  guint64 packets;
  guint served, joined_ms;      /* joined_ms: until all had */
  guint whole;                  /* viewers that got all but WHOLE */
  guint late_us[MOST_US / 10 + 1];      /* a histogram, of 10 us each */
} Lateness;

static struct sockaddr_in server = {.sin_family = AF_INET };
static SecureSettings settings = SECURE_SETTINGS_DEFAULT;
static Lateness lateness;

static void
send_buffer (Viewer * self, GstBuffer * buffer)
{
  GstMapInfo map;

  gst_buffer_map (buffer, &map, GST_MAP_READ);
  sendto (self->fd, map.data, map.size, 0, (struct sockaddr *) &server, sizeof server);
  gst_buffer_unmap (buffer, &map);
  gst_buffer_unref (buffer);
}

static void
call (Viewer * self)
{
  RcCall c = {.number = self->number,.cookie = self->cookie };

  self->called_at = now_ns (CLOCK_MONOTONIC);
  if (srtp)
    secure_proof_write (&settings, &c);
  send_buffer (self, rtcp_new_call (&c));
}

/* As arcsrc, a viewer goes by the kernel's time of arrival: that this process is late is no queue
 * of the network. */
static void
take_media (Viewer * self, const guint8 * data, gsize size, gint64 arrived_at, gboolean counts)
{
  gint64 waited_ns = MAX (now_ns (CLOCK_REALTIME) - arrived_at, 0);
  gint32 late_us;

  if (!self->begun)
    rc_receiver_init (&self->receiver, GST_READ_UINT32_BE (data + 8), RC_BWFILTER_TAU);
  self->begun = TRUE;
  rc_receiver_on_packet (&self->receiver, GST_READ_UINT16_BE (data + 2), (guint) size, FALSE,
      viewers_now () - (n_packets > 0 ? 0 : waited_ns));
  if (!counts)
    return;
  lateness.packets++;
  self->counted++;
  late_us = (gint32) ((guint32) (arrived_at / 1000) - GST_READ_UINT32_BE (data + 4));
  lateness.late_us[CLAMP (late_us, 0, MOST_US) / 10]++;
}

static gint64
arrival_of (struct msghdr *message)
{
  struct cmsghdr *c = CMSG_FIRSTHDR (message);
  struct timespec t = { 0 };

  if (c && c->cmsg_type == SCM_TIMESTAMPNS)
    memcpy (&t, CMSG_DATA (c), sizeof t);
  return (gint64) t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Answers to calls come in the clear. */
static gboolean
read_rtcp (Viewer * self, guint8 * data, gsize size, RtcpMessage * message)
{
  SecureArrival arrival;

  rtcp_message_read (message, data, size);
  if (!self->secure || (message->verdict == RTCP_VALID && message->answered))
    return message->verdict == RTCP_VALID;
  if (!secure_context_unprotect (self->secure, data, &size, &arrival, now_ns (CLOCK_MONOTONIC)))
    return FALSE;
  rtcp_message_read (message, data, size);
  return message->verdict == RTCP_VALID;
}

static gboolean
receive (Viewer * self, gboolean counts)
{
  guint8 data[2048], control[CMSG_SPACE (sizeof (struct timespec))];
  struct iovec vector = { data, sizeof data };
  struct msghdr header = {.msg_iov = &vector,.msg_iovlen = 1,.msg_control = control,
    .msg_controllen = sizeof control };
  gssize size = recvmsg (self->fd, &header, MSG_DONTWAIT);
  RtcpMessage message;

  if (size < 12)
    return size >= 0;
  if (!rtcp_is_rtcp (data, (gsize) size)) {
    take_media (self, data, (gsize) size, arrival_of (&header), counts);
    return TRUE;
  }
  if (!read_rtcp (self, data, (gsize) size, &message))
    return TRUE;
  if (message.answered && message.answer.verdict == RC_ANSWER_COOKIE) {
    self->cookie = message.answer.cookie;
    call (self);
  }
  self->accepted |= message.answered && message.answer.verdict == RC_ANSWER_ACCEPTED;
  if (message.n_infos > 0 && self->begun)
    rc_receiver_on_info (&self->receiver, &message.infos[0], viewers_now ());
  return TRUE;
}

static void
report_if_due (Viewer * self)
{
  RcTime now = viewers_now (), due_at;
  GstBuffer *buffer, *closed;
  RcReport report;

  if (!self->begun)
    return;
  due_at = rc_receiver_due_at (&self->receiver, now);
  if (due_at == RC_TIME_NONE || due_at > now)
    return;
  rc_receiver_report (&self->receiver, now, &report);
  buffer = rtcp_new_reports ((guint32) self->number, &report, 1);
  if (self->secure) {
    closed = secure_transport_close (self->secure, buffer);
    gst_buffer_unref (buffer);
    buffer = closed;
  }
  if (buffer)
    send_buffer (self, buffer);
}

static void
viewer_init (Viewer * self, guint number, int epoll, int ports)
{
  struct sockaddr_in address = {.sin_family = AF_INET,.sin_addr.s_addr = htonl (INADDR_LOOPBACK) };
  struct epoll_event event = {.events = EPOLLIN,.data.ptr = self };
  socklen_t size = sizeof address;
  int on = 1, buffer = 1 << 19;

  self->number = number;
  self->fd = socket (AF_INET, SOCK_DGRAM, 0);
  setsockopt (self->fd, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
  setsockopt (self->fd, SOL_SOCKET, SO_RCVBUF, &buffer, sizeof buffer);
  g_assert (bind (self->fd, (struct sockaddr *) &address, size) == 0);
  getsockname (self->fd, (struct sockaddr *) &address, &size);
  g_assert (write (ports, &address.sin_port, sizeof address.sin_port) == sizeof address.sin_port);
  epoll_ctl (epoll, EPOLL_CTL_ADD, self->fd, &event);
  if (srtp)
    self->secure = secure_context_new (&settings, FALSE, NULL);
}

/* TRUE: all have joined. */
static gboolean
join_on (Viewer * viewers)
{
  static Viewer *waiting[WINDOW];
  static gint n_called;
  gint64 again = now_ns (CLOCK_MONOTONIC) - CALL_AGAIN_NS;
  guint n_waiting = 0;

  for (guint i = 0; i < WINDOW; i++) {
    if (!waiting[i] || waiting[i]->accepted) {
      waiting[i] = n_called < n_viewers ? &viewers[n_called++] : NULL;
      if (waiting[i])
        call (waiting[i]);
    } else if (waiting[i]->called_at < again) {
      call (waiting[i]);
    }
    n_waiting += waiting[i] != NULL;
  }
  return n_waiting == 0;
}

static void
receive_all (int epoll, int timeout_ms, gboolean counts)
{
  struct epoll_event events[256];
  int n = epoll_wait (epoll, events, G_N_ELEMENTS (events), timeout_ms);

  for (int i = 0; i < n; i++)
    while (receive (events[i].data.ptr, counts));
}

/* Those that have not come yet. */
static guint
missing (const Viewer * viewers, guint64 expected)
{
  guint64 came = 0;

  for (gint i = 0; i < n_viewers; i++)
    came += viewers[i].counted;
  return (guint) (expected - MIN (came, expected));
}

/* A byte in `result` asks for the next packet. On a busy machine the server sets viewers aside, who
 * then miss some. */
static void
step_on (Viewer * viewers, int epoll, int result)
{
  guint64 expected = 0;
  guint lost = 0;

  for (n_came = 0; n_came < n_packets; n_came++) {
    gint64 until = now_ns (CLOCK_MONOTONIC) + PATIENCE_NS;

    g_assert (write (result, "", 1) == 1);
    expected += (guint64) n_viewers;
    while (missing (viewers, expected) > lost && now_ns (CLOCK_MONOTONIC) < until)
      receive_all (epoll, 5, TRUE);
    lost = missing (viewers, expected);
    for (gint i = 0; i < n_viewers; i++)
      report_if_due (&viewers[i]);
  }
  if (lost > expected / MOST_LOST_PART)
    g_error ("%u packets of %" G_GUINT64_FORMAT " did not come", lost, expected);
}

static void
be_viewers (int ports, int go, int result)
{
  Viewer *viewers = g_new0 (Viewer, n_viewers);
  gboolean calls = g_str_equal (sink_name, "arcserversink");
  int epoll = epoll_create1 (0);
  gint64 begin, end, from;

  for (gint i = 0; i < n_viewers; i++)
    viewer_init (&viewers[i], (guint) i + 1, epoll, ports);
  g_assert (read (go, &server.sin_port, sizeof server.sin_port) == sizeof server.sin_port);
  server.sin_addr.s_addr = htonl (INADDR_LOOPBACK);
  begin = now_ns (CLOCK_MONOTONIC);
  from = begin + SKIP_S * 1000000000LL;
  end = begin + (seconds - 1) * 1000000000LL;
  while (n_packets > 0 || now_ns (CLOCK_MONOTONIC) < end) {
    if (calls && lateness.joined_ms == 0 && join_on (viewers))
      lateness.joined_ms = (guint) ((now_ns (CLOCK_MONOTONIC) - begin) / 1000000);
    if (n_packets > 0 && lateness.joined_ms > 0) {
      step_on (viewers, epoll, result);
      raise (SIGKILL);          /* so that callgrind tells of the server only */
    }
    receive_all (epoll, calls && lateness.joined_ms == 0 ? 1 : 5,
        n_packets == 0 && now_ns (CLOCK_MONOTONIC) > from);
    for (gint i = 0; calls && i < n_viewers; i++)
      report_if_due (&viewers[i]);
  }
  for (gint i = 0; i < n_viewers; i++) {
    lateness.served += viewers[i].begun;
    lateness.whole += viewers[i].counted > WHOLE * (gdouble) (end - from)
        / (gdouble) interval_ns ();
  }
  g_assert (write (result, &lateness, sizeof lateness) == sizeof lateness);
}

/* --- the server --- */

static gboolean
on_query (GstPad * pad, GstObject * parent, GstQuery * query)
{
  if (GST_QUERY_TYPE (query) != GST_QUERY_LATENCY)
    return gst_pad_query_default (pad, parent, query);
  gst_query_set_latency (query, TRUE, 0, GST_CLOCK_TIME_NONE);
  return TRUE;
}

static void
describe_viewer (GString * line, guint i, guint port)
{
  if (g_str_equal (sink_name, "multiudpsink"))
    g_string_append_printf (line, "%s127.0.0.1:%u", i ? "," : "", port);
  else if (g_str_equal (sink_name, "rtpbin"))
    g_string_append_printf (line, " rtpbin name=r%u t. ! r%u.send_rtp_sink_0 r%u.send_rtp_src_0 "
        "%s ! udpsink host=127.0.0.1 port=%u sync=false async=false", i, i, i,
        srtpenc, port);
}

static GstElement *
sink_new (int ports)
{
  GString *line = g_string_new (NULL);
  GError *error = NULL;
  GstElement *sink;

  if (g_str_equal (sink_name, "arcserversink"))
    g_string_append_printf (line, "arcserversink port=0 bind-address=127.0.0.1 "
        "max-viewers=100000 max-bitrate=20000000 adapt-encoder=false %s%s",
        srtp ? "srtp-key=" : "", srtp ? key : "");
  else
    g_string_append (line, g_str_equal (sink_name, "rtpbin") ? "tee name=t"
        : "multiudpsink sync=false async=false clients=");
  for (gint i = 0; i < n_viewers; i++) {
    guint16 port;

    g_assert (read (ports, &port, sizeof port) == sizeof port);
    describe_viewer (line, (guint) i, ntohs (port));
  }
  sink = g_str_equal (sink_name, "rtpbin")
      ? gst_parse_bin_from_description (line->str, FALSE, &error)
      : gst_parse_launch (line->str, &error);
  if (error)
    g_error ("%s", error->message);
  if (g_str_equal (sink_name, "rtpbin")) {
    GstElement *tee = gst_bin_get_by_name (GST_BIN (sink), "t");
    GstPad *pad = gst_element_get_static_pad (tee, "sink");

    gst_element_add_pad (sink, gst_ghost_pad_new ("sink", pad));
    gst_object_unref (pad);
    gst_object_unref (tee);
  }
  g_string_free (line, TRUE);
  return gst_object_ref_sink (sink);
}

static GstPad *
begin_stream (GstElement * sink)
{
  GstPad *pad = gst_pad_new ("src", GST_PAD_SRC), *peer = gst_element_get_static_pad (sink, "sink");
  GstClock *clock = gst_system_clock_obtain ();
  GstSegment segment;
  GstCaps *caps = gst_caps_from_string (CAPS);

  gst_pad_set_query_function (pad, on_query);
  gst_element_set_clock (sink, clock);
  gst_element_set_base_time (sink, gst_clock_get_time (clock));
  g_assert (gst_pad_link (pad, peer) == GST_PAD_LINK_OK);
  g_assert (gst_element_set_state (sink, GST_STATE_PLAYING) != GST_STATE_CHANGE_FAILURE);
  gst_pad_set_active (pad, TRUE);
  gst_pad_push_event (pad, gst_event_new_stream_start ("bench"));
  gst_pad_push_event (pad, gst_event_new_caps (caps));
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_push_event (pad, gst_event_new_segment (&segment));
  gst_caps_unref (caps);
  gst_object_unref (peer);
  gst_object_unref (clock);
  return pad;
}

static void
push (GstPad * pad, guint n)
{
  GstBuffer *header = gst_buffer_new_allocate (NULL, 12, NULL);
  GstBuffer *payload = gst_buffer_new_allocate (NULL, RTP_BYTES - 12, NULL);
  guint8 bytes[12] = { 0x80, 96 };

  GST_WRITE_UINT16_BE (bytes + 2, n & 0xffff);
  GST_WRITE_UINT32_BE (bytes + 4, (guint32) (now_ns (CLOCK_REALTIME) / 1000));
  GST_WRITE_UINT32_BE (bytes + 8, 7);
  gst_buffer_fill (header, 0, bytes, sizeof bytes);
  gst_buffer_memset (payload, 0, 0, RTP_BYTES - 12);
  g_assert (gst_pad_push (pad, gst_buffer_append (header, payload)) == GST_FLOW_OK);
}

static gdouble
cpu_s (void)
{
  struct rusage u;

  getrusage (RUSAGE_SELF, &u);
  return u.ru_utime.tv_sec + u.ru_stime.tv_sec + (u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1e-6;
}

static glong
rss_kib (void)
{
  glong size = 0, resident = 0;
  FILE *file = fopen ("/proc/self/statm", "r");

  g_assert (file && fscanf (file, "%ld %ld", &size, &resident) == 2);
  fclose (file);
  return resident * (sysconf (_SC_PAGESIZE) / 1024);
}

static guint
percentile (const Lateness * l, gdouble share)
{
  guint64 all = 0, sum = 0;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (l->late_us); i++)
    all += l->late_us[i];
  for (i = 0; i < G_N_ELEMENTS (l->late_us) && sum < share * (gdouble) all; i++)
    sum += l->late_us[i];
  return 10 * i;
}

static void
serve (int ports, int go, int result)
{
  glong before_kib = rss_kib (), after_kib;
  GstElement *sink = sink_new (ports);
  GstPad *pad = begin_stream (sink);
  gint64 interval = interval_ns (), at = now_ns (CLOCK_MONOTONIC);
  gint64 begin = at, from = begin + (SKIP_S + 1) * 1000000000LL;
  gdouble before = 0;
  guint port = 1, n = 0;
  guint16 native;
  gchar wish;

  if (g_str_equal (sink_name, "arcserversink"))
    g_object_get (sink, "port", &port, NULL);
  native = htons ((guint16) port);
  g_assert (write (go, &native, sizeof native) == sizeof native);
  while (n_packets > 0 ? n < (guint) n_packets : at < begin + seconds * 1000000000LL) {
    struct timespec t = { at / 1000000000, at % 1000000000 };

    if (n_packets > 0 && read (result, &wish, 1) != 1)
      exit (1);
    if (n_packets > 0)
      at = MAX (at, now_ns (CLOCK_MONOTONIC) - interval);
    clock_nanosleep (CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
    push (pad, n++);
    at += interval;
    if (before <= 0 && at > from)
      before = cpu_s ();
  }
  if (n_packets > 0)            /* the viewers end when all have the last one */
    exit (read (result, &wish, 1) != 0);
  before = cpu_s () - before;
  after_kib = rss_kib ();
  for (gsize got = 0, part = 0; got < sizeof lateness; got += part)
    g_assert ((part = (gsize) read (result, (guint8 *) & lateness + got,
                sizeof lateness - got)) > 0 && part <= sizeof lateness);
  printf ("{\"sink\": \"%s\", \"srtp\": \"%s\", \"viewers\": %d, \"served\": %u, "
      "\"whole\": %u, \"joined_ms\": %u, \"rate\": %.0f, \"cpu\": %.3f, "
      "\"us_a_packet\": %.1f, "
      "\"viewers_a_core\": %.0f, \"kib_a_viewer\": %.0f, \"packets\": %"
      G_GUINT64_FORMAT ", \"expected\": %.0f, \"late_us_p50\": %u, \"late_us_p99\": %u, "
      "\"late_us_p999\": %u}\n", sink_name, srtp ? srtp : "off", n_viewers, lateness.served,
      lateness.whole, lateness.joined_ms, rate_bps, before / (seconds - SKIP_S - 1),
      before / (seconds - SKIP_S - 1) / n_viewers * (gdouble) interval / 1000,
      n_viewers * (seconds - SKIP_S - 1) / before,
      (gdouble) (after_kib - before_kib) / n_viewers, lateness.packets,
      n_viewers * (seconds - SKIP_S - 1) * 1e9 / (gdouble) interval,
      percentile (&lateness, .5), percentile (&lateness, .99), percentile (&lateness, .999));
  fflush (stdout);
  _exit (0);
}

static void
set_key (void)
{
  gboolean gcm = g_str_equal (srtp, "aes-128-gcm");
  GValue value = G_VALUE_INIT;

  key = gcm ? GCM_KEY : ICM_KEY;
  srtpenc = gcm ? "! srtpenc rtp-cipher=aes-128-gcm rtcp-cipher=aes-128-gcm rtp-auth=null "
      "rtcp-auth=null key=" GCM_KEY : "! srtpenc key=" ICM_KEY;
  g_value_init (&value, GST_TYPE_BUFFER);
  g_assert (gst_value_deserialize (&value, key));
  settings.key = g_value_get_boxed (&value);
}

int
main (int argc, char **argv)
{
  GOptionContext *context = g_option_context_new (NULL);
  int ports[2], go[2], result[2];
  struct rlimit files;
  GError *error = NULL;
  pid_t child;

  g_option_context_add_main_entries (context, options, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error))
    g_error ("%s", error->message);
  getrlimit (RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  setrlimit (RLIMIT_NOFILE, &files);
  g_assert (pipe (ports) == 0 && pipe (go) == 0 && pipe (result) == 0);
  child = fork ();
  gst_init (NULL, NULL);
  if (srtp && g_str_equal (srtp, "off"))
    srtp = NULL;
  if (srtp)
    set_key ();
  if (child == 0 && prctl (PR_SET_PDEATHSIG, SIGKILL) == 0)
    be_viewers (ports[1], go[0], result[1]);
  else if (child > 0 && close (result[1]) == 0)
    serve (ports[0], go[1], result[0]);
  return 0;
}
