/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Network namespaces that live as long as their descriptor, or a process inside. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Moves the calling thread into a new namespace; returns its descriptor. -1 and *error without
 * the right to. */
int netns_new (GError ** error);
/* Moves the calling thread. */
gboolean netns_enter (int fd, GError ** error);
/* "/proc/4242/fd/7", as other processes of this user see it (g_free). */
gchar *netns_path (int fd);
/* Runs ip(8) on a batch of commands, in the present namespace. */
gboolean netns_run_ip (const gchar * commands, GError ** error);

G_END_DECLS
