/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* UDP sockets around the network.
 *
 *   sender(s) -> listen socket -> forward links -> one socket a sender -> receiver
 *             <- listen socket <- reverse link <-
 *
 * As behind a NAT the receiver sees one port of ours for each sender, and its answers find the
 * way back. */
#pragma once

#include <glib.h>
#include <stdio.h>

#include "options.h"

G_BEGIN_DECLS

#define RELAY_MAX_FLOWS 64      /* senders at a time */
/* Then another may have the place; with none such it is refused and counted. */
#define RELAY_FLOW_IDLE (3 * RC_SECOND)

typedef struct _Relay Relay;

/* options must outlive it. NULL and *error if a socket or file refuses. */
Relay *relay_new (Options * options, GError ** error);
void relay_free (Relay * self);
/* The address that it listens on (g_free). */
gchar *relay_listen_address (const Relay * self);
/* Until the duration has passed or stop_fd is readable. FALSE and *error if not all could be
 * written to the files. */
gboolean relay_run (Relay * self, int stop_fd, GError ** error);
/* One line. */
void relay_print_summary (const Relay * self, FILE * file);

G_END_DECLS
