/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Which encoders feed a pad: follows the links upstream through whatever stands between, bins included. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* The nearest encoder of each branch upstream of the sink pad, each once: GstElements with a reference each
 * (g_ptr_array_unref). bare_sources: how many branches begin without one. Terminates in pipelines of any shape. */
GPtrArray *encoder_walk (GstPad * sinkpad, guint * bare_sources);

G_END_DECLS
