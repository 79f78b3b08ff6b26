/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The local socket to which processes tell their statistics. A hub passes each message on to those
 * who only watch: other monitors of the same user. It never waits for any of them. */
#pragma once

#include "streamtable.h"

/* What a watcher says first. */
#define HUB_WATCH "GstArcMonitorWatch"

typedef struct _Hub Hub;

/* G_IO_ERROR_ADDRESS_IN_USE: another hub listens at the path. What comes goes to streams. Runs in
 * the default main context. */
Hub *hub_new (const gchar * path, StreamTable * streams, GError ** error);
/* The socket's file goes, too. */
void hub_free (Hub * self);
