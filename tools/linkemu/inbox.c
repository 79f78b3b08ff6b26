/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#define _GNU_SOURCE
#include "inbox.h"

#include <netinet/in.h>
#include <string.h>
#include <time.h>

#define BATCH 32
#define DATAGRAM_BYTES 65536
#define CONTROL_BYTES 256

struct _Inbox
{
  struct mmsghdr messages[BATCH];
  struct iovec vectors[BATCH];
  struct sockaddr_storage from[BATCH];
  guint8 control[BATCH][CONTROL_BYTES];
  guint8 bytes[BATCH][DATAGRAM_BYTES];
  RcTime realtime_offset;       /* CLOCK_REALTIME - CLOCK_MONOTONIC at the last read */
  guint32 overflow_pkts;
};

static RcTime
clock_now (clockid_t clock)
{
  struct timespec t;

  clock_gettime (clock, &t);
  return (RcTime) t.tv_sec * RC_SECOND + t.tv_nsec;
}

Inbox *
inbox_new (void)
{
  return g_new0 (Inbox, 1);
}

void
inbox_free (Inbox *self)
{
  g_free (self);
}

static void
prepare (Inbox *self, guint i)
{
  self->vectors[i] = (struct iovec) { self->bytes[i], DATAGRAM_BYTES };
  self->messages[i].msg_hdr = (struct msghdr) {
    .msg_name = &self->from[i], .msg_namelen = sizeof self->from[i],
    .msg_iov = &self->vectors[i], .msg_iovlen = 1,
    .msg_control = self->control[i], .msg_controllen = CONTROL_BYTES,
  };
}

guint
inbox_read (Inbox *self, int fd)
{
  int n;

  for (guint i = 0; i < BATCH; i++)
    prepare (self, i);
  self->overflow_pkts = 0;
  n = recvmmsg (fd, self->messages, BATCH, MSG_DONTWAIT, NULL);
  /* The kernel stamps in real time, which may be set at any moment: the offset holds for this
   * batch only. */
  self->realtime_offset = clock_now (CLOCK_REALTIME) - clock_now (CLOCK_MONOTONIC);
  return n > 0 ? (guint) n : 0;
}

/* Of an IPv4 group the kernel tells one of ours instead. */
static void
read_destination (struct cmsghdr *control, Endpoint *to)
{
  if (control->cmsg_level == IPPROTO_IP && control->cmsg_type == IP_PKTINFO) {
    struct in_pktinfo info;

    memcpy (&info, CMSG_DATA (control), sizeof info);
    to->addr.ss_family = AF_INET;
    ((struct sockaddr_in *) &to->addr)->sin_addr = info.ipi_spec_dst;
  } else if (control->cmsg_level == IPPROTO_IPV6 && control->cmsg_type == IPV6_PKTINFO) {
    struct in6_pktinfo info;

    memcpy (&info, CMSG_DATA (control), sizeof info);
    to->addr.ss_family = IN6_IS_ADDR_MULTICAST (&info.ipi6_addr) ? AF_UNSPEC : AF_INET6;
    ((struct sockaddr_in6 *) &to->addr)->sin6_addr = info.ipi6_addr;
  }
}

static void
read_control (Inbox *self, struct cmsghdr *control, InboxItem *item)
{
  struct timespec stamp;

  /* One byte of IPv4, an int of IPv6. */
  if (control->cmsg_level == IPPROTO_IP && control->cmsg_type == IP_TOS)
    item->tos = *CMSG_DATA (control);
  if (control->cmsg_level == IPPROTO_IPV6 && control->cmsg_type == IPV6_TCLASS) {
    int traffic_class;

    memcpy (&traffic_class, CMSG_DATA (control), sizeof traffic_class);
    item->tos = (guint8) traffic_class;
  }
  read_destination (control, &item->to);
  if (control->cmsg_level != SOL_SOCKET)
    return;
  if (control->cmsg_type == SCM_TIMESTAMPNS) {
    memcpy (&stamp, CMSG_DATA (control), sizeof stamp);
    item->arrived_at = (RcTime) stamp.tv_sec * RC_SECOND + stamp.tv_nsec - self->realtime_offset;
  } else if (control->cmsg_type == SO_RXQ_OVFL) {
    memcpy (&self->overflow_pkts, CMSG_DATA (control), sizeof self->overflow_pkts);
  }
}

void
inbox_get (Inbox *self, guint i, InboxItem *item)
{
  struct msghdr *message = &self->messages[i].msg_hdr;

  *item = (InboxItem) { .bytes = self->bytes[i], .len = self->messages[i].msg_len,
      .arrived_at = RC_TIME_NONE };
  item->from.addr = self->from[i];
  item->from.len = message->msg_namelen;
  for (struct cmsghdr *c = CMSG_FIRSTHDR (message); c; c = CMSG_NXTHDR (message, c))
    read_control (self, c, item);
}

guint32
inbox_overflow_pkts (const Inbox *self)
{
  return self->overflow_pkts;
}
