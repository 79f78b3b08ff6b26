/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/sched/edf.h>

#include <math.h>

/* what a server with work was denied is owed for so long; more than any burst of the others */
#define MEMORY_S 0.1
/* one packet, where a period earns less: else the first would wait for many periods */
#define IDLE_CREDIT_BYTES 1500.0
#define NEVER INT64_MAX

static double
bytes_in (const RcEdfServer *server, RcTime span)
{
  return server->rate_bps * (double) span / 8e9;
}

/* Periods that ended by now earn their credit. */
static void
advance (RcEdfServer *server, RcTime now)
{
  int64_t periods;
  double most;

  if (now < server->deadline)
    return;
  periods = (now - server->deadline) / server->period + 1;
  server->credit_bytes += bytes_in (server, periods * server->period);
  server->deadline += periods * server->period;
  most = bytes_in (server, server->period + rc_time_from_s (MEMORY_S));
  if (server->credit_bytes > most)
    server->credit_bytes = most;
}

/* The end of the period that brings the credit above zero. */
static RcTime
release_at (const RcEdfServer *server)
{
  double earned = bytes_in (server, server->period), periods;

  if (earned <= 0)
    return NEVER;
  periods = floor (-server->credit_bytes / earned);
  if (periods * (double) server->period > 1e18)
    return NEVER;
  return server->deadline + (RcTime) periods * server->period;
}

static void
leave (RcEdf *self, RcEdfServer *server)
{
  if (server->state == RC_EDF_READY)
    rc_heap_remove (&self->ready, &server->node);
  else if (server->state == RC_EDF_WAITING)
    rc_heap_remove (&self->waiting, &server->node);
  server->state = RC_EDF_IDLE;
}

static void
enter (RcEdf *self, RcEdfServer *server)
{
  if (server->credit_bytes > 0) {
    server->state = RC_EDF_READY;
    rc_heap_insert (&self->ready, &server->node, server->deadline);
  } else {
    server->state = RC_EDF_WAITING;
    rc_heap_insert (&self->waiting, &server->node, release_at (server));
  }
}

void
rc_edf_init (RcEdf *self)
{
  *self = (RcEdf) { {NULL}, {NULL} };
}

void
rc_edf_server_init (RcEdfServer *server, double rate_bps, RcTime period, RcTime now)
{
  *server = (RcEdfServer) { .rate_bps = rate_bps, .period = period, .deadline = now };
}

void
rc_edf_reserve (RcEdf *self, RcEdfServer *server, double rate_bps, RcTime period, RcTime now)
{
  bool waits = server->state == RC_EDF_WAITING;

  if (waits)
    leave (self, server);
  if (server->state == RC_EDF_IDLE)
    advance (server, now);
  server->rate_bps = rate_bps;
  server->period = period;
  if (waits)
    enter (self, server);
}

void
rc_edf_wake (RcEdf *self, RcEdfServer *server, RcTime now)
{
  bool new_period = now >= server->deadline;

  if (server->state != RC_EDF_IDLE)
    return;
  advance (server, now);
  if (new_period && server->credit_bytes > 0)
    server->deadline = now + server->period;
  server->credit_bytes = fmin (server->credit_bytes,
      fmax (bytes_in (server, server->period), IDLE_CREDIT_BYTES));
  enter (self, server);
}

void
rc_edf_sleep (RcEdf *self, RcEdfServer *server)
{
  leave (self, server);
}

/* Those whose time has come go on to their next period. */
static void
renew (RcEdf *self, const RcHeap *heap, RcTime now)
{
  while (heap->root && heap->root->key <= now) {
    RcEdfServer *server = (RcEdfServer *) heap->root;

    leave (self, server);
    advance (server, now);
    enter (self, server);
  }
}

/* A missed deadline, which is the packet on the wire's doing, does not stay: the server would
 * overtake servers with shorter periods, for which a packet costs more. Its credit stays. */
RcEdfServer *
rc_edf_pick (RcEdf *self, RcTime now)
{
  renew (self, &self->waiting, now);
  renew (self, &self->ready, now);
  return (RcEdfServer *) self->ready.root;
}

RcEdfServer *
rc_edf_pick_early (RcEdf *self, RcEdfServer *except, RcTime now)
{
  bool hide = except && except->state == RC_EDF_WAITING;
  RcEdfServer *server;

  if (hide)
    leave (self, except);
  server = (RcEdfServer *) self->waiting.root;
  if (server) {
    leave (self, server);
    server->credit_bytes = fmax (bytes_in (server, server->period), 1);
    server->deadline = now + server->period;
    enter (self, server);
  }
  if (hide)
    enter (self, except);
  return server;
}

void
rc_edf_charge (RcEdf *self, RcEdfServer *server, uint32_t bytes, RcTime now)
{
  server->credit_bytes -= bytes;
  if (server->state != RC_EDF_READY || server->credit_bytes > 0)
    return;
  leave (self, server);
  advance (server, now);
  enter (self, server);
}

RcTime
rc_edf_next_at (const RcEdf *self)
{
  return self->waiting.root
      && self->waiting.root->key < NEVER ? self->waiting.root->key : RC_TIME_NONE;
}
