/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* CoDel (RFC 8289): drops, or marks, at the head of the queue once packets have waited longer than
 * the target for a whole interval, then ever faster until the wait is below the target again. */
#pragma once

#include <link/fifo.h>

/* A queue that holds no more than one full packet behind the head is never too long. */
#define LINK_CODEL_MTU_BYTES 1500

typedef struct
{
  RcTime target;                /* RFC 8289: 5 ms; 0: no CoDel */
  RcTime interval;              /* RFC 8289: 100 ms */
  bool marks;                   /* marks ECN-capable packets instead of dropping them */
} LinkCodelParams;

typedef struct
{
  RcTime ok_at; /* when the wait will have been too long for an interval; RC_TIME_NONE: it is not */
  RcTime next_at;               /* of the next drop, while dropping */
  uint32_t count, last_count;   /* drops in this spell of dropping; where it began */
  bool dropping;
  bool owes_next;               /* next_at is still that of the last drop */
} LinkCodel;

void link_codel_init (LinkCodel *self);
/* What to do with the packet at the head that waited `wait`, with `waiting_bytes` behind it. ect:
 * it may be marked. */
LinkAqmVerdict link_codel_on_head (LinkCodel *self, const LinkCodelParams *params, RcTime wait,
    uint64_t waiting_bytes, bool ect, RcTime now);
