/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* All streams as JSON, for the page: fields as in the snapshots, `key`, and
 * `log`: what happened, newest first, with `time` (ms since 1970), `kind` and `text`. A stream that
 * has a picture has `thumbnail`: `at` (ms since 1970) and `age` (ms). */
#pragma once

#include "streamtable.h"

/* An array without line breaks; g_free(). thumbnails: their folder; may be NULL */
gchar *stream_json (StreamTable * streams, const gchar * thumbnails);
