/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Where the streams come from: a hub of our own, or, if another monitor of the user has one, that
 * one, whose place we take when it ends. */
#pragma once

#include "streamtable.h"

typedef struct _Feed Feed;

Feed *feed_new (const gchar * path, StreamTable * streams, GError ** error);
void feed_free (Feed * self);
