/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Objects of GStreamer that somebody still holds, found by its tracer "leaks". */
#pragma once

/* Before gst_init(). */
void leaks_watch (void);

/* After all pipelines have gone: fails if something is left after some seconds. */
void leaks_check (void);
