/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#define _GNU_SOURCE
#include "eventloop.h"

#include <poll.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

#define KEY_STOP LOOP_MAX_KEYS

RcTime
loop_clock (void)
{
  struct timespec t;

  clock_gettime (CLOCK_MONOTONIC, &t);
  return (RcTime) t.tv_sec * RC_SECOND + t.tv_nsec;
}

gboolean
loop_init (Loop *self, Options *options, NetworkOutput output, LoopReadable on_readable,
    gpointer user_data, GError **error)
{
  NetworkLinkFiles forward = { &options->schedule, options->log, options->packets };
  NetworkLinkFiles reverse = { &options->reverse_schedule, options->reverse_log,
      options->reverse_packets };

  self->origin = RC_TIME_NONE;
  self->duration = options->duration;
  self->on_readable = on_readable;
  self->user_data = user_data;
  if (!network_init (&self->network, &options->topology, options->seed, &forward, &reverse,
          options->interval, output, user_data, error))
    return FALSE;
  self->epoll_fd = epoll_create1 (EPOLL_CLOEXEC);
  return TRUE;
}

void
loop_clear (Loop *self)
{
  network_clear (&self->network);
  close (self->epoll_fd);
}

void
loop_watch (Loop *self, int fd, guint key)
{
  struct epoll_event event = { .events = EPOLLIN, .data.u32 = key };

  epoll_ctl (self->epoll_fd, EPOLL_CTL_ADD, fd, &event);
}

void
loop_begin (Loop *self, RcTime clock)
{
  if (self->origin == RC_TIME_NONE)
    self->origin = clock;
}

RcTime
loop_time_of (const Loop *self, RcTime clock)
{
  RcTime now = loop_clock () - self->origin;

  return clock == RC_TIME_NONE ? now : CLAMP (clock - self->origin, 0, now);
}

void
loop_sent (Loop *self, const Packet *packet, gboolean ok)
{
  if (!ok)
    self->send_errors++;
  lateness_add (&self->lateness, loop_clock () - self->origin - packet->link.deliver_at);
}

static RcTime
next_at (Loop *self)
{
  RcTime at = network_next_at (&self->network);

  return self->duration == RC_TIME_NONE ? at : MIN (at, self->duration);
}

/* ppoll() on the epoll set: it sleeps by the nanosecond and is as old as epoll_pwait2() is new. */
static void
sleep_until_due (Loop *self)
{
  struct pollfd poll_fd = { self->epoll_fd, POLLIN, 0 };
  struct timespec timeout;
  RcTime wait;

  if (self->origin == RC_TIME_NONE) {
    ppoll (&poll_fd, 1, NULL, NULL);
    return;
  }
  wait = self->origin + next_at (self) - loop_clock ();
  wait = MAX (wait, 0);         /* in two steps: the macro would read the clock twice */
  timeout.tv_sec = wait / RC_SECOND;
  timeout.tv_nsec = wait % RC_SECOND;
  ppoll (&poll_fd, 1, &timeout, NULL);
}

static void
pass_time (Loop *self, RcTime clock)
{
  RcTime now = clock - self->origin;

  if (self->origin == RC_TIME_NONE)
    return;
  if (self->duration != RC_TIME_NONE && now >= self->duration) {
    now = self->duration;
    self->stopping = TRUE;
  }
  network_advance (&self->network, now);
}

/* Time passes only up to the moment before the descriptors were looked at: whatever came until
 * then is in, at its own time, even if the scheduler forgot us meanwhile. */
gboolean
loop_run (Loop *self, int stop_fd, gboolean start_on_traffic, GError **error)
{
  struct epoll_event events[LOOP_MAX_KEYS + 1];

  loop_watch (self, stop_fd, KEY_STOP);
  if (!start_on_traffic)
    loop_begin (self, loop_clock ());
  while (!self->stopping) {
    RcTime clock;
    int n;

    sleep_until_due (self);
    clock = loop_clock ();
    n = epoll_wait (self->epoll_fd, events, G_N_ELEMENTS (events), 0);
    for (int i = 0; i < n; i++) {
      if (events[i].data.u32 == KEY_STOP)
        self->stopping = TRUE;
      else
        self->on_readable (events[i].data.u32, self->user_data);
    }
    pass_time (self, clock);
  }
  return network_close_logs (&self->network, error);
}

static guint64
hops_sum (const Network *network, guint64 (*value) (const Trunk * trunk))
{
  guint64 sum = 0;

  for (guint i = 0; i < network->topology->n_hops; i++)
    sum += value (&network->hops[i].trunk);
  return sum;
}

static guint64
tail_drops (const Trunk *trunk)
{
  return trunk->link.tail_dropped_pkts;
}

static guint64
aqm_drops (const Trunk *trunk)
{
  return trunk->link.queues.aqm_dropped_pkts;
}

static guint64
marks (const Trunk *trunk)
{
  return trunk->link.queues.marked_pkts;
}

static void
print_facts (const LoopFact *facts, guint n_facts, FILE *file)
{
  for (guint i = 0; i < n_facts; i++)
    fprintf (file, ", %s %" G_GUINT64_FORMAT, facts[i].name, facts[i].value);
}

void
loop_print_summary (const Loop *self, const LoopFact *own, guint n_own, FILE *file)
{
  const Network *network = &self->network;
  const Trunk *first = &network->hops[0].trunk, *reverse = &network->reverse.trunk;
  const LoopFact facts[] = {
    {"delivered", first->link.delivered_pkts},
    {"tail drops", hops_sum (network, tail_drops)},
    {"aqm drops", hops_sum (network, aqm_drops)},
    {"marked", hops_sum (network, marks)},
    {"random losses", first->link.random_lost_pkts},
    {"blackout drops", first->blackout_pkts},
    {"reverse packets", reverse->link.arrived_pkts + reverse->blackout_pkts},
    {"reverse delivered", reverse->link.delivered_pkts},
    {"reverse drops", tail_drops (reverse) + aqm_drops (reverse) + reverse->link.random_lost_pkts},
    {"lateness p50 us", lateness_quantile (&self->lateness, 0.5)},
    {"lateness p99 us", lateness_quantile (&self->lateness, 0.99)},
    {"send errors", self->send_errors},
    {"began at us", (guint64) MAX (self->origin, 0) / RC_USEC},
  };

  fprintf (file, "linkemu: forward packets %" G_GUINT64_FORMAT,
      first->link.arrived_pkts + first->blackout_pkts);
  print_facts (facts, G_N_ELEMENTS (facts), file);
  print_facts (own, n_own, file);
  fputc ('\n', file);
}
