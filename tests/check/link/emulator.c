/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "emulator.h"

#include <arpa/inet.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static socklen_t
loopback (struct sockaddr_storage *addr, int family, guint port)
{
  memset (addr, 0, sizeof *addr);
  addr->ss_family = family;
  if (family == AF_INET6) {
    ((struct sockaddr_in6 *) addr)->sin6_addr = in6addr_loopback;
    ((struct sockaddr_in6 *) addr)->sin6_port = htons (port);
    return sizeof (struct sockaddr_in6);
  }
  ((struct sockaddr_in *) addr)->sin_addr.s_addr = htonl (INADDR_LOOPBACK);
  ((struct sockaddr_in *) addr)->sin_port = htons (port);
  return sizeof (struct sockaddr_in);
}

int
emulator_open_socket (int family, guint *port)
{
  const int size = 4 << 20;
  struct sockaddr_storage addr;
  socklen_t len = loopback (&addr, family, 0);
  int fd = socket (family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

  if (fd < 0 || bind (fd, (struct sockaddr *) &addr, len))
    return -1;
  setsockopt (fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
  fail_unless (getsockname (fd, (struct sockaddr *) &addr, &len) == 0);
  *port = ntohs (family == AF_INET6 ? ((struct sockaddr_in6 *) &addr)->sin6_port
      : ((struct sockaddr_in *) &addr)->sin_port);
  return fd;
}

GPid
emulator_spawn (const gchar *options, int *stderr_fd)
{
  const gchar *program = g_getenv ("LINKEMU");
  gchar *line = g_strdup_printf ("%s %s", program ? program : "linkemu", options), **argv;
  GPid pid;

  fail_unless (g_shell_parse_argv (line, NULL, &argv, NULL));
  fail_unless (g_spawn_async_with_pipes (NULL, argv, NULL, G_SPAWN_SEARCH_PATH
          | G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL, &pid, NULL, NULL, stderr_fd, NULL));
  g_strfreev (argv);
  g_free (line);
  return pid;
}

gchar *
emulator_read_line (int fd)
{
  GString *line = g_string_new (NULL);
  gchar c;

  while (read (fd, &c, 1) == 1 && c != '\n')
    g_string_append_c (line, c);
  return g_string_free (line, FALSE);
}

guint
emulator_listen (const gchar *options, GPid *pid, int *stderr_fd)
{
  gchar *line;
  guint port;

  *pid = emulator_spawn (options, stderr_fd);
  line = emulator_read_line (*stderr_fd);
  fail_unless (g_str_has_prefix (line, "linkemu: listening on "), "said '%s'", line);
  port = (guint) atoi (strrchr (line, ':') + 1);
  g_free (line);
  return port;
}

guint
emulator_fall (gint to, guint first_bps, guint fall_s, guint second_bps, const gchar *options,
    GPid *pid, int *stderr_fd)
{
  g_autofree gchar *all = g_strdup_printf ("--listen 0 --to 127.0.0.1:%d --trace 0:%u,%u:%u "
      "--start-on-traffic %s", to, first_bps, fall_s, second_bps, options);

  return emulator_listen (all, pid, stderr_fd);
}

guint
run_start (Run *self, int family, const gchar *options)
{
  guint port = 0;
  gchar *all;

  self->receiver_fd = emulator_open_socket (family, &port);
  fail_unless (self->receiver_fd >= 0);
  all = g_strdup_printf (family == AF_INET6 ? "--listen 0 --to [::1]:%u %s"
      : "--listen 0 --to 127.0.0.1:%u %s", port, options);
  port = emulator_listen (all, &self->pid, &self->stderr_fd);
  g_free (all);
  return port;
}

int
emulator_connect (int family, guint port)
{
  struct sockaddr_storage addr;
  socklen_t len = loopback (&addr, family, port);
  guint own;
  int fd = emulator_open_socket (family, &own);

  fail_unless (connect (fd, (struct sockaddr *) &addr, len) == 0);
  return fd;
}

Run *
run_new (int family, const gchar *options)
{
  Run *self = g_new0 (Run, 1);

  self->sender_fd = emulator_connect (family, run_start (self, family, options));
  return self;
}

gchar *
run_free (Run *self)
{
  gchar *summary;
  int status;

  kill (self->pid, SIGTERM);
  summary = emulator_read_line (self->stderr_fd);
  fail_unless (waitpid (self->pid, &status, 0) == self->pid);
  fail_unless (WIFEXITED (status) && WEXITSTATUS (status) == 0,
      "status %d after '%s'", status, summary);
  close (self->stderr_fd);
  close (self->receiver_fd);
  close (self->sender_fd);
  g_free (self);
  return summary;
}

guint
emulator_fact (const gchar *summary, const gchar *name)
{
  const gchar *at = strstr (summary, name);

  fail_unless (at != NULL, "no '%s' in '%s'", name, summary);
  return (guint) atoi (at + strlen (name));
}

void
run_receive (Run *self, int timeout_ms)
{
  struct pollfd poll_fd = { self->receiver_fd, POLLIN, 0 };
  guint8 bytes[2000];

  poll (&poll_fd, 1, timeout_ms);
  while (self->n_got < MAX_GOT && recv (self->receiver_fd, bytes, sizeof bytes, 0)
      >= (ssize_t) sizeof (Stamp)) {
    memcpy (&self->got[self->n_got].stamp, bytes, sizeof (Stamp));
    self->got[self->n_got++].got_at_us = g_get_monotonic_time ();
  }
}

void
run_send (Run *self)
{
  guint8 bytes[DATAGRAM_BYTES] = { 0 };
  Stamp stamp = { self->n_sent++, g_get_monotonic_time () };

  memcpy (bytes, &stamp, sizeof stamp);
  fail_unless_equals_int (send (self->sender_fd, bytes, sizeof bytes, 0), sizeof bytes);
}

void
run_traffic (Run *self, guint pps, guint ms, guint tail_ms)
{
  guint n = self->n_sent, end = n + pps * ms / 1000;
  gint64 begin_us = g_get_monotonic_time (), end_us;

  while (self->n_sent < end) {
    gint64 due = n + (g_get_monotonic_time () - begin_us) * pps / 1000000 + 1;

    while (self->n_sent < MIN (due, end))
      run_send (self);
    run_receive (self, 1);
  }
  for (end_us = g_get_monotonic_time () + tail_ms * 1000; g_get_monotonic_time () < end_us;)
    run_receive (self, 5);
}

static gint
compare_doubles (gconstpointer a, gconstpointer b)
{
  return *(const gdouble *) a < *(const gdouble *) b ? -1 : 1;
}

static gdouble
median (gdouble *values, guint n)
{
  fail_unless (n > 0);
  qsort (values, n, sizeof *values, compare_doubles);
  return values[n / 2];
}

gdouble
run_median_delay_ms (const Run *self)
{
  static gdouble delays[MAX_GOT];

  for (guint i = 0; i < self->n_got; i++)
    delays[i] = (self->got[i].got_at_us - self->got[i].stamp.sent_at_us) * 1e-3;
  return median (delays, self->n_got);
}

gdouble
run_median_rate_bps (const Run *self)
{
  gdouble rates[MAX_GOT / 100];
  guint n = 0;

  for (guint i = 100; i < self->n_got; i += 100)
    rates[n++] = 100 * LINK_BITS * 1e6 / (self->got[i].got_at_us - self->got[i - 100].got_at_us);
  return median (rates, n);
}
