/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What waits in the queues of all pads, under RAMP, as one source of packets. Its first packet is
 * the one that RAMP chooses at the moment of the look, and the second is not known before the first
 * was taken. No locks: that of the scheduler is held. */
#pragma once

#include "gstramppad.h"
#include "pacing/packetsource.h"

#include <rc/sched/ramp.h>

G_BEGIN_DECLS

typedef struct
{
  PacketSource source;          /* must stay first */
  RcRamp ramp;
  GPtrArray *pads;              /* of GstRampPad, with references */
  GstRampPad *chosen;           /* at the last look; NULL: nothing waited */
  guint overhead_bytes;         /* of UDP and IP a packet, which count against the budget */
  RcTime max_queue_time;
  RcProfile profile;            /* of the pads */
  gboolean renumber;            /* queues of pads to come */
  guint n_events;               /* that wait at all pads: for most packets none does */
  guint64 packets, bytes;       /* taken */
} RampSource;

void ramp_source_init (RampSource * self, const RcRampParams * params, RcTime now);
void ramp_source_clear (RampSource * self);
/* Of all pads, those to come too. */
void ramp_source_set_profile (RampSource * self, RcProfile profile, guint64 greedy_min_bps,
    RcTime now);

/* The pad becomes part of the scheduler: it gets its queue. */
void ramp_source_add (RampSource * self, GstRampPad * pad, RcTime now);
void ramp_source_remove (RampSource * self, GstRampPad * pad);
/* The settings of the pad have changed. */
void ramp_source_update (RampSource * self, GstRampPad * pad, RcTime now);
void ramp_source_set_renumber (RampSource * self, gboolean renumber);
/* UDP and IP take so many bytes of each packet, also of those that wait. */
void ramp_source_set_overhead (RampSource * self, guint overhead_bytes, RcTime now);

/* FALSE: the pad's queue is full, and the upstream thread must wait. Live real-rate streams never
 * wait; they lose frames. */
gboolean ramp_source_has_room (const RampSource * self, GstRampPad * pad);
/* Takes the buffer. A buffer that is not RTP is counted and dropped. */
void ramp_source_push (RampSource * self, GstRampPad * pad, GstBuffer * buffer, RcTime now);
/* Takes a reference of its own. It leaves behind what waits in the pad's queue. */
void ramp_source_push_event (RampSource * self, GstRampPad * pad, GstEvent * event);
/* An event leaves before the next packet. */
gboolean ramp_source_has_event (const RampSource * self);
/* An event that may leave now, before the packets behind it, or NULL. */
GstEvent *ramp_source_take_event (RampSource * self);
/* Neither packets nor events wait. */
gboolean ramp_source_is_empty (const RampSource * self);
/* What waits in the pad's queue is gone. */
void ramp_source_forget_waiting (RampSource * self, GstRampPad * pad);

G_END_DECLS
