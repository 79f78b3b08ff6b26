/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#define _GNU_SOURCE
#include "privatenet.h"

#include <net/if.h>
#include <sched.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

static gboolean
bring_up_loopback (void)
{
  struct ifreq request = { .ifr_name = "lo", .ifr_flags = IFF_UP };
  int fd = socket (AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  gboolean up = fd >= 0 && ioctl (fd, SIOCSIFFLAGS, &request) == 0;

  if (fd >= 0)
    close (fd);
  return up;
}

gboolean
privatenet_enter (void)
{
  if (unshare (CLONE_NEWNET) != 0 && unshare (CLONE_NEWUSER | CLONE_NEWNET) != 0)
    return FALSE;
  return bring_up_loopback ();
}
