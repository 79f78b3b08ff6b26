/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* GstArcProfile, the type of every property `profile`: an RcProfile. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

GType profile_get_type (void);

G_END_DECLS
