/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* GstArcMode, the type of the properties `mode` of rmcsink and arcsrc; the names are those of SRT.
 * Who listens is called; of a sender and its receiver one does. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

typedef enum
{
  JOIN_MODE_CALLER = 1,
  JOIN_MODE_LISTENER = 2,
} JoinMode;

GType join_mode_get_type (void);

G_END_DECLS
