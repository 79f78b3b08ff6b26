/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#define _GNU_SOURCE
#include "udprelay.h"

#include <errno.h>
#include <gio/gio.h>
#include <netinet/in.h>
#include <string.h>
#include <unistd.h>

#include "inbox.h"
#include "eventloop.h"

#define MAX_BATCHES 8           /* reads in a row from one socket: deliveries wait meanwhile */
#define KEY_LISTEN RELAY_MAX_FLOWS      /* beside the flows' indices */

G_STATIC_ASSERT (KEY_LISTEN < LOOP_MAX_KEYS);

typedef struct
{
  Endpoint from, to; /* the sender; which of our addresses it used last: answers leave from it */
  int fd;
  guint number;                 /* of the sender, ever; its place is the rest by RELAY_MAX_FLOWS */
  RcTime active_at;
  guint32 overflow_pkts;
  const gchar *text, *reverse_text;     /* for the log */
} Flow;

struct _Relay
{
  Options *options;
  Loop loop;
  int listen_fd;
  Flow flows[RELAY_MAX_FLOWS];
  guint n_flows;
  Inbox *inbox;
  guint32 overflow_pkts;        /* of the listen socket */
  guint64 overflow_pkts_of_gone;
  guint64 refused_pkts, orphan_pkts;
};

/* Behind what is there. */
static void
add_control (struct msghdr *message, int level, int type, const void *data, gsize size)
{
  struct cmsghdr *control = (struct cmsghdr *) ((guint8 *) message->msg_control
      + message->msg_controllen);

  control->cmsg_level = level;
  control->cmsg_type = type;
  control->cmsg_len = CMSG_LEN (size);
  memcpy (CMSG_DATA (control), data, size);
  message->msg_controllen += CMSG_SPACE (size);
}

/* The traffic class that the datagram had, with the mark that it got on the way. */
static void
add_tos (struct msghdr *message, const Packet *packet, int family)
{
  int tos = packet->link.ecn == LINK_ECN_CE ? packet->tos | 3 : packet->tos;

  if (tos != 0)
    add_control (message, family == AF_INET6 ? IPPROTO_IPV6 : IPPROTO_IP,
        family == AF_INET6 ? IPV6_TCLASS : IP_TOS, &tos, sizeof tos);
}

static void
add_source (struct msghdr *message, const Endpoint *from)
{
  if (from->addr.ss_family == AF_INET6) {
    struct in6_pktinfo info =
        { .ipi6_addr = ((const struct sockaddr_in6 *) &from->addr)->sin6_addr };

    add_control (message, IPPROTO_IPV6, IPV6_PKTINFO, &info, sizeof info);
  } else if (from->addr.ss_family == AF_INET) {
    struct in_pktinfo info =
        { .ipi_spec_dst = ((const struct sockaddr_in *) &from->addr)->sin_addr };

    add_control (message, IPPROTO_IP, IP_PKTINFO, &info, sizeof info);
  }
}

/* answer_to: NULL on a connected socket, where an error may belong to an earlier datagram
 * (nobody listened): it is reported once, and this one has not left yet. */
static void
send_packet (Relay *self, int fd, Packet *packet, Flow *answer_to, int family)
{
  _Alignas (struct cmsghdr) guint8 control[CMSG_SPACE (sizeof (int))
      + CMSG_SPACE (sizeof (struct in6_pktinfo))] = { 0 };
  struct iovec vector = { packet->bytes, packet->len };
  struct msghdr message = { .msg_iov = &vector, .msg_iovlen = 1, .msg_control = control };

  add_tos (&message, packet, family);
  if (answer_to) {
    message.msg_name = &answer_to->from.addr;
    message.msg_namelen = answer_to->from.len;
    add_source (&message, &answer_to->to);
  }
  loop_sent (&self->loop, packet, sendmsg (fd, &message, MSG_NOSIGNAL) >= 0
      || (errno == ECONNREFUSED && sendmsg (fd, &message, MSG_NOSIGNAL) >= 0));
}

static void
on_output (Packet *packet, gboolean reverse, gpointer user_data)
{
  Relay *self = user_data;
  Flow *flow = &self->flows[packet->peer % RELAY_MAX_FLOWS];

  if (flow->number != packet->peer)
    self->orphan_pkts++;        /* another has its sender's place meanwhile */
  else if (reverse)
    send_packet (self, self->listen_fd, packet, flow, flow->from.addr.ss_family);
  else
    send_packet (self, flow->fd, packet, NULL, self->options->to.addr.ss_family);
  g_free (packet);
}

static void
name_flow (Relay *self, Flow *flow)
{
  gchar *from = endpoint_to_string (&flow->from), *to = endpoint_to_string (&self->options->to);
  gchar *text = g_strjoin (" ", "udp", from, to, NULL),
      *reverse_text = g_strjoin (" ", "udp", to, from, NULL);

  flow->text = g_intern_string (text);
  flow->reverse_text = g_intern_string (reverse_text);
  g_free (text);
  g_free (reverse_text);
  g_free (from);
  g_free (to);
}

/* NULL: all are taken by senders that are there. */
static Flow *
free_place (Relay *self, RcTime clock)
{
  Flow *idlest = &self->flows[0];

  if (self->n_flows < RELAY_MAX_FLOWS) {
    self->flows[self->n_flows] = (Flow) { .number = self->n_flows, .fd = -1 };
    return &self->flows[self->n_flows++];
  }
  for (guint i = 1; i < RELAY_MAX_FLOWS; i++)
    if (self->flows[i].active_at < idlest->active_at)
      idlest = &self->flows[i];
  if (clock - idlest->active_at < RELAY_FLOW_IDLE)
    return NULL;
  self->overflow_pkts_of_gone += idlest->overflow_pkts;
  if (idlest->fd >= 0)
    close (idlest->fd);         /* leaves the loop by that */
  *idlest = (Flow) { .number = idlest->number + RELAY_MAX_FLOWS, .fd = -1 };
  return idlest;
}

static Flow *
flow_of (Relay *self, const Endpoint *from, RcTime clock)
{
  Flow *flow;

  for (guint i = 0; i < self->n_flows; i++)
    if (endpoint_equal (&self->flows[i].from, from))
      return &self->flows[i];
  flow = free_place (self, clock);
  if (!flow)
    return NULL;
  flow->fd = endpoint_open (NULL, &self->options->to, NULL);
  if (flow->fd < 0)
    return NULL;                /* its place is idle */
  flow->from = *from;
  name_flow (self, flow);
  loop_watch (&self->loop, flow->fd, flow - self->flows);
  return flow;
}

static Packet *
packet_new (const Relay *self, const InboxItem *item, const Flow *flow, gboolean reverse)
{
  Packet *packet = g_malloc (sizeof (Packet) + item->len);

  *packet = (Packet) {
    .link = { .size_bytes = item->len + self->options->overhead_bytes,
        .ecn = (LinkEcn) (item->tos & 3) },
    .peer = flow->number, .flow = reverse ? flow->reverse_text : flow->text, .tos = item->tos,
    .len = item->len,
  };
  memcpy (packet->bytes, item->bytes, item->len);
  return packet;
}

static void
on_forward (Relay *self, const InboxItem *item)
{
  RcTime clock = loop_clock ();
  Flow *flow = flow_of (self, &item->from, clock);

  if (!flow) {
    self->refused_pkts++;
    return;
  }
  flow->active_at = clock;
  flow->to = item->to;
  loop_begin (&self->loop,
      item->arrived_at == RC_TIME_NONE ? clock : MIN (item->arrived_at, clock));
  network_arrive (&self->loop.network, packet_new (self, item, flow, FALSE), FALSE,
      loop_time_of (&self->loop, item->arrived_at));
}

static void
on_reverse (Relay *self, const InboxItem *item, Flow *flow)
{
  flow->active_at = loop_clock ();
  network_arrive (&self->loop.network, packet_new (self, item, flow, TRUE), TRUE,
      loop_time_of (&self->loop, item->arrived_at));
}

static void
read_socket (Relay *self, int fd, Flow *flow)
{
  guint32 *overflow_pkts = flow ? &flow->overflow_pkts : &self->overflow_pkts;
  InboxItem item;
  guint n;

  for (guint batch = 0; batch < MAX_BATCHES && (n = inbox_read (self->inbox, fd)) > 0; batch++) {
    for (guint i = 0; i < n; i++) {
      inbox_get (self->inbox, i, &item);
      if (flow)
        on_reverse (self, &item, flow);
      else
        on_forward (self, &item);
    }
    *overflow_pkts = MAX (*overflow_pkts, inbox_overflow_pkts (self->inbox));
  }
}

static void
on_readable (guint key, gpointer user_data)
{
  Relay *self = user_data;

  if (key == KEY_LISTEN)
    read_socket (self, self->listen_fd, NULL);
  else
    read_socket (self, self->flows[key].fd, &self->flows[key]);
}

gboolean
relay_run (Relay *self, int stop_fd, GError **error)
{
  return loop_run (&self->loop, stop_fd, self->options->start_on_traffic, error);
}

static Endpoint
bound_to (int fd)
{
  Endpoint bound = { .len = sizeof bound.addr };

  getsockname (fd, (struct sockaddr *) &bound.addr, &bound.len);
  return bound;
}

static int
open_listener (const Options *options, GError **error)
{
  int fd = endpoint_open (&options->listen, NULL, error);
  Endpoint bound;

  if (fd < 0)
    return -1;
  bound = bound_to (fd);
  if (!endpoint_hears (&bound, &options->to))
    return fd;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
      "--to: it is where --listen is, so that each datagram would come back for ever");
  close (fd);
  return -1;
}

Relay *
relay_new (Options *options, GError **error)
{
  Relay *self = g_new0 (Relay, 1);

  self->options = options;
  self->listen_fd = open_listener (options, error);
  if (self->listen_fd < 0) {
    g_free (self);
    return NULL;
  }
  if (!loop_init (&self->loop, options, on_output, on_readable, self, error)) {
    close (self->listen_fd);
    g_free (self);
    return NULL;
  }
  self->inbox = inbox_new ();
  loop_watch (&self->loop, self->listen_fd, KEY_LISTEN);
  return self;
}

void
relay_free (Relay *self)
{
  loop_clear (&self->loop);
  for (guint i = 0; i < self->n_flows; i++)
    if (self->flows[i].fd >= 0)
      close (self->flows[i].fd);
  close (self->listen_fd);
  inbox_free (self->inbox);
  g_free (self);
}

gchar *
relay_listen_address (const Relay *self)
{
  Endpoint bound = bound_to (self->listen_fd);

  return endpoint_to_string (&bound);
}

static guint64
total_overflow (const Relay *self)
{
  guint64 n = self->overflow_pkts + self->overflow_pkts_of_gone;

  for (guint i = 0; i < self->n_flows; i++)
    n += self->flows[i].overflow_pkts;
  return n;
}

void
relay_print_summary (const Relay *self, FILE *file)
{
  const LoopFact facts[] = {
    {"socket overflows", total_overflow (self)},
    {"refused for too many senders", self->refused_pkts},
    {"of senders that are gone", self->orphan_pkts},
  };

  loop_print_summary (&self->loop, facts, G_N_ELEMENTS (facts), file);
}
