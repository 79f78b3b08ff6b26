/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#define _GNU_SOURCE
#include "relay.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

#include "inbox.h"
#include "lateness.h"
#include "trunk.h"

#define MAX_BATCHES 8           /* reads in a row from one socket: deliveries wait meanwhile */
#define REVERSE_SEED UINT64_C (0x5245564552534521)      /* any: only that both ways do not lose in step */

typedef struct
{
  Endpoint from;
  int fd;
  guint32 overflow_pkts;
} Flow;

/* epoll keys beside the flows' indices */
enum
{
  KEY_LISTEN = RELAY_MAX_FLOWS,
  KEY_STOP,
  N_KEYS,
};

struct _Relay
{
  Options *options;
  int listen_fd, epoll_fd;
  Flow flows[RELAY_MAX_FLOWS];
  guint n_flows;
  Inbox *inbox;
  Log log;
  Trunk trunk;
  Link reverse;
  RcTime reverse_now;
  RcTime origin;                /* time 0 in the monotonic clock; RC_TIME_NONE: not begun */
  gboolean stopping;
  Lateness lateness;
  guint32 overflow_pkts;        /* of the listen socket */
  guint64 send_errors, refused_pkts, reverse_blackout_pkts;
};

static RcTime
clock_now (void)
{
  struct timespec t;

  clock_gettime (CLOCK_MONOTONIC, &t);
  return (RcTime) t.tv_sec * RC_SECOND + t.tv_nsec;
}

static void
watch (Relay *self, int fd, guint key)
{
  struct epoll_event event = { .events = EPOLLIN, .data.u32 = key };

  epoll_ctl (self->epoll_fd, EPOLL_CTL_ADD, fd, &event);
}

/* On a connected socket an error may belong to an earlier datagram (nobody listened): it is reported once, and this one
 * has not left yet. */
static void
send_packet (Relay *self, int fd, const Packet *packet, const Endpoint *to)
{
  const struct sockaddr *addr = to ? (const struct sockaddr *) &to->addr : NULL;
  socklen_t len = to ? to->len : 0;

  if (sendto (fd, packet->bytes, packet->len, MSG_NOSIGNAL, addr, len) < 0
      && (errno != ECONNREFUSED || sendto (fd, packet->bytes, packet->len, MSG_NOSIGNAL, addr, len) < 0))
    self->send_errors++;
  lateness_add (&self->lateness, clock_now () - self->origin - packet->link.deliver_at);
}

static void
on_trunk_output (Packet *packet, gpointer user_data)
{
  Relay *self = user_data;

  send_packet (self, self->flows[packet->flow].fd, packet, NULL);
  g_free (packet);
}

static void
deliver_reverse (Relay *self, RcTime now)
{
  LinkPacket *packet;

  self->reverse_now = MAX (self->reverse_now, now);
  while ((packet = link_deliver (&self->reverse, self->reverse_now))) {
    send_packet (self, self->listen_fd, (Packet *) packet, &self->flows[((Packet *) packet)->flow].from);
    g_free (packet);
  }
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
  watch (self, flow->fd, self->n_flows++);
  return flow;
}

static Packet *
packet_new (const Relay *self, const InboxItem *item, const Flow *flow)
{
  Packet *packet = g_malloc (sizeof (Packet) + item->len);

  packet->link.size_bytes = item->len + self->options->overhead_bytes;
  packet->flow = flow - self->flows;
  packet->len = item->len;
  memcpy (packet->bytes, item->bytes, item->len);
  return packet;
}

/* Since time 0, never in the future. */
static RcTime
arrival_of (const Relay *self, const InboxItem *item, RcTime now)
{
  return item->arrived_at == RC_TIME_NONE ? now : CLAMP (item->arrived_at - self->origin, 0, now);
}

static void
on_forward (Relay *self, const InboxItem *item)
{
  Flow *flow = flow_of (self, &item->from);
  RcTime now = clock_now ();

  if (!flow) {
    self->refused_pkts++;
    return;
  }
  if (self->origin == RC_TIME_NONE)
    self->origin = item->arrived_at == RC_TIME_NONE ? now : MIN (item->arrived_at, now);
  trunk_arrive (&self->trunk, packet_new (self, item, flow), arrival_of (self, item, now - self->origin));
}

static void
on_reverse (Relay *self, const InboxItem *item, Flow *flow)
{
  RcTime now = arrival_of (self, item, clock_now () - self->origin);
  Packet *packet = packet_new (self, item, flow);

  trunk_advance (&self->trunk, now);
  deliver_reverse (self, now);
  self->trunk.totals.reverse_bytes += packet->link.size_bytes;
  if (schedule_is_dark (&self->options->schedule, now)) {
    self->reverse_blackout_pkts++;
    g_free (packet);
  } else if (link_arrive (&self->reverse, &packet->link, self->reverse_now) != LINK_TAKEN) {
    g_free (packet);
  }
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

static RcTime
next_at (Relay *self)
{
  RcTime at = trunk_next_at (&self->trunk), reverse_at = link_next_at (&self->reverse, self->reverse_now);

  if (reverse_at != RC_TIME_NONE)
    at = MIN (at, reverse_at);
  return self->options->duration == RC_TIME_NONE ? at : MIN (at, self->options->duration);
}

/* ppoll() on the epoll set: it sleeps by the nanosecond and is as old as epoll_pwait2() is new. */
static void
sleep_until_due (Relay *self)
{
  struct pollfd poll_fd = { self->epoll_fd, POLLIN, 0 };
  struct timespec timeout;
  RcTime wait;

  if (self->origin == RC_TIME_NONE) {
    ppoll (&poll_fd, 1, NULL, NULL);
    return;
  }
  wait = self->origin + next_at (self) - clock_now ();
  wait = MAX (wait, 0);         /* in two steps: the macro would read the clock twice */
  timeout.tv_sec = wait / RC_SECOND;
  timeout.tv_nsec = wait % RC_SECOND;
  ppoll (&poll_fd, 1, &timeout, NULL);
}

static void
pass_time (Relay *self, RcTime clock)
{
  RcTime duration = self->options->duration, now = clock - self->origin;

  if (self->origin == RC_TIME_NONE)
    return;
  if (duration != RC_TIME_NONE && now >= duration) {
    now = duration;
    self->stopping = TRUE;
  }
  trunk_advance (&self->trunk, now);
  deliver_reverse (self, now);
}

static void
on_event (Relay *self, guint key)
{
  if (key == KEY_STOP)
    self->stopping = TRUE;
  else if (key == KEY_LISTEN)
    read_socket (self, self->listen_fd, NULL);
  else
    read_socket (self, self->flows[key].fd, &self->flows[key]);
}

/* Time passes only up to the moment before the sockets were looked at: whatever came until then is in, at its own time,
 * even if the scheduler forgot us meanwhile. */
void
relay_run (Relay *self, int stop_fd)
{
  struct epoll_event events[N_KEYS];

  watch (self, stop_fd, KEY_STOP);
  if (!self->options->start_on_traffic)
    self->origin = clock_now ();
  while (!self->stopping) {
    RcTime clock;
    int n;

    sleep_until_due (self);
    clock = clock_now ();
    n = epoll_wait (self->epoll_fd, events, N_KEYS, 0);
    for (int i = 0; i < n; i++)
      on_event (self, events[i].data.u32);
    pass_time (self, clock);
  }
}

Relay *
relay_new (Options *options, GError **error)
{
  Relay *self = g_new0 (Relay, 1);

  self->options = options;
  self->origin = RC_TIME_NONE;
  self->inbox = inbox_new ();
  self->epoll_fd = epoll_create1 (EPOLL_CLOEXEC);
  self->listen_fd = endpoint_open (&options->listen, NULL, error);
  if (self->listen_fd < 0 || !log_open (&self->log, options->log, options->packets, options->interval, error)) {
    relay_free (self);
    return NULL;
  }
  watch (self, self->listen_fd, KEY_LISTEN);
  trunk_init (&self->trunk, &options->forward, options->seed, &options->schedule, &self->log, on_trunk_output, self);
  link_init (&self->reverse, &options->reverse, options->seed ^ REVERSE_SEED);
  return self;
}

void
relay_free (Relay *self)
{
  packet_free_all (&self->trunk.link);
  packet_free_all (&self->reverse);
  for (guint i = 0; i < self->n_flows; i++)
    close (self->flows[i].fd);
  if (self->listen_fd >= 0)
    close (self->listen_fd);
  close (self->epoll_fd);
  log_close (&self->log);
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
  const Link *forward = &self->trunk.link, *reverse = &self->reverse;
  const struct
  {
    const char *name;
    guint64 value;
  } facts[] = {
    {"forward packets", forward->arrived_pkts + self->trunk.blackout_pkts},
    {"delivered", forward->delivered_pkts},
    {"tail drops", forward->tail_dropped_pkts},
    {"random losses", forward->random_lost_pkts},
    {"blackout drops", self->trunk.blackout_pkts},
    {"reverse packets", reverse->arrived_pkts + self->reverse_blackout_pkts},
    {"reverse delivered", reverse->delivered_pkts},
    {"lateness p50 us", lateness_quantile (&self->lateness, 0.5)},
    {"lateness p99 us", lateness_quantile (&self->lateness, 0.99)},
    {"socket overflows", total_overflow (self)},
    {"send errors", self->send_errors},
    {"refused for too many senders", self->refused_pkts},
  };

  fputs ("linkemu", file);
  for (guint i = 0; i < G_N_ELEMENTS (facts); i++)
    fprintf (file, "%s %s %" G_GUINT64_FORMAT, i ? "," : ":", facts[i].name, facts[i].value);
  fputc ('\n', file);
}
