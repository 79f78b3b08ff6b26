/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#define _GNU_SOURCE
#include "costreceiver.h"

#include <arpa/inet.h>
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define BATCH 64
#define HEADER_BYTES 12
#define OVERHEAD_BYTES 28
#define SKIP_S 1.0              /* the start of each flow */
#define SMALL_BUFFER 4096
#define LARGE_BUFFER (32 << 20)
/* Between two looks: woken by each packet, it would cost the sender a wake-up each. */
#define REST_MS 2

typedef struct
{
  double first_at, from_at, last_at;    /* s */
  uint64_t from_seq, last_seq;  /* extended */
  uint64_t rtcp_bytes;          /* since from_at */
  unsigned media_bytes;         /* of one packet */
  bool seen, measuring;
} Flow;

typedef struct
{
  uint8_t header[HEADER_BYTES], control[CMSG_SPACE (sizeof (struct timespec))];
  struct iovec vector;
} Slot;

static void
check (bool ok, const char *what)
{
  if (ok)
    return;
  perror (what);
  exit (1);
}

static int
socket_new (bool drain, unsigned *port)
{
  struct sockaddr_in address = {.sin_family = AF_INET,.sin_addr.s_addr = htonl (INADDR_LOOPBACK) };
  socklen_t size = sizeof address;
  int fd = socket (AF_INET, SOCK_DGRAM, 0), buffer = drain ? LARGE_BUFFER : SMALL_BUFFER, on = 1;

  check (fd >= 0 && bind (fd, (struct sockaddr *) &address, size) == 0, "receiver");
  if (!drain || setsockopt (fd, SOL_SOCKET, SO_RCVBUFFORCE, &buffer, sizeof buffer) < 0)
    setsockopt (fd, SOL_SOCKET, SO_RCVBUF, &buffer, sizeof buffer);
  if (drain)
    setsockopt (fd, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
  getsockname (fd, (struct sockaddr *) &address, &size);
  *port = ntohs (address.sin_port);
  return fd;
}

static void
take (Flow * flow, uint16_t seq, double at)
{
  if (!flow->seen) {
    flow->seen = true;
    flow->first_at = at;
    flow->last_seq = 0x10000 + seq;
  }
  flow->last_seq += (int16_t) (seq - (uint16_t) flow->last_seq);
  flow->last_at = at;
  if (!flow->measuring && at - flow->first_at >= SKIP_S) {
    flow->measuring = true;
    flow->from_at = at;
    flow->from_seq = flow->last_seq;
  }
}

static double
arrival (struct msghdr *message)
{
  struct cmsghdr *c = CMSG_FIRSTHDR (message);
  struct timespec t;

  check (c && c->cmsg_type == SCM_TIMESTAMPNS, "arrival time");
  memcpy (&t, CMSG_DATA (c), sizeof t);
  return (double) t.tv_sec + (double) t.tv_nsec * 1e-9;
}

static bool
is_rtcp (const uint8_t * header)
{
  return header[1] >= 192 && header[1] <= 223;
}

static void
take_datagram (Slot * slot, struct mmsghdr *message, Flow * flows, unsigned n_flows)
{
  uint32_t ssrc;
  uint16_t seq;

  memcpy (&ssrc, slot->header + (is_rtcp (slot->header) ? 4 : 8), sizeof ssrc);
  memcpy (&seq, slot->header + 2, sizeof seq);
  if (ntohl (ssrc) >= n_flows)
    return;
  if (is_rtcp (slot->header)) {
    flows[ntohl (ssrc)].rtcp_bytes += flows[ntohl (ssrc)].measuring
        ? message->msg_len + OVERHEAD_BYTES : 0;
    return;
  }
  flows[ntohl (ssrc)].media_bytes = message->msg_len + OVERHEAD_BYTES;
  take (&flows[ntohl (ssrc)], ntohs (seq), arrival (&message->msg_hdr));
}

/* FALSE: nothing was there. */
static bool
receive (int fd, Flow * flows, unsigned n_flows)
{
  static Slot slots[BATCH];
  struct mmsghdr messages[BATCH];
  int i, n;

  for (i = 0; i < BATCH; i++) {
    slots[i].vector = (struct iovec) { slots[i].header, HEADER_BYTES };
    messages[i].msg_hdr = (struct msghdr) {
      .msg_iov = &slots[i].vector,.msg_iovlen = 1,.msg_control = slots[i].control,.msg_controllen =
          sizeof slots[i].control
    };
  }
  n = recvmmsg (fd, messages, BATCH, MSG_DONTWAIT | MSG_TRUNC, NULL);
  for (i = 0; i < n; i++)
    take_datagram (&slots[i], &messages[i], flows, n_flows);
  return n > 0;
}

static RateErrors
rate_errors (const Flow * flows, unsigned n_flows, double rate_bps)
{
  RateErrors errors = { -1, -1, 0 };
  double sum = 0;
  unsigned i;

  for (i = 0; i < n_flows; i++) {
    const Flow *flow = &flows[i];
    double bytes, ratio;

    if (!flow->measuring || flow->last_at <= flow->from_at)
      continue;
    bytes = (double) (flow->last_seq - flow->from_seq) * flow->media_bytes
        + (double) flow->rtcp_bytes;
    ratio = bytes * 8 / (flow->last_at - flow->from_at) / rate_bps;
    errors.max_ratio = fmax (errors.max_ratio, fabs (ratio - 1));
    sum += fabs (ratio - 1);
    errors.flows++;
  }
  if (errors.flows > 0)
    errors.mean_ratio = sum / errors.flows;
  return errors;
}

static void
run (int fd, int control_fd, int result_fd, bool drain, unsigned n_flows, double rate_bps)
{
  Flow *flows = calloc (n_flows, sizeof *flows);
  struct pollfd control = { control_fd, POLLIN, 0 };
  RateErrors errors;

  while (poll (&control, 1, drain ? REST_MS : -1) == 0)
    while (receive (fd, flows, n_flows));
  errors = rate_errors (flows, n_flows, rate_bps);
  check (write (result_fd, &errors, sizeof errors) == sizeof errors, "result");
  free (flows);
}

void
receiver_start (Receiver * self, bool drain, unsigned flows, double rate_bps)
{
  int control[2], result[2], fd = socket_new (drain, &self->port);

  check (pipe (control) == 0 && pipe (result) == 0, "pipe");
  self->pid = fork ();
  check (self->pid >= 0, "fork");
  if (self->pid == 0) {
    close (control[1]);
    run (fd, control[0], result[1], drain, flows, rate_bps);
    _exit (0);
  }
  close (fd);
  close (control[0]);
  close (result[1]);
  self->control_fd = control[1];
  self->result_fd = result[0];
}

RateErrors
receiver_stop (Receiver * self)
{
  RateErrors errors;

  close (self->control_fd);
  check (read (self->result_fd, &errors, sizeof errors) == sizeof errors, "result");
  close (self->result_fd);
  waitpid (self->pid, NULL, 0);
  return errors;
}
