/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A pad of a tee, requested while the stream flows. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* Not from a push into the tee. NULL: it has none. */
GstPad *tee_pad_request (GstElement * tee);

G_END_DECLS
