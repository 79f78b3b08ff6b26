/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Who decides when a packet may leave. A relay and a scheduler with a budget of its own have an RMC
 * (rmcpacer.h); a sink has its RcSender, and lends it to a scheduler upstream. */
#pragma once

#include <glib.h>
#include <rc/base/types.h>

G_BEGIN_DECLS

typedef struct _Pacer Pacer;

typedef struct
{
  /* When a packet of so many bytes may leave: `now` means at once; RC_TIME_NONE: not known, ask
   * again later. */
  RcTime (*due_at) (Pacer * self, guint size_bytes, RcTime now);
  /* A packet leaves now. */
  void (*pay) (Pacer * self, guint size_bytes, RcTime now);
  /* It did not leave after all, and is to be paid for again. */
  void (*refund) (Pacer * self, guint size_bytes);
  /* Nothing waits: a pause earns no burst. */
  void (*on_idle) (Pacer * self, RcTime now);
  /* A stall is being made up for: the next packets are due in a moment. */
  gboolean (*is_behind) (Pacer * self);
} PacerFuncs;

struct _Pacer
{
  const PacerFuncs *funcs;
};

G_END_DECLS
