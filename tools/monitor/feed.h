/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Where the streams come from: a hub of our own, or, if another monitor has it, that one. */
#pragma once

#include "streamtable.h"

typedef struct _Feed Feed;

/* may_watch: another monitor's hub will do, and takes its place when it ends. */
Feed *feed_new (const gchar * path, StreamTable * streams, gboolean may_watch, GError ** error);
void feed_free (Feed * self);
