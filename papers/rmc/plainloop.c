/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Plain loops of sleep and send around the laws of lib/rc. */
#include "contest.h"
#include "rfc3448.h"
#include "sendloop.h"

#include <arpa/inet.h>
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
run_unpaced (Loop *loop)
{
  while (contest_now () < loop->end)
    send (loop->fd, packet, sizeof packet, 0);
}

static void
run_paced (Loop *loop, const char *law)
{
  RcTime now = contest_now (), due;
  SendLoop paced;

  send_loop_init (&paced, law, loop->contest->rate_bps, now);
  for (; now < loop->end; now = contest_now ()) {
    due = send_loop_due_at (&paced, COUNT_IP_BYTES, now);
    if (due > now) {
      contest_sleep_until (due);
      continue;
    }
    send (loop->fd, packet, sizeof packet, 0);
    send_loop_on_sent (&paced, COUNT_IP_BYTES, now);
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
  /* law: as sendloop.h names it */
  static const struct { const char *name, *law; } loops[] = {
    {"unpaced", NULL}, {"rmc-loop", "rmc"}, {"rfc3448", "no-bursts"}, {"rfc3448-bursts", "bursts"}
  };
  Loop loop = { contest, -1, 0 };
  guint i = 0;

  while (i < G_N_ELEMENTS (loops) && strcmp (loops[i].name, contest->name) != 0)
    i++;
  if (i == G_N_ELEMENTS (loops))
    return FALSE;
  loop.fd = socket_to (contest->port);
  loop.end = contest_begin (contest) + rc_time_from_s (contest->seconds);
  if (loops[i].law)
    run_paced (&loop, loops[i].law);
  else
    run_unpaced (&loop);
  close (loop.fd);
  return TRUE;
}
