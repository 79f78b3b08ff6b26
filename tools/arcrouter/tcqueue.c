/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "tcqueue.h"

#include <errno.h>
#include <gio/gio.h>
#include <linux/gen_stats.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define REPLY_BYTES 32768       /* what the kernel puts into one message of a dump */

typedef void (*TakeMessage) (const struct nlmsghdr *message, gpointer user_data);

gboolean
tc_queue_open (TcQueue *self, int ifindex, GError **error)
{
  self->ifindex = ifindex;
  self->socket = socket (AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
  if (self->socket < 0)
    g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), "no netlink socket: %s",
        g_strerror (errno));
  return self->socket >= 0;
}

void
tc_queue_close (TcQueue *self)
{
  if (self->socket >= 0)
    close (self->socket);
  self->socket = -1;
}

static gboolean
ask (TcQueue *self, guint16 type, guint32 parent)
{
  struct
  {
    struct nlmsghdr header;
    struct tcmsg tc;
  } request = {
    .header = { sizeof request, type, NLM_F_REQUEST | NLM_F_DUMP, 0, 0 },
    .tc = {.tcm_family = AF_UNSPEC,.tcm_ifindex = self->ifindex,.tcm_parent = parent },
  };

  return send (self->socket, &request, sizeof request, 0) == sizeof request;
}

static void
dump (TcQueue *self, guint16 type, guint32 parent, TakeMessage take, gpointer user_data)
{
  char *reply;
  gboolean done;

  if (!ask (self, type, parent))
    return;
  reply = g_malloc (REPLY_BYTES);
  for (done = FALSE; !done;) {
    ssize_t got = recv (self->socket, reply, REPLY_BYTES, 0);
    const struct nlmsghdr *message = (const struct nlmsghdr *) reply;

    done = got <= 0;
    for (; got > 0 && NLMSG_OK (message, (size_t) got); message = NLMSG_NEXT (message, got)) {
      if (message->nlmsg_type == NLMSG_DONE || message->nlmsg_type == NLMSG_ERROR)
        done = TRUE;
      else
        take (message, user_data);
    }
  }
  g_free (reply);
}

/* --- the backlog --- */

typedef struct
{
  int ifindex;
  guint64 bytes;
} Backlog;

static const struct rtattr *
find_attribute (const struct rtattr *at, gsize bytes, guint16 type)
{
  for (; RTA_OK (at, bytes); at = RTA_NEXT (at, bytes))
    if ((at->rta_type & NLA_TYPE_MASK) == type)
      return at;
  return NULL;
}

static void
take_qdisc (const struct nlmsghdr *message, gpointer user_data)
{
  Backlog *backlog = user_data;
  const struct tcmsg *tc = NLMSG_DATA (message);
  const struct rtattr *found;
  struct gnet_stats_queue queue;

  if (message->nlmsg_type != RTM_NEWQDISC || tc->tcm_ifindex != backlog->ifindex
      || tc->tcm_parent != TC_H_ROOT)
    return;
  found = find_attribute (TCA_RTA (tc), message->nlmsg_len - NLMSG_LENGTH (sizeof *tc), TCA_STATS2);
  if (found)
    found = find_attribute (RTA_DATA (found), RTA_PAYLOAD (found), TCA_STATS_QUEUE);
  if (!found || RTA_PAYLOAD (found) < sizeof queue)
    return;
  memcpy (&queue, RTA_DATA (found), sizeof queue);
  backlog->bytes = queue.backlog;
}

guint64
tc_queue_backlog_bytes (TcQueue *self)
{
  Backlog backlog = { self->ifindex, 0 };

  dump (self, RTM_GETQDISC, 0, take_qdisc, &backlog);
  return backlog.bytes;
}

/* --- filters --- */

static void
take_filter (const struct nlmsghdr *message, gpointer user_data)
{
  if (message->nlmsg_type == RTM_NEWTFILTER)
    *(gboolean *) user_data = TRUE;
}

gboolean
tc_queue_has_filters (TcQueue *self)
{
  gboolean found = FALSE;

  dump (self, RTM_GETTFILTER, TC_H_MAKE (TC_H_CLSACT, TC_H_MIN_INGRESS), take_filter, &found);
  dump (self, RTM_GETTFILTER, TC_H_MAKE (TC_H_CLSACT, TC_H_MIN_EGRESS), take_filter, &found);
  return found;
}
