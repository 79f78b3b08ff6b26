/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* arcrouter: makes an interface of a Linux router a router with explicit rates. The kernel counts
 * and stamps (arcrouter.bpf.c); here is the law (rc/router/rcprouter.h), every 10 ms.
 *
 * The kernel only sums and lowers rates, so a change of the law needs none there, and a rate
 * that is older than 0.5 s, since this program was ended, stamps no more. */

#include <bpf/libbpf.h>
#include <gio/gio.h>
#include <rc/router/rcprouter.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <time.h>

#include "routeroptions.h"
#include "stamper.h"
#include "tcqueue.h"

#define STATUS_USAGE 2

typedef struct
{
  const RouterOptions *options;
  Stamper *stamper;
  TcQueue queue;
  RcRouter router;
  RouterCounters before, shown; /* of the last step, of the last line */
  RcTime stepped_at, shown_at;
} Program;

static volatile sig_atomic_t stopping;

static void
stop (int number)
{
  stopping = 1;
}

static RcTime
now_ns (void)
{
  struct timespec time;

  clock_gettime (CLOCK_MONOTONIC, &time);
  return time.tv_sec * RC_SECOND + time.tv_nsec;
}

/* FALSE: a signal came. */
static gboolean
sleep_until (RcTime at)
{
  struct timespec time = {.tv_sec = at / RC_SECOND,.tv_nsec = at % RC_SECOND };

  clock_nanosleep (CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL);
  return !stopping;
}

/* --- a step of the law --- */

/* Other traffic counts at most as its share of the capacity. */
static guint32
others_bytes (const Program *self, guint64 all, guint64 own, RcTime now)
{
  guint64 others = all > own ? all - own : 0;
  gdouble most = self->options->others_ratio * (gdouble) self->options->capacity_bps / 8
      * rc_time_to_s (now - self->stepped_at);

  return (guint32) MIN ((gdouble) others, MIN (most, (gdouble) G_MAXUINT32));
}

/* The router takes packets one by one; we have sums, so each is as one packet: without a claim,
 * with the mean claim, and of no bytes with the longest. */
static void
count (Program *self, const RouterCounters *sum, RcTime now)
{
  const RouterCounters *b = &self->before;
  guint64 own = sum->own_bytes - b->own_bytes, claimed = sum->claimed_bytes - b->claimed_bytes;

  rc_router_on_arrival (&self->router, others_bytes (self, sum->bytes - b->bytes, own, now),
      RC_TIME_NONE, now);
  rc_router_on_arrival (&self->router, (guint32) (own - claimed), RC_TIME_NONE, now);
  if (claimed > 0)
    rc_router_on_arrival (&self->router, (guint32) claimed,
        (RcTime) ((sum->claimed_us_bytes - b->claimed_us_bytes) / claimed) * RC_USEC, now);
  if (sum->longest_rtt_us > 0)
    rc_router_on_arrival (&self->router, 0, sum->longest_rtt_us * RC_USEC, now);
}

static void
show (Program *self, const RouterCounters *sum, RcTime now)
{
  gdouble s = rc_time_to_s (now - self->shown_at);
  const RouterCounters *b = &self->shown;
  guint64 own = sum->own_bytes - b->own_bytes, all = sum->bytes - b->bytes;

  printf ("%.3f,%" G_GUINT64_FORMAT ",%.0f,%.0f,%" G_GUINT64_FORMAT ",%.0f,%" G_GUINT64_FORMAT
      ",%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT "\n", rc_time_to_s (now),
      rc_router_rate_bps (&self->router), (gdouble) all * 8 / s, (gdouble) own * 8 / s,
      tc_queue_backlog_bytes (&self->queue),
      rc_time_to_s (rc_router_loop_delay (&self->router) - self->router.params.interval) * 1e3,
      sum->packets - b->packets, sum->own_packets - b->own_packets,
      sum->stamped_packets - b->stamped_packets);
  self->shown = *sum;
  self->shown_at = now;
}

static gboolean
step (Program *self, RcTime now, GError **error)
{
  gboolean wants_queue = self->router.params.law == RC_ROUTER_RCP;
  RouterCounters sum;

  if (!stamper_read (self->stamper, &sum, error))
    return FALSE;
  count (self, &sum, now);
  rc_router_update (&self->router, wants_queue ? tc_queue_backlog_bytes (&self->queue) : 0, now);
  stamper_set_rate (self->stamper, rc_router_rate_bps (&self->router), now);
  self->before = sum;
  self->stepped_at = now;
  if (self->options->stats > 0 && now - self->shown_at >= self->options->stats)
    show (self, &sum, now);
  return TRUE;
}

/* --- the program --- */

static gboolean
run (Program *self, GError **error)
{
  RcRouterParams params = RC_ROUTER_PARAMS_DEFAULT;
  RcTime due = now_ns ();

  params.law = self->options->law;
  params.gamma_ratio = self->options->gamma_ratio;
  params.alpha_gain = self->options->alpha_gain;
  params.beta_gain = self->options->beta_gain;
  params.kappa_ratio = self->options->kappa_ratio;
  rc_router_init (&self->router, &params, self->options->capacity_bps, due);
  self->stepped_at = self->shown_at = due;
  if (self->options->stats > 0)
    printf ("at_s,rate_bps,arrival_bps,own_bps,queue_bytes,longest_rtt_ms,packets,own_packets,"
        "stamped_packets\n");
  while (sleep_until (due += params.interval)) {
    RcTime now = now_ns ();

    if (!step (self, now, error))
      return FALSE;
    if (now > due + params.interval)
      due = now;                /* late: no steps in a row */
  }
  return TRUE;
}

static int
print_nothing (enum libbpf_print_level level, const char *format, va_list args)
{
  return 0;
}

static gboolean
open_and_run (const RouterOptions *options, GError **error)
{
  const RcRouterParams params = RC_ROUTER_PARAMS_DEFAULT;
  Program self = {.options = options,.queue = {.socket = -1 } };
  gboolean ok;

  if (!options->verbose)
    libbpf_set_print (print_nothing);
  self.stamper = stamper_open (options->interface, options->stamp_id,
      (guint32) (params.max_rtt / RC_USEC), error);
  if (!self.stamper)
    return FALSE;
  ok = tc_queue_open (&self.queue, stamper_ifindex (self.stamper), error) && run (&self, error);
  tc_queue_close (&self.queue);
  stamper_close (self.stamper);
  return ok;
}

int
main (int argc, char **argv)
{
  struct sigaction action = {.sa_handler = stop };
  RouterOptions options;
  GError *error = NULL;

  if (!router_options_parse (&options, &argc, &argv, &error)) {
    g_printerr ("arcrouter: %s; --help lists the options\n", error->message);
    g_error_free (error);
    return STATUS_USAGE;
  }
  sigaction (SIGINT, &action, NULL);
  sigaction (SIGTERM, &action, NULL);
  setvbuf (stdout, NULL, _IOLBF, 0);
  prctl (PR_SET_TIMERSLACK, 1);
  if (!open_and_run (&options, &error)) {
    g_printerr ("arcrouter: %s\n", error->message);
    g_error_free (error);
    router_options_clear (&options);
    return 1;
  }
  router_options_clear (&options);
  return 0;
}
