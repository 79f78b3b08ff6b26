/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Element messages of ours in words, for people who watch a monitor. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* NULL: nothing that is not seen elsewhere; g_free() */
gchar *message_words (const GstStructure * s);

G_END_DECLS
