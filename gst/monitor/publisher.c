/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The kernel's calls rather than GSocket: the first use of a GIO type on a thread of ours can block
 * against a thread that makes an element which uses GIO, each inside GLib's registration of types
 * (seen with GLib 2.74: udpsrc). */

#define _GNU_SOURCE             /* SOCK_CLOEXEC */
#include "monitor/publisher.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* For a monitor that reads to make room: a round of many elements is more than the buffer holds. */
#define WAIT_MS 20

G_STATIC_ASSERT (sizeof ((struct sockaddr_un *) NULL)->sun_path == PUBLISHER_MAX_PATH_BYTES + 1);

struct _Publisher
{
  struct sockaddr_un address;
  int fd;                       /* -1: no monitor */
  guint connections;
  guint64 dropped;
};

Publisher *
publisher_new (const gchar * path)
{
  Publisher *self = g_new0 (Publisher, 1);

  self->fd = -1;
  self->address.sun_family = AF_UNIX;
  g_strlcpy (self->address.sun_path, path, sizeof (self->address.sun_path));
  return self;
}

static void
hang_up (Publisher * self)
{
  if (self->fd >= 0)
    close (self->fd);
  self->fd = -1;
}

void
publisher_free (Publisher * self)
{
  hang_up (self);
  g_free (self);
}

/* A local connection is there at once or not at all. */
gboolean
publisher_reach (Publisher * self)
{
  if (self->fd >= 0)
    return TRUE;
  self->fd = socket (AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (self->fd < 0)
    return FALSE;
  if (connect (self->fd, (struct sockaddr *) &self->address, sizeof (self->address)) < 0)
    hang_up (self);
  if (self->fd >= 0)
    self->connections++;
  return self->fd >= 0;
}

guint
publisher_connections (const Publisher * self)
{
  return self->connections;
}

static gboolean
try_to_send (Publisher * self, const gchar * text)
{
  return send (self->fd, text, strlen (text), MSG_NOSIGNAL) >= 0;
}

static gboolean
is_full (void)
{
  return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
}

gboolean
publisher_send (Publisher * self, const gchar * text)
{
  struct pollfd room = { .fd = self->fd, .events = POLLOUT };
  gboolean sent;

  if (self->fd < 0)
    return FALSE;
  sent = try_to_send (self, text);
  if (!sent && is_full () && poll (&room, 1, WAIT_MS) > 0)
    sent = try_to_send (self, text);
  if (!sent && !is_full () && errno != EMSGSIZE)        /* larger than the buffer */
    hang_up (self);
  return sent;
}

void
publisher_drop (Publisher * self, guint messages)
{
  self->dropped += messages;
}

guint64
publisher_dropped (const Publisher * self)
{
  return self->dropped;
}
