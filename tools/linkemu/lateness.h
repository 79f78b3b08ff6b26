/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* How late datagrams left, in steps of 1 µs: the emulator's own error, told at the end of a run. */
#pragma once

#include <glib.h>
#include <rc/base/types.h>

G_BEGIN_DECLS

#define LATENESS_MAX_US 20000   /* the last step holds all beyond */

typedef struct
{
  guint64 n, steps[LATENESS_MAX_US + 1];
} Lateness;

void lateness_add (Lateness * self, RcTime late);
/* In µs; ratio 0..1. 0 without samples. */
guint lateness_quantile (const Lateness * self, gdouble ratio);

G_END_DECLS
