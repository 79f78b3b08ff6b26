/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#define _GNU_SOURCE
#include "count.h"

#include <arpa/inet.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define BATCH 64
#define BUFFER_BYTES (32 << 20)

static void
die (const char *what)
{
  perror (what);
  exit (1);
}

static RcTime
from_timespec (const struct timespec *t)
{
  return (RcTime) t->tv_sec * RC_SECOND + t->tv_nsec;
}

RcTime
count_realtime (void)
{
  struct timespec t;

  clock_gettime (CLOCK_REALTIME, &t);
  return from_timespec (&t);
}

static RcTime
stamp_of (struct msghdr *m, uint32_t *dropped)
{
  RcTime at = 0;

  for (struct cmsghdr *c = CMSG_FIRSTHDR (m); c; c = CMSG_NXTHDR (m, c)) {
    if (c->cmsg_level != SOL_SOCKET)
      continue;
    if (c->cmsg_type == SCM_TIMESTAMPNS) {
      struct timespec t;

      memcpy (&t, CMSG_DATA (c), sizeof t);
      at = from_timespec (&t);
    } else if (c->cmsg_type == SO_RXQ_OVFL) {
      memcpy (dropped, CMSG_DATA (c), sizeof *dropped);
    }
  }
  return at;
}

static void
on_packet (Count *self, RcTime at, uint32_t lost_before)
{
  uint64_t window, third;

  if (self->pkts == 0)
    self->first_at = at;
  self->pkts += 1 + lost_before;
  self->last_at = at;
  window = (uint64_t) ((at - self->first_at) / COUNT_WINDOW);
  if (window < COUNT_MAX_WINDOWS)
    self->windows[window] += 1 + lost_before;
  third = (uint64_t) ((at - self->started_at) * 3 / self->length);
  if (third < 3)
    self->third_pkts[third] += 1 + lost_before;
  if (self->n_stamps < COUNT_MAX_STAMPS)
    self->stamps[self->n_stamps++] = at;
}

static void
receive_all (Count *self, int fd)
{
  static char control[BATCH][128], byte[BATCH];
  static struct mmsghdr m[BATCH];
  static struct iovec iov[BATCH];
  uint32_t dropped = 0, seen = 0;

  while (!self->stop) {
    int n;

    for (int i = 0; i < BATCH; i++) {
      iov[i] = (struct iovec) { &byte[i], 1 };
      m[i].msg_hdr = (struct msghdr) {.msg_iov = &iov[i],.msg_iovlen = 1,.msg_control = control[i],
          .msg_controllen = sizeof control[i] };
    }
    n = recvmmsg (fd, m, BATCH, MSG_WAITFORONE | MSG_TRUNC, NULL);
    for (int i = 0; i < n; i++) {
      RcTime at = stamp_of (&m[i].msg_hdr, &dropped);

      if (m[i].msg_len != COUNT_UDP_BYTES) {
        self->rtcp_bytes += self->pkts > 0 ? m[i].msg_len + RC_OVERHEAD_IPV4_BYTES : 0;
        continue;
      }
      on_packet (self, at, dropped - seen);
      self->dropped = seen = dropped;
    }
  }
}

static int
socket_new (uint16_t *port)
{
  struct sockaddr_in address = {.sin_family = AF_INET,.sin_addr.s_addr = htonl (INADDR_LOOPBACK) };
  struct timeval timeout = { 0, 200000 };
  socklen_t size = sizeof address;
  int one = 1, buffer = BUFFER_BYTES, fd = socket (AF_INET, SOCK_DGRAM, 0);

  if (fd < 0 || bind (fd, (struct sockaddr *) &address, size) < 0
      || getsockname (fd, (struct sockaddr *) &address, &size) < 0
      || setsockopt (fd, SOL_SOCKET, SO_TIMESTAMPNS, &one, sizeof one) < 0
      || setsockopt (fd, SOL_SOCKET, SO_RXQ_OVFL, &one, sizeof one) < 0
      || setsockopt (fd, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout) < 0)
    die ("receiver's socket");
  if (setsockopt (fd, SOL_SOCKET, SO_RCVBUFFORCE, &buffer, sizeof buffer) < 0)
    setsockopt (fd, SOL_SOCKET, SO_RCVBUF, &buffer, sizeof buffer);
  *port = ntohs (address.sin_port);
  return fd;
}

Count *
count_new (void)
{
  Count *self = mmap (NULL, sizeof *self, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
      -1, 0);

  if (self == MAP_FAILED)
    die ("mmap");
  self->length = 1;
  return self;
}

pid_t
count_start (Count *self, uint16_t *port)
{
  int fd = socket_new (port);
  pid_t pid = fork ();

  if (pid < 0)
    die ("fork");
  if (pid == 0) {
    prctl (PR_SET_PDEATHSIG, SIGKILL);
    receive_all (self, fd);
    _exit (0);
  }
  close (fd);
  return pid;
}
