/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Plain loops of sleep and send around the laws of lib/rc. */
#include "contest.h"

#include <arpa/inet.h>
#include <rc/pace/rfc3448.h>
#include <rc/pace/rmc.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

typedef struct
{
  const Contest *contest;
  int fd;
  RcTime end;
} Loop;

static const char packet[COUNT_UDP_BYTES];

static void
sleep_to (const Loop *loop, RcTime at)
{
  RcTime tick = loop->contest->granularity;

  contest_sleep_until (tick > 0 ? (at + tick - 1) / tick * tick : at);
}

static void
run_unpaced (Loop *loop)
{
  while (contest_now () < loop->end)
    send (loop->fd, packet, sizeof packet, 0);
}

static void
run_rmc (Loop *loop)
{
  RcRmcParams params = RC_RMC_PARAMS_DEFAULT;
  RcTime now = contest_now (), due;
  RcRmc rmc;

  if (loop->contest->granularity > 0) {
    params.burst_time = 2 * loop->contest->granularity;
    params.smooth_time = 0;     /* a packet a tick would be too few */
  }
  rc_rmc_init (&rmc, &params, loop->contest->rate_bps, now);
  for (; now < loop->end; now = contest_now ()) {
    due = rc_rmc_due_at (&rmc, COUNT_IP_BYTES, now);
    if (due > now) {
      sleep_to (loop, due);
      continue;
    }
    send (loop->fd, packet, sizeof packet, 0);
    rc_rmc_on_sent (&rmc, COUNT_IP_BYTES, now);
  }
}

static void
run_rfc3448 (Loop *loop, RcRfc3448Bursts bursts)
{
  RcRfc3448Params params = RC_RFC3448_PARAMS_DEFAULT;
  RcTime now = contest_now (), due;
  RcRfc3448 law;

  params.bursts = bursts;
  if (loop->contest->granularity > 0)
    params.granularity = loop->contest->granularity;
  rc_rfc3448_init (&law, &params, loop->contest->rate_bps, now);
  for (; now < loop->end; now = contest_now ()) {
    due = rc_rfc3448_due_at (&law, COUNT_IP_BYTES, now);
    if (due > now) {
      sleep_to (loop, due);
      continue;
    }
    send (loop->fd, packet, sizeof packet, 0);
    rc_rfc3448_on_sent (&law, COUNT_IP_BYTES, now);
  }
}

static int
socket_to (guint16 port)
{
  struct sockaddr_in to = {.sin_family = AF_INET,.sin_port = htons (port),
      .sin_addr.s_addr = htonl (INADDR_LOOPBACK) };
  int fd = socket (AF_INET, SOCK_DGRAM, 0);

  if (fd < 0 || connect (fd, (struct sockaddr *) &to, sizeof to) < 0)
    g_error ("cannot connect");
  return fd;
}

gboolean
plain_loop_run (const Contest *contest)
{
  static const gchar *names[] = { "unpaced", "rmc-loop", "rfc3448", "rfc3448-bursts", NULL };
  Loop loop = { contest, -1, 0 };

  if (!g_strv_contains (names, contest->name))
    return FALSE;
  loop.fd = socket_to (contest->port);
  loop.end = contest_begin (contest) + rc_time_from_s (contest->seconds);
  if (strcmp (contest->name, "unpaced") == 0)
    run_unpaced (&loop);
  else if (strcmp (contest->name, "rmc-loop") == 0)
    run_rmc (&loop);
  else
    run_rfc3448 (&loop,
        strcmp (contest->name, "rfc3448") == 0 ? RC_RFC3448_NO_BURSTS : RC_RFC3448_BURSTS);
  close (loop.fd);
  return TRUE;
}
