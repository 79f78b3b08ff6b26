/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* When a lost packet would have arrived, by the arrivals of the packets around it. */
#pragma once

#include <rc/base/types.h>

/* Packets whose arrival is remembered; a longer burst of losses counts from its detection. */
#define RC_LOSSTIMES_ARRIVALS 128

typedef struct
{
  struct
  {
    uint32_t seq;
    RcTime at;
  } arrivals[RC_LOSSTIMES_ARRIVALS];    /* place seq % ARRIVALS */
} RcLossTimes;

void rc_losstimes_init (RcLossTimes *self);
/* Extended sequence numbers. */
void rc_losstimes_on_arrival (RcLossTimes *self, uint32_t seq, RcTime now);
/* T_loss [RFC 5348 5.2] of a packet whose loss is found now. */
RcTime rc_losstimes_get (const RcLossTimes *self, uint32_t seq, RcTime now);
