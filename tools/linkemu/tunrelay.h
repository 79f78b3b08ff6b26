/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Two network namespaces with the network between them.
 *
 *   sender's namespace: lab0 -> forward links -> lab0: receiver's namespace
 *                            <- reverse link <-
 *
 * Packets that are not between the two ends' addresses (device.h), or larger than the MTU, are
 * refused and counted. */
#pragma once

#include <glib.h>
#include <stdio.h>

#include "options.h"

G_BEGIN_DECLS

typedef struct _TunRelay TunRelay;

/* options must outlive it. NULL and *error if the system refuses. */
TunRelay *tun_relay_new (Options * options, GError ** error);
void tun_relay_free (TunRelay * self);
/* "sender /proc/4242/fd/7 receiver /proc/4242/fd/9", for nsenter(1) (g_free). */
gchar *tun_relay_namespaces (const TunRelay * self);
/* Until the duration has passed or stop_fd is readable. FALSE and *error if not all could be
 * written to the files. */
gboolean tun_relay_run (TunRelay * self, int stop_fd, GError ** error);
/* One line. */
void tun_relay_print_summary (TunRelay * self, FILE * file);

G_END_DECLS
