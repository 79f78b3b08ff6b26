/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What the kernel says of an interface's queueing disciplines (rtnetlink). */
#pragma once

#include <glib.h>

typedef struct
{
  int socket;                   /* -1: none */
  int ifindex;
} TcQueue;

gboolean tc_queue_open (TcQueue *self, int ifindex, GError **error);
void tc_queue_close (TcQueue *self);
/* What waits in the root qdisc and below it; 0 if the kernel does not say. */
guint64 tc_queue_backlog_bytes (TcQueue *self);
/* Filters at the ingress or egress of clsact. */
gboolean tc_queue_has_filters (TcQueue *self);
