/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Plain loops of sleep and send: those of sendloop.h, and one that does not wait. */
#include "contest.h"
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
run_paced (Loop *loop)
{
  RcTime now = contest_now (), due;
  SendLoop paced;

  send_loop_init (&paced, loop->contest->name, loop->contest->rate_bps, now);
  for (; now < loop->end; now = contest_now ()) {
    due = send_loop_due_at (&paced, COUNT_IP_BYTES, now);
    if (due <= now) {
      send (loop->fd, packet, sizeof packet, 0);
      send_loop_on_sent (&paced, COUNT_IP_BYTES, now);
    } else if (!send_loop_stays_awake (&paced, due - now)) {
      contest_sleep_until (due);
    }
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
  Loop loop = { contest, -1, 0 };
  gboolean unpaced = strcmp (contest->name, "unpaced") == 0;
  SendLoop named;

  if (!unpaced && !send_loop_init (&named, contest->name, contest->rate_bps, 0))
    return FALSE;
  loop.fd = socket_to (contest->port);
  loop.end = contest_begin (contest) + rc_time_from_s (contest->seconds);
  if (unpaced)
    run_unpaced (&loop);
  else
    run_paced (&loop);
  close (loop.fd);
  return TRUE;
}
