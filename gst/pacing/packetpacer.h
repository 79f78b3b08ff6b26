/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Pacer interface: decides when a packet may be sent. A relay and a scheduler with a budget of
 * its own have an RMC (RmcPacer). A sink has its RcSender, and lends it to a scheduler upstream,
 * by the query GstArcQueuesUpstream: so two elements in series have one pacer. */
#pragma once

#include <glib-object.h>
#include <rc/pace/rmc.h>

G_BEGIN_DECLS

/* Boxed: in queries. */
#define PACER_TYPE (pacer_get_type ())

typedef struct _Pacer Pacer;

typedef struct
{
  /* When a packet of so many bytes may leave: `now` means at once; RC_TIME_NONE: not known, ask
   * again later. */
  RcTime (*due_at) (Pacer * self, guint size_bytes, RcTime now);
  /* A packet leaves now. */
  void (*pay) (Pacer * self, guint size_bytes, RcTime now);
  /* Nothing waits: a pause earns no burst. */
  void (*on_idle) (Pacer * self, RcTime now);

  /* Of a pacer that an egress (pacedegress.h) has. The packet did not leave after all, and is to be
   * paid for again. */
  void (*refund) (Pacer * self, guint size_bytes);
  /* A stall is being made up for: the next packets are due in a moment. */
  gboolean (*is_behind) (Pacer * self);
  /* As due_at (), for a packet with a deadline; and it leaves now, before pay (). NULL: such
   * packets are as others. */
  RcTime (*urgent_at) (Pacer * self, guint size_bytes, RcTime now);
  void (*lend) (Pacer * self, guint size_bytes, RcTime now);

  /* Of a pacer that a scheduler has: from `since` on it could not ask, because what follows held
   * the packet that was paid for last. */
  void (*on_blocked) (Pacer * self, guint size_bytes, RcTime since, RcTime now);

  /* Of one that is lent: it may be called from any thread, without a lock of the borrower. */
  void (*ref) (Pacer * self);
  void (*unref) (Pacer * self);
} PacerFuncs;

struct _Pacer
{
  const PacerFuncs *funcs;
};

GType pacer_get_type (void);

/* A pacer at a rate that its owner sets: RMC alone. No locks. */
typedef struct
{
  Pacer pacer;                  /* must stay first */
  RcRmc rmc;
} RmcPacer;

void rmc_pacer_init (RmcPacer * self, guint64 rate_bps, RcTime now);

G_END_DECLS
