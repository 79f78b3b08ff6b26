/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#define _GNU_SOURCE
#include "relay.h"

#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <unistd.h>

#include "inbox.h"
#include "loop.h"

#define MAX_BATCHES 8           /* reads in a row from one socket: deliveries wait meanwhile */
#define KEY_LISTEN RELAY_MAX_FLOWS      /* beside the flows' indices */

G_STATIC_ASSERT (KEY_LISTEN < LOOP_MAX_KEYS);

typedef struct
{
  Endpoint from;
  int fd;
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
  guint64 refused_pkts;
};

/* The traffic class that the datagram had, with the mark that it got on the way. */
static void
set_tos (struct msghdr *message, const Packet *packet, int family)
{
  int tos = packet->link.ce ? packet->tos | 3 : packet->tos;
  struct cmsghdr *control = message->msg_control;

  if (tos == 0) {
    message->msg_control = NULL;
    message->msg_controllen = 0;
    return;
  }
  control->cmsg_level = family == AF_INET6 ? IPPROTO_IPV6 : IPPROTO_IP;
  control->cmsg_type = family == AF_INET6 ? IPV6_TCLASS : IP_TOS;
  control->cmsg_len = CMSG_LEN (sizeof tos);
  memcpy (CMSG_DATA (control), &tos, sizeof tos);
}

/* On a connected socket an error may belong to an earlier datagram (nobody listened): it is reported once, and this one
 * has not left yet. */
static void
send_packet (Relay *self, int fd, Packet *packet, Endpoint *to, int family)
{
  _Alignas (struct cmsghdr) guint8 control[CMSG_SPACE (sizeof (int))] = { 0 };
  struct iovec vector = { packet->bytes, packet->len };
  struct msghdr message = {
    .msg_name = to ? &to->addr : NULL, .msg_namelen = to ? to->len : 0, .msg_iov = &vector, .msg_iovlen = 1,
    .msg_control = control, .msg_controllen = sizeof control,
  };

  set_tos (&message, packet, family);
  loop_sent (&self->loop, packet, sendmsg (fd, &message, MSG_NOSIGNAL) >= 0
      || (errno == ECONNREFUSED && sendmsg (fd, &message, MSG_NOSIGNAL) >= 0));
}

static void
on_output (Packet *packet, gboolean reverse, gpointer user_data)
{
  Relay *self = user_data;
  Flow *flow = &self->flows[packet->peer];

  if (reverse)
    send_packet (self, self->listen_fd, packet, &flow->from, flow->from.addr.ss_family);
  else
    send_packet (self, flow->fd, packet, NULL, self->options->to.addr.ss_family);
  g_free (packet);
}

static void
name_flow (Relay *self, Flow *flow)
{
  gchar *from = endpoint_to_string (&flow->from), *to = endpoint_to_string (&self->options->to);
  gchar *text = g_strjoin (" ", "udp", from, to, NULL), *reverse_text = g_strjoin (" ", "udp", to, from, NULL);

  flow->text = g_intern_string (text);
  flow->reverse_text = g_intern_string (reverse_text);
  g_free (text);
  g_free (reverse_text);
  g_free (from);
  g_free (to);
}

static Flow *
flow_of (Relay *self, const Endpoint *from)
{
  Flow *flow;

  for (guint i = 0; i < self->n_flows; i++)
    if (endpoint_equal (&self->flows[i].from, from))
      return &self->flows[i];
  if (self->n_flows == RELAY_MAX_FLOWS)
    return NULL;
  flow = &self->flows[self->n_flows];
  *flow = (Flow) { .from = *from, .fd = endpoint_open (NULL, &self->options->to, NULL) };
  if (flow->fd < 0)
    return NULL;
  name_flow (self, flow);
  loop_watch (&self->loop, flow->fd, self->n_flows++);
  return flow;
}

static Packet *
packet_new (const Relay *self, const InboxItem *item, const Flow *flow, gboolean reverse)
{
  Packet *packet = g_malloc (sizeof (Packet) + item->len);

  *packet = (Packet) {
    .link = { .size_bytes = item->len + self->options->overhead_bytes, .ect = (item->tos & 3) != 0 },
    .peer = flow - self->flows, .flow = reverse ? flow->reverse_text : flow->text, .tos = item->tos, .len = item->len,
  };
  memcpy (packet->bytes, item->bytes, item->len);
  return packet;
}

static void
on_forward (Relay *self, const InboxItem *item)
{
  Flow *flow = flow_of (self, &item->from);
  RcTime clock = loop_clock ();

  if (!flow) {
    self->refused_pkts++;
    return;
  }
  loop_begin (&self->loop, item->arrived_at == RC_TIME_NONE ? clock : MIN (item->arrived_at, clock));
  network_arrive (&self->loop.network, packet_new (self, item, flow, FALSE), FALSE,
      loop_time_of (&self->loop, item->arrived_at));
}

static void
on_reverse (Relay *self, const InboxItem *item, Flow *flow)
{
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

void
relay_run (Relay *self, int stop_fd)
{
  loop_run (&self->loop, stop_fd, self->options->start_on_traffic);
}

Relay *
relay_new (Options *options, GError **error)
{
  Relay *self = g_new0 (Relay, 1);

  self->options = options;
  self->listen_fd = endpoint_open (&options->listen, NULL, error);
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
    close (self->flows[i].fd);
  close (self->listen_fd);
  inbox_free (self->inbox);
  g_free (self);
}

gchar *
relay_listen_address (const Relay *self)
{
  Endpoint bound = { .len = sizeof bound.addr };

  getsockname (self->listen_fd, (struct sockaddr *) &bound.addr, &bound.len);
  return endpoint_to_string (&bound);
}

static guint64
total_overflow (const Relay *self)
{
  guint64 n = self->overflow_pkts;

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
  };

  loop_print_summary (&self->loop, facts, G_N_ELEMENTS (facts), file);
}
