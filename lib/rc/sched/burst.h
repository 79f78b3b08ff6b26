/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* How large the bursts of a flow are: a frame of video is many packets at once, sound is one packet
 * at a time. Packets that come less than 2 ms after the one before are one burst. */
#pragma once

#include <rc/base/types.h>

typedef struct
{
  RcTime came_at;               /* the last packet */
  double bytes;                 /* of the burst that may go on */
  double mean_bytes;            /* of those that ended; 0: none has */
} RcBurst;

void rc_burst_init (RcBurst *self);
void rc_burst_on_packet (RcBurst *self, uint32_t bytes, RcTime now);
