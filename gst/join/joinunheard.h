/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Problem: a viewer that never reports is lost after 5 s, but an address that calls by a new number
 * then is sent the start bitrate for ever.
 *
 * Rule: the times for which the viewers of an address and port were served without any report add
 * up. From MOST_US on it is told to call later, until FORGET_US after the last of them. Reports
 * take the way of calls: a receiver that can call can report. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Address -> for how long it was served without a report. The caller's lock is held. */
GHashTable *join_unheard_new (void);
void join_unheard_note (GHashTable * self, GSocketAddress * from, gint64 served_us);
gboolean join_unheard_has (GHashTable * self, GSocketAddress * from);

G_END_DECLS
