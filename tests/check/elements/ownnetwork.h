/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A network namespace of the test's own, for addresses and interfaces that this machine does not
 * have. Each test runs in a process of its own, so that nothing is left behind. */
#pragma once

#ifndef _GNU_SOURCE
#error "define _GNU_SOURCE before the first #include, for unshare()"
#endif

#include <glib.h>
#include <sched.h>
#include <stdio.h>
#include <unistd.h>

static void
own_network_write (const gchar * path, const gchar * text)
{
  FILE *file = fopen (path, "w");

  if (file) {
    fputs (text, file);
    fclose (file);
  }
}

/* Until the kernel has the local routes of all IPv6 addresses, which a worker of it adds after `ip`
 * has returned: before that, packets to such an address are lost. */
#define OWN_NETWORK_AWAIT_ROUTES \
    "for a in $(ip -6 -o address show dev lo | sed 's/.*inet6 //; s/[/].*//'); do " \
    "i=0; until ip -6 route show table local | grep -q \"^local $a \"; do " \
    "[ $((i += 1)) -le 300 ]; sleep 0.1; done; done"

/* FALSE: not permitted; says so. Before the first thread is made. `commands`: lines for ip(8)
 * -batch, after "link set lo up". */
static inline gboolean
own_network_enter (const gchar * commands)
{
  g_autofree gchar *user = g_strdup_printf ("0 %u 1", (guint) getuid ()),
      *group = g_strdup_printf ("0 %u 1", (guint) getgid ());
  g_autofree gchar *script = g_strdup_printf ("set -e; printf 'link set lo up\n%s' | ip -batch -; "
      OWN_NETWORK_AWAIT_ROUTES, commands);
  gchar *argv[] = { (gchar *) "sh", (gchar *) "-c", script, NULL };
  gboolean entered = unshare (CLONE_NEWNET) == 0, ready;
  gint status = -1;

  if (!entered && unshare (CLONE_NEWUSER | CLONE_NEWNET) == 0) {
    entered = TRUE;
    own_network_write ("/proc/self/setgroups", "deny");
    own_network_write ("/proc/self/uid_map", user);
    own_network_write ("/proc/self/gid_map", group);
  }
  ready = entered && g_spawn_sync (NULL, argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL,
      NULL, &status, NULL) && status == 0;
  if (!ready)
    g_printerr ("skipped: no network namespace with these addresses (needs root or user "
        "namespaces, and ip of iproute2)\n");
  return ready;
}
