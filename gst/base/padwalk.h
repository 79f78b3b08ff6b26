/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A walk along links through whatever stands between, bins included: breadth first, in the
 * direction that the first pad looks. It needs no knowledge of bins: the internal links of a ghost
 * pad lead through it, in both directions. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* For each pad that is reached and its element, NULL if it has none. FALSE: the walk does not go
 * through it. */
typedef gboolean (*PadWalkVisit) (GstPad * pad, GstElement * element, gpointer user_data);

/* From the links of the pad on. Terminates in pipelines of any shape. Returns at how many pads it
 * was to go on and could not, since nothing is behind them. */
guint pad_walk (GstPad * from, PadWalkVisit visit, gpointer user_data);

G_END_DECLS
