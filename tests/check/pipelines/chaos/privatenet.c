/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#define _GNU_SOURCE
#include "privatenet.h"

#include <arpa/inet.h>
#include <net/if.h>
#include <sched.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#define LOOPBACK "lo"
#define ALIAS "lo:1"            /* holds the address that may go */

static gboolean
request (const gchar * interface, unsigned long what, struct ifreq *ifr)
{
  int fd = socket (AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  gboolean done;

  g_strlcpy (ifr->ifr_name, interface, sizeof ifr->ifr_name);
  done = fd >= 0 && ioctl (fd, what, ifr) == 0;
  if (fd >= 0)
    close (fd);
  return done;
}

void
privatenet_set_address (gboolean present)
{
  struct ifreq ifr = { .ifr_flags = 0 };
  struct sockaddr_in address = { .sin_family = AF_INET };

  if (present) {
    inet_pton (AF_INET, PRIVATENET_ADDRESS, &address.sin_addr);
    memcpy (&ifr.ifr_addr, &address, sizeof address);
  }
  request (ALIAS, present ? SIOCSIFADDR : SIOCSIFFLAGS, &ifr);
}

gboolean
privatenet_enter (void)
{
  struct ifreq up = { .ifr_flags = IFF_UP };

  if (unshare (CLONE_NEWNET) != 0 && unshare (CLONE_NEWUSER | CLONE_NEWNET) != 0)
    return FALSE;
  if (!request (LOOPBACK, SIOCSIFFLAGS, &up))
    return FALSE;
  privatenet_set_address (TRUE);
  return TRUE;
}
