/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The paper's step responses on the real clock: sends 1500-byte IP packets over loopback with the
 * paper's loop (rmcliteral.h) at one sample each T_s; the rate falls to a tenth after one third of
 * the time and rises again after two. Prints one line of JSON with the time and the bytes of each
 * sample. The kernel drops what it receives: only what is sent counts here.
 *
 *   steps K_R RATE_BPS SECONDS TS_MS */
#include "rmcliteral.h"

#include <arpa/inet.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define MTU 1500
#define UDP_PAYLOAD (MTU - RC_OVERHEAD_IPV4_BYTES)
#define SMALL_BUFFER 4096

typedef struct
{
  double kr_gain;
  uint64_t rate_bps;
  RcTime length, ts;
} Plan;

static RcTime
monotonic (void)
{
  struct timespec t;

  clock_gettime (CLOCK_MONOTONIC, &t);
  return t.tv_sec * RC_SECOND + t.tv_nsec;
}

static void
sleep_until (RcTime at)
{
  struct timespec t = { at / RC_SECOND, at % RC_SECOND };

  while (clock_nanosleep (CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR);
}

/* A socket that sends to another of this process, which nobody reads. */
static int
socket_new (void)
{
  struct sockaddr_in address = {.sin_family = AF_INET,.sin_addr.s_addr = htonl (INADDR_LOOPBACK) };
  socklen_t size = sizeof address;
  int sink = socket (AF_INET, SOCK_DGRAM, 0), fd = socket (AF_INET, SOCK_DGRAM, 0),
      buffer = SMALL_BUFFER;

  setsockopt (sink, SOL_SOCKET, SO_RCVBUF, &buffer, sizeof buffer);
  if (sink < 0 || fd < 0 || bind (sink, (struct sockaddr *) &address, size) < 0
      || getsockname (sink, (struct sockaddr *) &address, &size) < 0
      || connect (fd, (struct sockaddr *) &address, size) < 0) {
    perror ("socket");
    exit (1);
  }
  return fd;
}

static uint64_t
wanted (const Plan *plan, RcTime since)
{
  return since >= plan->length / 3
      && since < 2 * plan->length / 3 ? plan->rate_bps / 10 : plan->rate_bps;
}

static void
run (const Plan *plan, int fd)
{
  static const char packet[UDP_PAYLOAD];
  RcTime start = monotonic (), now = start, sampled_at = start, due;
  uint64_t sample_bytes = 0;
  const char *comma = "";
  RmcLiteral loop;

  rmc_literal_init (&loop, plan->kr_gain, plan->ts, plan->rate_bps, start);
  for (; now < start + plan->length; now = monotonic ()) {
    loop.rate_bps = wanted (plan, now - start);
    due = rmc_literal_due_at (&loop, MTU, now);
    if (due <= now) {
      if (send (fd, packet, sizeof packet, 0) < 0)
        perror ("send");
      rmc_literal_on_sent (&loop, MTU);
      sample_bytes += MTU;
      continue;
    }
    printf ("%s[%.6f, %lu]", comma, rc_time_to_s (sampled_at - start),
        (unsigned long) sample_bytes);
    comma = ", ";
    sleep_until (due);
    sampled_at = monotonic ();
    sample_bytes = 0;
  }
}

int
main (int argc, char **argv)
{
  Plan plan;

  if (argc != 5) {
    fprintf (stderr, "usage: %s K_R RATE_BPS SECONDS TS_MS\n", argv[0]);
    return 2;
  }
  plan = (Plan) { atof (argv[1]), (uint64_t) atof (argv[2]), rc_time_from_s (atof (argv[3])),
    rc_time_from_s (atof (argv[4]) * 1e-3)
  };
  if (!(plan.kr_gain > 0 && plan.kr_gain < 2) || plan.rate_bps < 10 || plan.ts <= 0) {
    fprintf (stderr, "%s: 0 < K_R < 2, RATE_BPS >= 10, TS_MS > 0\n", argv[0]);
    return 2;
  }
  printf ("{\"kr\": %g, \"rate_bps\": %lu, \"seconds\": %g, \"ts_ms\": %g, \"samples\": [",
      plan.kr_gain,
      (unsigned long) plan.rate_bps, rc_time_to_s (plan.length), rc_time_to_s (plan.ts) * 1e3);
  run (&plan, socket_new ());
  printf ("]}\n");
  return 0;
}
