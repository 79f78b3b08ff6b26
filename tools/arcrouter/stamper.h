/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The program of arcrouter.bpf.c at the egress of an interface, from its loading to its removal. */
#pragma once

#include <glib.h>

#include "routershared.h"

typedef struct _Stamper Stamper;

/* max_rtt_us: a longer claim is taken as this. Errors say what to do. */
Stamper *stamper_open (const gchar *interface, guint8 stamp_id, guint32 max_rtt_us, GError **error);
/* Leaves the interface as it was. */
void stamper_close (Stamper *self);
int stamper_ifindex (const Stamper *self);
/* The rate to stamp from now on, for ROUTER_STALE_NS. */
void stamper_set_rate (Stamper *self, guint64 bps, gint64 now_ns);
/* Sums over all CPUs; the longest claim since the call before. */
gboolean stamper_read (Stamper *self, RouterCounters *sum, GError **error);
