/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The property `latency` (ms) of a jitter buffer or an rtpbin, for which several arcsrcs may have a
 * wish: it gets the largest. A latency that anybody else sets while there are wishes is the user's:
 * the element is left alone from then on. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* FALSE: the element is left alone. *changed: the property has another value now. */
gboolean shared_latency_wish (GstElement * element, gpointer owner, guint ms, gboolean * changed);
/* The owner has no wish any more. With the last one the latency becomes what it was before the
 * first, unless the element is left alone. */
void shared_latency_leave (GstElement * element, gpointer owner);

G_END_DECLS
