/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* One page of the reference, in Markdown. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* An element: its pads, properties, signals, actions, statistics, messages and events. NULL: it
 * cannot be made. To be freed. */
gchar *page_of_element (GstElementFactory * factory);
/* The laws with their parameters. To be freed. */
gchar *page_of_laws (void);

G_END_DECLS
