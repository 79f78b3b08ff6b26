/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What lies between the flows of a closed loop: the links, a relay before the first if there is
 * one, and the parcels that are on their way.
 *
 * A parcel crosses the links of its route in ascending order, then takes a fixed time ("rest") to
 * the far end, where its flow takes it. */
#pragma once

#include "measures.h"
#include "uplinkrelay.h"

typedef struct
{
  Parcel *head, **tail;
} ParcelQueue;

typedef struct
{
  const LoopConfig *config;
  Loop *loop;                   /* notes what is seen */
  Link link[LOOP_MAX_LINKS];
  ParcelQueue there[LOOP_MAX_FLOWS], back[LOOP_MAX_FLOWS];      /* past the last link */
  UplinkRelay *relay;           /* NULL: none */
  unsigned step;
  uint64_t random;
} World;

void world_init (World *self, const LoopConfig *config, Loop *loop);
void world_clear (World *self);
/* UTC at the start, by seed and capacity: what senders do together has no fixed time. */
RcTime world_epoch (const World *self);
/* 0 .. 1 */
double world_uniform (World *self);
/* Takes the parcel. */
void world_send (World *self, Parcel *parcel, RcTime now);
/* The steps of the case and the links up to now. */
void world_run (World *self, RcTime now);
RcTime world_next_at (World *self, RcTime now);
/* The flow's next parcel that has come by now to the far end, or back at the sender; NULL:
 * none. The caller frees it. */
Parcel *world_take (World *self, unsigned flow, bool is_back, RcTime now);
/* When the flow's next parcel comes to either end. */
RcTime world_due_at (const World *self, unsigned flow);
