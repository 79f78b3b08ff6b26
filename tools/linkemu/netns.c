/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#define _GNU_SOURCE
#include "netns.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <sched.h>
#include <unistd.h>

static gboolean
fail_errno (GError **error, const gchar *what)
{
  int saved = errno;

  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (saved),
      "%s: %s", what, g_strerror (saved));
  return FALSE;
}

int
netns_new (GError **error)
{
  int fd;

  if (unshare (CLONE_NEWNET)) {
    fail_errno (error, "network namespace (as root, or under 'unshare --user --map-root-user')");
    return -1;
  }
  fd = open ("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    fail_errno (error, "/proc/thread-self/ns/net");
  return fd;
}

gboolean
netns_enter (int fd, GError **error)
{
  return setns (fd, CLONE_NEWNET) == 0 || fail_errno (error, "setns");
}

/* getpid() may be the number in a PID namespace of our own; /proc is the caller's. */
gchar *
netns_path (int fd)
{
  gchar pid[32];
  ssize_t len = readlink ("/proc/self", pid, sizeof pid - 1);

  pid[MAX (len, 0)] = '\0';
  return g_strdup_printf ("/proc/%s/fd/%d", pid, fd);
}

gboolean
netns_run_ip (const gchar *commands, GError **error)
{
  gchar *found = g_find_program_in_path ("ip");
  /* Often not in the path of an ordinary user. */
  const gchar *program = found ? found : "/usr/sbin/ip";
  GSubprocess *process = g_subprocess_new (G_SUBPROCESS_FLAGS_STDIN_PIPE
      | G_SUBPROCESS_FLAGS_STDERR_PIPE, error, program, "-batch", "-", NULL);
  gchar *said = NULL;
  gboolean ok = process && g_subprocess_communicate_utf8 (process, commands, NULL, NULL, &said,
      error);

  if (ok && !g_subprocess_get_successful (process)) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "ip: %s", g_strstrip (said));
    ok = FALSE;
  }
  g_clear_object (&process);
  g_free (said);
  g_free (found);
  return ok;
}
