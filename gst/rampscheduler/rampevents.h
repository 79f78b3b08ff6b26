/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Serialized events of a stream. They are queued among its packets and pushed by the sending
 * thread: pushing one directly would block the upstream thread in the sink with the stream lock
 * held. No locks: that of the scheduler is held. */
#pragma once

#include "pacing/sendqueue.h"

#include <gst/base/base.h>

G_BEGIN_DECLS

typedef struct
{
  GstQueueArray *waiting;
  guint64 dropped;
} RampEvents;

void ramp_events_init (RampEvents * self);
void ramp_events_free (RampEvents * self);
/* FALSE: the event has no meaning downstream, where many streams are one. */
gboolean ramp_events_matter (GstEvent * event);
/* Takes a reference of its own. The event leaves before the next packet that comes into the queue.
 * */
void ramp_events_push (RampEvents * self, GstEvent * event, SendQueue * queue);
/* An event leaves before the next packet of the queue. */
gboolean ramp_events_are_due (const RampEvents * self, SendQueue * queue);
/* The event whose turn it is, or NULL. */
GstEvent *ramp_events_take (RampEvents * self, SendQueue * queue);
void ramp_events_forget (RampEvents * self);
guint ramp_events_n (const RampEvents * self);

G_END_DECLS
