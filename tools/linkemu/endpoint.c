/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#define _GNU_SOURCE
#include "endpoint.h"

#include <errno.h>
#include <gio/gio.h>
#include <netdb.h>
#include <netinet/in.h>
#include <string.h>
#include <unistd.h>

/* 100 Mbit/s for a third of a second: the scheduler may forget us. */
#define BUFFER_BYTES (4 << 20)

static gboolean
refuse (GError **error, const gchar *text, const gchar *why)
{
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "%s: %s", text, why);
  return FALSE;
}

static int
fail_errno (GError **error, const gchar *what, int fd)
{
  int saved = errno;

  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (saved),
      "%s: %s", what, g_strerror (saved));
  if (fd >= 0)
    close (fd);
  return -1;
}

static gboolean
resolve (Endpoint *self, const gchar *text, const gchar *host, const gchar *port, int family,
    GError **error)
{
  struct addrinfo hints = { .ai_family = family, .ai_socktype = SOCK_DGRAM,
      .ai_flags = AI_NUMERICSERV }, *found;
  int failed = getaddrinfo (host, port, &hints, &found);

  if (failed)
    return refuse (error, text, gai_strerror (failed));
  memset (self, 0, sizeof *self);
  memcpy (&self->addr, found->ai_addr, found->ai_addrlen);
  self->len = found->ai_addrlen;
  freeaddrinfo (found);
  return TRUE;
}

gboolean
endpoint_parse (Endpoint *self, const gchar *text, int family, GError **error)
{
  gchar *copy = g_strdup (text), *host = copy, *port = strrchr (copy, ':');
  gboolean ok = FALSE;
  guint64 number;

  if (port) {
    *port++ = '\0';
    if (host[0] == '[' && port - host > 2 && port[-2] == ']') {
      host++;
      port[-2] = '\0';
    } else if (strchr (host, ':')) {
      port = NULL;
    }
  } else {
    port = copy;
    host = NULL;
    family = family == AF_UNSPEC ? AF_INET : family;
  }
  if (!port || (host && !*host) || !g_ascii_string_to_unsigned (port, 10, 0, 65535, &number, NULL))
    refuse (error, text, "not an address (HOST:PORT, [IPV6]:PORT)");
  else
    ok = resolve (self, text, host, port, family, error);
  g_free (copy);
  return ok;
}

gboolean
endpoint_equal (const Endpoint *self, const Endpoint *other)
{
  return self->len == other->len && memcmp (&self->addr, &other->addr, self->len) == 0;
}

static guint16
port_of (const Endpoint *self)
{
  return self->addr.ss_family == AF_INET6 ? ((const struct sockaddr_in6 *) &self->addr)->sin6_port
      : ((const struct sockaddr_in *) &self->addr)->sin_port;
}

static gboolean
is_any (const Endpoint *self)
{
  if (self->addr.ss_family == AF_INET6)
    return IN6_IS_ADDR_UNSPECIFIED (&((const struct sockaddr_in6 *) &self->addr)->sin6_addr);
  return ((const struct sockaddr_in *) &self->addr)->sin_addr.s_addr == INADDR_ANY;
}

/* One can bind to it. */
static gboolean
is_of_this_machine (const Endpoint *self)
{
  Endpoint any_port = *self;
  int fd = socket (self->addr.ss_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  gboolean ok;

  if (self->addr.ss_family == AF_INET6)
    ((struct sockaddr_in6 *) &any_port.addr)->sin6_port = 0;
  else
    ((struct sockaddr_in *) &any_port.addr)->sin_port = 0;
  ok = fd >= 0 && bind (fd, (const struct sockaddr *) &any_port.addr, any_port.len) == 0;
  if (fd >= 0)
    close (fd);
  return ok;
}

/* A socket of IPv6 that is bound to any address hears IPv4, too. */
gboolean
endpoint_hears (const Endpoint *self, const Endpoint *other)
{
  if (port_of (self) != port_of (other))
    return FALSE;
  if (!is_any (self))
    return endpoint_equal (self, other)
        || (is_any (other) && self->addr.ss_family == other->addr.ss_family);
  return (self->addr.ss_family == AF_INET6 || other->addr.ss_family == AF_INET)
      && is_of_this_machine (other);
}

gchar *
endpoint_to_string (const Endpoint *self)
{
  char host[NI_MAXHOST], port[NI_MAXSERV];

  if (getnameinfo ((const struct sockaddr *) &self->addr, self->len, host, sizeof host, port,
          sizeof port, NI_NUMERICHOST | NI_NUMERICSERV))
    return g_strdup ("?");
  return g_strdup_printf (strchr (host, ':') ? "[%s]:%s" : "%s:%s", host, port);
}

int
endpoint_open (const Endpoint *bind_to, const Endpoint *connect_to, GError **error)
{
  const int on = 1, size = BUFFER_BYTES;
  const int family = (bind_to ? bind_to : connect_to)->addr.ss_family;
  int fd = socket (family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

  if (fd < 0)
    return fail_errno (error, "socket", fd);
  /* The privileged form ignores the system's limit; a smaller buffer than wanted is no error,
   * overflow is counted. */
  if (setsockopt (fd, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof size))
    setsockopt (fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
  setsockopt (fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
  setsockopt (fd, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
  setsockopt (fd, SOL_SOCKET, SO_RXQ_OVFL, &on, sizeof on);
  if (family == AF_INET6) {
    setsockopt (fd, IPPROTO_IPV6, IPV6_RECVTCLASS, &on, sizeof on);
    setsockopt (fd, IPPROTO_IPV6, IPV6_RECVPKTINFO, &on, sizeof on);
  } else {
    setsockopt (fd, IPPROTO_IP, IP_RECVTOS, &on, sizeof on);
    setsockopt (fd, IPPROTO_IP, IP_PKTINFO, &on, sizeof on);
  }
  if (bind_to && bind (fd, (const struct sockaddr *) &bind_to->addr, bind_to->len))
    return fail_errno (error, "bind", fd);
  if (connect_to && connect (fd, (const struct sockaddr *) &connect_to->addr, connect_to->len))
    return fail_errno (error, "connect", fd);
  return fd;
}
