/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* When packets came, in running time: the DTS of what udpsrc received.
 *
 * udpsrc makes the kernel's time of receipt the DTS, but of a packet that came before the
 * pipeline's base time (the socket is open since READY), or when the system's time was set
 * meanwhile, it makes the time of the clock, not the running time: as far ahead as the machine
 * has been up, and rtpjitterbuffer waits for as long. The rule here: a packet came no sooner
 * than the one before it, and no later than now. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

typedef struct
{
  GstClockTime last;            /* of the packet before; 0: none, or it came before the base time */
} ArrivalTime;

/* Another stream begins. */
void arrival_time_reset (ArrivalTime * self);
/* Takes the buffer and returns it with a DTS that can be true. now: running time; if unknown
 * nothing is changed. */
GstBuffer *arrival_time_mend (ArrivalTime * self, GstBuffer * buffer, GstClockTime now);

G_END_DECLS
