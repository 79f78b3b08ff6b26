/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#define _GNU_SOURCE
#include "receiver.h"

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
#define SKIP_S 1.0              /* the start of each flow */
#define SMALL_BUFFER 4096
#define LARGE_BUFFER (32 << 20)

typedef struct
{
  double first_at, from_at, last_at;    /* s */
  uint64_t from_seq, last_seq;  /* extended */
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

static void
receive (int fd, Flow * flows, unsigned n_flows)
{
  static Slot slots[BATCH];
  struct mmsghdr messages[BATCH];
  uint32_t ssrc;
  uint16_t seq;
  int i, n;

  for (i = 0; i < BATCH; i++) {
    slots[i].vector = (struct iovec) { slots[i].header, HEADER_BYTES };
    messages[i].msg_hdr = (struct msghdr) {
      .msg_iov = &slots[i].vector,.msg_iovlen = 1,.msg_control = slots[i].control,.msg_controllen =
          sizeof slots[i].control
    };
  }
  n = recvmmsg (fd, messages, BATCH, MSG_DONTWAIT, NULL);
  for (i = 0; i < n; i++) {
    if (slots[i].header[1] >= 192 && slots[i].header[1] <= 223)
      continue;                 /* RTCP */
    memcpy (&seq, slots[i].header + 2, sizeof seq);
    memcpy (&ssrc, slots[i].header + 8, sizeof ssrc);
    if (ntohl (ssrc) < n_flows)
      take (&flows[ntohl (ssrc)], ntohs (seq), arrival (&messages[i].msg_hdr));
  }
}

static RateErrors
rate_errors (const Flow * flows, unsigned n_flows, double packets_per_second)
{
  RateErrors errors = { -1, -1, 0 };
  double sum = 0;
  unsigned i;

  for (i = 0; i < n_flows; i++) {
    const Flow *flow = &flows[i];
    double ratio;

    if (!flow->measuring || flow->last_at <= flow->from_at)
      continue;
    ratio = (double) (flow->last_seq - flow->from_seq) / (flow->last_at - flow->from_at) / packets_per_second;
    errors.max_ratio = fmax (errors.max_ratio, fabs (ratio - 1));
    sum += fabs (ratio - 1);
    errors.flows++;
  }
  if (errors.flows > 0)
    errors.mean_ratio = sum / errors.flows;
  return errors;
}

static void
run (int fd, int control_fd, int result_fd, bool drain, unsigned n_flows, double packets_per_second)
{
  Flow *flows = calloc (n_flows, sizeof *flows);
  struct pollfd fds[2] = { {control_fd, POLLIN, 0}, {drain ? fd : -1, POLLIN, 0} };
  RateErrors errors;

  while (poll (fds, 2, -1) > 0 && !fds[0].revents)
    receive (fd, flows, n_flows);
  errors = rate_errors (flows, n_flows, packets_per_second);
  check (write (result_fd, &errors, sizeof errors) == sizeof errors, "result");
  free (flows);
}

void
receiver_start (Receiver * self, bool drain, unsigned flows, double packets_per_second)
{
  int control[2], result[2], fd = socket_new (drain, &self->port);

  check (pipe (control) == 0 && pipe (result) == 0, "pipe");
  self->pid = fork ();
  check (self->pid >= 0, "fork");
  if (self->pid == 0) {
    close (control[1]);
    run (fd, control[0], result[1], drain, flows, packets_per_second);
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
