/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* When the scheduler's next packet may leave: when both the budget that the user set and the sink
 * that follows permit it. Where there is neither, at once, and what follows holds packets back by
 * blocking. The sink's pacer is another element's, and is asked without the scheduler's lock. */
#pragma once

#include "pacing/packetpacer.h"

G_BEGIN_DECLS

typedef struct
{
  GMutex *lock;                 /* the scheduler's; left while the sink is asked */
  RmcPacer budget;
  guint budget_bps;             /* 0: none */
  Pacer *lent;                  /* by the sink that follows, or NULL */
  guint pushed_bytes;           /* of the last packet, and for how long what follows held it */
  RcTime pushed_at, returned_at;
  gboolean idle;                /* as last notified */
} RampPacing;

void ramp_pacing_init (RampPacing * self, GMutex * lock, RcTime now);
void ramp_pacing_set_budget (RampPacing * self, guint budget_bps, RcTime now);
/* Takes a reference of its own; NULL: what follows is no such sink. */
void ramp_pacing_set_lent (RampPacing * self, Pacer * lent);
/* After a flush: nothing was earned. */
void ramp_pacing_reset (RampPacing * self, RcTime now);

/* When a packet of so many bytes may leave; RC_TIME_NONE: not known, ask again soon. */
RcTime ramp_pacing_due_at (RampPacing * self, guint size_bytes, RcTime now);
void ramp_pacing_pay (RampPacing * self, guint size_bytes, RcTime now);
/* What follows has taken the packet that was paid for last. */
void ramp_pacing_on_pushed (RampPacing * self, guint size_bytes, RcTime since, RcTime now);
/* Nothing waits. */
void ramp_pacing_on_idle (RampPacing * self, RcTime now);

G_END_DECLS
