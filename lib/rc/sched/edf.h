/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Earliest deadline first over reservations: a server has a rate and a period, so that each period
 * earns it rate x period [RAMP eq. 5]; while it has credit its deadline is the end of its period,
 * and the earliest deadline is served first. One that has used up its credit waits for its next
 * period. O(log n) a packet; memory is the caller's.
 *
 * A packet is never cut: the last one of a period may leave a debt, which the next periods
 * repay. The rate is exact as long as the server has work; a server that was without keeps at
 * most the credit of one period, or of one packet. */
#pragma once

#include <rc/base/heap.h>

typedef enum
{
  RC_EDF_IDLE,                  /* has no work */
  RC_EDF_READY,                 /* has credit; by deadline */
  RC_EDF_WAITING,               /* has none; by the time when it will */
} RcEdfState;

typedef struct
{
  RcHeapNode node;              /* must stay first */
  RcEdfState state;
  double rate_bps;
  RcTime period;                /* > 0 */
  double credit_bytes;
  RcTime deadline;              /* end of the period that credit_bytes covers */
} RcEdfServer;

typedef struct
{
  RcHeap ready, waiting;
} RcEdf;

void rc_edf_init (RcEdf *self);
void rc_edf_server_init (RcEdfServer *server, double rate_bps, RcTime period, RcTime now);
/* From now on; rate_bps >= 0, period > 0. What was earned stays. */
void rc_edf_reserve (RcEdf *self, RcEdfServer *server, double rate_bps, RcTime period, RcTime now);
/* It has work; nothing happens if it had. */
void rc_edf_wake (RcEdf *self, RcEdfServer *server, RcTime now);
/* It has no more work, or goes away. */
void rc_edf_sleep (RcEdf *self, RcEdfServer *server);
/* Whose reservation is most urgent, or NULL: none has credit. It stays in place. */
RcEdfServer *rc_edf_pick (RcEdf *self, RcTime now);
/* Uses idle capacity: starts the next period of the waiting server with the earliest release,
 * except `except` (may be NULL). NULL: no server is waiting. Its deadline is never more than one
 * period ahead, so that what it borrows does not cost it later. */
RcEdfServer *rc_edf_pick_early (RcEdf *self, RcEdfServer *except, RcTime now);
/* It sent so much. */
void rc_edf_charge (RcEdf *self, RcEdfServer *server, uint32_t bytes, RcTime now);
/* When a waiting server has credit; RC_TIME_NONE: none is waiting, or never. */
RcTime rc_edf_next_at (const RcEdf *self);
