/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "relayload.h"

#include "rtp/ratestamp.h"

#include <arpa/inet.h>
#include <netinet/udp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef UDP_SEGMENT
#define UDP_SEGMENT 103
#endif
#ifndef UDP_GRO
#define UDP_GRO 104
#endif

#define HEADER_BYTES 28
#define SINK_PAUSE_US 1000
#define SOCKET_BUFFER_BYTES (8 << 20)

int
relay_load_socket (guint port, gboolean bind_it, gboolean trains)
{
  struct sockaddr_in address = {.sin_family = AF_INET,.sin_port = htons ((guint16) port),
      .sin_addr.s_addr = htonl (INADDR_LOOPBACK) };
  int fd = socket (AF_INET, SOCK_DGRAM, 0), bytes = SOCKET_BUFFER_BYTES, failed;
  int option = bind_it ? UDP_GRO : UDP_SEGMENT, value = bind_it ? 1 : RELAY_LOAD_PACKET_BYTES;

  setsockopt (fd, SOL_SOCKET, SO_RCVBUFFORCE, &bytes, sizeof bytes);
  failed = bind_it ? bind (fd, (struct sockaddr *) &address, sizeof address)
      : connect (fd, (struct sockaddr *) &address, sizeof address);
  if (failed)
    g_error ("no socket at port %u", port);
  if (trains && setsockopt (fd, IPPROTO_UDP, option, &value, sizeof value))
    g_error ("the kernel neither joins nor cuts packets");
  return fd;
}

/* --- senders --- */

guint8 *
relay_load_train (RcTime rtt)
{
  static const guint8 header[RELAY_LOAD_STAMP_AT] = { 0x90, 96, [12] = 0xbe, 0xde, 0, 3,
    RATE_STAMP_ID << 4 | 7 };
  guint8 *train = g_malloc0 (RELAY_LOAD_MAX_TRAIN * RELAY_LOAD_PACKET_BYTES);

  for (guint i = 0; i < RELAY_LOAD_MAX_TRAIN; i++) {
    memcpy (train + i * RELAY_LOAD_PACKET_BYTES, header, sizeof header);
    rate_stamp_write (train + i * RELAY_LOAD_PACKET_BYTES + sizeof header, rtt);
  }
  return train;
}

static void
send_flows (const RelayLoad * load)
{
  guint8 *train = relay_load_train (50 * RC_MSEC);
  gdouble train_us = load->train_pkts * (RELAY_LOAD_PACKET_BYTES + HEADER_BYTES) * 8e6 / load->bps;
  gint64 began = g_get_monotonic_time (), end = began + load->seconds * G_USEC_PER_SEC;
  int fds[RELAY_LOAD_MAX_FLOWS];

  for (guint i = 0; i < load->flows; i++)
    fds[i] = relay_load_socket (load->port, FALSE, load->train_pkts > 1);
  prctl (PR_SET_TIMERSLACK, 1UL, 0, 0, 0);
  for (guint64 n = 0;; n++) {
    gint64 due = began + (gint64) (n * train_us), now = g_get_monotonic_time ();

    if (now >= end)
      break;
    if (due > now)
      g_usleep ((gulong) (due - now));
    if (send (fds[n % load->flows], train, load->train_pkts * RELAY_LOAD_PACKET_BYTES, 0) < 0)
      continue;                 /* nobody hears yet */
  }
}

/* --- the sink --- */

static void
drain (const RelayLoad * load)
{
  static gchar data[65536];
  int fd = relay_load_socket (load->host_port, TRUE, load->whole_trains);

  for (;;) {
    while (recv (fd, data, sizeof data, MSG_DONTWAIT | MSG_TRUNC) >= 0);
    g_usleep (SINK_PAUSE_US);
  }
}

/* --- processes --- */

static pid_t
fork_to (void (*run) (const RelayLoad *), const RelayLoad * load)
{
  pid_t pid = fork ();

  if (pid < 0)
    g_error ("no process");
  if (pid > 0)
    return pid;
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  run (load);
  _exit (0);
}

pid_t
relay_load_send (const RelayLoad * load)
{
  return fork_to (send_flows, load);
}

pid_t
relay_load_sink (const RelayLoad * load)
{
  return fork_to (drain, load);
}

void
relay_load_stop (pid_t pid)
{
  kill (pid, SIGKILL);
  waitpid (pid, NULL, 0);
}
