/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* pacer CONTENDER RATE_BPS SECONDS [--busy|--busy=whole] [--granularity US]: sends 1500-byte IP packets over loopback at a wanted rate for a while and
 * prints, as one JSON line, what a receiver in another process counted: packets, bytes (RTCP of rmcsink too, which is part of its rate), the
 * time between the first and the last, packets a window of 0.1 s, and gaps. Packets that the receiver's socket had to drop are counted too (SO_RXQ_OVFL), so that the rate is the sender's.
 * --busy: five spinning processes in the middle third, or all the time. --granularity: wake-ups of the plain loops are rounded up to such ticks. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <gst/gst.h>
#include <gst/rtp/rtp.h>
#include <math.h>
#include <rc/rfc3448.h>
#include <rc/rmc.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define IP_BYTES 1500
#define UDP_PAYLOAD (IP_BYTES - 28)
#define N_BUSY 5
#define FPS 30
#define MAX_WINDOWS 2000
#define WINDOW (100 * RC_MSEC)
#define MAX_STAMPS 200000       /* of the first packets: for gaps, at video rates */
#define BATCH 64
#define RTP_RING 65536          /* all sequence numbers; a memory of its own each, as GStreamer's memories mind many owners */

typedef struct
{
  volatile gint stop;
  guint64 pkts, dropped, rtcp_bytes;
  RcTime first_at, last_at;
  guint32 windows[MAX_WINDOWS];
  guint n_stamps;
  RcTime stamps[MAX_STAMPS];
} Count;

static RcTime
now_ns (void)
{
  struct timespec t;

  clock_gettime (CLOCK_MONOTONIC, &t);
  return (RcTime) t.tv_sec * RC_SECOND + t.tv_nsec;
}

static void
sleep_until (RcTime at)
{
  struct timespec t = { at / RC_SECOND, at % RC_SECOND };

  clock_nanosleep (CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
}

/* --- the receiver, another process --- */

static RcTime
stamp_of (struct msghdr *m, guint32 * dropped)
{
  RcTime at = 0;

  for (struct cmsghdr *c = CMSG_FIRSTHDR (m); c; c = CMSG_NXTHDR (m, c)) {
    if (c->cmsg_level != SOL_SOCKET)
      continue;
    if (c->cmsg_type == SCM_TIMESTAMPNS) {
      struct timespec t;

      memcpy (&t, CMSG_DATA (c), sizeof t);
      at = (RcTime) t.tv_sec * RC_SECOND + t.tv_nsec;
    } else if (c->cmsg_type == SO_RXQ_OVFL) {
      memcpy (dropped, CMSG_DATA (c), sizeof *dropped);
    }
  }
  return at;
}

static void
count_packet (Count * count, RcTime at, guint lost_before)
{
  guint64 w;

  if (count->pkts == 0)
    count->first_at = at;
  count->pkts += 1 + lost_before;
  count->last_at = at;
  w = (guint64) ((at - count->first_at) / WINDOW);
  if (w < MAX_WINDOWS)
    count->windows[w] += 1 + lost_before;
  if (count->n_stamps < MAX_STAMPS)
    count->stamps[count->n_stamps++] = at;
}

static void
receive_all (int fd, Count * count)
{
  static char control[BATCH][128];
  static struct iovec iov[BATCH];
  static char byte[BATCH];
  static struct mmsghdr m[BATCH];
  guint32 dropped = 0, seen = 0;

  while (!count->stop) {
    int n;

    for (int i = 0; i < BATCH; i++) {
      iov[i] = (struct iovec) { &byte[i], 1 };
      m[i].msg_hdr = (struct msghdr) {.msg_iov = &iov[i],.msg_iovlen = 1,.msg_control = control[i],.msg_controllen = 128 };
    }
    n = recvmmsg (fd, m, BATCH, MSG_WAITFORONE | MSG_TRUNC, NULL);
    for (int i = 0; i < n; i++) {
      RcTime at = stamp_of (&m[i].msg_hdr, &dropped);

      if (m[i].msg_len != UDP_PAYLOAD) {
        count->rtcp_bytes += count->pkts > 0 ? m[i].msg_len + 28 : 0;
        continue;
      }
      count_packet (count, at, dropped - seen);
      count->dropped = seen = dropped;
    }
  }
}

static pid_t
start_receiver (Count * count, guint16 * port)
{
  struct sockaddr_in address = {.sin_family = AF_INET,.sin_addr.s_addr = htonl (INADDR_LOOPBACK) };
  struct timeval timeout = { 0, 200000 };
  socklen_t size = sizeof address;
  int one = 1, buffer = 32 << 20, fd = socket (AF_INET, SOCK_DGRAM, 0);
  pid_t pid;

  if (bind (fd, (struct sockaddr *) &address, size) < 0)
    g_error ("cannot bind");
  getsockname (fd, (struct sockaddr *) &address, &size);
  *port = ntohs (address.sin_port);
  setsockopt (fd, SOL_SOCKET, SO_TIMESTAMPNS, &one, sizeof one);
  setsockopt (fd, SOL_SOCKET, SO_RXQ_OVFL, &one, sizeof one);
  setsockopt (fd, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout);
  if (setsockopt (fd, SOL_SOCKET, SO_RCVBUFFORCE, &buffer, sizeof buffer) < 0)
    setsockopt (fd, SOL_SOCKET, SO_RCVBUF, &buffer, sizeof buffer);
  if ((pid = fork ()) == 0) {
    prctl (PR_SET_PDEATHSIG, SIGKILL);
    receive_all (fd, count);
    _exit (0);
  }
  close (fd);
  return pid;
}

/* --- the load, other processes --- */

static pid_t
start_busy (double from_s, double to_s)
{
  RcTime from = now_ns () + rc_time_from_s (from_s), to = now_ns () + rc_time_from_s (to_s);
  pid_t pid = fork ();

  if (pid == 0) {
    prctl (PR_SET_PDEATHSIG, SIGKILL);
    sleep_until (from);
    while (now_ns () < to);
    _exit (0);
  }
  return pid;
}

/* --- plain loops --- */

typedef struct
{
  int fd;
  guint64 rate_bps;
  RcTime end, granularity;
} Loop;

static char packet[UDP_PAYLOAD];

static RcTime
sleep_to (const Loop * loop, RcTime at)
{
  if (loop->granularity > 0)
    at = (at + loop->granularity - 1) / loop->granularity * loop->granularity;
  sleep_until (at);
  return now_ns ();
}

static void
run_unpaced (Loop * loop)
{
  while (now_ns () < loop->end)
    send (loop->fd, packet, sizeof packet, 0);
}

static void
run_rmc (Loop * loop)
{
  RcRmcParams params = RC_RMC_PARAMS_DEFAULT;
  RcTime now = now_ns (), due;
  RcRmc rmc;

  if (loop->granularity > 0)
    params.burst_time = 2 * loop->granularity;
  rc_rmc_init (&rmc, &params, loop->rate_bps, now);
  for (now = now_ns (); now < loop->end; now = now_ns ()) {
    due = rc_rmc_due_at (&rmc, IP_BYTES, now);
    if (due > now) {
      sleep_to (loop, due);
      continue;
    }
    send (loop->fd, packet, sizeof packet, 0);
    rc_rmc_on_sent (&rmc, IP_BYTES, now);
  }
}

static void
run_rfc3448 (Loop * loop, RcRfc3448Bursts bursts)
{
  RcRfc3448Params params = RC_RFC3448_PARAMS_DEFAULT;
  RcTime now = now_ns (), due;
  RcRfc3448 law;

  params.bursts = bursts;
  if (loop->granularity > 0)
    params.granularity = loop->granularity;
  rc_rfc3448_init (&law, &params, loop->rate_bps, now);
  for (; now < loop->end; now = now_ns ()) {
    due = rc_rfc3448_due_at (&law, IP_BYTES, now);
    if (due > now) {
      sleep_to (loop, due);
      continue;
    }
    send (loop->fd, packet, sizeof packet, 0);
    rc_rfc3448_on_sent (&law, IP_BYTES, now);
  }
}

/* --- elements: one thread pushes RTP into the sink pad, as a payloader would --- */

static GstBuffer **
make_packets (void)
{
  GstBuffer **ring = g_new (GstBuffer *, RTP_RING);

  for (guint i = 0; i < RTP_RING; i++) {
    GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

    ring[i] = gst_rtp_buffer_new_allocate (UDP_PAYLOAD - 12, 0, 0);
    gst_rtp_buffer_map (ring[i], GST_MAP_WRITE, &rtp);
    gst_rtp_buffer_set_payload_type (&rtp, 96);
    gst_rtp_buffer_set_seq (&rtp, i);
    gst_rtp_buffer_set_ssrc (&rtp, 1);
    gst_rtp_buffer_set_marker (&rtp, TRUE);
    gst_rtp_buffer_set_timestamp (&rtp, i);
    gst_rtp_buffer_unmap (&rtp);
  }
  return ring;
}

typedef enum
{
  UNTIMED,                      /* all at 0 */
  EVEN,
  FRAMES,                       /* FPS: what has a queue of its own and no bound for it must be fed by the clock, and as an encoder does */
} Feed;

static GstClockTime
timestamp (guint64 i, guint64 rate_bps, Feed feed)
{
  double gap = IP_BYTES * 8e9 / (double) rate_bps, at = (double) i * gap;

  return feed == UNTIMED ? 0 : (GstClockTime) (feed == EVEN ? at : floor (at * FPS / 1e9) * 1e9 / FPS);
}

static void
run_element (const gchar * text, guint64 rate_bps, double seconds, Feed feed)
{
  GstElement *pipeline = gst_pipeline_new (NULL), *bin = gst_parse_bin_from_description (text, FALSE, NULL), *sink;
  GstPad *src = gst_pad_new ("src", GST_PAD_SRC), *sinkpad;
  GstCaps *caps = gst_caps_new_simple ("application/x-rtp", "media", G_TYPE_STRING, "video", "clock-rate", G_TYPE_INT, 90000,
      "payload", G_TYPE_INT, 96, "encoding-name", G_TYPE_STRING, "X-BENCH", NULL);
  GstBuffer **ring = make_packets ();
  GstSegment segment;
  RcTime start, end;
  guint64 i;

  if (!bin)
    g_error ("no such element: %s", text);
  gst_bin_add (GST_BIN (pipeline), bin);
  sink = gst_bin_get_by_name (GST_BIN (pipeline), "first");
  sinkpad = gst_element_get_static_pad (sink, "sink");
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  gst_pad_set_active (src, TRUE);
  if (gst_pad_link_full (src, sinkpad, GST_PAD_LINK_CHECK_NOTHING) != GST_PAD_LINK_OK)
    g_error ("cannot link");
  gst_pad_push_event (src, gst_event_new_stream_start ("bench"));
  gst_pad_push_event (src, gst_event_new_caps (caps));
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_push_event (src, gst_event_new_segment (&segment));
  start = now_ns ();
  end = start + rc_time_from_s (seconds);
  for (i = 0; now_ns () < end; i++) {
    GstBuffer *buffer = gst_buffer_copy (ring[i % RTP_RING]);

    GST_BUFFER_PTS (buffer) = timestamp (i, rate_bps, feed);
    if (gst_pad_push (src, buffer) != GST_FLOW_OK)
      break;
  }
  gst_element_set_state (pipeline, GST_STATE_NULL);
}

/* --- the table --- */

static void
contend (const gchar * name, guint64 rate_bps, double seconds, RcTime granularity, guint16 port)
{
  struct sockaddr_in to = {.sin_family = AF_INET,.sin_port = htons (port),.sin_addr.s_addr = htonl (INADDR_LOOPBACK) };
  Loop loop = { socket (AF_INET, SOCK_DGRAM, 0), rate_bps, now_ns () + rc_time_from_s (seconds), granularity };
  guint64 udp_bps = rate_bps * UDP_PAYLOAD / IP_BYTES;
  gchar *text = NULL;
  Feed feed = EVEN;

  prctl (PR_SET_TIMERSLACK, 1);
  if (connect (loop.fd, (struct sockaddr *) &to, sizeof to) < 0)
    g_error ("cannot connect");
  if (strcmp (name, "unpaced") == 0)
    run_unpaced (&loop);
  else if (strcmp (name, "rmc-loop") == 0)
    run_rmc (&loop);
  else if (strcmp (name, "rfc3448") == 0)
    run_rfc3448 (&loop, RC_RFC3448_NO_BURSTS);
  else if (strcmp (name, "rfc3448-bursts") == 0)
    run_rfc3448 (&loop, RC_RFC3448_BURSTS);
  else if (strcmp (name, "rmcsink") == 0 || strcmp (name, "rmcsink-priority") == 0)
    text = g_strdup_printf ("rmcsink name=first pacing-priority=%u port=%u congestion-control=fixed start-bitrate=%" G_GUINT64_FORMAT
        " max-bitrate=4000000000 sync=false adapt-encoder=false controller-params=\"params,stop=0.0\"",
        strcmp (name, "rmcsink") == 0 ? 0 : 10, port, rate_bps);
  else if (strcmp (name, "udpsink-max-bitrate") == 0) {
    text = g_strdup_printf ("udpsink name=first host=127.0.0.1 port=%u sync=true max-bitrate=%" G_GUINT64_FORMAT, port,
        udp_bps);
    feed = UNTIMED;             /* basesink throttles by max-bitrate only with sync */
  } else if (strcmp (name, "udpsink-clocksync") == 0)
    text = g_strdup_printf ("clocksync name=first ! udpsink host=127.0.0.1 port=%u sync=false", port);
  else if (strcmp (name, "rtpgccbwe") == 0) {
    text = g_strdup_printf ("clocksync name=first ! rtpgccbwe min-bitrate=%1$" G_GUINT64_FORMAT " max-bitrate=%1$"
        G_GUINT64_FORMAT " estimated-bitrate=%1$" G_GUINT64_FORMAT " ! udpsink host=127.0.0.1 port=%2$u sync=false",
        rate_bps, port);
    feed = FRAMES;
  } else {
    g_error ("no contender %s", name);
  }
  if (text)
    run_element (text, rate_bps, seconds, feed);
  g_free (text);
}

static int
compare (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return x < y ? -1 : x > y;
}

/* Share of packets that have no neighbour within a quarter of the ideal gap, and how far departures are from a grid of ideal gaps (the
 * grid that fits best in the mean). */
static void
print_gaps (const Count * count, guint64 rate_bps)
{
  double gap = IP_BYTES * 8e9 / (double) rate_bps, mean = 0, *off = g_new (double, count->n_stamps + 1);
  guint alone = 0, n = count->n_stamps;

  for (guint i = 1; i + 1 < n; i++)
    alone += count->stamps[i] - count->stamps[i - 1] > gap / 4 && count->stamps[i + 1] - count->stamps[i] > gap / 4;
  for (guint i = 0; i < n; i++)
    mean += (off[i] = (double) (count->stamps[i] - count->first_at) - i * gap) / n;
  for (guint i = 0; i < n; i++)
    off[i] = fabs (off[i] - mean);
  qsort (off, n, sizeof *off, compare);
  g_print (", \"alone_ratio\": %.5f, \"departure_error_us\": [%.1f, %.1f]", n > 2 ? (double) alone / (n - 2) : 0,
      n ? off[n / 2] / 1e3 : 0, n ? off[(guint) (n * 0.99)] / 1e3 : 0);
  g_free (off);
}

static void
print_count (const Count * count, const gchar * name, guint64 rate_bps)
{
  double seconds = rc_time_to_s (count->last_at - count->first_at);
  double bps = seconds > 0 ? ((count->pkts - 1) * (double) IP_BYTES + count->rtcp_bytes) * 8 / seconds : 0;

  g_print ("{\"contender\": \"%s\", \"wanted_bps\": %" G_GUINT64_FORMAT ", \"pkts\": %" G_GUINT64_FORMAT ", \"receiver_dropped\": %"
      G_GUINT64_FORMAT ", \"seconds\": %.6f, \"rate_bps\": %.1f, \"error_percent\": %.5f", name, rate_bps, count->pkts,
      count->dropped, seconds, bps, 100 * (1 - bps / (double) rate_bps));
  if (rate_bps <= 20000000)
    print_gaps (count, rate_bps);
  g_print (", \"windows_mbps\": [");
  for (guint w = 0; w < MAX_WINDOWS && w < seconds * 10; w++)
    g_print ("%s%.3f", w ? ", " : "", count->windows[w] * (IP_BYTES * 8.0) / 1e5);
  g_print ("]}\n");
}

int
main (int argc, char **argv)
{
  Count *count = mmap (NULL, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  gboolean busy = FALSE, whole = FALSE;
  RcTime granularity = 0;
  guint64 rate_bps;
  double seconds;
  guint16 port;
  pid_t receiver;

  if (argc < 4) {
    g_printerr ("usage: %s CONTENDER RATE_BPS SECONDS [--busy|--busy=whole] [--granularity US]\n", argv[0]);
    return 2;
  }
  rate_bps = g_ascii_strtoull (argv[2], NULL, 10);
  seconds = g_ascii_strtod (argv[3], NULL);
  for (int i = 4; i < argc; i++) {
    busy |= strcmp (argv[i], "--busy") == 0;
    whole |= strcmp (argv[i], "--busy=whole") == 0;
    if (strcmp (argv[i], "--granularity") == 0 && i + 1 < argc)
      granularity = atoll (argv[++i]) * RC_USEC;
  }
  receiver = start_receiver (count, &port);
  for (guint i = 0; (busy || whole) && i < N_BUSY; i++)
    start_busy (whole ? 0 : seconds / 3, whole ? seconds + 1 : 2 * seconds / 3);
  gst_init (NULL, NULL);
  contend (argv[1], rate_bps, seconds, granularity, port);
  sleep_until (now_ns () + 300 * RC_MSEC);
  count->stop = 1;
  waitpid (receiver, NULL, 0);
  print_count (count, argv[1], rate_bps);
  return 0;
}
