/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* How much FEC pays: the percentage for rtpulpfecenc. The model is in fecplan.c. */
#pragma once

#include <rc/base/types.h>

typedef struct
{
  double loss_ratio;            /* share of the packets that get lost, 0..1 */
  double burst_pkts;            /* mean length of a run of losses, >= 1 */
  double frame_pkts;            /* packets of a frame in the mean, of media and FEC together */
  unsigned repairs; /* how often a lost packet is sent again so that it comes in time */
} RcFecCase;

/* How often a frame of which so many packets are FEC begins to be broken; at most half of them. */
double rc_fecplan_break_ratio (const RcFecCase *self, unsigned fec_pkts);
/* Packets of FEC in a hundred of media, 0..100. */
unsigned rc_fecplan_percentage (const RcFecCase *self);
